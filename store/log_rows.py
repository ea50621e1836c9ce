"""The mapping between attempts and look-ups and their rows, the same in every database."""

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple, cast

from reflection_mcp.store.columns import (
    check_types,
    decoded,
    fields_of,
    known_fields,
    micros,
    moment,
    strings_from,
    text_of,
    types_of,
)
from reflection_mcp.store.interactions import Lookup
from reflection_mcp.store.records import Attempt, Check, Score


class AttemptRow(NamedTuple):
    """The columns of an attempt: what is asked for; `body` is the JSON of all the rest."""

    id: str
    conversation_id: str
    at: int
    judged_quality: float | None
    quality: float | None
    feedback: str | None
    body: str


_ATTEMPT_TYPES = types_of(AttemptRow)
ATTEMPT = ", ".join(f"a.{name}" for name in AttemptRow._fields)


def attempt_row(attempt: Attempt) -> AttemptRow:
    """The columns of an attempt."""
    body = fields_of(attempt)
    columns: dict[str, Any] = {n: body.pop(n) for n in AttemptRow._fields if n != "body"}
    columns |= {"at": micros(attempt.at), "body": text_of(body)}
    return AttemptRow(**columns)


@decoded
def attempt_from(values: Sequence[Any]) -> Attempt:
    """The attempt of the values of `ATTEMPT`."""
    check_types(values, _ATTEMPT_TYPES)
    return _attempt(AttemptRow._make(values))


DECODED = 64
"""Attempts that are not decoded again: each call of a conversation looks through the newest ones,
and all but one of them are those of the call before."""


@lru_cache(maxsize=DECODED)
def _attempt(row: AttemptRow) -> Attempt:
    body = cast("dict[str, Any]", json.loads(row.body))
    for name in ("confidence", "relevance", "completeness"):
        body[name] = Score(**known_fields(Score, body[name]))
    body["checks"] = tuple(Check(**known_fields(Check, check)) for check in body["checks"])
    for name in ("issues", "improvements", "tags"):
        body[name] = tuple(body[name])
    columns: dict[str, Any] = row._asdict()
    columns |= {"at": moment(row.at)}
    del columns["body"]
    return Attempt(**known_fields(Attempt, body, **columns))


class LookupRow(NamedTuple):
    """The columns of a look-up."""

    id: str
    conversation_id: str
    at: int
    signature: str
    verdict: str
    source: str
    summary: str
    error_type: str | None
    matched_id: str | None
    shown: str
    neighbour_id: str | None
    asked_id: str | None
    versions: str


_LOOKUP_TYPES = types_of(LookupRow)
LOOKUP = ", ".join(f"l.{name}" for name in LookupRow._fields)


def lookup_row(lookup: Lookup) -> LookupRow:
    """The columns of a look-up."""
    columns: dict[str, Any] = {name: getattr(lookup, name) for name in LookupRow._fields}
    columns |= {"at": micros(lookup.at), "shown": text_of(lookup.shown)}
    columns |= {"versions": text_of(lookup.versions)}
    return LookupRow(**columns)


@decoded
def lookup_from(values: Sequence[Any]) -> Lookup:
    """The look-up of the values of `LOOKUP`."""
    check_types(values, _LOOKUP_TYPES)
    row = LookupRow._make(values)
    columns: dict[str, Any] = row._asdict()
    columns |= {"at": moment(row.at), "shown": strings_from(row.shown)}
    columns |= {"versions": strings_from(row.versions)}
    return Lookup(**columns)
