"""Which differences part two errors, and what they are called."""

from itertools import pairwise, permutations

import pytest

from reflection_mcp.store.records import Pattern
from reflection_mcp.tools.identity import Difference, fingerprint
from reflection_mcp.tools.identity.comparing.likeness import Likeness, overlap
from reflection_mcp.tools.identity.comparing.line_difference import compare_lines, plainly_apart
from tests.identity.families import read

PLACE = '  File "/app/{file}", line 3, in {function}\n    {code}\n'


def pattern(text: str) -> Pattern:
    return fingerprint(text).pattern


SAME = {
    "another masked value": ("cannot reach <id> now at all", "cannot reach 1f2e3d4c5b now at all"),
    "a word that decorates": (
        "API error: server is overloaded badly", "error: the server is overloaded badly",
    ),
    "what a reporter puts in front": (
        "ClientError: secret orders was not found here", "secret orders was not found here",
    ),
    "a remark in brackets": (
        "torch was not installed (from cache) by anybody", "torch was not installed by anybody",
    ),
    "a remark in brackets at the end": (
        "server said overloaded twice (overloaded_kind)", "server said overloaded twice",
    ),
    "a sentence more": (
        "quota of shop is exhausted", "quota of shop is exhausted. Check plan and billing details",
    ),
    "a line that was cut off": (
        "cannot save order because customer address...",
        "cannot save order because customer address is empty",
    ),
    "another wrapping of the same words": (
        "error: the long sentence\n  goes on here", "error: the long\n  sentence goes on here",
    ),
    "a name here, an address there": (
        "dial of server 10.0.0.1 was refused twice", "dial of server db was refused twice",
    ),
    "lines that one side was not given": (
        "error: cannot save order\nerror: disk has no room\nerror: giving up now",
        "error: cannot save order\nerror: disk has no room",
    ),
    "one line for all": (
        "error: cannot save order\nerror: disk has no room",
        "error: cannot save order error: disk has no room now",
    ),
    "two reporters, of which one adds a type": (
        "psql: permission denied for relation orders",
        "OperationalError: permission denied for relation orders",
    ),
    "a prefix that says what was not done": (
        "could not sync: relation orders has wrong owner today",
        "relation orders has wrong owner today",
    ),
    "an exception and the one around it": (
        "SSLCertError: certificate verify failed today",
        "SSLError: pool said (caused by SSLCertError: certificate verify failed today)",
    ),
    "a type without its message at the same place": (
        PLACE.format(file="a.py", function="run", code="f()") + "AssertionError",
        PLACE.format(file="a.py", function="run", code="f()") + "AssertionError: total is wrong",
    ),
    "a port that only one source line shows": (
        PLACE.format(file="a.py", function="run", code="dial(5432)") + "OSError: it was refused",
        PLACE.format(file="a.py", function="run", code="dial(port)") + "OSError: it was refused",
    ),
    "a test whose file only one side shows": (
        "def test_a():\nE   KeyError: 'total'",
        "def test_a():\nE   KeyError: 'total'\ntests/test_x.py:3: KeyError",
    ),
    "a note that only one side has": (
        "error: bad order here\nhint: use 'reset' first", "error: bad order here",
    ),
    "notes of which one says more": (
        "error: bad order here\nhint: use 'reset' first of all",
        "error: bad order here\nhint: use 'reset' first of all the things",
    ),
    "notes that say quite different things": (
        "error: bad order here\nhint: use 'reset' first",
        "error: bad order here\nhint: make sure that 'cart' and 'user' fit",
    ),
}  # fmt: skip

OTHER: dict[str, tuple[str, str, Difference]] = {
    "another module": (
        "ModuleNotFoundError: No module named 'yaml'",
        "ModuleNotFoundError: No module named 'requests'",
        Difference(kind="module", here="yaml", there="requests"),
    ),
    "another type": (
        "KeyError: total of order", "ValueError: total of order",
        Difference(kind="exception type", here="keyerror", there="valueerror"),
    ),
    "another place": (
        PLACE.format(file="a.py", function="run", code="f()") + "OSError: it was refused",
        PLACE.format(file="b.py", function="run", code="f()") + "OSError: it was refused",
        Difference(kind="location", here="a.py:run", there="b.py:run"),
    ),
    "another file in front": (
        "cart.cfg: relation orders has wrong owner", "user.cfg: relation orders has wrong owner",
        Difference(kind="file", here="cart.cfg", there="user.cfg"),
    ),
    "two types in front of each other's reporter": (
        "KeyError: psql: relation orders has wrong owner",
        "OSError: mysql: relation orders has wrong owner",
        Difference(kind="exception type", here="keyerror", there="oserror"),
    ),
    "another port in the source line": (
        PLACE.format(file="a.py", function="run", code="dial(5432)") + "OSError: it was refused",
        PLACE.format(file="a.py", function="run", code="dial(6379)") + "OSError: it was refused",
        Difference(kind="port", here="5432", there="6379"),
    ),
    "another port": (
        "cannot reach db on port 5432 today", "cannot reach db on port 6379 today",
        Difference(kind="port", here="5432", there="6379"),
    ),
    "another key": (
        "KeyError: 'total'", "KeyError: 'price'",
        Difference(kind="key", here="total", there="price"),
    ),
    "another code": (
        "backup ended, exit code 2 of tar", "backup ended, exit code 3 of tar",
        Difference(kind="code", here="2", there="3"),
    ),
    "another file": (
        "cannot open cart.json for reading", "cannot open user.json for reading",
        Difference(kind="file", here="cart.json", there="user.json"),
    ),
    "another host": (
        "could not resolve host: db.shop.internal now",
        "could not resolve host: mq.shop.internal now",
        Difference(kind="host", here="db.shop.internal", there="mq.shop.internal"),
    ),
    "another sign": (
        "syntax error: unexpected ), want a name", "syntax error: unexpected }, want a name",
        Difference(kind="sign", here=")", there="}"),
    ),
    "another column, in German": (
        "die Spalte 'preis' existiert nicht", "die Spalte 'menge' existiert nicht",
        Difference(kind="name", here="preis", there="menge"),
    ),
    "another test of the same name": (
        "FAILED tests/a.py::TestCart::test_a - KeyError: 'x'",
        "FAILED tests/a.py::TestUser::test_a - KeyError: 'x'",
        Difference(kind="location", here="a.py:testcart.test_a", there="a.py:testuser.test_a"),
    ),
    "a negation more": (
        "the file must be a folder of yours", "the file must not be a folder of yours",
        Difference(kind="wording", here="", there="not"),
    ),
    "a word more in the middle": (
        "cannot load cold plugin of shop", "cannot load plugin of shop",
        Difference(kind="wording", here="cold", there=""),
    ),
    "whose message it is": (
        "[redis] cannot reach cold storage today", "cannot reach cold storage today",
        Difference(kind="wording", here="redis", there=""),
    ),
    "what it all comes to": (
        "permission denied", "cannot open cart: permission denied",
        Difference(
            kind="wording", here="permission denied", there="cannot open cart permission denied"
        ),
    ),
    "more on both sides": (
        "shop said: order was not placed today",
        "order was not placed today: cart of ann is empty",
        Difference(kind="wording", here="shop said", there=""),
    ),
    "another note": (
        "error: bad order here\nhint: use 'reset' first",
        "error: bad order here\nhint: use 'clear' first",
        Difference(kind="wording", here="reset", there="clear"),
    ),
    "another suggestion": (
        "unknown command 'instal', did you mean 'install'",
        "unknown command 'instal', did you mean 'list'",
        Difference(kind="wording", here="install", there="list"),
    ),
    "the first and the last line": (
        "error: one thing\nerror: cannot save order\nerror: last thing", "error: cannot save order",
        Difference(kind="wording", here="error one thing", there=""),
    ),
    "two lines of two errors": (
        "error: cannot save order of ann\nerror: disk has room",
        "error: cannot save order of ann\nerror: mouse ran away",
        Difference(kind="wording", here="error disk has room", there="error mouse ran away"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("here", "there"), SAME.values(), ids=SAME)
def test_a_difference_without_meaning_parts_nothing(here: str, there: str) -> None:
    for one, other in ((here, there), (there, here)):
        found = Likeness(pattern(one), pattern(other))
        assert found.same, found.differences
        assert found.differences == ()


@pytest.mark.parametrize(("here", "there", "difference"), OTHER.values(), ids=OTHER)
def test_a_difference_with_meaning_is_named(here: str, there: str, difference: Difference) -> None:
    found = Likeness(pattern(here), pattern(there))
    assert not found.same
    assert found.differences[0] == difference
    assert not Likeness(pattern(there), pattern(here)).same


def test_what_was_expected_is_not_exchanged_for_what_was_met() -> None:
    here = pattern("expected '5.0' to be '\u20ac5' in total")
    there = pattern("expected '\u20ac5' to be '5.0' in total")
    for found in (Likeness(here, there), Likeness(there, here)):
        assert not found.same
        assert {one.kind for one in found.differences} <= {"sign", "order"}


def test_an_error_is_like_itself() -> None:
    for here, _ in SAME.values():
        assert Likeness(pattern(here), pattern(here)).same


def test_a_line_held_by_a_long_one_is_its_counterpart() -> None:
    long = "ClientError: while the shop was closing for the night we saw: cannot save orders today"
    assert Likeness(pattern("cannot save orders today"), pattern(long)).same
    assert not Likeness(pattern("save"), pattern(long)).same


def test_what_is_no_exception_is_no_bare_type() -> None:
    here = PLACE.format(file="a.py", function="run", code="f()") + "AssertionError"
    there = (
        PLACE.format(file="a.py", function="stop", code="f()") + "AssertionError: total is wrong"
    )
    assert not Likeness(pattern(here), pattern(there)).same
    assert not Likeness(pattern("AssertionError"), pattern("AssertionError: total is wrong")).same


def test_the_overlap_with_nothing_is_nothing() -> None:
    assert overlap([], ["a"]) == overlap(["a"], []) == 0.0
    assert overlap(["a", "b"], ["b", "c"]) == 0.5


def test_a_difference_reads_aloud() -> None:
    assert str(Difference(kind="module", here="yaml", there="requests")) == (
        "module: “yaml” here, “requests” there"
    )
    assert str(Difference(kind="wording", here="", there="not")) == (
        "wording: nothing here, “not” there"
    )


FORGIVEN = {
    "a word of its own on one side only": ("order of ann was lost", "order was lost"),
    "a type on one side, a reporter on the other": (
        "keyerror: relation orders has no owner", "psql: relation orders has no owner",
    ),
    "a host on one side, an address on the other": (
        "dial of server db was refused", "dial of server <ip> was refused quickly",
    ),
    "a line that was cut off": ("order was lost by <cut>", "order was lost during lunch"),
    "names of files": ("a.py order was lost", "b.py order was lost"),
    "a line without a word": ("", "order was lost"),
}  # fmt: skip


@pytest.mark.parametrize(("here", "there"), FORGIVEN.values(), ids=FORGIVEN)
def test_lines_are_not_plainly_apart_where_a_difference_may_be_forgiven(
    here: str, there: str
) -> None:
    assert not plainly_apart(here, there)
    assert not plainly_apart(there, here)


def test_lines_are_plainly_apart_only_where_an_alignment_parts_them() -> None:
    lines = sorted(
        {
            line
            for family in read("families.txt")
            for text in (family.stored, *family.same.values(), *family.other.values())
            for line in pattern(text).lines
        }
    )
    apart = 0
    for here, there in [*permutations(lines[::4], 2), *pairwise(lines)]:
        if plainly_apart(here, there):
            apart += 1
            found = compare_lines(here, there)
            sides = [gap.here for gap in found.additions], [gap.there for gap in found.additions]
            assert found.differences or all(map(any, sides)), (here, there)
    assert apart > 1000
