"""Duplicate and related lessons.

Rules: two lessons are duplicates if they are the same words in the same order, articles, fillers,
plurals, contractions and punctuation aside, or one is a paraphrase of the other. A rule that allows
one word in ten to differ merges "more" with "fewer" and "staging to production" with "production to
staging". In doubt they are two. Lessons that share an error type, a tool, a file or a tag are
linked, unless so many share it that it distinguishes nothing. Pure, and the same for every order of
its input.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from reflection_mcp.store.records import Lesson, Link, LinkKind, Reflection
from reflection_mcp.tools.learning import paraphrase
from reflection_mcp.tools.learning.progress import Progress, ignore_progress, watched

CROWD = 20  # rows that share a trait; more of them have nothing special in common
MOST_LINKS = 3  # links of one kind that a row gets
OF_ITS_ORIGIN = ("strategy", "user", "confirmed")  # tags that say where a row came from
SHORTEST_PLURAL = 4  # letters; `as`, `is` and `bus` are no plurals

FILLERS = frozenset("a an the and also just really simply very please actually indeed".split())
"""Words that may be present or not without changing the meaning of a lesson."""


_APOSTROPHE = re.compile(r"['\u2019]")
_PIECE = re.compile(r"[-.\w/]{1,200}")
_DECIDES = re.compile(r"[\d_/]|[A-Z]{2}|[a-z][A-Z]|^-|\w\.\w")
_SAID = re.compile(r"\w+|[^\w\s.,;:()\[\]{}\"`\u201c\u201d\u2018\u2026]")
_TOOL = re.compile(r"(?:^|; )in (\S{1,80});")


def _decisive(text: str) -> frozenset[str]:
    """Return names, numbers, paths and options."""
    pieces = (each for each in _PIECE.findall(text) if _DECIDES.search(each))
    return frozenset(each.casefold().strip(".") for each in pieces)


def normalized_words(text: str) -> tuple[str, ...]:
    """Return the words and symbols of a text in their order, without what may vary."""
    spelled = _APOSTROPHE.sub("", re.sub(r"n['\u2019]t\b", " not", text.casefold()))
    said = (_singular(word) for word in _SAID.findall(spelled))
    return tuple(word for word in said if word not in FILLERS)


def _singular(word: str) -> str:
    plural = len(word) >= SHORTEST_PLURAL and word.endswith("s") and not word.endswith(("ss", "us"))
    return word[:-1] if plural else word


def duplicate_groups(
    rows: Sequence[Reflection], progress: Progress = ignore_progress
) -> list[list[Reflection]]:
    """Return groups of two or more rows with the same lesson; a row is in one group at most.

    Strategies, where there are any, are the same within a group; a row without one joins the first.
    """
    groups: dict[object, list[list[Reflection]]] = defaultdict(list)
    for alike in watched(_rows_in_the_same_words(rows), progress):
        # Within a bucket each row is compared with each other one, and joins those it is like.
        bucket = groups[alike[0].kind, alike[0].error_type, paraphrase.subject(alike[0].lesson)]
        fitting = (group for group in bucket if _is_paraphrased(alike, group))
        group = next(fitting, None)
        if group is None:
            bucket.append(list(alike))
        else:
            group += alike
    found = [
        sorted(group, key=lambda row: row.id)
        for bucket in groups.values()
        for group in bucket
        if len(group) > 1
    ]
    return sorted(found, key=lambda group: group[0].id)


def _rows_in_the_same_words(rows: Sequence[Reflection]) -> list[list[Reflection]]:
    """Return the rows in groups of those with the same words, the rows that stand alone, too."""
    groups: dict[tuple[object, ...], list[Reflection]] = defaultdict(list)
    ordered = sorted(rows, key=lambda row: (not row.strategy, row.id))
    first: dict[tuple[object, ...], tuple[str, ...]] = {}
    for row in ordered:
        words = normalized_words(row.lesson)
        if not words:
            continue
        said = (row.kind, row.error_type, _decisive(row.lesson), words)
        strategy = normalized_words(row.strategy) if row.strategy else first.get(said, ())
        first.setdefault(said, strategy)
        groups[*said, strategy].append(row)
    return list(groups.values())


def says_the_same(row: Reflection, lesson: Lesson) -> bool:
    """Return True if a stored lesson says what this one says, in whatever words."""
    strategies = _may_share(row.strategy, lesson.strategy)
    return strategies and paraphrase.same_advice(row.lesson, lesson.text)


def _is_paraphrased(alike: Sequence[Reflection], group: Sequence[Reflection]) -> bool:
    """Return True if each of some rows says the same as each row of a group."""
    return all(
        paraphrase.same_advice(one.lesson, other.lesson)
        and _may_share(one.strategy, other.strategy)
        for one in alike
        for other in group
    )


def _may_share(one: str, other: str) -> bool:
    """Return True if two strategies are the same, or one is missing."""
    if not (one and other) or normalized_words(one) == normalized_words(other):
        return True
    return paraphrase.same_advice(one, other)


def links(rows: Sequence[Reflection], order: Mapping[str, int]) -> Mapping[str, tuple[Link, ...]]:
    """Return for each row the links to the best others that share a trait.

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


def links_to(row: Reflection, others: Sequence[Reflection]) -> tuple[Link, ...]:
    """Return the links of a lesson to others of the same error type, file or tool, in their
    order; to its own strategy, or lesson, it has one already."""
    mine = {trait for trait in _traits(row) if trait[0] != "same_tag"}
    known = {row.id, *(link.target_id for link in row.links)}
    return _trimmed(
        [
            Link(kind=trait[0], target_id=other.id)
            for other in others
            if other.id not in known
            for trait in _traits(other)
            if trait in mine
        ]
    )


def _trimmed(found: Sequence[Link]) -> tuple[Link, ...]:
    """Return at most three links of a kind, each once."""
    kept: dict[LinkKind, list[Link]] = defaultdict(list)
    for link in dict.fromkeys(found):
        kept[link.kind].append(link)
    return tuple(link for links in kept.values() for link in links[:MOST_LINKS])


def _traits(row: Reflection) -> Iterator[tuple[LinkKind, str]]:
    """Yield the traits that a row may share with others."""
    if row.error_type:
        yield "same_error_type", row.error_type.casefold()
    if row.pattern is not None and row.pattern.location:
        yield "same_file", row.pattern.location.partition(":")[0].casefold()
    tool = _TOOL.search(row.evidence)
    if tool:
        yield "same_tool", tool[1].casefold()
    for tag in dict.fromkeys(row.tags):
        if tag not in OF_ITS_ORIGIN:
            yield "same_tag", tag.casefold()
