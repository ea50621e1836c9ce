"""Error identity through the real server: families of errors met as different people meet them.

Twelve families; three variants are stored one after another, a fourth is held back, and a near miss
has the same shape and another cause.
"""

import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest
from mcp import Client, StdioServerParameters

pytestmark = pytest.mark.anyio


@dataclass(frozen=True)
class Family:
    name: str
    stored: tuple[str, ...]
    held_back: str
    near_miss: str


FAMILIES = (
    Family(
        "python import",
        (
            '  File "/home/a/app/io.py", line 3, in load\n    import yaml\n'
            "ModuleNotFoundError: No module named 'yaml'",
            '  File "/srv/ci/88/app/io.py", line 9, in load\n    import yaml\n'
            "ModuleNotFoundError: No module named 'yaml'",
            '  File "C:\\work\\app\\io.py", line 21, in load\n    import yaml\n'
            "ModuleNotFoundError: No module named 'yaml'",
        ),
        '  File "/Users/zoe/app/io.py", line 4, in load\n    import yaml\n'
        "ModuleNotFoundError: No module named 'yaml'",
        '  File "/home/a/app/io.py", line 3, in load\n    import toml\n'
        "ModuleNotFoundError: No module named 'toml'",
    ),
    Family(
        "python key",
        tuple(
            f'Traceback (most recent call last):\n  File "/w{n}/cart.py", line {n}, in total\n'
            "    return row['price']\nKeyError: 'price'"
            for n in (12, 40, 77)
        ),
        'Traceback (most recent call last):\n  File "/opt/x/cart.py", line 91, in total\n'
        "    return row['price']\nKeyError: 'price'",
        'Traceback (most recent call last):\n  File "/w12/cart.py", line 12, in total\n'
        "    return row['amount']\nKeyError: 'amount'",
    ),
    Family(
        "postgres refused",
        tuple(
            f'psycopg.OperationalError: connection to server at "{ip}", port 5432 failed: '
            "Connection refused\n\tIs the server running on that host and accepting TCP/IP "
            "connections?"
            for ip in ("10.0.0.4", "10.0.7.19", "172.16.3.2")
        ),
        'psycopg.OperationalError: connection to server at "10.9.9.9", port 5432 failed: '
        "Connection refused\n\tIs the server running on that host and accepting TCP/IP "
        "connections?",
        'psycopg.OperationalError: connection to server at "10.0.0.4", port 6379 failed: '
        "Connection refused\n\tIs the server running on that host and accepting TCP/IP "
        "connections?",
    ),
    Family(
        "npm missing script",
        (
            'npm ERR! Missing script: "build"\nnpm ERR! A complete log of this run can be found in:'
            "\nnpm ERR!     /home/a/.npm/_logs/2026-01-02T03_04_05_678Z-debug-0.log",
            'npm ERR! Missing script: "build"\nnpm ERR! A complete log of this run can be found in:'
            "\nnpm ERR!     /root/.npm/_logs/2026-05-06T07_08_09_123Z-debug-0.log",
            'npm error Missing script: "build"\nnpm error A complete log of this run can be found '
            "in: /home/b/.npm/_logs/2026-07-08T09_10_11_000Z-debug-0.log",
        ),
        'npm ERR! Missing script: "build"\nnpm ERR! A complete log of this run can be found in:'
        "\nnpm ERR!     /home/zoe/.npm/_logs/2026-09-09T09_09_09_999Z-debug-0.log",
        'npm ERR! Missing script: "test"\nnpm ERR! A complete log of this run can be found in:'
        "\nnpm ERR!     /home/a/.npm/_logs/2026-01-02T03_04_05_678Z-debug-0.log",
    ),
    Family(
        "node undefined",
        tuple(
            "TypeError: Cannot read properties of undefined (reading 'id')\n"
            f"    at render (/{home}/web/src/user.js:{n}:{n + 3})\n"
            f"    at main (/{home}/web/src/index.js:{n + 9}:5)"
            for home, n in (("home/a", 10), ("srv/app", 24), ("Users/b", 31))
        ),
        "TypeError: Cannot read properties of undefined (reading 'id')\n"
        "    at render (/builds/7/web/src/user.js:55:9)\n"
        "    at main (/builds/7/web/src/index.js:2:5)",
        "TypeError: Cannot read properties of undefined (reading 'name')\n"
        "    at render (/home/a/web/src/user.js:10:13)\n"
        "    at main (/home/a/web/src/index.js:19:5)",
    ),
    Family(
        "rust borrow",
        tuple(
            "error[E0502]: cannot borrow `cart` as mutable because it is also borrowed as immutable"
            f"\n  --> {path}:{n}:5\n   |\n{n} |     cart.push(x);\n   |     ^^^^^^^^^^^^ mutable "
            "borrow occurs here"
            for path, n in (("src/cart.rs", 12), ("shop/src/cart.rs", 44), ("src/cart.rs", 90))
        ),
        "error[E0502]: cannot borrow `cart` as mutable because it is also borrowed as immutable\n"
        "  --> src/cart.rs:7:5\n   |\n7 |     cart.push(x);\n   |     ^^^^^^^^^^^^ mutable borrow "
        "occurs here",
        "error[E0499]: cannot borrow `cart` as mutable more than once at a time\n"
        "  --> src/cart.rs:12:5\n   |\n12 |     cart.push(x);\n   |     ^^^^^^^^^^^^ second "
        "mutable borrow occurs here",
    ),
    Family(
        "java null",
        tuple(
            f'Exception in thread "{thread}" java.lang.NullPointerException: Cannot invoke '
            '"String.length()" because "name" is null\n'
            f"\tat com.acme.User.label(User.java:{n})\n\tat com.acme.Main.main(Main.java:{n + 1})"
            for thread, n in (("main", 8), ("worker-3", 15), ("http-nio-8080-exec-7", 99))
        ),
        'Exception in thread "main" java.lang.NullPointerException: Cannot invoke '
        '"String.length()" because "name" is null\n'
        "\tat com.acme.User.label(User.java:61)\n\tat com.acme.Main.main(Main.java:3)",
        'Exception in thread "main" java.lang.NullPointerException: Cannot invoke '
        '"String.length()" because "email" is null\n'
        "\tat com.acme.User.label(User.java:8)\n\tat com.acme.Main.main(Main.java:9)",
    ),
    Family(
        "git push",
        tuple(
            f"To {url}\n ! [rejected]        main -> main (fetch first)\n"
            f"error: failed to push some refs to '{url}'"
            for url in (
                "github.com:acme/shop.git",
                "https://github.com/acme/shop.git",
                "ssh://git@github.com/acme/shop.git",
            )
        ),
        "To github.com:acme/shop.git\n ! [rejected]        main -> main (fetch first)\n"
        "error: failed to push some refs to 'github.com:acme/shop.git'",
        "To github.com:acme/shop.git\n ! [rejected]        release -> release (non-fast-forward)\n"
        "error: failed to push some refs to 'github.com:acme/shop.git'",
    ),
    Family(
        "http status",
        tuple(
            "requests.exceptions.HTTPError: 404 Client Error: Not Found for url: "
            f"https://api.acme.example/v1/items/{n}"
            for n in (17, 4211, 90210)
        ),
        "requests.exceptions.HTTPError: 404 Client Error: Not Found for url: "
        "https://api.acme.example/v1/items/5",
        "requests.exceptions.HTTPError: 500 Server Error: Internal Server Error for url: "
        "https://api.acme.example/v1/items/17",
    ),
    Family(
        "kubernetes image",
        tuple(
            f'Failed to pull image "registry.acme.example/shop:{tag}": rpc error: code = NotFound '
            f'desc = failed to pull and unpack image "registry.acme.example/shop:{tag}": not found'
            for tag in ("1.2.3", "1.2.4", "2.0.0")
        ),
        'Failed to pull image "registry.acme.example/shop:3.1.0": rpc error: code = NotFound '
        'desc = failed to pull and unpack image "registry.acme.example/shop:3.1.0": not found',
        'Failed to pull image "registry.acme.example/mail:1.2.3": rpc error: code = NotFound '
        'desc = failed to pull and unpack image "registry.acme.example/mail:1.2.3": not found',
    ),
    Family(
        "typescript",
        tuple(
            f"{path}({n},{n + 2}): error TS2339: Property 'total' does not exist on type 'Cart'."
            for path, n in (
                ("src/cart.ts", 4),
                ("C:\\w\\src\\cart.ts", 18),
                ("app/src/cart.ts", 70),
            )
        ),
        "src/cart.ts(33,9): error TS2339: Property 'total' does not exist on type 'Cart'.",
        "src/cart.ts(4,6): error TS2339: Property 'sum' does not exist on type 'Cart'.",
    ),
    Family(
        "disk permission",
        tuple(
            f"PermissionError: [Errno 13] Permission denied: '{folder}/export.csv'"
            for folder in ("/var/data/run-1", "/mnt/share/2026", "/home/a/out")
        ),
        "PermissionError: [Errno 13] Permission denied: '/tmp/x/export.csv'",
        "FileNotFoundError: [Errno 2] No such file or directory: '/var/data/run-1/export.csv'",
    ),
)


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    """The SDK's client of a real server process."""
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "reflection_mcp.server"],
        env={
            "REFLECTION_STORE": str(tmp_path / "store.db"),
            "REFLECTION_PROJECT": "families",
            "REFLECTION_LOG_LEVEL": "off",
        },
        cwd=tmp_path,
    )
    async with Client(parameters, read_timeout_seconds=60) as connected:
        yield connected


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error
    assert result.structured_content is not None
    return cast("dict[str, Any]", result.structured_content)


async def test_twelve_families_are_twelve_reflections_and_a_near_miss_gets_no_fix(
    client: Client,
) -> None:
    kept: dict[str, int] = {}
    for family in FAMILIES:
        for error in family.stored:
            result = await call(
                client,
                "reflect",
                question="Make it run",
                answer="Fixed.",
                error=error,
                outcome="success",
                lesson=f"The lesson of {family.name}.",
            )
            kept[result["learned"][0]["id"]] = result["learned"][0]["occurrences"]
    assert sorted(kept.values()) == [3] * len(FAMILIES)
    for family in FAMILIES:
        known = await call(client, "has_seen_error_before", error=family.held_back)
        assert known["verdict"] in ("exact", "same"), family.name
        assert known["advice"][0]["lesson"] == f"The lesson of {family.name}."
        near = await call(client, "has_seen_error_before", error=family.near_miss)
        assert near["verdict"] in ("similar", "new"), family.name
        assert "advice" not in near
        assert "The lesson of" not in repr(near)
    for unrelated in ("Segmentation fault (core dumped)", "E: Unable to locate package libfoo"):
        assert (await call(client, "has_seen_error_before", error=unrelated))["verdict"] == "new"
