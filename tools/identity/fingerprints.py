"""From a text to its fingerprint.

Rule of this module: the same text has the same fingerprint on every machine and in every version of
Python; any text has one. A type that the caller names counts only when the text does not name one:
the same error must be found with and without the argument.
"""

from dataclasses import field
from functools import cached_property

from reflection_mcp.store.record import record
from reflection_mcp.store.records import Key, Pattern
from reflection_mcp.tools.identity.clean.text import clean
from reflection_mcp.tools.identity.extract.report import Statement, report_of
from reflection_mcp.tools.identity.keys import (
    exact_keys_of,
    features_of,
    loose_keys_of,
    squeezed_type,
)
from reflection_mcp.tools.identity.pattern import SIGNATURE_VERSION, pattern_of, read
from reflection_mcp.tools.identity.regex import compiled

SUMMARY_LENGTH = 200
_TYPE_OR_CODE = (
    r"(?i:.{0,160}(?:error|exception|warning|fault|timeout|exit))|"
    r"\S*[A-Z]\S*[A-Z]\S*|\D*\d.*|[A-Z][a-z]\w+"
)
_MENTIONED = r"[\w.$]+"
_CODE = (
    r"\b((?:TS|E|CS|NU|MSB|LNK|SC)\d{3,5}|[A-Z]{2,5}-\d{4,6}|ERR_[A-Z0-9_]{3,60}|"
    r"E(?!RROR|XCEPTION|XPECTED)[A-Z]{4,14})\b"
)


VAGUE = 3  # words: "command not found", "connection refused", "segmentation fault"


@record(frozen=True, kw_only=True)
class Fingerprint:
    """An error as it is looked for and stored.

    `exact_keys` are those that few errors share, `summary` is one line for a reader, `unusable` one
    sentence why nothing can be recognised, or empty. `text` is what was printed.
    """

    signature: str
    pattern: Pattern
    exact_keys: tuple[Key, ...] = ()
    summary: str = ""
    unusable: str = ""
    text: str = field(compare=False, repr=False)

    @property
    def loose_keys(self) -> tuple[Key, ...]:
        """Keys that many errors may share; made when asked for."""
        return () if self.unusable else loose_keys_of(self.pattern.version, read(self.pattern))

    @property
    def keys(self) -> tuple[Key, ...]:
        """All keys, the strictest first: by these it is stored."""
        return (*self.exact_keys, *self.loose_keys)

    @property
    def is_vague(self) -> bool:
        """True for an error that names neither a type nor a place and has few words: "exceeded 30s
        limit" is said of many things, so what helped with one of them may not help with another."""
        words = compiled(r"[^\W\d_]+").findall(" ".join(self.pattern.lines))
        named = self.pattern.location or self.pattern.error_type
        return not named and len(words) <= VAGUE

    @cached_property
    def features(self) -> tuple[int, ...]:
        """Signed 64-bit numbers that find what shares words with it; made when asked for."""
        return () if self.unusable else features_of(read(self.pattern))


def _is_type(name: str) -> bool:
    """Whether a caller names a type or a code, and not "python" or just "Error"."""
    return compiled(_TYPE_OR_CODE).fullmatch(name.strip()) is not None and squeezed_type(
        name
    ) not in ("error", "exception")


def _mentions(text: str, error_type: str) -> bool:
    """Whether a text names this type, whole or word by word (`HTTP 404`)."""
    words = {squeezed_type(word) for word in compiled(_MENTIONED).findall(text)}
    parts = compiled(r"[^\W_]+").findall(error_type.casefold())
    return squeezed_type(error_type) in words or (len(parts) > 1 and words.issuperset(parts))


def fingerprint(text: str, error_type: str | None = None) -> Fingerprint:
    """The fingerprint of an error text.

    Args:
        text: what was printed, in any language.
        error_type: the exception type or code, if the caller knows it. It separates two errors
            only if the text does not name one.
    """
    lines = clean(text)
    report = report_of(lines)
    top = report.headline
    told = [*report.statements[top : top + 2], Statement("", 0), Statement("", 0)]
    raw, known = told[0].raw, told[0].type
    summary = f"{raw} {told[0].below or told[1].raw}" if raw.rstrip().endswith(":") else raw
    if not known and (code := compiled(_CODE).search(raw)):
        known = code[1].casefold()
    named = ""
    if error_type and _is_type(error_type) and not _mentions("\n".join(lines), error_type):
        named = squeezed_type(error_type)
    pattern = pattern_of(report, named or known or None, SIGNATURE_VERSION)
    strict, located = exact_keys_of(pattern, named, text)
    unusable = ""
    if not text.strip():
        unusable = "the text is empty"
    elif not any(map(str.isalpha, "".join(lines))):
        unusable = "the text holds no words that name an error"
    return Fingerprint(
        signature=f"{SIGNATURE_VERSION}:{located.digest}",
        pattern=pattern,
        exact_keys=() if unusable else (strict, located),
        summary=" ".join(summary.split())[:SUMMARY_LENGTH],
        unusable=unusable,
        text=text,
    )


def signature_of(text: str, error_type: str | None = None) -> str:
    """The signature of an error text: `sig4:` and 16 hex digits."""
    return fingerprint(text, error_type).signature
