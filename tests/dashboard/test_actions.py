"""What a person can do from a page, and what is refused with a reason."""

import re
from ast import literal_eval
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from urllib.parse import quote

import pytest

from reflection_mcp.server.dashboard import deeds, views
from reflection_mcp.server.dashboard.actions import MOST_AT_ONCE
from reflection_mcp.server.dashboard.deeds import KEPT, MOST, Deed, Deeds, before
from reflection_mcp.store.contract import Store
from reflection_mcp.store.errors import StoreBusy
from reflection_mcp.store.interactions import Feedback
from reflection_mcp.store.records import Lesson, Reflection
from reflection_mcp.store.state import Vote
from reflection_mcp.tools.feedback.record_feedback import FeedbackRequest, record_feedback
from reflection_mcp.tools.identity import fingerprint
from reflection_mcp.tools.learning.reflector import LessonFacts, from_caller
from reflection_mcp.tools.manual_lesson import draft_of, edit_lesson, lesson_to_edit
from reflection_mcp.tools.ports import Caller
from reflection_mcp.tools.recall.has_seen_error_before import (
    ErrorQuestion,
    has_seen_error_before,
)
from reflection_mcp.tools.reflect.reflect import reflect
from reflection_mcp.tools.reflect.request import ReflectRequest
from tests.contract.samples import asked
from tests.dashboard.conftest import NOON, Open, Visitor
from tests.dashboard.invented import ALWAYS, NEVER, SHOP
from tests.dashboard.test_pages import listed, words
from tests.dashboard.test_same_store import comparable, signature, tables
from tests.requirements import requirement


def row(visitor: Visitor, name: str) -> Reflection:
    async def read(store: Store) -> Reflection | None:
        return await store.reflection(SHOP, name)

    found = visitor.store(read)
    assert found is not None
    return found


def seen(visitor: Visitor, name: str = "ref-lock") -> str:
    found = re.search(r'name="seen" value="(\w+)"', visitor.get(f"/errors/{name}"))
    assert found is not None
    return found[1]


def cast(visitor: Visitor, name: str) -> list[Vote]:
    async def read(store: Store) -> list[Vote]:
        return list(await store.votes(SHOP, target_id=name))

    return visitor.store(read)


def contents(path: Path) -> dict[str, list[str]]:
    """What a store holds, in whatever order, without what counts writes and indexes words."""
    found = {n: r for n, r in tables(path).items() if not n.startswith(("ledger", "words_"))}
    rows = (literal_eval(each) for each in found["reflection"])
    found["reflection"] = [repr([*row[:-3], *map(sorted, row[-3:])]) for row in rows]
    return found | {"tally": [each for each in found["tally"] if "', 0, 0, 0" not in each]}


def said_of(visitor: Visitor) -> str:
    """The id of the only lesson that holds a user's own words."""
    ids = re.findall(r'<tr id="([^"]+)"', visitor.get("/errors?tag=user"))
    return next(str(each) for each in ids if row(visitor, each).source.startswith("user:"))


def undo(page: str) -> str:
    found = re.search(r'action="(/undo/[\w-]+)"', page)
    assert found is not None
    return found[1]


# --------------------------------------------------------------------- votes


def test_a_vote_is_recorded_under_the_name_of_the_user(visitor: Visitor) -> None:
    page = visitor.post("/errors/ref-yaml/verdict", kind="positive", back="/errors/ref-yaml")
    assert "helped 1, failed 0" in words(page)
    assert "vote: helped by dashboard:ann" in words(page)


def test_a_written_lesson_that_is_undone_is_told_once_with_its_strategy(visitor: Visitor) -> None:
    path = f"/unresolved/{signature(visitor)}/lesson"
    page = visitor.post(path, lesson="Two want another react.", strategy="Look with npm ls.",
                        error="npm ERR! code ERESOLVE")  # fmt: skip
    assert words(visitor.post(undo(page))).count("”: deleted") == 1


def test_what_was_changed_says_what_was_done_of_each_change(visitor: Visitor) -> None:
    visitor.post("/errors/ref-lock/verdict", kind="negative")
    for text in ("It was open elsewhere.", "It was open in a viewer."):
        visitor.post("/errors/ref-lock/edit", seen=seen(visitor), lesson=text)
    told = words(visitor.get("/errors/ref-lock"))
    assert "vote: failed; “PermissionError: [WinError 32]" in told
    assert "the earlier text is kept; now it says “It was open elsewhere.” Undo" in told
    assert "the earlier text is kept; now it says “It was open in a viewer.” Undo" in told


def test_the_only_person_of_a_machine_has_no_name_in_the_history(visitor: Visitor) -> None:
    services = visitor.services()
    for source in ("codex:user-41fabcb2", "codex:user-41fabcb2:conv-one", "codex:user-ann"):
        vote = Feedback(kind="negative", at=NOON, source=source, target_id="ref-lock")
        visitor.ask(partial(services.store.apply_feedback, SHOP, vote))
    told = words(visitor.get("/errors/ref-lock"))
    assert told.count("vote: failed by codex 2026") == 2
    assert "vote: failed by codex:user-ann 2026" in told


def test_a_refusal_leads_back_to_the_page_of_the_form(visitor: Visitor) -> None:
    back = "/errors/ref-lock?project=shop"
    page = visitor.post("/errors/ref-lock/forget", 400, typed="ref-price", back=back)
    assert f'<a href="{back}">Back to where you were</a>' in page


def test_no_page_names_a_command_for_what_it_shows_itself(visitor: Visitor) -> None:
    page = visitor.post("/review/ref-marked/reject", back="/errors/ref-marked")
    assert "its text tries to give instructions" in page
    assert "reflection-mcp show" not in page


def test_a_retired_lesson_is_found_by_its_words(visitor: Visitor) -> None:
    visitor.post("/errors/ref-lock/retire")
    assert listed(visitor.get("/errors?q=renamed+while")) == ["ref-lock"]


def test_a_comment_is_kept_as_a_lesson_of_the_user(visitor: Visitor) -> None:
    page = visitor.post(
        "/errors/ref-never/verdict", kind="negative", comment="Narrow the union before."
    )
    assert "the user's words, shown instead of the earlier lesson" in words(page)
    assert row(visitor, "ref-never").lesson == "Narrow the union before."
    page = visitor.post(
        "/errors/ref-lock/verdict", kind="positive", comment="Close the viewer as well."
    )
    assert "the user's words, kept as another version" in words(page)


def test_a_version_takes_a_vote_of_its_own(visitor: Visitor) -> None:
    visitor.post(
        "/errors/ref-lock/edit", seen=seen(visitor), lesson="It was open elsewhere.", strategy=""
    )
    page = visitor.get("/errors/ref-lock")
    about = re.search(r'name="about" value="(ref-lock\.\w+)"', page)
    assert about is not None
    visitor.post("/errors/ref-lock/verdict", kind="negative", about=about[1])
    assert row(visitor, "ref-lock").failed == 0


@pytest.mark.parametrize(
    ("path", "fields", "status", "why"),
    [
        ("/errors/ref-lock/verdict", {"kind": "forget"}, 400, "no vote is given"),
        ("/errors/ref-none/verdict", {"kind": "positive"}, 404, "has this id"),
        ("/errors/ref-lock/verdict", {"kind": "match", "about": "ref-lock"}, 404, "no look-up has"),
        ("/errors/ref-lock/forget", {"typed": "ref-price"}, 400, "the id was not typed again"),
        ("/errors/ref-none/edit", {"lesson": "x"}, 404, "no lesson of this project"),
        ("/errors/ref-lock/juggle", {}, 404, "There is no page at this address"),
        ("/review/ref-lock/confirm", {}, 404, "nothing with this id waits for review"),
        ("/review/ref-deps/merge", {}, 400, "merge is not possible here"),
        ("/review/ref-deps/juggle", {}, 400, "juggle is not possible here"),
        (
            "/unresolved/sig2:none/lesson",
            {"lesson": "It is so."},
            404,
            "no error that was met here",
        ),
        ("/undo/none", {}, 404, "can no longer be undone"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_reason(
    visitor: Visitor, path: str, fields: dict[str, str], status: int, why: str
) -> None:
    assert why in visitor.post(path, status, **fields)


# --------------------------------------------------------------------- edits


@requirement("dashboard:both-texts")
def test_an_edit_of_what_somebody_else_changed_shows_both_texts_and_can_be_repeated(
    visitor: Visitor,
) -> None:
    old = seen(visitor)
    visitor.post("/errors/ref-lock/edit", seen=old, lesson="The first one said so.")
    mine = {"lesson": "The second one said so.", "back": "/errors/ref-lock"}
    page = visitor.post("/errors/ref-lock/edit", 409, seen=old, **mine)
    assert "nothing was saved" in words(page)
    assert page.index("nothing was saved") < page.index("<h1>")
    assert '<p class="text">The first one said so.</p>' in page
    assert "\nThe second one said so.</textarea>" in page
    assert row(visitor, "ref-lock").lesson == "The first one said so."
    again = re.search(r'name="seen" value="(\w+)"', page)
    assert again is not None
    visitor.post("/errors/ref-lock/edit", seen=again[1], **mine)
    assert row(visitor, "ref-lock").lesson == "The second one said so."


def test_an_edit_that_changes_nothing_says_so(visitor: Visitor) -> None:
    before = row(visitor, "ref-lock")
    page = visitor.post(
        "/errors/ref-lock/edit", seen=seen(visitor), lesson=before.lesson,
        strategy=before.strategy, tags=", ".join(before.tags), situations="",
    )  # fmt: skip
    assert "nothing was changed" in words(page)
    assert "/undo/" not in page
    assert row(visitor, "ref-lock") == before


def test_an_edit_that_says_nothing_is_refused(visitor: Visitor) -> None:
    page = visitor.post("/errors/ref-lock/edit", 400, seen=seen(visitor), lesson=" ")
    assert "the lesson says nothing" in page


# --------------------------------------------------------------------- undo


@requirement("dashboard:undo")
@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/errors/ref-lock/retire", {}),
        ("/errors/ref-lock/edit", {"lesson": "Something else is true.", "strategy": "Do it."}),
        ("/review/ref-never/reject", {}),
        ("/review/ref-clean/reject", {}),
        ("/review/ref-always/merge", {}),
        ("/review/ref-clean/confirm", {}),
        ("/review/ref-never/confirm", {}),
        ("/errors/ref-lock/verdict", {"kind": "positive"}),
        ("/errors/ref-lock/verdict", {"kind": "negative"}),
    ],
)
def test_an_undo_leaves_the_lesson_as_it_was(
    visitor: Visitor, path: str, fields: dict[str, str]
) -> None:
    name = path.split("/")[2]
    before, votes = row(visitor, name), cast(visitor, name)
    page = visitor.post(path, seen=seen(visitor, name), **fields)
    assert row(visitor, name) != before
    assert "as it was before" in words(visitor.post(undo(page)))
    assert (row(visitor, name), cast(visitor, name)) == (before, votes)
    assert "can no longer be undone" in visitor.post(undo(page), 404)


@requirement("dashboard:undo")
def test_a_wrong_match_that_was_none_may_match_again(visitor: Visitor) -> None:
    services = visitor.services()
    error = "PermissionError: [WinError 32] The process cannot access the file 'app.db'"

    async def look_up() -> str:
        return (await has_seen_error_before(services, ErrorQuestion(error=error))).verdict

    assert visitor.ask(look_up) == "exact"
    fields = {"kind": "wrong_match", "about": "look-lock-3"}
    page = visitor.post("/errors/ref-lock/verdict", **fields)
    assert visitor.ask(look_up) == "new"
    assert "/undo/" not in visitor.post("/errors/ref-lock/verdict", **fields)
    before = row(visitor, "ref-lock")
    assert "cannot access the file 'app.db'”: as it was before" in words(visitor.post(undo(page)))
    assert (visitor.ask(look_up), row(visitor, "ref-lock").helped) == ("exact", before.helped)


@requirement("dashboard:found-at-once")
def test_after_a_wrong_match_the_page_says_how_the_error_is_handled_now(
    visitor: Visitor,
) -> None:
    services = visitor.services()
    error = "PermissionError: [WinError 32] The process cannot access the file 'app.db'"

    async def look_up() -> str:
        return (await has_seen_error_before(services, ErrorQuestion(error=error))).verdict

    async def report(episode: str) -> str:
        taught = Lesson(text=f"Ask {episode}.", outcome="success")
        told = await reflect(
            services, ReflectRequest(question="move it", answer="done", error=error, lesson=taught)
        )
        return told.kept[0].id

    matching = "An error with these words is recognised as this one"
    assert matching in words(visitor.get("/errors/ref-lock"))
    fields = {"kind": "wrong_match", "about": "look-lock-3", "back": "/errors/ref-lock"}
    page = visitor.post("/errors/ref-lock/verdict", **fields)
    told = words(page)
    assert matching not in told
    assert "Somebody reported a wrong match: the error below is a different one." in told
    assert "its lesson was shown; later reported as a wrong match" in told
    assert "Wrong match" not in re.findall(r"<button>([^<]+)</button>", page)
    assert page.count("It is this error after all") == 1
    # As it says: the lesson is not shown, and another lesson of the error is one of its own.
    assert visitor.ask(look_up) == "new"
    own = visitor.ask(lambda: report("the other team"))
    assert own != "ref-lock"
    visitor.clock[0] += KEPT
    page = visitor.get("/errors/ref-lock")
    assert "/undo/" not in page
    about = re.search(r'value="match"><input type="hidden" name="about" value="([^"]+)"', page)
    assert about is not None
    again = {"kind": "match", "about": about[1], "back": "/errors/ref-lock"}
    before = row(visitor, "ref-lock")
    page = visitor.post("/errors/ref-lock/verdict", **again)
    assert "may be shown for this error again" in words(page)
    assert matching in words(page)
    assert row(visitor, "ref-lock") == before
    assert "already recorded" in words(visitor.post("/errors/ref-lock/verdict", **again))


@requirement("dashboard:undo")
def test_the_undo_of_a_changed_mind_brings_the_first_vote_back(visitor: Visitor) -> None:
    visitor.post("/errors/ref-yaml/verdict", kind="negative")
    before = cast(visitor, "ref-yaml")
    page = visitor.post("/errors/ref-yaml/verdict", kind="positive")
    assert (row(visitor, "ref-yaml").helped, row(visitor, "ref-yaml").failed) == (1, 0)
    visitor.post(undo(page))
    assert (row(visitor, "ref-yaml").helped, row(visitor, "ref-yaml").failed) == (0, 1)
    assert [(vote.kind, vote.at) for vote in cast(visitor, "ref-yaml")] == [
        (vote.kind, vote.at) for vote in before
    ]


@requirement("dashboard:undo")
def test_the_undo_of_a_vote_leaves_that_of_the_day_before(visitor: Visitor) -> None:
    visitor.post("/errors/ref-yaml/verdict", kind="positive")
    before = cast(visitor, "ref-yaml")
    visitor.clock[0] += timedelta(days=1)
    page = visitor.post("/errors/ref-yaml/verdict", kind="positive")
    assert len(cast(visitor, "ref-yaml")) == 2
    visitor.post(undo(page))
    assert cast(visitor, "ref-yaml") == before
    assert row(visitor, "ref-yaml").helped == 1


def test_a_vote_that_puts_other_words_first_is_not_undone(visitor: Visitor) -> None:
    fields = {"seen": seen(visitor, "ref-yaml"), "lesson": "It is PyYAML."}
    visitor.post("/errors/ref-yaml/edit", **fields)
    old = re.search(r'name="about" value="(ref-yaml\.\w+)"', visitor.get("/errors/ref-yaml"))
    assert old is not None
    page = visitor.post("/errors/ref-yaml/verdict", kind="positive", about=old[1])
    assert row(visitor, "ref-yaml").lesson == "The yaml module comes from the package PyYAML."
    assert "/undo/" not in page


@requirement("dashboard:undo")
def test_what_was_rejected_and_undone_can_be_rejected_again(visitor: Visitor) -> None:
    page = visitor.post("/review/ref-clean/reject")
    visitor.post(undo(page))
    assert "ref-clean" in visitor.get("/review")
    visitor.post("/review/ref-clean/reject")
    assert "ref-clean" not in visitor.get("/review")


@requirement("dashboard:undo")
def test_an_undo_is_kept_for_an_hour(visitor: Visitor) -> None:
    page = visitor.post("/errors/ref-lock/retire")
    visitor.clock[0] += KEPT
    assert "can no longer be undone" in visitor.post(undo(page), 404)


@requirement("dashboard:undo")
def test_an_undo_of_what_somebody_else_changed_since_changes_nothing(visitor: Visitor) -> None:
    page = visitor.post("/errors/ref-lock/retire")
    visitor.post("/errors/ref-lock/edit", seen=seen(visitor), lesson="It is otherwise now.")
    trouble = visitor.post(undo(page), 409)
    assert "The lesson was changed since" in trouble
    assert '<a href="/errors/ref-lock#history">' in trouble
    assert row(visitor, "ref-lock").lesson == "It is otherwise now."


@requirement("dashboard:undo")
def test_if_a_later_change_is_in_the_way_its_undo_is_offered(
    visitor: Visitor,
) -> None:
    before = row(visitor, "ref-lock")
    way = {"back": "/errors/ref-lock"}
    first = undo(
        visitor.post("/errors/ref-lock/edit", seen=seen(visitor), lesson="It is the first.", **way)
    )
    visitor.post("/errors/ref-yaml/retire")
    visitor.post("/errors/ref-lock/edit", seen=seen(visitor), lesson="It is the second.", **way)
    trouble = visitor.post(first, 409, **way)
    assert "Undo first what you changed later" in words(trouble)
    assert '<a href="/errors/ref-lock#history">' in trouble
    page = visitor.post(undo(trouble), **way)
    assert row(visitor, "ref-lock").lesson == "It is the first."
    assert first in page
    visitor.post(first, **way)
    assert row(visitor, "ref-lock") == before
    assert "no longer be undone" in visitor.post(first, 404)


@requirement("dashboard:undo")
def test_of_two_votes_the_later_one_is_undone_first(visitor: Visitor) -> None:
    first = undo(visitor.post("/errors/ref-yaml/verdict", kind="positive"))
    second = undo(visitor.post("/errors/ref-yaml/verdict", kind="negative"))
    trouble = visitor.post(first, 409)
    assert undo(trouble) == second
    assert (row(visitor, "ref-yaml").helped, row(visitor, "ref-yaml").failed) == (0, 1)
    for way in (second, first):
        visitor.post(way)
    assert cast(visitor, "ref-yaml") == []
    assert (row(visitor, "ref-yaml").helped, row(visitor, "ref-yaml").failed) == (0, 0)


@requirement("dashboard:undo")
def test_an_edit_is_undone_after_the_vote_on_its_words(visitor: Visitor) -> None:
    edit = {"seen": seen(visitor), "lesson": "It was open elsewhere."}
    first = undo(visitor.post("/errors/ref-lock/edit", **edit))
    second = undo(visitor.post("/errors/ref-lock/verdict", kind="positive"))
    trouble = visitor.post(first, 409)
    assert undo(trouble) == second
    assert row(visitor, "ref-lock").lesson == "It was open elsewhere."
    for way in (second, first):
        visitor.post(way)
    assert row(visitor, "ref-lock").helped == 6
    assert all(vote.source != "dashboard:ann" for vote in cast(visitor, "ref-lock"))


@requirement("dashboard:undo")
def test_if_somebody_else_changed_it_the_refusal_links_to_what_happened(
    visitor: Visitor,
) -> None:
    page = visitor.post("/errors/ref-lock/retire")
    services = visitor.services()

    async def by_a_command() -> None:
        stands = await lesson_to_edit(services, "ref-lock")
        await edit_lesson(services, stands, replace(draft_of(stands.reflection), tags=("disk",)))

    visitor.ask(by_a_command)
    trouble = visitor.post(undo(page), 409)
    assert "Somebody else or a tool has changed it" in trouble
    assert "/undo/" not in trouble
    assert row(visitor, "ref-lock").retired


@requirement("dashboard:undo")
@pytest.mark.parametrize(
    ("name", "kind", "comment"),
    [
        ("ref-lock", "positive", "Close the cursor as well."),
        ("ref-lock", "negative", "Look at the antivirus first."),
        ("ref-always", "positive", "Run them in the container."),
        ("ref-always", "negative", "Run them before the fixtures."),
        ("ref-never", "positive", "Narrow the union before."),
    ],
)
def test_the_undo_of_a_comment_takes_vote_and_words_back_and_both_can_be_given_again(
    visitor: Visitor, tmp_path: Path, name: str, kind: str, comment: str
) -> None:
    store = tmp_path / "store.db"
    before = contents(store)
    fields = {"kind": kind, "comment": comment, "back": f"/errors/{name}"}
    page = visitor.post(f"/errors/{name}/verdict", **fields)
    said = contents(store)
    assert said != before
    assert undo(page) in visitor.get("/review")
    assert undo(page) in visitor.get(f"/errors/{name}")
    told = words(visitor.post(undo(page)))
    assert "as it was before" in told
    assert contents(store) == before
    again = visitor.post(f"/errors/{name}/verdict", **fields)
    assert comparable(contents(store), before) == comparable(said, before)
    visitor.post(undo(again))
    assert contents(store) == before


@requirement("dashboard:undo")
def test_the_same_comment_on_two_lessons_is_undone_one_after_the_other(visitor: Visitor) -> None:
    comment = "Start the database before the tests."
    ways = [
        undo(visitor.post(f"/errors/{name}/verdict", kind="positive", comment=comment))
        for name in ("ref-lock", "ref-pool")
    ]
    own = said_of(visitor)
    assert row(visitor, own).occurrences == 2
    assert undo(visitor.post(ways[0], 409)) == ways[1]
    visitor.post(ways[1])
    assert row(visitor, own).occurrences == 1
    visitor.post(ways[0])
    assert "the database before" not in visitor.get("/errors")


@requirement("dashboard:undo")
def test_words_that_somebody_else_has_judged_since_are_not_deleted(visitor: Visitor) -> None:
    page = visitor.post("/errors/ref-always/verdict", kind="positive", comment="Use the script.")
    own = said_of(visitor)
    services = replace(visitor.services(), caller=Caller(conversation_id="bob", client="codex"))
    said = FeedbackRequest(feedback="positive", id=own)
    visitor.ask(lambda: record_feedback(services, said))
    assert "Somebody else or a tool" in visitor.post(undo(page), 409)
    assert row(visitor, own).helped == 1


@requirement("dashboard:undo")
def test_only_the_comment_is_undone_if_the_vote_was_given_before(visitor: Visitor) -> None:
    visitor.post("/errors/ref-lock/verdict", kind="negative")
    before, votes = row(visitor, "ref-lock"), cast(visitor, "ref-lock")
    fields = {"kind": "negative", "comment": "Look at the antivirus first."}
    page = visitor.post("/errors/ref-lock/verdict", **fields)
    assert row(visitor, "ref-lock").lesson == "Look at the antivirus first."
    visitor.post(undo(page))
    assert (row(visitor, "ref-lock"), cast(visitor, "ref-lock")) == (before, votes)


@requirement("dashboard:undo")
def test_a_comment_that_a_retired_lesson_says_already_has_no_undo(visitor: Visitor) -> None:
    fields = {"kind": "positive", "comment": "Start the database before the tests."}
    visitor.post("/errors/ref-lock/verdict", **fields)
    own = said_of(visitor)
    visitor.post(f"/errors/{own}/retire")
    assert "/undo/" not in visitor.post("/errors/ref-pool/verdict", **fields)


@requirement("dashboard:undo")
def test_a_comment_on_a_lesson_whose_words_were_edited_meanwhile_leaves_the_edit(
    visitor: Visitor,
) -> None:
    page = visitor.post("/errors/ref-lock/verdict", kind="positive", comment="Close the cursor.")
    visitor.post("/errors/ref-lock/edit", seen=seen(visitor), lesson="It is the antivirus.")
    visitor.post(undo(page), 409)
    assert row(visitor, "ref-lock").lesson == "It is the antivirus."


def test_what_was_forgotten_meanwhile_is_not_brought_back(visitor: Visitor) -> None:
    page = visitor.post("/errors/ref-lock/retire")
    visitor.post("/errors/ref-yaml/forget", typed="ref-yaml")
    assert "ref-yaml" not in listed(visitor.get("/errors"))
    visitor.post(undo(page))
    assert "ref-lock" in listed(visitor.get("/errors"))


@requirement("dashboard:undo")
@pytest.mark.parametrize(
    ("action", "fields"),
    [
        ("retire", {}),
        ("verdict", {"kind": "positive"}),
        ("verdict", {"kind": "wrong_match", "about": "look-lock-3"}),
    ],
)
def test_an_undo_does_not_claim_to_restore_a_lesson_that_was_forgotten_meanwhile(
    visitor: Visitor, action: str, fields: dict[str, str]
) -> None:
    page = visitor.post(f"/errors/ref-lock/{action}", **fields)
    visitor.post("/errors/ref-lock/forget", typed="ref-lock")
    assert "The lesson was deleted meanwhile" in visitor.post(undo(page), 404)


@requirement("dashboard:undo")
def test_of_several_lessons_those_that_nobody_has_changed_since_are_undone(
    visitor: Visitor,
) -> None:
    ids = ["ref-deps", "ref-never", "ref-seed"]
    page = visitor.post("/review", id=ids, action="reject")
    visitor.post("/errors/ref-deps/forget", typed="ref-deps")
    visitor.post("/errors/ref-never/edit", seen=seen(visitor, "ref-never"), lesson="Narrow it.")
    told = words(visitor.post(undo(page)))
    assert "“make: *** [seed] Error 2”: as it was before" in told
    assert "on type 'never'”: not undone, the lesson was changed since" in told
    assert row(visitor, "ref-seed").failed == 0
    assert row(visitor, "ref-never").retired
    visitor.post(undo(visitor.post(undo(page), 409)))
    visitor.post(undo(page))
    assert not row(visitor, "ref-never").retired


@requirement("dashboard:undo")
def test_what_was_undone_is_still_listed(visitor: Visitor) -> None:
    page = visitor.post("/review/ref-deps/confirm", back="/errors/ref-deps")
    visitor.post(undo(page), back="/errors/ref-deps")
    told = words(visitor.get("/errors/ref-deps"))
    assert (
        "What you changed in the last hour 2026-11-21 12:00 UTC “make: *** [deps] Error 2”: "
        "confirmed, a lesson from now on undone at 2026-11-21 12:00 UTC" in told
    )


def test_an_undo_belongs_to_its_project(visitor: Visitor) -> None:
    page = visitor.post("/errors/ref-lock/retire")
    assert "no longer be undone" in visitor.post(undo(page), 404, project="bank")


def test_only_the_latest_deeds_of_each_person_are_kept(visitor: Visitor) -> None:
    deeds, services = Deeds(), visitor.services()
    mine = Deed(lines=("mine",), scope=SHOP, at=NOON, by=services.caller.person)
    others = deeds.add(replace(mine, by="bob"))
    old = deeds.add(replace(mine, at=NOON - KEPT))
    names = [deeds.add(mine) for _ in range(MOST + 1)]
    assert [deeds.get(each, services) for each in (old, names[0], names[-1])] == [None, None, mine]
    assert deeds.get(others, services) is None
    assert len(deeds._done) == MOST + 1  # pyright: ignore[reportPrivateUsage]


@requirement("dashboard:undo")
def test_an_undo_is_found_again_on_the_page_of_the_lesson_and_of_the_review(
    visitor: Visitor,
) -> None:
    way = undo(visitor.post("/errors/ref-lock/retire"))
    for path in ("/errors/ref-lock", "/review"):
        page = visitor.get(path)
        assert undo(page) == way
        assert (
            "What you changed in the last hour 2026-11-21 12:00 UTC “PermissionError: [WinError "
            "32] The process cannot access the file 'app.db'”: retired; it is no longer offered "
            "Undo"
        ) in words(page)
    assert "/undo/" not in visitor.get("/errors/ref-price")
    visitor.clock[0] += KEPT
    assert "/undo/" not in visitor.get("/review") + visitor.get("/errors/ref-lock")


@requirement("dashboard:undo")
def test_an_undo_is_offered_once_on_a_page(visitor: Visitor) -> None:
    page = visitor.post("/errors/ref-lock/retire", back="/errors/ref-lock")
    assert page.count("/undo/") == 1
    assert "/undo/" not in visitor.post(undo(page), back="/errors/ref-lock")


def test_what_changed_nothing_has_no_undo(visitor: Visitor) -> None:
    """The same form is sent twice, and the first one is done while the second one waits."""
    services = visitor.services()
    said = FeedbackRequest(feedback="positive", id="ref-yaml")

    async def act() -> Deed:
        stood = await before(services, ["ref-yaml"])
        await record_feedback(services, said)
        return await stood.deed((await record_feedback(services, said)).lines)

    deed = visitor.ask(act)
    assert deed.lines == ("already recorded: nothing changed",)
    assert not deed.back


def test_date_and_evidence_are_those_of_the_words_that_are_shown(visitor: Visitor) -> None:
    visitor.post("/errors/ref-lock/edit", seen=seen(visitor), lesson="It was open elsewhere.")
    told = words(visitor.get("/errors/ref-lock"))
    assert "open elsewhere. stored text, from “dashboard” on 2026-11-21" in told
    assert "Evidence for an earlier version: the tests passed" in told
    visitor.clock[0] += timedelta(days=3)
    comment = "Look who has it open before anything else."
    visitor.post("/errors/ref-lock/verdict", kind="positive", comment=comment)
    told = words(visitor.get("/errors/ref-lock"))
    assert "open elsewhere. stored text, from “dashboard” on 2026-11-21" in told


@requirement("dashboard:list")
def test_of_an_edited_lesson_page_and_list_count_the_votes_on_all_its_words(
    visitor: Visitor,
) -> None:
    assert "ref-price" in listed(visitor.get("/errors?lately=failed"))
    fields = {"lesson": "Carts of before May have no price.", "back": "/errors/ref-price"}
    page = visitor.post("/errors/ref-price/edit", seen=seen(visitor, "ref-price"), **fields)
    told = words(page)
    assert "untried Nobody has said yet whether its current text helps." in told
    assert "in 30 days 2 3 5 since 2026-10-02 2 3 5 Of these votes, those on the" in told
    assert "current text: helped never, failed never. The others are on other versions" in told
    for became in ("failed", "helped"):
        assert "ref-price" in listed(visitor.get(f"/errors?lately={became}"))
    visitor.post("/errors/ref-price/verdict", kind="negative")
    assert "in 30 days 2 4 5 since 2026-10-02 2 4 5" in words(visitor.get("/errors/ref-price"))
    fields = {"lesson": "Old carts have no price: read it from the catalogue.",
              "strategy": "Use the catalogue's price when a cart has none."}  # fmt: skip
    visitor.post("/errors/ref-price/edit", seen=seen(visitor, "ref-price"), **fields)
    told = words(visitor.get("/errors/ref-price"))
    assert "unproven" in told
    assert "in 30 days 2 4 5 since 2026-10-02 2 4 5" in told


@requirement("dashboard:found-at-once")
def test_a_lesson_that_failed_most_is_found_after_other_words_came_first(visitor: Visitor) -> None:
    visitor.post("/errors/ref-never/verdict", kind="negative", comment="The union was of two rows.")
    told = words(visitor.get("/"))
    assert "on type 'never' 5 times, with an earlier version Came back" in told
    assert "The union was of two rows. the votes are on an earlier version" in words(
        visitor.get("/errors")
    )
    told = words(visitor.get("/errors/ref-never"))
    assert "Evidence from 2026-11-21: the user said so" in told
    told = words(visitor.get("/"))
    assert "12 helped, 8 failed votes on lessons" in told


@requirement("dashboard:one-error")
def test_each_edit_is_listed_with_its_time(visitor: Visitor) -> None:
    for text in ("It is the first edit.", "It is the second edit."):
        visitor.post("/errors/ref-lock/edit", seen=seen(visitor), lesson=text)
        visitor.clock[0] += timedelta(minutes=5)
    assert (
        "2026-11-21 12:05 UTC said by dashboard:ann It is the second edit. "
        "2026-11-21 12:00 UTC said by dashboard:ann It is the first edit. " in
        words(visitor.get("/errors/ref-lock"))
    )  # fmt: skip


def test_new_words_are_not_said_to_have_been_shown_as_often_as_the_old(
    visitor: Visitor,
) -> None:
    services = visitor.services()
    error = "PermissionError: [WinError 32] The process cannot access the file 'app.db'"

    async def look_up() -> None:
        for _ in range(5):
            await has_seen_error_before(services, ErrorQuestion(error=error))

    visitor.ask(look_up)
    visitor.post("/errors/ref-lock/edit", seen=seen(visitor), lesson="It was open elsewhere.")
    told = words(visitor.get("/errors/ref-lock"))
    assert "shown to agents 0 times with its current text." in told
    assert "never helped" not in told


# --------------------------------------------------------------------- the review


def test_of_several_each_is_settled_and_what_failed_says_why(visitor: Visitor) -> None:
    page = visitor.post("/review", id=["ref-deps", "ref-lock", "ref-seed"], action="reject")
    told = words(page)
    assert "2 of 3 done" in told
    assert "app.db'”: not done, nothing with this id waits for review" in told
    assert "ref-deps" not in visitor.get("/review")


def test_of_many_only_so_many_are_settled_at_once(visitor: Visitor) -> None:
    ids = [f"ref-{number}" for number in range(MOST_AT_ONCE + 1)]
    assert "Tick at most 100" in visitor.post("/review", 400, id=ids, action="reject")


@requirement("dashboard:found-at-once")
def test_where_nothing_is_ticked_the_same_page_says_so(visitor: Visitor) -> None:
    page = visitor.post("/review", action="confirm", back="/review")
    assert "Nothing was ticked, so nothing was changed" in words(page)
    assert "Review 6" in words(page) and 'id="several"' in page


def test_a_candidate_that_is_confirmed_becomes_a_lesson(visitor: Visitor) -> None:
    page = visitor.post("/review/ref-deps/confirm")
    assert "“make: *** [deps] Error 2”: confirmed, a lesson from now" in words(page)
    lesson = row(visitor, "ref-deps")
    assert "Bash: make deps" in lesson.lesson and not lesson.strategy
    assert (lesson.retired, lesson.helped) == (False, 0)
    assert "ref-deps" in listed(visitor.get("/errors"))
    assert "12 helped, 7 failed" in words(visitor.get("/"))


def test_a_candidate_that_becomes_a_version_of_another_lesson_stays_one(visitor: Visitor) -> None:
    async def teach(store: Store) -> None:
        seen = fingerprint("make: *** [deps] Error 2")
        facts = LessonFacts(
            scope=SHOP, source="codex:one", at=NOON, event_id="evt-deps",
            lesson=Lesson(text="Run make all."), error="make: *** [deps] Error 2",
        )  # fmt: skip
        lesson = from_caller(facts, "ref-taught", seen, None)
        assert lesson is not None
        await store.record(SHOP, lesson)

    visitor.store(teach)
    page = visitor.post("/review/ref-deps/confirm")
    assert "Error 2”: confirmed, now a version of “make: *** [deps] Error 2”" in words(page)
    assert "/undo/" not in page


def test_of_two_that_contradict_each_other_one_becomes_a_version(visitor: Visitor) -> None:
    visitor.post("/review/ref-always/merge")
    assert {said.lesson.text for said in row(visitor, "ref-always").wordings} == {ALWAYS, NEVER}
    assert row(visitor, "ref-nope").retired


@requirement("dashboard:one-error")
def test_who_confirmed_a_lesson_is_told_beside_who_said_it(visitor: Visitor) -> None:
    before = words(visitor.get("/errors/ref-deps"))
    visitor.post("/review/ref-deps/confirm")
    after = words(visitor.get("/errors/ref-deps"))
    for told in (before, after):
        assert "2026-11-09 12:00 UTC first reported by ann 2026-11-09 12:00 UTC said by ann" in told
    assert "What happened 2026-11-21 12:00 UTC confirmed by dashboard:ann 2026-11-09" in after


def test_who_edited_a_lesson_did_not_report_it_first(visitor: Visitor) -> None:
    edit = {"lesson": "Install first.", "tags": ", ".join(row(visitor, "ref-deps").tags)}
    visitor.post("/errors/ref-deps/edit", seen=seen(visitor, "ref-deps"), **edit)
    told = words(visitor.get("/errors/ref-deps"))
    assert "said by dashboard:ann Install first. 2026-11-09 12:00 UTC first reported by ann" in told
    visitor.post("/review/ref-deps/confirm")
    told = words(visitor.get("/errors/ref-deps"))
    assert (
        "confirmed by dashboard:ann 2026-11-21 12:00 UTC said by dashboard:ann Install first. "
        "2026-11-09 12:00 UTC first reported by unknown" in told
    )


@requirement("dashboard:undo")
def test_of_two_opposites_the_other_one_is_known_to_be_wrong_once_one_is_right(
    visitor: Visitor,
) -> None:
    page = visitor.post("/review/ref-always/confirm")
    assert "“Never run the migrations of the shop first.”: retired" in words(page)
    other = words(visitor.get("/errors/ref-nope"))
    assert "retired Agents are not shown it" in other and "vote: failed by dashboard:ann" in other
    assert "ref-nope" not in listed(visitor.get("/errors"))
    visitor.post(undo(page))
    assert (row(visitor, "ref-nope").failed, row(visitor, "ref-always").helped) == (0, 0)
    assert not row(visitor, "ref-nope").retired


@requirement("dashboard:found-at-once")
@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/errors/ref-lock/verdict", {"kind": "positive"}),
        ("/errors/ref-lock/verdict", {"kind": "wrong_match", "about": "look-lock-3"}),
        ("/errors/ref-lock/retire", {}),
        ("/errors/ref-lock/forget", {"typed": "ref-lock"}),
        ("/review/ref-never/reject", {}),
        ("/review/ref-always/merge", {}),
        ("/review/ref-clean/confirm", {}),
    ],
)
def test_a_message_names_lessons_by_their_titles_and_no_command(
    visitor: Visitor, path: str, fields: dict[str, str]
) -> None:
    page = visitor.post(path, **fields)
    message = words(page[page.index('role="status"') :].partition("</div>")[0])
    assert "“" in message
    assert not re.search(r"ref-|look-|`", message)


def test_what_was_done_is_told_also_when_no_title_can_be_read(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def busy(*_: object) -> tuple[str, ...]:
        raise StoreBusy("another process is writing", "try again")

    monkeypatch.setattr(views, "titled", busy)
    page = visitor.post("/errors/ref-lock/retire")
    assert "ref-lock: retired; it is no longer offered" in words(page)
    assert "as it was before" in words(visitor.post(undo(page)))


def test_a_store_that_is_held_is_not_taken_for_a_lesson_that_others_changed(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def busy(*_: object) -> Deed:
        raise StoreBusy("another process holds the store", "try again")

    way = undo(visitor.post("/errors/ref-lock/retire"))
    with monkeypatch.context() as held:
        held.setattr(deeds, "_taken_back", busy)
        page = words(visitor.post(way, 409))
    assert "Another process holds the store" in page
    assert "Somebody else" not in page
    assert "as it was before" in words(visitor.post(way))


def test_a_version_that_was_voted_on_is_told_as_one(visitor: Visitor) -> None:
    visitor.post("/errors/ref-lock/edit", seen=seen(visitor), lesson="Open elsewhere.")
    about = re.search(r'name="about" value="(ref-lock\.\w+)"', visitor.get("/errors/ref-lock"))
    assert about is not None
    page = visitor.post("/errors/ref-lock/verdict", kind="negative", about=about[1])
    assert "a version of “PermissionError: [WinError 32]" in words(page)


def test_only_what_can_be_confirmed_or_shared_has_a_tick_box(visitor: Visitor) -> None:
    page = visitor.get("/review")
    assert 'name="id" value="ref-never"' in page
    assert 'name="id" value="ref-marked"' not in page


# --------------------------------------------------------------------- new lessons


def test_a_lesson_for_an_unresolved_error_is_found_when_that_comes_back(visitor: Visitor) -> None:
    """Of a look-up only a line is stored; the lesson is found by the signature all the same."""
    error = 'File "/home/a/shop/pay.py", line 3, in pay\nValueError: no such currency'

    services = visitor.services()

    async def look_up() -> str:
        return (await has_seen_error_before(services, ErrorQuestion(error=error))).verdict

    assert [visitor.ask(look_up) for _ in range(2)] == ["new", "new"]
    page = visitor.get("/unresolved")
    found = re.search(r'action="(/unresolved/[^"]+)">(?:(?!</form>).)*no such', page, re.DOTALL)
    assert found is not None
    told = visitor.post(found[1], lesson="Currencies come from the bank's list.",
                        error="ValueError: no such currency", back="/unresolved")  # fmt: skip
    assert "it is shown when the error comes back" in words(told)
    assert "Lesson stored: ValueError: no such currency It is shown when" in words(told)
    assert visitor.ask(look_up) == "same"
    visitor.clock[0] += timedelta(minutes=1)
    assert "no such currency" not in visitor.get("/unresolved")


@requirement("dashboard:undo")
@pytest.mark.parametrize("known", [False, True])
def test_the_undo_of_a_written_lesson_leaves_the_error_unresolved(
    visitor: Visitor, tmp_path: Path, known: bool
) -> None:
    lesson = "Two packages want different reacts."
    if known:
        visitor.post("/errors/ref-lock/verdict", kind="positive", comment=lesson)
    fields = {"lesson": lesson, "strategy": "Look at both with npm ls.", "error": ""}
    store = tmp_path / "store.db"
    before, path = contents(store), f"/unresolved/{signature(visitor)}/lesson"
    page = visitor.post(path, back="/unresolved", **fields)
    assert "Lesson stored" in page
    assert "What you changed" in visitor.get("/review")
    (added,) = re.findall(r"Lesson stored: <a href=\"(/errors/[^\"]+)\"", page)
    own = visitor.get(added)
    told = visitor.post(undo(own), back=added)
    assert ("as it was before" if known else ": deleted") in words(told)
    assert contents(store) | {"event": before["event"]} == before
    assert "ERESOLVE" in visitor.get("/unresolved")
    assert "Lesson stored" not in visitor.get("/unresolved")


def test_a_limit_of_rows_is_held_after_a_new_lesson(opened: Open) -> None:
    visitor = opened(max_entries=12)
    signature = quote("sig1:lock", safe="")

    async def ask(store: Store) -> None:
        await store.log_lookup(SHOP, replace(asked("x"), at=NOON))

    visitor.store(ask)
    page = visitor.post(f"/unresolved/{signature}/lesson", lesson="Wait for the lock.")
    assert "least useful" in words(page)


# --------------------------------------------------------------------- rights


@requirement("dashboard:read-only")
def test_who_may_only_read_has_no_button_and_is_refused(opened: Open) -> None:
    visitor = opened(may_act=False)
    for path in ("/errors/ref-lock", "/review", "/unresolved"):
        assert 'method="post"' not in visitor.get(path)
    token = visitor.token()
    answer = visitor.http.post(
        "/errors/ref-lock/retire", data={"token": token}, headers={"sec-fetch-site": "same-origin"}
    )
    assert answer.status_code == 403
    assert not row(visitor, "ref-lock").retired
