"""Schemas without noise, and in words."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, TypeAdapter

from reflection_mcp.server.transport.schema import (
    in_words,
    input_schema,
    names,
    output_schema,
    step,
)
from tests.rows import each_row


class Leaf(BaseModel):
    title: Literal["title"] = "title"
    """A property that is called like the keyword."""


class Tree(BaseModel):
    title: str = Field(default="title", title="A Title")
    leaf: Leaf | None = None
    either: int | list[Leaf] | None = None
    must: str | None
    named: dict[str, Leaf] = Field(default={"title": Leaf()}, examples=[{"title": None}])
    pair: tuple[int, Leaf] | None = None


def schema_of(kind: Any) -> dict[str, Any]:
    return TypeAdapter[Any](kind).json_schema()


def test_a_property_called_title_is_kept_and_every_generated_title_goes() -> None:
    schema = input_schema(schema_of(Tree))
    assert schema["properties"]["title"] == {"type": "string"}
    assert schema["$defs"]["Leaf"] == {
        "type": "object",
        "properties": {"title": {"type": "string", "const": "title"}},
    }


def test_values_are_not_taken_for_schemas() -> None:
    named = output_schema(schema_of(Tree))["properties"]["named"]
    assert "default" not in named
    assert named["examples"] == [{"title": None}]


def test_sizes_ranges_and_defaults_are_enforced_but_not_published() -> None:
    class Sized(BaseModel):
        text: Annotated[str, Field(min_length=1, max_length=9)] = "x"
        many: Annotated[list[Annotated[str, Field(max_length=5)]], Field(max_length=3)] = []
        limit: Annotated[int, Field(ge=1, le=50)] = 5

    assert input_schema(schema_of(Sized))["properties"] == {
        "text": {"type": "string"},
        "many": {"type": "array", "items": {"type": "string"}},
        "limit": {"type": "integer"},
    }


def test_an_optional_input_does_not_speak_of_null() -> None:
    properties = input_schema(schema_of(Tree))["properties"]
    leaf = {"$ref": "#/$defs/Leaf"}
    assert properties["leaf"] == leaf
    assert properties["either"] == {
        "anyOf": [{"type": "integer"}, {"type": "array", "items": leaf}]
    }
    assert properties["pair"]["prefixItems"] == [{"type": "integer"}, leaf]


def test_a_required_input_may_say_that_it_takes_null() -> None:
    properties = input_schema(schema_of(Tree))["properties"]
    assert properties["must"] == {"anyOf": [{"type": "string"}, {"type": "null"}]}


def test_an_output_keeps_its_nulls() -> None:
    schema = output_schema(schema_of(Tree))
    assert schema["properties"]["leaf"] == {"anyOf": [{"type": "object"}, {"type": "null"}]}
    assert "additionalProperties" not in schema


def test_an_output_says_nothing_of_what_is_inside_its_objects() -> None:
    assert "$" not in str(output_schema(schema_of(Tree)))


def test_the_schema_that_was_given_is_not_changed() -> None:
    before = schema_of(Tree)
    input_schema(before)
    assert before == schema_of(Tree)


@each_row(
    ("kind", "words"),
    [
        (str, "text"),
        (Annotated[str, Field(max_length=2000)], "text of at most 2,000 characters"),
        (Annotated[str, Field(min_length=1)], "text that is not empty"),
        (Annotated[list[int], Field(min_length=2)], "a list of at least 2 whole numbers"),
        (Annotated[str, Field(min_length=1, max_length=9)], "text of 1 to 9 characters"),
        (int, "a whole number"),
        (Annotated[int, Field(ge=1, le=50)], "a whole number from 1 to 50"),
        (Annotated[int, Field(ge=0)], "a whole number from 0"),
        (Annotated[int, Field(le=9)], "a whole number up to 9"),
        (Annotated[float, Field(gt=0, lt=1)], "a number above 0 below 1"),
        (bool, "true or false"),
        (Literal["concise", "hook"], "one of 'concise', 'hook'"),
        (Literal["x"], "'x'"),
        (list[str], "a list of texts"),
        (Annotated[list[Leaf], Field(max_length=20)], "a list of at most 20 objects"),
        (list[int | str], "a list of items"),
        (list[Any], "a list of items"),
        (Leaf, "an object"),
        (dict[str, int], "an object"),
        (int | list[Leaf] | None, "a whole number or a list of objects"),
        (Any, "a value that its description allows"),
    ],
)
def test_a_schema_is_put_into_words(kind: Any, words: str) -> None:
    schema = schema_of(kind)
    assert in_words(schema, schema) == words


def test_a_path_is_followed_through_references_unions_and_maps() -> None:
    root = schema_of(Tree)
    either = step(root, "either", root)
    assert either is not None
    item = step(either, 0, root)
    assert item is not None
    assert names(item, root) == ["title"]
    named = step(root, "named", root)
    assert named is not None
    assert step(named, "any name", root) == {"$ref": "#/$defs/Leaf"}
    assert step(root, "list[Leaf]", root) is None
    assert step(root, 3, root) is None
