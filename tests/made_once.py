"""What libraries make anew for each server and client, made once in a process of tests.

Every server and every client that a test makes would otherwise derive the schemas of the same five
tools again, and read all certificates of the system, which takes longer than what most tests are
about.
"""

import json
import os
from functools import cache
from importlib import import_module
from typing import Any


def make_once() -> None:
    """Remember the schemas of a tool function, valid output schemas, and the TLS of clients."""
    tool: Any = import_module("mcp.server.mcpserver.tools.base").Tool
    validator: Any = import_module("jsonschema.validators").Draft202012Validator
    http: Any = import_module("httpcore2")
    derive, check, connect = (
        tool.from_function,
        validator.check_schema,
        http.default_ssl_context,
    )
    derived: dict[object, Any] = {}
    valid: set[str] = set()

    def from_function(fn: Any, **settings: Any) -> Any:
        # The functions of two servers have the same code; only what they enclose differs.
        key = (fn.__code__, repr(settings))
        if key not in derived:
            derived[key] = derive(fn, **settings)
        return derived[key].model_copy(update={"fn": fn})

    def check_schema(schema: Any) -> None:
        text = json.dumps(schema)
        if text not in valid:
            check(schema)
            valid.add(text)

    @cache
    def of(certificates: str | None, **choices: Any) -> object:
        return connect(**choices)

    def context(**choices: Any) -> object:
        return of(os.environ.get("SSL_CERT_FILE"), **choices)

    tool.from_function = from_function
    validator.check_schema = check_schema
    http.default_ssl_context = context
