"""Renewal of stored errors' signatures by the rules of this version.

Rules: the raw text that is stored with an error decides, by the rules of now; where it was cut, the
line that names the error replaces the rest. Nothing is lost: counters, feedback, lessons and
earlier keys stay, and the log of an old signature moves to the new one. Rows are changed a few at a
time, each time in one transaction, so that after an interruption or beside another process every
row is either done or unchanged.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reflection_mcp.store.contract import Store
from reflection_mcp.store.maintenance import Change, StoredReflection
from reflection_mcp.store.merging import both_keys
from reflection_mcp.store.records import Key, Reflection, Scope
from reflection_mcp.tools.identity import EXAMPLE, SIGNATURE_VERSION, Fingerprint, fingerprint
from reflection_mcp.tools.learning.fix_candidates import CANDIDATE
from reflection_mcp.tools.learning.progress import Stage, no_stage
from reflection_mcp.tools.learning.stored_rows import rows_of

BATCH = 50  # rows of one transaction: a fifth of a second of others' waiting at the most
_CURRENT = f"{SIGNATURE_VERSION}:"


@dataclass(frozen=True, slots=True)
class Renewal:
    """The number of rows with a new signature, and of those that could not get one."""

    renewed: int = 0
    left: int = 0


def is_outdated(row: Reflection) -> bool:
    """Return True if a row is an error signed by the rules of an earlier version."""
    if not row.example:
        return False
    if row.pattern is not None:
        return row.pattern.version != SIGNATURE_VERSION
    return bool(_signatures_in_tags(row))


def _signatures_in_tags(row: Reflection) -> list[str]:
    """Return the old signatures by which a candidate for a fix names its error."""
    if CANDIDATE not in row.tags:
        return []
    return [tag for tag in row.tags if ":" in tag and tag[:3] == "sig" and not is_current(tag)]


def is_current(signature: str) -> bool:
    """Return True if the rules of this version made a signature."""
    return signature.startswith(_CURRENT)


def renewal_change(row: StoredReflection) -> Change | None:
    """Return the change that renews a row's signature; None if its text is no error any more.

    The signature of a row that a person separated from another one was not made from its text; it
    stays.
    """
    old = row.reflection
    seen = fingerprint(_text_of(old))
    if seen.unusable:
        return None
    if old.pattern is None:
        tags = (seen.signature if tag in _signatures_in_tags(old) else tag for tag in old.tags)
        return Change(before=row, after=replace(row, reflection=replace(old, tags=tuple(tags))))
    located = [key.digest for key in row.keys if key.kind == "located"]
    own = old.signature.rpartition(":")[2] in located
    version = old.pattern.version
    names = [old.signature] if own else [f"{version}:{digest}" for digest in located]
    pattern = seen.pattern
    if _is_cut(old):  # the innermost frame was in what is gone
        pattern = replace(pattern, location=old.pattern.location)
    after = replace(old, pattern=pattern, signature=seen.signature if own else old.signature)
    return Change(
        before=row,
        after=replace(row, reflection=after, keys=_keys(row, seen), features=seen.features),
        renamed=tuple((name, seen.signature) for name in names),
    )


def _is_cut(row: Reflection) -> bool:
    """Return True if the line that names an error is in the part of its text that is not stored."""
    return len(row.example) >= EXAMPLE and row.trigger not in row.example


def _text_of(row: Reflection) -> str:
    """Return the raw text of an error, with the line that names it where the end was cut off."""
    return f"{row.example}\n{row.trigger}" if _is_cut(row) else row.example


def _keys(row: StoredReflection, seen: Fingerprint) -> tuple[Key, ...]:
    return tuple(both_keys(row.keys, seen.keys))


async def count_outdated(store: Store, scope: Scope) -> int:
    """Count the errors of exactly this scope that an earlier version signed.

    Raises:
        StoreError: the store cannot be read.
    """
    return sum([is_outdated(row.reflection) async for row in rows_of(store, scope)])


async def renew(store: Store, scope: Scope, stage: Stage = no_stage) -> Renewal:
    """Renew every signature of exactly this scope that an earlier version made.

    Raises:
        StoreError: the store cannot be used; what was done before stays done.
    """
    done, left, batch = 0, 0, list[Change]()
    async for row in rows_of(store, scope, stage, f"reading {scope.project}"):
        if not is_outdated(row.reflection):
            continue
        change = renewal_change(row)
        left += change is None
        batch += [change] if change else []
        if len(batch) == BATCH:
            done, batch = done + await _carried_out(store, scope, batch), []
    return Renewal(renewed=done + await _carried_out(store, scope, batch), left=left)


async def renew_one(store: Store, scope: Scope, row_id: str) -> None:
    """Renew the signature of one error of exactly this scope, if possible.

    Raises:
        StoreError: the store cannot be used; nothing was changed.
    """
    for row in await store.stored(scope, only=row_id):
        if change := renewal_change(row):
            await _carried_out(store, scope, [change])


async def _carried_out(store: Store, scope: Scope, changes: Sequence[Change]) -> int:
    """Apply as many of the changes as possible; return how many.

    A row whose new signature another one has keeps its own: both are found by their keys. A row
    that another process has changed meanwhile is skipped.
    """
    if not changes or not await store.rewrite(scope, changes):
        return len(changes)
    done = 0
    for change in changes:
        kept = replace(change.after.reflection, signature=change.before.reflection.signature)
        for each in (change, replace(change, after=replace(change.after, reflection=kept))):
            if not await store.rewrite(scope, [each]):
                done += 1
                break
    return done
