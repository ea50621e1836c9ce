"""Files, folders and web addresses in a line.

Rule of this module: of a file its name stays, of a web address its host; folders are data. A name
that many files have (`index.ts`) stays with its folder.
"""

from reflection_mcp.tools.identity.mask.numbers import DATA, LOOPBACK, names_itself, port_of
from reflection_mcp.tools.identity.regex import compiled, has_digit
from reflection_mcp.tools.identity.rules.vocabulary import words

_COMMON_NAMES = frozenset(("index", "mod", "__init__", "page", "route", "layout"))
_PROGRAMS = r"/(?:dev|proc|bin|usr/s?bin|usr/local/bin|opt/homebrew/bin)/"
_SUBJECT_AFTER = (
    r"['\")]{0,2}(?:: not found|: no such file|: command not found| does not exist"
    r"| not found|: permission denied|: cannot|: undefined)"
)
_COUNTER = r"\d{3,}|(?<![a-zA-Z0-9])(?=[a-f]*\d)[0-9a-f]{7,64}(?![a-zA-Z0-9])"
_ARITY = r"[^/]*[A-Za-z_!?]/\d{1,2}"
_DRAWN_FILE = r"(?:cc|tmp|rustc|go-build)\w{5,}(?:\.\w{1,5})?"
_URL = (
    r"(?i)(?P<scheme>[a-z][a-z+.-]{1,20})://(?:[^@/\s'\"]{1,200}@)?(?P<host>\[[0-9a-f:]{2,45}"
    r"\]|[\w.<>*-]{0,200})(?::(?P<port>\d{1,5}))?(?P<path>[^\s'\"<>)\]]*)"
)
_LAST_NAME = r"[@A-Za-z][A-Za-z%_.-]{2,40}"
_RELEASE = r"v\d{1,2}(?:(?:alpha|beta|rc)\d{1,2})?"
"""A release in the name of a module or an API: `chi/v5`, `apps/v1beta1`."""
_HASH = r"[-.](?=[A-Za-z0-9_]{0,12}\d)[A-Za-z0-9_]{8,12}(?=\.[a-z]{1,4}$)"


def extension_of(name: str) -> str:
    """The known extension of a file's name, empty if it has none."""
    stem, dot, last = name.rpartition(".")
    return last if dot and stem and last.casefold() in words("extensions") else ""


def file_name(path: str) -> str:
    """The name of a file, with its folder when many have that name; what is counted is data."""
    folder, _, name = path.rpartition("/")
    if compiled(_DRAWN_FILE).fullmatch(name):
        return DATA
    stem = name.split(".", 1)[0]
    if stem in _COMMON_NAMES and folder:
        parent = folder.rpartition("/")[2]
        if (
            parent
            and parent not in (".", "..", "src", "dist", "app", "lib", "cmd")
            and not has_digit(parent)
        ):
            name = f"{parent}/{name}"
    name = compiled(_HASH).sub("", name)
    return compiled(_COUNTER).sub(DATA, name)


def path_masked(path: str, rest: str, before: str = "") -> str:
    """The canonical form of a piece with a slash in it; `rest` is what the line goes on with."""
    path = path.replace("\\", "/")
    name = path.rstrip("/").rpartition("/")[2]
    if extension_of(name) and not path.endswith("/"):
        return file_name(path)
    if path.startswith(("./", "../")) and path.count("/") < 5:
        return names_itself(name)
    if compiled(_ARITY).fullmatch(path):
        return path
    if path[0] in "/~" or path.startswith(".."):
        if before in words("subject words"):
            return names_itself(name)
        if compiled(_PROGRAMS).match(path) or compiled(_SUBJECT_AFTER).match(rest.casefold()):
            return compiled(_COUNTER).sub(DATA, name)
        if path.count("/") == 1 and path[0] == "/" and len(name) < 3:
            return path
        return DATA
    return "/".join(
        part if compiled(_RELEASE).fullmatch(part) else names_itself(part)
        for part in path.split("/")
    )


def url_masked(chunk: str) -> str:
    """A piece with web addresses in it: of each the host, the port and a last name stay."""

    def one(match: object) -> str:
        found = compiled(_URL).match(str(match))
        return (
            ""
            if found is None
            else _address(found["scheme"], found["host"], found["port"], found["path"])
        )

    return compiled(_URL).sub(lambda match: one(match[0]), chunk)


def _address(scheme: str, host: str, port: str | None, path: str) -> str:
    if scheme.casefold() in ("file", "webpack", "unix"):
        return path_masked(path.rstrip(".,:;"), "") if path else DATA
    if host in LOOPBACK:
        host = "<lo>"
    elif host.replace(".", "").isdigit():
        host = DATA
    last = compiled(r"[?#]").split(path.replace("%2f", "/"))[0].rstrip("/.,:;").rpartition("/")[2]
    plain = compiled(_LAST_NAME).fullmatch(last) is not None and not last.endswith(
        (".git", ".html", ".js", ".htm")
    )
    name = f"/{last}" if plain else ""
    return f"{host}{':' + port_of(port) if port else ''}{name}"
