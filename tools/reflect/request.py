"""The request of `reflect`: a question, its answer, and what comes with them.

A greeting or a plain look-up is not worth a reflection (seed rules select:greeting and
select:lookup): the result says so in one line and no model is called. Everything else is, and so is
anything that comes with an outcome, an error, events or a lesson. In doubt: reflect.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from reflection_mcp.store.records import Lesson, Outcome
from reflection_mcp.tools import intake
from reflection_mcp.tools.errors import InvalidInput
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.evidence.rows import row_of_command
from reflection_mcp.tools.judging.evidence.runs import runs_of
from reflection_mcp.tools.judging.run import Run
from reflection_mcp.tools.learning import episode
from reflection_mcp.tools.learning.episode import Event, failed
from reflection_mcp.tools.learning.platitude import REFUSED, is_platitude
from reflection_mcp.tools.ports import Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class ReflectRequest:
    """What the caller hands in. Only `question` and `answer` are needed.

    `lesson` is what the caller learned; its outcome is how the work ended, with a lesson or without
    one.
    """

    question: str
    answer: str
    context: str = ""
    confidence: float | None = None
    relevance: float | None = None
    completeness: float | None = None
    error: str = ""
    events: Sequence[Event] = ()
    lesson: Lesson = field(default_factory=Lesson)
    tags: Sequence[str] = ()
    conversation_id: str = ""
    event_id: str = ""
    verification_answers: Mapping[str, str] = field(default_factory=dict[str, str])
    closed_world: bool | None = None
    disputed: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def outcome(self) -> Outcome | None:
        """How the work ended."""
        return self.lesson.outcome

    @property
    def case(self) -> Case:
        """The answer as it is judged."""
        return Case(
            question=self.question,
            answer=self.answer,
            context=self.context,
            only_context=self.closed_world,
        )


def cleaned(request: ReflectRequest, limits: Limits, connection: str) -> ReflectRequest:
    """The work bounded, scrubbed and redacted; its error found among the events, if not given.

    A lesson or strategy that is no sentence counts as none, and so does a lesson that would fit
    every question, and the strategy of a lesson that counts as none.

    Args:
        request: as it came.
        limits: how much of each part is accepted.
        connection: the conversation that is meant when none is named.

    Raises:
        InvalidInput: a part is empty, too long, or out of its range.
    """
    if len(request.events) > limits.events:
        raise InvalidInput(
            f"{len(request.events)} events; at most {limits.events} are accepted",
            "pass the ones that matter",
        )
    events = tuple(episode.cleaned(event, limits) for event in request.events)
    failing = intake.error_text(request.error, limits.error) or episode.failing_text(events)
    return replace(
        request,
        question=intake.text(
            "question", request.question, limits.question, required=True, hint="pass what was asked"
        ),
        answer=intake.text("answer", request.answer, limits.answer),
        context=intake.text("context", request.context, limits.context),
        confidence=intake.share("confidence", request.confidence),
        relevance=intake.share("relevance", request.relevance),
        completeness=intake.share("completeness", request.completeness),
        error=failing,
        events=events,
        lesson=_worth_a_word(request.lesson, intake.lesson(request.lesson, limits)),
        tags=intake.tags(request.tags, limits),
        conversation_id=intake.conversation(request.conversation_id, connection),
        event_id=intake.text("event_id", request.event_id, 300).strip(),
        verification_answers=intake.answers(request.verification_answers, limits),
        disputed=intake.answers(request.disputed, limits, "disputed findings"),
    )


def empty_texts(given: ReflectRequest, taken: ReflectRequest) -> tuple[str, ...]:
    """A line on each text that was given and was not taken in."""
    said, kept = given.lesson, taken.lesson
    pairs = (("lesson", said.text, kept.text), ("strategy", said.strategy, kept.strategy))
    return tuple(
        f"the {name} was not kept: {_why_refused(name, text)}"
        for name, text, left in pairs
        if text.strip() and not left
    )


def _why_refused(name: str, text: str) -> str:
    if name == "lesson" and is_platitude(text):
        return f"it {REFUSED}"
    if name == "strategy" and intake.says_something(text):
        return "it came with that lesson; pass it again with a better one"
    return "fewer than two words mean nothing later; pass one sentence"


def _worth_a_word(given: Lesson, taken: Lesson) -> Lesson:
    """The lesson, without a platitude; a strategy goes with the lesson that it came with."""
    text = "" if is_platitude(taken.text) else taken.text
    refused = given.text.strip() and not text
    return replace(taken, text=text, strategy="" if refused else taken.strategy)


def is_bare(request: ReflectRequest) -> bool:
    """Whether there is nothing beside a question and its answer."""
    return not (
        request.outcome
        or request.error
        or request.events
        or request.lesson.text
        or request.lesson.strategy
        or request.context
        or request.verification_answers
        or request.disputed
        or any(s is not None for s in (request.confidence, request.relevance, request.completeness))
    )


def is_episode(request: ReflectRequest) -> bool:
    """Whether something happened, beside an answer being given."""
    return bool(request.events or request.outcome)


# --------------------------------------------------------------------------- what is not worth it

GREETINGS = frozenset(
    """hi hello hey hallo hola bonjour ciao salut moin servus namaste
    thanks thank thx danke merci gracias grazie obrigado arigatou
    ok okay yes no yep nope sure great cool nice perfect bye goodbye
    merhaba selam teşekkürler sağol olá oi obrigada hej tack cześć dzięki dank дякую
    おはよう こんばんは 감사합니다 سلام شكرا नमस्ते धन्यवाद γειά ευχαριστώ שלום תודה
    你好 谢谢 こんにちは ありがとう 안녕하세요 привет спасибо สวัสดี ขอบคุณ مرحبا""".split()
)
"""First words of messages that greet, thank or agree, in the languages users are likely to type."""

GOOD_DAY = [["good", time] for time in ("morning", "afternoon", "evening", "day")]

FILLERS = frozenset(
    "you there all everyone again so much very good morning afternoon evening day and the for that "
    "it how are is going claude assistant please lot a to team".split()
)

# Not `\w`: the vowel signs of Thai and other scripts are marks, no word characters.
_WORD = re.compile(r"[^\s\d.,;:!?()\"'\u3001\u3002\uff01\uff0c\uff1f]+")
_LOOK_UP = re.compile(
    r"(?:who|what|when|where|which)(?:['\u2019]s|\s+(?:is|was|are|were|year|day))\b", re.IGNORECASE
)
_NEEDS_THOUGHT = re.compile(
    r"\d|\b(?:why|how|compare|explain|best|should|difference|cause|fix|error|wrong|fail\w*|bug|code)"
    r"\b",
    re.IGNORECASE,
)
LOOK_UP_WORDS = 12
LOOK_UP_ANSWER_WORDS = 40


def is_greeting(question: str) -> bool:
    """Whether a message only greets, thanks or agrees.

    >>> is_greeting("Hello there!"), is_greeting("Hello, why does this loop never end?")
    (True, False)
    """
    words = [word.casefold() for word in _WORD.findall(question[:200])]
    if not words or len(question) > 200:
        return False
    if not (GREETINGS.issuperset(words[:1]) or words[:2] in GOOD_DAY):
        return False
    return all(word in GREETINGS or word in FILLERS for word in words)


def is_look_up(question: str, answer: str) -> bool:
    """Whether a question only looks one fact up, and the answer is as short as that.

    >>> is_look_up("What is the capital of France?", "Paris.")
    True
    >>> is_look_up("What is 15 x 12.99?", "195.00"), is_look_up("Why is the sky blue?", "Rayleigh.")
    (False, False)
    """
    asked = question.strip()
    return (
        _LOOK_UP.match(asked) is not None
        and _NEEDS_THOUGHT.search(asked) is None
        and len(asked[:500].split()) <= LOOK_UP_WORDS
        and len(answer[:2000].split()) <= LOOK_UP_ANSWER_WORDS
        and "\n" not in asked
    )


# --------------------------------------------------------------------------- the runs of tools

READERS = frozenset(
    """read view cat write edit multiedit create str_replace glob grep search ls list webfetch
    websearch fetch notebookedit todowrite apply_patch""".split()
)
"""Tools that show or change a file: what stands in it is no outcome of running something."""
_SHELL = re.compile(
    r"shell|terminal|console|command|cmd|(?<![a-z])(?:(?:ba|z|fi|k|pw)?sh|exec(?:ute)?|run)(?![a-z])"
)
"""Parts of the names of tools that run command lines."""


def runs_of_work(request: ReflectRequest) -> tuple[Run, ...]:
    """Return the runs that came with the work, the newest last.

    The error of a work that succeeded is the one it mended. Any other may be older than the answer.
    """
    found = list(runs_of_events(request.events))
    carried = any(event.error or event.type == "error" for event in request.events)
    if request.error and not carried and request.outcome != "success":
        found = [*(replace(run, old=True) for run in runs_of(request.error)), *found]
    return tuple(found)


def runs_of_events(events: Sequence[Event]) -> tuple[Run, ...]:
    """Return the runs that events tell of, in the order of their times where all have one."""
    ordered = list(events)
    times = [event.at for event in ordered if event.at is not None]
    if len(times) == len(ordered):
        ordered.sort(key=lambda event: event.at or times[0])
    commands: dict[str, str] = {}
    found: list[Run] = []
    for event in ordered:
        if event.type == "model_call":
            continue
        command = str(event.metadata.get("command", ""))
        code = event.metadata.get("exit_code")
        code = code if isinstance(code, int) and not isinstance(code, bool) else None
        if event.type == "tool_call" and code is None and event.metadata.get("success") is None:
            commands[event.tool] = command or _called(event)
            continue
        if event.tool.rpartition("__")[2].casefold() in READERS:
            continue
        command = command or commands.get(event.tool, "")
        text = "\n".join(filter(None, (event.content, event.error)))
        runs = runs_of(text, command=command, exit_code=code)
        if code is None and failed(event) and not any(run.failed for run in runs):
            runs = (*runs, *_reported(text, command))
        found += runs
    return tuple(found)


def _called(event: Event) -> str:
    """The command of a call: its content if that is a command line, else the name of the tool."""
    typed = not event.tool or _SHELL.search(event.tool.casefold())
    return event.content if typed or row_of_command(event.content) else event.tool


def _reported(text: str, command: str) -> tuple[Run, ...]:
    """The run of an event that says of itself that it failed, and not how."""
    last = next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")
    return tuple(
        replace(run, line=f"failed: {last}" if last else "failed")
        for run in runs_of("", command=command, exit_code=1)
    )
