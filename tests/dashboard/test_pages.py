"""What the pages show, as a person reads it."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from html import unescape
from urllib.parse import quote, unquote

import anyio
import pytest

from reflection_mcp.server.dashboard import answers, sample, views
from reflection_mcp.store.contract import Store
from reflection_mcp.store.errors import StoreUnavailable
from reflection_mcp.store.records import Attempt, Check, Reflection, Scope
from reflection_mcp.store.unavailable import unavailable
from reflection_mcp.tools.learning.review_queue import ReviewItem
from reflection_mcp.tools.ports import Services
from tests.contract.samples import asked, learned, met, said, tried
from tests.dashboard.conftest import NOON, Open, Visitor
from tests.dashboard.invented import BANK, SHOP
from tests.requirements import requirement
from tests.rows import each_row


def words(page: str) -> str:
    """A page as it is read: its text, without elements."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


def listed(page: str) -> list[str]:
    """The ids in the list of errors, in their order."""
    return re.findall(r'<tr id="([\w-]+)">', page)


# --------------------------------------------------------------------- how are we doing


@requirement("dashboard:six-figures")
def test_the_start_says_in_six_figures_how_the_project_does(visitor: Visitor) -> None:
    told = words(visitor.get("/"))
    for figure in (
        "In the last 7 days 30 days 90 days 9 lessons and 3 candidates, in all",
        "32 look-ups of errors, by agents 91% known of the look-ups",
        "12 helped, 7 failed votes on lessons",
        "5 came back 24 times, after their lesson was shown",
        "1 unresolved errors without a lesson", "look-ups by day, 30 days; at most 4 a day",
    ):  # fmt: skip
        assert figure in told


@requirement("dashboard:found-at-once")
def test_the_start_names_what_failed_most_what_came_back_and_what_waits(visitor: Visitor) -> None:
    told = words(visitor.get("/"))
    assert (
        "Overview To review make: *** [clean] Error 2 6 waiting Failed most, 30 days TS2339: "
        "Property 'id' does not exist on type 'never' 4 times Came back most, 30 days "
        "PermissionError: [WinError 32] The process cannot access... 8 times In the last" in told
    )
    quiet = words(visitor.get("/?project=bank"))
    assert "To review none Failed most, 30 days none Came back most, 30 days none In the" in quiet


@requirement("dashboard:found-at-once")
@pytest.mark.parametrize(("name", "limit"), [("clean", 12), ("never", 24), ("lock", 40)])
def test_who_reads_every_word_from_the_top_reaches_what_they_look_for_in_seconds(
    visitor: Visitor, name: str, limit: int
) -> None:
    """Of four words in a second: 3, 6 and 10 seconds."""
    page = visitor.get("/")
    link = re.search(rf'<a href="/errors/ref-{name}">', page)
    assert link is not None
    above = page[page.index("<header>") : link.start()]
    assert len(words(above).split()) <= limit


@requirement("dashboard:found-at-once")
def test_where_no_candidate_waits_the_start_names_what_waits_to_be_reviewed(
    visitor: Visitor,
) -> None:
    for name in ("deps", "clean", "seed"):
        visitor.post(f"/review/ref-{name}/reject")
    assert "To review Always run the migrations of the shop first. 3 waiting" in words(
        visitor.get("/")
    )
    assert "12 helped, 7 failed" in words(visitor.get("/"))  # nobody has tried what was rejected


@requirement("dashboard:found-at-once")
def test_the_first_page_after_a_start_says_how_many_wait(visitor: Visitor) -> None:
    assert "Review 6" in words(visitor.get("/scope"))


@requirement("overview:came-back")
@pytest.mark.parametrize("days", [7, 30, 90])
def test_tile_list_filter_and_page_tell_the_same_number_of_what_came_back(
    visitor: Visitor, days: int
) -> None:
    told = words(visitor.get(f"/?period={days}d"))
    tile = re.search(r"(?P<errors>\d+) came back (?P<times>\d+) times", told)
    assert tile is not None
    page = visitor.get(f"/errors?lately=came_back&period={days}d")
    ids = listed(page)
    assert len(ids) == int(tile["errors"])
    assert f"came back {len(ids)}" in words(page)
    cells = [re.findall(r"<td[^>]*>(\d+)</td>", row) for row in page.split("<tr id=")[1:]]
    assert sum(int(numbers[2]) for numbers in cells) == int(tile["times"])
    one = words(visitor.get(f"/errors/{ids[0]}?period={days}d"))
    assert f"in {days} days {cells[0][0]} {cells[0][1]} {cells[0][2]} since" in one


def test_a_period_changes_what_is_counted_listed_and_drawn(visitor: Visitor) -> None:
    week, quarter = (visitor.get(f"/errors?lately=failed&period={days}d") for days in (7, 90))
    assert listed(week) == ["ref-never", "ref-price"]
    assert "in 7 days" in words(week) and "in 90 days" in words(quarter)
    assert "look-ups by day in 7 days: 0, 0, 1, 0, 2, 0, 0" in week
    told = re.findall("look-ups on 3 days each in 90 days: ([0-9, ]*)", quarter)
    assert {len(each.split(", ")) for each in told} == {30}  # of as many days each
    assert len(listed(visitor.get("/errors?lately=helped&period=90d"))) == 4
    assert len(listed(visitor.get("/errors?lately=helped&period=7d"))) == 2


@requirement("dashboard:six-figures")
def test_the_funnel_leads_from_looked_up_to_worked(visitor: Visitor) -> None:
    told = words(visitor.get("/"))
    assert re.search(r"looked up 32 known 29 shown 29 helped \d+", told)


def test_a_shorter_period_counts_less_and_a_wrong_one_is_the_usual_one(visitor: Visitor) -> None:
    assert "20 look-ups" in words(visitor.get("/?period=7d"))
    assert "34 look-ups" in words(visitor.get("/?period=90d"))
    assert "32 look-ups" in words(visitor.get("/?period=x"))


def test_the_quality_of_each_week_says_who_judged(visitor: Visitor) -> None:
    told = words(visitor.get("/"))
    assert "2026-11-16 so far 0.63 6 anthropic (4), checks (2)" in told


@requirement("dashboard:six-figures")
def test_a_week_covered_in_part_is_marked_in_words_and_in_its_bar(
    visitor: Visitor,
) -> None:
    page = visitor.get("/answers?period=7d")
    told = words(page)
    assert "2026-11-09 from Sunday on 0.80 1" in told and "2026-11-16 so far" in told
    assert 'class="share part" role="img" aria-label="80 percent, from Sunday on"' in page
    month = words(visitor.get("/answers"))
    assert "2026-11-09 0.7" in month and "2026-11-02 0." in month
    assert "from" not in words(visitor.get("/answers?period=90d"))


def test_if_only_the_newest_answers_are_read_the_oldest_week_says_where_it_begins(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "MOST_ATTEMPTS", 8)
    assert "2026-11-09 from Saturday on" in words(visitor.get("/answers"))


def test_a_visit_ends_after_half_an_hour_and_the_next_one_shows_what_happened(
    visitor: Visitor,
) -> None:
    for _ in range(2):
        assert "visit" not in words(visitor.get("/"))
        visitor.clock[0] += timedelta(minutes=29)
    visitor.clock[0] += timedelta(minutes=30)
    for _ in range(2):
        assert "Last visit: 2026-11-21 12:29 UTC. 0 look-ups since." in words(visitor.get("/"))


@requirement("dashboard:six-figures")
def test_a_later_visit_is_told_what_happened_since(opened: Open) -> None:
    visitor = opened(last_visit=NOON - timedelta(days=3))

    async def learn(store: Store) -> None:
        fresh = learned("fresh", scope=SHOP, lesson="Pin react.", first_seen=NOON, last_seen=NOON)
        await store.record(SHOP, met(fresh, "fresh"))

    visitor.store(learn)
    told = words(visitor.get("/"))
    since = told[told.index("Last visit") :]
    assert since.startswith("Last visit: 2026-11-18 12:00 UTC. 8 look-ups since. Failed")
    assert "Failed TS2339" in since
    assert "Came back after a lesson was shown" in since
    assert "Learned Pin react. Keys" in since


def test_an_empty_store_has_pages_too(opened: Open) -> None:
    visitor = opened(filled=False)
    told = words(visitor.get("/"))
    assert "0 look-ups" in told and "Nothing is stored yet." in told
    assert "none known of the look-ups" in told
    assert "0 came back after their lesson was shown" in told
    told = words(visitor.get("/errors"))
    assert "Nothing is stored yet." in told and "Filters" not in told
    assert "Nothing waits for review." in words(visitor.get("/review"))
    assert "Nothing is unresolved." in words(visitor.get("/unresolved"))
    assert "No answer was judged" in words(visitor.get("/answers"))


# --------------------------------------------------------------------- errors


@requirement("dashboard:list")
def test_the_list_says_of_each_error_how_its_lesson_did(visitor: Visitor) -> None:
    told = words(visitor.get("/errors"))
    assert (
        "KeyError: 'price' unproven Old carts have no price: read it from the catalogue. "
        "6 2 3 5 1 1 6 2026-11-19" in told
    )
    assert (
        "in 30 days since the beginning error, and what was learned look-ups, 30 days helped "
        "failed came back reported sources shown last seen" in told
    )


@requirement("dashboard:list")
def test_the_bars_of_the_period_are_told_in_words(visitor: Visitor) -> None:
    page = visitor.get("/errors")
    assert "0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2, 0, 0" in page
    assert "look-ups by day in 30 days: 0, 0, 0, 0, 1," in page


@requirement("dashboard:list")
@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("order=failed", ["ref-never", "ref-price"]),
        ("order=came_back", ["ref-lock", "ref-pool"]),
        ("state=harmful", ["ref-never"]),
        ("lately=came_back", ["ref-lock", "ref-pool", "ref-price", "ref-never", "ref-borrow"]),
        ("lately=failed&tag=cart", ["ref-price"]),
        ("lately=helped", ["ref-lock", "ref-pool", "ref-price", "ref-borrow"]),
        ("state=candidate", ["ref-clean", "ref-deps"]),
        ("state=suspicious", ["ref-marked"]),
        ("type=keyerror", ["ref-price"]),
        ("tag=rust", ["ref-borrow"]),
        ("state=proven&tag=files", ["ref-lock"]),
        ("state=proven&type=permissionerror&order=most_met", ["ref-lock"]),
        ("state=proven&order=importance", ["ref-lock"]),
        ("q=catalogue+price", ["ref-price"]),
        ("q=nothing+like+it+zqx", []),
        ("order=nonsense", ["ref-pool"]),
    ],
)
def test_the_list_is_filtered_sorted_and_searched(
    visitor: Visitor, query: str, first: list[str]
) -> None:
    page = visitor.get(f"/errors?{query}")
    assert listed(page)[: len(first)] == first
    assert bool(listed(page)) == bool(first)
    if not first:
        assert "Nothing fits." in words(page)


@requirement("dashboard:list")
@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("state=harmful", "in 30 days came back 1 failed 1 state harmful 1 suspicious 1 "
         "candidate 3, not listed here proven 2 unproven 2 untried 3 type ts2339 1 "
         "tag typescript 1"),
        ("state=harmful&tag=python", "state unproven 1 untried 1 tag typescript 1 Nothing fits."),
        ("lately=failed&tag=cart", "in 30 days came back 1 failed 1 helped 1 state unproven 1 "
         "type keyerror 1 tag typescript 1 cart 1 python 1"),
        ("q=catalogue+price", "in 30 days came back 1 failed 1 helped 1 state unproven 1 type "
         "keyerror 1 tag cart 1 python 1"),
        ("q=catalogue+price&tag=rust", "tag cart 1 python 1 Nothing fits."),
    ],
)  # fmt: skip
def test_filters_are_counted_within_those_that_are_chosen(
    visitor: Visitor, query: str, said: str
) -> None:
    assert f"Filters {said}" in words(visitor.get(f"/errors?{query}"))


@requirement("dashboard:list")
@pytest.mark.parametrize(
    ("query", "column"),
    [
        ("", "last seen"), ("order=lookups", "look-ups, 30 days"),
        ("lately=came_back", "came back"), ("lately=failed", "failed"),
        ("lately=came_back&order=helped", "helped"), ("q=price", ""),
        ("q=price&order=failed", "failed"), ("q=price&order=nonsense", ""),
    ],
)  # fmt: skip
def test_the_arrow_stands_where_the_list_is_sorted(
    visitor: Visitor, query: str, column: str
) -> None:
    page = visitor.get(f"/errors?{query}")
    arrows = re.findall(r'aria-sort="descending"><a [^>]*>([^<]*)<', page)
    assert arrows == [column] * bool(column)


def test_what_is_searched_for_can_be_sorted(visitor: Visitor) -> None:
    assert listed(visitor.get("/errors?q=python")) == ["ref-yaml", "ref-price"]
    assert listed(visitor.get("/errors?q=python&order=failed")) == ["ref-price", "ref-yaml"]
    assert listed(visitor.get("/errors?q=python&lately=failed")) == ["ref-price"]


@pytest.mark.parametrize(
    ("query", "names"),
    [("make+clean", {"ref-clean"}), ("ref-lock", {"ref-lock"}), ("make:", {"ref-clean"})],
)
def test_titles_and_ids_are_searched_those_of_candidates_too(
    visitor: Visitor, query: str, names: set[str]
) -> None:
    assert names <= set(listed(visitor.get(f"/errors?q={query}")))


def test_an_empty_result_says_what_was_searched(visitor: Visitor) -> None:
    told = words(visitor.get("/errors?q=nothing+like+it+zqx"))
    assert (
        "Nothing fits. The search covers titles, ids and words of lessons, and errors without a "
        "lesson." in told
    )
    assert "Searched" not in words(visitor.get("/errors?state=harmful&tag=python"))


@each_row("asked", ["code eresolve", "npm ERR! code ERESOLVE", "\x1b[31mnpm ERR! code ERESOLVE"])
def test_errors_without_a_lesson_are_searched_too(visitor: Visitor, asked: str) -> None:
    page = visitor.get(f"/errors?q={quote(asked)}&order=failed")
    assert (
        "No lesson fits. The search covers titles, ids and words of lessons. Show all Errors "
        "without a lesson npm ERR! code ERESOLVE met 3 times, last on 2026-11-20" in words(page)
    )
    link = re.search(r'href="/unresolved#(sig[^"]+)"', page)
    assert link is not None and f'id="{unquote(link[1])}"' in visitor.get("/unresolved")
    assert "without a lesson npm" not in words(visitor.get(f"/errors?q={quote(asked)}&tag=files"))


def test_what_was_looked_up_last_comes_first_and_what_never_was_last(visitor: Visitor) -> None:
    page = visitor.get("/errors?order=newest")
    assert listed(page)[:6] == [
        "ref-pool", "ref-lock", "ref-never", "ref-price", "ref-always", "ref-marked"
    ]  # fmt: skip
    assert listed(page)[-2:] == ["ref-borrow", "ref-yaml"]
    assert "last seen" in words(page) and "2026-11-21</td></tr>" in page
    assert listed(visitor.get("/errors?order=newest&period=90d")).index("ref-yaml") == 8
    assert listed(visitor.get("/errors?order=lookups"))[:3] == ["ref-lock", "ref-pool", "ref-price"]


def test_a_filter_is_a_link_that_also_takes_it_away(visitor: Visitor) -> None:
    assert 'href="/errors?tag=files"' in visitor.get("/errors")
    assert 'href="/errors?tag=files"' not in visitor.get("/errors?tag=files")


async def crowd(store: Store) -> None:
    for number in range(120):
        row = learned(f"{number:03}", scope=SHOP, lesson=f"Lesson {number}", occurrences=number)
        at = NOON - timedelta(minutes=number)
        await store.record(SHOP, met(replace(row, first_seen=at, last_seen=at), f"{number}"))


@requirement("dashboard:list")
@pytest.mark.parametrize("query", ["", "order=failed", "order=most_met", "state=untried"])
def test_pages_follow_each_other_without_a_gap(opened: Open, query: str) -> None:
    visitor = opened(filled=False)
    visitor.store(crowd)
    found: list[str] = []
    path = f"/errors?{query}"
    for size in (50, 50, 20):
        page = visitor.get(path)
        assert len(listed(page)) == size
        found += listed(page)
        following = re.search(r'rel="next" href="([^"]+)"', page)
        path = unescape(following[1]) if following else ""
    assert (len(set(found)), path) == (120, "")


def test_behind_a_row_that_is_gone_the_list_begins_again(visitor: Visitor) -> None:
    for query in ("", "order=failed&"):
        begin = listed(visitor.get(f"/errors?{query}"))
        assert listed(visitor.get(f"/errors?{query}after=ref-gone")) == begin


def test_what_is_counted_over_some_of_many_rows_says_so(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample, "SAMPLE", 100)
    visitor = opened(filled=False)

    async def fill(store: Store) -> None:
        await crowd(store)
        await store.apply_feedback(SHOP, said("negative", "ref-119", minute=0))
        await store.apply_feedback(SHOP, said("negative", "ref-118", minute=0))
        known = store.reflection

        async def deleted_since(scope: Scope, name: str) -> Reflection | None:
            return None if name == "ref-118" else await known(scope, name)

        monkeypatch.setattr(store, "reflection", deleted_since)

    visitor.store(fill)
    told = words(visitor.get("/errors"))
    assert "are counted over the newest" in told and "only those are listed" not in told
    page = visitor.get("/errors?order=failed")
    assert listed(page)[0] == "ref-119"
    assert "only those are listed" in words(page)


# --------------------------------------------------------------------- one error


@requirement("dashboard:one-error")
def test_one_error_says_all_that_is_known_of_it(visitor: Visitor) -> None:
    told = words(visitor.get("/errors/ref-price"))
    for part in (
        "unproven Its votes do not show yet whether it helps. ref-price",
        "in 30 days 2 3 5 since 2026-10-02 2 3 5 Reported once, by 1 source; shown to agents "
        "6 times. In 30 days: 6 look-ups",
        "Old carts have no price: read it from the catalogue. stored text, from “claude-code” on",
        "Next time Use the catalogue's price when a cart has none.",
        "Evidence from 2026-10-02: the tests passed after it",
        "Location: cart.py:total",
        "As it was printed File \"/home/a/shop/cart.py\", line 12, in total KeyError: 'price'",
        "2026-11-19 12:05 UTC vote: failed by codex:4",
        "looked up by codex:three KeyError: 'price' : recognised as exactly this "
        "error; its lesson was shown Wrong match",
        "2026-10-02 12:00 UTC first reported by claude-code:one",
    ):
        assert part in told


@requirement("dashboard:found-at-once")
def test_a_lesson_that_did_harm_says_so_once_and_what_each_button_does(visitor: Visitor) -> None:
    told = words(visitor.get("/errors/ref-never"))
    assert told.count("It failed more often than it helped") == 1
    assert "so no agent is shown it. It is right after all (one vote) Retire it Edit" in told
    assert "Confirm" not in told and "Not shown to agents" not in told
    assert "Confirm this fix Reject this fix" in words(visitor.get("/errors/ref-deps"))
    assert "Did it help?" not in words(visitor.get("/errors/ref-marked"))


def test_what_is_masked_in_a_pattern_is_marked(visitor: Visitor) -> None:
    async def learn(store: Store) -> None:
        from tests.dashboard import invented

        story = invented.Story(
            name="port", error="request 3f2504e0-4f89-11d3-9a0c-0305e82c3301 failed", lesson="Wait."
        )
        await invented.tell(store, story, NOON)

    visitor.store(learn)
    assert "request <mark>&lt;*&gt;</mark> failed" in visitor.get("/errors/ref-port")


def test_a_text_that_gives_instructions_is_folded_and_said_to_be_withheld(visitor: Visitor) -> None:
    page = visitor.get("/errors/ref-marked")
    assert "<details><summary>Show the text, which tries to give instructions" in page
    assert "It tries to give instructions, so no agent is shown it." in words(page)
    assert "marked: it tries to give instructions" in words(visitor.get("/errors"))


def test_a_dangerous_command_is_pointed_at(visitor: Visitor) -> None:
    async def learn(store: Store) -> None:
        row = learned("rm", scope=SHOP, lesson="Run rm -rf / first.")
        await store.record(SHOP, met(row, "rm"))

    visitor.store(learn)
    assert "marked: contains a dangerous command" in words(visitor.get("/errors/ref-rm"))


def test_a_long_text_is_cut_and_shown_whole_when_asked(visitor: Visitor) -> None:
    async def learn(store: Store) -> None:
        row = learned("long", scope=SHOP, lesson="word " * 2_000 + "END")
        await store.record(SHOP, met(row, "long"))

    visitor.store(learn)
    page = visitor.get("/errors/ref-long")
    assert "more characters]" in page and "Show all of every text" in page
    shown = re.search(r"<blockquote>[^E]*END", visitor.get("/errors/ref-long?all=1"))
    assert shown is not None


def test_a_lesson_of_every_project_is_changed_in_its_own(visitor: Visitor) -> None:
    async def learn(store: Store) -> None:
        everywhere = replace(SHOP, project="global")
        await store.record(everywhere, met(learned("all", scope=everywhere), "all"))

    visitor.store(learn)
    page = visitor.get("/errors/ref-all")
    assert "It belongs to the project global." in words(page)
    assert "/errors/ref-all/edit" not in page
    assert "/errors/ref-all/edit" in visitor.get("/errors/ref-all?project=global")


def test_an_error_that_is_not_there_is_said_to_be_gone(visitor: Visitor) -> None:
    assert "this project has no lesson with this id" in visitor.get("/errors/ref-none", 404)


@requirement("dashboard:found-at-once")
@pytest.mark.parametrize("path", ["/elsewhere", "/errors/a/b/c", "/static/none.css"])
def test_an_address_that_leads_nowhere_is_a_page_that_leads_back(
    visitor: Visitor, path: str
) -> None:
    page = visitor.get(path, 404)
    assert "There is no page at this address" in words(page)
    assert '<a href="/">Start page</a>' in page and "Review 6" in words(page)


# --------------------------------------------------------------------- the other pages


def test_review_shows_what_waits_and_why(visitor: Visitor) -> None:
    told = words(visitor.get("/review"))
    for part in (
        "Review 6", "contradiction The other one says the opposite.",
        "candidate A command failed, and worked after this fix. No agent is shown the fix until "
        "you confirm it.",
        "harmful It failed more often than it helped, so no agent is shown it.",
        "suspicious It tries to give instructions, so no agent is shown it.",
    ):  # fmt: skip
        assert part in told


def test_unresolved_shows_what_is_asked_for_again_and_again(visitor: Visitor) -> None:
    told = words(visitor.get("/unresolved"))
    assert "npm ERR! code ERESOLVE Met 3 times, first on 2026-11-15, last on 2026-11-20" in told


def test_answers_show_findings_and_the_worst(visitor: Visitor) -> None:
    told = words(visitor.get("/answers"))
    assert "24 answers of the last 30 days." in told
    assert "arithmetic 5 times" in told
    said = "15 x 12.99 = 195.00: the product is 194.85"
    assert f"faults Found by a check arithmetic 5 times, the last time: {said} W" in told
    assert told.count(said) == 6  # of each of the five answers, and once of all
    worst = told[told.index("Worst answers") :]
    assert worst.startswith(
        "Worst answers Something was found wrong with 5 of 24 answers; the lowest quality (0 to 1)"
        f" first. What do 0 pens cost? {said} quality 0.40, judged by checks, 2026-11-21, att-0 W"
    )
    assert worst.count("quality 0.") == 5


@each_row("attempt, faults", [
    (tried("no"), ()),
    (tried("good", quality=0.9), ()),
    (tried("low", quality=0.2), ("rated low, without a reason",)),
    (tried("told", quality=0.2, issues=("It is vague.",)), ("It is vague.",)),
    (tried("voted", feedback="negative"), ("a person said that it is wrong",)),
    (
        tried(
            "work", quality=0.2,
            checks=(Check(kind="evidence:outcome", status="wrong", why="The work failed."),),
        ),
        ("The work failed.",),
    ),
    (
        tried(
            "disputed", quality=0.9, issues=("2 = 3: no", "2 = 3: no", "It is long."),
            checks=(Check(kind="arithmetic", status="wrong", quote="2 = 3", why="no",
                          disputed="a joke"),),
        ),
        ("It is long.",),
    ),
])  # fmt: skip
def test_what_is_wrong_with_an_answer_is_said_once(
    attempt: Attempt, faults: tuple[str, ...]
) -> None:
    assert answers.faults_of(attempt) == faults


def test_what_a_judge_named_stands_apart_and_many_are_cut(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def answer(store: Store) -> None:
        issues = tuple(f"It says nothing of the {what}." for what in ("tax", "rent", "fee", "rate"))
        one = tried("vague", at=NOON, quality=None, issues=issues)
        await store.add_attempt(SHOP, one, event_id="vague")

    visitor.store(answer)
    monkeypatch.setattr(answers, "WORST", 6)
    told = words(visitor.get("/answers"))
    assert "Named by a judge It says nothing of the" in told
    assert "of the tax. It says nothing of the rent. It says nothing of the fee. 1 more" in told
    assert "more not judged, 2026-11-21, att-vague" in told
    monkeypatch.setattr(answers, "WORST", 1)
    visitor.clock[0] += timedelta(minutes=1)
    assert "6 of 25 answers; the 1 worst are listed" in words(visitor.get("/answers"))


def test_answers_without_a_fault_are_not_called_worst(visitor: Visitor) -> None:
    told = words(visitor.get("/answers?project=bank"))
    assert "No answer was judged" in told

    async def answer(store: Store) -> None:
        await store.add_attempt(BANK, tried("fine", at=NOON, quality=0.9), event_id="fine")

    visitor.store(answer)
    visitor.clock[0] += timedelta(minutes=1)
    told = words(visitor.get("/answers?project=bank"))
    assert "No fault was found." in told and "Worst" not in told


def test_answers_that_nobody_judged_have_no_quality(visitor: Visitor) -> None:
    async def answer(store: Store) -> None:
        await store.add_attempt(SHOP, tried("old", at=NOON - timedelta(days=29)), event_id="old")

    visitor.store(answer)
    assert "not judged 1 checks (1)" in words(visitor.get("/answers"))


def test_the_scope_shows_projects_the_store_and_the_settings(visitor: Visitor) -> None:
    told = words(visitor.get("/scope"))
    for part in ("bank 1 0 0 0 0 0", "Store SQLite", "can be written", "max_entries 1000 default"):
        assert part in told


def test_another_project_is_another_address(visitor: Visitor) -> None:
    assert listed(visitor.get("/errors?project=bank")) == ["ref-bank"]
    assert 'href="/review?project=bank"' in visitor.get("/errors?project=bank")
    assert "cannot be used" in visitor.get("/?project=a/b", 400)


# --------------------------------------------------------------------- freshness


def test_what_needs_many_rows_is_read_again_after_a_minute(visitor: Visitor) -> None:
    assert "1 unresolved" in words(visitor.get("/"))

    async def ask(store: Store) -> None:
        for number in range(2):
            await store.log_lookup(SHOP, replace(asked(f"x{number}"), at=NOON))

    visitor.store(ask)
    assert "1 unresolved" in words(visitor.get("/"))
    visitor.clock[0] += timedelta(minutes=1)
    assert "2 unresolved" in words(visitor.get("/"))


def test_what_the_first_page_needs_is_read_beforehand_and_once_for_all_who_wait(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[str] = []
    waiting = views.waiting

    async def counted(services: Services) -> Sequence[ReviewItem]:
        reads.append("waiting")
        return await waiting(services)

    monkeypatch.setattr(views, "waiting", counted)
    services = visitor.services()

    async def two() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(visitor.dashboard.prepare, services)
            group.start_soon(visitor.dashboard.prepare, services)

    visitor.ask(two)
    assert "To review make: *** [clean] Error 2 6 waiting" in words(visitor.get("/"))
    assert reads == ["waiting"]


def test_a_read_that_failed_is_tried_again(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def gone(services: Services) -> Sequence[ReviewItem]:
        raise StoreUnavailable("the disk has gone", "plug it in")

    with monkeypatch.context() as patched:
        patched.setattr(views, "waiting", gone)
        services = visitor.services()
        visitor.ask(lambda: visitor.dashboard.prepare(services))
        assert "The disk has gone" in words(visitor.get("/review", 503))
    assert "make: *** [clean]" in words(visitor.get("/review"))


def test_a_store_that_cannot_be_used_is_a_page_that_says_so(visitor: Visitor) -> None:
    gone = StoreUnavailable("the disk has gone", "plug it in")

    async def close() -> None:
        await visitor.application.close()
        visitor.application._store = unavailable(gone)  # pyright: ignore[reportPrivateUsage]

    visitor.ask(close)
    assert "the disk has gone" in visitor.get("/errors", 503)
    visitor.application._store = None  # pyright: ignore[reportPrivateUsage]
