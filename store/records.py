"""The records of the product, as they are stored.

Rules of this module: standard library only; every record is frozen and keyword-only; every time is
an aware UTC datetime; every text that reaches a record has been redacted and scrubbed above. A
record has facts and their source, and no behaviour beyond that.
"""

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import Literal

from reflection_mcp.store.person import person_of
from reflection_mcp.store.record import record

# --------------------------------------------------------------------------- scope

GLOBAL_PROJECT = "global"
"""The project whose reflections every project of the same tenant can read."""


Visibility = Literal["mine", "project", "tenant"]
"""Who can read a lesson: one person, everybody in its project, or every project of its tenant."""

OWNED_BY = "@"
"""Stands between a project and the person who has a place of their own in it; no name has it."""


@record(frozen=True, slots=True, kw_only=True)
class Scope:
    """The owner of a memory. A reader sees its own project and the tenant's `global` one.

    `PROJECT@PERSON` is a place of one person's own in a project. Its reader sees what a reader of
    the project does, too; whoever reads the project sees nothing of it.
    """

    tenant: str = "default"
    project: str = GLOBAL_PROJECT

    @property
    def readable(self) -> tuple["Scope", ...]:
        """The scopes a reader of this one may see, the nearest first: itself, of a person's own
        place the project around it, then the tenant's global scope."""
        _, *others = self.projects
        return (self, *(Scope(tenant=self.tenant, project=project) for project in others))

    @property
    def projects(self) -> tuple[str, ...]:
        """The projects of the scopes that a reader of this one may see, in their order."""
        if self.project == GLOBAL_PROJECT:
            return (GLOBAL_PROJECT,)
        if OWNED_BY not in self.project:
            return (self.project, GLOBAL_PROJECT)
        return (self.project, *self.shared.projects)

    @property
    def person(self) -> str:
        """Whose place of their own it is, or an empty text."""
        return self.project.partition(OWNED_BY)[2]

    @property
    def shared(self) -> "Scope":
        """The scope that everybody in the project has."""
        return Scope(tenant=self.tenant, project=self.project.partition(OWNED_BY)[0])

    @property
    def visibility(self) -> Visibility:
        """Who can read what is in exactly this scope."""
        if self.person:
            return "mine"
        return "tenant" if self.project == GLOBAL_PROJECT else "project"

    def of(self, person: str) -> "Scope":
        """The place of this person's own in the project."""
        return Scope(tenant=self.tenant, project=f"{self.shared.project}{OWNED_BY}{person}")


# --------------------------------------------------------------------------- judging

Status = Literal["ok", "wrong", "unchecked"]
Severity = Literal["hard", "hint"]
Basis = Literal["measured", "judged", "self_reported", "not_checked"]
Outcome = Literal["success", "partial", "failure", "timeout", "error"]


@record(frozen=True, slots=True, kw_only=True)
class Check:
    """One machine finding about an answer.

    `start` and `end` are character offsets into the answer, both None when the finding is about
    the answer as a whole; `quote` is the text at that place. `stated` is what the answer says,
    `expected` what was computed or asked for, `why` one sentence for a reader. `disputed` is the
    reason for which the caller says that it is none, else empty.
    """

    kind: str
    status: Status
    severity: Severity = "hard"
    start: int | None = None
    end: int | None = None
    quote: str = ""
    stated: str = ""
    expected: str = ""
    why: str = ""
    disputed: str = ""


@record(frozen=True, slots=True, kw_only=True)
class Score:
    """A number from 0 to 1 together with its source; None means that it is not known."""

    value: float | None = None
    basis: Basis = "not_checked"
    source: str = ""


NOT_CHECKED = Score()


@record(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One answer or piece of work that was judged. Append-only; feedback changes only `quality`."""

    id: str
    conversation_id: str
    iteration: int
    at: datetime
    question: str
    answer_hash: str
    confidence: Score = NOT_CHECKED
    relevance: Score = NOT_CHECKED
    completeness: Score = NOT_CHECKED
    judged_quality: float | None = None
    quality: float | None = None
    feedback: Literal["positive", "negative"] | None = None
    retry: bool = False
    checks: tuple[Check, ...] = ()
    issues: tuple[str, ...] = ()
    improvements: tuple[str, ...] = ()
    """Remedies for the issues, in the same order; an empty text where nobody named one."""
    outcome: Outcome | None = None
    error_signature: str | None = None
    reflection_id: str | None = None
    tags: tuple[str, ...] = ()
    source: str = ""
    judge: str = "checks"
    prompt_version: str = ""
    metadata: Mapping[str, str | int | float | bool | None] = field(
        default_factory=dict[str, str | int | float | bool | None]
    )


# --------------------------------------------------------------------------- error identity


@record(frozen=True, slots=True, kw_only=True)
class Pattern:
    """An error with everything incidental masked.

    `lines` are the masked verdict lines, `location` the innermost frame of the user's own code as
    `file:function`, `error_type` the exception or code. `version` names the rules that masked it.
    """

    version: str
    lines: tuple[str, ...] = ()
    location: str | None = None
    error_type: str | None = None


@record(frozen=True, slots=True, kw_only=True)
class Key:
    """One way to find an error again: `kind` is the rule that made it, `digest` 16 hex digits."""

    kind: str
    digest: str


TO_THE_LETTER = "strict"
"""The kind of key for one exact text; the other kinds are for what similar texts share."""
JOINED = "joined"
"""The kind of key that a person's word has made: the digest of a signature that is this error."""
MOST_TEXTS = 16
"""Texts of one error that are known to the letter: the latest."""
MOST_SITUATIONS = 20
"""The most phrasings that a reflection stores: one that any words find would match everything."""

Kind = Literal["reflection", "strategy"]
LinkKind = Literal[
    "strategy_of", "same_error_type", "same_tool", "same_file", "same_tag", "supersedes",
    "contradicts",
]  # fmt: skip


@record(frozen=True, slots=True, kw_only=True)
class Link:
    """A directed relation from the reflection that carries it to another one."""

    kind: LinkKind
    target_id: str


@record(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A lesson in the words of one source.

    `strategy` is the rule for next time that came with it, `situations` are short phrasings of when
    somebody would need it, and `outcome` says how the work ended that it was learned from.
    """

    text: str = ""
    strategy: str = ""
    situations: tuple[str, ...] = ()
    outcome: Outcome | None = None


@record(frozen=True, slots=True, kw_only=True)
class Wording:
    """A lesson as one source said it, so many times. The best one is shown; the others stay.

    `helped` and `failed` are the votes on these words, whoever said them.
    """

    lesson: Lesson
    source: str
    at: datetime
    times: int = 1
    suspicious: bool = False
    helped: int = 0
    failed: int = 0

    @property
    def words(self) -> tuple[str, str]:
        """The lesson and its strategy; what has the same is the same version."""
        return (self.lesson.text, self.lesson.strategy)

    @property
    def key(self) -> tuple[str, str, str]:
        """The source and its words; what has the same is the same wording."""
        return (self.source, *self.words)


@record(frozen=True, slots=True, kw_only=True)
class Reflection:
    """Something learned that is worth recalling; one row per scope, kind and signature.

    `occurrences` counts events, `sources` counts distinct sources, all clients of a person as one:
    influence follows the second.
    `strategy` is the rule for next time that came with the lesson (kept as a record of its own,
    too). `situations` are short phrasings of when somebody would need it, at most
    `MOST_SITUATIONS`: it is found by them, and never taken for another one. `suspicious` marks a
    text that tries to give instructions; it is never offered as advice.
    """

    id: str
    scope: Scope
    kind: Kind
    signature: str
    lesson: str
    first_seen: datetime
    last_seen: datetime
    strategy: str = ""
    trigger: str = ""
    evidence: str = ""
    error_type: str | None = None
    category: str = "unknown"
    pattern: Pattern | None = None
    example: str = ""
    question: str = ""
    iteration: int = 0
    quality_delta: float | None = None
    outcome: Outcome | None = None
    importance: float = 0.5
    confidence: float = 0.5
    tags: tuple[str, ...] = ()
    situations: tuple[str, ...] = ()
    source: str = ""
    suspicious: bool = False
    retired: bool = False
    occurrences: int = 1
    sources: int = 1
    shown: int = 0
    helped: int = 0
    failed: int = 0
    recurred: int = 0
    links: tuple[Link, ...] = ()
    wordings: tuple[Wording, ...] = ()

    def wording(self, source: str, at: datetime) -> Wording:
        """The lesson of this row as a wording of its own."""
        lesson = Lesson(
            text=self.lesson,
            strategy=self.strategy,
            situations=self.situations,
            outcome=self.outcome,
        )
        return Wording(
            lesson=lesson,
            source=source,
            at=at,
            suspicious=self.suspicious,
            helped=self.helped,
            failed=self.failed,
        )


@record(frozen=True, slots=True, kw_only=True)
class Observation:
    """One event to be recorded: this reflection, met now, by this source.

    `event_id` makes a repeated delivery count once. `keys` and `features` are how the error will
    be found again; `same_as` is the id of a stored reflection that matching recognised, which is
    then the one that is counted, and the new keys are added to it. `corrects` says that this
    conversation has taught the row before: where its person has met the row, this is another
    wording of the same event, and counts nothing. `refutes` says that the lesson shown was tried
    and failed: the words of this observation are then shown first, whoever said them. `of_vote`
    says that the words came with a vote, so that the error was not met again: they are kept with
    their source, and nothing else is counted. `met_before` is how often the error is known to have
    been met while nothing was stored of it.
    """

    reflection: Reflection
    event_id: str
    source: str
    keys: tuple[Key, ...] = ()
    features: tuple[int, ...] = ()
    same_as: str | None = None
    corrects: bool = False
    refutes: bool = False
    of_vote: bool = False
    met_before: int = 0

    @property
    def person(self) -> str:
        """Who counts among the sources of a row."""
        return person_of(self.source)


@record(frozen=True, slots=True, kw_only=True)
class RecordResult:
    """The result of a write: the row as it is now; `created` for a new row, `counted` for a new
    event.

    `replaced` is the version that was shown first before, if another one is now, and `retired` are
    the ids of the strategies that went with it.
    """

    reflection: Reflection
    created: bool
    counted: bool
    replaced: Wording | None = None
    retired: tuple[str, ...] = ()


@record(frozen=True, slots=True, kw_only=True)
class Hit:
    """A stored reflection found by one of its keys."""

    key: Key
    reflection: Reflection
