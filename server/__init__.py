"""The edge of the product: MCP, the command line, settings, and access to models."""
