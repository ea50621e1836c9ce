"""The pattern of an error: what is stored of its text, and how it is read again.

Rule of this module: `read(pattern_of(report))` compares as the report does. A line begins with what
it is:

    4keyerror keyerror: a    a statement of strength 4 with its type; the headline comes first
    - line                   belongs to the statement above
    ~ line                   stands beside an error: may contradict another, never be needed
    @ 5432                   a port that the source lines of a trace name
    # 17 21                  the values of the headline, in their order
"""

from functools import lru_cache

from reflection_mcp.store.records import Pattern
from reflection_mcp.tools.identity.extract.report import Report, Statement

SIGNATURE_VERSION = "sig4"
"""Names the rules that made a signature. New rules get a new name."""


def pattern_of(report: Report, error_type: str | None, version: str) -> Pattern:
    """The pattern that a store keeps of a report."""
    lines: list[str] = []
    top = report.headline
    order = [
        *report.statements[top : top + 1],
        *report.statements[:top],
        *report.statements[top + 1 :],
    ]
    for one in order:
        lines.append(f"{one.strength}{one.type} {one.text}")
        lines += [f"- {detail}" for detail in one.details]
    lines += [f"~ {note}" for note in report.notes]
    lines += [f"@ {port}" for port in report.ports]
    if len(set(report.values)) > 1:
        lines.append(f"# {' '.join(report.values)}")
    return Pattern(
        version=version, lines=tuple(lines), location=report.place, error_type=error_type
    )


@lru_cache(maxsize=128)
def read(pattern: Pattern) -> Report:
    """The report that a pattern was made of."""
    statements: list[Statement] = []
    notes: list[str] = []
    ports: list[str] = []
    values: list[str] = []
    for line in pattern.lines:
        mark, _, text = line.partition(" ")
        if mark == "-" and statements:
            statements[-1].details.append(text)
        elif mark == "~":
            notes.append(text)
        elif mark == "@":
            ports.append(text)
        elif mark == "#":
            values = text.split()
        elif mark[:1].isdigit():
            statements.append(Statement(text, int(mark[0]), mark[1:]))
    return Report(tuple(statements), 0, pattern.location, tuple(notes), tuple(ports), tuple(values))
