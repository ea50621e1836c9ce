"""What a person can do from a page, and what is refused with a reason."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from urllib.parse import quote

import pytest

from reflection_mcp.server.dashboard import views
from reflection_mcp.server.dashboard.actions import MOST_AT_ONCE
from reflection_mcp.server.dashboard.deeds import KEPT, MOST, Deed, Deeds, done
from reflection_mcp.store.contract import Store
from reflection_mcp.store.errors import StoreBusy
from reflection_mcp.store.records import Lesson, Reflection
from reflection_mcp.store.state import Vote
from reflection_mcp.tools.feedback.record_feedback import FeedbackRequest, record_feedback
from reflection_mcp.tools.identity import fingerprint
from reflection_mcp.tools.learning.reflector import LessonFacts, from_caller
from reflection_mcp.tools.recall.has_seen_error_before import (
    ErrorQuestion,
    has_seen_error_before,
)
from tests.contract.samples import asked
from tests.dashboard.conftest import NOON, Open, Visitor
from tests.dashboard.invented import ALWAYS, NEVER, SHOP
from tests.dashboard.test_pages import listed, words
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


def undo(page: str) -> str:
    found = re.search(r'action="(/undo/[\w-]+)"', page)
    assert found is not None
    return found[1]


# --------------------------------------------------------------------- votes


def test_a_vote_is_recorded_under_the_name_of_the_user(visitor: Visitor) -> None:
    page = visitor.post("/errors/ref-yaml/verdict", kind="positive", back="/errors/ref-yaml")
    assert "helped 1, failed 0" in words(page)
    assert "vote: helped by dashboard:ann" in words(page)


def test_a_comment_is_kept_as_a_lesson_of_the_user(visitor: Visitor) -> None:
    page = visitor.post(
        "/errors/ref-never/verdict", kind="negative", comment="Narrow the union before."
    )
    assert "the user's words, shown when they fit" in words(page)
    assert row(visitor, "ref-never").lesson == "Narrow the union before."


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


def test_words_that_became_a_lesson_are_not_undone(visitor: Visitor) -> None:
    page = visitor.post("/errors/ref-lock/verdict", kind="negative", comment="Narrow it before.")
    assert "/undo/" not in page


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
    assert "the lesson was changed meanwhile" in trouble
    assert '<a href="/errors/ref-lock">Open the lesson</a>' in trouble
    assert row(visitor, "ref-lock").lesson == "It is otherwise now."


def test_what_was_forgotten_meanwhile_is_not_brought_back(visitor: Visitor) -> None:
    page = visitor.post("/errors/ref-lock/retire")
    visitor.post("/errors/ref-yaml/forget", typed="ref-yaml")
    assert "ref-yaml" not in listed(visitor.get("/errors"))
    visitor.post(undo(page))
    assert "ref-lock" in listed(visitor.get("/errors"))


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

    async def vote() -> Sequence[str]:
        await record_feedback(services, said)
        return (await record_feedback(services, said)).lines

    async def act() -> Deed:
        return await done(services, ["ref-yaml"], vote)

    deed = visitor.ask(act)
    assert deed.lines == ("already recorded: nothing changed",)
    assert not deed.back


def test_date_and_evidence_are_those_of_the_words_that_are_shown(visitor: Visitor) -> None:
    visitor.post("/errors/ref-lock/edit", seen=seen(visitor), lesson="It was open elsewhere.")
    told = words(visitor.get("/errors/ref-lock"))
    assert "open elsewhere. stored text, by dashboard:ann, 2026-11-21" in told
    assert "Evidence for earlier words from 2026-10-02" in told
    visitor.clock[0] += timedelta(days=3)
    comment = "Look who has it open before anything else."
    visitor.post("/errors/ref-lock/verdict", kind="positive", comment=comment)
    told = words(visitor.get("/errors/ref-lock"))
    assert "open elsewhere. stored text, by dashboard:ann, 2026-11-21" in told


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
    assert "shown to agents 0 times" in told
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
    assert "“make: *** [deps] Error 2: no deps found”: confirmed, a lesson from now" in words(page)
    lesson = row(visitor, "ref-deps")
    assert "Bash: make deps" in lesson.lesson and not lesson.strategy
    assert (lesson.retired, lesson.helped) == (False, 0)
    assert "ref-deps" in listed(visitor.get("/errors"))
    assert "12 helped, 7 failed" in words(visitor.get("/"))


def test_a_candidate_that_becomes_a_version_of_another_lesson_stays_one(visitor: Visitor) -> None:
    async def teach(store: Store) -> None:
        seen = fingerprint("make: *** [deps] Error 2: no deps found")
        facts = LessonFacts(
            scope=SHOP, source="codex:one", at=NOON, event_id="evt-deps",
            lesson=Lesson(text="Run make all."), error="make: *** [deps] Error 2: no deps found",
        )  # fmt: skip
        lesson = from_caller(facts, "ref-taught", seen, None)
        assert lesson is not None
        await store.record(SHOP, lesson)

    visitor.store(teach)
    page = visitor.post("/review/ref-deps/confirm")
    assert "Error 2”: confirmed, now a version of “make: *** [deps] Error 2: no deps" in words(page)
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
    other = words(visitor.get("/errors/ref-nope"))
    assert "untried" not in other and "vote: failed by dashboard:ann" in other
    visitor.post(undo(page))
    assert (row(visitor, "ref-nope").failed, row(visitor, "ref-always").helped) == (0, 0)


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
