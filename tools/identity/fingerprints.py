"""From a text to its fingerprint.

Rule of this module: the same text has the same fingerprint on every machine and in every version
of Python; any text has one. A type that the caller names counts only when the text does not name
it itself: the same error must be found with and without the argument, while one message under two
types is two errors.
"""

from collections.abc import Sequence

from reflection_mcp.store.records import Pattern
from reflection_mcp.tools.identity.cleaning.clean import clean
from reflection_mcp.tools.identity.keys import exact_keys_of, squeezed_type
from reflection_mcp.tools.identity.masking.masks import masked
from reflection_mcp.tools.identity.recognition import SIGNATURE_VERSION, Fingerprint
from reflection_mcp.tools.identity.rule import compiled
from reflection_mcp.tools.identity.verdicts.blanks import as_written
from reflection_mcp.tools.identity.verdicts.verdict import verdict_of

SUMMARY_LENGTH = 200
_TYPE_OR_CODE = (
    r"(?i:.*(?:error|exception|warning|fault|timeout|exit))|"
    r"\S*[A-Z]\S*[A-Z]\S*|.*\d.*|[A-Z][a-z]\w+"
)
_MENTIONED = r"[\w.$]+"
_TYPE = (
    r"(?:caused by: |e +)?([\w.$]{1,200}(?:error|exception|warning|timeout|violation|"
    r"interrupt|fault|exit|iteration))\b"
)
CODE = (
    r"\b((?:TS|E|CS|NU|MSB|LNK|SC)\d{3,5}|[A-Z]{2,5}-\d{4,6}|ERR_[A-Z0-9_]{3,60}|"
    r"E(?!RROR|XCEPTION|XPECTED)[A-Z]{4,14})\b"
)
CODE_BEGINS = r"[A-Z](?<!\w[A-Z])[A-Z\d][A-Z\d-]"
"""The first signs of any code: few names have them, and few lines need be asked for a code."""


def _type_of(masked_lines: Sequence[str], lines: Sequence[str]) -> str | None:
    """The exception type or code that a verdict names, casefolded."""
    for line in masked_lines:
        found = compiled(_TYPE).match(line)
        if found:
            return found[1].rsplit(".", 1)[-1]
    for line in lines:
        capitals = compiled(CODE_BEGINS).search(line)
        found = compiled(CODE).search(line, capitals.start()) if capitals else None
        if found:
            return found[1].casefold()
    return None


def _is_type(name: str) -> bool:
    """Whether a caller names a type or a code, and not "python" or just "Error"."""
    return compiled(_TYPE_OR_CODE).fullmatch(name.strip()) is not None and squeezed_type(
        name
    ) not in ("error", "exception")


def _names(lines: Sequence[str], error_type: str) -> bool:
    """Whether the verdict itself names this type, whole or word by word (`HTTP 404`)."""
    words = {squeezed_type(word) for line in lines for word in compiled(_MENTIONED).findall(line)}
    parts = compiled(r"[^\W_]+").findall(error_type.casefold())
    return squeezed_type(error_type) in words or (len(parts) > 1 and words.issuperset(parts))


def fingerprint(text: str, error_type: str | None = None) -> Fingerprint:
    """The fingerprint of an error text.

    Args:
        text: what was printed, in any language; everything but head and tail of a long text is
            left out of account.
        error_type: the exception type or code, if the caller knows it. It separates two errors
            only if the text does not name it.
    """
    cleaned = clean(text)
    verdict = verdict_of(cleaned)
    lines = tuple(dict.fromkeys(masked(verdict.lines)))
    named = ""
    if error_type and _is_type(error_type) and not _names(verdict.lines, error_type):
        named = squeezed_type(error_type)
    plain = Pattern(
        version=SIGNATURE_VERSION,
        lines=lines,
        location=verdict.location,
        error_type=named or _type_of(lines, verdict.lines),
    )
    strict, located = exact_keys_of(plain, named, text)
    unusable = ""
    if not text.strip():
        unusable = "the text is empty"
    elif not any(map(str.isalpha, " ".join(cleaned))):
        unusable = "the text holds no words that name an error"
    return Fingerprint(
        signature=f"{SIGNATURE_VERSION}:{located.digest}",
        plain=plain,
        exact_keys=() if unusable else (strict, located),
        summary=" ".join(as_written("".join(verdict.lines[:1]), cleaned).split())[:SUMMARY_LENGTH],
        unusable=unusable,
        told=verdict,
        text=text,
    )


def signature_of(text: str, error_type: str | None = None) -> str:
    """The signature of an error text: `sig1:` and 16 hex digits."""
    return fingerprint(text, error_type).signature
