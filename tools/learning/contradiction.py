"""Contradictions between two lessons: one says to do what the other one says not to do.

Rules: pure and symmetric. Two clauses contradict each other when exactly one thing is reversed
between them: one advises nearly all of what the other rejects, its verb and object included; or
they use opposite words ("enable", "disable", "pinned", "unpinned") of the same subject; or what
comes first ("the broker, then the gateway") comes last. Two reversals make one sense again. When
each of the two also names what the other does not ("on Windows", "on Linux"), they may speak of
different cases and do not contradict each other; nor do they in any other doubt: the mark tells a
reader to distrust one of them. Two that differ in nothing but a value do.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, pairwise, product

from reflection_mcp.store.records import Link, Reflection
from reflection_mcp.tools.data_files import table
from reflection_mcp.tools.learning.lesson_reading import (
    Sentence,
    canonical,
    content,
    is_number,
    root,
    sentences,
    word_lists,
)
from reflection_mcp.tools.learning.progress import Progress, ignore_progress

COVERED = 0.75  # share of a rejected clause that the other lesson has to advise
SAME_SUBJECT = 0.6  # share of the shorter clause from which opposite words contradict each other
SAME_WORDS = 0.8  # share of all words from which another number contradicts
LEAST_SHARED = 2  # words that two lessons on one subject have in common
MOST_CHOSEN = 2  # words that name one of several ways
BLOCK = 60  # rows that share a rare word and are compared with each other
REMEMBERED = 1_000  # lessons whose contradictions are known the next time: the same ones are asked
_NEGATING = ("un", "non")

Said = tuple[str, str, str]
"""A lesson as far as it can contradict another one: its id, its kind and its words."""
Order = tuple[str, frozenset[str], frozenset[str]]
"""A word that puts two things in an order, and the words before and behind it."""


@dataclass(frozen=True, slots=True)
class ClauseAdvice:
    """A clause as the stems of what it advises and of what it rejects, of all that it is `about`,
    the conditions of its sentence included, and of all its words, with the `opposites` that these
    have without a prefix; `orders` are of its sentence."""

    advised: tuple[str, ...]
    rejected: tuple[str, ...]
    about: frozenset[str]
    words: frozenset[str]
    opposites: frozenset[str]
    orders: tuple[Order, ...]


@dataclass(frozen=True, slots=True)
class Stance:
    """The advice of a lesson by its clauses, the stems of all that it is about and of all that it
    rejects, and its values."""

    advice: tuple[ClauseAdvice, ...]
    stems: frozenset[str]
    rejected: frozenset[str]
    values: frozenset[str]


def reversing_words(text: str) -> frozenset[str]:
    """Return the words of a text that can reverse its meaning: negations, stems of opposites."""
    said = {root(word) for word in canonical(text)} & (_opposites().keys() | {"not", "unless"})
    return frozenset(said)


def contradict(one: str, other: str) -> bool:
    """Return True if two lessons say the opposite of each other."""
    return _contradict(stance(one), stance(other))


def _contradict(one: Stance, other: Stance) -> bool:
    return _other_value(one, other) or any(
        _opposed(a, b, one, other) or _other_choice(a, b)
        for a, b in product(one.advice, other.advice)
    )


@lru_cache(maxsize=256)  # of 3 to 7 kB each
def stance(text: str) -> Stance:
    """Return what a lesson advises and rejects."""
    told = sentences(text)
    advice = tuple(clause for sentence in told for clause in _clause_advice(sentence))
    said = list(canonical(text))
    # "set it to 5" gives a value, "see case 5" a name
    values = {word for before, word in pairwise(said) if before in word_lists()["values"]}
    return Stance(
        advice=advice,
        stems=frozenset(word for clause in advice for word in clause.about),
        rejected=frozenset(word for clause in advice for word in clause.rejected),
        values=frozenset(filter(is_number, values)),
    )


def _clause_advice(sentence: Sentence) -> Iterator[ClauseAdvice]:
    lists = word_lists()
    parts: list[tuple[str, tuple[str, ...]]] = []
    for clause in sentence:
        beside = clause.begins == "" and clause.said[:1] == ("not",)  # "use yarn, not npm"
        if parts and (beside or clause.begins in lists["belonging"]):
            begins, said = parts[-1]
            parts[-1] = begins, (*said, *filter(None, [clause.begins]), *clause.said)
        else:
            left_out = clause.begins == "and" and clause.said[:1] == ("without",)
            said = ("not", *clause.said[1:]) if left_out else clause.said
            parts.append((clause.begins, said))
    conditions = [said for begins, said in parts if begins in lists["conditions"]]
    when = frozenset(word for said in conditions for word in _subject(said))
    excepted = any(begins in ("unless", "until") for begins, _ in parts)
    turning = frozenset(root(begins) for begins, _ in parts if begins)
    orders = tuple(_orders(sentence))
    for begins, said in parts:
        if said and begins not in lists["conditions"] | lists["reasons"]:
            words = when | turning | frozenset(map(root, said))
            opposites = frozenset(each for word in words for each in _bare_opposites(word))
            for advised, rejected, about in _advice(said):
                kept = () if excepted else rejected
                about_it = _subject(about) | when
                yield ClauseAdvice(advised, kept, about_it, words, opposites, orders)


def _advice(
    said: Sequence[str],
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...], Sequence[str]]]:
    """Yield what a clause advises, what it rejects, and the words that it says of that."""
    lists = word_lists()
    told = _before_verdict(said)
    if said[0] in lists["leaving"] and "out" in said[2:]:  # "keep the secrets out of the image"
        yield (), _content(said[1 : said.index("out")]), said
        return
    at = next((n for n, word in enumerate(said) if word == "not" or _is_left_out(said, n)), None)
    if at is None:
        yield ((), _content(told), told) if told != said else (_content(said), (), said)
    elif (
        not at
        or said[at - 1] in lists["auxiliaries"]
        or lists["idle"].intersection(said[at - 1 : at + 2])
    ):
        # "clearing the cache does not help" rejects the clearing, "it is not there" nothing
        blamed = lists["disapprovals"].isdisjoint(said) or said[0].endswith("ing")
        yield (), _content(told) if blamed else (), told
    else:
        places = [n for n, word in enumerate(said) if word in lists["places"]]
        start = next((n for n in places if n < at), at)
        end = next((n for n in places if n > at + 1), len(said))
        yield _content(said[:at]), (), (*said[:at], *said[end:])
        yield (), _content(said[at:end]), (*said[start:at], *said[at + 1 :])


def _before_verdict(said: Sequence[str]) -> Sequence[str]:
    """Return "clearing the cache" of "clearing the cache is a waste of time"."""
    if said[0].endswith("ing"):
        for at, word in enumerate(said):
            if word in word_lists()["disapprovals"]:
                return said[:at]
    return said


def _is_left_out(said: Sequence[str], at: int) -> bool:
    """Return True for "without" before what is not done: "merge without squashing"."""
    return (
        bool(at)
        and said[at] == "without"
        and said[-1:] != said[at:]
        and said[at + 1].endswith("ing")
    )


def _content(said: Sequence[str]) -> tuple[str, ...]:
    lists = word_lists()
    aside = lists["disapprovals"] | lists["light"]
    return content([word for word in said if word not in aside])


def _subject(said: Sequence[str]) -> frozenset[str]:
    """Return the stems that distinguish one case from another: no light verbs, but "during"."""
    lists = word_lists()
    kept = _content([word for word in said if word not in lists["states"]])
    return frozenset((*kept, *(root(word) for word in said if word in lists["relations"])))


def _orders(sentence: Sentence) -> Iterator[Order]:
    """Yield each word that puts two things in an order, with the words on either side: for "before"
    those of the whole sentence, for "from the queue to the table" those of its own clause."""
    lists = word_lists()
    joined: list[list[str]] = []
    for clause in sentence:
        words = [word for word in (clause.begins, *clause.said) if word]
        if joined and clause.begins and clause.begins not in lists["conditions"]:
            joined[-1] += words
        else:
            joined.append(words)
    whole = [word for words in joined for word in words]
    for words, kinds in ((whole, lists["orders"]), *((each, lists["ways"]) for each in joined)):
        for at, word in enumerate(words):
            if at and word in kinds:
                yield root(word), frozenset(_content(words[:at])), frozenset(_content(words[at:]))


def _swapped(a: ClauseAdvice, b: ClauseAdvice) -> bool:
    """Return True if what stands before in one clause stands after in the other one."""
    return any(
        bool(last - end and end - last) and last - end <= begin and end - last <= first
        for word, first, last in a.orders
        for also, begin, end in b.orders
        if word == also or also in _opposites().get(word, ())
    )


def _opposed(a: ClauseAdvice, b: ClauseAdvice, one: Stance, other: Stance) -> bool:
    """Return True if exactly one thing is reversed between two clauses about the same."""
    turned = set(_turned(a, b))
    aside = {each for pair in turned for each in pair}
    reversals = min(len(aside & a.words), len(aside & b.words)) + _swapped(a, b)
    if a.rejected and b.advised:
        related = not reversals and _same_deed(a.rejected, b.advised, one, other)
    elif a.advised and b.rejected:
        related = not reversals and _same_deed(b.rejected, a.advised, other, one)
    else:
        related = reversals == 1 and _same_subject(a, b, aside)
    if not related:
        return False
    mine, theirs = a.about - aside - other.stems, b.about - aside - one.stems
    return all(map(is_number, mine)) or all(map(is_number, theirs))  # a value is no other case


def _turned(a: ClauseAdvice, b: ClauseAdvice) -> Iterator[frozenset[str]]:
    """Yield the pairs of opposite words of which each clause has one."""
    if a.words.isdisjoint(b.opposites) and b.words.isdisjoint(a.opposites):
        return  # as nearly always, and at once
    mine, theirs = a.words - b.words, b.words - a.words
    for one, other in ((mine, theirs), (theirs, mine)):
        for word in one:
            yield from (frozenset((word, each)) for each in _opposites_of(word) if each in other)


def _opposites_of(word: str) -> Iterator[str]:
    yield from _bare_opposites(word)
    yield from (f"{no}{word}" for no in _NEGATING)


def _bare_opposites(word: str) -> Iterator[str]:
    yield from _opposites().get(word, ())
    yield from (word.removeprefix(no) for no in _NEGATING if word.startswith(no))


def _same_subject(a: ClauseAdvice, b: ClauseAdvice, aside: Collection[str]) -> bool:
    left, right = a.about.difference(aside), b.about.difference(aside)
    shared = left & right
    if left == right:
        return bool(shared)
    return len(shared) >= LEAST_SHARED and len(shared) >= SAME_SUBJECT * min(len(left), len(right))


def _same_deed(no: tuple[str, ...], yes: tuple[str, ...], one: Stance, other: Stance) -> bool:
    if not set(no[:2]) <= set(yes) or not other.rejected.isdisjoint(set(no) - set(yes)):
        return False  # they agree, as both reject it
    if len(no) == 1:
        if one.stems != other.stems and one.stems & other.stems <= set(no):
            return False  # "the index was not used" and "use a lock" share a verb
        begins = {clause.advised[0] for clause in one.advice if clause.advised}
        return yes[0] in no or yes[0] in begins
    covered = sum(each in yes for each in no) / len(no)
    return covered >= COVERED and yes[0] in no


def _other_choice(a: ClauseAdvice, b: ClauseAdvice) -> bool:
    """Return True if both advise something that is done in one way only, but in different ways:
    "install it with pip" and "with apt", "prefer threads for it" and "processes"."""
    if a.rejected or b.rejected or not a.advised or a.advised[:1] != b.advised[:1]:
        return False
    if a.advised[0] not in map(root, word_lists()["exclusive"]):
        return False
    mine, theirs = set(a.advised) - set(b.advised), set(b.advised) - set(a.advised)
    shared = len(set(a.advised) & set(b.advised))
    object_is_it = a.advised[1:2] == b.advised[1:2] or a.advised[0] == root("prefer")
    few = 1 <= len(mine) <= MOST_CHOSEN and 1 <= len(theirs) <= MOST_CHOSEN
    return few and object_is_it and shared > LEAST_SHARED - 1 and a.about - mine == b.about - theirs


def _other_value(one: Stance, other: Stance) -> bool:
    rejects = any(clause.rejected for clause in (*one.advice, *other.advice))
    if rejects or not (one.values - other.values and other.values - one.values):
        return False  # "set it to 5" and "never set it to 6" agree
    mine, theirs = ({w for w in each.stems if not is_number(w)} for each in (one, other))
    shared, every = mine & theirs, mine | theirs
    return len(shared) >= LEAST_SHARED and len(shared) >= SAME_WORDS * len(every)


@cache
def _opposites() -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for row in table("reflection_mcp.tools.learning", "opposites.txt"):
        some, others = (
            frozenset(root(word) for each in side.split(", ") for word in canonical(each))
            for side in row
        )
        for these, those in ((some, others), (others, some)):
            found |= {each: found.get(each, frozenset[str]()) | those for each in these}
    return found


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
