"""`reflection-mcp doctor --url URL`: can a server be reached from here, and if not, why?

Rule: the first thing that is wrong ends the look, because all behind it would be a consequence; the
line about it ends in what to do. The token is sent to the URL and nowhere else: no redirect is
followed, and it is never printed.
"""

import json
import re
import socket
import ssl
from collections.abc import AsyncGenerator, Iterator, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from reflection_mcp.server.doctor.doctor import Line
from reflection_mcp.server.hosts.remote import Remote
from reflection_mcp.server.wording import to_the_second

if TYPE_CHECKING:
    import httpx2

SECONDS = 10.0
"""How long all of it may take, also where a server sends one byte after the other."""
MOST = 65_536
"""Bytes that are read of an answer: ours to `initialize` has under 4,000."""
PROTOCOL = "2025-11-25"
PACKAGE = "reflection-mcp"
_DESCRIBED = re.compile(r'error_description="([^"]{1,300})"')
_METADATA = re.compile(r'resource_metadata="([^"]{1,2000})"')


def look_at_server(remote: Remote, environment: Mapping[str, str]) -> list[Line]:
    """Return what was found, up to the first thing that is wrong."""
    import anyio
    import httpx2

    token = environment.get(remote.variable, "").strip() if remote.variable else ""
    if remote.variable and not token:
        return [_wrong("token", f"the variable {remote.variable} is not set", "export it first")]
    headers = {"Accept": "application/json, text/event-stream"}
    if token:
        headers["Authorization"] = f"Bearer {token}"

    async def look() -> list[Line]:
        async with httpx2.AsyncClient(headers=headers, timeout=SECONDS) as client:
            with anyio.fail_after(SECONDS):
                return [line async for line in _asked(client, remote.url, token)]

    try:
        return anyio.run(look)
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError, UnicodeError) as trouble:
        return [_unreached(trouble, remote.url)]


async def _asked(client: "httpx2.AsyncClient", url: str, token: str) -> AsyncGenerator[Line]:
    about = {"name": f"{PACKAGE}-doctor", "version": version(PACKAGE)}
    params = {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": about}
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    async with client.stream("POST", url, json=message) as answer:
        body, result = b"", None
        async for part in answer.aiter_bytes():
            body += part
            result = _result(body)
            if result is not None or len(body) > MOST:
                break
    yield _line("connection", "encrypted" if url.startswith("https") else "this machine")
    if answer.status_code != 200:
        yield await _refused(client, answer, body, url, token)
        return
    if result is None:
        yield _wrong("server", "it answers, but not as an MCP server", "check the path in --url")
        return
    session = answer.headers.get("mcp-session-id")
    if session:
        await client.delete(url, headers={"mcp-session-id": session})
    yield _line("token", "accepted" if token else "none is required")
    for line in _versions(result):
        yield line


def _versions(result: Mapping[str, Any]) -> Iterator[Line]:
    server = result.get("serverInfo")
    about: Mapping[str, Any] = cast("Mapping[str, Any]", server) if isinstance(server, dict) else {}
    name, there = (str(about.get(key, ""))[:80] for key in ("name", "version"))
    if name != PACKAGE:
        known_as = f"it is {name or 'nameless'} {there}".strip()
        yield _wrong("server", f"{known_as}, not {PACKAGE}", "check --url")
        return
    here = version(PACKAGE)
    yield _line("protocol", str(result.get("protocolVersion"))[:40])
    if there == here:
        yield _line("version", f"{there}, as here")
    else:
        value = f"{there} there, {here} here; upgrade the older: pip install -U {PACKAGE}"
        yield Line(part=PART, state="note", name="version", value=value)


async def _refused(
    client: "httpx2.AsyncClient", answer: "httpx2.Response", body: bytes, url: str, token: str
) -> Line:
    """Return why an answer is no 200."""
    status = answer.status_code
    challenge = answer.headers.get("www-authenticate", "")
    if status == 401 and not token:
        oauth = "; it accepts tokens from an issuer (OAuth)" if _METADATA.search(challenge) else ""
        return _wrong("token", f"missing{oauth}", "pass --token-env NAME")
    if status == 401:
        wanted = await _resource(client, challenge, url)
        if fault := _fault_of(token, wanted):
            return _wrong("token", *fault)
        return _wrong("token", f"refused{_described(challenge, body)}", "ask for a new one")
    if status == 403:
        return _wrong(
            "token", f"not sufficient{_described(challenge, body)}", "ask for more rights"
        )
    if status == 421:
        what = f"the server does not accept the host name {urlsplit(url).netloc}"
        return _wrong("name", what, "start it with that name in --public-url or --allowed-host")
    if 300 <= status < 400:
        place = answer.headers.get("location", "nowhere")[:200]
        what = f"it redirects to {place}, and no token is sent there"
        return _wrong("server", what, "pass that as --url if it is yours")
    if status in (404, 405):
        return _wrong("server", f"no MCP server at this path (status {status})", "is it /mcp?")
    if status in (502, 504):
        what = f"the proxy answers, but the server behind it does not ({status})"
        return _wrong("server", what, "read the log of that server")
    if status in (429, 503):
        return _wrong("server", f"not now (status {status}){_described(challenge, body)}", "wait")
    return _wrong("server", f"it answers with status {status}", "read its log, and check --url")


async def _resource(client: "httpx2.AsyncClient", challenge: str, url: str) -> str:
    """Return for what a token has to be: what the server's metadata say, else its URL."""
    found = _METADATA.search(challenge)
    if found is None or urlsplit(found[1])[:2] != urlsplit(url)[:2]:
        return url
    answer = await client.get(found[1], headers={"Authorization": ""})
    value = _object(answer.content[:MOST])
    return str((value or {}).get("resource", url))


def _fault_of(token: str, wanted: str) -> tuple[str, str] | None:
    """Return what a token says of itself that explains why it is refused, and what to do."""
    import jwt  # brings cryptography along, which few calls need

    try:
        claims: dict[str, Any] = jwt.decode(token, options={"verify_signature": False})
    except jwt.PyJWTError:  # it says nothing of itself
        return None
    ends, audience = claims.get("exp"), claims.get("aud")
    if isinstance(ends, (int, float)) and ends < datetime.now(UTC).timestamp():
        at = to_the_second(datetime.fromtimestamp(ends, UTC))
        return f"it expired at {at}", "get a new one"
    named: list[object] = cast(
        "list[object]", audience if isinstance(audience, list) else [audience]
    )
    if wanted.rstrip("/") not in [str(each).rstrip("/") for each in named]:
        listed = ", ".join(str(each) for each in named)[:200] if audience else "nobody"
        what = f"its audience is {listed}, the server is {wanted[:200]}"
        return what, "ask the issuer for one with that audience"
    return None


def _described(challenge: str, body: bytes) -> str:
    found = _DESCRIBED.search(challenge)
    said = found[1] if found else str((_object(body) or {}).get("error_description", ""))[:300]
    return f": {said}" if said else ""


def _result(body: bytes) -> Mapping[str, Any] | None:
    """Return the result in an answer, as JSON or as the first event that has one."""
    lines = [line.removeprefix(b"data:") for line in body.splitlines() if line[:5] == b"data:"]
    for text in (body, *lines):
        result = (_object(text) or {}).get("result")
        if isinstance(result, dict):
            return cast("Mapping[str, Any]", result)
    return None


def _object(text: bytes) -> Mapping[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else None


def _unreached(trouble: Exception, url: str) -> Line:
    """Return why there was no answer; the reason lies in what the trouble was caused by."""
    parts = urlsplit(url)
    chain: list[BaseException] = [trouble]
    while (cause := chain[-1].__cause__ or chain[-1].__context__) and len(chain) < 10:
        chain.append(cause)
    for each in chain:
        match each:
            case socket.gaierror():
                return _wrong("name", f"{parts.hostname} is not known", "check the name in --url")
            case ConnectionRefusedError():
                what = f"refused: nothing listens on {parts.netloc}"
                return _wrong("connection", what, "start the server, or check the port")
            case ssl.SSLCertVerificationError():
                what = f"the certificate is not accepted: {each.verify_message}"
                return _wrong("TLS", what, "correct it, or name its authority in SSL_CERT_FILE")
            case ssl.SSLError():
                what = f"no encrypted connection: {each.reason or each}"
                return _wrong("TLS", what, "check that this port serves TLS")
            case TimeoutError():
                what = f"no answer within {SECONDS:.0f} seconds"
                return _wrong(
                    "connection", what, "check the address, and whether a firewall blocks it"
                )
            case _:
                pass
    what = f"connection lost: {str(trouble)[:200] or type(trouble).__name__}"
    return _wrong("connection", what, "look at the log of the server or its proxy")


PART = "Server"


def _line(name: str, value: str) -> Line:
    return Line(part=PART, state="ok", name=name, value=value)


def _wrong(name: str, what: str, do: str) -> Line:
    return Line(part=PART, state="wrong", name=name, value=f"{what}; {do}")
