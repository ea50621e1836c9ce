"""An error that a sentence quotes is that error; a longer message is another one."""

import pytest

from reflection_mcp.store.records import Pattern
from reflection_mcp.tools.identity.comparing.quoting import told_in_passing

LOCKED = "operationalerror: database is locked"
RELATION = "relation 'audits' does not exist"
MISSING = "no matching distribution found for tensorflow-text==<version>"


def pattern(*lines: str) -> Pattern:
    return Pattern(version="sig1", lines=lines)


@pytest.mark.parametrize(
    ("sentence", "line"),
    [
        ("two cron jobs collide, sqlite3.operationalerror: database is locked. is wal it?", LOCKED),
        ("we see operationalerror: database is locked", LOCKED),
        ("we get relation 'audits' does not exist", RELATION),
        ("m2 mac, python <version>: 'no matching distribution found for "
         "tensorflow-text==<version>' :(", MISSING),
        ("pip gives no matching distribution found for tensorflow-text==<version> (mac)", MISSING),
        ("pip => no matching distribution found for tensorflow-text==<version> -- help", MISSING),
    ],
)  # fmt: skip
def test_a_sentence_that_quotes_the_line_tells_of_the_same(sentence: str, line: str) -> None:
    for lines in ((line,), (line, "a detail of it"), ("what came before", line)):
        assert told_in_passing(pattern(sentence), pattern(*lines))
        assert told_in_passing(pattern(*lines), pattern(sentence))


@pytest.mark.parametrize(
    ("sentence", "line"),
    [
        # A longer message that begins or ends with the same words.
        ("pip: no matching distribution found for tensorflow-text==<version> and keras", MISSING),
        ("we see column 'a' of relation 'audits' does not exist", RELATION),
        ("we see 'relation 'audits' does not exist in schema'", RELATION),
        # A wrapper that is an error itself.
        ("importerror: cannot load x: operationalerror: database is locked", LOCKED),
        ("operationalerror: database is locked, then keyerror: 'a'", LOCKED),
        # A label says whose message it is.
        ("[redis] connection to the primary was lost", "connection to the primary was lost"),
        ("[redis] operationalerror: database is locked", LOCKED),
        # Too little to be known again, or what many errors end in.
        ("the app says: connection refused", "connection refused"),
        ("so: error: failed to push some refs to 'x'", "error: failed to push some refs to 'x'"),
        # The cause of another failure: in front of it stands what that is about.
        ("psql: cannot reach pg.example: the pool of it is full", "the pool of it is full"),
        ("cannot load 'rates' today: the cache of shop is cold", "the cache of shop is cold"),
        ("ssh: cannot resolve bastion: name or service not known", "name or service not known"),
        # Not quoted, or nothing around it.
        ("the two cron jobs collide", LOCKED),
        (LOCKED, LOCKED),
    ],
)  # fmt: skip
def test_what_is_not_quoted_whole_and_alone_tells_of_nothing(sentence: str, line: str) -> None:
    assert not told_in_passing(pattern(sentence), pattern(line))
    assert not told_in_passing(pattern(line), pattern(sentence))


def test_a_type_or_a_file_in_front_may_be_left_out() -> None:
    typed = "kafkaexception: kafkaerror{code=unknown_topic,str='cannot produce message'}"
    assert told_in_passing(
        pattern(f"checkout is out: {typed[16:]} it is off i think"), pattern(typed)
    )
    placed = "lecture.c: erreur: 'tampon' non déclaré dans cette fonction"
    assert told_in_passing(pattern(f"pourquoi ? {placed[11:]}, dans charger"), pattern(placed))
    assert told_in_passing(pattern(f"dans lecture.c ? {placed[11:]}, oui"), pattern(placed))


@pytest.mark.parametrize(
    ("sentence", "line"),
    [
        # Another file than the one in front, or another type.
        ("dans rates.c ? erreur: 'a' non déclaré ici", "cart.c: erreur: 'a' non déclaré ici"),
        ("keyerror: cannot read the price, why", "valueerror: cannot read the price"),
        # What is in front is neither: it says whose message it is.
        ("we see: cannot read the price, why", "redis: cannot read the price"),
        # Too little is left.
        ("we see: is locked, why", LOCKED.replace("database ", "")),
    ],
)  # fmt: skip
def test_what_is_left_out_in_front_must_not_differ(sentence: str, line: str) -> None:
    assert not told_in_passing(pattern(sentence), pattern(line))


def test_a_line_that_says_no_more_than_the_quoted_one_is_not_told_in_other_words() -> None:
    stored = pattern("build.ps1 cannot be loaded as scripts are disabled", "+ build.ps1")
    assert told_in_passing(pattern(f"for build.ps1 => '{stored.lines[0]}', why"), stored)
    other = pattern("build.ps1 cannot be loaded as scripts are disabled", "+ build.ps1 rates")
    assert not told_in_passing(pattern(f"build.ps1 rates => '{stored.lines[0]}', why"), other)


def test_only_the_first_and_the_last_line_can_be_what_is_quoted() -> None:
    lines = ("what came before", LOCKED, "what came behind")
    assert not told_in_passing(pattern(f"we see {LOCKED}"), pattern(*lines))


def test_several_lines_are_no_sentence() -> None:
    assert not told_in_passing(pattern(f"we see {LOCKED}", "and more"), pattern(LOCKED))


def test_a_sentence_that_tells_another_line_in_other_words_is_another_error() -> None:
    advice = "this is most likely unintended because it can break your application"
    stored = pattern("failed to resolve import 'dayjs' from 'time.ts'", advice)
    told = f"failed to resolve import 'luxon' from 'time.ts'. {advice}"
    assert not told_in_passing(pattern(told), stored)
    assert told_in_passing(pattern(f"vite said today: {advice}"), stored)


def test_a_sentence_that_names_another_file_than_the_place_is_another_error() -> None:
    stored = Pattern(version="sig1", lines=(LOCKED,), location="cart.py:save")
    assert not told_in_passing(pattern(f"in rates.py: {LOCKED}"), stored)
    assert told_in_passing(pattern(f"in cart.py: {LOCKED}"), stored)
    assert told_in_passing(pattern(f"in the cart: {LOCKED}"), stored)
