"""Records of what happens: look-ups, actions, showings and feedback.

The rules are those of `records`.
"""

from datetime import datetime
from typing import Literal

from reflection_mcp.store.record import record
from reflection_mcp.store.records import Attempt, Reflection

# --------------------------------------------------------------------------- look-ups

MatchLevel = Literal["exact", "same", "similar", "new"]


OCCURRED = "fail"
"""The prefix of the id of a look-up that a hook made of a failure, and nobody asked for."""


@record(frozen=True, slots=True, kw_only=True)
class Lookup:
    """One question "have I seen this before?", kept as a log line. A hook asks when an error has
    just occurred: then the id begins with `OCCURRED`.

    `neighbour_id` is the same failure in another place, of which the lesson was shown as that;
    `asked_id` the stored error of which the caller was asked whether it is this one. `versions` are
    the ids of the versions of what was `shown`.
    """

    id: str
    at: datetime
    signature: str
    verdict: MatchLevel
    conversation_id: str
    source: str
    summary: str = ""
    error_type: str | None = None
    matched_id: str | None = None
    shown: tuple[str, ...] = ()
    neighbour_id: str | None = None
    asked_id: str | None = None
    versions: tuple[str, ...] = ()


@record(frozen=True, slots=True, kw_only=True)
class ErrorHistory:
    """The past of an error, whether or not a lesson is stored: `attempts` that had it, newest
    first, how often it occurred under a hook, and how often somebody looked it up. `since` is when
    it was first met, None for never."""

    attempts: tuple[Attempt, ...] = ()
    occurred: int = 0
    looked_up: int = 0
    since: datetime | None = None


@record(frozen=True, slots=True, kw_only=True)
class Unresolved:
    """An error that keeps being met and has no lesson yet."""

    signature: str
    summary: str
    error_type: str | None
    times: int
    first_seen: datetime
    last_seen: datetime


# --------------------------------------------------------------------------- what was done


@record(frozen=True, slots=True, kw_only=True)
class Step:
    """One action of a conversation, reported by a host as it happened: `told` is the command or the
    file, `error` what it printed when it failed, empty when it worked."""

    id: str
    conversation_id: str
    at: datetime
    tool: str
    told: str
    error: str = ""


@record(frozen=True, slots=True, kw_only=True)
class FailedAction:
    """A command, edit or call that failed, and how often it failed and worked since.

    `id` names the action whatever its wording; `heading` is what it is found by: a program, a file
    name or a tool. `told` is its wording and `error` what it printed, both of its newest failure.
    `failed` counts conversations, `worked` successes.
    """

    id: str
    heading: str
    tool: str
    told: str
    error: str
    conversation_id: str
    at: datetime
    failed: int = 1
    worked: int = 0


ShowingKind = Literal["briefing", "warning", "lesson", "reminder", "positive", "negative"]


@record(frozen=True, slots=True, kw_only=True)
class Showing:
    """One use of a lesson or candidate by a hook, in one conversation.

    It was shown before the work (`briefing`), before an action (`warning`) or because of a failure
    (`lesson`), in full only the first time; later it was named in one line (`reminder`). Or the
    hook gave it `positive` or `negative` feedback.
    """

    conversation_id: str
    subject_id: str
    kind: ShowingKind
    at: datetime


# --------------------------------------------------------------------------- feedback

FeedbackKind = Literal["positive", "negative", "wrong_match", "forget"]


@record(frozen=True, slots=True, kw_only=True)
class Feedback:
    """A person's vote on an attempt, a reflection, a look-up or a whole conversation.

    Exactly one of `target_id` and `conversation_id` is the object; `source` is who voted, and
    `said_in` the conversation of the vote. The same vote of one source on one object again changes
    nothing. One that is `withdrawn` was a mistake: its object is a reflection or a look-up.
    """

    kind: FeedbackKind | Literal["withdrawn"]
    at: datetime
    source: str
    target_id: str | None = None
    conversation_id: str | None = None
    said_in: str = ""
    comment: str = ""


@record(frozen=True, slots=True, kw_only=True)
class Judged:
    """A version by its id, and all votes on it."""

    id: str
    helped: int
    failed: int


@record(frozen=True, slots=True, kw_only=True)
class Effect:
    """The changes made by a feedback. `repeated` means that the same was said before: nothing
    changed.

    `vetoed`, `restored` and `joined` are pairs of a signature and the id of a reflection;
    `lookup_id` names the look-up that a `wrong_match` was about. `versions` are the versions that
    were judged, one for each of the `reflections`; `first` are those that are shown first since.
    """

    attempts: tuple[Attempt, ...] = ()
    reflections: tuple[Reflection, ...] = ()
    versions: tuple[Judged, ...] = ()
    first: tuple[str, ...] = ()
    vetoed: tuple[tuple[str, str], ...] = ()
    restored: tuple[tuple[str, str], ...] = ()
    joined: tuple[tuple[str, str], ...] = ()
    lookup_id: str = ""
    forgotten: tuple[str, ...] = ()
    repeated: bool = False

    @property
    def found(self) -> bool:
        """True if the object of the feedback exists."""
        pairs = (self.vetoed, self.restored, self.joined)
        return self.repeated or any((self.attempts, self.reflections, *pairs, self.forgotten))
