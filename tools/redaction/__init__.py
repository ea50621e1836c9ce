"""Takes secrets out of a text before anything is written, logged or sent."""

from reflection_mcp.tools.redaction.redact import find_secrets, redact

__all__ = ["find_secrets", "redact"]
