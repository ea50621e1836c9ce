"""The person behind a source.

Rule: a source `ann/editor` is a client of the person `ann`, whom a server had proof of; what stands
before the name (`user:ann/editor`) says how the words came about. Any other source stands for
itself.
"""

import re

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")  # as of projects: `server/project.py`


def principal_of(source: str) -> str:
    """Return the name of the person whose client a source is, or an empty text."""
    before, slash, _ = source.partition("/")
    name = before.rpartition(":")[2]
    return name if slash and _NAME.fullmatch(name) else ""


def person_of(source: str) -> str:
    """Return what a source counts as: all clients of a person are one."""
    return principal_of(source) or source


def client_of(source: str) -> str:
    """Return the client of a source, without its person and conversation, or how the words came
    about."""
    before, _, after = source.partition("/")
    named = after if principal_of(source) == before else source
    return named.partition(":")[0]


def another_than(reader: str, source: str) -> str:
    """Return the person behind a source, unless there is none or it is the one who reads."""
    name = principal_of(source)
    return "" if name == reader else name
