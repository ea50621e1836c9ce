"""`python -m reflection_mcp.server` is `reflection-mcp`."""

import sys

from reflection_mcp.server.cli import main

sys.exit(main())
