"""Schemas without noise, and in words."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, TypeAdapter

from reflection_mcp.server.transport.schema import input_schema, output_schema


class Leaf(BaseModel):
    title: Literal["title"] = "title"
    """A property that is called like the keyword."""


class Tree(BaseModel):
    title: str = Field(default="title", title="A Title")
    leaf: Leaf | None = None
    count: int | None = None
    must: str | None
    named: dict[str, Leaf] = Field(default={"title": Leaf()}, examples=[{"title": None}])


def schema_of(kind: Any) -> dict[str, Any]:
    return TypeAdapter[Any](kind).json_schema()


def test_a_property_called_title_is_kept_and_every_generated_title_goes() -> None:
    schema = input_schema(schema_of(Tree))
    assert schema["properties"]["title"] == {"type": "string"}


def test_values_are_not_taken_for_schemas() -> None:
    named = output_schema(schema_of(Tree))["properties"]["named"]
    assert "default" not in named
    assert named["examples"] == [{"title": None}]
    assert named["additionalProperties"] == {"type": "object"}


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
    assert properties["leaf"] == {"$ref": "#/$defs/Leaf"}
    assert properties["count"] == {"type": "integer"}


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
