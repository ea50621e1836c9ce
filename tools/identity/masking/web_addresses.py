"""Addresses on the web and of repositories.

Rule of this module: of an address its host stays, and the name of the repository or package on
hosts where the end of the path is one. The rest is which request it happened to be.
"""

from reflection_mcp.tools.identity.masking.hosts import masked_host
from reflection_mcp.tools.identity.ports import ROUND_PORTS, WELL_KNOWN_PORTS
from reflection_mcp.tools.identity.rule import Match, Rule

_NAMING_HOSTS = (
    "github.com", "gitlab.", "bitbucket.org", "codeberg.org", "registry.", "pypi.org", "crates.io",
    "npmjs.", "docker.io", "ghcr.io", "quay.io", "gcr.io", "proxy.golang.org", "rubygems.org",
    "maven", "packagist.org", "huggingface.co", "nuget.org", "snyk.io",
)  # fmt: skip
"""On these hosts the end of the path names what is meant: a repository, package, vulnerability."""


def _url(match: Match) -> str:
    host, port, path = masked_host(match[2]), (match[3] or "")[1:], match[4] or ""
    kept = f":{port}" if port in WELL_KNOWN_PORTS | ROUND_PORTS else ""
    name = ""
    if any(known in host for known in _NAMING_HOSTS):
        last = path.split("?")[0].split("#")[0].rstrip("/").rsplit("/", 1)[-1].removesuffix(".git")
        name = f" {last}" if last and not last.isdigit() else ""
    return f"<url {host}{kept}{name}>"


def _repository(match: Match) -> str:
    name = match[2].rsplit("/", 1)[-1].removesuffix(".git")
    return f"<url {match[1].casefold()} {name}>"


WEB_ADDRESSES: tuple[Rule, ...] = (
    Rule(
        "port from which a page of this machine asks",
        "from origin",
        r"(?<=from origin ')(https?://(?:localhost|127\.0\.0\.1)):\d{2,5}(?=')",
        r"\1",
        "Access to fetch at 'http://localhost:8080/a' from origin 'http://localhost:5173' has",
        "Access to fetch at 'http://localhost:8080/a' from origin 'http://localhost' has",
        "from origin/main",
    ),
    Rule(
        "package that yarn did not find in a registry of one's own",
        ": not found",
        r"\b(https?://(?!registry\.)[\w.:-]{1,200})/((?:@[\w.-]{1,100}(?:%2[fF]|/))?"
        r"[\w.-]{1,100}): Not found\b",
        r"\1 '\2': Not found",
        "error Error: https://npm.acme.example/shopp: Not found",
        "error Error: https://npm.acme.example 'shopp': Not found",
        "https://api.example/v1/orders/77: Not found",
    ),
    Rule(
        "web address",
        "://",
        r"\b([a-zA-Z][a-zA-Z0-9+.-]{1,20})://(?:[^@/\s'\"]{0,200}@)?([\w.-]{1,200}|"
        r"\[[0-9a-fA-F:.]{2,60}\])(:\d{1,5})?"
        r"(?![\w.-]{200})([^\s'\"<>)\]]{0,2000})",
        _url,
        "GET https://api.shop.example:18443/v1/orders/77?x=1 failed",
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
)
