"""A store that lives and ends with its process."""

from reflection_mcp.store.memory.store import MemoryStore

__all__ = ["MemoryStore"]
