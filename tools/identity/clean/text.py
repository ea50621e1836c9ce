"""From a pasted text to the lines that a machine printed, in one pass over its wrappings.

Rule of this module: total and linear; of a long text the first 8,000 and the last 12,000 characters
are read, of a long line its beginning and its end.
"""

from reflection_mcp.tools.identity.clean.logs import without_prefixes
from reflection_mcp.tools.identity.clean.prose import machine_lines, unfenced
from reflection_mcp.tools.identity.clean.records import fields_read, opened
from reflection_mcp.tools.identity.clean.terminal import shown
from reflection_mcp.tools.identity.clean.wraps import joined, reflowed, spread
from reflection_mcp.tools.identity.regex import compiled

HEAD, TAIL = 8_000, 12_000
_LONGEST_LINE = 1_200
_MOST_LINES = 400
_FENCE = (
    r"\s{4,}+$|\s*+(?:'''\w*|~~~\w*|\"\"\"|<!\[CDATA\[|\]\]>"
    r"|(?=[^ ])[-=_*#~+.\u2500-\u257f ]{4,}+)\s*+$"
)
_TAG = (
    r"</?(?:pre|code|div|span|p|br|b|failure|testcase|error|system-err"
    r"|[a-z]+_[a-z_]+)\b[^<>\n]{0,300}>|<!\[CDATA\[|\]\]>"
)
_HYPHENS = str.maketrans("\u2010\u2011\u2012\u2212", "----")
"""Signs that an editor puts where a program wrote a hyphen."""
_ESCAPED_END = r"(?<=[a-zA-Z.:)'])(?<![A-Za-z]:)\\n(?=\s|$|[A-Z]|[a-z]+: |[a-z]+ [a-z])"
_SECOND_ERROR = (
    r"(?<=[.)]) (?=(?:fatal )?error: )| (?=compilation terminated\.)"
    r"| (?=Stack trace: ?#)"
)
_LINK = r"!?\[([^\]\n]{1,200})\]\(https?://[^)\s]{0,500}\)"
_SHELL = (
    r"^\s*(?:(?:\([\w.-]{1,40}\) )?[\w.@~:/\\-]{0,80}(?: [~\w/-]{1,60} ?)?[$%#\u276f] "
    r"|[\w@.~:/\\-]{0,60}[\w~/]> (?=[a-z])|PS [A-Z]:\\[^>\n]{0,200}> ?"
    r"|[A-Z]:\\[^>\n]{0,200}>)\S"
)


def _within(text: str) -> str:
    if len(text) <= HEAD + TAIL:
        return text
    return f"{text[:HEAD]}\n{text[-TAIL:]}"


def _bounded(line: str) -> str:
    if len(line) <= _LONGEST_LINE:
        return line
    return f"{line[: 2 * _LONGEST_LINE // 3]} {line[-_LONGEST_LINE // 3 :]}"


def clean(text: str) -> list[str]:
    """The lines of machine output in a text, without what hosts, loggers and people add."""
    text = _within(text)
    if not text.isascii():
        text = text.translate(_HYPHENS)
    if "`" in text or "**" in text:
        text = unfenced(text)
    text = opened(shown(text))
    if "\x1b" in text or "\\u001b" in text or "`" in text:
        text = shown(text)
    if "\u23ce" in text:
        text = text.replace(" \u23ce ", "\n").replace("\u23ce", "\n")
    if "](" in text:
        text = compiled(_LINK).sub(r"\1", text)
    if "</" in text or "<![" in text or "<pre" in text or "<code" in text:
        text = compiled(_TAG).sub(
            lambda match: "\n" if "failure" in match[0] or "CDATA" in match[0] else "", text
        )
    if "\\n" in text:
        text = compiled(_ESCAPED_END).sub("\n", text)
    if "rror: " in text:
        text = compiled(_SECOND_ERROR).sub("\n", text)
    lines = text.split("\n")
    if len(lines) > _MOST_LINES:
        lines = lines[: _MOST_LINES // 2] + lines[-_MOST_LINES // 2 :]
    if any(len(line) > 60 for line in lines):
        lines = joined(lines)
    lines = joined(without_prefixes(lines))
    if "=" in text:
        lines = [part for line in lines for part in fields_read(line).split("\n")]
    if len(lines) < 8:
        lines = spread(lines)
    fence = compiled(_FENCE).match
    lines = [
        _bounded(line.rstrip())
        for line in lines
        if not (line and line[-1] not in "abcdefghijklmnopqrstuvw" and fence(line))
    ]
    shell = compiled(_SHELL).match
    lines = [
        ""
        if ("$ " in line[:90] or ">" in line[:200] or "% " in line[:90])
        and shell(line)
        and " error" not in line.casefold()
        else line
        for line in lines
    ]
    margin = min(
        (len(line) - len(line.lstrip()) for line in lines if line and not line.isspace()), default=0
    )
    if margin:
        lines = [line[margin:] for line in lines]
    return machine_lines(reflowed(lines) if any(line[:1] == " " for line in lines) else lines)
