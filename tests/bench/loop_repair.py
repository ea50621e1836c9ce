"""Does the loop repair worked solutions, and does it leave right ones alone?

    python -m tests.bench.loop_repair WORKED_SOLUTIONS.jsonl [--attempts 3 4 10] [--show 5]
                                      [--corrupt 300]

A caller that can do nothing but what it is told goes through the dialogue: it puts the expected
value where the finding is, lets later mentions of the wrong value follow, and calls again with the
token. It does no arithmetic, so that each step that depends on a corrected one takes it a round
more; a model works those out in the same round. Each line of the file has `question`, `steps` and
`label`, the index of the first wrong step or -1; null where nobody knows it, and then the solution
is left out and counted.

fixed   of the wrong solutions in which a fault was found: no proven fault is left in the attempt
        that is returned, and the first wrong step is no longer what it was
restored  of those that were corrupted here, so that the right text is known: it is back
broken  right solutions that the loop had changed

`--corrupt N` adds N wrong solutions to those of the file, made from its right ones by changing one
result; in every second one the wrong value is also used further down.
"""

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import anyio

from reflection_mcp.store.records import Check, Scope
from reflection_mcp.store.sqlite.memory import MemoryStore
from reflection_mcp.tools.answer.answer_with_reflection import AnswerResult, answer_with_reflection
from reflection_mcp.tools.answer.request import AnswerRequest
from reflection_mcp.tools.ports import Caller, Services

RESULT = re.compile(r"=\s*\$?(\d{1,5})(?![\d.,%/])")
"""A whole number on the right of an equation."""

SECRET = b"only for this measurement: 0123456789"


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """A worked solution; `label` is the index of its first wrong step, -1 when it is right.

    `original` is the right text, where it is known.
    """

    name: str
    kind: str
    question: str
    steps: tuple[str, ...]
    label: int
    original: str = ""

    @property
    def text(self) -> str:
        """The steps, one a line."""
        return "\n".join(self.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """How one solution fared. `calls` is how often the tool was called."""

    solution: Solution
    found: bool
    fixed: bool
    changed: bool
    calls: int
    why: str
    text: str


def solutions(lines: Sequence[str]) -> Iterator[Solution]:
    """The worked solutions of JSON lines; those without a label are left out."""
    for line in lines:
        row = json.loads(line)
        if row["label"] is None:
            continue
        yield Solution(
            name=row["id"],
            kind=row.get("kind", "?"),
            question=row["question"],
            steps=tuple(row["steps"]),
            label=row["label"],
        )


def corrupted(right: Sequence[Solution], number: int, seed: int = 0) -> list[Solution]:
    """Wrong solutions, made from right ones by changing a result."""
    chance = random.Random(seed)
    made: list[Solution] = []
    places = [
        (one, index, match)
        for one in right
        for index, step in enumerate(one.steps)
        for match in RESULT.finditer(step)
    ]
    for one, index, match in chance.sample(places, min(number, len(places))):
        value = match[1]
        other = str(int(value) + chance.choice([-10, -3, -1, 1, 2, 7, 10, 100]))
        if other.startswith("-") or other == value:
            continue
        step, later = one.steps[index], one.steps[index + 1 :]
        steps = [*one.steps[:index], step[: match.start(1)] + other + step[match.end(1) :]]
        follows = len(made) % 2 == 1
        steps += [_follow(text, value, other) if follows else text for text in later]
        made.append(
            Solution(
                name=f"{one.name}/{index}/{value}->{other}",
                kind="made:propagated" if follows else "made:result",
                question=one.question,
                steps=tuple(steps),
                label=index,
                original=one.text,
            )
        )
    return made


def _follow(text: str, value: str, other: str) -> str:
    for use in reversed(list(_uses(_alone(value), text, 0))):
        text = text[: use.start()] + other + text[use.end() :]
    return text


def repaired(text: str, findings: Sequence[Check], given: str) -> str:
    """The text with the expected values in their places.

    Findings are taken in their order. The later uses of a wrong value follow it, unless the value
    is also one of those given; a finding about a step that has just been changed in this way was
    computed from the wrong value, so it is left for the next round.
    """
    edits: list[tuple[int, int, str]] = []
    for finding in sorted(findings, key=lambda f: f.start or 0):
        if finding.start is None or finding.end is None or not finding.expected:
            continue
        start, end = finding.start, finding.end
        wrong = _alone(finding.stated)
        places = [m.span() for m in wrong.finditer(text, start, end)]
        if not places or any(start <= at < end for at, _, _ in edits):
            continue
        edits.append((*places[-1], finding.expected))
        if not wrong.search(given):
            edits += [(*m.span(), finding.expected) for m in _uses(wrong, text, end)]
    for start, end, value in sorted(edits, reverse=True):
        text = text[:start] + value + text[end:]
    return text


def _uses(wrong: re.Pattern[str], text: str, start: int) -> Iterator[re.Match[str]]:
    """Where a value is used, not where it is again the result of a calculation."""
    for use in wrong.finditer(text, start):
        if not text[: use.start()].rstrip(" $€£").endswith("="):
            yield use


def _alone(value: str) -> re.Pattern[str]:
    """A value that is not a part of a longer number."""
    return re.compile(rf"(?<![\d.,]){re.escape(value)}(?!\d|[.,]\d)")


async def run(solution: Solution, attempts: int) -> Ran:
    """Take one solution through the dialogue."""
    numbers = count(1)
    services = Services(
        store=MemoryStore(),
        scope=Scope(),
        caller=Caller(conversation_id="bench"),
        clock=lambda: datetime(2026, 1, 1, tzinfo=UTC),
        ids=lambda prefix: f"{prefix}-{next(numbers)}",
    )
    draft, token, calls, drafts = solution.text, "", 0, list[str]()
    while True:
        drafts.append(draft)
        calls += 1
        asked = AnswerRequest(
            question=solution.question,
            secret=SECRET,
            draft=draft,
            loop=token,
            max_iterations=attempts,
        )
        result = await answer_with_reflection(services, asked)
        if result.status == "done":
            return _ran(solution, result, drafts)
        draft = repaired(draft, result.evaluation.flaws, solution.question)
        token = result.loop


def _ran(solution: Solution, result: AnswerResult, drafts: Sequence[str]) -> Ran:
    text = drafts[result.attempt - 1]
    step = text.split("\n")[solution.label] if solution.label >= 0 else ""
    clean = result.history[result.attempt - 1].fault_count == 0
    return Ran(
        solution=solution,
        found=result.history[0].fault_count > 0,
        fixed=clean and step != solution.steps[solution.label],
        changed=text != solution.text,
        calls=len(drafts),
        why=result.why,
        text=text,
    )


async def measure(rows: Sequence[Solution], attempts: int) -> list[Ran]:
    """Take every solution through the dialogue."""
    return [await run(row, attempts) for row in rows]


def report(ran: Sequence[Ran], attempts: int, show: int) -> None:
    """Print the figures, with n."""
    wrong = [r for r in ran if r.solution.label >= 0]
    right = [r for r in ran if r.solution.label < 0]
    found = [r for r in wrong if r.found]
    fixed, broken = [r for r in found if r.fixed], [r for r in right if r.changed]
    known = [r for r in found if r.solution.original]
    restored = [r for r in known if r.text.split() == r.solution.original.split()]
    calls = sum(r.calls for r in found) / max(1, len(found))
    print(
        f"attempts {attempts}: wrong {len(wrong)}, found {len(found)}, "
        f"fixed {len(fixed)} = {len(fixed) / max(1, len(found)):.3f} of those found, "
        f"restored {len(restored)} of {len(known)} known, calls {calls:.2f}; "
        f"right {len(right)}, broken {len(broken)}"
    )
    kinds = Counter(r.solution.kind for r in found)
    by_kind = Counter(r.solution.kind for r in fixed)
    print("  " + "  ".join(f"{kind} {by_kind[kind]}/{n}" for kind, n in sorted(kinds.items())))
    for one in [*broken, *(r for r in found if not r.fixed)][:show]:
        print(f"  {one.solution.name} ({one.solution.kind}): {one.why}\n    {one.text!r}")


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("path", type=Path)
    parser.add_argument("--attempts", type=int, nargs="+", default=[3, 4, 10])
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--corrupt", type=int, default=0)
    asked = parser.parse_args()
    lines = asked.path.read_text(encoding="utf-8").splitlines()
    rows = list(solutions(lines))
    if left_out := len(lines) - len(rows):
        print(f"left out: {left_out} of {len(lines)}, which have no label")
    if not rows:
        return
    rows += corrupted([row for row in rows if row.label < 0], asked.corrupt)
    for attempts in asked.attempts:
        report(anyio.run(measure, rows, attempts), attempts, asked.show)


if __name__ == "__main__":
    main()
