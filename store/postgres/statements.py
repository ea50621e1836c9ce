"""The statements that PostgreSQL alone needs: see `store.sql.statements`."""

from reflection_mcp.store.postgres.children import add, keep_features, keep_keys
from reflection_mcp.store.postgres.logs import log, restore
from reflection_mcp.store.postgres.recording import (
    at_once,
    count,
    count_people,
    erase,
    judge,
    lock,
    make,
    make_all,
    put,
    rewrite,
    unchanged,
)
from reflection_mcp.store.postgres.reflections import (
    found,
    listed,
    searched,
    shortlisted,
    signed,
    whole,
)
from reflection_mcp.store.postgres.stats import counted, places, rows_counted

crowded = found
"""One statement finds any number of hits."""

__all__ = [
    "add", "at_once", "count", "count_people", "counted",
    "crowded", "erase", "found", "judge", "keep_features", "keep_keys", "listed", "lock", "log",
    "make", "make_all", "places", "put", "restore", "rewrite", "rows_counted", "searched",
    "shortlisted", "signed", "unchanged", "whole",
]  # fmt: skip
