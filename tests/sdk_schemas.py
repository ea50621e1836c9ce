"""What the SDK derives from our tools, derived once in a process.

Every server and every client that a test makes would otherwise derive the schemas of the same five
tools again, which takes longer than what most tests are about.
"""

import json
from typing import Any

from jsonschema.validators import Draft202012Validator
from mcp.server.mcpserver.tools.base import Tool


def derive_once() -> None:
    """Let the SDK remember the schemas of a tool function, and which output schemas are valid."""
    sdk: Any = Tool
    jsonschema: Any = Draft202012Validator
    derive, check = sdk.from_function, jsonschema.check_schema
    derived: dict[object, Tool] = {}
    valid: set[str] = set()

    def from_function(fn: Any, **settings: Any) -> Tool:
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

    sdk.from_function = from_function
    jsonschema.check_schema = check_schema
