"""The Dockerfile, compose.yaml and .env.example: what they name exists, and does what they say.

Nothing here starts a container; the workflow does. The commands of compose.yaml are run as they
are, but for the names of machines.
"""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.metadata import metadata
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

from reflection_mcp.server.access.exposure import exposure_of
from reflection_mcp.server.access.listener import tcp_socket
from reflection_mcp.server.cli import parser
from reflection_mcp.server.settings.settings import load
from tests.image_call import seen
from tests.postgres_server import APPLICATION_ROLE, with_query
from tests.server.test_cli import ENVIRONMENT

ROOT = Path(__file__).parent.parent
COMPOSE: dict[str, Any] = import_module("yaml").safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: one for name, one in SERVICES.items() if one.get("build") == "."}
EXAMPLE = dict(
    line.split("=", 1)
    for line in (ROOT / ".env.example").read_text().splitlines()
    if line and not line.startswith("#")
)
FILLED = {"DOMAIN": "memory.example.com", "OWNER_PASSWORD": "o1", "APP_PASSWORD": "a1"}
_VARIABLE = re.compile(r"\$\{(\w+)(?::[?-][^}]*)?\}")


def filled(text: str) -> str:
    """A value of compose.yaml with the variables of .env in it."""
    return _VARIABLE.sub(lambda found: FILLED.get(found[1], ""), text)


def docker() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile and what each is given; lines that go on are joined."""
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in lines]


def given(instruction: str) -> str:
    """What the last of these instructions is given, which is the one that counts."""
    return [value for name, value in docker() if name == instruction][-1]


def variables() -> Mapping[str, str]:
    """What the image and the services set of our settings."""
    image = dict(value.split("=", 1) for name, value in docker() if name == "ENV")
    services = [one.get("environment", {}) for one in OURS.values()]
    return image | {name: filled(str(v)) for one in services for name, v in one.items()}


# --------------------------------------------------------------------- names


def test_every_command_of_ours_is_one_that_the_command_line_takes() -> None:
    assert json.loads(given("ENTRYPOINT")) == ["reflection-mcp"]
    commands = [json.loads(given("CMD"))]
    commands += [[filled(word) for word in one["command"]] for one in OURS.values()]
    assert [command[0] for command in commands] == ["serve", "migrate", "serve"]
    for command in commands:
        arguments = parser().parse_args(command)
        if command[0] == "serve":
            exposure_of(arguments)


def test_every_variable_of_ours_is_a_setting_and_its_value_can_be_used(tmp_path: Path) -> None:
    ours = {name: value for name, value in variables().items() if name.startswith("REFLECTION_")}
    assert ours.keys() == {"REFLECTION_STORE", "REFLECTION_TOKENS"}
    (tmp_path / "none.toml").touch()
    settings = load({}, ours, tmp_path / "none.toml")
    assert settings.warnings == ()
    assert str(settings.tokens) == "/data/tokens.toml"


def test_every_variable_of_compose_is_in_the_example_and_no_other() -> None:
    text = (ROOT / "compose.yaml").read_text()
    assert set(_VARIABLE.findall(text)) == EXAMPLE.keys()
    needed = set(re.findall(r"\$\{(\w+):\?", text))
    assert needed == FILLED.keys(), "compose stops where one of these is empty"
    assert not any(EXAMPLE[name] for name in needed - {"DOMAIN"}), "no password that works"


def test_the_extras_of_the_image_are_those_of_the_package() -> None:
    named = [set(found.split(",")) for found in re.findall(r"\[([\w,]+)\]", given_all("RUN"))]
    known = set(metadata("reflection-mcp").get_all("Provides-Extra") or ())
    assert len(named) == 2
    assert named[0] == named[1] <= known


def given_all(instruction: str) -> str:
    return "\n".join(value for name, value in docker() if name == instruction)


# --------------------------------------------------------------------- ports and places


def served(command: Sequence[str]) -> Any:
    return parser().parse_args([filled(word) for word in command])


def test_every_port_agrees() -> None:
    server = served(OURS["server"]["command"])
    plain = served(json.loads(given("CMD")))
    ports = {str(server.port), str(server.metrics_port)}
    assert set(given("EXPOSE").split()) == ports
    assert {str(plain.port), str(plain.metrics_port)} == ports
    check = json.loads(given("HEALTHCHECK").removeprefix("CMD "))
    assert f"http://127.0.0.1:{server.metrics_port}/healthz" in check[-1]
    proxy = shlex.split(filled(SERVICES["proxy"]["command"]))
    assert proxy[-1] == f"server:{server.port}"
    assert proxy[proxy.index("--from") + 1] == FILLED["DOMAIN"]
    assert (server.host, server.metrics_host) == ("0.0.0.0", "0.0.0.0")


def test_what_is_kept_is_on_a_volume_and_what_is_waited_for_is_there() -> None:
    mounted = {one.split(":")[1]: one.split(":")[0] for one in OURS["server"]["volumes"]}
    tokens = Path(variables()["REFLECTION_TOKENS"])
    assert str(tokens.parent) in mounted
    assert str(tokens.parent) in given_all("VOLUME").split()
    named = {one.split(":")[0] for each in SERVICES.values() for one in each.get("volumes", ())}
    assert named == COMPOSE["volumes"].keys()
    for each in SERVICES.values():
        assert set(each.get("depends_on", ())) <= SERVICES.keys()
    role = COMPOSE["configs"]["role"]["content"]
    assert f"CREATE ROLE {OURS['migrate']['command'][-1]} " in role
    assert f"postgresql://{OURS['migrate']['command'][-1]}:" in variables()["REFLECTION_STORE"]


# --------------------------------------------------------------------- what they do


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_the_commands_of_compose_make_a_server_that_answers_a_call(
    tmp_path: Path, postgres_schema: str
) -> None:
    environment = {
        **ENVIRONMENT,
        "REFLECTION_STORE": with_query(postgres_schema, user=APPLICATION_ROLE),
        "REFLECTION_TOKENS": str(tmp_path / "tokens.toml"),
    }

    def command(service: str) -> list[str]:
        there = {"0.0.0.0": "127.0.0.1", "9931": "0"}
        words = [there.get(word, filled(word)) for word in OURS[service]["command"]]
        return [postgres_schema if word.startswith("postgresql:") else word for word in words]

    def ran(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "reflection_mcp.server", *words],
            env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True,
        )  # fmt: skip
        return done.stdout

    assert "created the tables" in ran(*command("migrate"))
    token = ran("tokens", "add", "ann").strip()
    with tcp_socket("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "reflection_mcp.server", *command("server"), "--port", str(port)],
        env=environment, cwd=tmp_path, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stderr is not None
        told = ""
        while "health and metrics are at" not in told:
            line = process.stderr.readline()
            assert line, told
            told += line
        monitors = told.split()[-1]
        for path in ("healthz", "readyz"):
            assert httpx2.get(f"http://{monitors}/{path}", timeout=60).text == "ok\n"
        # The proxy passes the name on by which it was asked.
        url = f"http://127.0.0.1:{port}/mcp"
        assert anyio.run(seen, url, token, FILLED["DOMAIN"]) == "exact"
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
    assert process.returncode == 143
