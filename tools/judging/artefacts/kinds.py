"""Names of one form, such as endpoints, held against those of the context.

Rules of this module: a name is missing where the context lists enough of its family, or where the
question asks which one it is and it is the first that the answer gives.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.artefacts import mentions
from reflection_mcp.tools.judging.artefacts.absence import around, can_compare, fault, is_open
from reflection_mcp.tools.judging.artefacts.listings import FEWEST, LIMIT
from reflection_mcp.tools.judging.artefacts.mentions import Mention
from reflection_mcp.tools.judging.case import Case


class Kind(NamedTuple):
    """Names of one form: how a list gives them, how an answer says one, how a question asks for it.

    `listed` and `said` have the name in one of their groups. A list is one of a family of names
    with at least `fewest` of it.
    """

    name: str
    listed: re.Pattern[str]
    said: re.Pattern[str]
    asked: re.Pattern[str]
    family: re.Pattern[str]
    fewest: int


def _kind(name: str, listed: str, said: str, asked: str, family: str, fewest: int) -> Kind:
    return Kind(
        name,
        re.compile(listed, re.M),
        re.compile(said, re.M),
        re.compile(rf"\b(?:which|what)\b[^.?!\n]{{0,40}}?\b(?:{asked})s?\b", re.I),
        re.compile(family),
        fewest,
    )


_VERB = "(?:GET|POST|PUT|PATCH|DELETE|HEAD)"
_ROUTE = r"/[\w{}:<>./-]{1,120}"
_VARIABLE = r"[A-Z][A-Z\d]{0,20}(?:_[A-Z\d]{1,20}){1,6}"
NEVER = 1_000_000
KINDS = (
    _kind(
        "endpoint",
        rf"^.{{0,12}}\b{_VERB}[\s`|]{{1,8}}({_ROUTE})|^ {{0,4}}[\"']?({_ROUTE})[\"']?:\s*(?:\{{|$)",
        rf"\b{_VERB} ({_ROUTE})|https?://[\w.:-]{{1,80}}({_ROUTE})",
        "endpoint|route|request|call",
        "/[^/]*",
        2,
    ),
    _kind(
        "variable",
        rf"\b({_VARIABLE})\b",
        rf"[`$]({_VARIABLE})\b|\b({_VARIABLE})=",
        "variable|env var",
        "[A-Z]+_",
        3,
    ),
    _kind(
        "script",
        r'^[ \t]{0,8}"([\w:.-]{1,40})": ?"(?=[\w.]+(?: |"))',
        r"\b(?:npm|pnpm|yarn|bun) run ([a-z][\w:.-]{0,40})",
        "script",
        "",
        FEWEST,
    ),
    _kind(
        "function",
        r"\b([A-Za-z_]\w{2,60})\(",
        r"`(?:\w+\.)*([A-Za-z_]\w{2,60})\(\)`",
        "function|method",
        ".+",
        NEVER,
    ),
)


def of_kinds(case: Case) -> Iterator[Check]:
    """Yield the names that a list of their kind lacks, or that are no answer to which one it is."""
    work = mentions.asks_for_work(case.question)
    for kind in KINDS:
        said = [*islice(kind.said.finditer(case.answer), mentions.MOST)]
        listed = _named(kind.listed.finditer(case.context[:LIMIT])) if said else set[str]()
        asked = kind.asked.search(case.question)
        families = Counter(_head(kind, other) for other in listed)
        where = f"The context, which has {_some(listed)},"
        for place, one in enumerate(said if listed else ()):
            name = one[one.lastindex or 0]
            few = families[_head(kind, name)] < kind.fewest
            if not (asked and place == 0) and (few or work):
                continue
            line = Mention(name, one.start(one.lastindex or 0), around(case, *one.span()))
            if not is_open(case, line, name) or not can_compare(case, listed):
                continue
            if not any(_is_route(name, other) for other in listed):
                yield fault(case, line, name, kind.name, where)


def _head(kind: Kind, name: str) -> str:
    found = kind.family.match(name)
    return found[0] if found else ""


def _named(found: Iterable[re.Match[str]]) -> set[str]:
    return {one[one.lastindex or 0] for one in found}


def _some(names: Iterable[str]) -> str:
    return ", ".join(f"\u201c{name}\u201d" for name in sorted(names)[:FEWEST])


def _is_route(path: str, pattern: str) -> bool:
    """Return True if a path ends in one that is listed, of which some parts may be anything."""
    said, listed = path.strip("/").split("/"), pattern.strip("/").split("/")
    return len(said) >= len(listed) and all(
        one == other or (re.search(r"[{}:<>]", other) and not _names(one, other))
        for one, other in zip(said[-len(listed) :], listed, strict=True)
    )


def _names(part: str, parameter: str) -> bool:
    """Return True if a part of a path is a word where an id is to stand: "search" for "{id}"."""
    return part.isalpha() and part.islower() and bool(re.search(r"(?:id|Id)\W?$", parameter))
