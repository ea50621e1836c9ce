"""An issuer of tokens on this machine: real keys, real metadata, over real HTTP."""

import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from reflection_mcp.server.application import now

_MAKE: dict[str, Any] = {
    "RS256": lambda: rsa.generate_private_key(65537, 2048),
    "ES256": lambda: ec.generate_private_key(ec.SECP256R1()),
    "ES384": lambda: ec.generate_private_key(ec.SECP384R1()),
    "EdDSA": ed25519.Ed25519PrivateKey.generate,
}


class Issuer:
    """Signs tokens and publishes its keys; `asked` are the paths that were fetched."""

    def __init__(self) -> None:
        self.url = ""
        self.keys: dict[str, tuple[str, Any]] = {}
        self.pages: dict[str, object] = {}
        self.asked: list[str] = []
        self.is_down = False

    def make_key(self, name: str, algorithm: str = "ES256") -> None:
        """Add a key, and publish it."""
        self.keys[name] = (algorithm, _MAKE[algorithm]())
        self.publish(*self.keys)

    def publish(self, *names: str) -> None:
        """Publish these keys and no others."""
        self.pages["/jwks"] = {"keys": [self._public(name) for name in names]}

    def token(self, key: str = "", **claims: Any) -> str:
        """A token for the server, with what is given in place of what is usual; None leaves out."""
        name = key or next(iter(self.keys))
        algorithm, secret = self.keys[name]
        usual = {"iss": self.url, "aud": "http://mcp", "sub": "ann", "exp": now().timestamp() + 600}
        told = {claim: value for claim, value in (usual | claims).items() if value is not None}
        return jwt.encode(told, secret, algorithm, {"kid": name})

    def _public(self, name: str) -> dict[str, Any]:
        algorithm, secret = self.keys[name]
        made = jwt.get_algorithm_by_name(algorithm).to_jwk(secret.public_key(), as_dict=True)
        return {**made, "kid": name, "use": "sig"}


@contextmanager
def issuing() -> Generator[Issuer]:
    """An issuer that answers, with one key."""
    issuer = Issuer()

    class Pages(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            issuer.asked.append(self.path)
            page = issuer.pages.get(self.path)
            self.send_response(500 if issuer.is_down else 200 if page is not None else 404)
            self.end_headers()
            if page is not None:
                self.wfile.write(json.dumps(page).encode())

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Pages) as server:
        issuer.url = f"http://127.0.0.1:{server.server_port}"
        issuer.make_key("first")
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield issuer
        finally:
            server.shutdown()
            thread.join()
