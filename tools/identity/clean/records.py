"""The error text inside a structured record: JSON, JSON in JSON, a Python dictionary, logfmt.

Rule of this module: a record of an error is spoken as its type or code, a colon, and its message;
the time, the level, ids and the other fields of a log are left out.
"""

import json
import re
from typing import cast

from reflection_mcp.tools.identity.regex import compiled

_BEGIN = r"[{\[]\s{0,40}[\[{]?\s{0,40}\\{0,3}[\"'][@$]?\w"
_MOST_RECORDS = 24
_DEEPEST = 7
_LONGEST = 8_000
_NAMES = ("type", "name", "code", "Code", "status", "error_code", "errorCode", "__type", "reason")
_MESSAGES = tuple(
    "message Message msg errorMessage error_description error_message errmsg detail "
    "details description title text log stderr output content stack stacktrace "
    "stack_trace exception traceback error errors err cause reason value".split()
)
_STREAMS = frozenset(
    "log stderr output content text stack stacktrace stack_trace exception traceback".split()
)
_SUBJECTS = ("resource", "path", "loc", "field", "param", "parameter", "property", "target")
"""What a finding of a validator is about, in a record without a message."""
_PLAIN_NAMES = frozenset(("error", "Error", "none", "None", "null", "text", "about:blank"))
_FIELD = (
    r"[\"'](message|msg|detail|error_description|errorMessage|errmsg|type|code|status)[\"']\s?:\s?"
    r"(?:\"((?:[^\"\\]|\\.){0,3000})\"?|'((?:[^'\\]|\\.|(?<=\w)'(?=\w)){0,3000})'?|(-?\d{1,9}))"
)
_LOC = r"['\"]loc['\"]: ?[(\[]([^)\]]{1,200})"
_DRIVE = r"(?<![A-Za-z])[A-Za-z]:\\[A-Za-z]"
_LOGFMT = r"(?<![\w.])([a-zA-Z_][\w.]{0,30})=(?:\"((?:[^\"\\]|\\.){0,2000})\"|([^\s\"]{1,200}))"
_LOGFMT_BEGIN = r"(?<![\w.])(?:level|lvl|severity)=|(?<![\w.])(?:msg|error|err)=\""


def _spoken(value: object, depth: int = 0) -> list[str]:
    """The lines that a parsed record says, the messages in their own order."""
    if depth > _DEEPEST:
        return []
    if isinstance(value, str):
        return _inner(value, depth)
    if isinstance(value, list):
        every = cast("list[object]", value)[:_MOST_RECORDS]
        return [line for one in every for line in _spoken(one, depth + 1)]
    if not isinstance(value, dict):
        return []
    return _of_fields(cast("dict[str, object]", value), depth)


def _of_fields(fields: dict[str, object], depth: int) -> list[str]:
    """What the fields of a record say: its name and its messages, else what it is about."""
    names = [_name(key, fields[key]) for key in _NAMES if isinstance(fields.get(key), str | int)]
    named = [name for name in dict.fromkeys(names) if name not in _PLAIN_NAMES and len(name) < 60]
    named = [name for name in named if name != fields.get("reason") or " " not in name]
    name = " ".join(named)
    lines: list[str] = []
    for key in _MESSAGES:
        if key == "reason" and " " not in str(fields.get(key)):
            continue
        said = _spoken(fields[key], depth + 1) if fields.get(key) else []
        if said and name and isinstance(fields[key], str) and key not in _STREAMS:
            said[0] = said[0] if said[0].startswith(name) else f"{name}: {said[0]}"
            name = ""
        lines += [line for line in said if line not in lines]
    # What stands on several lines is what a program printed, whatever a logger calls the field.
    printed = [held for held in fields.values() if isinstance(held, str) and "\n" in held.strip()]
    lines += [line for held in printed for line in _inner(held, depth) if line not in lines]
    file, function = fields.get("filename"), fields.get("function")
    if isinstance(file, str) and isinstance(function, str):
        return [f'  File "{file}", line 1, in {function}']
    if lines:
        if where := _about(fields):
            lines[0] = f"{lines[0]} ({where})"
        return lines
    inner: list[object] = [held for held in fields.values() if isinstance(held, dict | list)]
    for held in inner[:_MOST_RECORDS]:
        lines += _spoken(held, depth + 1)
    if lines:
        return lines
    about = [str(fields[key]) for key in _SUBJECTS if fields.get(key)]
    if name and (about or depth):
        return [": ".join((*about, name))]
    longest = max((held for held in fields.values() if isinstance(held, str)), key=len, default="")
    return _inner(longest, depth) if len(longest.split()) > 2 else []


def _name(key: str, value: object) -> str:
    """A type or code as it is spoken, a status of HTTP as one."""
    is_status = key in ("status", "code") and compiled(r"[45]\d\d").fullmatch(str(value))
    return f"status {value}" if is_status else str(value)


def _about(fields: dict[str, object]) -> str:
    """The parts of what a validator found wrong: `["body", "name"]`."""
    for key in ("loc", "path"):
        if isinstance(fields.get(key), list):
            parts = cast("list[object]", fields[key])
            return " ".join(part for part in parts if isinstance(part, str))
    return ""


def _inner(text: str, depth: int) -> list[str]:
    """The lines of a string, which may be a record itself."""
    body = text.strip()
    if body[:1] in "{[" and depth < 4:
        try:
            return _spoken(json.loads(body, strict=False), depth + 1) or text.split("\n")
        except (ValueError, RecursionError):
            pass
    return text.split("\n")


def _fields(record: str) -> str:
    """What a record says that no parser takes, by the names of its fields."""
    found = [(m[1], m[2] or m[3] or m[4] or "") for m in compiled(_FIELD).finditer(record)]
    names = [
        text for key, text in found if key in ("type", "code", "status") and text[:1].isalnum()
    ]
    said = [text for key, text in found if key not in ("type", "code", "status") and text]
    if not said:
        return record
    name = " ".join(n for n in dict.fromkeys(names) if n not in _PLAIN_NAMES)
    if about := compiled(_LOC).search(record):
        said[0] += f" ({' '.join(compiled(r'[A-Za-z_]+').findall(about[1]))})"
    whole = ". ".join(dict.fromkeys(said)).replace('\\"', '"').replace("\\n", "\n")
    return f"{name}: {whole}" if name else whole


def _end(text: str, begin: int) -> int:
    """Where the brackets close that open here, at most 8,000 characters on."""
    depth = 0
    last = min(len(text), begin + _LONGEST)
    for match in compiled(r"[{}\[\]]").finditer(text, begin, last):
        depth += 1 if match[0] in "{[" else -1
        if depth == 0:
            return match.end()
    return last


def opened(text: str) -> str:
    """The text with each record in it replaced by what it says."""
    if '"' in text[:2] and text.rstrip().endswith('"') and "\\" in text:
        try:
            whole = json.loads(text.strip(), strict=False)
        except ValueError:
            whole = None
        if isinstance(whole, str):
            text = whole
    if "\\" in text and "\n" not in text.strip() and text.lstrip()[:1] not in ("{", "["):
        text = _unescaped(text)
    if "{" not in text and "[" not in text:
        return text
    pieces: list[str] = []
    at = 0
    decoder = json.JSONDecoder(strict=False)
    for _ in range(_MOST_RECORDS):
        match = compiled(_BEGIN).search(text, at)
        if not match:
            break
        begin = match.start()
        pieces.append(text[at:begin])
        try:
            value, at = decoder.raw_decode(text, begin)
            said = "\n".join(_spoken(value))
        except (ValueError, RecursionError):
            at = _end(text, begin)
            said = _fields(text[begin:at])
        if not said or said == text[begin:at]:
            said = text[begin:at]
        elif pieces[-1].rstrip(" \n").endswith((":", "-", "=>", "(")):
            pieces[-1] = pieces[-1].rstrip(" \n") + " "
        pieces.append(said)
    return "".join((*pieces, text[at:]))


def _unescaped(text: str) -> str:
    """One line that was escaped as a string gets its lines back; Windows paths stay."""
    if re.match(r"^\s*b?(['\"]).*\1\s*$", text):
        text = text.strip().lstrip("b")[1:-1]
    if compiled(_DRIVE).search(text) and "\\\\" not in text:
        return compiled(r"\\n(?=\s|[A-Z'\"]|$)").sub("\n", text)
    try:
        return str(json.loads(f'"{text.strip()}"', strict=False))
    except ValueError:
        pass  # no string of JSON: what is left is undone sign by sign
    if "\\n" not in text:
        return text
    text = text.replace("\\\\", "\x00").replace("\\r", "").replace("\\n", "\n")
    return text.replace('\\"', '"').replace("\\'", "'").replace("\\t", "    ").replace("\x00", "\\")


def fields_read(line: str) -> str:
    """A line of logfmt as its message and error; another line as it is."""
    if "=" not in line or not compiled(_LOGFMT_BEGIN).search(line):
        return line
    found = list(compiled(_LOGFMT).finditer(line))
    by_name = {m[1]: (m[2] or m[3] or "").replace('\\"', '"').replace("\\n", "\n") for m in found}
    said = [
        by_name[key] for key in ("msg", "message", "error", "err", "stderr") if by_name.get(key)
    ]
    if not said:
        return line
    said += [f"{key} {by_name[key]}" for key in ("status", "code", "component") if by_name.get(key)]
    before = line[: found[0].start()].strip()
    if len(before.split()) > 3 and not line.endswith('"'):
        return line
    return f"{before}{': ' if len(before.split()) > 3 else ' '}{': '.join(said)}".strip()
