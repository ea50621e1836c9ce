"""Parser for blocks of JSON, and check against a schema that the question gives.

Rules of this module: comments, elisions, placeholders, several documents in a row and pieces cut
out of an object are usual in explanations and therefore unclear. Of a schema only the keywords
below are applied, by our own reader: a library's one may fetch a `$ref` from the network and run
the schema's regular expressions, and both the schema and the answer are hostile text.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, TypeGuard, cast

from reflection_mcp.tools.judging.syntax.reading import WHOLE, ParseResult, elided, line_of, unclear

LIMIT = 100_000
"""Characters of a document."""
DEPTH = 40
"""Levels of a schema that are followed."""
FAULTS = 5
"""Violations of a schema that are reported."""

_COMMENT = re.compile(r"(?:^|[\s,{\[])(?://|/\*|#)", re.MULTILINE)
_MESSAGE = re.compile(r"\s{0,20}(?:HTTP/\d|(?:GET|POST|PUT|PATCH|DELETE) \S)")
_SCHEMA_STARTS = 20


def read_json(body: str) -> ParseResult:
    """Parse a block of JSON."""
    if len(body) > LIMIT:
        return unclear(f"longer than {LIMIT} characters")
    try:
        json.loads(body, parse_int=str, parse_constant=_not_json)
    except json.JSONDecodeError as error:
        return _explained(body, error)
    except (ValueError, RecursionError) as error:
        return unclear(str(error)[:80])
    return WHOLE


def _not_json(name: str) -> None:
    raise ValueError(f"{name} is no JSON, but many readers take it")


def _explained(body: str, error: json.JSONDecodeError) -> ParseResult:
    if _COMMENT.search(body):
        return unclear("it holds comments")
    if elided(line_of(body, error.lineno)):
        return unclear("something was left out")
    if _parses("{" + body + "}") or _parses("{" + body.strip().rstrip(",") + "}"):
        return unclear("a piece cut out of an object")
    if _MESSAGE.match(body):
        return unclear("a message of HTTP")
    if _documents(body):
        return unclear("several documents in a row")
    if (
        error.msg == "Extra data"
        and body.lstrip()[:1] in "{["
        and body[error.pos : error.pos + 1].isalpha()
    ):
        return unclear("words follow the document")
    return ParseResult("broken", error.msg, error.lineno)


def _parses(text: str) -> bool:
    try:
        json.loads(text, parse_int=str)
    except (ValueError, RecursionError):
        return False
    return True


def _documents(body: str) -> int:
    """Count the documents that stand one after the other; 0 when that is not what the text is."""
    decoder = json.JSONDecoder(parse_int=str)
    place, count = 0, 0
    while place < len(body) and count < 10_000:
        if body[place].isspace():
            place += 1
            continue
        if body[place] not in "{[":
            return 0
        try:
            _, place = decoder.raw_decode(body, place)
        except (ValueError, RecursionError):
            return 0
        count += 1
    return count


# --------------------------------------------------------------------------- schema

Schema = dict[str, Any]


def schema_in(question: str) -> Schema | None:
    """Return the JSON schema that stands in a text, if exactly one does."""
    if '"properties"' not in question and '"$schema"' not in question:
        return None
    found: list[Schema] = []
    place = question.find("{")
    for _ in range(_SCHEMA_STARTS):
        if place < 0:
            break
        try:
            value, end = json.JSONDecoder().raw_decode(question[: place + LIMIT], place)
        except (ValueError, RecursionError):
            end = place + 1
        else:
            if isinstance(value, dict) and _is_schema(cast("Schema", value)):
                found.append(cast("Schema", value))
        place = question.find("{", end)
    return found[0] if len(found) == 1 else None


def _is_schema(value: Schema) -> bool:
    if "$schema" in value:
        return True
    return isinstance(value.get("type"), str) and isinstance(value.get("properties"), dict)


def violations(body: str, schema: Schema) -> list[str]:
    """Return in words where a JSON text does not fit a schema; at most `FAULTS`."""
    if len(body) > LIMIT:
        return []
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return []
    faults: list[str] = []
    for fault in _faults(value, schema, "the document", 0):
        faults.append(fault)
        if len(faults) == FAULTS:
            break
    return faults


def _faults(value: Any, schema: Any, where: str, depth: int) -> Iterator[str]:
    # A reference or an alternative can only be judged whole; what is not judged is not faulted.
    if not isinstance(schema, dict) or depth > DEPTH or "$ref" in schema:
        return
    rules = cast("Schema", schema)
    kind = rules.get("type")
    kinds = _list(kind) if isinstance(kind, list) else [kind]
    known = [one for one in kinds if isinstance(one, str) and one in _TYPES]
    if known and len(known) == len(kinds) and not any(_TYPES[one](value) for one in known):
        yield f"{where} should be of type {' or '.join(known)}"
        return
    choices = rules.get("enum")
    if isinstance(choices, list) and not _among(value, _list(choices)):
        yield f"{where} is none of the values that are allowed"
    if "const" in rules and not _among(value, [rules["const"]]):
        yield f"{where} is not the value that is required"
    if isinstance(value, dict):
        yield from _object_faults(cast("Schema", value), rules, where, depth)
    elif isinstance(value, list):
        yield from _array_faults(_list(value), rules, where, depth)
    elif isinstance(value, str):
        yield from _bounds(len(value), rules, "minLength", "maxLength", f"the length of {where}")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from _bounds(value, rules, "minimum", "maximum", where)


def _object_faults(value: Schema, rules: Schema, where: str, depth: int) -> Iterator[str]:
    for name in _list(rules.get("required")):
        if isinstance(name, str) and name not in value:
            yield f"{where} lacks {name!r}"
    given = rules.get("properties")
    properties = cast("Schema", given) if isinstance(given, dict) else {}
    for name, inner in properties.items():
        if name in value:
            yield from _faults(value[name], inner, f"{name!r} in {where}", depth + 1)
    if rules.get("additionalProperties") is False and "patternProperties" not in rules:
        for name in value:
            if name not in properties:
                yield f"{where} holds {name!r}, which is not allowed"


def _array_faults(value: list[Any], rules: Schema, where: str, depth: int) -> Iterator[str]:
    yield from _bounds(len(value), rules, "minItems", "maxItems", f"the number of items of {where}")
    if "prefixItems" in rules:
        return
    for place, item in enumerate(value):
        yield from _faults(item, rules.get("items"), f"item {place} of {where}", depth + 1)


def _bounds(size: float, rules: Schema, low: str, high: str, what: str) -> Iterator[str]:
    least, most = rules.get(low), rules.get(high)
    if isinstance(least, int | float) and size < least:
        yield f"{what} is {size}, under {least}"
    if isinstance(most, int | float) and size > most:
        yield f"{what} is {size}, over {most}"


def _among(value: Any, choices: list[Any]) -> bool:
    # In JSON true is not 1, in Python it is.
    return any(value == one and isinstance(value, bool) == isinstance(one, bool) for one in choices)


def _list(value: Any) -> list[Any]:
    return value if _is_list(value) else []


def _is_list(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "number": _is_number,
    "integer": lambda value: _is_number(value) and value == int(value),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}
