"""The terms of the contract of a store: its limits, and the types of its methods.

The limits are the same for every backend.
"""

from collections.abc import Coroutine
from datetime import timedelta
from typing import Any, Literal, TypeVar

T = TypeVar("T")

Answer = Coroutine[Any, Any, T]
"""The coroutine of a method of a store."""

Order = Literal["newest", "most_met", "importance"]

MOST_HITS = 50
"""The most hits that `find` returns."""

MOST_MET, MOST_REPORTS = 2000, 500
"""Attempts that are looked through for one error, and for all; they have no index by error."""

CROWDED = 1000
"""The number of rows of a scope from which a shared feature distinguishes nothing; up to 1,500 were
measured to be affordable at a million rows."""

MOST_STEPS = 50
"""The steps of one conversation that are stored, the newest: more than any fix takes."""

STEPS_LAST = timedelta(days=7)
"""After how long a step is forgotten: a conversation is taken up again within days, or never."""

SHOWINGS_LAST = timedelta(days=30)
"""After how long a showing is forgotten: a host throws its conversations away by then."""

MOST_FAILED_ACTIONS = 500
"""The failed actions of one project that are stored, the newest."""

FOUND_ACTIONS = 200
"""The most failed actions that `failed_actions` returns."""
