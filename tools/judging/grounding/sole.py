"""An answer that is one name, or begins with the one it names, when a name was asked for.

Rules of this module: at the start of a sentence every word has a capital, so one is taken for a
name only where the question asks who, where or which, and the word is no general one. Labels, kinds
and yes or no are no names.
"""

import re
from collections.abc import Iterator

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.finding import at
from reflection_mcp.tools.judging.grounding.dates import MONTH_NAMES
from reflection_mcp.tools.judging.texts.source import Source, fold
from reflection_mcp.tools.judging.texts.wording import STOP

NAME = "grounding:name"

_OF_A_NAMED_KIND = (
    r"(?:\w{1,20} ){0,2}(?:city|country|state|town|"
    r"village|county|river|company|band|team|club|university|school|film|movie|book|song|album|"
    r"show|series|game|person|lake|mountain|era|period|dynasty|actor|actress|singer|author|"
    r"magazine|newspaper|network|brand|nationality|religion|denomination|name)\b"
)
_ASKS_FOR_A_NAME = re.compile(
    rf"\b(?:who|whom|whose|where|which)\b|\bwhat {_OF_A_NAMED_KIND}", re.IGNORECASE
)
# Of other things ("which fuel?") an answer may use another word than the context.
_ASKS_FOR_A_PROPER_NAME = re.compile(
    rf"\bwho(?:m|se)?\b|\b(?:which|what) {_OF_A_NAMED_KIND}", re.IGNORECASE
)
_ASKS_FOR_A_LABEL = re.compile(
    r"\b(?:type|kind|sort|sentiment|categor\w{1,5}|class|classif\w{1,8}|genre|tone|mood|"
    r"topic|label|emotion|part of speech|language|colou?r|opposite|synonym|antonym|theme|true|"
    r"false|yes|no)\b",
    re.IGNORECASE,
)
_LABELS = frozenset(
    """yes no true false none both neither either unknown maybe positive negative neutral high low
    medium correct incorrect never always nothing nobody everyone today tomorrow""".split()
)


def _asks_for_a_name(case: Case) -> bool:
    asked = case.question
    return bool(_ASKS_FOR_A_NAME.search(asked)) and not _ASKS_FOR_A_LABEL.search(asked)


# A sentence that begins with the one who was asked for: "Jolene was the song".
_SUBJECT = re.compile(r"(?P<name>[^\W\d_]{3,30}) (?:is|was|has|had|won|wrote|did)\b")
_NAMED_KIND = re.compile(r"\b(?:which|what)\s+(\w{3,20})\b", re.IGNORECASE)
_ENDS_AS_A_NOUN = re.compile(
    r"(?:ing|ion|ity|ness|ment|ism|ist|er|or|ly|ship|age|ance|ence|[^s]s)$"
)
_NOBODY = frozenset(
    """this that these those there here someone somebody something anyone anybody everything another
    one two three other others each most many some all any such he she they it what who his her
    their its our your god mom dad everybody""".split()
)


def check(case: Case, source: Source) -> Iterator[Check]:
    """Check an answer that is one capitalised word, or begins with it: a name was asked for."""
    if not _asks_for_a_name(case):
        return
    text = case.answer.strip()
    word = text.strip(".*_\"'` ")
    kind = _NAMED_KIND.search(case.question)
    if kind:  # "Which river?", "Danube river"
        word = re.sub(rf" {re.escape(kind[1])}$", "", word, flags=re.IGNORECASE)
    subject = _SUBJECT.match(text) if _ASKS_FOR_A_PROPER_NAME.search(case.question) else None
    if subject and not _ENDS_AS_A_NOUN.search(subject["name"]):
        word = subject["name"]
    known = fold(word)
    if not word.isalpha() or not word[0].isupper() or known in _LABELS or known in MONTH_NAMES:
        return
    if known in _NOBODY or (known in STOP and subject):
        return
    if source.may_imply(known):
        return
    if not source.has_word(known) and not source.has_like(known):
        place = case.answer.index(word)
        why = "The context does not hold this name."
        yield at(case, place, place + len(word), NAME, "wrong", why, stated=word)
