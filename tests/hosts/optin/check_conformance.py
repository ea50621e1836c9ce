"""The conformance suite of the protocol, both sets of requirements, with nothing excused.

    uv run pytest tests/hosts/optin/check_conformance.py

Installs the suite and Node 24 from npm (240 MB) below REFLECTION_OUTSIDE: about a minute.
"""

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hosts.optin.programs import ROOT, our_server, program, run

VERSION = "0.2.0-alpha.12"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Our server with the fixtures of the suite, listening."""
    _, environment = our_server(tmp_path_factory.mktemp("home"))
    words = [sys.executable, "-m", "tests.hosts.optin.conformance_server", "0"]
    with subprocess.Popen(
        words, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stderr is not None
        told = ""
        while (found := re.search(r"running on (http://[\d.:]+)", told)) is None:
            line = server.stderr.readline()
            assert line, told
            told += line
        # What it says later is read too, or it would wait for a reader when the pipe is full.
        threading.Thread(target=server.stderr.read, daemon=True).start()
        yield f"{found[1]}/mcp"
        server.terminate()


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_the_server_conforms(revision: str, address: str, tmp_path: Path) -> None:
    suite = program("@modelcontextprotocol/conformance", VERSION, "conformance")
    words = ["server", "--url", address, "--requirements", revision, "-o", str(tmp_path / "out")]
    done = run([*suite, *words], tmp_path)
    assert done.returncode == 0, done.stdout[-5000:]
