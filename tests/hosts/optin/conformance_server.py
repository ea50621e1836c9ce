"""Our server with what the conformance suite asks for beside it, served over HTTP on the loopback.

    python -m tests.hosts.optin.conformance_server PORT

The suite needs tools, resources and prompts of given names. They are added to the very server that
is shipped, so that its layer (strict arguments, short schemas, errors) is what is being tested.
Like those of the product they compute in the worker, and go back `at_home` to talk to the client.
"""

import base64
import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp.shared.exceptions import MCPError
from mcp_types import (
    AudioContent,
    CallToolResult,
    ClientCapabilities,
    ContentBlock,
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    EmbeddedResource,
    EmptyResult,
    GetPromptResult,
    ImageContent,
    InputRequest,
    InputRequiredResult,
    ListRootsRequest,
    ListRootsResult,
    SamplingCapability,
    SamplingMessage,
    SetLevelRequestParams,
    SubscribeRequestParams,
    TextContent,
    TextResourceContents,
    UnsubscribeRequestParams,
)
from pydantic import BaseModel, Field

from reflection_mcp.server.access.app import app_for
from reflection_mcp.server.access.exposure import Exposure
from reflection_mcp.server.access.limits import Buckets
from reflection_mcp.server.access.listener import listen
from reflection_mcp.server.app import build
from reflection_mcp.server.application import Application
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.server.transport.protocol import ReflectionServer
from reflection_mcp.server.worker import at_home
from tests.hosts.optin.programs import png, wav

Server = ReflectionServer[Application]
Ctx = Context[Any, Any]
PNG, WAV = (base64.b64encode(data).decode() for data in (png(), wav()))
MISSING_CAPABILITY = -32021


def fixtures() -> Server:
    """Our server with everything that the suite asks for."""
    server = build(Application(settings=Settings(store="memory:"), project="conformance"))
    _add_contents(server)
    _add_talk(server)
    _add_forms(server)
    _add_questions(server)
    _add_resources(server)
    _add_prompts(server)
    _add_what_was_removed(server)
    return server


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=text)


def _image() -> ImageContent:
    return ImageContent(type="image", data=PNG, mime_type="image/png")


def _embedded(uri: str, kind: str, text: str) -> EmbeddedResource:
    contents = TextResourceContents(uri=uri, mime_type=kind, text=text)
    return EmbeddedResource(type="resource", resource=contents)


def _add_contents(server: Server) -> None:
    audio = AudioContent(type="audio", data=WAV, mime_type="audio/wav")
    embedded = _embedded(
        "test://embedded-resource", "text/plain", "This is an embedded resource content."
    )
    mixed = _embedded(
        "test://mixed-content-resource", "application/json", '{"test":"data","value":123}'
    )
    answers: Mapping[str, Sequence[ContentBlock]] = {
        "test_simple_text": [_text("This is a simple text response for testing.")],
        "test_image_content": [_image()],
        "test_audio_content": [audio],
        "test_embedded_resource": [embedded],
        "test_multiple_content_types": [_text("Multiple content types test:"), _image(), mixed],
    }
    for name, content in answers.items():
        _answers(server, name, content)


def _answers(server: Server, name: str, content: Sequence[ContentBlock]) -> None:
    @server.tool(name=name)
    async def answer() -> CallToolResult:
        """Answer with content of one kind."""
        return CallToolResult(content=list(content))


def _add_talk(server: Server) -> None:
    @server.tool()
    async def test_error_handling() -> str:
        """Fail."""
        raise ToolError("This tool intentionally returns an error for testing")

    @server.tool()
    async def test_tool_with_progress(ctx: Ctx) -> str:
        """Tell progress."""
        for done in (0, 50, 100):
            await at_home(ctx.report_progress, done, 100)
        return "progress was told"

    @server.tool(name="test_logging_tool")
    @server.tool()
    async def test_tool_with_logging(ctx: Ctx) -> str:
        """Log."""
        for step in ("execution started", "processing data", "execution completed"):
            # Deprecated since 2026-07-28, and still part of what older clients are promised.
            await at_home(
                ctx.session.send_log_message,  # pyright: ignore[reportDeprecated]
                "info",
                f"Tool {step}",
                related_request_id=ctx.request_id,
            )
        return "it was logged"

    @server.tool()
    async def test_sampling(prompt: str, ctx: Ctx) -> str:
        """Ask the client's model."""
        reply = await at_home(
            ctx.session.create_message,  # pyright: ignore[reportDeprecated]  as above
            [SamplingMessage(role="user", content=_text(prompt))],
            max_tokens=100,
            related_request_id=ctx.request_id,
        )
        return f"LLM response: {_said(reply)}"

    @server.tool()
    async def test_missing_capability(ctx: Ctx) -> str:
        """Need what the client may not have."""
        if ctx.client_capabilities is None or ctx.client_capabilities.sampling is None:
            needed = ClientCapabilities(sampling=SamplingCapability())
            data = {"requiredCapabilities": needed.model_dump(by_alias=True, exclude_none=True)}
            raise MCPError(MISSING_CAPABILITY, "the client does not offer sampling", data)
        return "the client offers sampling"


def _said(reply: CreateMessageResult) -> str:
    return reply.content.text if isinstance(reply.content, TextContent) else "no text"


# --------------------------------------------------------------------------- forms (elicitation)


class Contact(BaseModel):
    """Two answers in words."""

    username: str = Field(description="User's response")
    email: str = Field(description="User's email address")


class Defaults(BaseModel):
    """A default of every kind."""

    name: str = "John Doe"
    age: int = 30
    score: float = 95.5
    status: str = Field(
        default="active", json_schema_extra={"enum": ["active", "inactive", "pending"]}
    )
    verified: bool = True


def _titled(word: str) -> list[dict[str, str]]:
    return [
        {"const": f"value{n}", "title": f"{place} {word}"}
        for n, place in enumerate(("First", "Second", "Third"), 1)
    ]


_OPTIONS = ["option1", "option2", "option3"]


class Choices(BaseModel):
    """Every way to offer a choice."""

    untitledSingle: str = Field(json_schema_extra={"enum": list[Any](_OPTIONS)})
    titledSingle: str = Field(json_schema_extra={"oneOf": list[Any](_titled("Option"))})
    legacyEnum: str = Field(
        json_schema_extra={
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        }
    )
    untitledMulti: list[str] = Field(
        json_schema_extra={"items": {"type": "string", "enum": list[Any](_OPTIONS)}}
    )
    titledMulti: list[str] = Field(
        json_schema_extra={"items": {"anyOf": list[Any](_titled("Choice"))}}
    )


def _add_forms(server: Server) -> None:
    async def asked(ctx: Ctx, message: str, form: type[BaseModel]) -> str:
        result = await at_home(ctx.elicit, message, form)
        content = result.data.model_dump() if result.action == "accept" else {}
        return f"action={result.action}, content={json.dumps(content)}"

    @server.tool()
    async def test_elicitation(message: str, ctx: Ctx) -> str:
        """Ask for two words."""
        return f"User response: {await asked(ctx, message, Contact)}"

    @server.tool()
    async def test_elicitation_sep1034_defaults(ctx: Ctx) -> str:
        """Ask with defaults."""
        return f"Elicitation completed: {await asked(ctx, 'Who are you?', Defaults)}"

    @server.tool()
    async def test_elicitation_sep1330_enums(ctx: Ctx) -> str:
        """Ask for choices."""
        return f"Elicitation completed: {await asked(ctx, 'Choose', Choices)}"


# --------------------------------------------------------------------------- questions in a result


def _form(message: str, field: str, kind: str = "string") -> ElicitRequest:
    schema = {"type": "object", "properties": {field: {"type": kind}}, "required": [field]}
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def _sample(text: str, tokens: int) -> CreateMessageRequest:
    message = SamplingMessage(role="user", content=_text(text))
    return CreateMessageRequest(
        params=CreateMessageRequestParams(messages=[message], max_tokens=tokens)
    )


NAME = _form("What is your name?", "name")
QUESTIONS: Mapping[str, Sequence[Mapping[str, InputRequest]]] = {
    "elicitation": [{"user_name": NAME}],
    "sampling": [{"capital_question": _sample("What is the capital of France?", 100)}],
    "list_roots": [{"client_roots": ListRootsRequest()}],
    "request_state": [{"confirm": _form("Please confirm", "ok", "boolean")}],
    "tampered_state": [{"confirm": _form("Please confirm", "ok", "boolean")}],
    "multiple_inputs": [
        {
            "user_name": NAME,
            "greeting": _sample("Generate a greeting", 50),
            "client_roots": ListRootsRequest(),
        }
    ],
    "multi_round": [
        {"step1": _form("Step 1: What is your name?", "name")},
        {"step2": _form("Step 2: What is your favorite color?", "color")},
    ],
}
"""Rounds of questions by the name of the tool that asks them."""
STATELESS = ("elicitation", "sampling", "list_roots")


def _add_questions(server: Server) -> None:
    for name, rounds in QUESTIONS.items():
        _asks(server, f"test_input_required_result_{name}", rounds, sealed=name not in STATELESS)
    _asks(server, "test_streaming_elicitation", QUESTIONS["elicitation"], sealed=False)

    @server.tool()
    async def test_input_required_result_capabilities(
        ctx: Ctx,
    ) -> CallToolResult | InputRequiredResult:
        """Ask only for what the client declares."""
        offered = ctx.client_capabilities or ClientCapabilities()
        possible: dict[str, InputRequest] = {}
        if offered.elicitation is not None:
            possible["user_name"] = NAME
        if offered.sampling is not None:
            possible["greeting"] = _sample("Generate a greeting", 50)
        if possible and not ctx.input_responses:
            return InputRequiredResult(input_requests=possible)
        return CallToolResult(content=[_text("nothing more is needed")])


def _asks(
    server: Server, name: str, rounds: Sequence[Mapping[str, InputRequest]], *, sealed: bool
) -> None:
    @server.tool(name=name)
    async def ask(ctx: Ctx) -> CallToolResult | InputRequiredResult:
        """Ask in the result, and go on with what the client sends back."""
        place = int(ctx.request_state or 0)
        given = {} if ctx.input_responses is None else ctx.input_responses
        answered = {key: _fits(given[key]) for key in rounds[place] if key in given}
        if set(answered) == set(rounds[place]) and None not in answered.values():
            place += 1
            if place == len(rounds):
                kept = "state-ok " if ctx.request_state else ""
                return CallToolResult(content=[_text(f"{kept}{json.dumps(answered)}")])
        state = str(place) if sealed else None
        return InputRequiredResult(input_requests=dict(rounds[place]), request_state=state)


def _fits(response: object) -> Any:
    """What a response says, None when it does not fit the question."""
    match response:
        case ElicitResult(action="accept", content=content) if content:
            return content if all(isinstance(v, str | bool) for v in content.values()) else None
        case CreateMessageResult():
            return _said(response)
        case ListRootsResult():
            return [str(root.uri) for root in response.roots]
        case _:
            return None


# --------------------------------------------------------------------------- resources, prompts


def _add_resources(server: Server) -> None:
    @server.resource("test://static-text", mime_type="text/plain")
    def static_text() -> str:
        """A text."""
        return "This is the content of the static text resource."

    @server.resource("test://static-binary", mime_type="image/png")
    def static_binary() -> bytes:
        """A picture."""
        return png()

    @server.resource("test://template/{id}/data", mime_type="application/json")
    def template(id: str) -> str:
        """Data by id."""
        return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})

    @server.resource("test://watched-resource", mime_type="text/plain")
    def watched() -> str:
        """A text that may change."""
        return "Watched resource content"


def _add_prompts(server: Server) -> None:
    @server.prompt()
    def test_simple_prompt() -> list[UserMessage]:
        """A prompt."""
        return [UserMessage(_text("This is a simple prompt for testing."))]

    @server.prompt()
    def test_prompt_with_arguments(arg1: str, arg2: str) -> list[UserMessage]:
        """A prompt with arguments."""
        return [UserMessage(_text(f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"))]

    @server.prompt()
    def test_prompt_with_embedded_resource(resourceUri: str) -> list[UserMessage]:
        """A prompt with a resource in it."""
        embedded = _embedded(resourceUri, "text/plain", "Embedded resource content for testing.")
        return [
            UserMessage(embedded),
            UserMessage(_text("Please process the embedded resource above.")),
        ]

    @server.prompt()
    def test_prompt_with_image() -> list[UserMessage]:
        """A prompt with a picture in it."""
        return [UserMessage(_image()), UserMessage(_text("Please analyze the image above."))]

    @server.prompt()
    def test_input_required_result_prompt(
        ctx: Ctx,
    ) -> list[UserMessage] | GetPromptResult | InputRequiredResult:
        """A prompt that asks first."""
        if not ctx.input_responses:
            question = _form("What context should the prompt use?", "context")
            return InputRequiredResult(input_requests={"user_context": question})
        return [UserMessage(_text(f"Context: {_fits(ctx.input_responses.get('user_context'))}"))]


def _add_what_was_removed(server: Server) -> None:
    """Methods of the older protocol that the shipped server does not offer, and the suite needs."""

    async def nothing(_: Any, __: Any) -> EmptyResult:
        return EmptyResult()

    lowlevel = server._lowlevel_server  # pyright: ignore[reportPrivateUsage]  no public way is left
    lowlevel.add_request_handler("logging/setLevel", SetLevelRequestParams, nothing)
    lowlevel.add_request_handler("resources/subscribe", SubscribeRequestParams, nothing)
    lowlevel.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, nothing)


if __name__ == "__main__":
    anyone = Exposure(auth="none", port=int(sys.argv[1]))
    sys.exit(listen(anyone, lambda found: app_for(fixtures(), found, None, None, Buckets(0, 0))))
