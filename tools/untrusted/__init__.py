"""Outside text as data: stored whole, shown escaped, and marked when it attempts prompt injection.

A text that is not marked is not therefore trusted: a paraphrase passes every such rule (storing
outside text is safe because it is only ever returned in data fields, not because of the table in
`injection.rules`).
"""

from reflection_mcp.store.scrub import scrub
from reflection_mcp.tools.untrusted.display import (
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
from reflection_mcp.tools.untrusted.injection import suspicion

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
