"""Chooses, out of the fields of an opened envelope, the texts that a person would call the error.

Rule of this module: a field is known by its key, or by the shape of its value where nobody knows
the key: a stack is a stack under any name. Times, levels, ids and counters of the envelope go.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import cast

from reflection_mcp.tools.identity.cleaning.reports import findings_of
from reflection_mcp.tools.identity.rule import compiled

_CODES = (
    "type", "code", "status", "statuscode", "status_code", "error_code", "errorcode", "errno",
    "name", "kind", "exception_type", "error_type", "exitcode", "exit_code", "exit_status",
)  # fmt: skip
_SUBJECTS = (
    "field",
    "loc",
    "param",
    "parameter",
    "property",
    "column",
    "pointer",
    "path",
    "instancepath",
)
"""What a finding of a validator is about; two findings of one kind differ in nothing else."""
_MESSAGES = (
    "message", "msg", "error", "err", "error_message", "errormessage", "detail",
    "details", "description", "error_description", "reason", "title", "text", "log", "output",
    "stderr", "stdout", "body", "content", "cause", "errors", "event", "@message", "textpayload",
    "jsonpayload", "result", "data", "lines", "stderr_lines", "stdout_lines", "messages",
)  # fmt: skip
_STACKS = (
    "exception", "stack", "stacktrace", "stack_trace", "traceback", "exc_info", "backtrace",
)  # fmt: skip
_STREAMS = ("stderr", "stdout")
"""Beside what a program printed, a runner's own message says only that it failed."""
_OUTPUTS = (*_STREAMS, "output", "text", "content", "log", "body", "result", "data")
"""Hold all that a program printed, of which a stack is only a part."""
_TYPES = ("type", "exception_type", "error_type", "class", "name")
_SAID = ("value", "message", "reason", "msg", "description")
_TYPE = r"[\w.$:\\]{0,200}(?:Error|Exception|Fault|_error|_exception)"
_OF_AN_ERROR = r"(?:error|err|exception|exc)[._]"
"""Begins the keys of an envelope without nesting: `exception.message`."""
_FRAMES = (
    r"(?m)^[ \t]+at \S|^[ \t]*File \"[^\"\n]{1,400}\", line \d|Traceback \(most recent call|"
    r"^[ \t]*(?:from )?\S{1,200}:\d{1,7}:in |^goroutine \d|^#\d{1,3}[ \t]+\S"
)
_BARE_FRAME = r"\s*(?:at \S|#\d{1,3}[ \t]|\S{1,300}\n[ \t]+\S{1,400}:\d{1,7}\b)"
_ERROR = r"\b(?:[A-Z]\w{0,80}(?:Error|Exception)|error|failed|panic)\b"
_OUTCOMES = ("level", "severity", "status", "outcome", "state", "conclusion", "category")
_FAILED = frozenset("error errors fatal critical failed failure fail severe emergency".split())
_DEPTH = 5
_DEEPEST = 12
"""So deep a stack or an exception is looked for that lies under keys nobody knows."""
_MOST = 8
"""Values of a list that are looked at."""

_MOST_LINES = 400
"""Values of a list that are looked at, if all are texts: the lines of one."""

_PLAIN = (str, int)
_LISTS = (list, tuple)
"""What JSON, and the notation of Python, make of a list."""

_Fields = Mapping[str, object]


def _is_stack(text: str) -> bool:
    """Whether a text is a stack together with what is said of it."""
    return (
        "\n" in text
        and compiled(_BARE_FRAME).match(text) is None
        and compiled(_FRAMES).search(text) is not None
    )


def _says_what(text: str) -> bool:
    """Whether a text under the key of a stack tells what happened, and not only where."""
    if "\n" in text.strip():
        return compiled(_BARE_FRAME).match(text) is None
    return "Error" in text or "Exception" in text


def _stacks(value: object, depth: int = 0) -> Iterator[str]:
    """The stacks anywhere in a value."""
    if isinstance(value, str):
        if _is_stack(value):
            yield value
    elif depth <= _DEEPEST and isinstance(value, dict):
        for key, item in cast("Mapping[object, object]", value).items():
            if not (isinstance(item, str) and str(key).casefold() in _OUTPUTS):
                yield from _stacks(item, depth + 1)
    elif depth <= _DEEPEST and isinstance(value, _LISTS):
        for item in cast("Sequence[object]", value)[:_MOST]:
            yield from _stacks(item, depth + 1)


def _told_by_key(fields: _Fields, keys: Sequence[str], depth: int) -> list[str]:
    return [text for key in keys if key in fields for text in _strings(fields[key], depth + 1)]


def _text(fields: _Fields, keys: Sequence[str], pattern: str = r"[\s\S]*\S[\s\S]*") -> str:
    """The first text under one of the keys that matches."""
    texts = (value for key in keys if isinstance(value := fields.get(key), str))
    return next((text for text in texts if compiled(pattern).fullmatch(text)), "")


def _codes(fields: _Fields) -> list[str]:
    return [
        f"{key}: {code}"
        for key in _CODES
        if isinstance(value := fields.get(key), _PLAIN)
        and not isinstance(value, bool)
        and (code := str(value)).strip()
        and len(code) <= 80
    ]


def _subjects(fields: _Fields) -> list[str]:
    found: list[str] = []
    for key in _SUBJECTS:
        value = fields.get(key)
        if isinstance(value, list | tuple):
            value = ".".join(map(str, cast("Sequence[object]", value)))
        elif key == "path":
            continue  # of a request or a file, which is incidental
        if isinstance(value, str) and 0 < len(value) <= 80:
            found.append(f"{key}: {value}")
    return found


def _frames(value: object) -> list[str]:
    """Stack frames that travelled as fields, as Python prints them: the innermost last."""
    if not isinstance(value, dict):
        return []
    frames: object = cast("Mapping[object, object]", value).get("frames")
    found: list[str] = []
    for one in cast("list[object]", frames)[-50:] if isinstance(frames, list) else ():
        frame: _Fields = cast("_Fields", one) if isinstance(one, dict) else {}
        file, function = _text(frame, ("filename", "file")), _text(frame, ("function", "method"))
        if file:
            found.append(f'  File "{file}", line 1, in {function or "<module>"}')
    return found


def _exception(fields: _Fields) -> list[str]:
    """An exception whose type and message travelled in two fields, as one line."""
    kind, said = _text(fields, _TYPES, _TYPE), _text(fields, _SAID)
    if not kind or not said:
        return []
    frames = [line for key in _STACKS for line in _frames(fields.get(key))]
    return [*frames, said if kind in said else f"{kind}: {said}"]


def _unknown(fields: _Fields) -> list[str]:
    """Texts under keys nobody knows that can only be the error, by their shape."""
    known = {*_CODES, *_SUBJECTS, *_MESSAGES, *_STACKS, *_SAID}
    return [
        value
        for key, value in fields.items()
        if key not in known
        and isinstance(value, str)
        and " " in value
        and compiled(_ERROR).search(value)
        and ("\n" in value.strip() or compiled(_TYPE + r":? .+").match(value))
    ]


def _fields(value: Mapping[object, object]) -> _Fields:
    """The fields with keys as the tables write them."""
    fields = {compiled(_OF_AN_ERROR).sub("", str(key).casefold()): value[key] for key in value}
    if _text(fields, _STREAMS):
        fields = {key: item for key, item in fields.items() if key not in ("msg", "cmd")}
    return fields


def _strings(value: object, depth: int) -> list[str]:
    if depth > _DEPTH:
        return []
    if isinstance(value, str):
        return [value] if value else []
    if isinstance(value, _LISTS):
        items = cast("Sequence[object]", value)[:_MOST]
        if len(items) > 1 and all(isinstance(item, str) for item in items):
            return ["\n".join(cast("Sequence[str]", value)[:_MOST_LINES])]
        return [text for item in items for text in _strings(item, depth + 1)]
    if not isinstance(value, dict):
        return []
    fields = _fields(cast("Mapping[object, object]", value))
    stacks = _told_by_key(fields, _STACKS, depth)
    if any(map(_says_what, stacks)):
        return stacks
    exception = _exception(fields)
    if exception:
        rest = {key: item for key, item in fields.items() if key not in (*_TYPES, *_SAID)}
        return [*_codes(rest), *_subjects(rest), *exception]
    codes, messages = _codes(fields), _told_by_key(fields, _MESSAGES, depth)
    messages += _unknown(fields)
    if messages or stacks:
        return [*codes, *_subjects(fields), *messages, *stacks]
    return [*codes, *subjects] if depth and (subjects := _subjects(fields)) and codes else []


def _exceptions(value: object, depth: int = 0) -> Iterator[list[str]]:
    """The exceptions anywhere in a value, under whatever keys."""
    if isinstance(value, dict):
        fields = _fields(cast("Mapping[object, object]", value))
        if exception := _exception(fields):
            yield exception
        items: Sequence[object] = list(fields.values())
    else:
        items = cast("list[object]", value)[-_MOST:] if isinstance(value, list) else ()
    if depth <= _DEEPEST:
        for item in items:
            yield from _exceptions(item, depth + 1)


def _failures(value: object, depth: int = 0) -> Iterator[list[str]]:
    """What is said anywhere in a value of what failed, under whatever keys."""
    if isinstance(value, dict):
        fields = _fields(cast("Mapping[object, object]", value))
        said = _told_by_key(fields, _MESSAGES, 0)
        if said and (_fails(fields) or any(map(compiled(_ERROR).search, said))):
            yield said
        items: Sequence[object] = list(fields.values())
    else:
        items = cast("list[object]", value)[:_MOST] if isinstance(value, list) else ()
    if depth <= _DEEPEST:
        for item in items:
            yield from _failures(item, depth + 1)


def _fails(fields: _Fields) -> bool:
    """Whether a level or an outcome among the fields says that something failed."""
    said = (fields.get(key) for key in _OUTCOMES)
    return any(isinstance(one, str) and one.casefold() in _FAILED for one in said)


def told(value: object) -> list[str]:
    """The texts of an opened envelope: its stack, or codes and then messages; empty without any."""
    findings = list(islice(dict.fromkeys(findings_of(value)), _MOST))
    if findings:
        return findings
    stacks = list(dict.fromkeys(_stacks(value))) if not isinstance(value, str) else []
    if stacks:
        return stacks[:2]
    found = list(dict.fromkeys(_strings(value, 0)))
    if found:
        return found
    exceptions = list(_exceptions(value))
    return exceptions[-1] if exceptions else next(_failures(value), list[str]())
