"""Paths of files and directories.

Rule of this module: a file keeps its base name, a program its name, and so does a directory that
is what could not be used; where they lie goes. A short absolute path may be a route of a service,
and stays.
"""

import re

from reflection_mcp.tools.identity.rule import Match, Rule, compiled

_TOP = (
    r"/(?:app|apps|workspace|workspaces|work|src|build|builds|srv|opt|home|root|tmp|var|"
    r"data|code|project|projects|repo|mnt|usr|github|site|www|function|task)"
)
_NAMED_ALONE = (
    r"(?:(?:.{0,800}/)?\.?(?:s?bin|libexec|Scripts|shims)|/(?:dev|proc|etc)(?:/.{1,800})?|"
    r"(?:/var)?/run(?:/(?!containerd|docker|user|media)[\w.-]{1,80})?)/[^/]{1,200}$"
)
"""Programs, devices and settings: where they lie is known or does not matter."""

_OBJECT_BEFORE = (
    r"\b(?:open|stat|lstat|access|unlink|rmdir|mkdir|scandir|copyfile|rename|spawn|spawning|"
    r"exec|execve|execute|executable|module|file|directory|dir|folder|lock|find|read|load|remove|"
    r"create|write|locate|chdir|such file or directory|permission denied|is a directory|"
    r"not a directory|exists|exist at)[:,]? {0,2}['\"(\[<]?$"
)
_LAST_BEFORE = tuple(
    "open stat access unlink rmdir mkdir scandir copyfile rename spawn spawning exec execve "
    "execute executable module file directory dir folder lock find read load remove create write "
    "locate denied exists at".split()
)
"""Last words of what stands before a path that could not be used, its signs aside."""
_OBJECT_AFTER = (
    r"['\")\]>]?:? (?:not found|no such file|permission denied|(?:is|was) (?:not |a |already )|"
    r"does not exist|already exists|cannot be|could not be|"
    r"failed: (?:no such file|permission denied|not a directory|is a directory|file exists))"
)
"""Words around a path that is what could not be found or used, and not where it was sought."""
_PLACE_BEFORE = (
    r"\bin (?:this |the |your )?(?:\w{1,20} )?(?:directory|dir|folder)[:,]? {0,2}['\"(\[<]?$"
)


_TEMPORARY = r"(?:cc|tmp|go-build)[\w-]{5,}\.[os]|tmp\.?\w{4,12}(?:\.\w{1,4})?"
_TEMPORARY_BEGINS = ("cc", "tmp", "go-build")


def _in_package(parts: list[str], name: str) -> str:
    """The name of a file, with the package before it if it lies in one of Node.js."""
    if "node_modules" not in parts[:-2]:
        return name
    package = len(parts) - parts[::-1].index("node_modules")
    return "/".join((*parts[package : package + 1 + parts[package].startswith("@")], name))


def _basename(match: Match) -> str:
    path = match[0].replace("\\", "/").rstrip("/")
    name = path.rsplit("/", 1)[-1] or match[0]
    if "node_modules" in path:
        name = _in_package([part for part in path.split("/") if part], name)
    if name.startswith(_TEMPORARY_BEGINS) and compiled(_TEMPORARY).fullmatch(name):
        return "<tmp>"
    if not any(map(str.isdecimal, name)):
        return name
    return compiled(r"(?=[0-9a-f]{0,60}\d)[0-9a-f]{6,64}(?![g-z])|\d{3,20}").sub("<n>", name)


def _directory(match: Match) -> str:
    path = match[0].rstrip("\\/")
    slashed = path.replace("\\", "/")
    if compiled(_NAMED_ALONE).match(slashed):
        return slashed.rsplit("/", 1)[-1]
    if compiled(_TOP).fullmatch(path):
        return "<path>"
    if slashed.count("/") < 2 and not compiled(r"[A-Za-z]:|[~$%]").match(path):
        return match[0]
    before = match.string[max(0, match.start() - 60) : match.start()]
    after = match.string[match.end() : match.end() + 60]
    used = (
        before.rstrip(" \n:,'\"([<").casefold().endswith(_LAST_BEFORE)
        and compiled(_OBJECT_BEFORE, re.I).search(before)
        and not compiled(_PLACE_BEFORE, re.I).search(before)
    )
    if used or compiled(_OBJECT_AFTER, re.I).match(after):
        return _basename(match)
    return "<path>"


_SIGN = r"\w.@+~$%{}\-\u0300-\u036f\u0900-\u1fff\u200d\ufe0f\U0001f000-\U0001faff"
"""A sign in the name of a directory, in any script: marks are no letters to `\\w`."""
_MASKED = r"<(?:id|hex|time|ip|n|loopback)>"
"""What an earlier row made of a piece of a name."""
_SEGMENT = (
    r"(?:[" + _SIGN + r"]{1,120}+|" + _MASKED + r"|(?<=\w)&(?=\w)|(?<=[\w-]{20})==(?=[-/\\])|"
    r"(?<=[/\\])[\[(][\w.-]{1,60}[\])](?=[/\\])){1,8}"
)
_NAME = r"(?:[" + _SIGN + r"*]{1,120}+|" + _MASKED + r"){1,8}"
_WINDOWS = r"(?:\\{2,4}[?.]\\{1,2}(?:UNC\\{1,2})?)?"
"""What Windows puts before a path that may be long."""
_START = _WINDOWS + r"(?:[A-Za-z]:[\\/]{1,2}|~[\w-]{0,30}[\\/]|\.{1,2}[\\/]|[\\/]{1,4})"
_VARIABLE = r"\$\{?[A-Z_]{3,30}\}?[\\/]|%[A-Z_]{3,30}%[\\/]"
_SHARE = r"\\{2,4}(?=[\w.$-]{2,80}(?:<loopback>)?\\{1,2}[\w.$-]{2,80})"
_NO_DIRECTORY = r"(?![\w/\\(]|[\w.@+~$%{}<>=\-]{1,120}+[/\\])"
"""Behind the ending of a file: what is no part of a name that goes on, and ends as a directory."""

_FILE = (
    r"(?<![\w@<])(?=[^\s/\\]{0,160}+[/\\])(?:"
    + _START
    + r"?(?:"
    + _SEGMENT
    + r"[\\/]{1,2}){1,40}[\w.@+~$%\-]{0,120}\.[A-Za-z]\w{0,9}"
    + _NO_DIRECTORY
    + "|"
    + r"(?<![./\\])"
    + _START
    + r"[\w.@+~$%\-]{1,120}\.[A-Za-z]\w{0,9}"
    + _NO_DIRECTORY
    + ")"
)
_DIRECTORY = (
    r"(?<![\w@:.<\\/])(?:"
    + _WINDOWS
    + r"[A-Za-z]:[\\/]{1,2}|~[\w-]{0,30}[\\/]|/|"
    + f"{_SHARE}|{_VARIABLE})(?:{_SEGMENT}"
    + r"[\\/]{1,2}){0,40}"
    + _NAME
    + r"[\\/]?"
)
_WHOLE = r"(?s).+"
"""Few words of a text hold a separator: where paths are looked for is found out first."""


def _files(match: Match) -> str:
    file, words = compiled(_FILE), match[0].split(" ")
    for at, word in enumerate(words):
        if "/" in word or "\\" in word:
            words[at] = file.sub(_basename, word)
    return " ".join(words)


def _directories(match: Match) -> str:
    text = match[0]
    held = "/" in text or "\\" in text
    return compiled(_DIRECTORY).sub(_directory, text) if held else text


PATHS: tuple[Rule, ...] = (
    Rule(
        "pointer into a schema",
        "#/",
        r"(?<![\w/])#/(?:[\w$.~%-]{1,80}/){0,12}([A-Za-z_$][\w$.~%-]{0,100})(?![\w/])",
        r"#\1",
        "can't resolve reference #/definitions/order from id #",
        "can't resolve reference #order from id #",
        "https://a.example/#/cart",
    ),
    Rule(
        "query behind a path",
        "?",
        r"((?<![\w.])/[\w./~%@+-]{1,200})\?[\w.%\[\]-]{1,60}=[^\s'\")\],]{0,400}",
        r"\1",
        "GET /orders/list?page=3&size=20 HTTP/1.1",
        "GET /orders/list HTTP/1.1",
        "why/not? a=b",
    ),
    Rule(
        "path of a file",
        "/|\\",
        _WHOLE,
        _files,
        "cannot open /home/bo/shop/src/index.js",
        "cannot open index.js",
        "and/or",
    ),
    Rule(
        "directory",
        "/|\\",
        _WHOLE,
        _directories,
        "resolve 'fs' in '/home/bo/shop/dist'",
        "resolve 'fs' in '<path>'",
        "and/or",
    ),
)
