"""The result of `reflect`: what was found and stored, what is asked of the caller, and notes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from reflection_mcp.store.records import Check, Score
from reflection_mcp.tools.identity import Fingerprint
from reflection_mcp.tools.judging.dispute import is_one, unknown
from reflection_mcp.tools.judging.scoring import Evaluation, Tried
from reflection_mcp.tools.judging.verification.questions import Question, questions_for
from reflection_mcp.tools.reflect.lesson_extraction import ExtractedLesson
from reflection_mcp.tools.reflect.persist import SavedReflection
from reflection_mcp.tools.reflect.request import ReflectRequest, is_episode
from reflection_mcp.tools.untrusted import presentable, quoted, suspicion

QUESTIONS = 5  # more are not answered with care
SITUATIONS = (
    "situations: 5 to 10 short phrases for when it is needed, in other words: symptoms, goals, key "
    "words"
)
"""What is asked of the caller, who alone knows more words for it than the lesson has."""
AGAIN = (
    "the same call as {} within two minutes, with the same arguments: it was judged again, and "
    "counts once"
)
ID_SHOWN = 40  # characters of an id that nobody gave out


@dataclass(frozen=True, slots=True, kw_only=True)
class ReflectResult:
    """The result. `skipped` is the reason why nothing was reflected on, or empty; `lesson_tried`
    are the models that were asked for a lesson. `lost` says why what was handed in to be kept is
    not kept, empty when it is or when there was nothing of the kind.

    `solved_again` is the id of the lesson of an error that was known and is solved once more.
    For an episode `criteria` has a score for each of five, and `candidate_fix` the steps that stood
    between a failure and the success of the same action.
    """

    mode: str
    attempt_id: str | None = None
    iteration: int = 0
    skipped: str = ""
    evaluation: Evaluation = field(default_factory=Evaluation)
    questions: tuple[Question, ...] = ()
    kept: tuple[SavedReflection, ...] = ()
    not_kept: str = ""
    lost: str = ""
    asked_of_caller: tuple[str, ...] = ()
    solved_again: str = ""
    criteria: Mapping[str, Score] = field(default_factory=dict[str, Score])
    candidate_fix: tuple[str, ...] = ()
    lesson_tried: tuple[Tried, ...] = ()
    notes: tuple[str, ...] = ()


def open_questions(request: ReflectRequest, evaluation: Evaluation) -> tuple[Question, ...]:
    """Questions by which the caller may verify an answer that nobody judged."""
    judged = any(t.ok and t.name != "caller" for t in evaluation.sources_tried)
    if is_episode(request) or request.error:
        return ()  # what happened is told; a guess at it proves nothing
    if judged or evaluation.flaws or request.verification_answers or not request.answer.strip():
        return ()
    return questions_for(request.case, limit=QUESTIONS)


def answer_notes(request: ReflectRequest) -> tuple[str, ...]:
    """A line about answers to questions that nobody asked: they were compared with nothing."""
    asked = {question.id for question in questions_asked(request)}
    strays = [presentable(id, ID_SHOWN) for id in request.verification_answers if id not in asked]
    if not strays:
        return ()
    known = f"; asked was {', '.join(sorted(asked))}" if asked else "; nothing was asked"
    return (f"no question of this answer has the id {', '.join(strays)}{known}",)


def questions_asked(request: ReflectRequest) -> tuple[Question, ...]:
    """The questions that `verification_answers` may answer."""
    if not request.verification_answers:
        return ()
    return questions_for(request.case, limit=QUESTIONS)


def asked_of_caller(
    request: ReflectRequest, seen: Fingerprint | None, checks: Sequence[Check]
) -> tuple[str, ...]:
    """What only the caller can say, when an episode came without it.

    After a run that failed it is asked what went wrong, whatever the answer says.
    """
    if not (request.outcome or seen or request.events):
        return ()
    asked: list[str] = []
    failed = request.outcome in ("failure", "error", "timeout") or seen is not None
    if request.outcome != "success":
        ran = (check for check in checks if check.kind.startswith("evidence:"))
        failed = failed or any(check.status == "wrong" for check in ran)
    if not request.lesson.text or suspicion(request.lesson.text):
        asked.append(
            "lesson: one sentence, what you would have wanted to be told beforehand, and why"
            if failed
            else "lesson: one sentence, what worked and why"
        )
    if not request.lesson.strategy:
        asked.append("strategy: one sentence, what to do next time, and when")
    if asked and not request.lesson.situations:
        asked.append(SITUATIONS)
    return tuple(asked)


def extraction_note(extracted: ExtractedLesson) -> str:
    """A line that says whose words the lesson is in."""
    text = quoted(presentable(extracted.lesson.text))
    return f"the lesson is in the words of {extracted.told_by}: {text}"


def dispute_notes(request: ReflectRequest, checks: Sequence[Check]) -> tuple[str, ...]:
    """A line on what was disputed and is no finding, or was disputed without a reason."""
    notes: list[str] = []
    if missing := unknown(checks, request.disputed):
        names = ", ".join(quoted(presentable(name, ID_SHOWN)) for name in missing)
        notes.append(f"`disputed` names ids that no finding of this answer has: {names}")
    if not all(map(is_one, request.disputed.values())):
        notes.append("a finding is disputed only with a reason: pass one sentence")
    return tuple(notes)
