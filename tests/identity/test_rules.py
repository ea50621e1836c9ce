"""Every row of every rule file proves itself; and what the reader of rule files does and refuses.

The block in the docstring of the reader is a rule file of its own here: it shows the format, so it
has to keep to it.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from reflection_mcp.tools.identity.rules import table
from reflection_mcp.tools.identity.rules.table import (
    FOLDER,
    BadRuleFile,
    RowProof,
    RuleRow,
    RuleTable,
    fold,
    gate_of,
    proved_rows,
)
from tests.hostile import beginnings, repeated
from tests.rows import each_row, sample

_SHOWN = "\n".join(re.findall(r"(?m)^    (.*)", table.__doc__ or ""))
_FILES = {path.stem: path.read_text("utf-8") for path in sorted(FOLDER.glob("*.rules"))}
_ROWS = [
    pytest.param(stem, row, proof, id=f"{stem}: {row.name}")
    for stem, text in {"the docstring": _SHOWN, **_FILES}.items()
    for row, proof in proved_rows(text)
]
every_rule = each_row(("stem", "row", "proof"), _ROWS)


def _applied(stem: str, row: RuleRow, text: str) -> str:
    """What a row alone makes of a text, its gate included."""
    alone = RuleTable(stem)
    alone.rows = (row,)
    return alone.apply(text)


@every_rule
def test_a_row_makes_of_its_examples_what_it_says_and_leaves_the_others(
    stem: str, row: RuleRow, proof: RowProof
) -> None:
    assert all(text != becomes for text, becomes in proof.becomes)
    assert [_applied(stem, row, text) for text, _ in proof.becomes] == [
        becomes for _, becomes in proof.becomes
    ]
    assert [_applied(stem, row, text) for text in proof.keeps] == [*proof.keeps]


@every_rule
def test_a_row_says_where_it_was_met(stem: str, row: RuleRow, proof: RowProof) -> None:
    assert re.search(r"\w", proof.met)


def test_names_of_rows_are_unique_in_their_file() -> None:
    names = [param.id for param in _ROWS]
    assert len(names) == len(set(names))


_ANY_SPEED = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]


@cache
def _matching(pattern: str) -> st.SearchStrategy[str]:
    return st.from_regex(re.compile(pattern))


@each_row(("stem", "row", "proof"), sample(_ROWS, 5))
@settings(max_examples=5, suppress_health_check=_ANY_SPEED)
@given(data=st.data())
def test_every_text_that_a_pattern_matches_passes_its_gate(
    stem: str, row: RuleRow, proof: RowProof, data: st.DataObject
) -> None:
    text = data.draw(_matching(row.pattern))
    assume(re.search(row.pattern, text))
    assert _passes(row.gate, text)


def _passes(gate: tuple[str, ...], text: str) -> bool:
    return not gate or any(needed in fold(text) for needed in gate)


_PARSER: Any = import_module("re._parser")
_BRANCHES: Any = (tuple, list, _PARSER.SubPattern)


def _is_repeat(item: Any) -> bool:
    return isinstance(item, tuple) and str(cast("Any", item[0])).endswith("_REPEAT")


def _unbounded(items: Any, inside: bool = False) -> Iterator[bool]:
    """Of each repeat without an end in a parsed pattern, whether it stands inside another one."""
    for item in items:
        if _is_repeat(item):
            endless = bool(item[1][1] == _PARSER.MAXREPEAT)
            if endless:
                yield inside
            yield from _unbounded(item[1][2], inside or endless)
        elif isinstance(item, _BRANCHES):
            yield from _unbounded(item, inside)


@every_rule
def test_no_pattern_repeats_without_end_what_repeats_without_end(
    stem: str, row: RuleRow, proof: RowProof
) -> None:
    assert not any(_unbounded(_PARSER.parse(row.pattern)))


@each_row(("stem", "row", "proof"), sample(_ROWS, 5))
def test_a_row_gets_through_its_own_beginnings_again_and_again(
    stem: str, row: RuleRow, proof: RowProof
) -> None:
    """A pattern whose cost explodes ends at the limit for a test in pyproject.toml."""
    for text, _ in proof.becomes:
        for piece in beginnings(text):
            pumped = repeated(piece, 16_000)
            assert isinstance(_applied(stem, row, pumped), str | None)


def test_nested_repeats_are_seen() -> None:
    assert [*_unbounded(_PARSER.parse(r"(?:a|(b+)c)*d+"))] == [False, True, False]
    assert [*_unbounded(_PARSER.parse(r"(?:a{1,9}b)*c{2}"))] == [False]


# ------------------------------------------------------------------ gates

_PATTERNS = {
    r"": (),
    r"CUDA out of memory": ("cuda out of memory",),
    r"(?:Runtime)?Error: out of": ("error: out of",),
    r"cannot (?:find|open) (?:it|that)": ("find", "open"),
    r"(?:no such table|.)": (),
    r"[Cc]ode (?:ab)+cd": ("ode ",),
    r"x(?:ab){0,3}yz": ("yz",),
    r"a\bb$": ("ab",),
    r"w(?!no)ord(?=ing)": ("word",),
    r"(?<=behind )it": ("behind ",),
    r"(?i)Caf\u00e9 (?-i:\u00c9t\u00e9)": ("caf",),
    r"error: .*pip": ("pip",),
}


@each_row(("pattern", "gate"), _PATTERNS.items())
def test_a_gate_is_what_a_match_cannot_do_without(pattern: str, gate: tuple[str, ...]) -> None:
    assert gate_of(pattern) == gate


_PIECES = st.sampled_from(
    [
        "ab", "Error", "cannot ", "[Ee]", "[0-9]", r"\d+", "(?:no|not)", "(?:x|1)", "(y)?", "z{2}",
        "(?:q1)*", "(?i:SK)", "(?-i:i)", r"\b", "^", "$", ".", "[^k]", "(?=s)", "(?!t)", r"\w*?",
        "(?:a{2,3}b)+", "\u00e9", "\u0130", "\u03c3", "(?<=b)", "[i\u0131]", "(?:ab|a.|a1)",
    ]
)  # fmt: skip


@settings(suppress_health_check=_ANY_SPEED)
@given(st.booleans(), st.lists(_PIECES, min_size=1, max_size=6).map("".join), st.data())
def test_a_gate_holds_no_match_back(ignores_case: bool, pieces: str, data: st.DataObject) -> None:
    pattern = f"(?i){pieces}" if ignores_case else pieces
    text = data.draw(st.from_regex(re.compile(pattern)))
    assume(re.search(pattern, text))
    assert _passes(gate_of(pattern), text)


@example("\u0131")
@given(st.characters())
def test_whatever_matches_a_small_letter_regardless_of_case_folds_to_it(sign: str) -> None:
    for letter in "abcdefghijklmnopqrstuvwxyz":
        assert not re.match(f"(?i){letter}", sign) or fold(sign) == letter


# ------------------------------------------------------------------ the table

_FILE = """\
# two rows, of which the second reads what the first writes
@@ driver
met: GCC 12
pattern: \\bg\\+\\+:
         [ ]
replace: compiler says{space}
from: g++: no input
to: compiler says no input
from:
   |at
   |  g++: x
to: at
   |  compiler says x
keeps: clang: no input

@@ compiler
met: GCC 12
met: clang 15

# why this row stands behind the other
pattern: compiler says no
replace: COMPILER SAYS NO
from: compiler says no input
to: COMPILER SAYS NO input
keeps: compiler says yes
""".replace("{space}", " ")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "words.rules").write_text(_FILE, "utf-8")
    return tmp_path


def test_a_value_of_several_lines_is_read_as_it_stands_behind_the_bars() -> None:
    (row, proof), _ = proved_rows(_FILE)
    assert row == RuleRow("driver", r"\bg\+\+:[ ]", "compiler says ", ("g++: ",))
    assert proof.becomes == (
        ("g++: no input", "compiler says no input"),
        ("at\n  g++: x", "at\n  compiler says x"),
    )
    assert proof.keeps == ("clang: no input",)


def test_all_places_where_a_row_was_met_are_kept() -> None:
    assert proved_rows(_FILE)[1][1].met == "GCC 12; clang 15"


def test_a_row_is_asked_of_what_the_rows_before_it_wrote(folder: Path) -> None:
    words = RuleTable("words", folder)
    assert words.apply("g++: no input") == "COMPILER SAYS NO input"
    assert words.apply("compiler says no, g++: no") == "COMPILER SAYS NO, COMPILER SAYS NO"
    assert words.apply("nothing of it") == "nothing of it"


def test_a_gate_that_is_open_does_not_mean_that_a_row_applies(folder: Path) -> None:
    assert RuleTable("words", folder).apply("xg++: no") == "xg++: no"


_COMPLETE = "@@ a\nmet: x\npattern: b\nreplace: c\nfrom: b\nto: c\nkeeps: d\n"


@each_row(
    "block",
    [
        *(_COMPLETE.replace(line, "") for line in _COMPLETE.splitlines(keepends=True)[1:]),
        _COMPLETE + "from: b\n",
        _COMPLETE + "pattern: c\n",
        _COMPLETE + "kind: a\n",
        _COMPLETE + "needs: b\n",
        "@@ a\n",
        _COMPLETE + "a line of nothing\n",
    ],
)
def test_a_block_that_says_too_little_or_something_twice_is_refused(block: str) -> None:
    assert proved_rows(_COMPLETE)
    with pytest.raises(BadRuleFile):
        proved_rows(block)


def test_nothing_is_read_before_a_table_is_asked(tmp_path: Path) -> None:
    missing = RuleTable("missing", folder=tmp_path)
    with pytest.raises(FileNotFoundError):
        missing.apply("")
