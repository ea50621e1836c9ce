"""Whether an answer tells of the failure that a log proves, when it was asked what happened.

Rules of this module: whoever asks for work has it proven by the log, and whoever asks what happened
has it told there: an answer that says so is right, and the failure is that of something else. An
answer that claims success, tells another number of failures, or tells of none stays at fault.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.evidence import EXIT_CODE, REPORT
from reflection_mcp.tools.judging.texts.numbers import UNITS
from reflection_mcp.tools.judging.texts.reports import asks

LIMIT = 4_000
"""Characters of a question and of an answer that are looked at."""

_ASKS_FOR_WORK = re.compile(
    r"(?:^|[.!?;\n]\s*|\b(?:please|(?:can|could|would|will) you)\s(?:please\s)?|\band\s)"
    r"(?:fix|repair|make|add|implement|refactor|update|change|get|let|debug|write|rewrite|remove"
    r"|rename|migrate|port|upgrade|correct|resolve|ensure|mend|solve|build|create)\b",
    re.IGNORECASE,
)
_FAILS = re.compile(
    r"\b(?:fail(?:s|ed|ing|ures?)?|crash(?:es|ed|ing)?|broke(?:n)?|breaks|errors?|exceptions?"
    r"|rais(?:es|ed)|traceback|tim(?:es|ed) out|do(?:es)? not (?:pass|work|compile|build|start)"
    r"|do(?:es)?n['\u2019]t (?:pass|work|compile|build|start)|exit(?:s|ed)? with [1-9])\b",
    re.IGNORECASE,
)
_SUCCEEDS = re.compile(
    r"\b(?:(?:all|every(?:thing)?|both)(?: [\w-]{1,20}){0,5} (?:pass|passes|passed|passing|works?"
    r"|worked|green|succeed(?:s|ed)?)\b(?!,? (?:except|but|apart|save|other than))"
    r"|(?:no|zero|0)(?! other| more| further)(?: [\w-]{1,20}){0,2}"
    r" (?:fail\w{0,5}|errors?|crash\w{0,3})"
    r"|(?:none|nothing)(?: [\w-]{1,20}){0,4} (?:fail\w{0,3}|crash\w{0,3}|broke\w?)"
    r"|(?:not|never|without|n['\u2019]t)(?: any| a single)? (?:fail\w{0,5}|errors?|crash\w{0,3}))",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(
    rf"\b(\d{{1,7}}|{'|'.join(UNITS)})"
    r"(?: of [\w-]{1,20}(?: [\w-]{1,20})?| tests?| others?){0,2}"
    r" (?:fail(?:s|ed|ing|ures?)?|errors?)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"(\d{1,7}) (?:failed|failures?|failing|errors?)\b|\bFailures: (\d{1,7})")


def weighed(found: Iterable[Check], question: str, answer: str) -> Iterator[Check]:
    """Yield what a log proves; what the answer was asked for and tells is no fault of it.

    Args:
        found: what `check_evidence` found.
        question: what was asked.
        answer: what was answered.
    """
    asked = asks(question[:LIMIT]) and not _ASKS_FOR_WORK.search(question[:LIMIT])
    for one in found:
        of_a_log = one.kind in (REPORT, EXIT_CODE) and one.status == "wrong"
        if asked and of_a_log and _is_told(one, answer[:LIMIT]):
            why = f"{one.why.removesuffix('.')}, as the answer says."
            yield replace(one, severity="hint", expected="", why=why)
        else:
            yield one


def _is_told(one: Check, answer: str) -> bool:
    if not _FAILS.search(answer) or _SUCCEEDS.search(answer):
        return False
    counted = _COUNTED.search(one.stated)
    if counted is None:
        return True
    told = [match[1].lower() for match in _HOW_MANY.finditer(answer)]
    failed = int(counted[1] or counted[2])
    return all(UNITS.get(number, -1) == failed or number == str(failed) for number in told)
