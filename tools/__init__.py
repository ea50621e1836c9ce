"""The product: five use cases, and the pure rules behind them.

No MCP, no SQL, no network, and no clock of its own.
"""
