"""Disputes: findings that the caller rejects with a reason.

Rules of this module: a finding is named by its id, or by words of its quote; a reason of less than
two words is none. What is disputed is shown with its reason, and lowers and teaches nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.finding import finding_id

SHORTEST = 3
"""Characters of a quote that name a finding."""
LONGEST = 300
"""Characters of a reason that are kept."""
CARRIED = 200
"""Earlier disputes of one piece of work that are looked through."""


def disputed(
    checks: Iterable[Check], reasons: Mapping[str, str], earlier: Iterable[Check] = ()
) -> tuple[Check, ...]:
    """Return the findings, those that the caller disputes with their reason.

    Args:
        checks: what was found.
        reasons: why a finding is none, by its id or by words that it quotes.
        earlier: findings of earlier attempts at the same work; what was disputed there still is.
    """
    known = {finding_id(one): one.disputed for one in list(earlier)[-CARRIED:] if one.disputed}
    said = {" ".join(key.split()).casefold(): why for key, why in reasons.items() if is_one(why)}
    return tuple(_answered(check, said, known) for check in checks)


def is_one(reason: str) -> bool:
    """Return True if a reason says anything."""
    return len(reason.split()) > 1


def unknown(checks: Sequence[Check], reasons: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names in `reasons` that no finding has."""
    wrong = [check for check in checks if check.status == "wrong"]
    return tuple(
        name
        for name in reasons
        if not any(_names(" ".join(name.split()).casefold(), check) for check in wrong)
    )


def _answered(check: Check, said: Mapping[str, str], known: Mapping[str, str]) -> Check:
    if check.status != "wrong":
        return check
    why = next((why for name, why in said.items() if _names(name, check)), "")
    why = why or known.get(finding_id(check), "")
    return replace(check, disputed=" ".join(why.split())[:LONGEST]) if why else check


def _names(name: str, check: Check) -> bool:
    if name == finding_id(check):
        return True
    quote = " ".join((check.quote or check.stated).split()).casefold().rstrip("\u2026")
    return len(name) >= SHORTEST and bool(quote) and (name in quote or quote in name)
