"""Names the kind of a difference between two masked lines.

Rule of this module: the kind is what a reader would call the thing that differs; when nothing
tells, it is `wording`.
"""

from collections.abc import Sequence

from reflection_mcp.tools.identity.recognition import Difference
from reflection_mcp.tools.identity.rule import compiled

_CONTEXT = (
    (
        r"(?:module|modules|package|crate|import|require|requirement|library|dependency|resolve|-l)",
        "module",
    ),
    (
        r"(?:attribute|property|properties|method|member|function|symbol|variable|name|field|argument|parameter|import|reading|setting|to|identifier|constant|undefined)",
        "name",
    ),
    (r"(?:key|keyerror)", "key"),
    (r"(?:column|table|relation|index|constraint|database|schema)", "name"),
    (r"(?:port)", "port"),
    (r"(?:host|hostname|server|resolve)", "host"),
    (r"(?:code|status|errno|exit|error|signal|http)", "code"),
    (r"(?:type|class|trait|expected|found|int|str)", "type"),
    (
        r"(?:branch|ref|target|pathspec|tag|remote|script|command|image|service|pod|container)",
        "subject",
    ),
)
_SHAPES = (
    (r"(?:[\w$]+\.)*[\w$]*(?:error|exception|warning|timeout|violation|interrupt|fault)", "exception type"),
    (r"<url [^>]*>", "host"),
    (r"(?:[a-z]{1,10}-?\d{2,6}[a-z]?|err_[a-z_]+|e[a-z]{4,}|sig[a-z]{3,4}|-?\d{1,6})", "code"),
    (r"[\w.-]+\.(?:py|[cm]?[jt]sx?|java|kt|go|rs|c|cc|cpp|h|hpp|rb|php|cs|json|ya?ml|toml|lock|txt|so|sh|sql|html|css|xml|cfg|ini|env|md)", "file"),
    (r"[a-z0-9][\w-]*(?:\.[\w-]+){1,6}:\d{2,5}|(?:[a-z0-9-]+\.){1,6}(?:com|net|org|io|dev|local|internal|invalid|example|svc)", "host"),
)  # fmt: skip


def kind_of(here: str, there: str, before: Sequence[str]) -> str:
    """The kind of the difference between two tokens, given the tokens in front of them."""
    present = [value for value in (here, there) if value]
    for shape, kind in _SHAPES[:2]:
        if present and all(compiled(shape).fullmatch(value) for value in present):
            return kind
    if before and before[-1] in ("port",):
        return "port"
    if present and all(compiled(_SHAPES[3][0]).fullmatch(value) for value in present):
        return "file"
    for word in reversed(before[-4:]):
        for context, kind in _CONTEXT:
            if compiled(context).fullmatch(word):
                return kind
    for shape, kind in _SHAPES[2:]:
        if present and all(compiled(shape).fullmatch(value) for value in present):
            return kind
    return "wording"


def difference(here: Sequence[str], there: Sequence[str], before: Sequence[str]) -> Difference:
    """The difference between two runs of tokens."""
    mine, theirs = " ".join(here)[:120], " ".join(there)[:120]
    return Difference(kind=kind_of(mine, theirs, before), here=mine, there=theirs)
