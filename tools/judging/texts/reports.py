"""Recognition of questions that ask for information, and of answers that report work.

Rule of this module: both only silence other rules. What was asked for as work and is reported as
done ("Add paging" / "I changed page()") need not echo its request, and nobody who has not seen the
work can say afresh what was done; so an unclear sentence counts as no question, and the start of
any sentence may be the report.
"""

import re

LIMIT = 4_000
"""Characters of a question and of an answer that are looked at."""

_ASKS = re.compile(
    r"\W{0,4}(?:please\s+)?(?:who|what|when|where|why|how|which|explain|describe|tell|name|list|"
    r"define|compare|discuss|outline|summari[sz]e|identify|calculate|compute|determine|solve|"
    r"estimate|evaluate)\b",
    re.IGNORECASE,
)
_WORK = (
    "added|adjusted|applied|built|bumped|changed|cleaned|configured|converted|corrected|created|"
    "deleted|deployed|disabled|documented|done|dropped|enabled|extended|extracted|fixed|"
    "implemented|inlined|installed|introduced|made|merged|migrated|moved|patched|pinned|put|raised|"
    "ran|rebuilt|refactored|removed|renamed|reordered|replaced|resolved|restarted|reverted|"
    "rewrote|set|split|switched|tested|updated|upgraded|wrapped|wrote"
)
_REPORTS = re.compile(
    r"(?:\A|[.!?:;]\s|\n)[\s*>#-]{0,8}"
    r"(?:(?:yes|sure|ok|okay|great|certainly|now|then|also|finally|first|so)\b[,:]?\s)?"
    r"(?:(?:i|we)(?:['\u2019]ve|\s(?:have|had))?(?:\s(?:also|now|just|first|already|then|only))?"
    rf"\s(?:{_WORK}|\w{{2,20}}ed|did|found|gave|got|took)|(?:{_WORK}))\b",
    re.IGNORECASE,
)


def asks(question: str) -> bool:
    """Return True if a question asks for information, in English.

    >>> asks("How high is it?"), asks("Describe the tower"), asks("Add paging to the endpoint")
    (True, True, False)
    """
    asked = question[:LIMIT]
    return "?" in asked or _ASKS.match(asked) is not None


def reports(answer: str) -> bool:
    """Return True if an answer reports what its author did.

    >>> reports("I changed page()."), reports("Upgraded it to 16."), reports("Lima is the capital.")
    (True, True, False)
    """
    return _REPORTS.search(answer[:LIMIT]) is not None
