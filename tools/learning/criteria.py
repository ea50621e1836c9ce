"""Scores for five criteria of a piece of work, as far as a program can measure them.

Rules (seed rule trace:criteria): correctness, helpfulness, safety, completeness, efficiency. A
criterion is measured where that is possible: by tests, an exit code, how tool calls ended, how
often something had to be repeated. Else a judge is asked, and without one it is `not_checked`; a
caller's own word is no measurement. A run without failures shows that nothing failed there, which
is what the source of the score says, and not that the work is right.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from reflection_mcp.store.records import NOT_CHECKED, Check, Score
from reflection_mcp.tools.judging.scoring import Evaluation
from reflection_mcp.tools.learning.actions import Action, actions, results
from reflection_mcp.tools.learning.episode import Event
from reflection_mcp.tools.untrusted import stored

CRITERIA = ("correctness", "helpfulness", "safety", "completeness", "efficiency")
REPORT = "evidence:tests"
"""The check whose `stated` is a line of a tool's output, which is quoted."""
SPEAKS = (REPORT, "evidence:exit_code")
"""Checks that measure correctness, the stronger one first."""


def criteria(events: Sequence[Event], evaluation: Evaluation) -> Mapping[str, Score]:
    """Return a score for each of the five: as it was measured, else as a judge gave it, else
    `not_checked`.

    Args:
        events: what happened, in order.
        evaluation: of the work. Its completeness is used if it was judged or measured, so that a
            result has one value for that.
    """
    taken = actions(events) or results(events)
    judged = evaluation.criteria
    completeness = evaluation.completeness
    known = completeness.basis in ("judged", "measured")
    measured = {
        "correctness": _correctness(evaluation.checks),
        "completeness": completeness if known else _completeness(taken),
        "efficiency": _efficiency(taken),
    }
    best = {name: score for name, score in measured.items() if score.value is not None}
    return {name: best.get(name) or judged.get(name, NOT_CHECKED) for name in CRITERIA}


def _correctness(checks: Sequence[Check]) -> Score:
    """Return the result of the tests, else of the last exit code; one failure decides."""
    for kind in SPEAKS:
        spoken = [check for check in checks if check.kind == kind]
        if spoken:
            wrong = [check for check in spoken if check.status == "wrong"]
            said = (wrong or spoken)[0]
            line = f"{stored(said.stated, 120)}" if kind == REPORT else said.stated
            return _measured(0.0 if wrong else 1.0, line if said.stated else said.why)
    return NOT_CHECKED


def _completeness(taken: Sequence[Action]) -> Score:
    """Return the share of the different actions that succeeded at their last try."""
    last = {action.identity: action.worked for action in taken if action.worked is not None}
    if not last:
        return NOT_CHECKED
    well = sum(last.values())
    return _measured(well / len(last), f"{well} of {len(last)} actions ended well")


def _efficiency(taken: Sequence[Action]) -> Score:
    """Return the share of the calls that neither failed nor repeated an earlier one."""
    known = [action for action in taken if action.worked is not None]
    if len(known) < 2:
        return NOT_CHECKED
    failures = sum(not action.worked for action in known)
    met = Counter(action.identity for action in known if action.worked)
    repeats = sum(times - 1 for times in met.values())
    share = (len(known) - failures - repeats) / len(known)
    return _measured(share, f"{len(known)} calls, {failures} failed, {repeats} repeated")


def _measured(value: float, source: str) -> Score:
    return Score(value=round(value, 4), basis="measured", source=source)
