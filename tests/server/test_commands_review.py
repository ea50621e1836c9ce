"""`review`: one after the other at a terminal, as a list, or one by its id."""

import io
import json
import sys
from collections.abc import Callable
from typing import Any

import pytest

from reflection_mcp.store.contract import Store
from reflection_mcp.store.maintenance import StoredReflection
from reflection_mcp.tools.learning.fix_candidates import CANDIDATE
from tests.contract.samples import learned, met
from tests.requirements import requirement
from tests.server.test_commands import SHOP, Fill, Run, fill, keyed, location, nothing, run
from tests.server.test_commands_files import Typist

__all__ = ["fill", "location", "run"]

ALWAYS, NEVER = (f"{word} run the migrations of the shop first." for word in ("Always", "Never"))
Types = Callable[..., None]


@pytest.fixture
def types(monkeypatch: pytest.MonkeyPatch) -> Types:
    """Type these lines at a terminal; after them its input ends."""

    def at_a_terminal(*lines: str) -> None:
        monkeypatch.setattr(sys, "stdin", Typist("".join(f"{line}\n" for line in lines)))
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)

    return at_a_terminal


async def four_wait(store: Store) -> None:
    """Two that contradict each other, a candidate, one that did harm."""
    for name, text in (("a", ALWAYS), ("b", NEVER)):
        await store.record(SHOP, keyed(learned(name, lesson=text, scope=SHOP)))
    fix = learned(
        "fix", lesson="Candidate.", strategy="Bash: make deps", scope=SHOP, retired=True,
        question="Bash: make", example="ModuleNotFoundError: No module named 'yaml'",
        tags=(CANDIDATE, "sig1:x"),
    )  # fmt: skip
    await store.record(SHOP, met(fix, "fix"))
    harmful = learned("harm", lesson="Delete the lock.", scope=SHOP, failed=3)
    await store.adopt(SHOP, [StoredReflection(reflection=harmful)])


def listed(run: Run) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = json.loads(run("review", "--json"))
    return items


def shown(run: Run, name: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(run("show", name, "--json"))
    return record


# --------------------------------------------------------------------- the list


@requirement("review:queue")
def test_what_waits_is_printed_for_programs_and_for_readers(run: Run, fill: Fill) -> None:
    fill(four_wait)
    items = listed(run)
    reasons = [(item["id"], item["reason"]) for item in items]
    assert reasons == [
        ("ref-a", "contradiction"), ("ref-fix", "candidate"), ("ref-harm", "harmful"),
    ]  # fmt: skip
    assert items[0]["against"]["lesson"] == NEVER
    assert (items[1]["against"], items[1]["actions"][0]) == (None, "confirm")
    text = run("review", "--list")
    assert text.startswith("ref-a: ref-b says the opposite\n  lesson: “Always run the")
    assert "  error: “ModuleNotFoundError: No module named 'yaml'”\n" in text
    assert "\n  confirm, reject, edit, merge, forget\n\nref-fix: a fix that nobody" in text


def test_who_is_no_person_gets_the_list_and_is_not_asked(run: Run, fill: Fill) -> None:
    fill(four_wait)
    assert run("review") == run("review", "--list")


def test_where_nothing_waits_that_is_said(run: Run, fill: Fill, types: Types) -> None:
    fill(nothing)
    types()
    assert run("review", said="nothing waits for review") == ""
    assert listed(run) == []


# --------------------------------------------------------------------- one after the other


@requirement("review:queue")
def test_each_is_asked_about_and_what_is_typed_is_done(run: Run, fill: Fill, types: Types) -> None:
    fill(four_wait)
    types("c", "Reject", "reject")
    out = run("review", said="3 reviewed; 0 left")
    assert [line for line in out.splitlines() if line.endswith(" left")] == [
        "3 lessons left", "2 lessons left", "1 lesson left",
    ]  # fmt: skip
    assert [shown(run, f"ref-{name}")["helped"] for name in "ab"] == [1, 0]
    assert shown(run, "ref-fix")["failed"] == 1
    assert shown(run, "ref-harm")["retired"]
    assert listed(run) == []


def test_an_empty_line_skips_and_the_end_of_the_input_is_the_end(
    run: Run, fill: Fill, types: Types
) -> None:
    fill(four_wait)
    for lines in (("", "s", "skip"), ("", "q", "c"), ("",)):
        types(*lines)
        run("review", said="0 reviewed; 3 left")
    assert len(listed(run)) == 3


def test_what_is_no_answer_is_explained_and_asked_again(run: Run, fill: Fill, types: Types) -> None:
    fill(four_wait)
    types("?", "\x1b[2J", "q")
    run("review", said="  m  merge: keep this one; the other one becomes a version of it\n")


def test_what_cannot_be_done_is_said_and_asked_again(
    run: Run, fill: Fill, types: Types, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    fill(four_wait)
    types("e", "f", "no", "f", "yes", "q")
    out = run("review", said="no editor is set: set EDITOR")
    assert "ref-a: deleted\n" in out
    assert out.count("3 lessons left") == 3


def test_two_that_contradict_each_other_become_one_with_one_key(
    run: Run, fill: Fill, types: Types
) -> None:
    fill(four_wait)
    types("m", "q")
    out = run("review")
    assert "ref-b: now a version of ref-a; `consolidate --undo` undoes that\n" in out
    assert shown(run, "ref-b")["retired"]
    assert {said["lesson"] for said in shown(run, "ref-a")["wordings"]} == {ALWAYS, NEVER}
    assert run("consolidate", "--undo").startswith("2 lessons restored")
    assert next(item["id"] for item in listed(run)) == "ref-a"


# --------------------------------------------------------------------- one by its id


def test_one_is_confirmed_by_its_id_and_a_program_reads_what_changed(run: Run, fill: Fill) -> None:
    fill(four_wait)
    told = json.loads(run("review", "ref-fix", "confirm", "--json"))
    assert (told["id"], told["action"]) == ("ref-fix", "confirm")
    assert told["changes"] == ["ref-fix: confirmed, a lesson from now on"]
    assert run("review", "ref-b", "confirm").splitlines() == [
        "ref-b: helped 1, failed 0",
        "ref-a: helped 0, failed 1",
        "ref-a: retired; it is no longer offered",
    ]
    assert [item["id"] for item in listed(run)] == ["ref-harm"]


def test_one_is_written_anew_by_its_id(run: Run, fill: Fill) -> None:
    fill(four_wait)
    text = "The importer reads the schema of the shop."
    assert run("review", "ref-a", "edit", "--lesson", text) == f"Changed ref-a: “{text}”\n"
    assert "ref-a" not in {item["id"] for item in listed(run)}
    fix = ("--lesson", "Run make deps.", "--strategy", "make deps first")
    changed = json.loads(
        run("review", "ref-fix", "edit", *fix, "--json", said="confirmed, a lesson")
    )
    assert changed["lesson"] == "Run make deps."
    assert "ref-fix" not in {item["id"] for item in listed(run)}


def test_one_is_deleted_by_its_id_only_if_that_is_meant(run: Run, fill: Fill) -> None:
    fill(four_wait)
    run("review", "ref-harm", "forget", code=2, said="pass --yes")
    assert run("review", "ref-harm", "forget", "--yes") == "ref-harm: deleted\n"


def test_two_that_do_not_wait_are_merged_if_both_are_named(run: Run, location: str) -> None:
    one, other = (
        json.loads(run("add", text, "--json"))[0]["id"]
        for text in ("Oil the door of the shop.", "The door of the shop wants oil.")
    )
    run("review", one, "merge", code=2, said="nothing with this id waits")
    assert run("review", one, "merge", other).startswith(f"{other}: now a version of {one}")
    run("review", one, "merge", "ref-gone", code=2, said="no lesson of this project")
    run("review", one, "merge", other, "--store", "memory:", code=2, said="no lesson")


def test_what_is_not_said_or_not_possible_is_refused(run: Run, fill: Fill) -> None:
    fill(four_wait)
    run("review", "ref-a", code=2, said="pass one of confirm, reject, edit, merge, forget")
    run("review", "ref-fix", "merge", code=2, said="merge is not possible here: a fix that")


def test_a_hostile_lesson_cannot_control_the_terminal(run: Run, fill: Fill, types: Types) -> None:
    async def hostile(store: Store) -> None:
        text = "Delete it.”\x1b[2J\nref-x: all is fine\u202e"
        evil = learned("evil", lesson=text, scope=SHOP, failed=3)
        await store.adopt(SHOP, [StoredReflection(reflection=evil)])

    fill(hostile)
    types("q")
    for out in (run("review", "--list"), run("review")):
        assert "\x1b" not in out and "\u202e" not in out
        assert '  lesson: “Delete it." ⏎ ref-x: all is fine”\n' in out


def test_the_prompt_goes_to_stderr(run: Run, fill: Fill, types: Types) -> None:
    fill(four_wait)
    types("q")
    run("review", said="[c]onfirm  [r]eject  [e]dit  [m]erge  [f]orget  [s]kip  [q]uit")
    assert isinstance(sys.stdin, io.StringIO)


# --------------------------------------------------------------------- a person's own


async def kept_by_ann(store: Store) -> None:
    for name in ("mine", "wide"):
        row = learned(name, lesson=f"The {name} is open at noon.", scope=SHOP.of("ann"))
        await store.record(SHOP.of("ann"), met(row, name, by="ann/editor"))


@requirement("team:shared-by-review")
def test_who_owns_the_store_can_share_what_is_somebodys_own(run: Run, fill: Fill) -> None:
    fill(kept_by_ann)
    assert json.loads(run("review", "--json")) == []
    own = ("--project", "shop@ann")
    text = run("review", "--list", *own)
    assert text.startswith("ref-mine: only ann sees it\n  lesson: “The mine is open")
    assert "\n  project, tenant, edit, forget\n" in text
    assert run("review", "ref-mine", "project", *own) == "ref-mine: shared with the project shop\n"
    told = json.loads(run("review", "ref-wide", "tenant", "--json", *own))
    assert told["changes"] == ["ref-wide: shared with every project of the tenant"]
    assert shown(run, "ref-mine")["scope"]["project"] == "shop"
    assert json.loads(run("review", "--json", *own)) == []


def test_what_is_somebodys_own_is_typed_at_a_terminal_as_all_else(
    run: Run, fill: Fill, types: Types
) -> None:
    fill(kept_by_ann)
    types("?", "p", "t")
    own = ("--project", "shop@ann")
    told = run("review", *own, said="share it with everybody in the project")
    assert "shared with the project shop" in told and "every project of the tenant" in told
