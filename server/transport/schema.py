"""The JSON schemas of the tools, made as short as possible.

pydantic writes for programs: a `title` beside every name, `anyOf` with null and `default: null`
for every optional argument. A model pays for each of these in every conversation (18 % of the
tokens of our tools) and learns nothing. Inputs also say that nothing else is accepted. Outputs
keep their nulls, since a result may hold them and a client checks it against the schema.

SDK fault (mcp 2.3.0): schemas are published as pydantic writes them, with titles and nulls. Can go
when a release offers short schemas, or a hook for the generator.
"""

from typing import Any

Schema = dict[str, Any]

_UNPUBLISHED = frozenset(
    {"title", "default", "minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"}
)


def input_schema(schema: Schema) -> Schema:
    """Return the schema of a tool's arguments without noise, closed to unknown names.

    Defaults, the sizes of texts and lists and the ranges of numbers are enforced, but not
    published: what is not required has a sensible default, a model cannot count characters, and a
    range is said in the description of the number, in a tenth of the bytes. Choices are published.
    """
    required = schema.get("required", ())
    short = {key: value for key, value in schema.items() if key != "title"}
    short["properties"] = {
        name: _published(part if name in required else not_null(part))
        for name, part in schema["properties"].items()
    }
    return {**short, "additionalProperties": False}


def _published(schema: Schema) -> Schema:
    kept = {key: value for key, value in schema.items() if key not in _UNPUBLISHED}
    return {**kept, "items": _published(kept["items"])} if "items" in kept else kept


def not_null(schema: Schema) -> Schema:
    """Return the schema without the null that an optional argument accepts."""
    arms = [arm for arm in schema.get("anyOf", ()) if arm != {"type": "null"}]
    if len(arms) != 1:
        return schema
    return {**arms[0], **{key: value for key, value in schema.items() if key != "anyOf"}}


def output_schema(schema: Schema) -> Schema:
    """Return the schema of a tool's result: its fields and their types, without the insides of
    objects.

    Whole, the five results took 14 kB in `tools/list`, which every host loads and hardly any reads.
    """
    short = {key: value for key, value in schema.items() if key not in ("title", "$defs")}
    properties = schema.get("properties", {})
    return {**short, "properties": {name: _flat(part) for name, part in properties.items()}}


def _flat(schema: Schema) -> Schema:
    """Return the schema with every reference to a definition replaced by the plain type object."""
    if "$ref" in schema:
        return {"type": "object"}
    flat = {key: value for key, value in schema.items() if key not in ("title", "default")}
    for key in flat.keys() & {"items", "additionalProperties"}:
        flat[key] = _flat(flat[key])
    if "anyOf" in flat:
        flat["anyOf"] = [_flat(arm) for arm in flat["anyOf"]]
    return flat


_PLURALS = {"string": "texts", "object": "objects"}


def in_words(schema: Schema) -> str:
    """Return what to pass for an argument with this schema: `a whole number from 1 to 50`."""
    schema = not_null(schema)
    if "enum" in schema:
        return "one of " + ", ".join(map(repr, schema["enum"]))
    match schema.get("type"):
        case "string":
            most = schema.get("maxLength")
            return f"text of at most {most:,} characters" if most else "text"
        case "integer" | "number" as kind:
            number = "a whole number" if kind == "integer" else "a number"
            return f"{number} from {schema['minimum']} to {schema['maximum']}"
        case "boolean":
            return "true or false"
        case "array":
            items = _PLURALS[schema["items"]["type"]]
            return f"a list of at most {schema['maxItems']:,} {items}"
        case _:
            return "an object"
