"""The command that a host is given starts what is running now, from anywhere."""

import sys
from pathlib import Path

from reflection_mcp.server.hosts.launch import PUBLISHED, Launch, launch_now, this_launch
from tests.rows import each_row

MODULE = Launch("/usr/bin/python3", ("-m", "reflection_mcp.server"))


@each_row(
    ("started", "expected"),
    [
        ("/home/ada/.local/bin/reflection-mcp", Launch("/home/ada/.local/bin/reflection-mcp")),
        ("/home/ada/p/.venv/bin/reflection-mcp", Launch("/home/ada/p/.venv/bin/reflection-mcp")),
        ("/home/ada/p/server/__main__.py", MODULE),
        ("/home/ada/p/anything.py", MODULE),
        (
            "/home/ada/.cache/uv/archive-v0/9xK/bin/reflection-mcp",
            Launch("/opt/bin/uvx", ("reflection-mcp",)),
        ),
    ],
)
def test_the_command_is_the_one_that_outlives_this_process(started: str, expected: Launch) -> None:
    found = launch_now(
        started,
        "/usr/bin/python3",
        lambda name: f"/opt/bin/{name}",
        lambda path: path == started,
    )
    assert found == expected


def test_without_a_runner_the_script_in_its_cache_is_all_there_is() -> None:
    script = "/home/ada/.cache/uv/archive-v0/9xK/bin/reflection-mcp"
    assert launch_now(script, "py", lambda _: None, lambda _: True) == Launch(script)


def test_the_ending_that_pip_takes_off_a_windows_script_is_put_back() -> None:
    there = {"C:/Scripts/reflection-mcp.exe"}
    found = launch_now("C:/Scripts/reflection-mcp", "py", lambda _: None, there.__contains__)
    assert found == Launch("C:/Scripts/reflection-mcp.exe")


def test_the_command_of_this_process_is_absolute() -> None:
    command = this_launch().command
    assert command == sys.executable
    assert Path(command).is_absolute()
    assert PUBLISHED.words == ("uvx", "reflection-mcp")
