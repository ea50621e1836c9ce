"""From what the store found to the answer."""

from dataclasses import replace
from datetime import UTC, datetime

from reflection_mcp.store.records import Hit, Key, Reflection, Scope
from reflection_mcp.tools.identity import (
    Fingerprint,
    fingerprint,
    recognise_by_keys,
    recognise_by_likeness,
)
from reflection_mcp.tools.identity.compare.errors import are_one
from tests.bench.identity_index import ShippedIndex

WHEN = datetime(2026, 1, 1, tzinfo=UTC)
TRACEBACK = 'Traceback (most recent call last):\n  File "/app/a.py", line 3, in run\n    f()\n'


def stored(text: str, name: str = "r1", error_type: str | None = None) -> Reflection:
    seen = fingerprint(text, error_type)
    return Reflection(
        id=name,
        scope=Scope(),
        kind="reflection",
        signature=seen.signature,
        lesson="a lesson",
        first_seen=WHEN,
        last_seen=WHEN,
        pattern=seen.pattern,
    )


def hits(seen: Fingerprint, text: str, error_type: str | None = None) -> list[Hit]:
    """What a store with this one text answers."""
    known = fingerprint(text, error_type)
    mine = {key.digest for key in seen.keys}
    return [
        Hit(key=key, reflection=stored(text, error_type=error_type))
        for key in reversed(known.keys)
        if key.digest in mine
    ]


def answer(
    text: str, known: str, error_type: str | None = None, known_type: str | None = None
) -> str:
    seen = fingerprint(text, error_type)
    found = recognise_by_keys(seen, hits(seen, known, known_type))
    return (found or recognise_by_likeness(seen, [stored(known, error_type=known_type)])).verdict


def test_the_same_text_is_exact() -> None:
    seen = fingerprint("KeyError: 'a'")
    found = recognise_by_keys(seen, hits(seen, "keyerror:  'A'"))
    assert found is not None
    assert (found.verdict, found.why) == ("exact", "the same text")
    assert found.match is not None
    assert found.match.id == "r1"
    assert found.similar == ()


def test_the_same_message_at_the_same_place_is_exact() -> None:
    seen = fingerprint(TRACEBACK + "KeyError: 'a'")
    found = recognise_by_keys(
        seen, hits(seen, TRACEBACK.replace("line 3", "line 9") + "KeyError: 'a'")
    )
    assert found is not None
    assert (found.verdict, found.why) == ("exact", "the same message at the same place")


def test_of_several_with_the_same_message_the_nearest_text_is_taken() -> None:
    text, other = (f"job {name} started\nlost connection to peer" for name in ("mail", "backup"))
    seen = fingerprint(text)
    rows = [replace(stored(each, each), example=each) for each in (other, text)]
    for key in seen.keys[1:3]:
        found = recognise_by_keys(seen, [Hit(key=key, reflection=row) for row in rows])
        assert found is not None
        assert found.match == rows[1], key.kind


def test_the_same_message_without_a_place_is_the_same() -> None:
    seen = fingerprint("KeyError: 'a'")
    found = recognise_by_keys(seen, hits(seen, TRACEBACK + "KeyError: 'a'"))
    assert found is not None
    assert (found.verdict, found.why) == ("same", "the same message")


def test_a_shared_line_is_the_same_when_nothing_speaks_against_it() -> None:
    seen = fingerprint("error: cannot save order\nfatal: disk has no room left")
    found = recognise_by_keys(seen, hits(seen, "fatal: disk has no room left"))
    assert found is not None
    assert (found.verdict, found.why) == ("same", "it shares the line that says what failed")


def test_the_same_message_at_another_place_is_similar() -> None:
    text = TRACEBACK + "KeyError: 'a'"
    assert answer(text, text.replace("a.py", "b.py")) == "similar"


def test_notes_part_what_is_otherwise_equal() -> None:
    text = "error: bad order here\nhint: use 'reset' first"
    assert answer(text, text.replace("reset", "clear")) == "similar"


def test_a_hit_of_an_unknown_kind_proves_nothing() -> None:
    seen = fingerprint("KeyError: 'a'")
    hit = Hit(key=Key(kind="sketch", digest="0" * 16), reflection=stored("KeyError: 'a'"))
    assert recognise_by_keys(seen, [hit]) is None


def test_a_stored_row_without_a_pattern_is_found_by_its_key_alone() -> None:
    seen = fingerprint("KeyError: 'a'")
    row = replace(stored("KeyError: 'a'"), pattern=None)
    by_kind = {key.kind: key for key in seen.keys}
    located = recognise_by_keys(seen, [Hit(key=by_kind["located"], reflection=row)])
    assert located is not None
    assert located.verdict == "exact"
    assert recognise_by_keys(seen, [Hit(key=by_kind["verdict"], reflection=row)]) is None
    assert recognise_by_likeness(seen, [row]).verdict == "new"


def test_a_pair_that_was_parted_never_matches_again() -> None:
    text = "KeyError: 'a'"
    seen = fingerprint(text)
    parted = frozenset({"r1"})
    assert recognise_by_keys(seen, hits(seen, text), parted) is None
    assert recognise_by_likeness(seen, [stored(text)], parted).verdict == "new"
    assert recognise_by_likeness(seen, [stored(text), stored(text, "r2")], parted).match == (
        stored(text, "r2")
    )


def test_a_look_alike_is_similar_and_says_what_differs() -> None:
    seen = fingerprint("ModuleNotFoundError: No module named 'yaml'")
    shortlist = [
        stored(f"ModuleNotFoundError: No module named '{name}'", name)
        for name in ("requests", "numpy", "torch", "flask")
    ]
    found = recognise_by_likeness(seen, [*shortlist, stored("disk is full")])
    assert (found.verdict, found.match) == ("similar", None)
    assert [similar.reflection.id for similar in found.similar] == ["requests", "numpy", "torch"]
    assert str(found.similar[0].differences[0]) == "module: “yaml” here, “requests” there"


def test_what_shares_too_little_is_new() -> None:
    found = recognise_by_likeness(fingerprint("disk is full"), [stored("KeyError: 'a'")])
    assert (found.verdict, found.match, found.similar) == ("new", None, ())


def test_a_meaningless_text_is_new_with_the_reason() -> None:
    for text in ("", "  \n", "12345", "...", "}"):
        seen = fingerprint(text)
        assert seen.unusable
        found = recognise_by_keys(seen, [])
        assert found is not None
        assert (found.verdict, found.why) == ("new", seen.unusable)
        assert recognise_by_likeness(seen, [stored("KeyError: 'a'")]).why == seen.unusable


def test_a_type_that_only_the_caller_names_parts_two_errors() -> None:
    text = "the order could not be placed"
    assert answer(text, text, "KeyError", "key_error ") == "exact"
    assert answer(text, text, "KeyError", "TypeError") == "similar"
    assert answer(text, text, None, "TypeError") == "same"
    assert answer(text, text, "TypeError", None) == "same"


def test_a_type_that_the_text_denies_parts_two_errors() -> None:
    assert answer("KeyError: 'a'", "KeyError: 'a'", "TypeError", None) == "similar"


def test_a_pattern_of_older_rules_is_still_recognised_by_likeness() -> None:
    text = "error: cannot save order of shop\nerror: disk has no room"
    older = stored(text)
    assert older.pattern is not None
    row = replace(older, pattern=replace(older.pattern, version="sig0"), example=text)
    assert recognise_by_likeness(fingerprint(text), [row]).match == row
    without = replace(row, example="")
    assert recognise_by_likeness(fingerprint(text), [without]).verdict == "new"


def test_a_key_that_a_confirmed_match_added_finds_its_row() -> None:
    row = stored("the order was not placed")
    seen = fingerprint("the cart could not be bought")
    assert recognise_by_likeness(seen, [row]).match is None
    by_kind = {key.kind: key for key in seen.keys}
    levels = {"strict": "exact", "located": "exact", "verdict": "same"}
    for kind, level in levels.items():
        found = recognise_by_keys(seen, [Hit(key=by_kind[kind], reflection=row)])
        assert found is not None
        assert (found.verdict, found.match) == (level, row)
    assert recognise_by_keys(seen, [Hit(key=by_kind["line"], reflection=row)]) is None


def test_an_error_that_a_sentence_quotes_is_the_same_and_the_reason_says_so() -> None:
    known = stored("sqlite3.OperationalError: database is locked")
    quoting = "the two cron jobs collide, sqlite3.OperationalError: database is locked. is WAL it?"
    quoted = recognise_by_likeness(fingerprint(quoting), [known])
    assert (quoted.verdict, quoted.why) == (
        "same",
        "the one message holds the other, or differs from it in values and small words",
    )


def test_the_same_failure_elsewhere_is_similar_and_shows_both_places_first() -> None:
    text = TRACEBACK + "KeyError: 'customer_id'"
    other = stored(text.replace("a.py", "b.py").replace("run", "load"), "elsewhere")
    alike = stored(text.replace("customer_id", "product_id"), "alike")
    found = recognise_by_likeness(fingerprint(text), [alike, other])
    assert (found.verdict, found.why) == ("similar", "the same failure in another place")
    first, second = found.similar
    assert first.reflection.id == "elsewhere"
    assert first.elsewhere is not None
    assert (first.elsewhere.here, first.elsewhere.there) == ("a.py:run", "b.py:load")
    assert second.elsewhere is None


def test_what_is_alike_in_several_places_is_told_once_for_each() -> None:
    text = "sqlite3.OperationalError: database table 'orders' is locked by the importer"
    seen = fingerprint(text)
    other = "KeyError: 'of something else'"
    ann, bank, none = (Scope(project=name) for name in ("shop@ann", "bank", "none"))
    rows = [
        stored(text, "here"),
        stored(text, "again"),
        replace(stored(text, "parted"), scope=ann),
        replace(stored(text, "mine"), scope=ann),
        replace(stored(other, "unlike"), scope=bank),
        replace(stored(text, "bank"), scope=bank),
        replace(stored(text, "unread"), scope=none, pattern=None, example=""),
    ]
    found = recognise_by_likeness(seen, rows, frozenset({"parted"}))
    assert found.match is not None
    assert [row.id for row in (found.match, *found.beside)] == ["here", "mine", "bank"]


def test_even_the_same_text_is_asked_about_if_it_says_only_that_something_failed() -> None:
    index = ShippedIndex()
    index.add("first", "Segmentation fault (core dumped)")
    found = index.recognise("Segmentation fault (core dumped)")
    assert (found.verdict, found.match) == ("similar", None)
    assert [like.close for like in found.similar] == [True]


def test_texts_of_which_nothing_is_left_are_no_error_that_two_met() -> None:
    nothing = fingerprint("").pattern
    assert not are_one(nothing, nothing)
