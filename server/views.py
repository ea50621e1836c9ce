"""The text view of a result: the same facts as the structured view, in lines a model reads well.

Some hosts show a model only the text, others only the structure, so the text is made from the
structure field by field and nothing can be missing from it. The summary comes first and what to do
next comes last, because that is where readers look. A part of a list is one line, whatever a source
wrote into it: a line of its own is the server speaking. Whatever leaves passes `visible`, but for
an answer, which a caller gets back to the letter.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TypeAlias, TypeVar, cast

from mcp_types import CallToolResult, TextContent

from reflection_mcp.server.briefing import said_once
from reflection_mcp.server.counts import counted
from reflection_mcp.server.lines import line
from reflection_mcp.server.moments import to_the_second
from reflection_mcp.server.results import InsightsView, Result
from reflection_mcp.tools.untrusted import in_one_line, visible

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

FIRST, LAST, NOTES = "summary", "next", "notes"
TO_THE_LETTER = ("answer", "loop")


def both_views(result: Result, text: str | None = None) -> CallToolResult:
    """The same result as text and as structure."""
    return CallToolResult(
        content=[TextContent(type="text", text=text_view(result) if text is None else text)],
        structured_content=sent(result),
    )


def text_view(result: Result) -> str:
    """A result as lines of text; empty fields are left out."""
    if isinstance(result, InsightsView):
        result = said_once(result)
    told = dict(_told(result))
    first, last = told.pop(FIRST, None), told.pop(LAST, None)
    lines = [visible(in_one_line(str(first)))] if first is not None else []
    for name, value in told.items():
        said = "\n".join(_field(_label(name), value))
        lines.append(said if name in TO_THE_LETTER else visible(said))
    if last is not None:
        lines.append(visible(in_one_line(f"Next: {last}")))
    return "\n".join(lines)


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
    for name, field in type(result).model_fields.items():
        value = getattr(result, name)
        empty = not isinstance(value, bool) and value in (None, "", [], {})
        if field.is_required() or not (empty or value == field.default):
            yield name, value


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


def _field(label: str, value: object) -> Iterator[str]:
    if isinstance(value, list):
        yield f"{label}:"
        for part in cast("list[object]", value):
            yield f"- {in_one_line(_inline(part))}"
    elif isinstance(value, dict):
        yield f"{label}:"
        for name, part in cast("dict[str, object]", value).items():
            yield f"- {_label(name)}: {in_one_line(_inline(part))}"
    else:
        text = _inline(value)
        yield f"{label}:\n{text}" if "\n" in text else f"{label}: {text}"


def _inline(value: object) -> str:
    if isinstance(value, Result):
        return line(value)
    if isinstance(value, datetime):
        return to_the_second(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _label(name: str) -> str:
    return name.replace("_", " ")
