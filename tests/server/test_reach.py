"""`doctor --url`: what it says of real servers on this machine, well and not well."""

import base64
import json
import select
import ssl
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import anyio
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from reflection_mcp.server import cli
from reflection_mcp.server.access.exposure import Exposure
from reflection_mcp.server.access.listener import tcp_socket
from reflection_mcp.server.doctor import reach
from reflection_mcp.server.doctor.doctor import Line
from reflection_mcp.server.doctor.reach import look_at_server
from reflection_mcp.server.hosts.remote import Remote
from tests.requirements import requirement
from tests.rows import each_row
from tests.server.access.issuer import issuing
from tests.server.access.serving import House, served_as, serving

pytestmark = pytest.mark.anyio
VARIABLE = "TEAM_TOKEN"


def looked(url: str, token: str | None = None) -> list[Line]:
    """What the doctor sees, with a token in a variable or without one."""
    if token is None:
        return look_at_server(Remote(url=url), {})
    return look_at_server(Remote(url=url, variable=VARIABLE), {VARIABLE: token})


async def looked_from_elsewhere(url: str, token: str | None = None) -> list[Line]:
    """The same, while the server runs in this process."""
    return await anyio.to_thread.run_sync(looked, url, token)


def fault(lines: list[Line]) -> tuple[str, str]:
    """The name and the words of the one line about what is wrong, which is the last."""
    assert [line.state for line in lines].count("wrong") == 1
    assert lines[-1].state == "wrong"
    return lines[-1].name, lines[-1].value


@contextmanager
def answering(
    status: int = 200,
    body: bytes = b"",
    headers: Mapping[str, str] | None = None,
    *,
    certificate: Path | None = None,
) -> Generator[str]:
    """A server that is no server of ours, which gives everybody one answer; its URL."""

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            for name, value in {**(headers or {}), "Content-Length": str(len(body))}.items():
                self.send_header(name, value.replace("BASE", f"http://{self.headers['Host']}"))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        server.handle_error = lambda request, client_address: None  # type: ignore[method-assign]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            scheme = "https" if certificate else "http"
            yield f"{scheme}://127.0.0.1:{server.server_address[1]}/mcp"
        finally:
            server.shutdown()
            thread.join()


def initialized(name: str = "reflection-mcp", version: str = "0.0.1") -> bytes:
    about = {"protocolVersion": "2025-11-25", "serverInfo": {"name": name, "version": version}}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "result": about}).encode()


def jwt_of(**claims: Any) -> str:
    middle = base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("=")
    return f"e30.{middle}.c2ln"


# --------------------------------------------------------------------------- the product


@requirement("access:doctor")
async def test_a_server_that_takes_the_token_is_well(tmp_path: Path) -> None:
    house = House(tmp_path)
    token = house.let_in("ann")
    async with house.open() as url:
        lines = await looked_from_elsewhere(url, token)
    assert {line.state for line in lines} == {"ok"}
    assert {line.name: line.value for line in lines}["token"] == "accepted"
    assert "as here" in lines[-1].value
    assert token not in str(lines)


async def test_a_server_that_asks_for_no_token_is_well(tmp_path: Path) -> None:
    async with serving(House(tmp_path).application, None) as url:
        lines = await looked_from_elsewhere(url)
    assert {line.name: line.value for line in lines}["token"] == "none is required"


async def test_a_token_that_is_missing_or_refused_is_named(tmp_path: Path) -> None:
    async with House(tmp_path).open() as url:
        missing = await looked_from_elsewhere(url)
        wrong = await looked_from_elsewhere(url, "rmt_wrong")
    assert fault(missing) == ("token", "missing; pass --token-env NAME")
    name, words = fault(wrong)
    assert (name, words) == ("token", "refused: Authentication required; ask for a new one")
    assert "rmt_wrong" not in words


async def test_a_token_for_another_server_is_told_from_one_that_has_expired(
    tmp_path: Path,
) -> None:
    with issuing() as issuer:
        house = House(tmp_path, oauth_issuer=issuer.url)
        later = datetime.now(UTC) + timedelta(hours=1)
        async with served_as(house.application, Exposure(auth="oauth")) as url:
            missing = await looked_from_elsewhere(url)
            foreign = jwt_of(aud=["https://other.example"], exp=later.timestamp())
            elsewhere = await looked_from_elsewhere(url, foreign)
            nobodys = await looked_from_elsewhere(url, jwt_of(exp=later.timestamp()))
            over = await looked_from_elsewhere(url, jwt_of(aud=url, exp=1_600_000_000))
            unsigned = await looked_from_elsewhere(url, jwt_of(aud=url, exp=later.timestamp()))
    assert "an issuer (OAuth)" in fault(missing)[1]
    assert fault(elsewhere)[1] == (
        f"its audience is https://other.example, the server is {url}; "
        "ask the issuer for one with that audience"
    )
    assert fault(nobodys)[1].startswith("its audience is nobody")
    assert fault(over)[1].startswith("it expired at 2020-09-13")
    assert fault(unsigned)[1].startswith("refused")


async def test_a_name_that_the_server_does_not_have_is_wrong(tmp_path: Path) -> None:
    house = House(tmp_path)
    token = house.let_in("ann")
    async with house.open() as url:
        lines = await looked_from_elsewhere(url.replace("127.0.0.1", "127.1"), token)
    assert fault(lines)[0] == "name"
    assert "in --public-url" in fault(lines)[1]


# --------------------------------------------------------------------------- what is in the way


def test_a_variable_that_is_not_set_is_the_first_thing() -> None:
    lines = look_at_server(Remote(url="http://127.0.0.1:1/mcp", variable=VARIABLE), {})
    assert fault(lines) == ("token", f"the variable {VARIABLE} is not set; export it first")


def test_a_name_that_nobody_knows_is_wrong() -> None:
    assert fault(looked("https://no-such-host.invalid/mcp"))[0] == "name"


def test_a_port_on_which_nothing_listens_is_refused() -> None:
    with tcp_socket("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    name, words = fault(looked(f"http://127.0.0.1:{port}/mcp"))
    assert name == "connection"
    assert words.startswith(f"refused: nothing listens on 127.0.0.1:{port}; start the server")


def test_a_server_that_never_answers_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "SECONDS", 0.05)
    with tcp_socket("127.0.0.1", 0) as silent:
        lines = looked(f"http://127.0.0.1:{silent.getsockname()[1]}/mcp")
    assert "no answer within" in fault(lines)[1]


@contextmanager
def saying(first: bytes, then: bytes = b"") -> Generator[int]:
    """A socket that says something to whoever connects, then the rest again and again, until they
    are gone; without a rest it hangs up. Its port."""
    with tcp_socket("127.0.0.1", 0) as listening:

        def say() -> None:
            connection, _ = listening.accept()
            with connection, suppress(OSError):
                connection.recv(10)
                connection.sendall(first)
                while then:
                    connection.sendall(then)
                    if select.select([connection], [], [], 0.01)[0] and not connection.recv(4096):
                        return

        thread = threading.Thread(target=say)
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            thread.join(60)
            assert not thread.is_alive()


@each_row("said", [b"", b"SSH-2.0-OpenSSH_9.2\r\n", b"HTTP/1.1 200 OK\r\nX"])
def test_a_server_that_hangs_up_is_told_so(said: bytes) -> None:
    with saying(said) as port:
        name, words = fault(looked(f"http://127.0.0.1:{port}/mcp"))
    assert name == "connection"
    assert words.startswith("connection lost: ")
    assert words.endswith("; look at the log of the server or its proxy")


SLOW = [
    (b"HTTP/1.1 200 OK\r\nX-Slow: ", b"x"),
    (b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n", b" "),
    (b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", b": ping\n\n"),
]
"""What a server says of its answer, and what it then says for ever."""


@pytest.mark.parametrize(("first", "then"), SLOW)
def test_a_server_that_never_comes_to_an_end_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, first: bytes, then: bytes
) -> None:
    monkeypatch.setattr(reach, "SECONDS", 0.3)
    with saying(first, then) as port:
        name, words = fault(looked(f"http://127.0.0.1:{port}/mcp"))
    assert (name, words[:16]) == ("connection", "no answer within")


CERTIFICATES = [
    ("127.0.0.1", 9, "self-signed certificate"),
    ("127.0.0.9", 9, "IP address mismatch"),
    ("127.0.0.1", -1, "certificate has expired"),
]
"""For what a certificate is, the days it is good for, and why it is not accepted."""


@pytest.mark.parametrize(("name", "days", "why"), CERTIFICATES)
def test_a_certificate_that_is_not_accepted_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, days: int, why: str
) -> None:
    certificate = own_certificate(tmp_path, name, days)
    with answering(200, initialized(), certificate=certificate) as url:
        part, words = fault(looked(url))
        assert part == "TLS"
        assert words.startswith("the certificate is not accepted: ")
        assert words.endswith("; correct it, or name its authority in SSL_CERT_FILE")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        lines = looked(url)
    if name == "127.0.0.1" and days > 0:
        assert {line.state for line in lines} <= {"ok", "note"}
        assert "self-signed certificate" in words
    else:
        assert why in fault(lines)[1]


def test_https_where_only_http_is_spoken_is_no_encrypted_connection() -> None:
    with answering() as url:
        assert fault(looked(url.replace("http:", "https:")))[0] == "TLS"


ANSWERS: list[tuple[int, bytes, dict[str, str], str]] = [
    (200, b"<html>hello</html>", {}, "not as an MCP server"),
    (200, b"[" * 70_000, {}, "not as an MCP server"),
    (200, initialized("weather"), {}, "it is weather 0.0.1, not reflection-mcp"),
    (200, b'{"result": {"serverInfo": 1}}', {}, "it is nameless"),
    (301, b"", {"Location": "https://x.example/"}, "it redirects to https://x.example/"),
    (401, b'{"error_description": "why not"}', {}, "refused: why not"),
    (
        401,
        b"",
        {"WWW-Authenticate": 'Bearer resource_metadata="BASE/other", error_description="no"'},
        "refused: no",
    ),
    (403, b"", {"WWW-Authenticate": 'Bearer error_description="memory"'}, "sufficient: memory"),
    (404, b"", {}, "no MCP server at this path (status 404)"),
    (421, b"", {}, "in --public-url"),
    (429, b"", {}, "not now (status 429)"),
    (502, b"", {}, "the proxy answers, but the server behind it does not (502)"),
    (500, b"", {}, "it answers with status 500"),
]


@each_row(("status", "body", "headers", "words"), ANSWERS)
def test_an_answer_that_is_not_ours_is_explained(
    status: int, body: bytes, headers: dict[str, str], words: str
) -> None:
    with answering(status, body, headers) as url:
        assert words in fault(looked(url, "rmt_x"))[1]


@each_row("token", ["a.b.c", "a.!.c", f"a.{base64.b64encode(b'[1]').decode()}.c"])
def test_a_token_that_only_looks_like_a_jwt_is_just_refused(token: str) -> None:
    with answering(401) as url:
        assert fault(looked(url, token)) == ("token", "refused; ask for a new one")


def test_another_version_is_a_note_and_no_fault() -> None:
    event = b": ping\n\nevent: message\ndata: " + initialized(version="9.9") + b"\n\n"
    with answering(200, event, {"Content-Type": "text/event-stream"}) as url:
        lines = looked(url)
    assert (lines[-1].state, lines[-1].value[:9]) == ("note", "9.9 there")


def test_the_command_prints_it_and_ends_with_1_for_a_fault(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with answering(200, initialized()) as url:
        assert cli.main(["doctor", "--url", url]) == 0
        assert "everything works" in capsys.readouterr().out
    with answering(404) as url:
        assert cli.main(["doctor", "--url", url, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)[-1]["state"] == "wrong"
    assert cli.main(["doctor", "--token-env", "A"]) == 2
    assert "--url is not the URL" in capsys.readouterr().err


def own_certificate(folder: Path, address: str, days: int) -> Path:
    """A certificate for an address, signed by itself, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    start = datetime.now(UTC) - timedelta(days=2)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(start)
        .not_valid_after(start + timedelta(days=days + 2))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address(address))]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    file = folder / "server.pem"
    file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + signed.public_bytes(serialization.Encoding.PEM)
    )
    return file
