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
_PROGRAMS = r"(?:/usr(?:/local)?|/opt/homebrew)?/s?bin/|/(?:dev|proc|etc|run|var/run)/"


_OBJECT_BEFORE = (
    r"\b(?:open|stat|lstat|access|unlink|rmdir|mkdir|scandir|copyfile|rename|spawn|spawning|"
    r"exec|execve|execute|executable|module|file|directory|dir|folder|lock|find|read|load|remove|"
    r"create|write|locate|chdir|such file or directory|permission denied|is a directory|"
    r"not a directory|exists|exist at)[:,]? {0,2}['\"(\[<]?$"
)
_OBJECT_AFTER = (
    r"['\")\]>]?:? (?:not found|no such file|permission denied|(?:is|was) (?:not |a |already )|"
    r"does not exist|already exists|cannot be|could not be)"
)
"""Words around a path that is what could not be found or used, and not where it was sought."""


def _basename(match: Match) -> str:
    parts = [part for part in match[0].replace("\\", "/").split("/") if part]
    name = parts[-1] if parts else match[0]
    if "node_modules" in parts[:-2]:
        package = len(parts) - parts[::-1].index("node_modules")
        name = "/".join((*parts[package : package + 1 + parts[package].startswith("@")], name))
    if compiled(r"(?:cc|tmp|go-build)[\w-]{5,}\.[os]|tmp\w{6,12}(?:\.\w{1,4})?").fullmatch(name):
        return "<tmp>"
    return compiled(r"(?=[0-9a-f]{0,60}\d)[0-9a-f]{6,64}(?![g-z])|\d{3,20}").sub("<n>", name)


def _directory(match: Match) -> str:
    path = match[0].rstrip("\\/")
    if compiled(_PROGRAMS).match(path):
        return path.replace("\\", "/").rsplit("/", 1)[-1]
    if compiled(_TOP).fullmatch(path):
        return "<path>"
    separators = path.count("/") + path.count("\\")
    if separators < 2 and not compiled(r"[A-Za-z]:|~").match(path):
        return match[0]
    before = match.string[max(0, match.start() - 60) : match.start()]
    after = match.string[match.end() : match.end() + 60]
    if compiled(_OBJECT_BEFORE, re.I).search(before) or compiled(_OBJECT_AFTER, re.I).match(after):
        return _basename(match)
    return "<path>"


_SEGMENT = r"[\w.@+~$%{}\-]{1,120}+"
_START = r"(?:[A-Za-z]:[\\/]{1,2}|~[\w-]{0,30}[\\/]|\.{1,2}[\\/]|[\\/]{1,2})"

PATHS: tuple[Rule, ...] = (
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
        r"(?<![\w@<])(?=[^\s/\\]{0,160}+[/\\])(?:"
        + _START
        + r"?(?:"
        + _SEGMENT
        + r"[\\/]{1,2}){1,40}[\w.@+~$%\-]{0,120}\.[A-Za-z]\w{0,9}(?![\w/\\(])|"
        + r"(?<![./\\])"
        + _START
        + r"[\w.@+~$%\-]{1,120}\.[A-Za-z]\w{0,9}(?![\w/\\(]))",
        _basename,
        "cannot open /home/bo/shop/src/index.js",
        "cannot open index.js",
        "and/or",
    ),
    Rule(
        "directory",
        "/|\\",
        r"(?<![\w@:.<\\/])(?:[A-Za-z]:[\\/]|~[\w-]{0,30}/|/)(?:"
        + _SEGMENT
        + r"[\\/]{1,2}){0,40}[\w.@+~$%\-*]{1,120}[\\/]?",
        _directory,
        "resolve 'fs' in '/home/bo/shop/dist'",
        "resolve 'fs' in '<path>'",
        "and/or",
    ),
)
