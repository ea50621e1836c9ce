"""How English states a part, a whole and a percentage together.

Rules of this module: a rule is data: words without which it cannot match, a template of the
sentence, which of the three values is computed, how, an example and a counter-example. Templates
are made of the few pieces in `_PIECES`; each piece is bounded, so every rule is linear.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

Values = Mapping[str, Fraction]
"""The numbers named `part`, `whole` and `percent`."""

_NUMBER = (
    r"[$\u20ac\u00a3]?(?P<{}>\d{{1,12}}(?:,\d{{3}}){{0,4}}(?:\.\d{{1,9}})?"
    r"(?: (?:thousand|million|billion|trillion))?)"
)
_FALL = "discount|reduction|decrease|markdown|cut|drop|decline|loss|fall"
_RISE = "increase|raise|markup|rise|growth|gain"
_PIECES = {
    "part": _NUMBER.format("part"),
    "whole": _NUMBER.format("whole"),
    "percent": r"(?P<percent>\d{1,6}(?:\.\d{1,6})?) ?(?:%|percent\b|per cent\b)",
    "is": (
        r" ?(?:=|is equal to|is|are|equals|comes to|comes out to|gives|makes|would be|will be"
        r"|was) ?"
    ),
    "leaves": (
        r",? ?(?:=|is|leaves|gives|makes|becomes|results in|equals|comes to|costs"
        r"|brings it to) ?"
    ),
    "the": r"(?:the |its |their |his |her |my |your |our )?(?:[a-z]{1,12} )?",
    "nouns": r"(?P<noun>(?: [a-z]{1,15}){0,2}?)",
    "fall": rf"(?:{_FALL})",
    "rise": rf"(?:{_RISE})",
    "extra": r"(?:tax|sales tax|vat|tip|interest|markup|increase|gratuity)",
    "given": r"(?:tip|gratuity|commission|fee|deposit|(?:sales |income )?tax|vat)",
    "a": r"(?:an? )?",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A way to say it. `result` names the value that `compute` gives from the other two."""

    name: str
    needs: tuple[str, ...]
    pattern: re.Pattern[str]
    result: str
    compute: Callable[[Values], Fraction | None]
    example: str
    counter: str

    def may_apply(self, lowered: str) -> bool:
        """A cheap look at a text in lower case before the expression is tried."""
        return any(word in lowered for word in self.needs)


def _share(values: Values) -> Fraction:
    return values["whole"] * values["percent"] / 100


def _less(values: Values) -> Fraction:
    return values["whole"] - _share(values)


def _more(values: Values) -> Fraction:
    return values["whole"] + _share(values)


def _less_or_share(values: Values) -> Fraction:
    """A discount on a price is what is taken off, or what is then paid."""
    share = _share(values)
    return share if values["part"] == share else _less(values)


def _share_or_sum(values: Values) -> Fraction:
    """A tip on a bill is the tip, or for some the bill with it."""
    more = _more(values)
    return more if values["part"] == more else _share(values)


def _ratio(values: Values) -> Fraction | None:
    return 100 * values["part"] / values["whole"] if values["whole"] else None


def _rise(values: Values) -> Fraction | None:
    gap = values["part"] - values["whole"]
    return 100 * gap / values["whole"] if values["whole"] and gap >= 0 else None


def _fall(values: Values) -> Fraction | None:
    gap = values["whole"] - values["part"]
    return 100 * gap / values["whole"] if values["whole"] and gap >= 0 else None


def _rule(
    name: str,
    template: str,
    result: str,
    compute: Callable[[Values], Fraction | None],
    *,
    needs: str,
    example: str,
    counter: str,
) -> Rule:
    pattern = re.compile(template.format(**_PIECES), re.I)
    words = tuple(needs.split("|"))
    return Rule(
        name=name, needs=words, pattern=pattern, result=result, compute=compute,
        example=example, counter=counter,
    )  # fmt: skip


RULES: tuple[Rule, ...] = (
    _rule(
        "part of a whole", r"{percent} of {the}{whole}{nouns}{is}{part}", "part", _share,
        needs="% of|cent of", example="20% of 50 is 10", counter="20% of 50 is 12",
    ),
    _rule(
        "part is a percentage",
        r"{part} (?:is|are|=|makes up|represents) {percent} of {the}{whole}", "part", _share,
        needs="% of|cent of", example="10 is 20% of 50", counter="12 is 20% of 50",
    ),
    _rule(
        "so many out of",
        r"{part} (?:out of|of the|of) {whole}{nouns}(?:{is}|,? (?:or|i\.e\.) | \(){percent}",
        "percent", _ratio,
        needs=" of ", example="9 out of 36 is 25%", counter="9 out of 36 is 30%",
    ),
    _rule(
        "discount on", r"{percent} {fall} (?:on|of|from|in) {the}{whole}{leaves}{part}",
        "part", _less_or_share,
        needs=_FALL, example="A 15% discount on $40 leaves $34",
        counter="A 15% discount on $40 leaves $36",
    ),
    _rule(
        "off", r"{percent} off (?:of )?{the}{whole}{leaves}{part}", "part", _less,
        needs=" off ", example="15% off $40 is $34", counter="15% off $40 is $35",
    ),
    _rule(
        "with a discount",
        r"{whole} (?:with|after|less|minus) {a}{percent} (?:{fall}|off){leaves}{part}",
        "part", _less,
        needs=f"{_FALL}|off", example="$40 with a 15% discount is $34",
        counter="$40 with a 15% discount is $30",
    ),
    _rule(
        "less a percentage", r"{whole} less {percent}{leaves}{part}", "part", _less,
        needs=" less ", example="$200 less 15% is $170", counter="$200 less 15% is $160",
    ),
    _rule(
        "a tip on", r"{percent} {given} (?:on|of) {the}{whole}{is}{part}", "part", _share_or_sum,
        needs="tip|gratuity|commission|fee|deposit|tax|vat", example="A 15% tip on $64 is $9.60",
        counter="A 15% tip on $64 is $9.80",
    ),
    _rule(
        "decreased by",
        r"{whole} (?:is |was |when )?(?:decreased|reduced|lowered|discounted|cut) by {percent}"
        r"{leaves}{part}",
        "part", _less,
        needs="ed by|cut by", example="200 decreased by 10% is 180",
        counter="200 decreased by 10% is 190",
    ),
    _rule(
        "decreasing by",
        r"(?:decreasing|reducing|lowering|discounting|cutting) {the}{whole} by {percent}"
        r"{leaves}{part}",
        "part", _less,
        needs="ing ", example="Reducing 200 by 10% gives 180",
        counter="Reducing 200 by 10% gives 170",
    ),
    _rule(
        "increased by",
        r"{whole} (?:is |was |when )?(?:increased|raised|marked up) by {percent}{leaves}{part}",
        "part", _more,
        needs="ed by|up by", example="200 increased by 10% is 220",
        counter="200 increased by 10% is 210",
    ),
    _rule(
        "increasing by",
        r"(?:increasing|raising|marking up) {the}{whole} by {percent}{leaves}{part}",
        "part", _more,
        needs="ing ", example="Increasing 200 by 10% gives 220",
        counter="Increasing 200 by 10% gives 240",
    ),
    _rule(
        "after an increase",
        r"{percent} {rise},? (?:on |of |to )?{the}{whole}{leaves}{part}", "part", _more,
        needs=_RISE,
        example="After a 10% increase, 200 becomes 220",
        counter="After a 10% increase, 200 becomes 230",
    ),
    _rule(
        "with tax", r"{whole} (?:plus|with|and) {a}{percent} {extra}{leaves}{part}",
        "part", _more,
        needs="tax|vat|tip|interest|markup|increase|gratuity", example="$50 plus 8% tax is $54",
        counter="$50 plus 8% tax is $58",
    ),
    _rule(
        "a rise from to", r"from {whole} to {part}(?:{is}|,? | \(){a}{percent} {rise}",
        "percent", _rise,
        needs="from ", example="Going from 80 to 100 is a 25% increase",
        counter="Going from 80 to 100 is a 20% increase",
    ),
    _rule(
        "a fall from to", r"from {whole} to {part}(?:{is}|,? | \(){a}{percent} {fall}",
        "percent", _fall,
        needs="from ", example="Going from 100 to 80 is a 20% drop",
        counter="Going from 100 to 80 is a 25% drop",
    ),
)  # fmt: skip
