"""Takes a text out of the diff that adds or shows it.

Rule of this module: the head of a diff says that it is one. What a test printed as the difference
of two values has no such head and stays.
"""

from reflection_mcp.tools.identity.rule import compiled

_HUNK = r"(?m)^@@ -\d{1,7}(?:,\d{1,7})? \+\d{1,7}(?:,\d{1,7})? @@"
_HEAD = (
    r"diff --git .{1,400}|index [0-9a-f]{4,40}\.\.[0-9a-f]{4,40}.{0,20}|(?:---|\+\+\+) .{1,400}|"
    r"@@ -\d.{1,400}|(?:new|deleted) file mode \d{6}|\\ No newline at end of file"
)


def added(text: str) -> str:
    """The lines that a diff only adds, or only takes away, without its signs."""
    if "@" not in text or "@@ -" not in text or not compiled(_HUNK).search(text):
        return text
    lines = [line for line in text.split("\n") if not compiled(_HEAD).fullmatch(line)]
    signs = {line[0] for line in lines if line.strip()}
    return "\n".join(line[1:] for line in lines) if signs in ({"+"}, {"-"}) else text
