"""Whatever is done to two stores in the same order, they give the same answers."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from reflection_mcp.store.contract import Store
from reflection_mcp.store.interactions import FeedbackKind
from reflection_mcp.store.interactions import Step as Done
from reflection_mcp.store.open import open_store
from reflection_mcp.store.records import Link, Reflection
from tests.contract.samples import (
    EVERYWHERE,
    HERE,
    MINE,
    THERE,
    asked,
    at,
    learned,
    met,
    said,
    tried,
)
from tests.postgres_server import emptied

Step = Callable[[Store], Awaitable[object]]

SCOPES = (HERE, THERE, EVERYWHERE, MINE)
TODAY = at(0).date()
_scopes = st.sampled_from(SCOPES)
_names = st.sampled_from("abc")
_minutes = st.integers(0, 3)
_people = st.sampled_from(["ann", "bob"])
_texts = st.sampled_from(["", "wait", "retry later"])
_opinions: st.SearchStrategy[FeedbackKind] = st.sampled_from(
    ["positive", "negative", "wrong_match", "forget"]
)
_subsets = st.lists(_names, max_size=2, unique=True).map(tuple)
_ids = [f"{kind}-{x}{s.project}" for kind in ("ref", "att", "look") for x in "abc" for s in SCOPES]
_references_of_all = [each for each in _ids if each.startswith("ref")]
_references = st.sampled_from(_references_of_all)
_many = st.lists(_references, max_size=2, unique=True).map(tuple)


@st.composite
def _reflections(draw: st.DrawFn) -> Reflection:
    name = draw(_names)
    return learned(
        name,
        minute=draw(_minutes),
        kind=draw(st.sampled_from(["reflection", "strategy"])),
        signature=f"sig1:{draw(_names)}",
        lesson=draw(_texts),
        strategy=draw(_texts),
        trigger=draw(_texts),
        importance=draw(st.sampled_from([0.25, 0.5, 0.75])),
        tags=draw(_subsets),
        suspicious=draw(st.booleans()),
        retired=draw(st.sampled_from([False, False, True])),
        links=tuple(Link(kind="same_tag", target_id=x) for x in draw(_many)),
    )


@st.composite
def _recordings(draw: st.DrawFn) -> Step:
    scope = draw(_scopes)
    reflection = draw(_reflections())
    observation = met(
        replace(reflection, id=f"ref-{reflection.id[4:]}{scope.project}"),
        draw(st.sampled_from("123456")),
        by=draw(_people),
        keys=draw(_subsets),
        features=tuple(map(ord, draw(_subsets))),
        same_as=draw(st.none() | _references),
    )

    async def step(store: Store) -> object:
        try:
            return await store.record(scope, observation)
        except ValueError as refusal:
            return str(refusal)

    return step


@st.composite
def _other_writings(draw: st.DrawFn) -> Step:
    scope, name, minute = draw(_scopes), draw(_names), draw(_minutes)
    match draw(st.sampled_from(["try", "ask", "do", "say", "move", "forget"])):
        case "try":
            attempt = tried(
                f"{name}{scope.project}", minute=minute, quality=draw(st.none() | st.just(0.5))
            )
            return lambda store: store.add_attempt(scope, attempt, event_id=name)
        case "ask":
            lookup = asked(
                f"{draw(_names)}{scope.project}",
                signature=f"sig1:{name}",
                minute=minute,
                shown=draw(_many),
                matched_id=draw(st.none() | _references),
            )
            return lambda store: store.log_lookup(scope, lookup)
        case "do":
            day = 24 * 60 * draw(st.sampled_from([0, 4, 8]))
            done = Done(
                id=draw(_names), conversation_id=name, at=at(day), tool="Bash", told=draw(_texts)
            )
            return lambda store: store.add_step(scope, done)
        case "say":
            kind = draw(_opinions)
            target = draw(st.none() | st.sampled_from(_ids))
            feedback = said(kind, target, conversation=None if target else "talk", by=draw(_people))
            return lambda store: store.apply_feedback(scope, feedback)
        case "move":
            wanted, project = draw(_many), draw(_scopes).project
            return lambda store: store.move(scope, wanted, project)
        case _:
            target = draw(st.sampled_from(_ids))
            return lambda store: store.forget(scope, target)


async def _everything(store: Store) -> list[object]:
    """All that the store answers, except for relevance, which is each backend's own affair."""
    answers: list[object] = []
    for scope in SCOPES:
        answers += [
            await store.stats(scope),
            list(await store.attempts(scope, limit=50)),
            list(await store.unresolved(scope)),
            list(await store.find(scope, ["a", "b", "c"])),
            list(await store.shortlist(scope, [97, 98, 99])),
            {row.id for row, _ in await store.search(scope, ["wait", "later"])},
            list(await store.activity(scope, TODAY, TODAY)),
            await store.daily_lookups(scope, _references_of_all, since=at(1)),
            await store.track_records(scope, since=at(1)),
            list(await store.lookups(scope)),
            list(await store.votes(scope)),
        ]
        for order in ("newest", "most_met", "importance"):
            found = await store.reflections(scope, order=order, include_retired=True, limit=50)
            answers.append(list(found))
            rest = await store.reflections(scope, order=order, after=found[0] if found else None)
            answers.append(list(rest))
        for name in "abc":
            answers.append(await store.vetoes(scope, f"sig1:{name}"))
            answers.append(list(await store.steps(scope, name)))
            answers.append([row.id for row in await store.reflections(scope, tags=[name])])
        for each in _ids:
            answers.append(await store.reflection(scope, each))
            answers.append(await store.lookup(scope, each))
    return [*answers, await store.places(HERE.tenant)]


async def _play(location: str, steps: Sequence[Step]) -> tuple[list[Any], list[object]]:
    store = await open_store(location)
    try:
        return [await step(store) for step in steps], await _everything(store)
    finally:
        await store.close()


@settings(max_examples=12)
@given(st.lists(st.one_of(_recordings(), _recordings(), _other_writings()), max_size=14))
def test_a_database_gives_the_same_answers(postgres_tables: str, steps: list[Step]) -> None:
    remembered = asyncio.run(_play("memory:", steps))
    assert asyncio.run(_play(emptied(postgres_tables), steps)) == remembered
