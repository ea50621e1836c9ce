"""From a text to its fingerprint.

Rule of this module: the same text has the same fingerprint on every machine and in every version
of Python; any text has one. A type that the caller names counts only when the text does not name
it itself: the same error must be found with and without the argument, while one message under two
types is two errors.
"""

import re

from reflection_mcp.store.records import Pattern
from reflection_mcp.tools.identity.clean import clean
from reflection_mcp.tools.identity.keys import (
    CONTEXT,
    features_of,
    keys_of,
    signature,
    squeezed_type,
)
from reflection_mcp.tools.identity.masks import masked
from reflection_mcp.tools.identity.recognition import SIGNATURE_VERSION, Fingerprint
from reflection_mcp.tools.identity.rule import compiled
from reflection_mcp.tools.identity.verdict import verdict_of

SUMMARY_LENGTH = 200
_SUGGESTED = r"(?:did you mean|you meant)[: ]{1,3}(['\"]?[\w.:@/-]{2,80})"
_MENTIONED = r"[\w.$]+"
_TYPE = r"(?:caused by: |e +)?([\w.$]{1,200}(?:error|exception|warning|timeout|violation|interrupt|fault|exit|iteration))\b"
_CODE_NAME = r"\b(ts\d{4}|e\d{4}|err_[a-z_]{3,60}|e[a-z]{5,14}(?=[ :,])|[a-z]{2,4}-\d{4,5})\b"


def _type_in(lines: list[str]) -> str | None:
    for line in lines:
        found = compiled(_TYPE).match(line)
        if found:
            return found[1].rsplit(".", 1)[-1]
    return None


def _named_elsewhere(name: str, lines: list[str]) -> bool:
    """Whether the verdict itself names this type."""
    return any(
        squeezed_type(word) == name for line in lines for word in compiled(_MENTIONED).findall(line)
    )


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
    lines = masked(verdict.lines)
    named = squeezed_type(error_type)
    if named in ("error", "exception") or (named and _named_elsewhere(named, lines)):
        named = ""
    suggested = compiled(_SUGGESTED, re.IGNORECASE).findall("\n".join(verdict.lines))
    said = [*verdict.context, *(f"suggested: {name}" for name in suggested[:2])]
    notes = [CONTEXT + line for line in masked(said)] if said else []
    pattern = Pattern(
        version=SIGNATURE_VERSION,
        lines=(*lines, *notes),
        location=verdict.location,
        error_type=named or _type_in(lines),
    )
    keys = keys_of(pattern, named, text[:40_000])
    summary = " ".join((verdict.lines[0] if verdict.lines else text[:SUMMARY_LENGTH]).split())[
        :SUMMARY_LENGTH
    ]
    unusable = ""
    if not text.strip():
        unusable = "the text is empty"
    elif not any(map(str.isalpha, " ".join(cleaned))):
        unusable = "the text holds no words that name an error"
    return Fingerprint(
        signature=signature(
            SIGNATURE_VERSION, next(key.digest for key in keys if key.kind == "located")
        ),
        pattern=pattern,
        keys=() if unusable else keys,
        features=() if unusable else features_of(lines),
        summary=summary,
        unusable=unusable,
    )


def signature_of(text: str, error_type: str | None = None) -> str:
    """The signature of an error text: `sig1:` and 16 hex digits."""
    return fingerprint(text, error_type).signature
