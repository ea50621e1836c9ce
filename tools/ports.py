"""The interfaces that the use cases get from outside: store, clock, ids, models, caller.

A use case takes a `Services`: the store, a clock, a source of
ids, and who is asking. Nothing in `tools/` reaches for any of these by itself.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from reflection_mcp.store.contract import Store
from reflection_mcp.store.records import Scope
from reflection_mcp.tools.untrusted import plain_name
from reflection_mcp.tools.usage import NO_USAGE, Usage

Clock = Callable[[], datetime]
"""Returns the time now, aware, in UTC."""

Ids = Callable[[str], str]
"""Takes a prefix such as `ref` and returns a new id such as `ref-7k3f9q2m4x`."""

Emit = Callable[[str, dict[str, Any]], None]
"""Takes the name of a stage and its facts (counts, milliseconds, ids; never argument text)."""


def silent(event: str, facts: dict[str, Any]) -> None:
    """Observe nothing."""


class Stage(Protocol):
    """Observes a stage of the work while a `with` lasts, such as `checks` or `judge`.

    Facts are as those of `Emit`; more of them may be given to what the `with` hands out.
    """

    def __call__(
        self, name: str, /, **facts: str | int
    ) -> AbstractContextManager[Callable[..., None]]:
        """Begin to observe."""
        ...


def _unnoted(**facts: str | int) -> None:
    """Note nothing."""


_UNOBSERVED = nullcontext(_unnoted)


def unobserved(name: str, /, **facts: str | int) -> AbstractContextManager[Callable[..., None]]:
    """Observe no stage."""
    return _UNOBSERVED


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One request to a model: what a role renders. `schema` is the JSON schema of the reply."""

    role: str
    version: str
    system: str
    user: str
    schema: Mapping[str, Any] | None = None
    max_tokens: int = 1500


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came back, as text (JSON text when a schema was given), and what it cost.

    `usage.ms` is how long it took before it was asked for here: a reply of an earlier round of the
    same call comes at once.
    """

    text: str
    model: str = ""
    usage: Usage = NO_USAGE


class ModelFailed(Exception):
    """The model gave no usable reply. `reason` is a short name: `timeout`, `rate_limit`, ...

    `earlier_ms` is as `usage.ms` in `Reply`.
    """

    def __init__(self, reason: str, detail: str = "", earlier_ms: int = 0) -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.earlier_ms = earlier_ms


class Model(Protocol):
    """Something that can be asked: an API with a key, or the client's model by sampling."""

    name: str

    async def complete(self, prompt: Prompt) -> Reply:
        """Answer one prompt, or raise `ModelFailed`; never takes longer than its own deadline."""
        ...


class MeaningMissing(Exception):
    """Texts cannot be compared by meaning here; its text is one line that says why."""


class Meaning(Protocol):
    """Something that tells which texts mean much the same: a small model that runs right here."""

    name: str

    async def likeness(self, asked: Sequence[str], texts: Sequence[str]) -> Sequence[float]:
        """How near each text is to what is asked, in one way or several, from -1 to 1.

        Only differences within one answer mean something: nonsense has a nearest text, too.

        Raises:
            MeaningMissing: it is not installed, or has lost its weights.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """A piece of code of an answer that is to be run or read by its own interpreter.

    language: `python`, `bash` or `javascript`; the last two are only parsed.
    examples: for Python, expressions with what they are said to come to, both as source.
    start: where it begins in the answer.
    """

    language: str
    code: str
    examples: tuple[tuple[str, str], ...] = ()
    start: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What came of running a snippet.

    ran: what was run, in words, such as `bash -n` or `2 doctests, 1 example`; empty when nothing
        was, and `why` says why not.
    faults: what it proved wrong, each in one line.
    limits: what the child process was kept from.
    """

    ran: str = ""
    why: str = ""
    faults: tuple[str, ...] = ()
    limits: str = ""


class Runner(Protocol):
    """Runs snippets in child processes that end with the call."""

    async def run(self, snippet: Snippet) -> Trial:
        """Run one snippet; never raises for what the snippet does, never outlives its deadline."""
        ...


ProjectNames = Callable[[], frozenset[str] | None]
"""Returns the paths of the project's files, from its root, or None when not all can be listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much of each argument is accepted, in characters or items."""

    question: int = 20_000
    answer: int = 200_000
    context: int = 200_000
    error: int = 20_000
    lesson: int = 2_000
    comment: int = 2_000
    events: int = 200
    tags: int = 20
    tag: int = 64
    phrasings: int = 10
    phrasing: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who is asking: the connection's conversation, and the client's name as it gave it.

    `user` stands for the person whose process this is, where it serves one person; what somebody
    says belongs to them in every conversation. They are `alone` where the store is a file.

    Where no conversation is known, because nothing tells one client's requests from another's, the
    conversation is this call alone, and `origin` is what all such calls have in common. A
    conversation is `shared` if several clients with the same token may be in it.

    `principal` is who proved to be itself, over HTTP: then `tenant` is its own, and `project` what
    it works in where a call names none. All three are empty for the process itself. Of one that
    `keeps_own` what it learns is the principal's own, until it is shared.
    """

    conversation_id: str
    client: str = ""
    origin: str = ""
    shared: bool = False
    principal: str = ""
    tenant: str = ""
    project: str = ""
    user: str = ""
    keeps_own: bool = False
    alone: bool = False

    @property
    def home(self) -> str:
        """The conversation that lasts longer than this call."""
        return self.origin or self.conversation_id

    @property
    def source(self) -> str:
        """Who said something, for counting distinct sources: this client of this principal or user,
        or in this conversation where neither is known.

        It is stored and shown, so all of it is reduced to plain words here.
        """
        client = plain_name(self.client) or "client"
        own = plain_name(self.user or self.home)
        return f"{self._own}{client}" if self.principal else f"{client}:{own}"

    @property
    def person(self) -> str:
        """Who gives a verdict: those of all clients of a principal are one person's."""
        return self.principal or self.source

    @property
    def told_in(self) -> str:
        """The source in this conversation, for telling two conversations of one source apart."""
        return f"{self.source}:{plain_name(self.home)}"

    def named(self, conversation: str) -> str:
        """A conversation as this caller names it: those of a principal are its own."""
        name = conversation.strip()
        if not name or name.startswith(self._own):
            return name
        return f"{self._own}{name}"

    def wrote(self, source: str) -> bool:
        """Whether what has this source may be of this caller: of its principal, if it has one."""
        return source.startswith(self._own)

    @property
    def _own(self) -> str:
        return f"{self.principal}/" if self.principal else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Everything a use case may use.

    When the store could not be opened, every call of `store` raises the reason: judging goes on
    without it, and the result says that nothing was kept. `models` are asked in their order, the
    first that answers counts; none means that the caller is the model. `max_entries` is how many
    reflections and strategies a project keeps, 0 for any number. Without `meaning` lessons are
    ranked by their words alone. `project_names` is None where the project's files may not be looked
    at, and `runner` where the code of answers may not be run, which is so unless its owner asks
    for it.
    """

    store: Store
    scope: Scope
    caller: Caller
    clock: Clock
    ids: Ids
    models: Sequence[Model] = ()
    emit: Emit = silent
    stage: Stage = unobserved
    limits: Limits = field(default_factory=Limits)
    max_entries: int = 0
    meaning: Meaning | None = None
    project_names: ProjectNames | None = None
    runner: Runner | None = None
