"""Whether an answer says another one of a kind than the context does: a lawyer for a psychiatrist.

Rules of this module: only words of small closed kinds are looked at, each with all words that may
stand for it or lead to it. One is wrong where the source holds none of these, and names another of
the same kind instead; where it names none of the kind, what is absent may just be known.
"""

import re
from collections.abc import Iterator
from itertools import islice

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.finding import at
from reflection_mcp.tools.judging.grounding.closed_kinds import KINDS, Kind
from reflection_mcp.tools.judging.texts.source import Source

KIND = "grounding:kind"
CLAIMS = 200
"""Findings on one answer."""


_KIND_OF = {word: kind for kind in KINDS for word in kind.words}
_FORMS = {form: word for word in _KIND_OF for form in (f"{word}s", word)}
# With a capital only what is always written with one; others may be a name: Judge, Baker, North.
_WORD = re.compile(r"(?<![\w-])[A-Za-z][a-z]{2,}(?![\w-])")


# Said of two by name: "his wife", "the uncle of Anna"; not "sister ship".
_KIN = frozenset(
    """mother father brother sister son daughter wife husband uncle aunt nephew niece cousin
    grandson granddaughter grandfather grandmother""".split()
)
_RELATED = re.compile(
    rf"(?:\b(?:his|her)|\w['\u2019]s?) (?:[a-z]{{1,12}} )?(?P<kin>{'|'.join(sorted(_KIN))})\b"
    r"(?! [a-z]{3,}ship)"
)
_FAMILY = """mother father brother sister daughter wife husband uncle aunt nephew niece cousin
    grandpa grandma grandson granddaughter grandfather grandmother grandparent grandchild parent
    child married marri divorc widow spouse sibling twin famil relative related bride half-brother
    step dynast descend couple engaged partner pregnan""".split()
_FAMILY_WORDS = frozenset("son sons kin heir heiress heirs baby babies mom dad mum nee".split())
# Of most people it is told when they were born; to whom is told of few.
_BORN = re.compile(r"\b(?:born|birth) (?:to|into|out|of|son|daughter)\b")


def check(case: Case) -> Iterator[Check]:
    """Yield a finding for each word of a closed kind of which the context holds another."""
    yield from islice(_kinds(case), CLAIMS)
    related = None if _KIN.isdisjoint(case.words) else _RELATED.search(case.prose)
    if related and not _tells_of_kin(case.source):
        why = "The context tells of no kinship."
        yield at(case, *related.span("kin"), KIND, "wrong", why, stated=related["kin"])


def _tells_of_kin(source: Source) -> bool:
    told = not source.words.isdisjoint(_FAMILY_WORDS) or source.begins_any(_FAMILY)
    return told or bool(_BORN.search(source.small))


def _kinds(case: Case) -> Iterator[Check]:
    held: dict[str, str] = {}
    # A question that offers two of a kind tells nothing of either.
    source = Source(case.context) if " or " in case.question else case.source
    if _FORMS.keys().isdisjoint(case.words):
        return
    for found in _WORD.finditer(case.prose):
        word = _FORMS.get(found[0], "")
        kind = _KIND_OF.get(word)
        if kind is None or source.begins_any(kind.words[word]):
            continue
        if kind.name not in held:
            held[kind.name] = _other(source, kind)
        if other := held[kind.name]:
            why = f"The context does not say {word!r} but {other!r}."
            yield at(case, *found.span(), KIND, "wrong", why, stated=word, expected=other)


def _other(source: Source, kind: Kind) -> str:
    """Return a word of the kind that the context holds."""
    return next((word for word in kind.words if source.has_noun(word.lower())), "")
