"""Lines of source that a reporter shows with their numbers.

Rule of this module: a number alone proves nothing; a listing counts on from line to line, or it
stands under a line that names its number. It is written as compilers write theirs, behind a bar.
"""

from itertools import pairwise

from reflection_mcp.tools.identity.rule import Match, Rule, Rules, compiled
from reflection_mcp.tools.identity.verdicts.symptoms import tells_of_failure

_LINE = r"([ \t]*(?:>[ \t]*)?)(\d{1,7}):(?=[ \t]|$)"
_UNMARKED = r"(?![^\n]*\n[ \t]+\^)"
"""The line that is pointed at stays: of two look-alikes it may say something else."""


def _listing(match: Match) -> str:
    found = [met for line in match[0].split("\n") if (met := compiled(_LINE).match(line))]
    counts_on = all(int(below[2]) == int(above[2]) + 1 for above, below in pairwise(found))
    if not counts_on or all(tells_of_failure(one.string) for one in found):
        return match[0]
    return compiled(r"(?m)^" + _LINE + _UNMARKED).sub(r"\1\2 |", match[0])


LISTINGS: tuple[Rule, ...] = (
    Rule(
        "lines of source that count on",
        r"\d:",
        r"(?m)^(?:[ \t]*(?:>[ \t]*)?\d{1,7}:(?:[ \t][^\n]{0,400})?"
        r"(?:\n[ \t]{1,200}\^[\^~ \t-]{0,200})?(?:\n|\Z)){2,30}",
        _listing,
        "3: // generated\n4: import { x } from './a.js';\n            ^\n5: x();\n",
        "3 | // generated\n4: import { x } from './a.js';\n            ^\n5 | x();\n",
        "3: no such file\n7: no such table\n",
    ),
    Rule(
        "line of source under its number",
        " line ",
        r"(?m)^([ \t]*on [^\s\n]{1,300} line (\d{1,7})(?:, in [^\n]{1,200})?:\n[ \t]*\2):(?=[ \t])",
        r"\1 |",
        '  on main.tf line 2, in output "url":\n   2:   value = var.x',
        '  on main.tf line 2, in output "url":\n   2 |   value = var.x',
        '  on main.tf line 2, in output "url":\n   3:   value = var.x',
    ),
)
_NUMBERED = r"\n[ \t>]*+\d{1,7}:(?:[ \t\n]|$)"
"""Begins the second line of whatever a row finds: without one in the text no row is tried."""
_LISTINGS = Rules(LISTINGS)


def behind_a_bar(text: str) -> str:
    """The text with numbered lines of source as compilers show them."""
    return _LISTINGS.apply(text) if compiled(_NUMBERED).search(text) else text
