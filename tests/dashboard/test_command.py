"""The command: one process for a store, an address that is printed once, an end when asked."""

import json
import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import anyio
import pytest

from reflection_mcp.server import cli
from reflection_mcp.server.commands.dashboard import RunRecord
from reflection_mcp.server.doctor.doctor import examine
from reflection_mcp.server.settings.places import here as here_
from reflection_mcp.server.settings.settings import Settings
from tests.dashboard.conftest import NOON
from tests.dashboard.invented import filled
from tests.dashboard.process import ENVIRONMENT, Starter, printed
from tests.new_store import placed
from tests.requirements import requirement

pytestmark = pytest.mark.costly


@pytest.fixture
def starter(tmp_path: Path) -> Iterator[Starter]:
    one = Starter(tmp_path)
    placed(one.store)
    one.store.write_bytes(filled(NOON))
    yield one
    one.close()


def asked(url: str, path: str = "", cookie: str = "") -> tuple[int, str, str]:
    """Ask for a page as a browser does: status, text, cookie."""
    parts = urlsplit(url)
    connection = HTTPConnection(parts.hostname or "", parts.port or 0, timeout=60)
    target = path or f"{parts.path}?{parts.query}"
    connection.request("GET", target, headers={"cookie": cookie} if cookie else {})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text, (answer.headers.get("set-cookie") or "").partition(";")[0]


def page(url: str, path: str = "/") -> str:
    """A page, after the address was followed."""
    status, _, cookie = asked(url)
    assert status == 200
    status, text, _ = asked(url, path, cookie)
    assert status == 200
    return text


@requirement("dashboard:one-command")
@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
def test_it_prints_one_address_serves_it_and_ends_with_0(
    starter: Starter, number: signal.Signals
) -> None:
    process = starter.start()
    url = printed(process)
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/open\?ticket=\d+\.[\w-]{22}\.[0-9a-f]{64}", url)
    assert "Overview" in page(url)
    code, said = starter.end(process, number)
    assert code == 0
    assert "works once, within a minute" in said
    assert url not in said and "Traceback" not in said


@requirement("dashboard:one-command")
def test_a_second_start_prints_where_the_first_one_is(starter: Starter) -> None:
    first = starter.url()
    second = starter.start("--json")
    told = json.loads(second.stdout.read())
    assert second.wait(60) == 0
    assert told["pid"] == starter.running[0].pid
    assert told["port"] == urlsplit(first).port
    assert "Overview" in page(told["url"])
    assert "Overview" in page(first)


def test_the_record_is_for_its_owner_and_forgets_the_key_at_the_end(starter: Starter) -> None:
    starter.url()
    record = starter.store.with_name("store.db.dashboard")
    assert stat.S_IMODE(record.stat().st_mode) == 0o600
    assert "key" in json.loads(record.read_text())
    assert starter.end(starter.running[0], signal.SIGTERM)[0] == 0
    assert list(json.loads(record.read_text())) == ["seen"]
    assert "Last visit: " in page(starter.url())


@pytest.mark.slow
def test_a_record_of_one_that_was_killed_misleads_nobody(starter: Starter) -> None:
    first = starter.url()
    starter.running[0].kill()
    starter.running[0].wait(60)
    assert "Overview" in page(starter.url())
    assert first != starter.url()


@requirement("dashboard:read-only")
def test_read_only_shows_everything_and_changes_nothing(starter: Starter) -> None:
    before = starter.store.read_bytes()
    url = starter.url("--read-only")
    text = page(url, "/errors/ref-lock")
    assert "It helped" not in text and "PermissionError" in text
    assert starter.end(starter.running[0], signal.SIGTERM)[0] == 0
    assert starter.store.read_bytes() == before
    assert not starter.store.with_name("store.db.dashboard").exists()


def test_the_address_is_opened_in_the_browser_of_the_user(starter: Starter) -> None:
    told = starter.folder / "told"
    os.mkfifo(told)
    script = starter.folder / "browser.sh"
    script.write_text(f'echo "$1" > {told}\n')
    process = starter.start(opened=True, BROWSER=f"sh {script} %s")
    assert told.read_text().strip() == printed(process)


@pytest.mark.parametrize(("there", "said"), [(True, "can run"), (False, "install jinja2")])
def test_the_doctor_says_whether_it_can_run(
    there: bool, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not there:
        monkeypatch.setitem(sys.modules, "jinja2", None)
    (line,) = [each for each in anyio.run(examine, Settings(), here_()) if each.part == "Dashboard"]
    assert said in line.value


def test_serving_over_stdio_imports_nothing_of_it(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "reflection_mcp.server"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        env=ENVIRONMENT | {"REFLECTION_STORE": str(tmp_path / "store.db")},
        timeout=60,
        check=True,
    )
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "reflection_mcp" in {name.partition(".")[0] for name in loaded}
    assert not {name for name in loaded if "jinja2" in name or "dashboard" in name}


def test_before_the_first_use_the_default_store_is_made(starter: Starter) -> None:
    url = starter.url(REFLECTION_STORE="", XDG_DATA_HOME=str(starter.folder / "data"))
    assert "0 look-ups</strong>" in page(url)
    assert starter.end(starter.running[0], signal.SIGTERM)[0] == 0


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No setting of the user reaches this process; its store is in `tmp_path`."""
    for name in os.environ.keys() - ENVIRONMENT.keys():
        monkeypatch.delenv(name)
    monkeypatch.setenv("REFLECTION_STORE", str(tmp_path / "store.db"))
    return tmp_path


@requirement("dashboard:closed")
@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.4", "::", "example.com"])
def test_it_listens_on_this_machine_alone(
    here: Path, host: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["dashboard", "--host", host]) == 2
    assert "serve --http --dashboard" in capsys.readouterr().err


@pytest.mark.parametrize("flags", [[], ["--read-only"]])
def test_a_store_that_is_not_there_is_said_to_be_missing(
    here: Path, flags: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["dashboard", "--no-open", *flags]) == 2
    assert "there is no store at" in capsys.readouterr().err


def test_a_port_that_is_taken_is_named(
    starter: Starter, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    port = urlsplit(starter.url()).port
    other = starter.folder / "other.db"
    monkeypatch.setenv("REFLECTION_STORE", placed(other))
    assert cli.main(["dashboard", "--no-open", "--port", str(port)]) == 2
    assert f"port {port} cannot be used (address already in use" in capsys.readouterr().err


def test_a_port_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        cli.main(["dashboard", "--port", "70000"])
    assert "70000 is more than 65535" in capsys.readouterr().err


def test_another_address_of_this_machine_can_be_named(starter: Starter) -> None:
    assert starter.url("--host", "localhost").startswith("http://localhost:")


def test_a_record_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    record = RunRecord(tmp_path / "x.dashboard")
    assert record.read() == {}
    for text in ("{", "[]"):
        (tmp_path / "x.dashboard").write_text(text)
        assert record.read() == {}
    nothing = RunRecord(None)
    nothing.write(seen="now")
    assert nothing.read() == {}
