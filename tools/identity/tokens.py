"""The tokens of a masked line, and which of them carry meaning.

Rule of this module: a placeholder is one token; a dotted or slashed name is one token; a word that
any message may hold is not content. Nothing here knows a language beyond two lists of English
words, of those that decorate messages and of those that turn their meaning.
"""

from functools import lru_cache

from reflection_mcp.tools.identity.rule import compiled

_TOKEN = (
    r"<[a-z]{1,12}(?: [^<>\n]{0,120}(?:<\w{1,12}>)?[^<>\n]{0,120})?>|"
    r"[^\W\d_@][\w@$-]{0,200}(?:(?:\.|/|::|:)[\w@$-]{1,200}){0,20}|-?[\w@$][\w@$-]{0,200}|"
    r"'[^\w\s']{1,4}'|"
    r"(?<=for )[-/%@&|^<>]{1,2}=?(?=:)|"
    r"(?:(?<![^\s'(\[])|(?<=operator))(?:[<>]=?|[=!]==?|~=)(?=[\s'<\d]|$)|"
    r"(?<=[\w'])(?:[<>]=?|[=!]==?|~=)(?=<(?:n|version|quantity)>|\d)|"
    r"(?:(?<=expected )|(?<=operator )|(?<=expecting )|(?<=token )|(?<=found )|(?<=got ))"
    r"[^\w\s'\"<>`,.:;]{1,3}(?=[\s,.:;]|$)|"
    r"[\u20ac\u00a3\u00a5]|[\u2260\u2264\u2265]|"
    r"[+*!]{1,3}"
)
_TYPE = (
    r"[\w.$:\\]{1,200}(?:error|exception|warning|timeout|violation|interrupt|fault|exit|iteration)|"
    r"std::\w{1,60}"
)

DECORATION = frozenset(
    "uncaught unhandled error errors exception main thread in at of the a an is are was were be "
    "been for from to by with and or on line lines file warning note see this that it you your "
    "please event failed failure execute operation executing connect tool server during seconds "
    "attempt api code has have had as here there its can could would should will when while if "
    "then than so such use used using fatal "
    "fehler erreur errore erro fout fel hata b\u0142\u0105d virhe "
    "\u043e\u0448\u0438\u0431\u043a\u0430 \u043f\u043e\u043c\u0438\u043b\u043a\u0430 "
    "\u9519\u8bef \u932f\u8aa4 \u30a8\u30e9\u30fc \uc624\ub958".split()
)
"""Words that may be missing on one side without changing what is meant."""

FORMS = tuple(
    frozenset(forms.split())
    for forms in (
        "error errors", "is are was were be been", "a an the this that", "has have had",
        "line lines", "uncaught unhandled",
    )
)  # fmt: skip
"""Words of decoration that may stand for each other; any two others may be two names."""

NEGATIONS = frozenset(
    "not no without never un already missing unexpected denied refused invalid expired unknown "
    "too before after must cannot can't cant don't dont doesn't doesnt isn't isnt only inside "
    "outside nicht kein keine ne pas non no se nao \u043d\u0435 \u043d\u0435\u0442".split()
)
"""Words whose presence turns the meaning of a message."""


@lru_cache(maxsize=1024)  # one line is held against each of the candidates, several times
def tokens(line: str) -> tuple[str, ...]:
    """The tokens of a masked line in order."""
    return tuple(compiled(_TOKEN).findall(line))


@lru_cache(maxsize=1024)
def spans(line: str) -> tuple[tuple[str, int, int], ...]:
    """The tokens of a masked line with where each begins and ends."""
    return tuple((found[0], *found.span()) for found in compiled(_TOKEN).finditer(line))


def is_placeholder(token: str) -> bool:
    """Whether the token stands for a masked value; `<url host>` names a host and does not."""
    return token.startswith("<") and token.endswith(">") and " " not in token


def names_type(line: str) -> bool:
    """Whether the line is the name of an exception type and nothing else."""
    return compiled(_TYPE).fullmatch(line) is not None


def content(token: str) -> bool:
    """Whether the token says what the message is about."""
    return len(token) > 2 and token not in DECORATION and not is_placeholder(token)
