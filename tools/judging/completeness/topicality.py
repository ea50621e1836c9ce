"""Whether an answer seems to speak of what was asked, by the words it shares with the question.

Rule of this module: hints only. Shared words are weak evidence (measured on development data: 7 to
33 % of right answers share none with one part of their question), so nothing here may lower a score
or ask for a retry, and texts that are not English get no hint at all.
"""

import re
from collections.abc import Iterator

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.finding import at, whole
from reflection_mcp.tools.judging.requests.demands import read
from reflection_mcp.tools.judging.requests.form import FORM_RULES
from reflection_mcp.tools.judging.requests.length import LENGTH_RULES
from reflection_mcp.tools.judging.texts.reports import asks, reports
from reflection_mcp.tools.judging.texts.source import fold
from reflection_mcp.tools.judging.texts.wording import STOP, content, letters, stem

UNANSWERED, OFF_TOPIC, SUPPORT = (
    "completeness:unanswered_part", "completeness:off_topic", "grounding:support"
)  # fmt: skip
PARTS = 12
"""Parts of a question that are looked at."""
LIMIT = 20_000
"""Characters of the question, the answer and each sentence's context that are compared."""
SENTENCES = 200
TELLING = 4
"""Different telling words from which an answer is long enough to have an echo; "Lima." is not."""
WEAK = 0.34
"""Share of an answer sentence's words in the context below which it stands out."""

# Words of a request that need not come back in its answer.
_INSTRUCTION = frozenset(
    content(
        """write list name give provide suggest generate create identify describe explain example
        sentence word use make question answer following please come idea include type given convert
        rewrite find construct design compare summarize classify paragraph essay text one two three
        four five six seven eight nine ten what which who where when why how difference between"""
    )
)
_PART = re.compile(
    r"(?<=[?!.;])\s+|\n+|\b(?:also|in addition|additionally|finally|furthermore|then)\b[,:]?\s+",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"\W{0,4}(?:please\s+)?(?:who|what|when|where|why|how|which|is|are|do|does|can|could|list|name|"
    r"give|provide|suggest|write|generate|create|identify|describe|explain|compare|summari[sz]e|"
    r"outline|find|propose|recommend|tell|translate|calculate|compute|design|discuss|define)\b",
    re.IGNORECASE,
)


def check(case: Case) -> Iterator[Check]:
    """Yield hints: parts of the question without an echo, sentences the context hardly carries."""
    if not case.english or not case.answer.strip():
        return
    hints = list(_question(case))
    if hints and not reports(case.answer):
        yield from hints
    if case.context.strip():
        yield from _support(case)


def _question(case: Case) -> Iterator[Check]:
    asked = [stem for stem in content(case.question[:LIMIT]) if stem not in _INSTRUCTION]
    if not asked:
        return
    said = _telling(case.answer[:LIMIT].lower())
    # Two words of one stem begin alike, so that no other word of the answer has to be stemmed.
    beginnings = {stem[:3] for stem in asked}
    answered = frozenset(stem(word) for word in said if word[:3] in beginnings)
    if len(asked) >= 2 and answered.isdisjoint(asked):
        if asks(case.question) and len(set(map(stem, said))) >= TELLING:
            why = "The answer shares no telling word with the question."
            yield whole(OFF_TOPIC, "wrong", why, severity="hint")
        return
    parts = _parts(case.question[:LIMIT])
    silent = [part for part in parts if _echo(part, answered) == 0] if len(parts) > 1 else []
    if len(silent) < len(parts):
        for part in silent:
            why = "The answer shares no telling word with this part of the question."
            expected = " ".join(part.split())[:160]
            yield whole(UNANSWERED, "wrong", why, severity="hint", expected=expected)


_NUMBER = re.compile(r"\d[\d,.]{0,20}")


def _telling(text: str) -> set[str]:
    """Return the different words and numbers that carry meaning of a text in small letters."""
    found = {*letters(text), *_NUMBER.findall(text)} - STOP
    return {word for word in found if len(word) > 1}


def _parts(question: str) -> list[str]:
    parts = [part for part in _PART.split(question) if _REQUEST.match(part)]
    if len(parts) < 2:  # nothing to hold one of them against
        return parts
    return [part for part in parts if _asked(_without_form(part))][:PARTS]


def _without_form(part: str) -> str:
    """Return what of a part is no demand on the form of the answer, which no word can answer."""
    for demand in read(part, (*LENGTH_RULES, *FORM_RULES)):
        if demand.what != "items":  # "List three rivers" asks for rivers
            part = part.replace(demand.said, " ")
    return part


def _asked(part: str) -> set[str]:
    return {stem for stem in content(part) if stem not in _INSTRUCTION}


def _echo(part: str, answered: frozenset[str]) -> int:
    return len(_asked(part) & answered)


def _support(case: Case) -> Iterator[Check]:
    sentences = case.sentences[:SENTENCES]
    telling = [_telling(fold(sentence.text)) for sentence in sentences]
    stems = {word: stem(word) for word in set[str]().union(*telling)}
    # A word that stands there as it is need not be looked for by its stem.
    known = {stems[word] for word in stems.keys() & case.source.words}
    known |= case.source.stems({one[:3] for one in stems.values() if one not in known})
    shares: list[float] = []
    for sentence, words in zip(sentences, telling, strict=True):
        if not words:
            continue
        said = {stems[word] for word in words}
        share = len(said & known) / len(said)
        shares.append(share)
        if share < WEAK:
            why = f"The context holds {share:.0%} of the words of this sentence."
            end = sentence.start + len(sentence.text)
            yield at(case, sentence.start, end, SUPPORT, "wrong", why, severity="hint")
    if shares:
        mean = sum(shares) / len(shares)
        why = "Share of the answer's words that the context holds; lexical, not calibrated."
        yield whole(SUPPORT, "unchecked", why, severity="hint", stated=f"{mean:.2f}")
