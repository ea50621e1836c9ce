"""One answer to be judged, and the views of it that the checks share.

Rules of this module: every offset is an offset into the answer exactly as it came; a view that
leaves something out replaces it by spaces, line ends kept, so that offsets stay true.
Each view is made once, when the first check asks for it, in time linear in the answer. The number
of lines and sentences that it reads is limited.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, repeat
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

from reflection_mcp.tools.judging.budget import Budget
from reflection_mcp.tools.judging.texts.wording import letters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from reflection_mcp.tools.judging.run import Run
    from reflection_mcp.tools.judging.texts.source import Source

View = TypeVar("View")


class Piece(NamedTuple):
    """A stretch of the answer: `answer[start:end] == text`, unless the view blanked a part."""

    start: int
    end: int
    text: str


class Block(NamedTuple):
    """A fenced block, fences included in `start` and `end`.

    `language` is the first word after the opening fence in lower case, often empty. `closed` is
    False when the answer ends before the closing fence. `body` begins at `body_start`.
    """

    start: int
    end: int
    language: str
    body_start: int
    body: str
    closed: bool


# Not slots: `cached_property` keeps what it computed in the instance's own dictionary, which it
# writes to directly, so the dataclass can be frozen all the same.
@dataclass(frozen=True)
class Case:
    """An answer with its question and the context that it has to rest on.

    `only_context` says whether the answer may hold nothing but its context; None leaves that to
    the question.
    `evidence` are the runs of tools that came with the work, the newest last; `project` are the
    paths of the project's own files, None when they may not be looked at. `budget` is the work that
    its checks may do together.
    """

    question: str = ""
    answer: str = ""
    context: str = ""
    only_context: bool | None = None
    evidence: "tuple[Run, ...]" = ()
    project: frozenset[str] | None = None
    budget: Budget = field(default_factory=Budget, compare=False, repr=False)

    @cached_property
    def part(self) -> str:
        """The part of the answer that the other views read: all of it, or the beginning of a long
        one."""
        if _most_pieces(self.answer) <= MOST_PIECES:
            return self.answer
        self.budget.is_short = True
        ends = range(len(self.answer))
        end = bisect_left(ends, MOST_PIECES, key=lambda end: _most_pieces(self.answer[:end]))
        # A number that is cut in two would be another one.
        return self.answer[: max(self.answer.rfind(mark, 0, end) for mark in ("\n", ". ")) + 1]

    @property
    def is_whole(self) -> bool:
        """True if the views show the answer to its end."""
        return len(self.part) == len(self.answer)

    @cached_property
    def lines(self) -> tuple[Piece, ...]:
        """The lines of the answer without their line ends."""
        return tuple(_lines(self.part))

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The fenced code blocks of the answer, in order."""
        return tuple(_blocks(self.part))

    @cached_property
    def prose(self) -> str:
        """The answer with its fenced blocks blanked; offsets are the same."""
        pieces: list[str] = []
        seen = 0
        for block in self.blocks:
            pieces.append(self.part[seen : block.start])
            pieces.append(_NOT_A_LINE_END.sub(" ", self.part[block.start : block.end]))
            seen = block.end
        return "".join([*pieces, self.part[seen:]])

    @cached_property
    def sentences(self) -> tuple[Piece, ...]:
        """The sentences of the prose; a line end always ends one. Blank ones are left out."""
        return tuple(_sentences(self.prose))

    def first_sentences(self, count: int) -> list[Piece]:
        """Return the first `count` sentences, and read no others."""
        return [*islice(_sentences(self.prose), count)]

    def view(self, make: "Callable[[Case], View]") -> View:
        """Return what a function makes of this case, made once: a view of one room's own."""
        if make not in self._views:
            self._views[make] = make(self)
        return cast("View", self._views[make])

    @cached_property
    def _views(self) -> "dict[Callable[[Case], object], object]":
        return {}

    @cached_property
    def source(self) -> "Source":
        """All that the answer may rest on: the context, and what the question says."""
        from reflection_mcp.tools.judging.texts.source import Source

        return Source(f"{self.context}\n{self.question}")

    @cached_property
    def closed_world(self) -> bool:
        """True if a claim that the context does not have is a fault of the answer."""
        from reflection_mcp.tools.judging.texts.closed_world import asked_for

        return asked_for(self.question) if self.only_context is None else self.only_context

    @cached_property
    def english(self) -> bool:
        """True if rules about English words may be used on this answer.

        Cheap and cautious: mostly plain Latin letters, and no more function words of another
        language than of English. A text without words, such as bare formulas, passes.
        """
        return english(self.prose[:ENGLISH_WINDOW])


ENGLISH_WINDOW = 20_000
"""Characters that are looked at to tell the language; more change nothing and cost time."""

MOST_PIECES = 20_000
"""Lines and sentences that are read; logs and prose of 200 kB have fewer than 15,000."""

_NOT_A_LINE_END = re.compile(r"[^\n]")
_FENCE = re.compile(
    r"^[ \t]{0,12}(?:[-*+]|\d{1,3}[.)])?[ \t]{0,4}(`{3,}|~{3,})([^`\n]*).*$", re.MULTILINE
)
_INLINE_CODE = re.compile(r"`[^`\n]{1,200}`")
_SENTENCE_END = re.compile(r"[.!?][\"'\u201d\u2019)\]*_]{0,3}(?=[ \t])")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that end in a full stop inside a sentence.
_ABBREVIATIONS = _words(
    """mr mrs ms dr prof st vs etc e.g i.e eg ie cf no fig eq approx ca al inc ltd dept est"""
)
# The commonest function words that are not also common in another language of the list.
_ENGLISH = _words(
    """the of and to is that it for was with are this be at from have not they which you his her
    has by will we there their each if how what so been"""
)
# The same of German, Dutch, French, Spanish, Portuguese, Italian, Swedish, Polish, Turkish and
# Indonesian; without those that are English words, units or the name of a variable (per, no, y).
_FOREIGN = _words(
    """der die das und ist nicht ein eine mit auf für dem den von zu sich auch het een van niet zijn
    le la les des et est une dans pour que qui sur el los las una por con del es se di il che sono è
    não uma para os em da um na en au aux du och att som är się jest nie bir ve bu için yang dan
    untuk dengan"""
)

_SPEAKS_FOR = dict.fromkeys(_FOREIGN, -1) | dict.fromkeys(_ENGLISH, 1)


def _most_pieces(text: str) -> int:
    """Return how many lines and sentences a text has at most; never less for a longer one."""
    stops, spaces = sum(map(text.count, ".!?")), sum(map(text.count, " \t"))
    return 1 + text.count("\n") + min(stops, spaces)


def _lines(text: str) -> list[Piece]:
    pieces: list[Piece] = []
    start = 0
    for line in text.split("\n"):
        pieces.append(Piece(start, start + len(line), line))
        start += len(line) + 1
    return pieces


def _blocks(text: str) -> list[Block]:
    blocks: list[Block] = []
    opening: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opening is None:
            opening = fence
        # A closing fence is at least as long, of the same character, and no text follows it.
        elif fence[1].startswith(opening[1]) and not fence[2].strip():
            blocks.append(_block(text, opening, fence))
            opening = None
    if opening is not None:
        blocks.append(_block(text, opening, None))
    return blocks


def _block(text: str, opening: re.Match[str], closing: re.Match[str] | None) -> Block:
    words = opening[2].split()
    language = words[0].lower().strip("{}.") if words else ""
    start = min(opening.end() + 1, len(text))
    body = text[start:] if closing is None else text[start : max(start, closing.start() - 1)]
    end = len(text) if closing is None else closing.end()
    return Block(opening.start(), end, language, start, body, closing is not None)


def _sentences(text: str) -> "Iterator[Piece]":
    for line in _lines(text):
        if not line.text.strip():
            continue
        start = line.start
        # A stop inside of inline code ends no sentence.
        for stop in _SENTENCE_END.finditer(_INLINE_CODE.sub(_dashes, line.text)):
            end = line.start + stop.end()
            if not _abbreviated(text, start, end):
                yield _trimmed(text, start, end)
                start = end
        if (rest := _trimmed(text, start, line.end)).text:  # nothing follows the last full stop
            yield rest


def _dashes(code: re.Match[str]) -> str:
    return "-" * len(code[0])


def _abbreviated(text: str, start: int, end: int) -> bool:
    if text[end - 1] != ".":
        return False
    last = text[max(start, end - 24) : end].split()[-1].strip("([\"'").removesuffix(".")
    # "1." opens a list item, "J." is an initial, "e.g." does not end a sentence.
    return (
        last.lower() in _ABBREVIATIONS
        or (last.isdigit() and not text[start : end - 1 - len(last)][-8:].strip())
        or (len(last) == 1 and last.isupper())
    )


def _trimmed(text: str, start: int, end: int) -> Piece:
    inner = text[start:end]
    begin = start + len(inner) - len(inner.lstrip())
    inner = inner.strip()
    return Piece(begin, begin + len(inner), inner)


def english(text: str) -> bool:
    """Return True if a text is English, by its letters and its commonest words."""
    words = letters(text.lower())
    if not text.isascii():
        latin = sum(len(word) for word in words if word.isascii())
        if latin < 0.8 * sum(map(len, words)):
            return False
    return sum(map(_SPEAKS_FOR.get, words, repeat(0))) >= 0
