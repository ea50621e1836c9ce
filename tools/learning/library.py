"""Lessons that come from a file are taken in like everything else from outside.

Rules: pure. Every text is redacted, cut and looked through for orders to its reader, whatever the
file says about it; what finds a lesson again is made anew where the file has none, from the text of
the error or the words of the lesson; an id is made from the signature, so that bringing the same
file in twice gives the same rows.
"""

from dataclasses import replace

from reflection_mcp.store.records import Key, Reflection, Wording
from reflection_mcp.store.upkeep import Stored
from reflection_mcp.tools.identity import Fingerprint, fingerprint, text_signature
from reflection_mcp.tools.intake import head_and_tail
from reflection_mcp.tools.learning.category import categorise
from reflection_mcp.tools.ports import Limits
from reflection_mcp.tools.redaction import redact
from reflection_mcp.tools.untrusted import scrub, suspicion

MOST_WORDINGS, MOST_LINKS, MOST_KEYS, MOST_FEATURES = 200, 100, 100, 200
SHORT = 200  # a name or a tag: cut at its end, not in its middle
BY_HAND = "file"
"""The source of what somebody wrote into a file."""


class Empty(ValueError):
    """A row has neither a lesson nor an error: there is nothing to keep."""


def taken_in(row: Stored, limits: Limits) -> Stored:
    """The row as it may enter a store.

    Raises:
        Empty: nothing in it says anything.
    """
    given = row.reflection
    lesson, strategy = _text(given.lesson, limits.lesson), _text(given.strategy, limits.lesson)
    example = _text(given.example, limits.lesson)
    if not (lesson or strategy or example):
        raise Empty("neither a lesson nor an error")
    seen = fingerprint(example, given.error_type) if example else None
    usable = seen if seen is not None and not seen.unusable else None
    signature = given.signature[:64] or (usable.signature if usable else text_signature(lesson))
    digest = signature.rpartition(":")[2]
    reflection = replace(
        given,
        id=_text(given.id, 64) or f"{'str' if given.kind == 'strategy' else 'ref'}-{digest[:10]}",
        signature=signature,
        lesson=lesson,
        strategy=strategy,
        example=example,
        trigger=_text(given.trigger, 500) or (usable.summary if usable else ""),
        evidence=_text(given.evidence, limits.lesson),
        question=_text(given.question, limits.lesson),
        error_type=given.error_type and (_text(given.error_type, 200) or None),
        category=_category(given, example or lesson),
        pattern=given.pattern or (usable.pattern if usable else None),
        tags=_tags(given.tags, limits),
        source=_text(given.source, 200) or BY_HAND,
        suspicious=bool(suspicion(f"{lesson}\n{strategy}")),
        wordings=tuple(_wording(said, limits) for said in given.wordings[:MOST_WORDINGS]),
        links=given.links[:MOST_LINKS],
    )
    return Stored(
        reflection=reflection,
        keys=row.keys[:MOST_KEYS] or _keys(reflection, usable, digest),
        features=row.features[:MOST_FEATURES] or (usable.features if usable else ()),
        author=_text(row.author, 200) or reflection.source,
    )


def _text(text: str, limit: int) -> str:
    clean = redact(scrub(text))
    return (head_and_tail(clean, limit) if limit > SHORT else clean[:limit]).strip()


def _category(given: Reflection, text: str) -> str:
    return _text(given.category, 40) if given.category != "unknown" else categorise(text)


def _tags(tags: tuple[str, ...], limits: Limits) -> tuple[str, ...]:
    clean = (_text(tag, limits.tag).casefold() for tag in tags)
    return tuple(dict.fromkeys(tag for tag in clean if tag))[: limits.tags]


def _wording(said: Wording, limits: Limits) -> Wording:
    lesson, strategy = _text(said.lesson, limits.lesson), _text(said.strategy, limits.lesson)
    return replace(
        said,
        source=_text(said.source, 200) or BY_HAND,
        lesson=lesson,
        strategy=strategy,
        suspicious=bool(suspicion(f"{lesson}\n{strategy}")),
    )


def _keys(reflection: Reflection, usable: Fingerprint | None, digest: str) -> tuple[Key, ...]:
    if usable is not None:
        return usable.keys
    kind = "strategy" if reflection.kind == "strategy" else "lesson"
    return (Key(kind=kind, digest=digest),)
