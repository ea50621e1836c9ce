"""Takes a text out of the JSON, structured log line or HTML it travelled in.

Rule of this module: only an envelope is opened. What stays is every text a person would call the
message, its codes, and its stack; times, levels, ids and counters of the envelope go. A text that
is not an envelope comes back unchanged, and nothing is ever run.
"""

import ast
import html
import json
from typing import cast

from reflection_mcp.tools.identity.cleaning.fields import told
from reflection_mcp.tools.identity.cleaning.log_records import OF_A_WARNING_IN_FIELDS
from reflection_mcp.tools.identity.rule import compiled
from reflection_mcp.tools.identity.verdicts.marks import holds_any
from reflection_mcp.tools.identity.warned import WARNED

_WRAPPER = (
    r"(?i)(?:tool call failed|tool (?:result|error|output)|result|output|response|body|"
    r"stderr|got)\b"
)
_DEPTH = 5
_TWICE = 2
"""So often a text may have been escaped."""
_ENTITY = (
    r"&(?:quot|lt|gt|amp|apos|nbsp|[lrb](?:[sda]|sa)quo|hellip|[mn]dash|#\d{2,6}|"
    r"#x[\da-fA-F]{2,5});"
)
_LOGFMT = r'(?:^|[ \t])(?:msg|message|err|error|stack|stacktrace|reason)="((?:[^"\\]|\\.)+)"'
_OF_A_RECORD = r"\b(?:level|lvl|ts|time)=|\bERRO?(?:\[\d{4,8}\])? .* (?:error|err)=\""
_OPENINGS = ("{", '"', "[{", '["', "['")
_RECORDS = ("level=", "lvl=", 'err="', 'error="')
_INFORMING = r"(?:time|ts)=\S{1,60} level=(?:info|debug|trace)\b"
"""A record of logfmt that tells of no failure, whatever its words."""
_WARNING = OF_A_WARNING_IN_FIELDS + r"|\b(?:level|lvl)=\"?(?i:warn|warning)\b"
_TASK = r"(?:fatal|failed): \[[^\]\n]{1,100}\](?:: \w{1,20}!?)?(?: \([^\n]{1,200}\))? => (?=\{)"
"""What Ansible writes before the JSON of a task that failed."""
_YAML = r"[ \t]*[\w.-]{1,40}: [|>][+-]?[ \t]*\n(?=[ \t])"
"""The key of a block of YAML."""
_LABEL = r"^[\w .-]{1,40}[:=][ \t]?(?=b['\"])"
_PROCESS = r"(?:\w{1,40}: )?(?:subprocess\.)?(?:CompletedProcess|CalledProcessError)\("
_STREAM = (
    r"\b(stderr|output|stdout)=(b?(?:'(?:[^'\\\n]|\\.){1,8000}'|\"(?:[^\"\\\n]|\\.){1,8000}\"))"
)
_LITERAL = r"b(['\"]).*\1|'(?=.*\\n).*'|'(?=[^\s']+ [^\s']+ )(?:[^'\\\n]|\\.){12,8000}'"
"""Bytes, a string with escaped line breaks, or one of several words, as Python prints them."""


def _value(text: str) -> object:
    """The value of a text in JSON, or in Python's notation of a dictionary; None of any other."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        if not (text.startswith(("{'", "[{'", "['", '["')) and text.endswith(("}", "]"))):
            return None
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def _opened(text: str) -> str | None:
    """The message of a text that is one JSON value after few words; None if it is not."""
    found = compiled(r"[^{\"\[]{0,40}?(?=\{|\"|\[[{\"'])").match(text)
    if not found:
        return None
    start = found.end()
    if text[:start].strip(" >|") and not compiled(_WRAPPER).match(text):
        return None
    value = _value(text[start:])
    if isinstance(value, str):
        return _opened(value) or value
    return "\n".join(told(value)) or None


def _told_at(text: str, start: int) -> tuple[list[str], int]:
    """What the JSON that begins there tells, and where it ends; nothing where none begins."""
    try:
        value, end = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return [], start
    return told(value), end


def _embedded(text: str) -> str:
    """A text in which a value stands on lines of its own among others, opened in its place."""
    found = compiled(r"(?m)^[ \t]*(?=[{\[][ \t]*$)").search(text)
    said, end = _told_at(text, found.end()) if found else ([], 0)
    if not found or not said:
        return text
    return "\n".join([text[: found.start()].rstrip("\n"), *said, text[end:].lstrip("\n")]).strip(
        "\n"
    )


_RAISED = r"(?m)^[^\n]{0,60}?\w(?:Error|Exception|Issues): (?=\[[ \t]*\n)"
"""The type of an exception whose message is a list in JSON, as those of validators are."""
_LIST = r": \[[ \t]*\n"
"""What stands behind it: far sooner looked for."""


def _raised(text: str) -> str:
    """A text in which a list is the message of an exception, told in the line of its type."""
    found = compiled(_RAISED).search(text) if compiled(_LIST).search(text) else None
    said, end = _told_at(text, found.end()) if found else ([], 0)
    return text[: found.end()] + "; ".join(said) + text[end:] if found and said else text


_FIELDS = "\t{"
"""Begins the fields that a logger sets behind the message, as JSON."""
_SOURCE = '", source: '
"""Ends a message of the console of a page, in the log of the browser."""
_CONTEXT = '"exception":"[object] ('
_MONOLOG = r"([\w\\]{1,200})\(code: [^)\n]{0,40}\): ([^\n]{1,4000}) at \S{1,400}:\d{1,7}\)"
"""An exception in the context that Monolog prints behind a message."""


def _of_a_field(text: str) -> str:
    """The value of a field of logfmt, which is written as a string in JSON is, or nearly so."""
    try:
        return str(json.loads(f'"{text}"', strict=False)).replace("\r", "")
    except ValueError:
        plain = text.replace('\\"', '"').replace("\\r", "")
        return plain.replace("\\n", "\n").replace("\\t", "\t")


_OF_A_RECORD_ALONE = frozenset(
    "level severity time ts timestamp @timestamp pid hostname host logger name stream thread v "
    "msg message log".split()
)
"""Keys that every record of a log has; their message may be an empty line."""
_MESSAGES = ("msg", "message", "log")


def _is_empty(record: str) -> bool:
    """Whether a record in JSON is an empty line that somebody logged."""
    value = _value(record)
    if not isinstance(value, dict):
        return False
    fields = cast("dict[object, object]", value)
    said = [str(fields[key]).strip() for key in _MESSAGES if key in fields]
    return bool(said) and not any(said) and fields.keys() <= _OF_A_RECORD_ALONE


def _opened_line(line: str, *, alone: bool) -> str:
    if _CONTEXT in line:
        found = compiled(_MONOLOG).match(line, line.index(_CONTEXT) + len(_CONTEXT))
        if found:
            return f"{found[1]}: {found[2]}".replace("\\\\", "\\").replace('\\"', '"')
    if _FIELDS in line and line.endswith("}"):
        message, _, fields = line.partition(_FIELDS)
        value: object = _value("{" + fields)
        said = [""] if _is_empty("{" + fields) else told(value)
        return line if value is None else "\n".join([message, *said])
    if _SOURCE in line:
        first, last = line.find('"'), line.rfind(_SOURCE)
        return line[:first] + line[first + 1 : last]
    stripped = line.strip()
    if stripped.startswith("{") and stripped.endswith("}"):
        inner = _opened(stripped)
        if inner is None and not alone and _is_empty(stripped):
            return ""
        return line if inner is None else _as_warned(stripped, inner.strip("\n"))
    if compiled(_INFORMING).match(stripped):
        return line
    if '="' in line and compiled(_OF_A_RECORD).search(line):
        said = compiled(_LOGFMT).findall(line)
        if said:
            return _as_warned(stripped, "\n".join(map(_of_a_field, said)))
    return line


def _holds_record(text: str) -> bool:
    """Whether a text holds what a record has that is not JSON alone; by single signs first."""
    return (
        ("=" in text and holds_any(text, _RECORDS))
        or ('"' in text and (_CONTEXT in text or _SOURCE in text))
        or ("\t" in text and _FIELDS in text)
    )


def _as_warned(record: str, said: str) -> str:
    """What a record says, line by line, marked if the record is a warning."""
    if not compiled(_WARNING).search(record):
        return said
    return "\n".join(WARNED + line for line in said.split("\n"))


_TAG = (
    r"(?:tool_use_error|tool_result|function_results|pre|code|samp|span|div|p|stderr|stdout|output|"
    r"result|error|system|details|summary|html|body|blockquote|font|table|t(?:body|head|r|d|h)|"
    r"[uo]l|li|"
    r"h[1-6]|testsuites?|testcase|failure|system-(?:out|err)|"
    r"(?i:message|stacktrace|errorinfo))"
)
_BLOCK_ENDS = r"</(?:p|div|li|tr|h[1-6]|pre|title)>(?=[ \t]*<)"
"""What ends a paragraph with another tag behind it on the same line."""
_TAGS_BEFORE = r"(?m)^[ \t]*(?:<" + _TAG + r"(?: [^<>\n]{0,1000})?>[ \t]*){1,6}(?:<!\[CDATA\[)?"
_TAGS_AFTER = r"(?m)(?:\]\]>)?(?:[ \t]*</" + _TAG + r">){1,6}[ \t]*$"


_ESCAPED = r"\\n[^\n]{0,2000}\\n|\\[\"]|\\u[0-9a-f]{4}|[.:;,)'!?\]]\\n|\\n[A-Z \t#]"
"""Signs that a text without line breaks has them as escapes; a folder called `new` is none."""


_DRIVE = r"\b[A-Za-z]:\\(?!\\)"
"""A path of Windows with single backslashes: whatever wrote it escaped nothing."""


def _unescaped(text: str) -> str:
    """A text that was written as the inside of a JSON string."""
    try:
        return str(json.loads(f'"{text.strip()}"', strict=False))
    except ValueError:
        plain = compiled(r"(?:\\{1,2}r)?\\{1,2}n").sub("\n", text).replace('\\"', '"')
        return plain.replace("\\t", "\t")


def _literal(text: str) -> str:
    """What Python's notation of a string or of bytes stands for."""
    try:
        value: object = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        # Quotation marks that were made plain may end it early.
        value = _unescaped(text.lstrip("b")[1:-1].replace("\\'", "'"))
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _of_process(text: str) -> str:
    """What a program printed, of a record of Python that says how it ended."""
    streams = {found[1]: found[2] for found in compiled(_STREAM).finditer(text)}
    said = next((streams[name] for name in ("stderr", "output", "stdout") if name in streams), "")
    return _literal(said) if said else text


def opened(text: str) -> str:
    """The text without the JSON, log record, tags or HTML escapes around it."""
    if "<" in text and "</" in text:
        text = compiled(_BLOCK_ENDS).sub("\\g<0>\n", text)
        text = compiled(_TAGS_AFTER).sub("", compiled(_TAGS_BEFORE).sub("", text))
    if "&" in text and compiled(_ENTITY).search(text):
        text = html.unescape(text)
        text = html.unescape(text) if compiled(_ENTITY).search(text) else text
    block = ("|" in text and ": |" in text) or (">" in text and ": >" in text)
    if block and compiled(_YAML).match(text):
        text = compiled(_YAML).sub("", text, count=1)
    if "{" in text and " => {" in text:
        text = compiled(_TASK).sub("", text)
    stripped = text.strip()
    if "Process" in stripped and compiled(_PROCESS).match(stripped):
        stripped = text = _of_process(stripped)
    last = stripped[-1:]
    if last in ("'", '"'):
        stripped = compiled(_LABEL).sub("", stripped, count=1)
        if compiled(_LITERAL).fullmatch(stripped):
            return opened(_literal(stripped))
        stripped = text.strip()
    if (
        ("\\" in stripped and "\\n" in stripped)
        or stripped.startswith(_OPENINGS)
        or last in ("}", '"')
    ):
        whole = _opened(stripped)
        if whole is not None:
            return _embedded(_raised(whole))
    if ("{" in text and "{\n" in text) or ("[" in text and "[\n" in text):
        text = _embedded(_raised(text))
    if "{" in text or ('"' in text and ('="' in text or _SOURCE in text)):
        lines = text.split("\n")
        if _holds_record(text) or any(
            line.lstrip().startswith("{") and line.rstrip().endswith("}") for line in lines
        ):
            text = "\n".join(_opened_line(line, alone=len(lines) == 1) for line in lines)
    if "\\" in text and "\n" not in text.strip() and not compiled(_DRIVE).search(text):
        for _ in range(_TWICE):
            if "\n" not in text.strip() and compiled(_ESCAPED).search(text):
                text = _unescaped(text)
    return text
