"""Text of others is data: it comes in whole, goes out plain, and is marked when it gives orders.

A text that is not marked is not therefore trusted: paraphrase passes every such rule (storage of
outside text is safe because it is only ever returned in data fields, not because of the table of
`signs`).
"""

from reflection_mcp.store.scrub import scrub
from reflection_mcp.tools.untrusted.presenting import (
    StoredText,
    as_json,
    escaped,
    in_one_line,
    plain_name,
    presentable,
    quoted,
    stored,
    visible,
)
from reflection_mcp.tools.untrusted.signs import suspicion

__all__ = [
    "StoredText",
    "as_json",
    "escaped",
    "in_one_line",
    "plain_name",
    "presentable",
    "quoted",
    "scrub",
    "stored",
    "suspicion",
    "visible",
]
