"""Do a part, a whole and a percentage that are named together fit?

Rules of this module: what is read is in `percent_rules`; a statement that is a part of a longer
calculation, or that is taken back, is not judged. A result counts as right when it is what one
writes for the exact value with the digits shown.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

from reflection_mcp.store.records import Check, Status
from reflection_mcp.tools.judging import finding
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.expressions.rounding import shown
from reflection_mcp.tools.judging.expressions.words import SCALES
from reflection_mcp.tools.judging.quantities.percent_rules import RULES, Rule
from reflection_mcp.tools.judging.texts.hedges import supposed, taken_back

KIND = "percent"
MOST_FINDINGS = 500
"""Statements of one answer that are told; an honest answer has fewer."""
WINDOW = 120
"""Characters before and after a statement in which it may be taken back."""

# A dash at the start of a line is a bullet and belongs to no calculation.
_PART_OF_MORE_BEFORE = re.compile(
    r"[\d.,:\u2013-]$|\S ?[-+*/\u00d7\u00f7^] ?$"
    r"|\b(?:x|plus|minus|times|of|by|and|another|additional|to|than|less|per|remaining|or|from"
    r"|between) $",
    re.I,
)
_PART_OF_MORE_AFTER = re.compile(
    r" ?(?:[-+*/\u00d7\u00f7^%]|[.,:]\d|x \d|and a half|to \d|or \d"
    r"|(?:percent|thousand|million|billion|plus|minus|times|more|less|fewer|higher|lower|points?"
    r"|percentage|years? old|or (?:more|less|older|younger)|and (?:older|over))\b)",
    re.I,
)


def check(case: Case) -> Iterator[Check]:
    """Every statement of a percentage that a rule can read."""
    lowered = case.prose.lower()
    if "%" not in lowered and "percent" not in lowered and "per cent" not in lowered:
        return
    if not case.english:
        yield finding.whole(KIND, "unchecked", "the answer is not in English")
        return
    yield from islice(_findings(case), MOST_FINDINGS)


def _findings(case: Case) -> Iterator[Check]:
    # No rule reaches over the end of a sentence, and most sentences name no percentage.
    for sentence in case.sentences:
        lowered = sentence.text.lower()
        if "%" not in lowered and "cent" not in lowered:
            continue
        for rule in RULES:
            if rule.may_apply(lowered):
                for match in rule.pattern.finditer(case.prose, sentence.start, sentence.end):
                    found = _judged(case, rule, match)
                    if found is not None:
                        yield found


def _judged(case: Case, rule: Rule, match: re.Match[str]) -> Check | None:
    before = case.prose[max(0, match.start() - WINDOW) : match.start()]
    after = case.prose[match.end() : match.end() + WINDOW]
    if _PART_OF_MORE_BEFORE.search(before[-14:]) or _PART_OF_MORE_AFTER.match(after):
        return None
    groups = match.groupdict()
    if groups.get("noun") and " are " in match[0] and after.strip()[:1].isalpha():
        return None  # "40% of 30 people are 65 or older"
    values = {name: _number(groups[name]) for name in ("part", "whole", "percent")}
    expected, stated = rule.compute(values), values[rule.result]
    if expected is None:
        return None
    status: Status = "ok"
    why = ""
    if not _stands_for(groups[rule.result], stated, expected):
        doubtful = (
            taken_back(after)
            or supposed(before)
            or after.lstrip()[:1] == "?"
            or _points_before_thousands(rule, groups)
        )
        status = "unchecked" if doubtful else "wrong"
        sign = "%" if rule.result == "percent" else ""
        why = f"That comes to {shown(expected)}{sign}, not {shown(stated)}{sign}."
    return finding.at(
        case, match.start(), match.end(), KIND, status, why,
        stated=shown(stated), expected=shown(expected),
    )  # fmt: skip


_POINTED = re.compile(r"[1-9]\d{0,2}\.\d{3}")


def _points_before_thousands(rule: Rule, groups: dict[str, str]) -> bool:
    """Whether it holds once 1.500 is read as fifteen hundred, as in much of Europe."""
    written = {name: groups[name].lstrip("$\u20ac\u00a3") for name in ("part", "whole", "percent")}
    pointed = {name for name, text in written.items() if _POINTED.fullmatch(text)} - {"percent"}
    if not pointed or any("." in written[name] for name in {"part", "whole"} - pointed):
        return False
    values = {
        name: _number(text.replace(".", "") if name in pointed else text)
        for name, text in written.items()
    }
    expected = rule.compute(values)
    return expected is not None and abs(values[rule.result] - expected) < 1


def _number(text: str) -> Fraction:
    digits, _, scale = text.replace(",", "").partition(" ")
    whole, _, part = digits.partition(".")
    return Fraction(int(whole + part) * SCALES.get(scale.lower(), 1), 10 ** len(part))


def _stands_for(written: str, stated: Fraction, expected: Fraction) -> bool:
    digits, _, scale = written.partition(" ")
    unit = Fraction(SCALES.get(scale.lower(), 1), 10 ** len(digits.partition(".")[2]))
    if (expected / unit).denominator == 1:
        return stated == expected
    return abs(stated - expected) < unit
