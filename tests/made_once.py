"""What libraries make anew for each server and client, made once in a process of tests.

Every server and every client that a test makes would otherwise derive the schemas of the same five
tools, prompts and resources again, and read all certificates of the system, which takes longer than
what most tests are about.
"""

import json
import os
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any


def make_once() -> None:
    """Remember the schemas of functions, valid output schemas, our version, the TLS of clients."""
    parts = import_module("mcp.server.mcpserver")
    validated: Any = import_module("pydantic").validate_call
    remember(parts.tools.base.Tool, lambda fn: fn)
    remember(parts.prompts.base.Prompt, validated)
    remember(parts.resources.templates.ResourceTemplate, validated)
    validator: Any = import_module("jsonschema.validators").Draft202012Validator
    http: Any = import_module("httpcore2")
    check, connect = validator.check_schema, http.default_ssl_context
    valid: set[str] = set()

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

    app: Any = import_module("reflection_mcp.server.app")
    app.version = cache(app.version)
    validator.check_schema = check_schema
    http.default_ssl_context = context


def remember(made: Any, called: Callable[[Any], Any]) -> None:
    """Derive from a function once what it takes.

    The functions of two servers have the same code; only what they enclose differs.
    """
    derive = made.from_function
    derived: dict[object, Any] = {}

    def from_function(fn: Any, *names: Any, **settings: Any) -> Any:
        key = (fn.__code__, repr(names), repr(settings))
        if key not in derived:
            derived[key] = derive(fn, *names, **settings)
        return derived[key].model_copy(update={"fn": called(fn)})

    made.from_function = from_function
