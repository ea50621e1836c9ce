"""Text of others is data: it comes in whole, goes out plain, and is marked when it gives orders.

A text that is not marked is not therefore trusted: paraphrase passes every such rule (storage of
outside text is safe because it is only ever returned in data fields, not because of the table of
`signs`).
"""

from reflection_mcp.tools.untrusted.presenting import in_one_line, presentable, quoted, scrub
from reflection_mcp.tools.untrusted.signs import suspicion

__all__ = ["in_one_line", "presentable", "quoted", "scrub", "suspicion"]
