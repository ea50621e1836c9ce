"""Import of lessons from a file: cleaned like everything else from outside.

Rules: pure. Every text is redacted, cut and checked for prompt injection, whatever the file says
about it; keys that the file does not have are made again from the text of the error or the words of
the lesson; an id is made from the signature, so that importing the same file twice gives the same
rows.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from reflection_mcp.store.maintenance import StoredReflection
from reflection_mcp.store.records import MOST_SITUATIONS, Key, Reflection, Wording
from reflection_mcp.tools.identity import Fingerprint, fingerprint, text_signature
from reflection_mcp.tools.intake import head_and_tail
from reflection_mcp.tools.learning.category import categories, categorise
from reflection_mcp.tools.learning.reflector import is_born_of_a_finding
from reflection_mcp.tools.ports import Limits
from reflection_mcp.tools.redaction import redact
from reflection_mcp.tools.untrusted import scrub, suspicion

MOST_WORDINGS, MOST_LINKS, MOST_KEYS, MOST_FEATURES = 200, 100, 100, 200
NAME = 200  # characters of a source or an error type
_NAME = re.compile(r"[\w:.-]{1,64}", re.ASCII)
"""The form of an id or a signature: they are shown unquoted in every view."""
BETWEEN = "\n\x1f\n"  # between texts that are looked through together
BY_HAND = "file"
"""The source of what a person wrote into a file."""


class EmptyRow(ValueError):
    """Raised for a row that has neither a lesson nor an error."""


def clean_row(row: StoredReflection, limits: Limits) -> StoredReflection:
    """Return the row cleaned for the store.

    Raises:
        Empty: it has neither a lesson nor an error.
    """
    given = row.reflection
    clean = _cleaner(row, limits)
    lesson, strategy = clean(given.lesson), clean(given.strategy)
    example = clean(given.example)
    situations = _situations(given.situations, clean, limits)
    if not (lesson or strategy or example):
        raise EmptyRow("neither a lesson nor an error")
    seen = fingerprint(example, given.error_type) if example else None
    usable = seen if seen is not None and not seen.unusable else None
    own = given.signature if _NAME.fullmatch(given.signature) else ""
    signature = own or (usable.signature if usable else text_signature(lesson))
    digest = signature.rpartition(":")[2]
    trigger = clean(given.trigger)
    said = (lesson, strategy, *situations, *(() if usable else (trigger,)))
    own_id = given.id if _NAME.fullmatch(given.id) else ""
    reflection = replace(
        given,
        id=own_id or f"{'str' if given.kind == 'strategy' else 'ref'}-{digest[:10]}",
        signature=signature,
        lesson=lesson,
        strategy=strategy,
        example=example,
        trigger=trigger or (usable.summary if usable else ""),
        evidence=clean(given.evidence),
        question=clean(given.question),
        error_type=clean(given.error_type or "")[:NAME] or None,
        category=_category(row, example or lesson),
        pattern=given.pattern or (usable.pattern if usable else None),
        tags=tuple(dict.fromkeys(t.casefold() for tag in given.tags if (t := clean(tag))))[
            : limits.tags
        ],
        situations=situations,
        source=clean(given.source)[:NAME] or BY_HAND,
        suspicious=bool(suspicion("\n".join(said))),
        wordings=tuple(_wording(said, clean, limits) for said in given.wordings[:MOST_WORDINGS]),
        links=tuple(link for link in given.links if _NAME.fullmatch(link.target_id))[:MOST_LINKS],
    )
    return StoredReflection(
        reflection=reflection,
        keys=row.keys[:MOST_KEYS] or _keys(reflection, usable, digest),
        features=row.features[:MOST_FEATURES] or (usable.features if usable else ()),
        author=clean(row.author)[:NAME] or reflection.source,
    )


Clean = Callable[[str], str]
"""A function that makes a text of the row fit to be stored."""


def _cleaner(row: StoredReflection, limits: Limits) -> Clean:
    """Return the function that cleans the texts of this row.

    Nearly every row holds no secret, and one check of all its texts together costs a tenth of
    fifteen.
    """
    given = row.reflection
    said = [text for each in given.wordings for text in (*each.key, *each.lesson.situations)]
    texts = [
        given.lesson, given.strategy, given.example, given.trigger, given.evidence, given.question,
        given.error_type or "", given.source, given.id, row.author, *given.tags, *given.situations,
        *said,
    ]  # fmt: skip
    together = scrub(BETWEEN.join(dict.fromkeys(texts)))
    harmless = redact(together) == together

    def clean(text: str) -> str:
        plain = scrub(text) if harmless else redact(scrub(text))
        return head_and_tail(plain, limits.lesson).strip()

    return clean


def _category(row: StoredReflection, text: str) -> str:
    """Return the category in the file; a row that was never in a store may not have one yet."""
    known = row.reflection.category
    if known != "unknown":
        return known if known in categories() else "unknown"
    return known if row.keys else categorise(text)


def _situations(given: Iterable[str], clean: Clean, limits: Limits) -> tuple[str, ...]:
    lines = (" ".join(clean(each)[: limits.phrasing].split()) for each in given)
    return tuple(dict.fromkeys(line for line in lines if line))[:MOST_SITUATIONS]


def _wording(said: Wording, clean: Clean, limits: Limits) -> Wording:
    lesson = replace(
        said.lesson,
        text=clean(said.lesson.text),
        strategy=clean(said.lesson.strategy),
        situations=_situations(said.lesson.situations, clean, limits),
    )
    texts = (lesson.text, lesson.strategy, *lesson.situations)
    return replace(
        said,
        lesson=lesson,
        source=clean(said.source)[:NAME] or BY_HAND,
        suspicious=bool(suspicion("\n".join(texts))),
    )


def _keys(reflection: Reflection, usable: Fingerprint | None, digest: str) -> tuple[Key, ...]:
    if usable is not None:
        return usable.keys
    if reflection.kind == "strategy":
        kind = "strategy"
    else:
        kind = "finding" if is_born_of_a_finding(reflection.error_type) else "lesson"
    return (Key(kind=kind, digest=digest),)
