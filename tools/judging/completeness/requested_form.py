"""Check that the answer has as many items, or is in the format, that the question asks for.

Rules of this module: a demand that cannot be measured with certainty on this answer is unchecked.
Too few of what was asked for is a fault; too many is one only where the question set a bound, and a
hint otherwise. An answer of no words at all is the business of `placeholder`.
"""

import re
from collections.abc import Iterator

from reflection_mcp.store.records import Check, Severity, Status
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.completeness.demands import Demand, read
from reflection_mcp.tools.judging.completeness.items import enumerated, items
from reflection_mcp.tools.judging.finding import whole

Found = tuple[Status, Severity, int]
"""Status, severity, and the number of items that the answer has."""
OK: Found = ("ok", "hard", 0)
UNCLEAR: Found = ("unchecked", "hard", 0)


def check(case: Case) -> Iterator[Check]:
    """Yield one finding for each demand of the question on the form of its answer."""
    if not (case.answer.strip() and case.is_whole):
        return
    for demand in read(case.question):
        said = f"The question asks: {demand.said!r}"
        if demand.what == "items":
            status, severity, count = _items(case, demand)
            kind, stated, has = "completeness:count", str(count), f"{count} item{'s'[: count != 1]}"
            expected = str(demand.least if demand.least is not None else demand.most)
        else:
            status, severity, has = "ok", "hard", "no JSON"
            # Whether it parses is the business of `syntax`.
            if not (re.search(r"[{\[]", case.answer) or _SCALAR.fullmatch(case.answer[:2_000])):
                status = "wrong"
            kind, stated, expected = "completeness:format", has, "answer in JSON"
        if status == "wrong":
            why = f"{said}; the answer has {has}."
            yield whole(kind, status, why, severity=severity, stated=stated, expected=expected)
        else:
            yield whole(kind, status, f"{said}.", severity=severity, expected=expected)


_SCALAR = re.compile(r"\s*(?:\"[^\"]*\"|-?\d[\d.eE+-]*|true|false|null)\s*")


def _items(case: Case, demand: Demand) -> Found:
    counts, loose = items(case)
    listed = {style: count for style, count in counts.items() if style not in ("bold", "headed")}
    if not listed:
        return UNCLEAR
    if demand.least is not None and max(counts.values()) < demand.least:
        inline = enumerated(case)
        if inline >= demand.least:
            return OK
        # Two lists of a few items, or lines without a marker, may make up the number together.
        if sum(listed.values()) >= demand.least or loose >= demand.least > 2:
            return UNCLEAR
        style, got = max(listed.items(), key=lambda pair: pair[1])
        # A list of one item is hardly a list: all may stand in it.
        if got == 1 and _named_together(case) >= demand.least:
            return UNCLEAR
        if style != "numbered" and _within_lines(case) >= demand.least:
            return UNCLEAR
        return "wrong", "hard", max(got, inline)
    if demand.most is not None and set(listed) == {"numbered"} and listed["numbered"] > demand.most:
        return "wrong", "hint" if demand.loose else "hard", listed["numbered"]
    return OK


def _within_lines(case: Case) -> int:
    """Count what the lines of the answer enumerate between commas, semicolons or dashes."""
    return sum(len(_BETWEEN.findall(line.text)) + 1 for line in case.lines if line.text.strip())


def _named_together(case: Case) -> int:
    """Count what the fullest line names that holds nothing but names, as "* 3 and 7" does."""
    lines = ([part for part in _JOINED.split(line.text) if part.strip()] for line in case.lines)
    names = (parts for parts in lines if all(len(part.split()) <= NAME for part in parts))
    return max(map(len, names), default=0)


NAME = 4
"""Words of a name at most, the marker of the list among them: a sentence has longer parts."""
_JOINED = re.compile(r"[,;/]|\b(?:and|with|plus)\b|&", re.IGNORECASE)
_BETWEEN = re.compile(r"[,;]|(?<=\S) [-\u2013] ")
