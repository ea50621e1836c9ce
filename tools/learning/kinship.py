"""Which lessons say the same, which belong together, which contradict each other?

Rules: two lessons say the same only if hardly a word differs, and none that decides: a number, a
name, a negation, one of a pair of opposites. In doubt they are two. What shares an error type, a
tool, a file or a tag is linked, unless so many share it that it tells nothing apart. Pure, and the
same for every order of its input.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from reflection_mcp.store.records import Link, LinkKind, Reflection
from reflection_mcp.tools.learning.everyday import STOP
from reflection_mcp.tools.learning.words import stem, tokens

ALIKE = 0.8  # share of stems in common: one word in ten may differ, on both sides
CLOSE = 88.0  # rapidfuzz token_sort_ratio of the two texts
SAME_SUBJECT = 0.6  # share of stems from which opposite words make a contradiction
CROWD = 20  # rows that share a trait; more of them have nothing special in common
MOST_LINKS = 3  # links of one kind that a row gets
BLOCK = 60  # rows that share a rare word and are compared with each other

NEGATIONS = frozenset(
    "not no never without nor none cannot dont doesnt isnt wont cant avoid".split()
)
OPPOSITES: tuple[tuple[str, str], ...] = (
    ("always", "never"), ("enable", "disable"), ("add", "remove"), ("before", "after"),
    ("increase", "decrease"), ("raise", "lower"), ("allow", "deny"), ("first", "last"),
    ("sync", "async"), ("true", "false"), ("on", "off"), ("with", "without"), ("use", "avoid"),
    ("open", "close"), ("start", "stop"), ("install", "uninstall"), ("above", "below"),
    ("upgrade", "downgrade"), ("lock", "unlock"), ("push", "pull"), ("absolute", "relative"),
    ("client", "server"), ("up", "down"), ("minimum", "maximum"), ("input", "output"),
)  # fmt: skip
"""Words of which one in place of the other turns a lesson around."""

_DECIDES = re.compile(
    r"[A-Z]{2,}\w*|\w*[a-z][A-Z]\w*|\w*[\d_]\w*|[-.\w]*[./]\w[-.\w/]*|--?\w[-\w]*"
)
_TOOL = re.compile(r"(?:^|; )in (\S{1,80});")


@dataclass(frozen=True, slots=True)
class _Said:
    """A lesson taken apart for comparison."""

    row: Reflection
    text: str
    stems: frozenset[str]
    decisive: frozenset[str]
    turns: frozenset[str]


def _said(row: Reflection) -> _Said:
    text = row.lesson
    words = tokens(re.sub(r"['\u2019]", "", text))
    opposite = {word for pair in OPPOSITES for word in pair}
    return _Said(
        row=row,
        text=text.casefold(),
        stems=frozenset(stem(word) for word in words if word not in STOP),
        decisive=frozenset(each.casefold().strip(".") for each in _DECIDES.findall(text)),
        turns=frozenset(word for word in words if word in NEGATIONS or word in opposite),
    )


def clusters(rows: Sequence[Reflection]) -> list[list[Reflection]]:
    """Groups of two or more rows that say the same; a row is in one group at most.

    Every member says the same as the first one, so that no chain of small steps joins two rows
    that differ.
    """
    said = [_said(row) for row in sorted(rows, key=lambda row: row.id)]
    near: dict[str, list[_Said]] = defaultdict(list)
    for one, other in _pairs(said):
        if says_the_same(one, other):
            near[one.row.id].append(other)
    taken: set[str] = set()
    groups: list[list[Reflection]] = []
    for one in said:
        if one.row.id in taken:
            continue
        group = [each.row for each in near[one.row.id] if each.row.id not in taken]
        if group:
            groups.append([one.row, *group])
            taken |= {row.id for row in groups[-1]}
    return groups


def says_the_same(one: _Said, other: _Said) -> bool:
    """Whether two lessons of one kind differ in nothing that decides."""
    if one.row.kind != other.row.kind or one.row.error_type != other.row.error_type:
        return False
    if one.decisive != other.decisive or one.turns != other.turns:
        return False
    if one.row.strategy and other.row.strategy and not _same_words(one.row, other.row):
        return False
    if _share(one.stems, other.stems) < ALIKE:
        return False
    from rapidfuzz import fuzz  # 20 ms at start-up, so only here

    return fuzz.token_sort_ratio(one.text, other.text) >= CLOSE


def _same_words(one: Reflection, other: Reflection) -> bool:
    """Whether the strategies of two lessons are the same."""
    return tokens(one.strategy) == tokens(other.strategy)


def contradictions(rows: Sequence[Reflection]) -> Mapping[str, tuple[Link, ...]]:
    """For each row the links to those that say the opposite about the same subject."""
    found: dict[str, list[Link]] = defaultdict(list)
    said = [_said(row) for row in sorted(rows, key=lambda row: row.id) if not row.suspicious]
    for one, other in _pairs(said):
        if _opposed(one, other):
            found[one.row.id].append(Link(kind="contradicts", target_id=other.row.id))
            found[other.row.id].append(Link(kind="contradicts", target_id=one.row.id))
    return {name: tuple(links) for name, links in found.items()}


def _opposed(one: _Said, other: _Said) -> bool:
    if one.row.kind != other.row.kind or one.decisive != other.decisive:
        return False
    mine, theirs = one.turns - other.turns, other.turns - one.turns
    turned = any((a in mine and b in theirs) or (b in mine and a in theirs) for a, b in OPPOSITES)
    negated = bool(mine & NEGATIONS) != bool(theirs & NEGATIONS) and not (mine | theirs) - NEGATIONS
    if not (turned or negated):
        return False
    aside = {stem(word) for word in one.turns | other.turns}
    return _share(one.stems - aside, other.stems - aside) >= SAME_SUBJECT


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 0.0


def _pairs(said: Sequence[_Said]) -> Iterator[tuple[_Said, _Said]]:
    """Pairs that share one of their three rarest words, each once, the smaller id first.

    Two texts of which four words in five agree share a rare one, unless they are very short.
    """
    spread = Counter(each for one in said for each in one.stems)
    blocks: dict[str, list[_Said]] = defaultdict(list)
    for one in said:
        rare = sorted(one.stems, key=lambda each: (spread[each], each))
        for each in rare[:3]:
            blocks[each].append(one)
    seen: set[tuple[str, str]] = set()
    for each in sorted(blocks):
        block = blocks[each][:BLOCK]
        for place, one in enumerate(block):
            for other in block[place + 1 :]:
                pair = (one.row.id, other.row.id)
                if pair not in seen:
                    seen.add(pair)
                    yield one, other


def links(rows: Sequence[Reflection], order: Mapping[str, int]) -> Mapping[str, tuple[Link, ...]]:
    """For each row the links to the best others that share a trait.

    Args:
        rows: the lessons.
        order: the place of each id when ranked by worth; smaller is better.
    """
    groups: dict[tuple[LinkKind, str], list[str]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: (order[row.id], row.id)):
        for trait in _traits(row):
            groups[trait].append(row.id)
    found: dict[str, list[Link]] = defaultdict(list)
    for (kind, _), ids in sorted(groups.items()):
        if 2 <= len(ids) <= CROWD:
            for one in ids:
                others = [other for other in ids if other != one][:MOST_LINKS]
                found[one] += [Link(kind=kind, target_id=other) for other in others]
    return {name: _trimmed(each) for name, each in found.items()}


def _trimmed(found: Sequence[Link]) -> tuple[Link, ...]:
    """At most three links of a kind, each once."""
    kept: dict[LinkKind, list[Link]] = defaultdict(list)
    for link in dict.fromkeys(found):
        kept[link.kind].append(link)
    return tuple(link for links in kept.values() for link in links[:MOST_LINKS])


def _traits(row: Reflection) -> Iterator[tuple[LinkKind, str]]:
    """What a row may share with others."""
    if row.error_type:
        yield "same_error_type", row.error_type.casefold()
    if row.pattern is not None and row.pattern.location:
        yield "same_file", row.pattern.location.partition(":")[0].casefold()
    tool = _TOOL.search(row.evidence)
    if tool:
        yield "same_tool", tool[1].casefold()
    for tag in dict.fromkeys(row.tags):
        if tag != "strategy":
            yield "same_tag", tag.casefold()
