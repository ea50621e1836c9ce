"""The logs in memory, row by row, in the form that databases have them."""

from collections.abc import Sequence
from dataclasses import astuple, fields
from typing import Any

from reflection_mcp.store.columns import micros, moment
from reflection_mcp.store.history import LOGS, Log, LogRow
from reflection_mcp.store.interactions import FailedAction
from reflection_mcp.store.log_rows import attempt_from, attempt_row, lookup_from, lookup_row
from reflection_mcp.store.memory.scope_data import ScopeData

_ACTION = tuple(each.name for each in fields(FailedAction))


def read(data: ScopeData, log: Log, after: LogRow | None, limit: int) -> Sequence[LogRow]:
    """See `Store.history`."""
    form = LOGS[log]
    rows = sorted(_rows(data, log), key=lambda row: _ordered(form.key_of(row)))
    behind = [] if after is None else _ordered(form.key_of(after))
    return [row for row in rows if _ordered(form.key_of(row)) > behind][: max(limit, 0)]


def _ordered(key: LogRow) -> list[Any]:
    return list(key)


def _rows(data: ScopeData, log: Log) -> list[LogRow]:
    if log == "attempt":
        events = {name: event for event, name in data.attempt_events.items()}
        return [(*attempt_row(each), events[each.id]) for each in data.attempts.values()]
    if log == "lookup":
        return [(*lookup_row(e), int(e.id in data.recurred)) for e in data.lookups.values()]
    if log == "shown":
        return [(name, each) for name, ids in data.shown.items() for each in ids]
    if log == "vote":
        return [(*k, kind, micros(at), said) for k, (at, kind, said) in data.votes.items()]
    if log == "veto":
        return [(name, each, "", 0, "") for name, ids in data.vetoes.items() for each in ids]
    return [_action_row(each) for each in data.failed_actions.values()]


def _action_row(action: FailedAction) -> LogRow:
    named = dict(zip(_ACTION, astuple(action), strict=True)) | {"at": micros(action.at)}
    return tuple(named[name] for name in LOGS["failed_action"].columns)


def restore(data: ScopeData, log: Log, rows: Sequence[LogRow]) -> int:
    """See `Store.restore`."""
    form = LOGS[log]
    known = {form.key_of(row) for row in _rows(data, log)}
    named = _rows(data, log) if log in ("attempt", "lookup") else []
    names = {row[0] for row in named}
    fresh = [r for r in rows if form.key_of(r) not in known and r[0] not in names]
    for row in fresh:
        _put(data, log, row)
    return len(fresh)


def _put(data: ScopeData, log: Log, row: Any) -> None:
    if log == "attempt":
        *columns, event = row
        attempt = attempt_from(columns)
        data.attempts[attempt.id] = attempt
        data.attempt_events[event] = attempt.id
    elif log == "lookup":
        *columns, recurred = row
        lookup = lookup_from(columns)
        data.lookups[lookup.id] = lookup
        data.recurred |= {lookup.id} if recurred else set()
    elif log == "shown":
        data.shown.setdefault(row[0], set()).add(row[1])
    elif log == "vote":
        data.votes[row[:3]] = (moment(row[4]), row[3], row[5])
    elif log == "veto":
        data.vetoes.setdefault(row[0], set()).add(row[1])
    else:
        named: dict[str, Any] = dict(zip(LOGS[log].columns, row, strict=True))
        named["at"] = moment(named["at"])
        action = FailedAction(**named)
        data.failed_actions[action.id] = action
