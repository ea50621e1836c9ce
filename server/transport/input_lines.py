"""The lines of a client, made of its bytes as they come in.

Rule: what a line costs is bounded, however long it is. A text in it that is longer than anything a
tool takes keeps its head and its tail, which is all that is read of an error; a line that is long
for another reason is given up after its beginning, and is then no JSON. Reading JSON is one call of
C code, in which nothing else is answered: 2.4 seconds for ten megabytes of small objects, and half
a second for an error of ten million characters that its client escapes.

The standard library alone, as in `descriptors`.
"""

import re
from collections import deque
from collections.abc import Iterator

LONG = 1 << 18
"""Bytes of a line that are kept as they come; of a longer one it is looked at what is in it."""

LONGEST_TEXT = 2_400_000
"""Bytes of a text that is kept whole: 200,000 characters, each escaped as a pair of surrogates."""

MOST_TEXT = 3 * LONGEST_TEXT
"""Bytes of all texts of a line: a question, an answer and its context."""

MOST_ELSE = 100_000
"""Bytes that are no text, such as brackets and numbers; 200 events have a fifth of it."""

STEP = 1 << 16
"""Bytes of a text that are looked at in one call of C code: a millisecond."""

CUT_MARK = rb"\n[\u2026 characters left out \u2026]\n"
"""What stands for the middle of a text, as JSON writes it."""

# Up to the quotation mark that ends a text, or an escape whose second half is yet to come.
_TEXT = re.compile(rb'[^"\\]*(?:\\.[^"\\]*)*', re.DOTALL)
_BEGUN = re.compile(rb"(?:(?P<escape>\\)u[0-9a-fA-F]{0,3}|[\xc0-\xff][\x80-\xbf]{0,3})\Z")
"""An escape or a character at the end, which may go on behind it."""
_LATER_BYTES = bytes(range(0x80, 0xC0))


class InputLines:
    """The lines of one connection, and what has come in of the next."""

    def __init__(self) -> None:
        self._line = InputLine()

    def of(self, chunk: bytes) -> Iterator[str]:
        """The lines that these bytes end, blank ones left out."""
        first, *others = chunk.split(b"\n")
        self._line.add(first)
        for other in others:
            yield from self.last()
            self._line.add(other)

    def last(self) -> Iterator[str]:
        """The line that has come in so far, unless it is blank."""
        line, self._line = self._line.whole().strip(), InputLine()
        if line:
            yield line.decode("utf-8", "replace")


class InputLine:
    """What is kept of a line, or of a message that came by HTTP."""

    def __init__(self) -> None:
        self._kept: list[bytes] = []
        self._size = 0
        self._parts: _Parts | None = None

    @property
    def is_too_much(self) -> bool:
        """Whether it is given up."""
        return self._parts is not None and self._parts.is_too_much

    def add(self, piece: bytes) -> None:
        """Add what has come in."""
        if self._parts is None:
            self._kept.append(piece)
            self._size += len(piece)
            if self._size <= LONG:
                return
            self._parts, piece = _Parts(), b"".join(self._kept)
            self._kept = [piece[:LONG]]
        self._parts.add(piece)

    def whole(self) -> bytes:
        """Return what is kept."""
        if self._parts is None or self._parts.is_too_much:
            return b"".join(self._kept)
        return self._parts.whole()


class _Parts:
    """The parts of a long line: texts, and what stands between them."""

    def __init__(self) -> None:
        self._kept: list[bytes] = []
        self._text: _Text | None = None
        self._half = b""  # an escape whose second half is yet to come
        self._texts = self._else = 0

    @property
    def is_too_much(self) -> bool:
        return self._texts > MOST_TEXT or self._else > MOST_ELSE

    def add(self, piece: bytes) -> None:
        piece, self._half = self._half + piece, b""
        at = 0
        while at < len(piece) and not self.is_too_much:
            text = self._text
            at = self._between(piece, at) if text is None else self._within(text, piece, at)

    def _between(self, piece: bytes, at: int) -> int:
        mark = piece.find(b'"', at)
        end = len(piece) if mark < 0 else mark + 1
        self._kept.append(piece[at:end])
        self._else += end - at
        if mark >= 0:
            self._text = _Text()
        return end

    def _within(self, text: "_Text", piece: bytes, at: int) -> int:
        # In steps, because other threads run only between two calls of C code.
        found = _TEXT.match(piece, at, at + STEP)
        assert found is not None  # it may be empty
        end = found.end()
        text.add(found[0])
        if piece[end : end + 1] == b'"':
            kept = text.whole()
            self._kept += (kept, b'"')
            self._texts += len(kept)
            self._text = None
            end += 1
        elif piece[end:] == b"\\":
            self._half = b"\\"
            end += 1
        return end

    def whole(self) -> bytes:
        rest = b"" if self._text is None else self._text.whole() + self._half
        return b"".join(self._kept) + rest


class _Text:
    """A text, or its head and its tail."""

    def __init__(self) -> None:
        self._head: list[bytes] = []
        self._tail: deque[bytes] = deque()
        self._of_head = self._of_tail = 0
        self._is_cut = False

    def add(self, piece: bytes) -> None:
        if self._of_head < LONGEST_TEXT // 3:  # most tools print the verdict last
            self._head.append(piece)
            self._of_head += len(piece)
            return
        self._tail.append(piece)
        self._of_tail += len(piece)
        while self._of_head + self._of_tail - len(self._tail[0]) >= LONGEST_TEXT:
            self._of_tail -= len(self._tail.popleft())
            self._is_cut = True

    def whole(self) -> bytes:
        head, tail = b"".join(self._head), b"".join(self._tail)
        if not self._is_cut:
            return head + tail
        begun = _BEGUN.search(head, len(head) - 5)
        if begun and not (begun["escape"] and _is_escaped(head, begun.start())):
            head = head[: begun.start()]
        return head + CUT_MARK + tail.lstrip(_LATER_BYTES)


def _is_escaped(text: bytes, at: int) -> bool:
    before = text[:at]
    return (len(before) - len(before.rstrip(b"\\"))) % 2 == 1
