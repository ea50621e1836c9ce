"""Both views of a result, and its size.

Some hosts show a model only the text, others only the structure: both have the news and the next
step. Whatever leaves passes `visible`, but for an answer, which a caller gets back to the letter.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TypeAlias, TypeVar, cast

from mcp_types import CallToolResult, TextContent

from reflection_mcp.server.mcp.results import Result
from reflection_mcp.server.mcp.text_view import text_view
from reflection_mcp.server.wording import counted
from reflection_mcp.tools.untrusted import visible

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

NOTES = "notes"
TO_THE_LETTER = ("answer", "loop")


def both_views(result: Result, text: str | None = None) -> CallToolResult:
    """The same result as text and as structure."""
    return CallToolResult(
        content=[TextContent(type="text", text=text_view(result) if text is None else text)],
        structured_content=sent(result),
    )


def sent(result: Result) -> dict[str, Json]:
    """What a result says: its fields as JSON values, without those that say nothing."""
    return _said(result, cast("dict[str, Json]", result.model_dump(mode="json")))


def _said(result: Result, dumped: Mapping[str, Json]) -> dict[str, Json]:
    return {
        name: dumped[name] if name in TO_THE_LETTER else _part(value, dumped[name])
        for name, value in _told(result)
    }


def _told(result: Result) -> Iterator[tuple[str, object]]:
    """The fields that say something: those required, and those neither empty nor the default."""
    for name, (is_required, default) in _defaults(type(result)).items():
        value = getattr(result, name)
        empty = not isinstance(value, bool) and value in (None, "", [], {})
        if is_required or not (empty or value == default):
            yield name, value


@cache
def _defaults(kind: type[Result]) -> Mapping[str, tuple[bool, object]]:
    """For each field whether it is required, and its default."""
    fields = kind.model_fields
    return {name: (field.is_required(), field.default) for name, field in fields.items()}


ResultT = TypeVar("ResultT", bound=Result)
TRIMMED = "left out to keep this short: {}; ask for fewer, or for details of one"


def within(result: ResultT, limit: int) -> ResultT:
    """The result with its longest lists shortened until it fits, and a note that says so.

    Hosts cut long results in the middle, or put them into a file the model never opens; a result
    that shortens itself keeps its head and its advice.
    """
    removed: Counter[str] = Counter()
    while len(result.model_dump_json(exclude_defaults=True)) > limit:
        lists = _lists(result)
        if not lists:
            break
        longest = max(lists, key=lambda name: len(repr(lists[name])))
        result = result.model_copy(update={longest: lists[longest][:-1]})
        removed[longest] += 1
    changed: dict[str, object] = {}
    if uncounted := sum(removed[name] for name in result.COUNTED):
        changed[result.COUNT] = getattr(result, result.COUNT) + uncounted
    if removed and NOTES in type(result).model_fields:
        trimmed = TRIMMED.format(counted(removed.total(), "item"))
        changed[NOTES] = [*getattr(result, NOTES), trimmed]
    return result.model_copy(update=changed) if changed else result


def _lists(result: Result) -> dict[str, list[object]]:
    """The fields that are lists and could lose an item."""
    values = {name: getattr(result, name) for name in type(result).model_fields}
    return {
        name: cast("list[object]", value)
        for name, value in values.items()
        if isinstance(value, list) and len(cast("list[object]", value)) > 1
    }


def _part(value: object, dumped: Json) -> Json:
    """A field as JSON; the results inside it lose their empty fields, too."""
    if isinstance(value, Result) and isinstance(dumped, dict):
        return cast("Json", _said(value, dumped))
    if isinstance(value, list) and isinstance(dumped, list):
        items = cast("list[object]", value)
        return [_part(item, raw) for item, raw in zip(items, dumped, strict=True)]
    if isinstance(value, dict) and isinstance(dumped, dict):
        named = cast("dict[str, object]", value)
        return {name: _part(item, dumped[name]) for name, item in named.items()}
    return visible(dumped) if isinstance(dumped, str) else dumped
