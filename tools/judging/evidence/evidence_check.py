"""Check of an answer's claims against the runs of tools.

Rules of this module: the newest run about the subject of a claim counts. A contradiction names both
sides. An answer that reports the failure anywhere is believed; a log in the context is what a fix
began with when the question asks for one, and proves nothing about how it ended.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reflection_mcp.store.records import Check, Outcome
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.evidence.claim import Claim
from reflection_mcp.tools.judging.evidence.claims import claims_of
from reflection_mcp.tools.judging.evidence.counts import unlike_counts
from reflection_mcp.tools.judging.evidence.foreign_claims import tells
from reflection_mcp.tools.judging.evidence.runs import runs_of
from reflection_mcp.tools.judging.finding import at, short, whole
from reflection_mcp.tools.judging.run import Run
from reflection_mcp.tools.judging.texts.reports import asks

CLAIM = "evidence:claim"
LAST_RUN = "The last run failed"
OUTCOME, EXIT_CODE, REPORT = "evidence:outcome", "evidence:exit_code", "evidence:tests"
"""The kinds of findings: a claim against a run, what the caller says, how the newest run ended."""
LIMIT = 4_000
"""Characters of a question that are looked at."""
RUNS = 40
"""Runs that claims are held against, the newest."""
HELD = 300
"""Work to hold a claim against them."""

_ASKS_FOR_WORK = re.compile(
    r"(?:^|[.!?;\n]\s{0,4}|\b(?:please|(?:can|could|would|will) you)\s(?:please\s)?|\band\s)"
    r"(?:fix|repair|make|add|implement|refactor|update|change|get|let|debug|write|rewrite|remove"
    r"|rename|migrate|port|upgrade|correct|resolve|ensure|mend|solve|build|create)\b",
    re.IGNORECASE,
)
_DID = re.compile(
    r"\b(?:I|we)(?: have|['\u2019]ve)?(?: also| just| now)? (?:fixed|changed|updated|added|replaced"
    r"|registered|removed|rewrote|renamed|corrected|moved|made|set|patched|adjusted|mocked|pinned)\b",
    re.IGNORECASE,
)
_FAILS = re.compile(
    r"\b(?:fail(?:s|ed|ing|ures?)?|crash(?:es|ed|ing)?|broken?|breaks|errors?|exceptions?"
    r"|rais(?:es|ed)|traceback|tim(?:es|ed) out|unable|exit(?:s|ed)? (?:with |code )[1-9]|rejected"
    r"|(?:do|did|does|could|ca|can|was|is|are)(?: not|n['\u2019]t|not) [a-z]{2,12}|(?<![\s\S])no\b"
    r"|conflicts?|killed|stop(?:s|ped)|missing|denied|refused|not yet|still)\b",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"\b(?:done|fixed|resolved|works?|working|implemented|completed?|finished|ready|all set|merged"
    r"|success(?:ful(?:ly)?)?|good to go|added|updated|migrated|deployed|installed|pushed|released"
    r"|created|passes|passing|green)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\b[1-9]\d{0,6} (?!passed\b|package)[a-z]{4,20}", re.IGNORECASE)
"""A count of a tool; an answer that repeats it reports the run."""
# The shell's own exit codes (POSIX 2.8.2, and signals as 128 + n).
EXIT_CODES = {
    "124": "the command ran out of time",
    "126": "the command could not be executed",
    "127": "the command was not found",
    "130": "the command was interrupted",
    "134": "the command aborted",
    "137": "the command was killed, often for lack of memory",
    "139": "the command crashed: segmentation fault",
    "143": "the command was terminated",
}
PROBLEMS = frozenset(("types", "lint", "build", "command"))
"""Possible subjects of "3 errors", when nothing names it."""


def check(case: Case) -> Iterator[Check]:
    """Yield the claims that a run contradicts, and how the newest runs ended.

    What came with the work as events (`case.evidence`) is newer than a log in the context.
    """
    if not case.context and not case.evidence:
        return
    claims = [*claims_of(case)]
    given = runs_of(case.context) if claims and case.context else ()
    runs = (*(replace(run, old=True) for run in given[-RUNS:]), *case.evidence[-RUNS:])
    if not runs:
        return
    admitted = {about for one in claims if one.says == "fail" for about in one.about}
    places: set[int] = set()
    for claim in case.budget.afford(claims, lambda _: HELD):
        why = _against(case, claim, runs, admitted) if claim.start not in places else ""
        if why:
            places.add(claim.start)
            stated = short(case.answer[claim.start : claim.end])
            yield at(case, claim.start, claim.end, CLAIM, "wrong", why, stated=stated)
    if case.evidence:
        yield from _ended(case, honest=not places)


def check_outcome(outcome: Outcome) -> Check:
    """Return what the caller says of how the work ended."""
    if outcome == "success":
        return whole(OUTCOME, "ok", "The work was reported as done.", stated=outcome)
    if outcome == "partial":
        why = "Only a part of the work was reported as done."
        return whole(OUTCOME, "wrong", why, severity="hint", stated=outcome, expected="success")
    why = f"The caller reports that {_OUTCOMES[outcome]}."
    return whole(OUTCOME, "wrong", why, stated=outcome, expected="success")


def beside(outcome: Outcome | None, found: Check) -> Check:
    """Return a finding about a run that failed in the words of a caller who reports success."""
    is_ending = found.kind in (EXIT_CODE, REPORT) and found.severity == "hint"
    if outcome != "success" or not is_ending:
        return found
    return replace(
        found, why=f"The outcome says success, but {found.why[:1].lower()}{found.why[1:]}"
    )


_OUTCOMES: dict[Outcome, str] = {
    "failure": "the work failed",
    "error": "the work ended in an error",
    "timeout": "the work ran out of time",
}


def _is_work(case: Case) -> bool:
    """Return True if a log in the context is what the work began with."""
    question, answer = case.question[:LIMIT], case.prose[:LIMIT]
    in_english = _ASKS_FOR_WORK.search(question) or _DID.search(answer)
    return bool(in_english) or tells("work", f"{question}\n{answer}")


def _named(run: Run) -> str:
    return run.tool[:1].upper() + run.tool[1:] if run.tool else "The output"


# --------------------------------------------------------------------------- claims


def _against(case: Case, claim: Claim, runs: Sequence[Run], admitted: set[str]) -> str:
    """Return what a run says against a claim, in a sentence; empty when none does."""
    for about in _subjects(claim, runs):
        topic = "tests" if about == "suites" else about
        mine = [run for run in runs if topic in run.about and _same_tool(claim, run)]
        if not mine or (_is_work(case) and mine[-1].old) or _is_elsewhere(case, claim, mine):
            continue
        run = mine[-1]
        hidden = not admitted & {about, *claim.about}
        if claim.says == "pass" and run.failed and hidden:
            return f"The run did not succeed: {_named(run)} says “{short(run.line)}”."
        if claim.counts and (run.failed or claim.says != "fail"):
            for role, number in unlike_counts(claim, mine):
                return f"{_named(run)} says “{short(run.line)}”: not {number} {role}."
    return ""


def _is_elsewhere(case: Case, claim: Claim, mine: Sequence[Run]) -> bool:
    """Return True if a claim names a part ("unit tests"), and the last run may be of another."""
    run = mine[-1]
    said = f"{run.tool} {run.line} {run.command}".lower()
    if not claim.parts or any(part in said for part in claim.parts):
        return False
    if any(not one.failed for one in mine):
        return True
    around = case.context.lower() if run.old else ""
    return "tests" not in claim.about and not any(part in around for part in claim.parts)


def _subjects(claim: Claim, runs: Sequence[Run]) -> Sequence[str]:
    met = list(dict.fromkeys(about for run in runs for about in run.about))
    if "any" in claim.about:
        last = runs[-1].about
        return [about for about in met if about != "command" or about in last]
    if "problems" in claim.about:
        possible = [about for about in met if about in PROBLEMS]
        return possible if len(possible) == 1 else []
    return sorted(claim.about)


def _same_tool(claim: Claim, run: Run) -> bool:
    known = claim.tool and run.tool and not claim.tool.startswith("a ")
    return not known or claim.tool == run.tool or run.tool.startswith("a ")


# --------------------------------------------------------------------------- how it ended


def _ended(case: Case, *, honest: bool) -> Iterator[Check]:
    """Yield how the newest run about each subject ended, as far as the answer keeps it back."""
    runs = case.evidence
    newest = {about: run for run in runs for about in run.about}
    if "command" in newest and newest["command"] is not runs[-1]:
        del newest["command"]
    failed = list(dict.fromkeys(run.line for run in newest.values() if run.failed))
    for run in dict.fromkeys(id(run) for run in newest.values()):
        one = next(each for each in runs if id(each) == run)
        kind = EXIT_CODE if one.line.startswith("exit code") else REPORT
        if not one.failed:
            if not failed:
                why = f"{_named(one)} reports success."
                yield whole(kind, "ok", why, stated=short(one.line))
            continue
        is_reported = not honest or one.old or _is_told(case, one)
        code = one.line.removeprefix("exit code ").split(":")[0]
        meaning = f" ({EXIT_CODES[code]})" if kind == EXIT_CODE and code in EXIT_CODES else ""
        says = f"{_named(one)} says “{short(one.line)}”{meaning}"
        if is_reported:
            yield whole(kind, "wrong", f"{LAST_RUN}: {says}.", severity="hint")
        else:
            why = f"{says}, and the answer does not say so."
            yield whole(kind, "wrong", why, stated=short(one.line))


def _is_told(case: Case, run: Run) -> bool:
    """Return True if the answer need not report a failure, or does."""
    answer = case.prose[:LIMIT]
    counted = {one[0].lower() for one in _COUNTED.finditer(run.line)}
    if _FAILS.search(answer) or tells("failed", answer) or any(map(answer.lower().count, counted)):
        return True
    if asks(case.question[:LIMIT]) and not _ASKS_FOR_WORK.search(case.question[:LIMIT]):
        return True
    return not _DONE.search(answer)
