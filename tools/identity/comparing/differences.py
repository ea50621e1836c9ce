"""Names the kind of a difference between two masked lines.

Rule of this module: the kind is what a reader would call the thing that differs. The words in front
of it say so, else its own shape; when nothing tells, it is `wording`.
"""

from collections.abc import Sequence
from typing import NamedTuple

from reflection_mcp.tools.identity.recognition import Difference
from reflection_mcp.tools.identity.rule import compiled

_NEAR = 4
"""So many words before a difference are looked at, the nearest first."""
_LONGEST = 120


class Kind(NamedTuple):
    """A kind of difference: what both values look like, and which word stands before them.

    An empty pattern does not matter. `example` is a line with the value in braces.
    """

    name: str
    shape: str
    before: str
    example: str


KINDS: tuple[Kind, ...] = (
    Kind("sign", r"'?[^\w\s']{1,4}'?", "", "unexpected {)}"),
    Kind(
        "exception type",
        r"(?:[\w$]{1,80}\.){0,8}[\w$]{0,80}(?:error|exception|warning|timeout|violation|"
        r"interrupt|fault)",
        "",
        "{keyerror}: a",
    ),
    Kind(
        "port",
        r"\d{2,5}|[\w.<>-]{1,80}:\d{2,5}",
        r"port|tcp|connecting|econnrefused",
        "on port {5432}",
    ),
    Kind("port", r"[\w.<>-]{1,80}:\d{2,5}", "", "dial {db:5432}"),
    Kind(
        "file",
        r"[\w.-]{1,120}\.(?:py|[cm]?[jt]sx?|java|kt|go|rs|cc?|cpp|hp{0,2}|rb|php|cs|json|"
        r"ya?ml|toml|lock|"
        r"txt|so|sh|sql|html|s?css|xml|cfg|ini|env|md|dll|proto|vue|swift|hs|exs?|erl|scala|dart|"
        r"lua|zig|nim|jl|mm?|r|d|p[lm]|mli?|clj|tf|gradle|ipynb|svelte|csv|log|f90|bash|ps1|bat)",
        "",
        "cannot open {cart.py}",
    ),
    Kind("host", "", r"host|hostname|enotfound|address", "could not resolve host: {db}"),
    Kind(
        "module",
        "",
        r"modules?|modul|m\u00f3dulo|modulo|packages?|crate|import|require|requirement|library|dependency|resolve|gem|from",
        "no module named {yaml}",
    ),
    Kind("key", "", r"key|keyerror", "keyerror: {a}"),
    Kind(
        "code",
        r"-?\d{1,6}(?: [a-z ]{1,40})?|[a-z]{1,10}-?\d{2,6}[a-z]?",
        r"code|status|errno|exit|error|signal|http|curl|mysql",
        "exit code {2}",
    ),
    Kind(
        "name",
        "",
        r"attribute|property|properties|method|member|function|symbol|variable|name|field|argument|"
        r"parameter|reading|setting|to|identifier|constant|undefined|reference|column|"
        r"table|relation|"
        r"index|constraint|database|schema|scope|find|component|label|fixture|variabl\w{0,3}|"
        r"spalte|tabelle|colonne|columna|tabla|coluna|tabela|colonna|tabella",
        "name {total} is not defined",
    ),
    Kind("type", "", r"type|class|trait|expected|found|int|str|object", "expected type {int}"),
    Kind(
        "service",
        "",
        r"service|container|deployments?|pod|image|daemon|server",
        "service {api} is down",
    ),
    Kind(
        "subject",
        "",
        r"branch|ref|target|pathspec|tag|remote|script|command|task|test|action",
        "branch {main} is gone",
    ),
    Kind(
        "host",
        r"<url [^>]{1,200}>|(?:[a-z0-9-]{1,60}\.){1,6}[a-z]{2,12}",
        "",
        "get {<url a.example>}",
    ),
    Kind(
        "code",
        r"[a-z]{1,10}-?\d{2,6}[a-z]?|err_[a-z_]{2,60}|-?\d{1,6}|e[a-z]{5,12}",
        "",
        "{ts2304}",
    ),
)


def kind_of(here: str, there: str, before: Sequence[str]) -> str:
    """The kind of the difference between two values, given the tokens in front of them."""
    values = [value for value in (here, there) if value]
    near = [word.strip(":.") for word in reversed(before[-_NEAR:])]
    for kind in KINDS:
        if kind.shape and not all(compiled(kind.shape).fullmatch(value) for value in values):
            continue
        if kind.before and not any(compiled(kind.before).fullmatch(word) for word in near):
            continue
        return kind.name
    return "wording"


class Gap(NamedTuple):
    """Words of one error where the other has others or none, and the words before them.

    Most candidates differ in much and few are shown, so the kind is only named for those:
    `kind` is set where it is known without looking at the words.
    """

    here: Sequence[str]
    there: Sequence[str]
    before: Sequence[str] = ()
    kind: str = ""

    def named(self) -> Difference:
        """The difference as it is told."""
        here, there = " ".join(self.here)[:_LONGEST], " ".join(self.there)[:_LONGEST]
        kind = self.kind or kind_of(here, there, self.before)
        return Difference(kind=kind, here=here, there=there)
