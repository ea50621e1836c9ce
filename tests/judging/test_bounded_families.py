"""No family of checks does more than a fixed amount of work for each character it is given.

Work is counted in steps: lines of Python, each round of a comprehension too, and calls of C; so the
count is the same on every machine. What one call of a regular expression may cost is asked by
`tests/test_patterns.py`.
"""

import base64
import json
import sys
from collections.abc import Callable
from random import Random
from types import FrameType
from typing import Any

import pytest

from reflection_mcp.tools.judging import FAMILIES, check_answer
from reflection_mcp.tools.judging.case import Case
from tests.hostile import repeated
from tests.rows import each_row, enough

SMALL, TIMES = 4_000, 4
STEPS = 300
"""Steps for each character of the larger text; the worst three make 238 (one wrong sum after the
other), 128 and 127 (short lines of a context), the others far less."""
MOST_GROWTH = 6.0
"""Linear is 4, quadratic 16; what is done once makes it less."""
LONG, MOST_STEPS = enough(8_000, 20_000), 4_500_000
"""Characters of a long answer, and the steps that all families may take together with it: 4.1
million for wrong sums."""
FLOOR = 50_000
"""Steps that grow as they like."""

BLOB = Random(1).randbytes(SMALL * TIMES)
TEXTS: dict[str, Callable[[int], str]] = {
    "hex": lambda size: BLOB.hex()[:size],
    "base64": lambda size: base64.b64encode(BLOB).decode()[:size],
    "one line": lambda size: "a" * size,
    "many lines": lambda size: "a\n" * (size // 2),
    "nested brackets": lambda size: "(" * (size // 2) + ")" * (size // 2),
    "digits": lambda size: "1" * size,
    "JSON": lambda size: json.dumps([{"a": [1, {"b": "c"}]}] * (size // 25)),
    "one sentence": lambda size: repeated("Ann Lee of Acme Corp. met 3 people in 1999. ", size),
    "wrong sums": lambda size: repeated("1 + 1 = 3. ", size),
    "relations": lambda size: repeated("1=", size),
    "runs of tests": lambda size: repeated("1 passed in 1s\n", size),
    "spaces": lambda size: f"GET{' ' * size}x",
    "broken code": lambda size: repeated("```python\nx = (\n```\n", size),
    "code with slips": lambda size: numbered("```python\nimport os\nq{0} = value{0}x\n```\n", size),
    "options": lambda size: "# tool\n" + numbered("`tool --opt-{0}`: `tool --no{0}`\n", size),
    "files": lambda size: (
        numbered("src/a{}/f.py\n", size // 2) + numbered("`b{}/f.py` ", size // 2)
    ),
    "places of failures": lambda size: numbered("FAILED at `a.py:{0}`, a.py:9{0}\n", size),
    "columns": lambda size: numbered(
        "```sql\ncreate table t{0} (a int); add c{0}; select b{0} from t{0};\n```\n", size
    ),
    "routes": lambda size: (
        numbered("GET /a/{0}/b\n", size // 2) + numbered("GET /a/x{0} is it\n", size // 2)
    ),
    "calls": lambda size: "def func(a):\n```\n" + "func(a=1, " * (size // 10) + "\n```\n",
    "figures": lambda size: numbered("Item {0} takes {0}7 ms and {0}3 MB of it here.\n", size),
    "table": lambda size: numbered("| row{0} | {0} | Ready |\nThe row{0} is {0}1.\n", size),
    "quantities": lambda size: repeated("5 km is 3 m. ", size),
    "code in one sentence": lambda size: numbered("`code{}` ", size),
}


def numbered(piece: str, size: int) -> str:
    """A piece again and again, each with a number of its own."""
    return "".join(piece.format(number) for number in range(size // len(piece)))[:size]


def steps_of(work: Callable[[], object]) -> int:
    """How many lines are run, and calls of C made."""
    count = 0

    def called(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "c_call"

    def ran(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return ran

    before = sys.getprofile(), sys.gettrace()
    sys.setprofile(called)
    sys.settrace(ran)
    try:
        work()
    finally:
        sys.setprofile(before[0])
        sys.settrace(before[1])
    return count


def judged(family: str, text: str) -> Callable[[], object]:
    """One family's work on a text that is answer and context."""
    from reflection_mcp.tools.judging import _check_of  # pyright: ignore[reportPrivateUsage]

    case = Case(question="How many? Only from the context.", answer=text, context=text)
    return lambda: list(_check_of(FAMILIES[family])(case))


@pytest.mark.slow
@each_row("family", FAMILIES)
def test_the_work_of_a_family_is_bounded_by_the_text(family: str) -> None:
    check_answer("How many?", "There are 5, 1 + 1 = 2.", "5")  # imports and tables
    judged(family, "1 + 1 = 3. ")()
    for name, make in TEXTS.items():
        judged(family, make(200))()
        few = steps_of(judged(family, make(SMALL)))
        many = steps_of(judged(family, make(SMALL * TIMES)))
        assert many <= STEPS * SMALL * TIMES, name
        assert many <= max(FLOOR, MOST_GROWTH * few), name


@each_row("name", ["broken code", "wrong sums"])
def test_the_work_on_a_long_answer_has_an_end(name: str) -> None:
    text = TEXTS[name](LONG)
    check_answer("How many?", text[:200], text[:200])
    assert steps_of(lambda: check_answer("How many?", text, text)) < MOST_STEPS
