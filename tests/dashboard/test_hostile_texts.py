"""Whatever others wrote into the store is text on every page, and never anything else.

Every field of every record holds a hostile text. Each page is read as a browser reads it: it may
hold the elements and attributes of its template, and nothing that came out of a text.
"""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from reflection_mcp.store.contract import Store
from reflection_mcp.store.interactions import Feedback
from reflection_mcp.store.maintenance import StoredReflection
from reflection_mcp.store.records import Check, Lesson, Link, Pattern, Wording
from reflection_mcp.tools.learning.fix_candidates import CANDIDATE
from tests.contract.samples import asked, learned, tried
from tests.dashboard.conftest import NOON, Open, Visitor
from tests.dashboard.hostile_texts import TEXTS
from tests.dashboard.invented import SHOP
from tests.requirements import requirement
from tests.rows import sample

ELEMENTS = frozenset(
    "html head meta title link script body a header nav span main div p form input button h1 h2 h3 "
    "ul li ol strong small svg path rect section table thead tbody tr th td aside label details "
    "summary textarea blockquote footer code article pre mark time q b kbd".split()
)
ATTRIBUTES = frozenset(
    "lang charset name content rel href src defer class id aria-label aria-current aria-sort role "
    "viewbox width height d preserveaspectratio method action type value form for rows required "
    "maxlength autocomplete tabindex open title scope colspan data-key data-actions hidden".split()
)
UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200d-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff]"
)


class Reader(HTMLParser):
    """What a browser sees of a page, and whatever it should not find there."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong: list[str] = []
        self.scripts: list[str | None] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ELEMENTS:
            self.wrong.append(f"<{tag}>")
        for name, value in attrs:
            if name not in ATTRIBUTES:
                self.wrong.append(f"{tag} {name}")
            if name in ("href", "src", "action") and not (value or "").startswith(
                ("/", "data:,", "#")
            ):
                self.wrong.append(f"{tag} {name}={value}")
        if tag == "script":
            self.scripts.append(dict(attrs).get("src"))

    def handle_comment(self, data: str) -> None:
        self.wrong.append(f"<!--{data[:20]}")


async def infest(store: Store) -> None:
    """A record of every kind for each text, with the text wherever somebody may have put it."""
    for number, text in enumerate(TEXTS):
        name = f"zqx{number}"
        row = learned(
            name, scope=SHOP, lesson=text, strategy=text, trigger=text, evidence=text, example=text,
            question=text, source=text, error_type=text[:60], category=text, tags=(text[:60],),
            situations=(text,), failed=2 * (number % 2), suspicious=number % 3 == 0,
            pattern=Pattern(version="sig2", lines=(f"4x {text}", "- <*>"), location=text),
            first_seen=NOON, last_seen=NOON,
            links=(Link(kind="same_tag", target_id=f"ref-zqx{(number + 1) % len(TEXTS)}"),),
            wordings=(
                Wording(lesson=Lesson(text=text, strategy=text), source=text, at=NOON),
                Wording(lesson=Lesson(text=f"{text} again"), source=text, at=NOON),
            ),
        )  # fmt: skip
        fix = replace(row, id=f"ref-fix{number}", signature=f"sig1:fix{number}", retired=True,
                      tags=(CANDIDATE,), suspicious=False, failed=0)  # fmt: skip
        await store.adopt(
            SHOP, [StoredReflection(reflection=row), StoredReflection(reflection=fix)]
        )
        for again in range(2):
            lookup = asked(f"{name}-{again}", signature=f"sig1:open{number}", summary=text)
            await store.log_lookup(SHOP, replace(lookup, at=NOON, source=text))
        shown = asked(f"{name}-shown", matched_id=row.id, shown=(row.id,), summary=text)
        await store.log_lookup(SHOP, replace(shown, at=NOON, source=text))
        vote = Feedback(kind="positive", at=NOON, source=text, target_id=row.id, comment=text)
        await store.apply_feedback(SHOP, vote)
        wrong = Check(kind=text[:40], status="wrong", quote=text, why=text)
        attempt = tried(
            name, question=text, checks=(wrong,), issues=(text,), judge=text[:40], quality=0.2,
            source=text, at=NOON,
        )  # fmt: skip
        await store.add_attempt(SHOP, attempt, event_id=name)


def read(page: str, scripts: int = 1) -> None:
    """See that nothing of a page came out of a text."""
    reader = Reader()
    reader.feed(page)
    assert reader.wrong == []
    assert reader.scripts == ["/static/dashboard.js"] * scripts
    assert UNSEEN.search(page) is None


@pytest.fixture
def infested(opened: Open) -> Visitor:
    visitor = opened(filled=False, last_visit=NOON.replace(hour=1))
    visitor.store(infest)
    return visitor


@requirement("dashboard:text-is-text")
def test_on_no_list_does_a_stored_text_become_anything_but_text(infested: Visitor) -> None:
    second = re.search(r'rel="next" href="([^"]+)"', infested.get("/errors"))
    assert second is not None
    for path in (
        *("/", "/errors", "/errors?order=failed", "/review", "/unresolved", "/answers", "/scope"),
        second[1].replace("&amp;", "&"),
    ):
        read(infested.get(path))


@requirement("dashboard:text-is-text")
def test_on_no_page_of_one_error_does_a_stored_text_become_anything_but_text(
    infested: Visitor,
) -> None:
    for number in sample(range(len(TEXTS)), 4):
        read(infested.get(f"/errors/ref-zqx{number}"))
        read(infested.get(f"/errors/ref-zqx{number}?all=1"))


@requirement("dashboard:text-is-text")
def test_what_is_asked_for_in_an_address_is_text_on_the_page_too(visitor: Visitor) -> None:
    for text in sample(TEXTS, 4):
        names = ("q", "state", "type", "tag", "order", "after", "done", "period")
        for asked_for in (names, ("q",)):
            given = {str(name): text[:400] for name in asked_for}
            read(visitor.http.get("/errors", params=given).text)
        refused = visitor.http.get("/", params={"project": text[:2000] or "x"})
        read(refused.text, scripts=1 if refused.status_code == 200 else 0)


@requirement("dashboard:text-is-text")
def test_what_is_typed_into_a_form_is_text_on_the_page_that_refuses_it(visitor: Visitor) -> None:
    for text in sample(TEXTS, 4):
        if len(text) < 4_000:
            fields = {
                "seen": "old",
                "lesson": text,
                "strategy": text,
                "tags": text,
                "situations": text,
            }
            read(visitor.post("/errors/ref-lock/edit", 409, **fields))


@requirement("dashboard:text-is-text")
def test_no_form_leads_to_another_site(visitor: Visitor) -> None:
    for back in ("//evil.example", "https://evil.example/", "/\\evil.example", "evil", "", "/a\nb"):
        answer = visitor.http.post(
            "/errors/ref-lock/retire",
            data={"token": visitor.token(), "back": back},
            headers={"sec-fetch-site": "same-origin"},
            follow_redirects=False,
        )
        assert answer.headers["location"].startswith("/?done=")
