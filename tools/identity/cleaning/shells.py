"""The record that PowerShell makes of each error, and of what a program writes to stderr.

Rule of this module: of the record of a program only the program's own words stay; PowerShell put
its name before the first of them, and the place of the call below it. The record of an error of
PowerShell itself is left alone.
"""

import re

from reflection_mcp.tools.identity.rule import compiled

NATIVE = "NativeCommandError"
"""Stands in the record of what a program wrote, under the name of the error."""
_RECORD = (
    r"(?m)^(?:[^\n:]{1,120}? : )?([^\n]*)\n[ \t]*At [^\n]{1,400}\n(?:[ \t]*\+[^\n]*\n){1,3}"
    r"[ \t]*\+ CategoryInfo[ \t]*:[^\n]*\n(?:[ \t]{4,}[^\n+ ][^\n]*\n)?"
    r"[ \t]*\+ FullyQualifiedErrorId[ \t]*:[ \t]*NativeCommandError(?:Message)?[ \t]*(?:\n|"
    r"$)(?:[ \t]*\n)?"
)


def without_records(text: str) -> str:
    """The text with the words of programs in the place of PowerShell's records of them."""
    if NATIVE not in text:
        return text

    def said(found: re.Match[str]) -> str:
        return f"{found[1]}\n"

    return compiled(_RECORD).sub(said, text)
