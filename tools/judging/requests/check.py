"""Whether the answer has the form that the question explicitly asks for.

Rules of this module: a demand that cannot be measured with certainty on this answer is unchecked.
Too few of what was asked for is a fault; too many is one only where the question set a bound, and a
hint otherwise. An answer of no words at all is the business of `refusal`.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from reflection_mcp.store.records import Check, Severity, Status
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.finding import whole
from reflection_mcp.tools.judging.requests import count as counting
from reflection_mcp.tools.judging.requests.count import Count
from reflection_mcp.tools.judging.requests.demands import Demand, What, clauses, read
from reflection_mcp.tools.judging.requests.edges import begins, ends, folded
from reflection_mcp.tools.judging.requests.form import FORM_RULES
from reflection_mcp.tools.judging.requests.length import LENGTH_RULES
from reflection_mcp.tools.judging.requests.remedy import remedy
from reflection_mcp.tools.judging.texts.languages import (
    LANGUAGE_NAMES,
    LATIN,
    SCRIPTS,
    written_in,
)
from reflection_mcp.tools.judging.texts.wording import stem, words

LOOSE_SHORT, LOOSE_LONG = 0.5, 2.0
"""A rough figure of words or characters is missed beyond half of it or twice it."""

Finding = tuple[Status, Severity, str]
"""Status, severity, and what the answer has instead."""


def check(case: Case) -> Iterator[Check]:
    """Yield one finding for each demand of the question on the form of its answer."""
    if not case.answer.strip():
        return
    several = sum(bool(_REQUEST.match(part)) for part, _ in clauses(case.question)) > 1
    for demand in read(case.question, (*LENGTH_RULES, *FORM_RULES)):
        status, severity, stated = _MEASURES[demand.what](case, demand)
        if severity == "hard" and several and demand.most is not None and demand.least is None:
            severity = "hint"
        kind = f"completeness:{_KINDS.get(demand.what, 'format')}"
        said = f"The question asks: {_cut(demand.said)!r}"
        why = f"{said}; the answer has {stated}." if status == "wrong" else f"{said}."
        expected = remedy(_missed(demand, stated))
        if status == "wrong" and kind == COUNT:
            # Bare figures, from which the share that is there can be worked out.
            stated = stated.split()[0]
            expected = str(demand.least if demand.least is not None else demand.most)
        yield whole(kind, status, why, severity=severity, stated=stated, expected=expected)


COUNT = "completeness:count"
SAID = 100
"""Characters of a demand that are told; more would leave no room for what the answer has."""


def _cut(said: str) -> str:
    return said if len(said) <= SAID else f"{said[: SAID - 1]}\u2026"


def _missed(demand: Demand, stated: str) -> Demand:
    """Return of several forbidden words the one that stands in the answer."""
    found = tuple(one for one in demand.texts if repr(one) == stated)
    return replace(demand, texts=found) if found and demand.what == "forbidden" else demand


# Of two pieces of work in one question a limit may bind only one.
_REQUEST = re.compile(
    r"\s*(?:(?:then|also|next|finally|and|please|now|\d+[.)])[:,]?\s+){0,3}"
    r"(?:write|create|generate|compose|summari[sz]e|list|describe|explain|give|draft|make)\b",
    re.IGNORECASE,
)
_KINDS: dict[What, str] = {
    "items": "count", "bullets": "count", "sections": "count", "placeholders": "count",
    "highlights": "count", "capital words": "count", "two responses": "count",
    "words": "length", "sentences": "length", "paragraphs": "length", "lines": "length",
    "characters": "length", "keyword": "keyword", "forbidden": "keyword", "letter": "keyword",
    "language": "language",
}  # fmt: skip


OK: Finding = ("ok", "hard", "")
UNCLEAR: Finding = ("unchecked", "hard", "")

# --------------------------------------------------------------------------- counts


def _several(count: int, unit: str) -> str:
    """Say "1 item" and "2 items"."""
    return f"{count} {unit[:-1] if count == 1 and unit.endswith('s') else unit}"


def _bounded(count: Count, demand: Demand, unit: str) -> Finding:
    if demand.least is not None and count.high < demand.least:
        return "wrong", "hard", _several(count.high, unit)
    if demand.most is not None and count.low > demand.most:
        return "wrong", "hint" if demand.loose else "hard", _several(count.low, unit)
    return OK


def _rough(count: Count, demand: Demand, unit: str) -> Finding:
    """Judge a long measure: a loose figure is missed by half or by twice only."""
    if not demand.loose:
        return _bounded(count, demand, unit)
    least, most = demand.least or 0, demand.most
    if count.high < least * LOOSE_SHORT:
        return "wrong", "hard", _several(count.high, unit)
    if most is not None and count.low > most * LOOSE_LONG:
        return "wrong", "hint", _several(count.low, unit)
    return OK


def _words(case: Case, demand: Demand) -> Finding:
    # Languages that are written without spaces have no words to count here.
    if not case.english:
        return UNCLEAR
    return _rough(counting.words(case), demand, "words")


def _characters(case: Case, demand: Demand) -> Finding:
    return _rough(counting.characters(case), demand, "characters")


def _sentences(case: Case, demand: Demand) -> Finding:
    if not case.english or case.blocks:
        return UNCLEAR
    return _bounded(counting.sentences(case), demand, "sentences")


def _paragraphs(case: Case, demand: Demand) -> Finding:
    if case.blocks:
        return UNCLEAR
    return _bounded(counting.paragraphs(case), demand, "paragraphs")


def _lines(case: Case, demand: Demand) -> Finding:
    if case.blocks:
        return UNCLEAR
    return _bounded(counting.lines(case), demand, "lines")


def _items(case: Case, demand: Demand) -> Finding:
    counts, loose = counting.items(case)
    listed = {style: count for style, count in counts.items() if style not in ("bold", "headed")}
    if not listed:
        return UNCLEAR
    most = max(counts.values())
    if demand.least is not None and most < demand.least:
        inline = counting.enumerated(case)
        if inline >= demand.least:
            return OK
        # Two lists of a few items, or lines without a marker, may make up the number together.
        if sum(listed.values()) >= demand.least or loose >= demand.least > 2:
            return UNCLEAR
        style, got = max(listed.items(), key=lambda pair: pair[1])
        # A list of one item is hardly a list: all may stand in it.
        if got == 1 and _together(case) >= demand.least:
            return UNCLEAR
        if style != "numbered" and _inline(case) >= demand.least:
            return UNCLEAR
        return "wrong", "hard", _several(max(got, inline), "items")
    if demand.most is not None and set(listed) == {"numbered"} and listed["numbered"] > demand.most:
        return "wrong", "hint" if demand.loose else "hard", f"{listed['numbered']} items"
    return OK


def _inline(case: Case) -> int:
    """Count what the lines of the answer enumerate between commas, semicolons or dashes."""
    return sum(len(_BETWEEN.findall(line.text)) + 1 for line in case.lines if line.text.strip())


def _together(case: Case) -> int:
    """Count what the fullest line names that holds nothing but names, as "* 3 and 7" does."""
    lines = ([part for part in _JOINED.split(line.text) if part.strip()] for line in case.lines)
    names = (parts for parts in lines if all(len(part.split()) <= _NAME for part in parts))
    return max(map(len, names), default=0)


_NAME = 4
"""Words of a name at most, the marker of the list among them: a sentence has longer parts."""
_JOINED = re.compile(r"[,;/]|\b(?:and|with|plus)\b|&", re.IGNORECASE)
_BETWEEN = re.compile(r"[,;]|(?<=\S) [-\u2013] ")


def _bullets(case: Case, demand: Demand) -> Finding:
    counts, _ = counting.items(case)
    listed = [counts[style] for style in ("bulleted", "numbered") if style in counts]
    if not listed:
        return UNCLEAR
    if any(_bounded(Count(n, n), demand, "")[0] == "ok" for n in listed):
        return OK
    return _bounded(Count(max(listed), max(listed)), demand, "bullet points")


def _sections(case: Case, demand: Demand) -> Finding:
    counts, _ = counting.items(case)
    found = [counts[style] for style in ("named", "headed", "numbered", "bold") if style in counts]
    if not found:
        return UNCLEAR
    return _bounded(Count(min(found), max(found)), demand, "sections")


def _matches(pattern: str) -> Callable[[Case, Demand], Finding]:
    compiled = re.compile(pattern)

    def measure(case: Case, demand: Demand) -> Finding:
        found = len(compiled.findall(case.answer))
        return _bounded(Count(found, found), demand, demand.what)

    return measure


def _two(case: Case, demand: Demand) -> Finding:
    parts = [part for part in case.answer.split("******") if part.strip()]
    return OK if len(parts) >= 2 else ("wrong", "hard", f"{len(parts)} response")


# --------------------------------------------------------------------------- formats


def _json(case: Case, demand: Demand) -> Finding:
    # Whether it parses is the business of `syntax`.
    if re.search(r"[{\[]", case.answer):
        return OK
    if re.fullmatch(r"\s*(?:\"[^\"]*\"|-?\d[\d.eE+-]*|true|false|null)\s*", case.answer[:2_000]):
        return OK
    return "wrong", "hard", "no JSON"


def _title(case: Case, demand: Demand) -> Finding:
    return (
        OK if re.search(r"<<[^\n<>]{1,300}>>", case.answer) else ("wrong", "hard", "no <<title>>")
    )


def _postscript(case: Case, demand: Demand) -> Finding:
    if re.search(r"\bP\.?\s?(?:P\.?\s?)?S\b", case.answer, re.IGNORECASE):
        return OK
    return "wrong", "hard", "no postscript"


def _quotation(case: Case, demand: Demand) -> Finding:
    text = case.answer.strip()
    if len(text) > 1 and text[0] in '"\u201c\u00ab' and text[-1] in '"\u201d\u00bb':
        return OK
    return "wrong", "hard", "no quotation marks around it"


def _no_commas(case: Case, demand: Demand) -> Finding:
    count = case.prose.count(",")
    return ("wrong", "hard", f"{count} commas") if count else OK


def _upper(case: Case, demand: Demand) -> Finding:
    small = sum(sign.islower() for sign in case.prose)
    return ("wrong", "hard", f"{small} small letters") if small else OK


def _lower(case: Case, demand: Demand) -> Finding:
    capitals = sum(sign.isupper() for sign in case.prose)
    return ("wrong", "hard", f"{capitals} capital letters") if capitals else OK


def _start(case: Case, demand: Demand) -> Finding:
    if any(begins(case.answer, text) for text in demand.texts):
        return OK
    return "wrong", "hard", f"{' '.join(case.answer.split()[:8])!r} at its start"


def _end(case: Case, demand: Demand) -> Finding:
    if any(ends(case.answer, text, case.question) for text in demand.texts):
        return OK
    return "wrong", "hard", f"{' '.join(case.answer.split()[-8:])!r} at its end"


def _options(case: Case, demand: Demand) -> Finding:
    text = folded(case.answer)
    if any(folded(option) in text for option in demand.texts):
        return OK
    return "wrong", "hard", "none of them"


# --------------------------------------------------------------------------- words


def _keyword(case: Case, demand: Demand) -> Finding:
    text = folded(case.answer)
    if demand.least is not None or demand.most is not None:
        wanted = folded(demand.texts[0])
        exact = len(re.findall(rf"(?<!\w){re.escape(wanted)}(?!\w)", text))
        return _bounded(Count(exact, text.count(wanted)), demand, f"times {wanted!r}")
    stems = {stem(word)[:STEM] for word in words(text)}
    missing = [one for one in demand.texts if not _present(folded(one), text, stems)]
    if not missing or (demand.either and len(missing) < len(demand.texts)):
        return OK
    if demand.either:
        return "wrong", "hard", "none of them"
    return "wrong", "hard", f"no {', no '.join(map(repr, missing))}"


STEM = 5
"""Letters by which a word is known again in another form: "criticize" in "criticism"."""


def _present(wanted: str, text: str, stems: set[str]) -> bool:
    return wanted in text or all(stem(word)[:STEM] in stems for word in words(wanted))


def _forbidden(case: Case, demand: Demand) -> Finding:
    text = case.answer.casefold()
    for one in demand.texts:
        wanted = one.casefold()
        if len(wanted) == 1:
            found = wanted in text
        else:
            found = bool(re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", text))
        if found:
            return "wrong", "hard", repr(one)
    return OK


def _letter(case: Case, demand: Demand) -> Finding:
    found = case.answer.casefold().count(demand.texts[0].casefold())
    return _bounded(Count(found, found), demand, f"times {demand.texts[0]!r}")


def _language(case: Case, demand: Demand) -> Finding:
    wanted = demand.texts[0]
    romanised = re.search(
        r"roman|transliterat|pronunc|pinyin|latin (?:letters|script)", case.question, re.I
    )
    if wanted in SCRIPTS and romanised:
        return UNCLEAR
    # What is told beside a translation, and where, is nobody's to say.
    told = _TOLD_TOO if demand.said.lower().startswith("translat") else _MIXED
    if told.search(case.question) or _languages(case.question) > 1:
        return UNCLEAR
    if told is _TOLD_TOO and wanted in LATIN and _SET_OFF.search(case.answer):
        return UNCLEAR
    written = written_in(case.prose, wanted)
    if written == "no":
        return "wrong", "hard", "another language"
    return OK if written == "yes" else UNCLEAR


_MIXED = re.compile(
    r"\b(?:and|then|plus|with)\b[^.\n]{0,40}\b(?:explain|explanations?|translat(?:e|ions?)|notes|"
    r"meanings?|english)\b",
    re.IGNORECASE,
)
_TOLD_TOO = re.compile(
    r"\b(?:explain|explanations?|tell|describe|comments?|notes?|literal(?:ly)?|breakdown|"
    r"break (?:it )?down|meanings?|context|differences?|when to|pronounc\w{0,5}|grammar|"
    r"alternatives|options|why)\b",
    re.IGNORECASE,
)
_SET_OFF = re.compile(r"[\"\u201c\u201d\u00ab\u00bb\u201e`*]|(?<!\w)['\u2018_]\w")
_ASKED_IN = re.compile(rf"\b(?:in|into|to) ({'|'.join(LANGUAGE_NAMES)})\b", re.IGNORECASE)


def _languages(question: str) -> int:
    return len({found.lower() for found in _ASKED_IN.findall(question)})


_MEASURES: dict[What, Callable[[Case, Demand], Finding]] = {
    "items": _items,
    "words": _words,
    "sentences": _sentences,
    "paragraphs": _paragraphs,
    "lines": _lines,
    "characters": _characters,
    "bullets": _bullets,
    "sections": _sections,
    "placeholders": _matches(r"\[[^\]\n]{1,80}\]"),
    "highlights": _matches(r"\*{1,2}[^\n*]{1,300}\*{1,2}"),
    "capital words": _matches(r"\b[A-Z]{2,}\b"),
    "two responses": _two,
    "json": _json,
    "title": _title,
    "postscript": _postscript,
    "quotation": _quotation,
    "no commas": _no_commas,
    "upper case": _upper,
    "lower case": _lower,
    "start": _start,
    "end": _end,
    "options": _options,
    "keyword": _keyword,
    "forbidden": _forbidden,
    "letter": _letter,
    "language": _language,
}
