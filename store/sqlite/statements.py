"""The statements that SQLite alone needs: see `store.sql.statements`."""

from reflection_mcp.store.sqlite.logs import log, restore
from reflection_mcp.store.sqlite.reflections import (
    crowded,
    found,
    listed,
    searched,
    shortlisted,
)
from reflection_mcp.store.sqlite.rows import (
    add,
    at_once,
    count,
    count_people,
    erase,
    judge,
    keep_features,
    keep_keys,
    lock,
    make,
    make_all,
    put,
    rewrite,
    signed,
    unchanged,
    whole,
)
from reflection_mcp.store.sqlite.stats import counted, places, rows_counted

__all__ = [
    "add", "at_once", "count", "count_people", "counted",
    "crowded", "erase", "found", "judge", "keep_features", "keep_keys", "listed", "lock", "log",
    "make", "make_all", "places", "put", "restore", "rewrite", "rows_counted", "searched",
    "shortlisted", "signed", "unchanged", "whole",
]  # fmt: skip
