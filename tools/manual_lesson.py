"""Use cases in which a person writes a lesson, or changes one, without any work to judge.

A lesson is stored as `reflect` stores it: under its error if it has one, its strategy as a row of
its own. What a changed lesson said before stays as one of its wordings; its strategy is retired
and restored with it.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace

from reflection_mcp.store.contract import Writes
from reflection_mcp.store.errors import StoreBusy
from reflection_mcp.store.maintenance import Change, StoredReflection
from reflection_mcp.store.records import JOINED, Key, Lesson, RecordResult, Reflection
from reflection_mcp.tools import intake
from reflection_mcp.tools.errors import InvalidInput, NotFound
from reflection_mcp.tools.identity import Fingerprint, fingerprint, text_signature
from reflection_mcp.tools.learning import reflector
from reflection_mcp.tools.learning.platitude import REFUSED, is_platitude
from reflection_mcp.tools.learning.stored_rows import rows_of, same_lesson
from reflection_mcp.tools.learning.user_words import said_by_user
from reflection_mcp.tools.ports import Limits, Services
from reflection_mcp.tools.recall.matching import ErrorMatch, known_here, with_past
from reflection_mcp.tools.untrusted import suspicion


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonDraft:
    """What a person wrote. `error`, and the signature under which it was `asked_as`, count only for
    a new lesson: by either it is found, since of a look-up no more than its summary is stored."""

    lesson: Lesson
    error: str = ""
    asked_as: str = ""
    tags: tuple[str, ...] = ()
    importance: float | None = None
    retired: bool = False


async def add_lesson(services: Services, draft: LessonDraft) -> Sequence[RecordResult]:
    """Store a new lesson, or count a known one again; return the rows as they are now.

    Raises:
        InvalidInput: the draft says nothing, or too much.
        StoreError: the store cannot be used; nothing was changed.
    """
    clean = _clean(draft, services.limits)
    seen = fingerprint(clean.error, None) if clean.error else None
    learned = reflector.LessonFacts(
        scope=services.scope,
        source=services.caller.source,
        at=services.clock(),
        event_id=services.ids("evt"),
        lesson=clean.lesson,
        error=clean.error,
        tags=clean.tags,
        importance=clean.importance,
    )
    known = await _known(services, clean, seen)
    observation = reflector.from_caller(
        learned, services.ids("ref"), seen, known.error, known.others
    )
    assert observation is not None, "there is a lesson"
    if known.error is None and seen is not None:
        observation = await with_past(services.store, services.scope, observation)
    if draft.asked_as not in ("", observation.reflection.signature):
        joined = Key(kind=JOINED, digest=draft.asked_as.rpartition(":")[2])
        observation = replace(observation, keys=(*observation.keys, joined))
    strategy_id = services.ids("str")

    def write(writes: Writes) -> list[RecordResult]:
        rows = [writes.record(observation)]
        strategy = reflector.strategy_of(learned, strategy_id, rows[0].reflection)
        return rows if strategy is None else [*rows, writes.record(strategy)]

    return await services.store.transaction(services.scope, write)


async def edit_lesson(
    services: Services, before: StoredReflection, draft: LessonDraft
) -> Reflection:
    """Change a lesson and the strategy that came with it; return the lesson as it is now.

    Args:
        services: the store and who is asking.
        before: the row that the person has seen, from `lesson_to_edit`.
        draft: what it is to say.

    Raises:
        InvalidInput: the draft says nothing, or too much.
        StoreBusy: others have changed the lesson since; nothing was changed.
        StoreError: the store cannot be used; nothing was changed.
    """
    clean = _clean(draft, services.limits, draft_of(before.reflection))
    after = _changed(before, clean, services)
    changes = [Change(before=before, after=after)]
    old = before.reflection
    strategy = clean.lesson.strategy
    if strategy and old.strategy and (strategy, clean.retired) != (old.strategy, old.retired):
        twin = await strategy_row(services, old)
        if twin is not None:
            lesson = Lesson(text=strategy, situations=twin.reflection.situations)
            said = replace(clean, lesson=lesson, tags=twin.reflection.tags, importance=None)
            changes.append(Change(before=twin, after=_changed(twin, said, services)))
    if await services.store.rewrite(services.scope, changes):
        raise StoreBusy("the lesson was changed meanwhile", "nothing was changed; edit it again")
    return after.reflection


def draft_of(row: Reflection) -> LessonDraft:
    """What of a lesson can be edited, as it is now."""
    return LessonDraft(
        lesson=Lesson(text=row.lesson, strategy=row.strategy, situations=row.situations),
        tags=row.tags,
        importance=row.importance,
        retired=row.retired,
    )


async def lesson_to_edit(services: Services, lesson_id: str) -> StoredReflection:
    """The row with this id.

    Raises:
        NotFound: no lesson of this very project has the id.
    """
    rows = await services.store.stored(services.scope, limit=1, only=lesson_id)
    if not rows:
        raise NotFound(
            "no lesson of this project has this id",
            "`list` prints ids; for a lesson of every project, pass --project global",
        )
    return rows[0]


async def _known(services: Services, draft: LessonDraft, seen: Fingerprint | None) -> ErrorMatch:
    if seen is not None and not seen.unusable:
        return await known_here(services.store, services.scope, seen)
    digest = text_signature(draft.lesson.text).rpartition(":")[2]
    return ErrorMatch(error=await same_lesson(services.store, services.scope, digest))


def _clean(draft: LessonDraft, limits: Limits, stands: LessonDraft | None = None) -> LessonDraft:
    """The draft, cleaned where it differs from what stands; that has been cleaned before."""
    lesson, tags = draft.lesson, draft.tags
    if stands is None or lesson.situations != stands.lesson.situations:
        lesson = intake.lesson(lesson, limits)
    else:
        texts = intake.lesson(replace(lesson, situations=()), limits)
        lesson = replace(texts, situations=lesson.situations)
    if not lesson.text:
        raise InvalidInput("the lesson says nothing", "write at least one sentence")
    if is_platitude(lesson.text):
        raise InvalidInput("the lesson was not kept", f"it {REFUSED}")
    return replace(
        draft,
        lesson=lesson,
        error=intake.error_text(draft.error, limits.error).strip(),
        importance=intake.share("importance", draft.importance),
        tags=intake.tags(tags, limits) if stands is None or tags != stands.tags else tags,
    )


def _changed(row: StoredReflection, draft: LessonDraft, services: Services) -> StoredReflection:
    old = row.reflection
    lesson = draft.lesson
    helped, failed, source, author = old.helped, old.failed, old.source, row.author
    changed = (lesson.text, lesson.strategy) != (old.lesson, old.strategy)
    if changed:
        if not said_by_user(old.source):  # who corrects the user's words leaves them the user's
            source = author = services.caller.source
        # Nobody has tried new words yet; words that were said before come back with their votes.
        known = [each for each in old.wordings if each.words == (lesson.text, lesson.strategy)]
        helped = max((each.helped for each in known), default=0)
        failed = max((each.failed for each in known), default=0)
    texts = (lesson.text, lesson.strategy, *lesson.situations)
    reflection = replace(
        old,
        lesson=lesson.text,
        strategy=lesson.strategy,
        tags=draft.tags,
        situations=lesson.situations,
        importance=old.importance if draft.importance is None else draft.importance,
        retired=draft.retired,
        suspicious=bool(suspicion("\n".join(texts))),
        source=source,
        helped=helped,
        failed=failed,
    )
    if changed:
        before = old.wording(row.author or old.source, old.first_seen)
        unsaid = before.key not in {each.key for each in old.wordings}
        now = reflection.wording(author, services.clock())
        said = [
            each for each in (*old.wordings, *((before,) if unsaid else ())) if each.key != now.key
        ]
        reflection = replace(reflection, wordings=(*said, now))
    return replace(row, reflection=reflection, author=author)


async def strategy_row(services: Services, lesson: Reflection) -> StoredReflection | None:
    """The row of the strategy that belongs to this lesson alone, or None."""
    async for row in _rows_saying(services, lesson.strategy, everywhere=lesson.retired):
        links = row.reflection.links
        lessons = {link.target_id for link in links if link.kind == "strategy_of"}
        if row.reflection.kind == "strategy" and lessons == {lesson.id}:
            return row
    return None


async def _rows_saying(
    services: Services, text: str, *, everywhere: bool
) -> AsyncIterator[StoredReflection]:
    """The rows that may hold a text. What is retired is under no key: it is found `everywhere`."""
    if everywhere:
        async for row in rows_of(services.store, services.scope):
            yield row
        return
    digest = text_signature(text).rpartition(":")[2]
    for hit in await services.store.find(services.scope, [digest]):
        for row in await services.store.stored(services.scope, limit=1, only=hit.reflection.id):
            yield row
