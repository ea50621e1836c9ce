"""The JSON schemas of our tools, as short as they can be said and still be true.

pydantic writes for programs: a `title` beside every name, `anyOf` with null and `default: null`
for every optional argument. A model pays for each of these in every conversation (18 % of the
tokens of our tools) and learns nothing. Inputs also say that nothing else is accepted. Outputs
keep their nulls, since a result may hold them and a client checks it against the schema.

SDK fault (mcp 2.3.0): schemas are published as pydantic writes them, with titles and nulls. Can go
when a release offers short schemas, or a hook for the generator.
"""

from collections.abc import Iterator
from typing import Any, cast

Schema = dict[str, Any]

_NAMED = frozenset({"properties", "patternProperties", "$defs"})
"""Keywords whose value maps free names to schemas: a property may be *called* `title`."""
_LISTED = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
_NESTED = frozenset({"items", "additionalProperties", "not"})

_PLURALS = {
    "string": "texts",
    "integer": "whole numbers",
    "number": "numbers",
    "boolean": "truth values",
    "object": "objects",
}


def input_schema(schema: Schema) -> Schema:
    """The schema of a tool's arguments without noise, closed to unknown names.

    Defaults, the sizes of texts and lists and the ranges of numbers are kept and enforced, but not
    published: what is not required has a sensible default, a model cannot count characters, and a
    range is said in the description of the number, in a tenth of the bytes. Choices are published.
    """
    short = _without_unpublished(_optional_without_null(_without_noise(schema)))
    return {**short, "additionalProperties": False}


_UNPUBLISHED = frozenset(
    {"default", "minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"}
)


def _without_unpublished(schema: Schema) -> Schema:
    kept = {key: value for key, value in schema.items() if key not in _UNPUBLISHED}
    return _with_parts(kept, _without_unpublished)


def output_schema(schema: Schema) -> Schema:
    """The schema of a tool's result: its fields and their types, without the insides of objects.

    Whole, the five results took 14 kB in `tools/list`, which every host loads and hardly any reads.
    """
    flat = _flat(_without_noise(schema))
    flat.pop("$defs", None)
    return flat


def _flat(schema: Schema) -> Schema:
    """The schema with every reference to a definition replaced by the plain type object."""
    if "$ref" in schema:
        return {"type": "object"}
    kept = {key: value for key, value in schema.items() if key not in ("default", "$defs")}
    return _with_parts(kept, _flat)


def _without_noise(schema: Schema) -> Schema:
    kept = {
        key: value
        for key, value in schema.items()
        if key != "title" and not (key == "default" and value is None)
    }
    return _with_parts(kept, _without_noise)


def _optional_without_null(schema: Schema) -> Schema:
    required = schema.get("required", ())
    whole = _with_parts(schema, _optional_without_null)
    if "properties" in whole:
        whole["properties"] = {
            name: part if name in required else _without_null(part)
            for name, part in whole["properties"].items()
        }
    return whole


def _without_null(schema: Schema) -> Schema:
    arms = [arm for arm in schema.get("anyOf", ()) if arm != {"type": "null"}]
    if not arms or len(arms) == len(schema["anyOf"]):
        return schema
    rest = {key: value for key, value in schema.items() if key != "anyOf"}
    return {**arms[0], **rest} if len(arms) == 1 else {"anyOf": arms, **rest}


def _with_parts(schema: Schema, change: Any) -> Schema:
    """The schema with `change` applied to each schema directly inside it, and to nothing else:
    defaults, enums and constants are values, whatever they look like."""
    changed = dict(schema)
    for key, value in schema.items():
        if key in _NAMED:
            changed[key] = {name: change(part) for name, part in value.items()}
        elif key in _LISTED:
            changed[key] = [change(part) for part in value]
        elif key in _NESTED and isinstance(value, dict):
            changed[key] = change(value)
    return changed


# --------------------------------------------------------------------------- in words


def step(schema: Schema, part: str | int, root: Schema) -> Schema | None:
    """The schema of one property or item, or None when `part` names neither."""
    for arm in _arms(schema, root):
        if isinstance(part, int):
            found = arm.get("items")
        else:
            found = arm.get("properties", {}).get(part, arm.get("additionalProperties"))
        if isinstance(found, dict):
            return cast(Schema, found)
    return None


def is_silent(schema: Schema) -> bool:
    """Whether this is an object that may hold anything, as far as its schema says."""
    return not schema or (
        schema.get("type") == "object" and not {"properties", "additionalProperties"} & set(schema)
    )


def in_words(schema: Schema, root: Schema) -> str:
    """What to pass where this schema stands: `a whole number from 1 to 50`."""
    return " or ".join(dict.fromkeys(_arm_in_words(arm, root) for arm in _arms(schema, root)))


def names(schema: Schema, root: Schema) -> list[str]:
    """The properties that a value with this schema may have."""
    return [name for arm in _arms(schema, root) for name in arm.get("properties", ())]


def _arms(schema: Schema, root: Schema) -> Iterator[Schema]:
    """The alternatives that a value may satisfy, references followed, null left out."""
    reference = schema.get("$ref")
    if isinstance(reference, str):
        schema = root["$defs"][reference.rpartition("/")[2]]
    if "anyOf" in schema:
        for arm in schema["anyOf"]:
            yield from _arms(arm, root)
    elif schema.get("type") != "null":
        yield schema


def _arm_in_words(schema: Schema, root: Schema) -> str:
    if "enum" in schema:
        return "one of " + ", ".join(map(repr, schema["enum"]))
    if "const" in schema:
        return repr(schema["const"])
    match schema.get("type"):
        case "string":
            return "text" + _of(schema.get("minLength"), schema.get("maxLength"), "characters")
        case "integer":
            return "a whole number" + _between(schema)
        case "number":
            return "a number" + _between(schema)
        case "boolean":
            return "true or false"
        case "array":
            items = _items_in_words(schema.get("items", {}), root)
            size = _of(schema.get("minItems"), schema.get("maxItems"), items)
            return "a list" + (size or f" of {items}")
        case "object":
            return "an object"
        case _:
            return "a value that its description allows"


def _items_in_words(schema: Schema, root: Schema) -> str:
    kinds = {arm.get("type", "") for arm in _arms(schema, root)}
    return _PLURALS.get(kinds.pop(), "items") if len(kinds) == 1 else "items"


def _of(least: int | None, most: int | None, what: str) -> str:
    if least and most:
        return f" of {least:,} to {most:,} {what}"
    if most:
        return f" of at most {most:,} {what}"
    if least == 1:
        return " that is not empty"
    return f" of at least {least:,} {what}" if least else ""


def _between(schema: Schema) -> str:
    bounds = [
        f"{word} {schema[key]:,}"
        for word, key in (
            ("from", "minimum"),
            ("above", "exclusiveMinimum"),
            ("to", "maximum"),
            ("below", "exclusiveMaximum"),
        )
        if key in schema
    ]
    return "".join(f" {bound}" for bound in bounds).replace(" to ", " up to ", len(bounds) == 1)
