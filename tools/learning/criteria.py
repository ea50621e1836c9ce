"""Scores for five criteria of a piece of work, as far as a program can measure them.

Rules (seed rule trace:criteria): correctness, helpfulness, safety, completeness, efficiency. A
criterion has a value only if it was measured: by tests, an exit code, how tool calls ended, how
often something had to be repeated. Everything else is `not_checked` until a judge scores it; a
caller's own word is no measurement. A run without failures shows that nothing failed there, which
is what the source of the score says, and not that the work is right.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from reflection_mcp.store.records import NOT_CHECKED, Check, Score
from reflection_mcp.tools.learning.actions import Action, actions
from reflection_mcp.tools.learning.episode import Event
from reflection_mcp.tools.untrusted import stored

CRITERIA = ("correctness", "helpfulness", "safety", "completeness", "efficiency")
REPORT = "evidence:tests"
"""The check whose `stated` is a line of a tool's output, which is quoted."""
SPEAKS = (REPORT, "evidence:exit_code")
"""Checks that measure correctness, the stronger one first."""


def criteria(
    events: Sequence[Event], checks: Sequence[Check], completeness: Score = NOT_CHECKED
) -> Mapping[str, Score]:
    """Return a score for each of the five, `not_checked` where nothing was measured.

    Args:
        events: what happened, in order.
        checks: the findings about the work, those of its evidence among them.
        completeness: the score of that name; if it was judged or measured it is used, so that a
            result has one value for completeness.
    """
    taken = actions(events)
    scores: dict[str, Score] = dict.fromkeys(CRITERIA, NOT_CHECKED)
    scores["correctness"] = _correctness(checks)
    known = completeness.basis in ("judged", "measured")
    scores["completeness"] = completeness if known else _completeness(taken)
    scores["efficiency"] = _efficiency(taken)
    return scores


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
