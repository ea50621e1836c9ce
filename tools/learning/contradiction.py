"""Contradictions between two lessons: one says to do what the other one says not to do.

Rules: pure and symmetric. A lesson is read clause by clause; a clause advises or rejects, and what
follows a condition counts for neither. Two clauses contradict each other when exactly one thing is
reversed between them: one advises nearly all of what the other rejects, its verb and object
included; or they use opposite words ("enable", "disable", "pinned", "unpinned") of the same
subject; or what comes first ("the broker, then the gateway") comes last. Two reversals make one
sense again. When each of the two also names what the other does not ("on Windows", "on Linux"),
they may speak of different cases and do not contradict each other; nor do they in any other doubt:
the mark tells a reader to distrust one of them. Two that differ in nothing but a value do.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, pairwise, product

from reflection_mcp.store.records import Link, Reflection
from reflection_mcp.tools.data_files import table, words
from reflection_mcp.tools.learning.progress import Progress, ignore_progress
from reflection_mcp.tools.learning.synonyms import related
from reflection_mcp.tools.learning.word_weights import stop_words
from reflection_mcp.tools.learning.words import stem, tokens

COVERED = 0.75  # share of a rejected clause that the other lesson has to advise
SAME_SUBJECT = 0.6  # share of the shorter lesson from which opposite words contradict each other
SAME_WORDS = 0.8  # share of all words from which another number contradicts
LEAST_SHARED = 2  # words that two lessons on one subject have in common
READ = 1_000  # characters of a lesson
BLOCK = 60  # rows that share a rare word and are compared with each other
REMEMBERED = 1_000  # lessons whose contradictions are known the next time: the same ones are asked

Said = tuple[str, str, str]
"""A lesson as far as it can contradict another one: its id, its kind and its words."""

_NOT = re.compile(r"n['\u2019]t\b")
_WORD = re.compile(r"\.?[\w@/$-]+(?:[.:][\w/-]+)*(?:\(\))?|[^\w\s]")
_LETTER = re.compile(r"\w")
_CLAUSE_END = frozenset(".;:,!?()\u2014\u2013")
_NEGATING = ("un", "non")
_APOSTROPHE = re.compile(r"['\u2019]")


def reversing_words(text: str) -> frozenset[str]:
    """Return the words of a text that can reverse its meaning: negations, stems of opposites."""
    said = tokens(_APOSTROPHE.sub("", text))
    negations, opposites = _cues()["negations"], {each for pair in _opposites() for each in pair}
    found = {word for word in said if word in negations}
    return frozenset(found | {stem(word) for word in said if stem(word) in opposites})


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of a lesson as stems in order: what it advises or rejects; what it is `about`, its
    conditions included; its words that have an opposite; and those that put two things in an
    order, with what stands before and after each."""

    advised: tuple[str, ...]
    rejected: tuple[str, ...]
    about: frozenset[str]
    turns: frozenset[str] = frozenset()
    orders: tuple[tuple[str, frozenset[str], frozenset[str]], ...] = ()


@dataclass(frozen=True, slots=True)
class Stance:
    """The advice of a lesson: its clauses, the stems of all that they are about, and its values.

    What is left says quickly that two lessons do not contradict each other: all words that are
    advised, and the first of each clause that rejects; all `words`, and those that are the
    `opposites` of one of them; what a word of order puts `first` and what `last`.
    """

    clauses: tuple[Clause, ...]
    stems: frozenset[str]
    values: frozenset[str]
    advised: tuple[tuple[str, ...], ...]
    rejected: tuple[tuple[str, ...], ...]
    advises: frozenset[str]
    rejects: frozenset[str]
    words: frozenset[str]
    opposites: frozenset[str]
    first: frozenset[str]
    last: frozenset[str]


def contradict(one: str, other: str) -> bool:
    """Return True if two lessons say the opposite of each other."""
    return _contradict(stance(one), stance(other))


def _contradict(one: Stance, other: Stance) -> bool:
    return may_contradict(one, other) and (
        _other_value(one, other)
        or any(_opposed(a, b, one, other) for a, b in product(one.clauses, other.clauses))
    )


def may_contradict(one: Stance, other: Stance) -> bool:
    """Return False if nothing is there to be reversed between two lessons, whatever they share."""
    return bool(
        (one.values and other.values)
        or not (one.rejects.isdisjoint(other.advises) and one.advises.isdisjoint(other.rejects))
        or not one.opposites.isdisjoint(other.words)
        or not other.opposites.isdisjoint(one.words)
        or not (one.first.isdisjoint(other.last) or one.last.isdisjoint(other.first))
    )


@lru_cache(maxsize=128)  # of 3 to 7 kB each
def stance(text: str) -> Stance:
    """Return what a lesson advises and rejects."""
    low = [word.casefold() for word in _WORD.findall(_NOT.sub(" not", text[:READ]))]
    clauses = tuple(each for clause in _clauses(low) for each in _read(clause))
    figures = frozenset(word for word in low if word[0].isdigit())
    # "set it to 5" gives a value, "see case 5" a name
    values = {word for before, word in pairwise(low) if before in _cues()["values"]} & figures
    stems = frozenset(word for clause in clauses for word in clause.about)
    turns = frozenset(word for clause in clauses for word in clause.turns)
    orders = [order for clause in clauses for order in clause.orders]
    advised = tuple(each.advised for each in clauses if each.advised)
    rejected = tuple(each.rejected for each in clauses if each.rejected)
    return Stance(
        clauses=clauses,
        stems=stems - figures,
        values=frozenset(values),
        advised=advised,
        rejected=rejected,
        advises=frozenset[str]().union(*advised),
        rejects=frozenset(each[0] for each in rejected),
        words=stems | turns,
        opposites=frozenset(_reversed(stems, turns)),
        first=frozenset[str]().union(*(before for _, before, _ in orders)),
        last=frozenset[str]().union(*(after for _, _, after in orders)),
    )


def _reversed(stems: Collection[str], turns: Collection[str]) -> Iterator[str]:
    """Yield what each of these words would be called if it were the other way round."""
    for one, other in _opposites():
        if one in turns:
            yield other
        if other in turns:
            yield one
    for word in stems:
        yield from (word.removeprefix(no) for no in _NEGATING if word.startswith(no))


def _clauses(said: list[str]) -> Iterator[list[str]]:
    """Yield the words of each clause; of "X, it is optional" both "X" and the two together."""
    clause: list[str] = []
    earlier: list[str] = []
    for at, word in enumerate([*said, "."]):
        if (word in _CLAUSE_END and said[at + 1 : at + 2] != ["then"]) or word == "but":
            yield clause
            if clause and clause[0] in _cues()["pronouns"] and any(_turns(clause)):
                yield [*earlier, *clause]
            earlier, clause = clause, []
        else:
            clause.append(word)


def _read(clause: list[str]) -> Iterator[Clause]:
    """Yield what a clause advises and what it rejects."""
    cues = _cues()
    at = next((at for at, word in enumerate(clause) if word in cues["conditions"]), len(clause))
    deed, condition = clause[:at], clause[at:]
    reason = condition[:1] in (["because"], ["since"])
    when = frozenset[str]() if reason else _subject(condition)
    contrast = _contrast(deed)
    if contrast is not None:
        rejected = _content(_first_phrase(deed[contrast:]))
        if rejected:
            yield Clause((), rejected, frozenset(rejected))
        deed = deed[:contrast]
    end, no = len(deed), contrast is None and _is_rejected(deed)
    excepted = no and condition[:1] in (["unless"], ["until"])
    if not no and contrast is None and deed and deed[0].endswith("ing"):
        end = next((n for n, word in enumerate(deed) if word in cues["disapprovals"]), end)
        no = end < len(deed)
    rejected = _content(deed[:end]) if no and not excepted else ()
    for part in [deed[:end]] if no else _parts(deed):
        told = part if reason else [*part, *condition]
        content = () if no else _content(part)
        if content or rejected:
            turns, orders = frozenset(_turns(told)), tuple(_orders(told))
            yield Clause(content, rejected, _subject(part) | when, turns, orders)


def _parts(words: list[str]) -> Iterator[list[str]]:
    """Yield what "edit the schema and build it again" asks for one by one."""
    while "and" in words:
        yield words[: words.index("and")]
        words = words[words.index("and") + 1 :]
    yield words


def _turns(words: Sequence[str]) -> Iterator[str]:
    """Yield the stems that have an opposite."""
    known = {each for pair in _opposites() for each in pair}
    return (stem(word) for word in words if stem(word) in known)


def _orders(words: Sequence[str]) -> Iterator[tuple[str, frozenset[str], frozenset[str]]]:
    """Yield each word that puts two things in an order, with what stands on either side."""
    for at, word in enumerate(words):
        if word in _cues()["orders"]:
            yield stem(word), frozenset(_content(words[:at])), frozenset(_content(words[at:]))


def _contrast(clause: list[str]) -> int | None:
    """Return where a clause begins to name what it sets aside: "X instead of Y", "X not Y"."""
    auxiliaries = _cues()["auxiliaries"]
    for at, word in enumerate(clause):
        after = clause[at + 1] if at + 1 < len(clause) else ""
        if (word, after) in (("instead", "of"), ("rather", "than")):
            return at
        if word == "without" and at and after.endswith("ing"):
            return at
        if word == "not" and (not at or clause[at - 1] not in auxiliaries):
            return at
    return None


def _first_phrase(clause: list[str]) -> list[str]:
    """Return "instead of npm" of "instead of npm in this repository"."""
    places, told = _cues()["places"], False
    for at, word in enumerate(clause):
        if told and word in places:
            return clause[:at]
        told = told or bool(_content([word]))
    return clause


def _is_rejected(clause: list[str]) -> bool:
    cues = _cues()
    if cues["rejections"] & set(clause):
        return True
    pairs = list(pairwise(clause))
    if any(word == "not" and before in cues["auxiliaries"] for before, word in pairs):
        # "clearing the cache does not help" rejects the clearing, "it is not there" nothing
        return clause[0].endswith("ing") or not cues["disapprovals"] & set(clause)
    return any("no" in pair and cues["idle"] & set(pair) for pair in pairs)


def _subject(words: Sequence[str]) -> frozenset[str]:
    """Return the stems that distinguish one case from another: no light verbs, but "during"."""
    cues = _cues()
    kept = (word for word in words if word not in cues["light verbs"])
    return frozenset((*_content(tuple(kept)), *(stem(w) for w in words if w in cues["relations"])))


def _content(clause: Sequence[str]) -> tuple[str, ...]:
    aside = _set_aside()
    told = (word for word in clause if word not in aside and _LETTER.search(word))
    return tuple(dict.fromkeys(stem(stem(word)) for word in told))  # retrying, retry, retr


def _opposed(a: Clause, b: Clause, one: Stance, other: Stance) -> bool:
    """Return True if exactly one thing is reversed between two clauses about the same."""
    turned = _turned(a, b)
    reversals = len(turned) + _swapped(a, b)
    if a.rejected and b.advised:
        related = not reversals and _same_deed(a.rejected, b.advised, one, other)
    elif a.advised and b.rejected:
        related = not reversals and _same_deed(b.rejected, a.advised, other, one)
    else:
        related = reversals == 1 and _same_subject(a, b, turned)
    if not related:
        return False
    aside = {each for pair in turned for each in pair}
    return not (_left(a.about - aside, other) and _left(b.about - aside, one))


def _left(about: frozenset[str], other: Stance) -> frozenset[str]:
    """Return what one clause is about and the other lesson is not."""
    left = about - other.stems
    return frozenset(each for each in left if not related().get(each, frozenset()) & other.stems)


def _turned(a: Clause, b: Clause) -> set[tuple[str, str]]:
    """Return the pairs of opposite words of which each clause has one."""
    mine, theirs = a.turns - b.turns, b.turns - a.turns
    pairs = {(x, y) for x, y in _opposites() if (x in mine and y in theirs)}
    pairs |= {(x, y) for x, y in _opposites() if (y in mine and x in theirs)}
    return pairs | {(x, y) for x, y in _negated(a, b)} | {(x, y) for x, y in _negated(b, a)}


def _negated(a: Clause, b: Clause) -> Iterator[tuple[str, str]]:
    """Yield "pin" and "unpin" where the first is in one clause and the second in the other."""
    for word in a.about - b.about:
        for negated in (f"{no}{word}" for no in _NEGATING):
            if negated in b.about - a.about:
                yield word, negated


def _swapped(a: Clause, b: Clause) -> bool:
    """Return True if what stands before in one clause stands after in the other."""
    return any(
        bool(last - end and end - last) and last - end <= begin and end - last <= first
        for word, first, last in a.orders
        for also, begin, end in b.orders
        if word == also or (word, also) in _opposites() or (also, word) in _opposites()
    )


def _same_subject(a: Clause, b: Clause, turned: Collection[tuple[str, str]]) -> bool:
    aside = {each for pair in turned for each in pair}
    left, right = a.about - aside, b.about - aside
    shared = left & right
    if left == right:
        return bool(shared)
    return len(shared) >= LEAST_SHARED and len(shared) >= SAME_SUBJECT * min(len(left), len(right))


def _same_deed(no: tuple[str, ...], yes: tuple[str, ...], one: Stance, other: Stance) -> bool:
    known = set(yes).union(*(related().get(each, frozenset()) for each in yes))
    if not set(no[:2]) <= set(yes):
        return False
    if len(no) == 1:
        also = (one.stems & other.stems) - set(no)
        begins = {clause[0] for clause in one.advised}
        return yes[0] in no or (bool(also) and yes[0] in begins)
    covered = sum(each in known for each in no) / len(no)
    return covered >= COVERED and yes[0] in no


def _other_value(one: Stance, other: Stance) -> bool:
    if not (one.values - other.values and other.values - one.values):
        return False
    shared, every = one.stems & other.stems, one.stems | other.stems
    return len(shared) >= LEAST_SHARED and len(shared) >= SAME_WORDS * len(every)


@cache
def _set_aside() -> frozenset[str]:
    cues = _cues()
    return stop_words() | cues["disapprovals"] | cues["auxiliaries"] | {"point", "reason"}


@cache
def _opposites() -> tuple[tuple[str, str], ...]:
    rows = table("reflection_mcp.tools.learning", "opposites.txt")
    return tuple((stem(one), stem(other)) for one, other in rows)


def _cues() -> Mapping[str, frozenset[str]]:
    return words("reflection_mcp.tools.learning", "contradiction.words")


def contradictions(
    rows: Sequence[Reflection], progress: Progress = ignore_progress
) -> Mapping[str, tuple[Link, ...]]:
    """Return for each row the links to rows that say the opposite about the same subject."""
    said = tuple((row.id, row.kind, row.lesson) for row in rows if not row.suspicious)
    few = len(said) <= REMEMBERED
    found: dict[str, list[Link]] = defaultdict(list)
    for one, other in _once_more(said) if few else _opposing(said, progress):
        found[one].append(Link(kind="contradicts", target_id=other))
        found[other].append(Link(kind="contradicts", target_id=one))
    return {name: tuple(links) for name, links in found.items()}


@lru_cache(maxsize=4)
def _once_more(said: tuple[Said, ...]) -> tuple[tuple[str, str], ...]:
    return tuple(_opposing(said, ignore_progress))


def _opposing(said: Sequence[Said], progress: Progress) -> Iterator[tuple[str, str]]:
    """Yield the ids of the lessons that say the opposite of each other."""
    read = {name: stance(lesson) for name, _, lesson in said}
    kinds = {name: kind for name, kind, _ in said}
    for one, other in _pairs(read, progress):
        if kinds[one] == kinds[other] and _contradict(read[one], read[other]):
            yield one, other


def _pairs(read: Mapping[str, Stance], progress: Progress) -> Iterator[tuple[str, str]]:
    """Yield pairs that share one of their three rarest words, each once, the smaller id first."""
    spread = Counter(each for one in read.values() for each in one.stems)
    blocks: dict[str, list[str]] = defaultdict(list)
    for name in sorted(read):
        for _, each in sorted([(spread[each], each) for each in read[name].stems])[:3]:
            blocks[each].append(name)
    seen: set[tuple[str, str]] = set()
    for place, each in enumerate(sorted(blocks)):
        progress(len(read) * place // len(blocks))
        for pair in combinations(blocks[each][:BLOCK], 2):
            if pair not in seen:
                seen.add(pair)
                yield pair
