"""`reflection-mcp doctor`: what is set up here, or at a URL, and does it work?"""
