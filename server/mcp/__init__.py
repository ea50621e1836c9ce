"""The five tools as a client sees them, with resources, prompts, hooks and the page of insights."""
