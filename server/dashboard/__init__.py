"""The dashboard: pages in a browser that show which lessons help, and let a person correct them.

Rules of this room: nothing of it is imported by `serve` over stdio. What is done here is done by
the use cases of the tools. All stored text is somebody else's: it reaches a page through a template
that escapes it, and nothing else. No page needs the script, and none fetches anything from outside.
"""
