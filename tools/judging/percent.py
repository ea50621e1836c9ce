"""Do a part, a whole and a percentage that are named together fit?

Rules of this module: `RULES` lists the ways in which English states such a triple, each with what
must then hold, an example and a counter-example. A statement that is a part of a longer
calculation, or that is taken back, is not judged. A result counts as right when it is what one
writes for the exact value with the digits shown.
"""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

from reflection_mcp.store.records import Check, Status
from reflection_mcp.tools.judging.arithmetic_hedges import supposed, taken_back
from reflection_mcp.tools.judging.arithmetic_rounding import shown
from reflection_mcp.tools.judging.case import Case

KIND = "percent"
WINDOW = 120
LONGEST_ANSWER = 400_000

_SCALE = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_NUMBER = (
    r"[$\u20ac\u00a3]?(?P<{0}>\d{{1,12}}(?:,\d{{3}}){{0,4}}(?:\.\d{{1,9}})?"
    r"(?: (?:thousand|million|billion|trillion))?)"
)
_PERCENT = r"(?P<percent>\d{1,6}(?:\.\d{1,6})?) ?(?:%|percent\b|per cent\b)"
_IS = r" ?(?:=|is|are|equals|is equal to|comes to|comes out to|gives|makes|would be|will be|was) ?"
_LEAVES = r",? ?(?:=|is|leaves|gives|makes|becomes|results in|equals|comes to|costs|brings it to) ?"
_TO = r"(?:the |its |their |his |her |my |your |our )?(?:[a-z]{1,12} ){0,1}"


def _of(part: Fraction, percent: Fraction, whole: Fraction) -> tuple[Fraction, Fraction]:
    return whole * percent / 100, part


class Rule(NamedTuple):
    """A way to say it: which value is computed from which, and the expression that finds it."""

    name: str
    pattern: re.Pattern[str]
    result: str
    compute: Callable[[dict[str, Fraction]], Fraction | None]
    example: str
    counter: str


def _rule(
    name: str, template: str, result: str, compute: Callable[[dict[str, Fraction]], Fraction | None],
    example: str, counter: str,
) -> Rule:  # fmt: skip
    pattern = template.format(
        part=_NUMBER.format("part"), whole=_NUMBER.format("whole"), percent=_PERCENT,
        IS=_IS, LEAVES=_LEAVES, TO=_TO,
    )  # fmt: skip
    return Rule(name, re.compile(pattern, re.I), result, compute, example, counter)


def _share(values: dict[str, Fraction]) -> Fraction:
    return values["whole"] * values["percent"] / 100


def _less(values: dict[str, Fraction]) -> Fraction:
    return values["whole"] - _share(values)


def _more(values: dict[str, Fraction]) -> Fraction:
    return values["whole"] + _share(values)


def _ratio(values: dict[str, Fraction]) -> Fraction | None:
    return 100 * values["part"] / values["whole"] if values["whole"] else None


def _rise(values: dict[str, Fraction]) -> Fraction | None:
    gap = values["part"] - values["whole"]
    return 100 * gap / values["whole"] if values["whole"] and gap >= 0 else None


def _fall(values: dict[str, Fraction]) -> Fraction | None:
    gap = values["whole"] - values["part"]
    return 100 * gap / values["whole"] if values["whole"] and gap >= 0 else None


RULES: tuple[Rule, ...] = (
    _rule("part of a whole", r"{percent} of {TO}{whole}(?P<noun>(?: [a-z]{{1,15}}){{0,2}}?){IS}{part}",
          "part", _share, "20% of 50 is 10", "20% of 50 is 12"),
    _rule("part is a percentage", r"{part} (?:is|are|=|makes up|represents) {percent} of {TO}{whole}",
          "part", _share, "10 is 20% of 50", "12 is 20% of 50"),
    _rule("so many out of", r"{part} (?:out of|of|of the) {whole}(?: [a-z]{{1,15}}){{0,2}}?(?:{IS}|,? (?:or|i\.e\.) | \(){percent}",
          "percent", _ratio, "9 out of 36 is 25%", "9 out of 36 is 30%"),
    _rule("discount on", r"{percent} (?:discount|reduction|decrease|markdown|cut) (?:on|of|from|in) {TO}{whole}{LEAVES}{part}",
          "part", _less, "A 15% discount on $40 leaves $34", "A 15% discount on $40 leaves $36"),
    _rule("off", r"{percent} off (?:of )?{TO}{whole}{LEAVES}{part}",
          "part", _less, "15% off $40 is $34", "15% off $40 is $35"),
    _rule("with a discount", r"{whole} (?:with|after|less|minus) (?:a |an )?{percent} (?:discount|reduction|decrease|off|markdown){LEAVES}{part}",
          "part", _less, "$40 with a 15% discount is $34", "$40 with a 15% discount is $30"),
    _rule("decreased by", r"{whole} (?:is |was |when )?(?:decreased|reduced|lowered|discounted|cut) by {percent}{LEAVES}{part}",
          "part", _less, "200 decreased by 10% is 180", "200 decreased by 10% is 190"),
    _rule("decreasing by", r"(?:decreasing|reducing|lowering|discounting|cutting) {TO}{whole} by {percent}{LEAVES}{part}",
          "part", _less, "Reducing 200 by 10% gives 180", "Reducing 200 by 10% gives 170"),
    _rule("increased by", r"{whole} (?:is |was |when )?(?:increased|raised|marked up) by {percent}{LEAVES}{part}",
          "part", _more, "200 increased by 10% is 220", "200 increased by 10% is 210"),
    _rule("increasing by", r"(?:increasing|raising|marking up) {TO}{whole} by {percent}{LEAVES}{part}",
          "part", _more, "Increasing 200 by 10% gives 220", "Increasing 200 by 10% gives 240"),
    _rule("after an increase", r"{percent} (?:increase|raise|markup|rise),? (?:on |of |to )?{TO}{whole}{LEAVES}{part}",
          "part", _more, "After a 10% increase, 200 becomes 220", "After a 10% increase, 200 becomes 230"),
    _rule("with tax", r"{whole} (?:plus|with|and) (?:a |an )?{percent} (?:tax|sales tax|vat|tip|interest|markup|increase|gratuity){LEAVES}{part}",
          "part", _more, "$50 plus 8% tax is $54", "$50 plus 8% tax is $58"),
    _rule("a rise from to", r"from {whole} to {part}(?:{IS}|,? | \()(?:an? )?{percent} (?:increase|rise|growth|gain)",
          "percent", _rise, "Going from 80 to 100 is a 25% increase", "Going from 80 to 100 is a 20% increase"),
    _rule("a fall from to", r"from {whole} to {part}(?:{IS}|,? | \()(?:an? )?{percent} (?:decrease|drop|decline|reduction|loss|fall)",
          "percent", _fall, "Going from 100 to 80 is a 20% drop", "Going from 100 to 80 is a 25% drop"),
)  # fmt: skip

_PART_OF_MORE_BEFORE = re.compile(
    r"(?:[-+*/\u00d7\u00f7^.,:\u2013\d]|\b(?:x|plus|minus|times|of|by|and|another|additional|to|than|less|per"
    r"|remaining|or|from|between)) ?$",
    re.I,
)
_PART_OF_MORE_AFTER = re.compile(
    r" ?(?:[-+*/\u00d7\u00f7^%]|[.,:]\d|x \d|and a half|to \d|or \d|(?:percent|thousand|million|billion|plus|minus|times|more|less"
    r"|fewer|higher|lower|points?|percentage|years? old|or (?:more|less|older|younger)|and (?:older|over))\b)",
    re.I,
)


def check(case: Case) -> Iterator[Check]:
    """Every statement of a percentage that a rule can read."""
    text = case.prose
    if "%" not in text and "percent" not in text and "per cent" not in text:
        return
    if not case.english:
        yield Check(kind=KIND, status="unchecked", why="the answer is not in English")
        return
    for rule in RULES:
        for match in rule.pattern.finditer(text):
            found = _judged(case, rule, match)
            if found is not None:
                yield found


def _judged(case: Case, rule: Rule, match: re.Match[str]) -> Check | None:
    before = case.prose[max(0, match.start() - WINDOW) : match.start()]
    after = case.prose[match.end() : match.end() + WINDOW]
    if _PART_OF_MORE_BEFORE.search(before[-14:]) or _PART_OF_MORE_AFTER.match(after):
        return None
    noun = (match.groupdict().get("noun") or "").strip()
    if noun and " are " in match[0] and after.strip()[:1].isalpha():
        return None  # "40% of 30 people are 65 or older"
    values = {name: _number(match[name]) for name in ("part", "whole", "percent")}
    expected = rule.compute(values)
    if expected is None:
        return None
    stated = values[rule.result]
    status: Status = "ok"
    why = ""
    if not _stands_for(match[rule.result], stated, expected):
        doubtful = taken_back(after) or supposed(before) or after.lstrip()[:1] == "?"
        near = abs(stated - expected) <= expected / 50 and "about" in before[-20:]
        status = "unchecked" if doubtful or near else "wrong"
        sign = "%" if rule.result == "percent" else ""
        why = f"'{match[0].strip()}': that would be {shown(expected)}{sign}, not {shown(stated)}{sign}."
    return Check(
        kind=KIND,
        status=status,
        start=match.start(),
        end=match.end(),
        quote=case.answer[match.start() : match.end()],
        stated=shown(stated),
        expected=shown(expected),
        why=why,
    )


def _number(text: str) -> Fraction:
    digits, _, scale = text.replace(",", "").partition(" ")
    return Fraction(digits) * _SCALE.get(scale.lower(), 1)


def _stands_for(written: str, stated: Fraction, expected: Fraction) -> bool:
    digits, _, scale = written.partition(" ")
    unit = Fraction(_SCALE.get(scale.lower(), 1), 10 ** len(digits.partition(".")[2]))
    if (expected / unit).denominator == 1:
        return stated == expected
    return abs(stated - expected) < unit
