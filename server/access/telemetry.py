"""OpenTelemetry spans: where the time of a call went.

The SDK makes one span for each message (`tools/call reflect`); here that one gets what the audit
line says, and children: `checks`, `judge`, `loop step`, and `store` with the name of an operation.

Rules: none of this is imported unless the variables of OpenTelemetry ask for it. What leaves the
process are names, ids, counts and times, as in the log. A text that a caller wrote stays here, even
where the SDK has put it into a span: the name of a tool that does not exist, the text of a failure.
"""

import asyncio
import re
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any, cast

from opentelemetry import trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import (
    BatchSpanProcessor,
    ConsoleSpanExporter,
    SpanExporter,
    SpanExportResult,
)
from opentelemetry.trace import Status, StatusCode

from reflection_mcp.server.application import OpenStore
from reflection_mcp.server.log import safe_fact
from reflection_mcp.store.contract import Store
from reflection_mcp.store.records import Scope
from reflection_mcp.tools.errors import InvalidInput
from reflection_mcp.tools.ports import Stage

PACKAGE = "reflection-mcp"
GRACE = 5.0
"""Seconds that sending the last spans may take at the end."""

_METHOD = re.compile(r"[a-z]{1,20}(?:/[a-z_]{1,30}){0,2}")
"""A method of MCP, such as `tools/call`."""


def exporter_of(environment: Mapping[str, str]) -> SpanExporter:
    """Where spans go, by the variables of OpenTelemetry.

    Raises:
        InvalidInput: they name what is not there.
    """
    kind = environment.get("OTEL_TRACES_EXPORTER", "") or "otlp"
    if kind == "console":
        return ConsoleSpanExporter(out=sys.stderr)
    if kind != "otlp":
        raise InvalidInput(
            "OTEL_TRACES_EXPORTER names an exporter that is not supported", "set otlp or console"
        )
    names = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
    if {environment.get(name, "") for name in names} - {"", "http/protobuf"}:
        raise InvalidInput("OTLP is sent over http/protobuf only", f"set {names[1]}=http/protobuf")
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    return OTLPSpanExporter()


class Tracing:
    """Spans of this process, which an exporter gets without any text."""

    def __init__(self, exporter: SpanExporter) -> None:
        # What the environment says of the resource comes after this and wins.
        own = Resource({"service.name": PACKAGE, "service.version": version(PACKAGE)})
        said = {
            name: value
            for name, value in Resource.create().attributes.items()
            if not str(value).startswith("unknown_service")
        }
        self._provider = TracerProvider(resource=own.merge(Resource(said)))
        self._provider.add_span_processor(BatchSpanProcessor(Discreet(exporter)))
        trace.set_tracer_provider(self._provider)
        self._tracer = self._provider.get_tracer(PACKAGE)

    @contextmanager
    def stage(self, name: str, /, **facts: str | int) -> Generator[Callable[..., None]]:
        """A span around a stage of the work."""
        with self._tracer.start_as_current_span(
            name, attributes=_ours(facts), record_exception=False, set_status_on_exception=False
        ) as span:
            try:

                def note(**more: str | int) -> None:
                    span.set_attributes(_ours(more))

                yield note
            except Exception as fault:
                span.set_attribute("error.type", type(fault).__name__)
                span.set_status(StatusCode.ERROR)
                raise

    def note(self, facts: Mapping[str, str]) -> None:
        """Add facts to the span of the message that is answered."""
        trace.get_current_span().set_attributes(_ours(facts))

    def opener(self, opened: OpenStore) -> OpenStore:
        """What opens a store whose operations are spans."""

        async def opened_in_sight(location: str) -> Store:
            return in_sight(await opened(location), self.stage)

        return opened_in_sight

    async def close(self) -> None:
        """Send what is left."""
        flushed = asyncio.to_thread(self._provider.force_flush, int(GRACE * 1000))
        await asyncio.gather(flushed, return_exceptions=True)


def _ours(facts: Mapping[str, str | int]) -> dict[str, str | int]:
    return {f"reflection.{name}": value for name, value in facts.items()}


# --------------------------------------------------------------------------- the store


def in_sight(store: Store, stage: Stage) -> Store:
    """A store each of whose operations is a stage."""
    return cast("Store", _InSight(store, stage))


class _InSight:
    def __init__(self, store: Store, stage: Stage) -> None:
        self._store = store
        self._stage = stage

    def hasty(self, wait: float) -> Store:
        return in_sight(self._store.hasty(wait), self._stage)

    def __getattr__(self, name: str) -> Any:
        operation = getattr(self._store, name)

        async def observed(*arguments: Any, **named: Any) -> Any:
            place = arguments[0] if arguments else None
            whose = (
                {"tenant": place.tenant, "project": place.project}
                if isinstance(place, Scope)
                else {}
            )
            with self._stage(f"store {name}", **whose) as note:
                result: object = await operation(*arguments, **named)
                if isinstance(result, tuple | list):
                    note(rows=len(cast("Sequence[object]", result)))
                return cast("Any", result)

        return observed


# --------------------------------------------------------------------------- what leaves


class Discreet(SpanExporter):
    """Hands spans on without what a caller wrote."""

    def __init__(self, exporter: SpanExporter) -> None:
        self._exporter = exporter

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Export spans."""
        return self._exporter.export([_without_texts(span) for span in spans])

    def shutdown(self) -> None:
        """Export no more."""
        self._exporter.shutdown()


def _without_texts(span: ReadableSpan) -> ReadableSpan:
    attributes = {name: _safe(value) for name, value in (span.attributes or {}).items()}
    return ReadableSpan(
        name=_safe_name(span.name),
        context=span.context,
        parent=span.parent,
        resource=span.resource,
        attributes=cast("Any", attributes),
        links=span.links,
        kind=span.kind,
        status=Status(span.status.status_code),
        start_time=span.start_time,
        end_time=span.end_time,
        instrumentation_scope=span.instrumentation_scope,
    )


def _safe_name(name: str) -> str:
    """The name of a span: a method of MCP and a tool, or a stage."""
    method, _, target = name.partition(" ")
    if not _METHOD.fullmatch(method):
        return "message"
    return f"{method} {target}" if target and safe_fact(target) == target else method


def _safe(value: object) -> object:
    if isinstance(value, str) and _METHOD.fullmatch(value):
        return value
    return safe_fact(value)
