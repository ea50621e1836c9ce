"""The user's own words as a lesson: a comment on a vote that is worth reading again.

Rules: the words stay as the user wrote them, redacted and marked like every text. About an answer
they are a lesson of their own, needed when a question like its question comes back. About a lesson
that failed they are its next version, shown first; about one that helped they stand beside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reflection_mcp.store.interactions import Lookup
from reflection_mcp.store.records import (
    Attempt,
    Lesson,
    Observation,
    RecordResult,
    Reflection,
)
from reflection_mcp.tools.identity import text_signature
from reflection_mcp.tools.learning.reflector import LessonFacts, from_caller
from reflection_mcp.tools.learning.user_words import USER
from reflection_mcp.tools.ports import Services

IMPORTANCE, CONFIDENCE = 0.8, 0.9
MOST_QUESTIONS = 5  # of a conversation that was judged as a whole


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What the user spoke about: the question or error, its tags, and the lesson, if it was one."""

    texts: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    lesson: Reflection | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """The user's words as they were stored, and the id of the event that stored them."""

    result: RecordResult
    event_id: str

    @property
    def row(self) -> Reflection:
        """The lesson that holds them."""
        return self.result.reflection


def about_answers(attempts: Sequence[Attempt]) -> Subject:
    """Return what was answered, each question once."""
    questions = dict.fromkeys(attempt.question for attempt in attempts)
    tags = dict.fromkeys(tag for attempt in attempts for tag in attempt.tags)
    return Subject(texts=tuple(questions)[:MOST_QUESTIONS], tags=tuple(tags))


def about_look_up(lookup: Lookup) -> Subject:
    """Return the error that was looked up."""
    return Subject(texts=(lookup.summary,) if lookup.summary else ())


def about_lesson(row: Reflection) -> Subject:
    """Return what a lesson is needed for, and the lesson."""
    texts = dict.fromkeys((row.question, row.trigger, *row.situations, row.lesson))
    tags = tuple(tag for tag in row.tags if tag != "strategy")
    return Subject(
        texts=tuple(text for text in texts if text)[:MOST_QUESTIONS], tags=tags, lesson=row
    )


async def learn(
    services: Services, comment: str, subject: Subject, *, refutes: bool
) -> tuple[Learned, ...]:
    """Store the words of the user, and return what is stored now.

    Args:
        services: those of the call.
        comment: the words, redacted.
        subject: what they are about.
        refutes: whether they were said against it.

    Raises:
        StoreError: they cannot be stored.
    """
    row = subject.lesson
    told: list[Observation] = []
    if row is not None and row.scope == services.scope and (refutes or row.pattern is not None):
        told.append(_version(services, comment, row, refutes=refutes))
    if row is None or not refutes or row.scope != services.scope:
        told.append(_sighting(services, comment, subject))
    return tuple(
        [
            Learned(
                result=await services.store.record(services.scope, each), event_id=each.event_id
            )
            for each in told
        ]
    )


def _sighting(services: Services, comment: str, subject: Subject) -> Observation:
    """The words as a lesson of their own."""
    limit = services.limits.phrasing
    lines = (" ".join(text.split())[:limit].strip() for text in subject.texts)
    situations = tuple(dict.fromkeys(line for line in lines if line))
    facts = _facts(services, comment, subject, situations)
    observation = from_caller(facts, services.ids("ref"), None, None)
    assert observation is not None  # it has a lesson
    return observation


def _version(services: Services, comment: str, row: Reflection, *, refutes: bool) -> Observation:
    """The words as a version of the lesson that they are about."""
    facts = _facts(services, comment, Subject(texts=(row.question,)), ())
    observation = from_caller(facts, row.id, None, row)
    assert observation is not None  # it has a lesson
    reflection = replace(observation.reflection, kind=row.kind, signature=row.signature)
    return replace(
        observation,
        reflection=reflection,
        event_id=f"{observation.event_id}/{row.id}",
        keys=(),
        same_as=row.id,
        refutes=refutes,
        of_vote=True,
    )


def _facts(
    services: Services, comment: str, subject: Subject, situations: tuple[str, ...]
) -> LessonFacts:
    about = next(iter(subject.texts), "")
    return LessonFacts(
        scope=services.scope,
        source=f"{USER}:{services.caller.source}",
        at=services.clock(),
        event_id=f"{USER}/{services.caller.home}/{text_signature(f'{comment} {about}')}",
        question=about,
        lesson=Lesson(text=comment, situations=situations),
        tags=tuple(dict.fromkeys((USER, *subject.tags))),
        evidence="the user said so",
        importance=IMPORTANCE,
        confidence=CONFIDENCE,
    )
