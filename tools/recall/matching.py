"""The stored error that matches a text, minus those that a person said are different.

Rules of this module: `exact` and `same` are proved by `identity` from what the store finds. What
was parted stays parted, by a person or by what the errors say: the one is never taken for the
other, and what is learned of one is never written over what was learned of the other.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from reflection_mcp.store.contract import Store
from reflection_mcp.store.records import JOINED, Hit, Key, Observation, Reflection, Scope
from reflection_mcp.tools.identity import (
    Fingerprint,
    Recognition,
    nearest,
    recognise_by_keys,
    recognise_by_likeness,
)

SHORTLIST = 16  # candidates that are verified; on the development corpus 12 find what 30 find


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorMatch:
    """The stored error of this project that a text is, if there is one; `others` are the ids of
    those that it is not although their signature may be its own. Of a lesson without an error it is
    the one that says the same, and `against` one that says the opposite."""

    error: Reflection | None = None
    against: Reflection | None = None
    others: frozenset[str] = frozenset()


async def recognise(
    store: Store, scope: Scope, seen: Fingerprint, *, describes: bool = True, kept: bool = False
) -> Recognition:
    """Find the stored error that this one is: by its keys, else by likeness to a shortlist; else
    what is similar, unless nobody asks for a description. `kept` as in `recognise_by_keys`.

    Each step is taken only when those before it decide nothing: the keys that few errors share,
    the keys that many do, the words. A text that reads rather like what was said to be another
    error than like what has been learned since is neither: that would be a guess.

    Raises:
        StoreError: the store cannot be read.
    """
    if seen.unusable:
        return Recognition(verdict="new", match=None, why=seen.unusable, similar=())
    found = await _by_keys(store, scope, seen, seen.signature, kept=kept)
    match = found.match if found else None
    if found and match and match.signature == seen.signature:
        return found  # nothing was parted from it: what is learned after that has another one
    taken_back_by = await store.vetoes(scope, seen.signature)
    if found and match:
        rather = await _parted(store, scope, seen, match, taken_back_by)
        if rather is None:
            return found
        return Recognition(verdict="new", why=_why_new(taken_back_by[rather.id]))
    shortlist = await store.shortlist(scope, seen.features, limit=SHORTLIST)
    likely = recognise_by_likeness(seen, shortlist, frozenset(taken_back_by), describes=describes)
    if likely.match is None and taken_back_by:
        return replace(likely, why=_why_new(*taken_back_by.values()))
    return likely


async def known_here(store: Store, scope: Scope, seen: Fingerprint) -> ErrorMatch:
    """What is known in this project of an error about which something is to be kept.

    A lesson of the tenant's global project is read here and counted there.

    Raises:
        StoreError: the store cannot be read.
    """
    found = await recognise(store, scope, seen, describes=False, kept=True)
    if found.match is not None and found.match.scope == scope:
        return ErrorMatch(error=found.match)
    hits = await store.find(scope, [seen.signature.rpartition(":")[2]])
    parted = await store.vetoes(scope, seen.signature)
    own = [hit for hit in hits if hit.reflection.scope == scope]
    like = [hit for hit in own if recognise_by_keys(seen, [hit], kept=True) is not None]
    if found.match is not None:
        own = [hit for hit in own if hit not in like]
    elif any(hit.reflection.id not in parted for hit in like):
        # another call may have kept it just now
        found = await recognise(store, scope, seen, describes=False, kept=True)
        if found.match is not None and found.match.scope == scope:
            return ErrorMatch(error=found.match)
    return ErrorMatch(others=frozenset((*parted, *(hit.reflection.id for hit in own))))


async def with_past(
    store: Store, scope: Scope, learned: Observation, *, now: bool = False
) -> Observation:
    """What is learned first of an error, with how often that was met before.

    A host with hooks tells of a failure that the assistant then reports, so that the larger of both
    numbers is what is known for certain. `now` says that this meeting is not stored yet.

    Raises:
        StoreError: the store cannot be read.
    """
    past = await store.met(scope, learned.reflection.signature)
    times = max(len(past.attempts) + now, past.occurred)
    return replace(learned, met_before=max(0, times - 1))


async def _by_keys(
    store: Store, scope: Scope, seen: Fingerprint, signature: str = "", *, kept: bool = False
) -> Recognition | None:
    """By the keys, leaving out what was said not to be the error with this signature."""

    async def by(keys: Sequence[Key]) -> Recognition | None:
        digests = [key.digest for key in keys]
        hits = await store.find(scope, digests, signature=signature, limit=SHORTLIST)
        found = recognise_by_keys(seen, hits, kept=kept) or _said_to_be(hits)
        return found and replace(found, beside=_beside(seen, found, hits))

    found = await by(seen.exact_keys)
    if found is None or not scope.person or found.beside:
        return found or await by(seen.loose_keys)
    # Others may have met it in a little other words.
    loosely = await by(seen.loose_keys)
    rows = (loosely.match, *loosely.beside) if loosely else ()
    beside = (row for row in rows if row and found.match and row.scope != found.match.scope)
    return replace(found, beside=tuple(beside))


def _beside(seen: Fingerprint, found: Recognition, hits: Sequence[Hit]) -> tuple[Reflection, ...]:
    """The same error as it is known in other places than that of the match."""
    home = found.match.scope if found.match else None
    places = dict.fromkeys(hit.reflection.scope for hit in hits)
    each = (
        recognise_by_keys(seen, [hit for hit in hits if hit.reflection.scope == place])
        for place in places
        if place != home
    )
    return tuple(one.match for one in each if one and one.match)


def _said_to_be(hits: Sequence[Hit]) -> Recognition | None:
    """The stored error that somebody called the same, when asked."""
    joined = (hit.reflection for hit in hits if hit.key.kind == JOINED)
    match = next(joined, None)
    if match is None:
        return None
    return Recognition(verdict="same", match=match, why="somebody said that it is the same")


async def _parted(
    store: Store, scope: Scope, seen: Fingerprint, match: Reflection, ids: Collection[str]
) -> Reflection | None:
    """Of what a person parted from this signature what the text is as surely, and is nearer to."""
    found = await _by_keys(store, scope, seen) if ids else None
    rather = found.match if found else None
    nearer = rather and nearest(seen.text, (match, rather)) is rather
    return rather if rather and rather.id in ids and nearer else None


def _why_new(*taken_back_by: str) -> str:
    """Why an error that was answered once is new, and the way back when a person was mistaken."""
    why = "somebody said that what is known about it belongs to another error"
    way_back = next((lookup for lookup in taken_back_by if lookup), "")
    return f"{why}; record_feedback positive with {way_back} takes that back" if way_back else why
