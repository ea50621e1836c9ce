"""Keys and features: how a stored error is found again.

Rule of this module: a digest depends on the text alone (no hash seed, no locale, no version of
Python) and names the rules that made it, so that keys of two versions never meet by accident.

    strict    the text itself, white space and case aside; survives a change of the rules
    located   all statements, explicit type and place; its digest is the signature
    verdict   the headline and what belongs to it
    line      one statement
"""

import hashlib
from collections.abc import Sequence
from itertools import pairwise

from reflection_mcp.store.records import TO_THE_LETTER, Key, Pattern
from reflection_mcp.tools.identity.compare.tokens import message, says, unpunctuated, words
from reflection_mcp.tools.identity.extract.report import Report

MOST_FEATURES = 24
_MOST_WORDS = 14
_MOST_LINES = 8
_MOST_DETAILS = 3
_LEAST_WORDS = 2


def digest(*parts: str) -> str:
    """16 hex digits of the parts; 64 bits, a chance of 3e-8 that two of a million errors meet."""
    whole = "\x00".join(parts).encode("utf-8", "replace")
    return hashlib.sha256(whole).hexdigest()[:16]


def bare(text: str) -> str:
    """A canonical line without labels and punctuation, which tools add and drop."""
    return " ".join(unpunctuated(message(text))) or text


def exact_keys_of(pattern: Pattern, named_type: str, text: str) -> tuple[Key, Key]:
    """The keys that few errors share, the stricter first; `named_type` only the caller named."""
    squeezed, place = " ".join(text.casefold().split()), pattern.location or ""
    said = [line for line in pattern.lines if line[:1] not in "~#"]
    located = digest(pattern.version, "located", named_type, place, *said)
    return (
        Key(kind=TO_THE_LETTER, digest=digest("strict", named_type, squeezed)),
        Key(kind="located", digest=located),
    )


def loose_keys_of(version: str, report: Report) -> tuple[Key, ...]:
    """The keys that many errors may share, the stricter first."""
    if not report.statements:
        return ()
    top = report.statements[0]
    whole = " ".join([bare(top.text), *map(bare, top.details)])
    lines = dict.fromkeys(
        bare(one.text)
        for one in report.statements[:_MOST_LINES]
        if len(words(one.text)) >= _LEAST_WORDS
    )
    return (
        Key(kind="verdict", digest=digest(version, "verdict", whole)),
        *(Key(kind="line", digest=digest(version, "line", line)) for line in lines),
    )


def _number(word: str) -> int:
    hashed = hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(hashed, "big", signed=True)


def features_of(report: Report) -> tuple[int, ...]:
    """At most 24 numbers that an error shares with what is worded like it."""
    statements = report.statements[:_MOST_LINES]
    lines = [one.text for one in statements]
    lines += [detail for one in statements[:2] for detail in one.details[:_MOST_DETAILS]]
    solid = list(dict.fromkeys(word for line in lines for word in words(line)))
    top = solid[: _MOST_WORDS // 2]
    longest = sorted(solid[_MOST_WORDS // 2 :], key=lambda word: (-len(word), word))
    chosen = [*top, *longest[: _MOST_WORDS - len(top)]]
    pairs = [
        f"{one} {other}"
        for statement in statements[:2]
        for one, other in pairwise([w for w in message(statement.text) if says(w)])
    ]
    found: Sequence[str] = [*chosen, *pairs[: MOST_FEATURES - len(chosen)]]
    return tuple(dict.fromkeys(_number(word) for word in found))


def squeezed_type(name: str | None) -> str:
    """An exception type or code for comparison: `app.errors.Http_Error ` is `httperror`."""
    last = (name or "").strip().rsplit(".", 1)[-1]
    return "".join(filter(str.isalnum, last.casefold()))
