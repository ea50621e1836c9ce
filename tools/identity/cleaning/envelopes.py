"""Takes a text out of the JSON, structured log line or HTML it travelled in.

Rule of this module: only an envelope is opened. What stays is every text a person would call the
message, its codes, and its stack; times, levels, ids and counters of the envelope go. A text that
is not an envelope comes back unchanged, and nothing is ever run.
"""

import ast
import html
import json
from collections.abc import Mapping, Sequence
from typing import cast

from reflection_mcp.tools.identity.rule import compiled

_CODES = (
    "type", "code", "status", "statuscode", "status_code", "error_code", "errorcode", "errno",
    "name", "kind", "exception_type", "error_type", "exitcode", "exit_code", "exit_status",
)  # fmt: skip
_MESSAGES = (
    "message", "msg", "error", "err", "error_message", "errormessage", "detail",
    "details", "description", "error_description", "reason", "title", "text", "log", "output",
    "stderr", "stdout", "body", "content", "cause", "errors", "event", "@message", "textpayload",
    "jsonpayload", "result", "data",
)  # fmt: skip
_STACKS = (
    "exception", "stack", "stacktrace", "stack_trace", "traceback", "exc_info", "backtrace",
    "error.stack_trace",
)  # fmt: skip
_STREAMS = ("stderr", "stdout")
"""Beside what a program printed, a runner's own message says only that it failed."""
_WRAPPER = (
    r"(?i)(?:tool call failed|tool (?:result|error|output)|result|output|response|body|"
    r"stderr|got)\b"
)
_DEPTH = 5
_ENTITY = r"&(?:quot|lt|gt|amp|apos|nbsp|#0?39|#x0?27|#34|#x22);"
_LOGFMT = r'(?:^|[ \t])(?:msg|message|err|error|stack|stacktrace|reason)="((?:[^"\\]|\\.)+)"'
_TASK = r"(?:fatal|failed): \[[^\]\n]{1,100}\](?:: \w{1,20}!?)?(?: \([^\n]{1,200}\))? => (?=\{)"
"""What Ansible writes before the JSON of a task that failed."""
_YAML = r"[ \t]*[\w.-]{1,40}: [|>][+-]?[ \t]*\n(?=[ \t])"
"""The key of a block of YAML."""
_LITERAL = r"b(['\"]).*\1|'(?=.*\\n).*'"
"""Bytes, or a string with escaped line breaks, as Python prints them."""


def _strings(value: object, depth: int) -> list[str]:
    """The message texts in a JSON value, messages before stacks, codes in front of both."""
    if depth > _DEPTH:
        return []
    if isinstance(value, str):
        return [value] if value else []
    if isinstance(value, Sequence):
        items = cast("Sequence[object]", value)[:8]
        return [text for item in items for text in _strings(item, depth + 1)]
    if not isinstance(value, Mapping):
        return []
    fields = {
        str(key).casefold(): item for key, item in cast("Mapping[object, object]", value).items()
    }
    if any(isinstance(fields.get(key), str) and str(fields[key]).strip() for key in _STREAMS):
        fields = {key: item for key, item in fields.items() if key not in ("msg", "cmd")}
    codes = [
        f"{key}: {fields[key]}"
        for key in _CODES
        if isinstance(fields.get(key), str | int)
        and not isinstance(fields[key], bool)
        and str(fields[key]).strip()
        and len(str(fields[key])) <= 80
    ]
    messages = [
        text for key in _MESSAGES if key in fields for text in _strings(fields[key], depth + 1)
    ]
    stacks = [text for key in _STACKS if key in fields for text in _strings(fields[key], depth + 1)]
    if any("\n" in text.strip() or "Error" in text or "Exception" in text for text in stacks):
        return stacks
    return [*codes, *messages, *stacks] if messages or stacks else []


def _opened(text: str) -> str | None:
    """The message of a text that is one JSON value after few words; None if it is not."""
    found = compiled(r"[^{\"\[]{0,40}?(?=\{|\"|\[\{)").match(text)
    if not found:
        return None
    start = found.end()
    try:
        value = json.loads(text[start:])
    except (ValueError, RecursionError):
        return None
    if text[:start].strip(" >|") and not compiled(_WRAPPER).match(text):
        return None
    if isinstance(value, str):
        return _opened(value) or value
    return "\n".join(_strings(value, 0)) or None


def _opened_line(line: str) -> str:
    stripped = line.strip()
    if stripped.startswith("{") and stripped.endswith("}"):
        inner = _opened(stripped)
        return line if inner is None else inner.strip("\n")
    if '="' in line and ("level=" in line or "lvl=" in line or "ts=" in line or "time=" in line):
        found = compiled(_LOGFMT).findall(line)
        if found:
            return "\n".join(
                text.replace('\\"', '"').replace("\\n", "\n").replace("\\t", "\t") for text in found
            )
    return line


_TAG = (
    r"(?:tool_use_error|tool_result|function_results|pre|code|samp|span|div|p|stderr|stdout|output|"
    r"result|error|system|details|summary|testsuites?|testcase|failure|system-(?:out|err)|"
    r"(?i:message|stacktrace|errorinfo))"
)
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
        plain = text.replace("\\r", "").replace("\\n", "\n").replace('\\"', '"')
        return plain.replace("\\t", "\t")


def _literal(text: str) -> str:
    """What Python's notation of a string or of bytes stands for."""
    try:
        value: object = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        # Quotation marks that were made plain may end it early.
        value = _unescaped(text.lstrip("b")[1:-1].replace("\\'", "'"))
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def opened(text: str) -> str:
    """The text without the JSON, log record, tags or HTML escapes around it."""
    if "</" in text:
        text = compiled(_TAGS_AFTER).sub("", compiled(_TAGS_BEFORE).sub("", text))
    if "&" in text and compiled(_ENTITY).search(text):
        text = html.unescape(text)
    text = compiled(_YAML).sub("", text, count=1) if compiled(_YAML).match(text) else text
    stripped = text.strip()
    if " => {" in stripped:
        stripped = compiled(_TASK).sub("", stripped, count=1)
    if stripped.endswith(("'", '"')) and compiled(_LITERAL).fullmatch(stripped):
        return opened(_literal(stripped))
    if "\\n" in stripped or stripped.startswith(("{", '"', "[{")) or stripped.endswith(("}", '"')):
        whole = _opened(stripped)
        if whole is not None:
            return whole
    if "{" in text or '="' in text:
        lines = text.split("\n")
        if any(line.lstrip().startswith("{") and line.rstrip().endswith("}") for line in lines) or (
            "level=" in text or "lvl=" in text
        ):
            text = "\n".join(_opened_line(line) for line in lines)
    if "\\" in text and "\n" not in text.strip() and not compiled(_DRIVE).search(text):
        return _unescaped(text) if compiled(_ESCAPED).search(text) else text
    return text
