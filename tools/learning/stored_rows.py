"""The rows of a store: each of them, the one with an id, the one that took a lesson over."""

from collections.abc import AsyncIterator

from reflection_mcp.store.contract import Store
from reflection_mcp.store.interactions import Lookup
from reflection_mcp.store.maintenance import StoredReflection
from reflection_mcp.store.records import Attempt, Lesson, Reflection, Scope
from reflection_mcp.tools.learning import duplicates, query_ranking
from reflection_mcp.tools.learning.contradiction import contradict
from reflection_mcp.tools.learning.progress import Stage, no_stage

PAGE = 500  # rows that are read at once; 1 MB or so
SEARCHED, COMPARED = 32, 25  # words of a lesson, and rows with them, that may say the same


async def count_rows(store: Store, scope: Scope) -> int:
    """Return the number of rows of exactly this scope, retired ones too."""
    return await store.count(scope, "reflection") + await store.count(scope, "strategy")


async def rows_of(
    store: Store, scope: Scope, stage: Stage = no_stage, what: str = "reading"
) -> AsyncIterator[StoredReflection]:
    """Yield every row of exactly this scope, retired ones too, by id; one page in memory at a
    time."""
    progress = stage(what, await count_rows(store, scope))
    last, done = "", 0
    while page := await store.stored(scope, after=last, limit=PAGE):
        for row in page:
            yield row
        last, done = page[-1].reflection.id, done + len(page)
        progress(done)


async def record_of(
    store: Store, scope: Scope, record_id: str
) -> Reflection | Attempt | Lookup | None:
    """Return the record with this id that the scope can read, of whatever kind, or None."""
    return (
        await store.reflection(scope, record_id)
        or await store.attempt(scope, record_id)
        or await store.lookup(scope, record_id)
    )


async def same_lesson(store: Store, scope: Scope, digest: str) -> Reflection | None:
    """Return the living row of this scope that took over what was stored under a digest, if any.

    A lesson that was merged into another one is retired and keeps its signature; its key leads to
    the row that stayed, which is the one to count when the same lesson is given again.
    """
    hits = await store.find(scope, [digest])
    own = [hit.reflection for hit in hits if hit.reflection.scope == scope]
    return own[0] if own else None


async def lessons_beside(
    store: Store, scope: Scope, lesson: Lesson
) -> tuple[Reflection | None, Reflection | None]:
    """Return the living lesson of exactly this scope that says the same in other words, and if
    there is none, one that says the opposite, if any.

    The lesson of an error belongs to its error, whatever other lessons say.
    """
    words = query_ranking.searched_words(query_ranking.parse_query(lesson.text))[:SEARCHED]
    found = await store.search(scope, words, limit=COMPARED) if words else ()
    own = (row for row, _ in found if row.scope == scope and row.kind == "reflection")
    free = [row for row in own if row.pattern is None and not (row.error_type or row.suspicious)]
    same = next((row for row in free if duplicates.says_the_same(row, lesson)), None)
    if same is not None:
        return same, None
    return None, next((row for row in free if contradict(row.lesson, lesson.text)), None)
