"""Spans of a real server: what they are called, what they belong to, and what is not in them."""

import sys
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import anyio
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import ConsoleSpanExporter
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from reflection_mcp.server.access.entrance import observers, tracing_of
from reflection_mcp.server.access.telemetry import Tracing, exporter_of
from reflection_mcp.tools.errors import InvalidInput
from tests.requirements import requirement
from tests.server.access.serving import House, Mode, call, calling, each_era, refused
from tests.server.access.test_listener import served
from tests.server.test_cli import run
from tests.server.test_judges import theirs

SECRET = "the spindle of hall 7"
TAUGHT = {
    "question": f"Align {SECRET}",
    "answer": f"Turned {SECRET} by hand.",
    "error": f"FluxError: {SECRET} is not aligned",
    "outcome": "success",
    "lesson": f"{SECRET} drifts when it is cold.",
}


@pytest.fixture(scope="module")
def exporter() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture(scope="module")
def tracing(exporter: InMemorySpanExporter) -> Tracing:
    """One for the module: a process has one provider."""
    return Tracing(exporter)


def under(spans: Sequence[ReadableSpan], top: ReadableSpan) -> dict[str, ReadableSpan]:
    """The spans that belong to another one, at any depth, by their names."""
    by_id = {span.context.span_id: span for span in spans if span.context}

    def belongs(span: ReadableSpan) -> bool:
        while span.parent is not None and span.parent.span_id in by_id:
            span = by_id[span.parent.span_id]
            if span is top:
                return True
        return False

    return {span.name: span for span in spans if belongs(span)}


@pytest.mark.anyio
@each_era
@requirement("access:traced")
async def test_a_call_is_a_span_with_its_stages_and_without_a_text(
    tmp_path: Path, tracing: Tracing, exporter: InMemorySpanExporter, mode: Mode
) -> None:
    house = House(tmp_path)
    house.application.stage = tracing.stage
    house.application.opener = tracing.opener(house.application.opener)
    observe = observers(house.application, tracing=tracing)
    await tracing.close()
    exporter.clear()
    async with (
        house.open(observe=observe) as url,
        calling(url, house.let_in("ann"), mode, project="shop", model=theirs) as ann,
    ):
        id = (await call(ann, "reflect", **TAUGHT))["attempt_id"]
        assert (await call(ann, "has_seen_error_before", error=TAUGHT["error"]))["seen"]
        await call(ann, "answer_with_reflection", question=SECRET, draft="2 + 2 = 5, as known.")
        await refused(ann, "record_feedback", feedback="forget", id=SECRET)
        with pytest.raises(Exception, match="unknown tool"):
            await ann.call_tool(SECRET, {})
        with pytest.raises(Exception, match="no such id"):
            await ann.read_resource("reflections://hall-7")
    await tracing.close()
    spans = exporter.get_finished_spans()
    assert SECRET not in "".join(span.to_json() for span in spans)
    assert all(not span.events and not span.status.description for span in spans)

    reflected = [span for span in spans if span.name == "tools/call reflect"][-1]
    told = dict(reflected.attributes or {})
    who = {"reflection.principal": "ann", "reflection.tenant": "acme"}
    assert told.items() >= {**who, "reflection.outcome": "success"}.items()
    assert id in told.values()
    stages = under(spans, reflected)
    assert stages.keys() >= {"checks", "judge", "store transaction", "store attempts"}
    assert (stages["judge"].attributes or {})["reflection.outcome"] == "success"
    place = {"reflection.tenant": "acme", "reflection.project": "shop"}
    assert dict(stages["store attempts"].attributes or {}).items() >= place.items()
    looked = next(span for span in spans if span.name == "tools/call has_seen_error_before")
    assert "store find" in under(spans, looked)
    loops = [span for span in spans if span.name == "tools/call answer_with_reflection"]
    steps = under(spans, loops[-1])
    assert steps.keys() >= {"loop step", "checks", "judge"}
    assert (steps["loop step"].attributes or {})["reflection.step"] in ("checking", "reviser")
    failed = next(span for span in spans if span.name == "tools/call record_feedback")
    assert failed.status.status_code == StatusCode.ERROR
    assert "tools/call" in {span.name for span in spans}, "of the tool that does not exist"


@pytest.mark.anyio
async def test_a_stage_that_fails_names_the_class_of_what_was_raised(
    tracing: Tracing, exporter: InMemorySpanExporter
) -> None:
    await tracing.close()
    exporter.clear()
    with pytest.raises(ValueError, match=SECRET), tracing.stage("checks"):
        raise ValueError(SECRET)
    with tracing.stage(f"{SECRET} and more", said=SECRET, count=2):
        pass
    with tracing.stage("NO METHOD"):
        pass
    await tracing.close()
    failed, long, odd = exporter.get_finished_spans()
    assert (failed.attributes or {})["error.type"] == "ValueError"
    assert (failed.status.status_code, failed.events) == (StatusCode.ERROR, ())
    assert (long.name, odd.name) == ("the", "message")
    assert dict(long.attributes or {}) == {
        "reflection.said": f"{len(SECRET)} characters",
        "reflection.count": 2,
    }


@pytest.mark.anyio
async def test_a_store_in_sight_is_the_same_store(tmp_path: Path, tracing: Tracing) -> None:
    application = House(tmp_path).application
    application.opener = tracing.opener(application.opener)
    store = await application.store()
    assert (await store.hasty(1.0).health()).backend == (await store.health()).backend == "sqlite"
    await application.close()


# --------------------------------------------------------------------- a real process


@contextmanager
def collecting() -> Generator[tuple[str, list[Any]]]:
    """A collector of OTLP on this machine: its URL, and the messages that come."""
    came: list[Any] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            came.append(ExportTraceServiceRequest.FromString(body))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Collector) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", came
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.slow
@requirement("access:traced")
def test_a_server_sends_its_spans_where_the_environment_says_the_last_ones_at_its_end(
    tmp_path: Path,
) -> None:
    with collecting() as (collector, came):
        settings = {
            "OTEL_EXPORTER_OTLP_ENDPOINT": collector,
            "OTEL_EXPORTER_OTLP_COMPRESSION": "none",
            "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment=test",
        }
        with served(tmp_path, "--auth", "none", settings=settings) as (_, url):

            async def use() -> None:
                async with calling(url, "") as client:
                    await call(client, "reflect", **TAUGHT)

            anyio.run(use)
    resources = [each for message in came for each in message.resource_spans]
    about = {a.key: a.value.string_value for each in resources for a in each.resource.attributes}
    assert about["service.name"] == "reflection-mcp"
    assert about["deployment.environment"] == "test"
    names = {span.name for each in resources for part in each.scope_spans for span in part.spans}
    assert names >= {"tools/call reflect", "checks", "store transaction"}
    assert SECRET not in str(came)


def test_without_its_packages_a_server_says_so_and_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "reflection_mcp.server.access.telemetry", None)
    wanted = {"OTEL_TRACES_EXPORTER": "otlp"}
    assert tracing_of(House(tmp_path).application, wanted) is None
    assert "pip install 'reflection-mcp[telemetry]'" in capsys.readouterr().err


UNASKED: tuple[dict[str, str], ...] = (
    {},
    {"OTEL_SERVICE_NAME": "x"},
    {"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"},
    {"OTEL_SDK_DISABLED": "true", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"},
)


@requirement("access:traced")
def test_nothing_of_it_is_imported_where_nobody_asks_for_spans(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("opentelemetry.sdk", "reflection_mcp.server.access.telemetry"):
        monkeypatch.setitem(sys.modules, name, None)  # which cannot be imported, then
    for environment in UNASKED:
        assert tracing_of(House(tmp_path).application, environment) is None


def test_what_the_variables_name_and_is_not_there_is_refused(tmp_path: Path) -> None:
    assert isinstance(exporter_of({"OTEL_TRACES_EXPORTER": "console"}), ConsoleSpanExporter)
    for name, value in (
        ("OTEL_TRACES_EXPORTER", "zipkin"),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
        ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "http/json"),
    ):
        with pytest.raises(InvalidInput, match="OT"):
            exporter_of({name: value})
    told = run(tmp_path, "serve", "--http", "--port", "0", OTEL_TRACES_EXPORTER="zipkin")
    assert (told.returncode, told.stderr.count("set otlp or console")) == (2, 1)
