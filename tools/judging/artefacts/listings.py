"""Readers of complete listings in a context: options of a program, files, columns, parameters.

Rule of this module: each reader returns nothing unless the form of the context says that it lists
everything of its kind: a page about one program, a tree, a schema, a signature.
"""

import re
from collections.abc import Mapping
from posixpath import commonprefix, normpath
from typing import NamedTuple

LIMIT = 200_000
"""Characters that are read."""
LONGEST = 20_000
"""Characters of a bracket that are read."""
FEWEST = 3
"""Entries that make a listing."""


class Page(NamedTuple):
    """A page about one program, with its long options."""

    program: str
    options: frozenset[str]


_TITLE = re.compile(r"\A\s{0,20}#{1,2} ([a-z][\w.-]{0,30}(?: [a-z][\w-]{0,30}){0,2})\s*\n")
_USAGE = re.compile(
    r"^\s{0,8}(?:usage|synopsis):?\s{1,20}"
    r"([a-z][\w./-]{0,60}(?:(?: [a-z][a-z\d-]{1,20}){1,3}(?= [<\[])| [a-z][a-z-]{1,20}(?=\s*$))?)",
    re.I | re.M,
)
_OR = re.compile(r"^\s{1,8}or: ([a-z][\w-]{0,30}(?: [a-z][a-z-]{1,20}){0,3})", re.M)
_MAN_NAME = re.compile(r"^NAME\s*\n\s{1,12}([a-z][\w.-]{0,40})", re.M)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z\d]*(?:-[a-z\d]+)*(?![\w])", re.I)


def page_of(context: str) -> Page | None:
    """Return what a `--help` text, a manual page or a short page of examples lists."""
    text = context[:LIMIT]
    named = _USAGE.search(text) or _TITLE.match(text) or _MAN_NAME.search(text)
    if named is None:
        return None
    program = named[1].split("/")[-1].removesuffix(".py")
    # Of a command with several usages ("or: git stash push") only what they share is its name.
    for other in _OR.findall(text):
        program = commonprefix([f"{program} ", f"{other} "]).rpartition(" ")[0] or program
    options = frozenset(option.lower() for option in OPTION.findall(text))
    # A page of examples quotes its program again and again, prose about it does not.
    if (
        named.re is _TITLE
        and len(re.findall(rf"`[^`\n]{{0,20}}{re.escape(program)}", text)) < FEWEST
    ):
        return None
    if len(options) < FEWEST - (named.re is _TITLE):
        options = frozenset[str]()
    return Page(program, options)


_TREE_LINE = re.compile(
    r"(?P<lead>[\u2500-\u257f|+`\- \t\u00a0]{0,120})(?P<name>[\w@.][\w@.+/-]{0,100})"
    r"(?:\s{2,}.*|\s#.*)?"
)
_PATH_LINE = re.compile(r"(?:\./)?((?:[\w@.+-]+/)+[\w@.+-]+)")


def tree_of(context: str) -> frozenset[str]:
    """Return the paths of a drawn or indented tree, or of a list of files; folders end in "/"."""
    lines = [line.rstrip() for line in context[:LIMIT].splitlines() if line.strip()]
    listed = [match[1] for line in lines if (match := _PATH_LINE.fullmatch(line.strip()))]
    if len(listed) >= FEWEST + 2 and len(listed) > len(lines) * 0.8:
        folders = {path[: at + 1] for path in listed for at, sign in enumerate(path) if sign == "/"}
        return frozenset(listed) | folders
    paths: set[str] = set()
    parents: list[tuple[int, str]] = []
    matched = folders_seen = 0
    for line in lines:
        match = _TREE_LINE.fullmatch(line)
        if match is None:
            continue
        matched += 1
        depth, name = len(match["lead"]), match["name"]
        while parents and parents[-1][0] >= depth:
            parents.pop()
        prefix = parents[-1][1] if parents else ""
        if name.endswith("/") or "." not in name:
            parents.append((depth, f"{prefix}{name.rstrip('/')}/"))
            folders_seen += name.endswith("/")
            paths.add(parents[-1][1])
        else:
            paths.add(prefix + name)
    drawn = any("──" in line for line in lines)
    is_tree = matched >= FEWEST + 1 and matched >= len(lines) * 0.8 and (folders_seen or drawn)
    return frozenset(paths) if is_tree else frozenset()


_DESCRIBED = re.compile(
    r'^\s{0,40}Table "(?:\w+\.)?(\w+)"\n[^\n]{0,400}\n[-+ ]{5,400}\n'
    r"((?: ?[^|\n]{1,80}\|[^\n]{0,300}\n){1,500})",
    re.M,
)
_TABLE = re.compile(
    r"create\s+(?:temp(?:orary)?\s+)?table\s+(?:if\s+not\s+exists\s+)?([\w.\"`]{1,80})\s*\(", re.I
)
_NOT_COLUMNS = frozenset("primary foreign unique key constraint check index exclude like".split())


def schema_of(context: str) -> Mapping[str, frozenset[str]]:
    """Return the columns of each table that is created, all names in lower case."""
    text = context[:LIMIT]
    tables: dict[str, frozenset[str]] = {}
    end = 0
    for created in _TABLE.finditer(text):
        if created.start() < end:
            continue
        parts, end = parts_at_commas(text, created.end())
        words = (re.findall(r"[\w\"`]+", re.sub(r"--.*", "", part)) for part in parts)
        names = (row[0].strip('"`').lower() for row in words if row)
        columns = frozenset(name for name in names if name not in _NOT_COLUMNS)
        if text[end - 1 : end] == ")" and columns:
            tables[created[1].split(".")[-1].strip('"`').lower()] = columns
    for name, rows in _DESCRIBED.findall(f"{text}\n"):
        first = (row.split("|")[0].strip().lower() for row in rows.splitlines())
        tables[name.lower()] = frozenset(column for column in first if column)
    for altered in re.finditer(
        r"alter\s+table\s+([\w.\"`]+)\s+add\s+(?:column\s+)?(?:if not exists )?(\w+)", text, re.I
    ):
        table = altered[1].split(".")[-1].strip('"`').lower()
        if table in tables:
            tables[table] |= {altered[2].lower()}
    return tables


def parts_at_commas(text: str, start: int) -> tuple[list[str], int]:
    """Return what stands between the commas of a bracket that is open at a place, and its end."""
    depth, parts, at = 1, list[str](), start
    for at in range(start, min(len(text), start + LONGEST)):
        sign = text[at]
        depth += (sign in "([{") - (sign in ")]}")
        if depth == 0 or (sign == "," and depth == 1):
            parts.append(text[start:at])
            start = at + 1
        if depth == 0:
            break
    return parts, at + 1


_SIGNATURE = re.compile(
    r"\b(?:def|func|fun|fn|function)\s+([A-Za-z_]\w{2,60})(?:<[^<>\n]{0,80}>)?\s*\(", re.I
)


_CLASS = re.compile(r"class ([A-Za-z_]\w{2,60})")


def signatures_of(context: str) -> frozenset[str]:
    """Return the functions whose parameters are given, but those that take any."""
    text, end, found = context[:LIMIT], 0, set[str]()
    for one in _SIGNATURE.finditer(text):
        if one.start() >= end:
            parts, end = parts_at_commas(text, one.end())
            # A class is called by its own name.
            place = text.rfind("class ", 0, one.start()) if one[1] == "__init__" else -1
            made = _CLASS.match(text, place) if place >= 0 else None
            if not any("**" in part or "..." in part for part in parts):
                found.add(made[1] if made else one[1])
    return frozenset(found)


def clean_path(path: str) -> str:
    """Return a path without what editors and logs add to it: `./`, a line number."""
    path = re.sub(r":\d.*|#L\d.*", "", path.replace("\\", "/"))
    return normpath(path.removeprefix("./")) if path else ""
