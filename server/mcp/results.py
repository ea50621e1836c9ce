"""The results of the five tools as a client gets them, each as structure and as text.

The fields of a class are the structure, and its schema is what `tools/list` shows; `lines` are the
text. Some hosts show a model only the one, others only the other: both have the news and the next
step. Rules of the text: the news first, in one sentence; then only what the next step needs. No
fact twice, no score that nobody gave, nothing that the caller has just sent. A part of a list is
one line, whatever a source wrote into it: a line of its own is the server speaking. Programs find
the rest in the structure. Whatever leaves passes `visible`, but for an answer, which a caller gets
back to the letter.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import ClassVar, Literal, Self, cast

from mcp_types import CallToolResult, TextContent
from pydantic import Field
from pydantic_core import to_json

from reflection_mcp.server.mcp.parts import (
    STORED_TEXT,
    AdviceView,
    AlsoSaidView,
    CandidateView,
    Finding,
    IssueView,
    Json,
    Listed,
    LookAlikeView,
    NeighbourView,
    Part,
    QuestionView,
    SavedView,
    ScoreView,
    Share,
    StepView,
    Stored,
    TriedView,
    UnresolvedView,
    WithheldView,
)
from reflection_mcp.server.wording import counted, times
from reflection_mcp.tools.untrusted import in_one_line, visible

NOTES = "notes"
TO_THE_LETTER = ("answer", "loop")
TRIMMED = "left out to keep this short: {}; ask for fewer, or for details of one"


class Result(Part):
    """Base: a result in both views."""

    COUNT: ClassVar[str] = ""
    COUNTED: ClassVar[tuple[str, ...]] = ()
    """A field that says how many were found and are not in these lists, and the lists; a list that
    is shortened raises it."""

    @abstractmethod
    def lines(self) -> Iterator[str]:
        """Return the text as lines."""

    def text(self) -> str:
        """Return the text view."""
        return "\n".join(visible(in_one_line(line)) for line in self.lines())

    def structure(self) -> dict[str, Json]:
        """Return the structured view; an answer is in it to the letter."""
        exact = {name: getattr(self, name) for name in TO_THE_LETTER if getattr(self, name, None)}
        return super().structure() | exact

    def both_views(self, limit: int, text: str | None = None) -> CallToolResult:
        """Return the result as text and as structure.

        Args:
            limit: the most characters of the structure; its longest lists are shortened until it
                fits, and a note says so. Hosts cut long results in the middle, or put them into a
                file the model never opens; one that is shortened keeps its head and its advice.
            text: another text than its own.
        """
        result, structure = self, self.structure()
        removed: Counter[str] = Counter()
        while len(to_json(structure).decode()) > limit and (longest := result.longest_list()):
            shorter = getattr(result, longest)[:-1]
            result = result.model_copy(update={longest: shorter})
            removed[longest] += 1
            structure = result.structure()
        if removed:
            result = result.without(removed)
            structure = result.structure()
        text = result.text() if text is None else text
        return CallToolResult(
            content=[TextContent(type="text", text=text)], structured_content=structure
        )

    def longest_list(self) -> str:
        """Return the name of the longest list that could lose an item, or an empty text."""
        lists = {n: cast("list[object]", v) for n, v in self if isinstance(v, list)}
        long = [name for name, items in lists.items() if len(items) > 1]
        return max(long, key=lambda name: len(repr(lists[name])), default="")

    def without(self, removed: Counter[str]) -> Self:
        """Return the same, and what was left out of its lists."""
        changed: dict[str, object] = {}
        if uncounted := sum(removed[name] for name in self.COUNTED):
            changed[self.COUNT] = getattr(self, self.COUNT) + uncounted
        if NOTES in type(self).model_fields:
            trimmed = TRIMMED.format(counted(removed.total(), "item"))
            changed[NOTES] = [*getattr(self, NOTES), trimmed]
        return self.model_copy(update=changed)


class SeenView(Result):
    """What `has_seen_error_before` knows."""

    COUNT = "more"
    COUNTED = ("advice", "also_said")
    verdict: Literal["exact", "same", "similar", "new"]
    seen: bool
    summary: str
    why: str = ""
    occurrences: int = 0
    sources: int = 0
    first_seen: datetime | None = None
    last_seen: datetime | None = None
    advice: list[AdviceView] = []
    also_said: list[AlsoSaidView] = []
    withheld: list[WithheldView] = []
    more: int = 0
    elsewhere: NeighbourView | None = None
    candidates: list[CandidateView] = []
    similar: list[LookAlikeView] = []
    tried: list[Stored] = []
    question: str = ""
    reflection_id: str | None = None
    lookup_id: str = ""
    signature: str = ""
    next: str = ""
    notes: list[str] = []

    def lines(self) -> Iterator[str]:
        """Return the lessons, what is like the error, and the next step."""
        yield self.summary
        yield from _items(*self.advice, *self.also_said, *self.withheld)
        if self.more:
            yield f"{self.more} more beyond the limit."
        if self.elsewhere:
            yield from _items(self.elsewhere)
        yield from _items(*self.candidates, *self.similar)
        for tried in self.tried:
            yield f"- tried without success: {tried!s}"
        yield from _notes(self.notes)
        if self.question:
            yield self.question
        # Only a look-up that found its error, or that asks, takes feedback on the match.
        if self.seen and not self.signature and self.lookup_id not in self.next:
            yield (
                "If it is a different error, call record_feedback wrong_match with "
                f"{self.lookup_id}."
            )
        if self.next:
            yield f"Next: {self.next}."
        if self.signature:
            yield f"Recorded as look-up {self.lookup_id}, signature {self.signature}."


class ReflectView(Result):
    """What `reflect` found."""

    summary: str
    mode: str
    attempt_id: str | None = None
    iteration: int = 0
    quality: Share | None = None
    scores: dict[str, ScoreView] = {}
    criteria: dict[str, ScoreView] = {}
    retry: bool
    retry_reason: str = ""
    findings: list[Finding] = []
    issues: list[Stored] = []
    improvements: list[str] = []
    coverage: dict[str, str] = {}
    not_checked: str = ""
    verification_questions: list[QuestionView] = []
    learned: list[SavedView] = []
    not_kept: str = ""
    asked_of_you: list[str] = []
    candidate_fix: list[Stored] = []
    sources_tried: list[TriedView] = []
    next: str = ""
    notes: list[str] = []

    def lines(self) -> Iterator[str]:
        """Return what was found, what a judge said, what was stored, and the next step."""
        # One fault stands in the summary in full.
        in_full = (
            each for each in self.findings if each.is_proven and f"[{each.id}]" in self.summary
        )
        alone = next(in_full, None)
        yield self.summary
        yield from _items(*(each for each in self.findings if each is not alone))
        for issue in self.issues:
            yield f"- {issue}"
        yield from _judged(self.scores, self.quality)
        beside = {name: each for name, each in self.criteria.items() if name not in self.scores}
        yield from _judged(beside, None, "Work")
        stored = [each for each in self.learned if each.marked or not each.new]
        yield from _items(*(each for each in stored if each.id not in self.summary))
        for step in self.candidate_fix:
            yield f"- step between failure and success: {step}"
        if self.not_checked and not self.learned:
            yield f"Not checked: {self.not_checked}."
        yield from _items(*self.verification_questions)
        for asked in self.asked_of_you:
            yield f"- {asked}"
        yield from _items(*self.sources_tried)
        yield from _notes(self.notes)
        if self.next:
            yield f"Next: {self.next}."
        if self.attempt_id:
            no_lesson = f"; no lesson stored: {self.not_kept}" if self.not_kept else ""
            yield f"Recorded as attempt {self.attempt_id}{no_lesson}."
        elif self.not_kept:
            yield f"{self.not_kept}."


class AnswerView(Result):
    """What `answer_with_reflection` reached."""

    summary: str
    mode: str
    status: Literal["done", "revise"]
    answer: str = ""
    answer_is: str = ""
    best_attempt: int
    attempt_id: str | None = None
    quality: Share | None = None
    scores: dict[str, ScoreView] = {}
    stopped_because: str = ""
    redo_of: int | None = None
    redo: list[str] = []
    findings: list[Finding] = []
    not_checked: str = ""
    loop: str = ""
    history: list[StepView] = []
    lessons: list[Stored] = Field(default=[], description=STORED_TEXT)
    learned: list[SavedView] = []
    sources_tried: list[TriedView] = []
    next: str = ""
    notes: list[str] = []

    def lines(self) -> Iterator[str]:
        """Return what is to be redone, or where the loop ended."""
        yield self.summary
        for step in self.redo:
            yield f"- redo: {step}"
        proven = [each.id for each in self.findings if each.is_proven]
        if self.redo and proven:
            yield f"Finding ids, to dispute one: {', '.join(proven)}."
        yield from _items(*(e for e in self.findings if not (self.redo and e.is_proven)))
        yield from _judged(self.scores, self.quality)
        for part in self.learned:
            yield f"Stored: {part.line()}."
        for lesson in self.lessons:
            yield f"- earlier lesson: {lesson}"
        if self.not_checked and self.status == "done":
            yield f"Not checked: {self.not_checked}."
        if self.best_attempt < len(self.history):
            yield from _items(*self.history)
        elif self.status == "done":
            for attempt in self.history[-1:]:
                yield from (f"- objection: {said}" for said in attempt.objections)
        yield from _items(*self.sources_tried)
        yield from _notes(self.notes)
        if self.answer_is:
            yield f"The best answer is {self.answer_is}."
        if self.next:
            yield f"Next: {self.next}"
        if self.attempt_id:
            yield f"Recorded as attempt {self.attempt_id}."

    def text(self) -> str:
        """Return the lines, an answer that the caller does not have, and the token."""
        whole = [super().text()]
        has_it = self.mode == "dialogue" and self.best_attempt == len(self.history)
        if self.answer and not has_it:
            whole.append(f"Answer:\n{self.answer}")
        if self.loop:
            whole.append(f"loop: {self.loop}")
        return "\n".join(whole)


class FeedbackView(Result):
    """What `record_feedback` changed."""

    summary: str
    changed: bool
    changes: list[str] = []
    advice: list[AdviceView] = []
    next: str = ""

    def lines(self) -> Iterator[str]:
        """Return what changed."""
        yield self.summary
        for change in self.changes:
            yield f"- {change}"
        yield from _items(*self.advice)
        if self.next:
            yield f"Next: {self.next}."


class InsightsView(Result):
    """What `get_insights` knows."""

    # The block for a system prompt and the lists beside it are made of the same lessons. In the
    # structure each is whole, because a program takes the one or the other; a reader of the text
    # has the block, whose budget is that of the text: what it lacks is named, not printed.
    COUNT = "left_out"
    COUNTED = ("issues", "strategies", "lessons", "unresolved")
    prompt: str = Field(default="", description=STORED_TEXT)
    summary: str
    issues: list[IssueView] = []
    strategies: list[AdviceView] = []
    lessons: list[AdviceView] = []
    unresolved: list[UnresolvedView] = []
    withheld: list[WithheldView] = []
    trend: str = ""
    advice_given: int = 0
    advice_helped: int = 0
    advice_failed: int = 0
    calibration: list[str] = []
    left_out: int = 0
    notes: list[str] = []

    def lines(self) -> Iterator[str]:
        """Return what stands below the block."""
        if not self.prompt:
            yield self.summary
        with_lessons = {each.strategy for each in self.lessons}
        alone = [each for each in self.strategies if each.lesson not in with_lessons]
        missing: list[str] = []
        for each in (*alone, *self.lessons):
            if f"[{each.id}, " not in self.prompt:
                missing.append(each.id)
            elif each.evidence:
                yield from _items(each.model_copy(update={"lesson": "", "strategy": ""}))
        yield from _items(*self.withheld)
        if missing:
            yield f"Too long to be shown here: {', '.join(missing)}; `detailed` has more room."
        if self.left_out and f"and {self.left_out:,} more" not in self.prompt:
            yield f"{self.left_out:,} more beyond the limit."
        if self.trend:
            yield f"Trend: {self.trend}."
        if self.advice_given and (self.lessons or self.strategies):
            helped = f"{self.advice_helped} helped, {self.advice_failed} failed"
            yield f"Advice was shown {times(self.advice_given)}: {helped}."
        yield from self.calibration
        yield from _notes(self.notes)

    def text(self) -> str:
        """Return the block and what stands below it."""
        return "\n".join(part for part in (visible(self.prompt), super().text()) if part)


def _items(*parts: Listed) -> Iterator[str]:
    for part in parts:
        yield f"- {part.line()}"


def _judged(
    scores: dict[str, ScoreView], quality: float | None, of: str = "Scores"
) -> Iterator[str]:
    """Return a line with the scores of a judge; nothing if there is none. If the line names the
    quality, which is the mean of all scores, it lists the measured ones, too."""
    known = {name: score for name, score in scores.items() if score.value is not None}
    told = ("judged", "measured") if quality is not None else ("judged",)
    given = [
        f"{name} {score.value} ({score.basis}"
        f"{f' by {score.source}' if score.basis == 'judged' and score.source else ''})"
        for name, score in known.items()
        if score.basis in told
    ]
    if any(score.basis == "judged" for score in known.values()):
        overall = f"; quality {quality}" if quality is not None else ""
        yield f"{of}: {', '.join(given)}{overall}."


def _notes(notes: Iterable[str]) -> Iterator[str]:
    for note in notes:
        yield f"Note: {note}"
