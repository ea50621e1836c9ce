"""Runs a use case on whatever model there is: none, one with a key, or the client's own.

The client's model is asked in the middle of a call up to protocol 2025-11-25. From 2026-07-28 on a
call ends with a question (`InputRequiredResult`) and is made again with the reply. A use case that
asks several times is therefore run again from its start in every round, and gets the replies of
earlier rounds from a transcript that travels in the sealed `request_state`.

Rules of this module:

- A use case writes nothing before its last question is answered, and asks the same questions when
  it gets the same replies; time, ids and what was read for it are remembered for that reason.
- A reply of an earlier round says how long it took then.
- What happened in an earlier round is not reported again, neither as progress nor as an event.
- Cancellation and deadlines are those of the use case; nothing here holds them up.
"""

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from mcp.server.mcpserver import Context
from mcp_types import CreateMessageResult, InputRequiredResult
from mcp_types.version import is_version_at_least
from pydantic import BaseModel, ValidationError

from reflection_mcp.server.models.sampling import (
    NAME,
    WALL,
    NextRoundModel,
    SamplingModel,
    Unanswered,
    reply_of,
    request_of,
)
from reflection_mcp.server.worker import at_home
from reflection_mcp.tools.ports import Clock, Ids, Model, ModelFailed, Prompt, Reply, Services
from reflection_mcp.tools.usage import NO_USAGE, Usage

Result = TypeVar("Result")

ROUNDS_SINCE = "2026-07-28"
ROUNDS = 10  # the SDKs' clients give up after as many
KEY = "sample"


@dataclass(frozen=True, slots=True, kw_only=True)
class Driven:
    """The services, progress and clock with which a use case is run in this round.

    services: the one handed in, with the models that can be asked now.
    on_progress: reports progress to the client.
    elapsed: seconds since the first round began.
    once: reads something that has to be the same in every round, such as lessons that fit.
    """

    services: Services
    on_progress: Callable[[float, float, str], Awaitable[None]]
    elapsed: Callable[[], float]
    once: Callable[[Callable[[], Awaitable[Sequence[str]]]], Awaitable[tuple[str, ...]]]


Work = Callable[[Driven], Awaitable[Result]]


async def drive(
    ctx: Context[Any, Any],
    services: Services,
    work: Work[Result],
    *,
    sampling: bool = True,
    wall: float = WALL,
) -> Result | InputRequiredResult:
    """Run a use case to its end, or to the next question for the client.

    Args:
        ctx: the request that is being answered.
        services: its models come first, the client's own after them.
        work: the use case; it is run once in every round.
        sampling: whether the client's model may be asked at all.
        wall: seconds that the client's model has for a reply in the middle of a call.
    """
    if not sampling or not offers_sampling(ctx):
        return await work(_plain(ctx, services))
    if not in_rounds(ctx):
        own = SamplingModel(ctx.session, ctx.request_id, wall)
        return await work(_plain(ctx, replace(services, models=(*services.models, own))))
    rounds = Rounds(services.clock, _transcript(ctx, services.clock))
    try:
        return await work(_round(ctx, services, rounds))
    except Unanswered as question:
        return InputRequiredResult(
            input_requests={KEY: request_of(question.prompt)},
            request_state=rounds.asking(question.prompt).model_dump_json(),
        )


def offers_sampling(ctx: Context[Any, Any]) -> bool:
    """Return True if the client declared sampling and can be reached for it."""
    capabilities = ctx.client_capabilities
    if capabilities is None or capabilities.sampling is None:
        return False
    return in_rounds(ctx) or ctx.session.can_send_request


def in_rounds(ctx: Context[Any, Any]) -> bool:
    """Return True if a call ends with a question for the client.

    If the client will not answer it, the call is lost: nothing comes back to us.
    """
    version = ctx.protocol_version
    return version is not None and is_version_at_least(version, ROUNDS_SINCE)


def _plain(ctx: Context[Any, Any], services: Services) -> Driven:
    began = services.clock()

    async def on_progress(done: float, most: float, message: str) -> None:
        await at_home(ctx.report_progress, done, most, message)

    async def once(read: Callable[[], Awaitable[Sequence[str]]]) -> tuple[str, ...]:
        return tuple(await read())

    return Driven(
        services=services,
        on_progress=on_progress,
        elapsed=lambda: (services.clock() - began).total_seconds(),
        once=once,
    )


# --------------------------------------------------------------------------- rounds


class Entry(BaseModel):
    """One question and its reply; `reason` is set instead of `text` when a model failed.

    `at` is when the use case last asked for the time before it, `sent` when it was asked, both in
    seconds since the first round began; `usage.ms` is how long the reply took.
    """

    model: str
    digest: str
    at: float
    sent: float = 0.0
    text: str = ""
    reason: str = ""
    said_by: str = ""
    usage: Usage = NO_USAGE


class Transcript(BaseModel):
    """The state that the rounds of a call share. `asked` is the question that is under way."""

    version: int = 1
    began: float
    entries: list[Entry] = []
    asked: Entry | None = None
    read: list[str] | None = None
    ids: list[str] = []


class Rounds:
    """One round of a call: replays what is known, and notices the first question that is not."""

    def __init__(self, clock: Clock, transcript: Transcript) -> None:
        """Begin a round with what the earlier ones left."""
        self._clock = clock
        self._transcript = transcript
        self._position = 0
        self._ids = 0
        self._last_elapsed = 0.0

    @property
    def replaying(self) -> bool:
        """True if the next reply is one of an earlier round."""
        return self._position < len(self._transcript.entries)

    def elapsed(self) -> float:
        """Seconds since the first round began; while replaying, as it was then."""
        if self.replaying:
            return self._transcript.entries[self._position].at
        self._last_elapsed = self.seconds()
        return self._last_elapsed

    def seconds(self) -> float:
        """Seconds since the first round began, whatever is replayed."""
        return self._clock().timestamp() - self._transcript.began

    def id_from(self, ids: Ids, prefix: str) -> str:
        """A new id, or the one that was given out here in an earlier round."""
        given, at = self._transcript.ids, self._ids
        self._ids += 1
        if not given[at:] or not given[at].startswith(f"{prefix}-"):
            given[at:] = [ids(prefix)]
        return given[at]

    async def once(self, read: Callable[[], Awaitable[Sequence[str]]]) -> tuple[str, ...]:
        """Return the lines that were read in the first round."""
        if self._transcript.read is None:
            self._transcript.read = list(await read())
        return tuple(self._transcript.read)

    def known(self, model: str, digest: str) -> Entry | None:
        """The reply of an earlier round; None, and none from here on, when it fits no more."""
        if self.replaying:
            entry = self._transcript.entries[self._position]
            if (entry.model, entry.digest) == (model, digest):
                self._position += 1
                return entry
            del self._transcript.entries[self._position :]
        return None

    def add(self, entry: Entry) -> None:
        """Keep a reply that was given in this round."""
        self._transcript.entries.append(entry.model_copy(update={"at": self._last_elapsed}))
        self._position += 1

    def used_up(self) -> bool:
        """Return True if the client would not come back after another question."""
        return sum(entry.model == NAME for entry in self._transcript.entries) >= ROUNDS

    def asking(self, prompt: Prompt) -> Transcript:
        """The transcript for the next round, which brings the reply to this prompt."""
        asked = Entry(
            model=NAME, digest=digest_of(prompt), at=self._last_elapsed, sent=self.seconds()
        )
        return self._transcript.model_copy(update={"asked": asked})


class RecordedModel:
    """A model whose replies last for all rounds of a call."""

    def __init__(self, model: Model, rounds: Rounds) -> None:
        """Record this model in these rounds."""
        self.name = model.name
        self._model = model
        self._rounds = rounds

    async def complete(self, prompt: Prompt) -> Reply:
        """Answer one prompt, from the transcript if it holds the reply.

        Raises:
            ModelFailed: as the model, now or in an earlier round; `rounds_used_up`.
            Unanswered: the client has to be asked first.
        """
        digest = digest_of(prompt)
        entry = self._rounds.known(self.name, digest)
        if entry is None:
            if self.name == NAME and self._rounds.used_up():
                raise ModelFailed("rounds_used_up", f"the client was asked {ROUNDS} times")
            sent = self._rounds.seconds()
            entry = await _entry(self._model, prompt, digest)
            took = _milliseconds(sent, self._rounds.seconds())
            self._rounds.add(entry.model_copy(update={"usage": entry.usage + Usage(ms=took)}))
        if entry.reason:
            raise ModelFailed(entry.reason, earlier_ms=entry.usage.ms)
        return Reply(
            text=entry.text,
            model=entry.said_by,
            usage=entry.usage,
        )


def _milliseconds(begin: float, end: float) -> int:
    return max(0, round((end - begin) * 1000))  # the clock may have been put back between rounds


def digest_of(prompt: Prompt) -> str:
    """16 hex digits that name a prompt as the client sees it."""
    rendered = request_of(prompt).model_dump_json(by_alias=True, exclude_none=True)
    return hashlib.sha256(rendered.encode()).hexdigest()[:16]


async def _entry(model: Model, prompt: Prompt, digest: str) -> Entry:
    try:
        return _of_reply(model.name, digest, await model.complete(prompt))
    except ModelFailed as failure:
        return Entry(model=model.name, digest=digest, at=0.0, reason=failure.reason)


def _of_reply(model: str, digest: str, reply: Reply, at: float = 0.0) -> Entry:
    return Entry(
        model=model,
        digest=digest,
        at=at,
        text=reply.text,
        said_by=reply.model,
        usage=reply.usage,
    )


def _round(ctx: Context[Any, Any], services: Services, rounds: Rounds) -> Driven:
    async def on_progress(done: float, most: float, message: str) -> None:
        if not rounds.replaying:
            await at_home(ctx.report_progress, done, most, message)

    def emit(event: str, facts: dict[str, Any]) -> None:
        if not rounds.replaying:
            services.emit(event, facts)

    models = tuple(RecordedModel(m, rounds) for m in (*services.models, NextRoundModel()))
    return Driven(
        services=replace(
            services, models=models, emit=emit, ids=partial(rounds.id_from, services.ids)
        ),
        on_progress=on_progress,
        elapsed=rounds.elapsed,
        once=rounds.once,
    )


def _transcript(ctx: Context[Any, Any], clock: Clock) -> Transcript:
    """The transcript of the rounds before with the reply that has just come, or a new one.

    The state was sealed by the server, so what does not fit is of another version: begin anew.
    """
    began = Transcript(began=clock().timestamp())
    if ctx.request_state is None:
        return began
    try:
        transcript = Transcript.model_validate_json(ctx.request_state)
    except ValidationError:
        return began
    if transcript.version != began.version:
        return began
    answer = (ctx.input_responses or {}).get(KEY)
    if transcript.asked is not None and isinstance(answer, CreateMessageResult):
        took = _milliseconds(transcript.asked.sent, clock().timestamp() - transcript.began)
        entry = _answered(transcript.asked, answer)
        transcript.entries.append(entry.model_copy(update={"usage": entry.usage + Usage(ms=took)}))
    return transcript


def _answered(asked: Entry, answer: CreateMessageResult) -> Entry:
    try:
        return _of_reply(asked.model, asked.digest, reply_of(answer), asked.at)
    except ModelFailed as failure:
        return asked.model_copy(update={"reason": failure.reason})
