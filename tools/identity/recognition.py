"""What the identity of an error is made of, and what is said about two of them.

Rule of this module: records only, frozen, without behaviour beyond what follows from their fields.
"""

from dataclasses import field, replace
from functools import cached_property

from reflection_mcp.store.record import record
from reflection_mcp.store.records import Key, Pattern, Reflection, Verdict
from reflection_mcp.tools.identity.keys import features_of, loose_keys_of, verdict_of
from reflection_mcp.tools.identity.notes import notes_of
from reflection_mcp.tools.identity.verdicts.verdict import Verdict as Told
from reflection_mcp.tools.untrusted import stored

SHOWN = 120  # characters of what differs
SIGNATURE_VERSION = "sig1"
"""Names the rules that made a signature. New rules get a new name and add keys beside the old."""


@record(frozen=True, kw_only=True)
class Fingerprint:
    """An error as it is looked for and stored.

    `plain` is its pattern without notes. `exact_keys` are those that few errors share, `summary` is
    one line for a reader. `unusable` is one sentence why nothing can be recognised, or empty.
    `told` is its verdict as printed, of which notes are made, `text` what all of it was; two texts
    with one fingerprint are equal without them.
    """

    signature: str
    plain: Pattern
    exact_keys: tuple[Key, ...] = ()
    summary: str = ""
    unusable: str = ""
    told: Told = field(compare=False, repr=False)
    text: str = field(compare=False, repr=False)

    @cached_property
    def pattern(self) -> Pattern:
        """What is stored, and held against what is stored: the plain pattern and its notes.

        Made when asked for: an error that is found by its keys has no need of notes, unless what it
        is found with has some.
        """
        notes = notes_of(self.told.lines, self.told.context)
        return replace(self.plain, lines=(*self.plain.lines, *notes)) if notes else self.plain

    @property
    def loose_keys(self) -> tuple[Key, ...]:
        """Keys that many errors may share.

        Made when asked for: an error that is found by the others needs none.
        """
        return () if self.unusable else loose_keys_of(self.plain)

    @property
    def keys(self) -> tuple[Key, ...]:
        """All keys, the strictest first: by these it is stored."""
        return (*self.exact_keys, *self.loose_keys)

    @property
    def features(self) -> tuple[int, ...]:
        """Signed 64-bit numbers that find what shares words with it.

        Made when asked for: an error that is found by its keys needs none.
        """
        return () if self.unusable else features_of(verdict_of(self.plain))


@record(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing in which two errors that look alike differ."""

    kind: str
    here: str
    there: str

    def __str__(self) -> str:
        """For a reader: `module: “yaml” here, “requests” there`."""
        return f"{self.kind}: {_quoted(self.here)} here, {_quoted(self.there)} there"


def _quoted(value: str) -> str:
    return f"{stored(value, SHOWN)}" if value else "nothing"


@record(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """The places of two errors that are the same failure and differ in nothing else."""

    here: str
    there: str


@record(frozen=True, slots=True, kw_only=True)
class Similar:
    """A stored error that looks alike and is another one.

    `elsewhere` is set where it is the same failure in another place, `close` where a single word
    of unknown kind tells the two apart, so that whoever knows may be asked.
    """

    reflection: Reflection
    differences: tuple[Difference, ...]
    elsewhere: Elsewhere | None = None
    close: bool = False


@record(frozen=True, slots=True, kw_only=True)
class Recognition:
    """The answer to "have I met this before?": `match` is set for `exact` and `same` only."""

    verdict: Verdict
    match: Reflection | None = None
    why: str = ""
    similar: tuple[Similar, ...] = ()
