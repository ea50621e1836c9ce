"""The edge: MCP, command line, settings, reaching a model."""
