"""Names in Python blocks that nothing defines."""

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.execution.undefined_names import check
from tests.rows import each_row

ASKED = "Write a function that reads a table."


def found(
    code: str, question: str = ASKED, context: str = "", after: str = ""
) -> list[tuple[str, str, str]]:
    answer = f"Here:\n\n```python\n{code}\n```\n{after}"
    checks = list(check(Case(question=question, answer=answer, context=context)))
    assert all(answer[one.start : one.end] == one.stated for one in checks)
    return [(one.kind.partition(":")[2], one.stated, one.severity) for one in checks]


@each_row(
    ("code", "expected"),
    [
        (
            "import os\n\ndef f(p):\n    return json.loads(os.environ[p])",
            [("import", "json", "hard")],
        ),
        ("import os\nx = np.zeros(3)\nprint(os.sep, x)", [("import", "np", "hard")]),
        ("def f(p):\n    return csv.reader(p)", [("import", "csv", "hint")]),
        ("def f(column):\n    é = 'ü'; return r[colum]", [("name", "colum", "hard")]),
        ("def f(total):\n    return toatl + total", [("name", "toatl", "hard")]),
    ],
)
def test_what_nothing_defines_is_found_in_a_whole_block(
    code: str, expected: list[tuple[str, str, str]]
) -> None:
    assert found(code) == expected


@each_row(
    "code",
    [
        "return json.loads(x)",
        "json.loads(x)",
        "from json import *\n\ndef f(colum):\n    return loads(column)",
        "import os\n\ndef f(time):\n    return time.hour + os.sep + df.shape",
        "import os\n\ndef f(items):\n    return item + os.sep",
        "import os\n\ndef f(value1):\n    return value2 + value",
        "import os\nfor json in x: json.y\nwith a as re: re.b",
        "try: ...\nexcept OSError as errno: errno.x\nimport a.b as math\nmath.pi",
        "def f(colums):\n    global csv\n    match f:\n        case [*heapq]: heapq.x\n"
        "        case {**glob}: glob.x\n        case copy: copy.x",
        "x: (",
    ],
)
def test_pieces_and_names_that_are_bound_somewhere_are_left_alone(code: str) -> None:
    assert found(code) == []


def test_what_the_question_context_or_another_block_names_is_known() -> None:
    code = "def f(p):\n    return csv.reader(p)"
    assert found(code, question="Write it with csv.") == []
    assert found(code, context="import csv") == []
    assert found(code, question="What is this?") == []
    assert found(code, after="```python\nimport csv\n```") == []
    assert found(code, after="```python\nf(\n```") == []
    assert found("import os\n" + code + "\nos.sep", after="```python\nx = 1\n```") == [
        ("import", "csv", "hard")
    ]
