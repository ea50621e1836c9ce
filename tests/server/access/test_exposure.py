"""Where a server may listen, and under which names it answers."""

import argparse
from typing import Any

import pytest

from reflection_mcp.server.access.exposure import Exposure, exposure_of, is_loopback
from reflection_mcp.tools.errors import InvalidInput
from tests.requirements import requirement
from tests.rows import each_row

URL = "https://memory.example.com"


def asked(**given: Any) -> Exposure:
    default: dict[str, Any] = {
        "host": "127.0.0.1",
        "port": 8931,
        "unix_socket": "",
        "auth": None,
        "public_url": "",
        "allowed_host": [],
        "behind_proxy": False,
        "dashboard": False,
        "metrics_host": "127.0.0.1",
        "metrics_port": None,
    }
    return exposure_of(argparse.Namespace(**default | given))


@requirement("access:by-name")
def test_what_is_not_asked_for_is_the_safest_that_works() -> None:
    assert asked().auth == "local"
    assert asked(auth="none").auth == "none"
    assert asked(unix_socket="/run/r.sock").auth == "none"
    assert asked(unix_socket="/run/r.sock", auth="tokens").auth == "tokens"
    assert asked(host="0.0.0.0", auth="tokens", public_url=URL).url == f"{URL}/mcp"


@each_row(
    ("given", "why"),
    [
        ({"host": "0.0.0.0"}, "--host 0.0.0.0 can be reached by others"),
        ({"host": "::", "auth": "none", "public_url": URL}, "--host :: can be reached by others"),
        ({"host": "0.0.0.0", "auth": "tokens"}, "--host 0.0.0.0 needs --public-url"),
        ({"public_url": URL}, "--public-url is only for servers that others can reach"),
        (
            {"public_url": URL, "auth": "none"},
            "--public-url is only for servers that others can reach",
        ),
        (
            {"public_url": URL, "unix_socket": "/run/r"},
            "--public-url is only for servers that others can reach",
        ),
        ({"public_url": "http://m.example.com", "auth": "tokens"}, "--public-url is not https"),
        ({"public_url": "memory.example.com", "auth": "tokens"}, "--public-url is not the URL"),
        ({"public_url": "https://", "auth": "tokens"}, "--public-url is not the URL"),
        (
            {"public_url": "https://a:b@m.example.com", "auth": "tokens"},
            "--public-url is not the URL",
        ),
        ({"public_url": f"{URL}?a=b", "auth": "tokens"}, "more than a path"),
        ({"public_url": f"{URL}#a", "auth": "tokens"}, "more than a path"),
        ({"metrics_port": 8931}, "--metrics-port and --port are the same port"),
        ({"dashboard": True, "auth": "none"}, "browsers that log in with a token"),
        ({"dashboard": True, "unix_socket": "/run/r"}, "browsers that log in with a token"),
    ],
)
@requirement("access:by-name")
def test_what_would_let_strangers_in_is_refused_by_name(given: dict[str, Any], why: str) -> None:
    with pytest.raises(InvalidInput, match=why):
        asked(**given)


def test_http_is_enough_behind_a_proxy_and_on_this_machine() -> None:
    near = {"auth": "tokens", "public_url": "http://memory.internal/", "behind_proxy": True}
    assert asked(**near).url == "http://memory.internal/mcp"
    assert asked(auth="tokens", public_url="http://localhost:80/mcp").url == (
        "http://localhost:80/mcp"
    )


def test_a_server_answers_to_its_own_names_exactly() -> None:
    own = asked(host="127.8.8.8", port=9000)
    assert own.hosts() == ["127.0.0.1:9000", "localhost:9000", "[::1]:9000", "127.8.8.8:9000"]
    assert own.origins() == [f"http://{host}" for host in own.hosts()]
    assert own.url == "http://127.8.8.8:9000/mcp"
    assert asked(host="::1").url == "http://[::1]:8931/mcp"
    public = asked(host="0.0.0.0", auth="tokens", public_url=URL, allowed_host=["m.internal:80"])
    loopback = [f"{host}:8931" for host in ("127.0.0.1", "localhost", "[::1]")]
    assert public.hosts() == [*loopback, "memory.example.com", "m.internal:80"]
    assert public.origins()[3:] == [URL, "https://m.internal:80"]
    assert asked(unix_socket="/run/r").hosts() == ["127.0.0.1", "localhost", "[::1]"]


@each_row("host", ["127.0.0.1", "127.8.8.8", "::1", "[::1]", "localhost"])
def test_this_machine_is_a_loopback_address(host: str) -> None:
    assert is_loopback(host)
    assert not is_loopback(f"{host}.example.com")


@each_row("host", ["0.0.0.0", "192.168.1.4", "::", "example.com", ""])
def test_any_other_address_is_not(host: str) -> None:
    assert not is_loopback(host)
