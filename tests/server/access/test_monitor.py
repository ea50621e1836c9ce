"""The port for monitors, and the line that every write leaves in the log."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from starlette.testclient import TestClient

from reflection_mcp.server.access.entrance import observers
from reflection_mcp.server.access.monitor import Metrics, monitoring_app
from reflection_mcp.server.access.token_file import TokenFile, principal_named
from reflection_mcp.server.app import build
from reflection_mcp.server.application import Application
from reflection_mcp.server.log import Log
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.server.transport.protocol import MOST_IDS, ids_in
from reflection_mcp.server.worker import Worker
from reflection_mcp.store.contract import Store
from reflection_mcp.store.errors import StoreUnavailable
from reflection_mcp.store.sqlite.memory import MemoryStore
from reflection_mcp.store.state import Health
from tests.new_store import placed
from tests.postgres_server import APPLICATION_ROLE, with_query
from tests.requirements import requirement
from tests.server.access.serving import House, call, calling

LEARNED = {
    "question": "Run it",
    "answer": "Ran the build first.",
    "error": "ModuleNotFoundError: No module named 'made_by_the_build'",
    "outcome": "success",
    "lesson": "The module is made by the build.",
}


def application(folder: Path) -> Application:
    return Application(settings=Settings(store=placed(folder / "s.db")), project="global")


@requirement("access:monitored")
@pytest.mark.anyio
async def test_metrics_count_calls_and_what_look_ups_found(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.application.emit = Log(clock=house.application.clock, stream=None)
    token, metrics = house.let_in("ann"), Metrics()
    observe = observers(house.application, metrics)
    async with house.open(observe=observe) as url, calling(url, token) as client:
        await call(client, "reflect", **LEARNED)
        await call(client, "has_seen_error_before", error=LEARNED["error"])
        await client.call_tool("reflect", {"question": ""})
    told = metrics.text().decode()
    assert 'reflection_calls_total{result="ok",tool="reflect"} 1.0' in told
    assert 'reflection_calls_total{result="error",tool="reflect"} 1.0' in told
    assert 'reflection_call_seconds_count{tool="has_seen_error_before"} 1.0' in told
    assert 'reflection_lookups_total{verdict="exact"} 1.0' in told
    assert 'reflection_events_total{event="error_recalled",outcome="success"} 1.0' in told
    assert "ann" not in told
    assert "made_by_the_build" not in told


@requirement("access:audited")
@pytest.mark.anyio
async def test_every_write_leaves_a_line_with_who_and_what_and_no_text(tmp_path: Path) -> None:
    house, lines = House(tmp_path), list[tuple[str, dict[str, object]]]()
    house.application.emit = lambda event, facts: lines.append((event, facts))
    token = house.let_in("ann")
    observe = observers(house.application)
    async with house.open(observe=observe) as url, calling(url, token) as client:
        done = await call(client, "reflect", **LEARNED)
        await call(client, "has_seen_error_before", error=LEARNED["error"])
        await client.call_tool("record_feedback", {"feedback": "no such kind"})
    first, second = (facts for event, facts in lines if event == "call_audited")
    assert first["tool"] == "reflect"
    assert (first["principal"], first["tenant"], first["outcome"]) == ("ann", "acme", "success")
    assert first["id_1"] == done["attempt_id"]
    assert second == {
        "tool": "record_feedback", "outcome": "failure", "principal": "ann", "tenant": "acme",
    }  # fmt: skip


def test_the_ids_of_a_result_are_found_at_any_depth_and_are_few() -> None:
    assert ids_in({"attempt_id": "att-1", "of": [{"id": "ref-1"}, {"id": ""}], "n": 1}) == (
        "att-1", "ref-1",
    )  # fmt: skip
    assert ids_in(None) == ()
    assert len(ids_in([{"id": f"ref-{number}"} for number in range(50)])) == MOST_IDS


# --------------------------------------------------------------------- healthz, readyz


def test_a_server_with_a_good_store_is_healthy_and_ready(tmp_path: Path) -> None:
    with TestClient(monitoring_app(application(tmp_path), Worker(), Metrics())) as client:
        assert client.get("/healthz").text == "ok\n"
        assert (client.get("/readyz").status_code, client.get("/readyz").text) == (200, "ok\n")
        assert client.get("/metrics").headers["content-type"].startswith("text/plain")
        assert client.get("/").status_code == 404


def test_a_server_whose_store_cannot_be_opened_is_healthy_and_not_ready(tmp_path: Path) -> None:
    async def refused(location: str) -> Store:
        raise StoreUnavailable("the database cannot be reached", "start it")

    one = application(tmp_path)
    one.opener = refused
    with TestClient(monitoring_app(one, Worker(), Metrics())) as client:
        assert client.get("/healthz").status_code == 200
        answer = client.get("/readyz")
    assert (answer.status_code, answer.text) == (503, "the database cannot be reached\n")


class Faulty(MemoryStore):
    """A store with a problem, or one that never answers."""

    problem = "the file is damaged"

    async def health(self) -> Health:
        """Say what is wrong."""
        if not self.problem:
            raise TimeoutError
        return Health(
            backend="memory", location="memory:", writable=True, schema=0, engine="dict",
            size_bytes=0, problems=(self.problem,),
        )  # fmt: skip


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        ("the file is damaged", "the file is damaged\n"),
        ("", "the store did not answer within 1 s\n"),
    ],
)
def test_a_server_whose_store_is_unwell_or_silent_is_not_ready(
    tmp_path: Path, problem: str, told: str
) -> None:
    store = Faulty()
    store.problem = problem

    async def opened(location: str) -> Store:
        return store

    one = application(tmp_path)
    one.opener = opened
    with TestClient(monitoring_app(one, Worker(), Metrics())) as client:
        answer = client.get("/readyz")
    assert (answer.status_code, answer.text) == (503, told)


# --------------------------------------------------------------------- a real process


@contextmanager
def serving(folder: Path, *flags: str) -> Generator[tuple[subprocess.Popen[str], list[str]]]:
    """A real server, and the lines that it has said up to the address for monitors."""
    command = [sys.executable, "-m", "reflection_mcp.server", "serve", "--http", "--port", "0"]
    (folder / "none.toml").write_text("")
    process = subprocess.Popen(
        [*command, "--store", placed(folder / "s.db"), *flags],
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"REFLECTION_CONFIG": str(folder / "none.toml")},
    )
    assert process.stderr is not None
    said: list[str] = []
    try:
        for line in process.stderr:
            said.append(line)
            if "health and metrics are at" in line:
                break
        yield process, said
    finally:
        process.kill()
        process.wait(60)
        process.stderr.close()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_real_server_answers_monitors_on_a_port_of_their_own_and_ends_with_143(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, "--auth", "none", "--metrics-port", "0") as (process, said):
        address = said[-1].rpartition(" ")[2].strip()
        assert httpx2.get(f"http://{address}/readyz", timeout=60).text == "ok\n"
        told = httpx2.get(f"http://{address}/metrics", timeout=60).text
        assert "reflection_calls_total" in told
        url = next(line for line in said if "running on" in line).rpartition(" ")[2].strip()
        claimed = {"Host": address, "X-Forwarded-Host": address}
        metrics = url.replace("/mcp", "/metrics")
        assert httpx2.get(metrics, timeout=60, headers=claimed).status_code == 421
        assert httpx2.get(metrics, timeout=60).status_code == 404
        assert httpx2.get(f"http://{address}/mcp", timeout=60).status_code == 404
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 143


@pytest.mark.slow
@pytest.mark.anyio
@pytest.mark.skipif(os.name != "posix", reason="signals")
async def test_tools_monitors_and_pages_share_a_server_on_postgresql(
    tmp_path: Path, postgres_store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFLECTION_TOKENS", str(tmp_path / "tokens.toml"))
    token = TokenFile(tmp_path / "tokens.toml").add(principal_named("ann", "acme", "writer"), None)
    where = with_query(postgres_store, user=APPLICATION_ROLE)
    flags = ("--store", where, "--auth", "tokens", "--dashboard", "--metrics-port", "0")
    with serving(tmp_path, *flags) as (process, said):
        monitors = said[-1].rpartition(" ")[2].strip()
        url = next(line for line in said if "running on" in line).rpartition(" ")[2].strip()
        base = url.removesuffix("/mcp")
        async with httpx2.AsyncClient(timeout=60, follow_redirects=True) as http:
            for _ in range(2):
                assert (await http.get(f"http://{monitors}/readyz")).text == "ok\n"
                async with calling(url, token) as client:
                    await call(client, "reflect", **LEARNED)
                headers = {"Origin": base, "Sec-Fetch-Site": "same-origin"}
                page = await http.post(
                    f"{base}/dashboard/login", data={"access": token}, headers=headers
                )
                assert page.status_code == 200, page.text
                assert "ModuleNotFoundError" in (await http.get(f"{base}/dashboard/errors")).text
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 143


def test_metrics_without_their_library_are_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    with pytest.raises(Exception, match="--metrics-port needs prometheus-client"):
        Metrics()


def test_a_server_over_stdio_hears_of_no_call(tmp_path: Path) -> None:
    assert build(application(tmp_path)).observe is None
    assert json.dumps(ids_in({})) == "[]"
