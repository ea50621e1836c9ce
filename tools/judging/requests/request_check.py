"""Check that the answer has the form that the question explicitly asks for.

Rules of this module: a demand that cannot be measured with certainty on this answer is unchecked.
Too few of what was asked for is a fault; too many is one only where the question set a bound, and a
hint otherwise. An answer of no words at all is the business of `refusal`.
"""

import re
from collections.abc import Callable, Iterator

from reflection_mcp.store.records import Check, Severity, Status
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.finding import whole
from reflection_mcp.tools.judging.requests import count as counting
from reflection_mcp.tools.judging.requests.clauses import clauses
from reflection_mcp.tools.judging.requests.count import Count
from reflection_mcp.tools.judging.requests.demands import Demand, What, read
from reflection_mcp.tools.judging.texts.languages import LANGUAGE_NAMES, SCRIPTS, written_in

LOOSE_SHORT, LOOSE_LONG = 0.5, 2.0
"""A rough figure of words or characters is missed beyond half of it or twice it."""
COUNT = "completeness:count"
SAID = 100
"""Characters of a demand that are shown; more would leave no room for what the answer has."""
Finding = tuple[Status, Severity, str]
"""Status, severity, and what the answer has instead."""
OK: Finding = ("ok", "hard", "")
UNCLEAR: Finding = ("unchecked", "hard", "")

# Of two pieces of work in one question a limit may bind only one.
_REQUEST = re.compile(
    r"\s*(?:(?:then|also|next|finally|and|please|now|\d+[.)])[:,]?\s+){0,3}"
    r"(?:write|create|generate|compose|summari[sz]e|list|describe|explain|give|draft|make)\b",
    re.IGNORECASE,
)


def check(case: Case) -> Iterator[Check]:
    """Yield one finding for each demand of the question on the form of its answer."""
    if not case.answer.strip():
        return
    several = sum(bool(_REQUEST.match(part)) for part in clauses(case.question)) > 1
    for demand in read(case.question):
        status, severity, stated = _MEASURES[demand.what](case, demand)
        if severity == "hard" and several and demand.most is not None and demand.least is None:
            severity = "hint"
        kind = f"completeness:{_KINDS.get(demand.what, 'format')}"
        said = f"The question asks: {_cut(demand.said)!r}"
        why = f"{said}; the answer has {stated}." if status == "wrong" else f"{said}."
        expected = _remedy(demand, stated)
        if status == "wrong" and kind == COUNT:
            # Bare figures, from which the share that is there can be worked out.
            stated = stated.split()[0]
            expected = str(demand.least if demand.least is not None else demand.most)
        yield whole(kind, status, why, severity=severity, stated=stated, expected=expected)


_KINDS: dict[What, str] = {
    "items": "count", "words": "length", "sentences": "length", "paragraphs": "length",
    "lines": "length", "characters": "length", "keyword": "keyword", "forbidden": "keyword",
    "language": "language",
}  # fmt: skip


def _cut(said: str) -> str:
    return said if len(said) <= SAID else f"{said[: SAID - 1]}\u2026"


def _remedy(demand: Demand, stated: str) -> str:
    """Return what meets a demand, as an order that can be obeyed: "write exactly 1 sentence"."""
    if demand.what == "json":
        return "answer in JSON"
    if demand.what == "language":
        return f"write it in {demand.texts[0].capitalize()}"
    if demand.what == "forbidden":
        return f"leave out {stated or ' and '.join(map(repr, demand.texts))}"
    if demand.what == "keyword":
        return f"use {(' or ' if demand.either else ' and ').join(map(repr, demand.texts))}"
    least, most = demand.least, demand.most
    figure = f"at least {least}" if most is None else f"at most {most}"
    if least is not None and most is not None:
        figure = f"{'about' if demand.loose else 'exactly'} {least}"
        figure = figure if least == most else f"{least} to {most}"
    single = 1 in (least, most) and least in (1, None, most)
    return f"write {figure} {demand.what[:-1] if single else demand.what}"


# --------------------------------------------------------------------------- counts


def _several(count: int, unit: str) -> str:
    """Say "1 item" and "2 items"."""
    return f"{count} {unit[:-1] if count == 1 else unit}"


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


def _length(case: Case, demand: Demand) -> Finding:
    # Languages that are written without spaces have no words and sentences to count here.
    uncounted = demand.what in ("words", "sentences") and not case.english
    if uncounted or (case.blocks and demand.what in ("sentences", "paragraphs", "lines")):
        return UNCLEAR
    judged = _rough if demand.what in ("words", "characters") else _bounded
    return judged(counting.LENGTHS[demand.what](case), demand, demand.what)


def _items(case: Case, demand: Demand) -> Finding:
    counts, loose = counting.items(case)
    listed = {style: count for style, count in counts.items() if style not in ("bold", "headed")}
    if not listed:
        return UNCLEAR
    if demand.least is not None and max(counts.values()) < demand.least:
        inline = counting.enumerated(case)
        if inline >= demand.least:
            return OK
        # Two lists of a few items, or lines without a marker, may make up the number together.
        if sum(listed.values()) >= demand.least or loose >= demand.least > 2:
            return UNCLEAR
        style, got = max(listed.items(), key=lambda pair: pair[1])
        # A list of one item is hardly a list: all may stand in it.
        if got == 1 and _named_together(case) >= demand.least:
            return UNCLEAR
        if style != "numbered" and _within_lines(case) >= demand.least:
            return UNCLEAR
        return "wrong", "hard", _several(max(got, inline), "items")
    if demand.most is not None and set(listed) == {"numbered"} and listed["numbered"] > demand.most:
        return "wrong", "hint" if demand.loose else "hard", f"{listed['numbered']} items"
    return OK


def _within_lines(case: Case) -> int:
    """Count what the lines of the answer enumerate between commas, semicolons or dashes."""
    return sum(len(_BETWEEN.findall(line.text)) + 1 for line in case.lines if line.text.strip())


def _named_together(case: Case) -> int:
    """Count what the fullest line names that holds nothing but names, as "* 3 and 7" does."""
    lines = ([part for part in _JOINED.split(line.text) if part.strip()] for line in case.lines)
    names = (parts for parts in lines if all(len(part.split()) <= NAME for part in parts))
    return max(map(len, names), default=0)


NAME = 4
"""Words of a name at most, the marker of the list among them: a sentence has longer parts."""
_JOINED = re.compile(r"[,;/]|\b(?:and|with|plus)\b|&", re.IGNORECASE)
_BETWEEN = re.compile(r"[,;]|(?<=\S) [-\u2013] ")

# --------------------------------------------------------------------------- forms and words


def _json(case: Case, demand: Demand) -> Finding:
    # Whether it parses is the business of `syntax`.
    if re.search(r"[{\[]", case.answer) or _SCALAR.fullmatch(case.answer[:2_000]):
        return OK
    return "wrong", "hard", "no JSON"


_SCALAR = re.compile(r"\s*(?:\"[^\"]*\"|-?\d[\d.eE+-]*|true|false|null)\s*")


def _keyword(case: Case, demand: Demand) -> Finding:
    text = case.answer.casefold()
    # A word is also present in another form: "criticize" in "criticism".
    missing = [one for one in demand.texts if one.casefold()[:STEM] not in text]
    if not missing or (demand.either and len(missing) < len(demand.texts)):
        return OK
    if demand.either:
        return "wrong", "hard", "none of them"
    return "wrong", "hard", f"no {', no '.join(map(repr, missing))}"


STEM = 5
"""Characters by which a word is known again in another form."""


def _forbidden(case: Case, demand: Demand) -> Finding:
    text = case.answer.casefold()
    for one in demand.texts:
        wanted = re.escape(one.casefold())
        if re.search(wanted if len(one) == 1 else rf"(?<!\w){wanted}(?!\w)", text):
            return "wrong", "hard", repr(one)
    return OK


def _language(case: Case, demand: Demand) -> Finding:
    # What is said beside a translation, and in which script, is nobody's to say.
    if _TOLD_TOO.search(case.question) or _languages(case.question) > 1:
        return UNCLEAR
    wanted = demand.texts[0]
    if wanted not in SCRIPTS and demand.said.lower().startswith("translat"):
        return UNCLEAR
    written = written_in(case.prose, wanted)
    if written == "no":
        return "wrong", "hard", "another language"
    return OK if written == "yes" else UNCLEAR


_TOLD_TOO = re.compile(
    r"\b(?:and|then|plus|with)\b[^.\n]{0,40}\b(?:explain|explanations?|translat(?:e|ions?)|tell"
    r"|notes|meanings?|english)\b|roman|transliterat|pronunc|pinyin|latin (?:letters|script)",
    re.IGNORECASE,
)
_ASKED_IN = re.compile(rf"\b(?:in|into|to) ({'|'.join(LANGUAGE_NAMES)})\b", re.IGNORECASE)


def _languages(question: str) -> int:
    return len({found.lower() for found in _ASKED_IN.findall(question)})


_MEASURES: dict[What, Callable[[Case, Demand], Finding]] = {
    "items": _items,
    **dict.fromkeys(counting.LENGTHS, _length),
    "json": _json,
    "keyword": _keyword,
    "forbidden": _forbidden,
    "language": _language,
}
