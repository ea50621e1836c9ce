"""What was done on pages, in whatever order it is undone, leaves the store as it was."""

import random
import re
from datetime import timedelta
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.dashboard.conftest import OWN, Open, Visitor
from tests.dashboard.test_actions import contents, row, seen
from tests.requirements import requirement

ERRORS = ("ref-lock", "ref-price", "ref-never", "ref-always", "ref-nope")
COMMENTS = ("Look at the antivirus first.", "Close the cursor as well.")
WORDS = ("It is this one.", "It is that one.")
SETTLED = (
    "ref-always/confirm", "ref-always/reject", "ref-always/merge", "ref-never/reject",
    "ref-deps/confirm", "ref-clean/reject",
)  # fmt: skip


def sent(visitor: Visitor, path: str, **fields: str) -> tuple[int, str]:
    """The status of what answers a form in the end, and the undo that it offers."""
    visitor.clock[0] += timedelta(seconds=1)
    answer = visitor.http.post(
        path,
        data={"token": visitor.token(), "project": "shop", "back": "/errors", **fields},
        headers={"sec-fetch-site": "same-origin", "origin": OWN},
    )
    told = answer.text.partition('<main id="main">')[2].partition("What you changed")[0]
    offered = re.search(r'action="(/undo/[\w-]+)"', told)
    return answer.status_code, offered[1] if offered else ""


def acted(visitor: Visitor, chance: random.Random) -> tuple[int, str]:
    """The answer to one action of a person, whether or not it is possible just now."""
    name = chance.choice(ERRORS)
    vote = {"kind": chance.choice(("positive", "negative"))}
    what = chance.choice(("vote", "comment", "version", "edit", "retire", "restore", "settle"))
    if what == "settle":
        return sent(visitor, f"/review/{chance.choice(SETTLED)}")
    if what == "edit":
        known = row(visitor, name)
        fields = {"lesson": chance.choice((*WORDS, known.lesson)), "tags": ", ".join(known.tags)}
        fields["strategy"] = chance.choice((known.strategy, "Do it so."))
        return sent(visitor, f"/errors/{name}/edit", seen=seen(visitor, name), **fields)
    if what == "comment":
        vote["comment"] = chance.choice(COMMENTS)
    if what == "version":
        page = visitor.get(f"/errors/{name}")
        vote["about"] = chance.choice(["", *re.findall(rf'value="({name}\.\w+)"', page)])
    if what in ("retire", "restore"):
        return sent(visitor, f"/errors/{name}/{what}")
    return sent(visitor, f"/errors/{name}/verdict", **vote)


@requirement("dashboard:undo")
# Each example opens a store of its own.
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32), orderly=st.booleans())
def test_changes_are_undone_in_any_order(
    opened: Open, tmp_path: Path, seed: int, orderly: bool
) -> None:
    chance = random.Random(seed)
    name = f"{len(list(tmp_path.iterdir()))}.db"
    visitor, store = opened(name=name), tmp_path / name
    before, ways = contents(store), list[str]()
    for _ in range(chance.randrange(2, 7)):
        stood = contents(store)
        status, way = acted(visitor, chance)
        if status == 200 and not way and contents(store) != stood:
            before, ways = contents(store), []  # what has no undo is where the way back ends
        ways += [way] if way and status == 200 else []
    while ways:
        way = ways[-1] if orderly else chance.choice(ways)
        stood = contents(store)
        status, other = sent(visitor, way)
        if status == 409:  # something later stands in the way, and is offered
            assert not orderly and other in ways and contents(store) == stood
            continue
        assert status == 200
        ways.remove(way)
    kept = {"source", "event"}  # who has met a lesson is remembered
    after = contents(store)
    assert {n: r for n, r in after.items() if n not in kept} == {
        n: r for n, r in before.items() if n not in kept
    }
