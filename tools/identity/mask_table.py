"""The masks: what is incidental in an error message, as one ordered table.

Rule of this module: a value that differs between two meetings of one error is replaced by a
placeholder that says what stood there; a value that names the fault (a type, code, module, key,
host, well-known port, file name) stays. Order matters, each row sees the work of those above it.
No row depends on words of one human language unless a tool prints them in that language only.
"""

import re

from reflection_mcp.tools.identity.ports import WELL_KNOWN_PORTS
from reflection_mcp.tools.identity.rule import ANY_DIGIT, Rule, compiled

LOOPBACK = "<loopback>"
_LOCAL_NAMES = frozenset(("localhost", "127.0.0.1", "0.0.0.0", "::1", "[::1]", "::", "[::]"))
_NAMING_HOSTS = (
    "github.com", "gitlab.", "bitbucket.org", "codeberg.org", "registry.", "pypi.org", "crates.io",
    "npmjs.", "docker.io", "ghcr.io", "quay.io", "gcr.io", "proxy.golang.org", "rubygems.org",
    "maven", "packagist.org", "huggingface.co", "nuget.org",
)  # fmt: skip
"""On these hosts the end of the path names the repository or package that is meant."""


def _host(name: str) -> str:
    name = name.casefold()
    if name in _LOCAL_NAMES:
        return LOOPBACK
    if compiled(r"\d{1,3}(?:\.\d{1,3}){3}|\[?[0-9a-f:]*:[0-9a-f:.]*\]?").fullmatch(name):
        return "<ip>"
    return name


def _url(match: re.Match[str]) -> str:
    host, port, path = _host(match[2]), (match[3] or "")[1:], match[4] or ""
    kept = f":{port}" if port in WELL_KNOWN_PORTS else ""
    name = ""
    if any(known in host for known in _NAMING_HOSTS):
        last = path.split("?")[0].split("#")[0].rstrip("/").rsplit("/", 1)[-1].removesuffix(".git")
        name = f" {last}" if last and not last.isdigit() else ""
    return f"<url {host}{kept}{name}>"


def _repository(match: re.Match[str]) -> str:
    name = match[2].rsplit("/", 1)[-1].removesuffix(".git")
    return f"<url {match[1].casefold()} {name}>"


_FILES = (
    r"\.(?:[cm]?[jt]sx?|py|go|java|kts?|cc?|cpp|hp?p?|rb|php|cs|json|ya?ml|toml|vue|"
    r"svelte|css|html?|lua|exs?|"
    r"zig|hs|swift|sql|txt|log|rs|erl|scala|dart|tf|xml|vim|m|mm|r|jl|nim|d|f90|sh|bash|ps1|md):$"
)


def _port(match: re.Match[str]) -> str:
    before, port = match[1], match[2]
    if compiled(_FILES, re.IGNORECASE).search(before):
        return match[0]
    return before + (port if port in WELL_KNOWN_PORTS else "<n>")


_TOP = (
    r"/(?:app|apps|workspace|workspaces|work|src|build|builds|srv|opt|home|root|tmp|var|"
    r"data|code|project|projects|repo|mnt|usr|github|site|www|function|task)"
)
_PROGRAMS = r"(?:/usr(?:/local)?|/opt/homebrew)?/s?bin/|/(?:dev|proc|etc|run|var/run)/"


def _basename(match: re.Match[str]) -> str:
    parts = [part for part in re.split(r"[\\/]", match[0]) if part]
    name = parts[-1] if parts else match[0]
    if compiled(r"(?:cc|tmp|go-build)[\w-]{5,}\.[os]|tmp\w{6,12}(?:\.\w{1,4})?").fullmatch(name):
        return "<tmp>"
    return compiled(r"(?=[0-9a-f]{0,60}\d)[0-9a-f]{6,64}(?![g-z])|\d{3,20}").sub("<n>", name)


def _directory(match: re.Match[str]) -> str:
    path = match[0].rstrip("\\/")
    if compiled(_PROGRAMS).match(path):
        return re.split(r"[\\/]", path)[-1]
    if compiled(_TOP).fullmatch(path):
        return "<path>"
    separators = path.count("/") + path.count("\\")
    if separators < 2 and not compiled(r"[A-Za-z]:|~").match(path):
        return match[0]
    return "<path>"


_CODE_BEFORE = (
    r"(?<![a-z])(?:exit(?:ed)?(?: with)?(?: (?:code|status|value))?|status(?:[ _]?code)?|"
    r"returned(?: error)?(?: code)?|errno|"
    r"error(?: code)?|err|code|signal|http(?:/\d(?:\.\d)?)?|err!|curl:|"
    r"sqlstate(?:\[\w{5}\])?|rc|ret|result|"
    r"fehler(?:code)?|fehlernummer|erreur|c[o\u00f3]digo|errore|\u043a\u043e\u0434|"
    r"\u043e\u0448\u0438\u0431\u043a\u0430|"
    r"\u9519\u8bef(?:\u4ee3\u7801)?|\u4ee3\u7801|\u932f\u8aa4|\u30a8\u30e9\u30fc|"
    r"\u30b3\u30fc\u30c9|\uc624\ub958|\ucf54\ub4dc)"
    r"['\"]?[ \t]?[:=#]?[ \t]?['\"]?[\[(]?-?$"
)
_PORT_BEFORE = r"(?:(?:[\w>\]]):|port['\"]?[ \t]?[:=]?[ \t]?['\"]?)$"
_REASON_AFTER = (
    r"[ \t:,-]{1,3}(?:Not Found|Too Many|Bad |Internal|Unauthori[sz]ed|Forbidden|Service |"
    r"Gateway|Client Error|"
    r"Server Error|Conflict|Method Not|Payment|Gone|Unprocessable|Request |Payload|Proxy|Moved|\{)"
)


_TARGET_BEFORE = (
    r"(?:\b(?:target|source)[ _](?:release|option|level|version|compatibility)|"
    r"\bjvm[ _-]?target(?: version| compatibility)?|--release|\brelease version|"
    r"\bclass file (?:major )?versions?(?: up to)?|\bmajor\.minor version|"
    r"\bjvm (?:runtime )?version|\bwrong version|\bshould be|\btargeting \.net)"
    r"[ \t]?[:=]?[ \t]?['\"(]?$"
)
"""What a compiler builds for: the number says which toolchain is missing."""
_ARITY_BEFORE = r"(?<![\w/.:])(?:[a-z_]\w{0,60}[.:]){0,8}[a-z_]\w{0,60}[?!]?/$"
_ARITY_AFTER = r"\d{1,2}(?![\w/]|[.:-]\d)"
"""`name/2` is how Erlang, Elixir and Prolog name a function."""
_STATUSES = frozenset(
    "200 201 202 204 206 301 302 303 304 307 308 400 401 403 404 405 406 408 409 410 411 412 413 "
    "415 418 422 423 424 425 426 428 429 431 451 500 501 502 503 504".split()
)
_COMPARED_BEFORE = (
    r"(?:\b(?:assert|expected|received|actual|got|want|wanted|was|equal|be|eq|not)|[=!]==?)"
    r"[ \t]?:?[ \t]{0,8}[<('\"\[]?$"
)
_COMPARED_AFTER = (
    r"[>)'\"\]]?[ \t]{0,4}(?:[=!]==?|,? ?(?:to|but|not|got|want|received|actual|does)\b)"
)


def _is_compared(match: re.Match[str], digits: str, before: str) -> bool:
    """Whether a test compares the status of an HTTP reply."""
    if digits not in _STATUSES:
        return False
    after = compiled(_COMPARED_AFTER).match(match.string, match.end())
    return after is not None or compiled(_COMPARED_BEFORE).search(before) is not None


def _says_target(match: re.Match[str]) -> bool:
    """Whether a number is the release or class file version that a compiler was asked for."""
    before = match.string[max(0, match.start() - 40) : match.start()].casefold()
    return compiled(_TARGET_BEFORE).search(before) is not None


def _version(match: re.Match[str]) -> str:
    return match[0] if _says_target(match) else "<version>"


_ERROR_BEFORE = ("error: ", "error (", "error(", "exception: ", "exception(")


def _is_status(match: re.Match[str], digits: str, before: str) -> bool:
    """Whether three digits are the status of an HTTP reply."""
    if digits[0] in "45" and before.endswith(_ERROR_BEFORE):
        return True
    reason = compiled(_REASON_AFTER, re.IGNORECASE).match(match.string, match.end())
    return digits[0] in "12345" and reason is not None


def _is_arity(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - 200) : match.start()].casefold()
    return (
        compiled(_ARITY_AFTER).match(match.string, match.start()) is not None
        and compiled(_ARITY_BEFORE).search(before) is not None
    )


def _number(match: re.Match[str]) -> str:
    """A number stays where the words around it make it a code."""
    digits = match[0].lstrip("+-")
    if _says_target(match):
        return match[0]
    if len(digits) <= 6 and digits.isdigit():
        before = match.string[max(0, match.start() - 32) : match.start()].casefold()
        if compiled(_CODE_BEFORE).search(before):
            return match[0]
        if digits in WELL_KNOWN_PORTS and compiled(_PORT_BEFORE).search(before):
            return match[0]
        if len(digits) == 3 and _is_status(match, digits, before):
            return match[0]
        if _is_compared(match, digits, before):
            return match[0]
        if before.endswith("/") and _is_arity(match):
            return match[0]
    return "<n>"


_CODE_TOKEN = (
    r"[A-Z]{1,10}[-_]?\d{2,6}[A-Z]?|[A-Z][A-Z0-9]{0,9}_[A-Z0-9_]{2,60}|"
    r"(?:sha|md|utf|base|ascii|latin|iso|x|i|u|f|int|uint|float|amd|arm|http|ipv|py|"
    r"python|node|es|vue|next|bs|rgb|log|"
    r"oauth|s|k|c|h|cp|gb|big|win|std|cc|vp|mp|lib\w{0,20})-?_?\d{1,4}(?:[_-]\d{1,2})?"
)


def _token(match: re.Match[str]) -> str:
    """Counters and ids inside a name go (`worker-42`, `blk_-123`); codes and names stay."""
    parts = compiled(r"([:=,;/#@%.])").split(match[0])
    for at, part in enumerate(parts):
        if not part or compiled(_CODE_TOKEN).fullmatch(part):
            continue
        if part in WELL_KNOWN_PORTS and parts[at - 1] == ":":
            continue
        parts[at] = compiled(r"(?<=[-_])-?\d+(?![a-z])|\d{4,}").sub("<n>", part)
    return "".join(parts)


_FILE_BEFORE = (
    r"(?:[\w>]\.[A-Za-z]\w{0,9}|[Mm]akefile|[Dd]ockerfile|<stdin>|<string>|<anonymous>|"
    r"[/\\][\w-]{1,80})$"
)


def _position(match: re.Match[str]) -> str:
    """Line and column go where the name of a file stands before them."""
    before = match.string[max(0, match.start() - 90) : match.start()]
    return "" if compiled(_FILE_BEFORE).search(before) else match[0]


_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}"
_DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}"
_SEGMENT = r"[\w.@+~$%{}\-]{1,120}"
_START = r"(?:[A-Za-z]:[\\/]{1,2}|~[\w-]{0,30}[\\/]|\.{1,2}[\\/]|[\\/]{1,2})"

VALUES: tuple[Rule, ...] = (
    Rule(
        "web address",
        "://",
        r"\b([a-zA-Z][a-zA-Z0-9+.-]{1,20})://(?:[^@/\s'\"]{0,200}@)?([\w.-]{1,200}|"
        r"\[[0-9a-fA-F:.]{2,60}\])(:\d{1,5})?"
        r"(?![\w.-]{200})([^\s'\"<>)\]]{0,2000})",
        _url,
        "GET https://api.shop.example:8443/v1/orders/77?x=1 failed",
        "GET <url api.shop.example> failed",
        "a://",
    ),
    Rule(
        "repository at a host",
        "git",
        r"(?<![\w./@-])(?:\w{1,60}@)?((?:[\w-]{1,60}\.){0,4}(?:git\w{0,20}|bitbucket|codeberg)"
        r"(?:\.[\w-]{1,60}){1,4}):([\w.-]{1,100}/[\w./-]{1,200})",
        _repository,
        "failed to push some refs to 'git@github.com:acme/shop.git'",
        "failed to push some refs to '<url github.com shop>'",
        "git@github.com: Permission denied",
    ),
    Rule(
        "file scheme",
        "file:/",
        r"\bfile:/{2,3}(?=[A-Za-z]:|/)|\bfile:(?=/)|\bwebpack(?:-internal)?:/{2,3}",
        "",
        "file:///home/bo/a.js",
        "/home/bo/a.js",
        "file: x",
    ),
    Rule(
        "date in words",
        ANY_DIGIT,
        r"\b(?:"
        + _DAY
        + r",? )?(?:\d{1,2} "
        + _MONTH
        + "|"
        + _MONTH
        + r" {1,2}\d{1,2}),?(?: \d{4})?,? \d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{1,9})?"
        r"(?: ?[AP]M)?(?: ?(?:GMT|UTC|[A-Z]{3,4}))?(?:[+-]\d{4})?(?: \d{4})?",
        "<time>",
        "expired on Mon, 02 Jan 2006 15:04:05 GMT",
        "expired on <time>",
        "Mon Repos 5",
    ),
    Rule(
        "date and time",
        ANY_DIGIT,
        r"[0-9](?<!\w[0-9])(?:\d{3}[-/]\d\d[-/]\d\d(?:[T _]\d\d[:_]\d\d(?:[:_]\d\d)?"
        r"(?:[.,_]\d{1,9})?(?: ?Z\b| ?[+-]\d\d:?\d\d| UTC\b)?)?|"
        r"\d?[./]\d{1,2}[./](?:19|20)\d\d(?: \d\d:\d\d(?::\d\d)?)?)",
        "<time>",
        "at 2025-06-01T08:00:11.113Z it failed",
        "at <time> it failed",
        "version 2025-06",
    ),
    Rule(
        "time of day",
        ":",
        r"[0-9](?<![\w.:-][0-9])\d?:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?[AP]M\b)?(?![\w:])",
        "<time>",
        "[6:53:23 PM] Found errors",
        "[<time>] Found errors",
        "a.py:12:30:1",
    ),
    Rule(
        "secret that was taken out",
        "[redacted",
        r"\[REDACTED(?::[\w -]{1,40})?\]",
        "<id>",
        "Incorrect API key provided: [REDACTED:api-key]",
        "Incorrect API key provided: <id>",
        "REDACTED",
    ),
    Rule(
        "uuid",
        ANY_DIGIT,
        r"\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b",
        "<id>",
        "order 1a9f0d5e-7b1c-91f4-3f0e-2a5b8c7d9e10 is gone",
        "order <id> is gone",
        "1a9f0d5e-7b1c",
    ),
    Rule(
        "memory address",
        "0x",
        r"\b0[xX][0-9a-fA-F]{1,32}\b(?:[ \t]*<n>)?",
        "<hex>",
        "<Test object at 0x7f3b09a0>",
        "<Test object at <hex>>",
        "0xyz",
    ),
    Rule(
        "id with its kind in front",
        "_|-|:",
        r"\b(?:req|org|msg|toolu|run|job|cus|sess|call|resp|chatcmpl|thread|asst|proj|evt|"
        r"pi|ch|in|sub|acct|arn|sha256|sha1|md5)[_:-](?=[A-Za-z_-]{0,40}\d)"
        r"[A-Za-z0-9_-]{6,}\b|\bsk-[\w*-]{3,}",
        "<id>",
        "in organization org-9fK2abcd on tokens",
        "in organization <id> on tokens",
        "org-unit",
    ),
    Rule(
        "hash",
        ANY_DIGIT,
        r"(?<![\w.-])(?<!error:)(?=[0-9a-fA-F]{0,40}\d)(?=\d{0,40}[a-fA-F])"
        r"[0-9a-fA-F]{7,128}(?![\w])",
        "<id>",
        "FROM foo/bar:fdb7c6d",
        "FROM foo/bar:<id>",
        "deadbeef",
    ),
    Rule(
        "this machine",
        "localhost|127.0.0.1|0.0.0.0|::",
        r"\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0)\b(?!\.\w)|\[::1?\]|"
        r"(?<![\w:])::1(?![\w:])|(?<![\w:])::(?=:\d{2,5}\b)|(?<=['\"])::(?=['\"])",
        LOOPBACK,
        "connect ECONNREFUSED 127.0.0.1:6379",
        "connect ECONNREFUSED <loopback>:6379",
        "std::string",
    ),
    Rule(
        "network address",
        ".",
        r"[0-9](?<![\w.][0-9])\d{0,2}(?:\.\d{1,3}){3}(?![\w.])(?:/\d{1,2}\b)?",
        "<ip>",
        "no route to 10.20.1.8",
        "no route to <ip>",
        "version 1.2.3",
    ),
    Rule(
        "network address, version 6",
        "::|:",
        r"[0-9a-fA-F](?<![\w:.][0-9a-fA-F])[0-9a-fA-F]{0,3}:(?:[0-9a-fA-F]{1,4}:){2,6}"
        r":?[0-9a-fA-F]{1,4}(?![\w:])",
        "<ip>",
        "no route to fe80:1:2:3:4:5:6:7",
        "no route to <ip>",
        "10:20:30",
    ),
    Rule(
        "port after a host",
        ANY_DIGIT,
        r"((?:<loopback>|<ip>|(?<![\w./\\-])[a-z][\w-]{0,60}(?:\.[a-z][\w-]{0,60}){0,6}):)"
        r"(\d{2,5})\b(?![.:]\d|\w|:)",
        _port,
        "dial tcp db:5432",
        "dial tcp db:5432",
        "a.py:5:3",
    ),
    Rule(
        "port, named",
        "port",
        r"(?i)(\bport['\"]?[ \t]?[:=]?[ \t]?['\"]?)(\d{2,5})\b",
        _port,
        "port 34567 is taken",
        "port <n> is taken",
        "airport 12345",
    ),
    Rule(
        "line and column, in brackets",
        ANY_DIGIT,
        r"(\.\w{1,5}) ?\(\d{1,7}(?:, ?\d{1,7})?(?:-\d{1,7})?\)",
        r"\1",
        "src/Home.tsx(12,71): error TS2307",
        "src/Home.tsx: error TS2307",
        "f(12)",
    ),
    Rule(
        "line and column, after a file",
        ":",
        r":(?!\d{1,9}\.\d)(?:\[?\d{1,7}(?:[:,-]\d{1,7}){0,3}\]?| \(\d{1,7}, \d{1,7}\)|"
        r"\(\.text[^)\s]{0,60}\))",
        _position,
        "src/engine.c:1:25: error",
        "src/engine.c: error",
        "ratio 3:4",
    ),
    Rule(
        "line, named",
        "line|col|char|offset|pos|zeile|ligne|l\u00ednea|riga|\u0441\u0442\u0440\u043e\u043a\u0430",
        r"(?i)(?:,? ?\b(?:on|at|in|from)\b)?,? \b(?:line|lines|col|column|char|character|"
        r"offset|position|pos|zeile|ligne|l\u00ednea|riga|"
        r"\u0441\u0442\u0440\u043e\u043a\u0430)s?:? \(?\d{1,9}\)?(?:[-:,]\d{1,9})?",
        "",
        "parse error in a.php on line 35",
        "parse error in a.php",
        "line up 3",
    ),
    Rule(
        "path of a file",
        "/|\\",
        r"(?<![\w@<])"
        + _START
        + r"?(?:"
        + _SEGMENT
        + r"[\\/]{1,2}){1,40}[\w.@+~$%\-]{0,120}\.[A-Za-z]\w{0,9}(?![\w/\\(])|"
        + r"(?<![\w@<./\\])"
        + _START
        + r"[\w.@+~$%\-]{1,120}\.[A-Za-z]\w{0,9}(?![\w/\\(])",
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
    Rule(
        "quantity",
        ANY_DIGIT,
        r"[0-9](?<![\w.<][0-9])\d{0,20}(?:[.,]\d{1,9})?[ \t]?(?:ns|us|\u00b5s|\u03bcs|ms|s|sec|"
        r"secs|seconds?|min|mins|minutes?|m|h|hours?|days?|[KMGTkmg]i?[Bb]?|[Bb]ytes?|B|"
        r"%)(?![\w])(?:(?:,? (?:and )?)\d{1,20}(?:[.,]\d{1,9})?[ \t]?(?:ns|us|ms|s|sec|"
        r"seconds?|m|min|minutes?|h))*",
        "<quantity>",
        "timed out after 2m 0.0s",
        "timed out after <quantity>",
        "v2.0",
    ),
    Rule(
        "version",
        ".",
        r"v?[0-9](?<=[@=v\s\"'^~(:<>/-][0-9])\d{0,8}\.\d{1,9}(?:\.[\w+-]{1,40})*(?![\w.]*\()",
        _version,
        "bar v0.5.10 is too old",
        "bar <version> is too old",
        "v-model",
    ),
    Rule(
        "version without a dot",
        "v",
        r"v(?<!\wv)\d{1,9}\b",
        "<version>",
        "unable to find version v4",
        "unable to find version <version>",
        "ipv4",
    ),
    Rule(
        "number inside a name",
        ANY_DIGIT,
        r"(?<![\w<])[A-Za-z_][\w@#$%:=,;/+.-]{0,200}\d[\w@#$%:=,;/+.-]{0,200}",
        _token,
        "worker-42 lost blk_-123",
        "worker-<n> lost blk_<n>",
        "TS2304 utf-8",
    ),
    Rule(
        "number",
        ANY_DIGIT,
        r"[0-9](?<![\w.<][0-9])(?<!\w[-+][0-9])\d{0,39}(?:[.,]\d{1,40}){0,8}(?!\w)",
        _number,
        "expected 3 arguments, exit code 2",
        "expected <n> arguments, exit code 2",
        "E0432",
    ),
)
