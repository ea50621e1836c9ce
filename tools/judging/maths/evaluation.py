"""The exact value of an expression, or the reason why it has none.

Rules of this module: numbers are fractions, never floats; anything but plain arithmetic on written
numbers is `Unreadable` with a reason, never a guess; unit words next to a number are skipped,
unless the row is a side of an equation, in which one letter is an unknown; sizes of powers, of
brackets and of the row are bounded, so that a hostile text costs no more than others.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from reflection_mcp.tools.judging.maths.exact import (
    Linear,
    Term,
    Unreadable,
    linear,
    power,
    quotient,
    square_root,
)
from reflection_mcp.tools.judging.maths.tokens import Token
from reflection_mcp.tools.judging.maths.words import (
    AREAS,
    LETTER_UNITS,
    MATH_WORDS,
    NO_NAMES,
    ORDINALS,
    SCALES,
)

LONGEST_ROW = 120
"""Tokens of one side of a statement."""
DEEPEST = 40
"""Brackets within brackets."""
LONGEST_GLOSS = 6
"""Words that may stand between a number and the operator after it ("$40 for packs of gauze +")."""


Put = Mapping[int, Fraction]
"""Numbers to use in place of those written, by the place of their token in the row."""
AS_WRITTEN: Put = {}


class Value(NamedTuple):
    """A number, where its row ended, and what it was made of.

    `operations` counts operators; `numbers` are the indices of the number tokens; `units` are the
    words that were skipped; `root` says that an irrational root was rounded on the way.
    """

    number: Fraction
    end: int
    operations: int
    numbers: tuple[int, ...]
    units: tuple[str, ...]
    root: bool


def evaluate(row: Sequence[Token], start: int, end: int, put: Put = AS_WRITTEN) -> Value:
    """The value of `row[start:end]`, all of it.

    Raises:
        Unreadable: it is not plain arithmetic.
    """
    value = _Reader(row, start, end, put).value()
    if value.end != end:
        raise Unreadable(f"stops at '{row[value.end].text}'")
    return value


def evaluate_prefix(row: Sequence[Token], start: int, end: int) -> Value:
    """The value of the longest expression at the start of `row[start:end]`.

    Raises:
        Unreadable: there is none, or its end is unclear.
    """
    return _Reader(row, start, end, whole=False).value()


def side(row: Sequence[Token], start: int, end: int) -> tuple[Linear, str]:
    """`row[start:end]` as a side of an equation, and the letter of its unknown, if it has one.

    Raises:
        Unreadable: it is not linear in one unknown.
    """
    reader = _Reader(row, start, end, unknowns=True)
    found = reader.sum()
    if reader.at != end:
        raise Unreadable("something else on the side")
    return linear(found), reader.letter


class _Reader:
    """Recursive descent over the row; one instance reads one expression once."""

    def __init__(
        self,
        row: Sequence[Token],
        start: int,
        end: int,
        put: Put = AS_WRITTEN,
        *,
        whole: bool = True,
        unknowns: bool = False,
    ) -> None:
        self.row, self.at, self.put, self.whole = row, start, put, whole
        self.end = min(end, start + LONGEST_ROW)
        self.unknowns, self.letter = unknowns, ""
        self.depth = 0
        self.operations = 0
        self.numbers: list[int] = []
        self.units: list[str] = []
        self.root = False

    def value(self) -> Value:
        number = self.sum()
        assert not isinstance(number, Linear)  # no letter was taken for an unknown
        return Value(
            number, self.at, self.operations, tuple(self.numbers), tuple(self.units), self.root
        )

    # ---- the row -------------------------------------------------------------------------

    def _next(self) -> Token | None:
        return self.row[self.at] if self.at < self.end else None

    def _operator(self, signs: str) -> str | None:
        token = self._next()
        if token is None or token.kind != "operator" or token.text not in signs:
            return None
        self.at += 1
        self.operations += 1
        return token.text

    # ---- the grammar ---------------------------------------------------------------------

    def sum(self) -> Term:
        total = self._product()
        while (sign := self._operator("+-")) is not None:
            term = self._product()
            total = total + term if sign == "+" else total - term
        return total

    def _product(self) -> Term:
        product = self._signed()
        while True:
            sign = self._operator("*/")
            if sign is None and not self._implied():
                return product
            if sign == "/" and self.unknowns:
                self._refuse_long_divisor(product)
            factor = self._signed()
            product = quotient(product, factor) if sign == "/" else product * factor

    def _refuse_long_divisor(self, product: Term) -> None:
        """1/2x is half of x, but 10/2x is likely 10 divided by 2x."""
        divisor, after = (self.row[at] if at < self.end else None for at in (self.at, self.at + 1))
        if divisor is None or after is None or after.start != divisor.end:
            return
        small = not isinstance(product, Linear) and abs(product) < divisor.value
        if divisor.kind == "number" and after.kind in ("word", "open") and not small:
            raise Unreadable("a divisor of several factors")

    def _implied(self) -> bool:
        """3(4), (3)(4), 2\\sqrt{3}, 2x, x(x + 1): a product without a sign."""
        token = self._next()
        if token is None or self.at == 0:
            return False
        before = self.row[self.at - 1]
        glued = before.end == token.start
        if token.kind == "open" and token.text == "(":
            operands = ("number", "word") if self.unknowns else ("number",)
            implied = before.kind == "close" or (before.kind in operands and glued)
        elif self.unknowns and token.kind == "word":
            implied = before.kind == "close" or (before.kind in ("number", "word") and glued)
        elif token.kind in ("frac", "sqrt"):
            # 2\frac{1}{2} is two and a half or one: nobody can tell.
            if token.kind == "frac" and before.kind == "number":
                raise Unreadable("a mixed number or a product")
            implied = before.kind in ("number", "close") or (
                self.unknowns and before.kind == "word"
            )
        else:
            implied = False
        self.operations += implied
        return implied

    def _signed(self) -> Term:
        sign = 1
        while (token := self._next()) is not None and token.text in ("+", "-"):
            sign = -sign if token.text == "-" else sign
            self.at += 1
        value = self._power()
        return -value if sign < 0 else value

    def _power(self) -> Term:
        base = self._atom()
        token = self._next()
        if token is None or token.text != "^" or token.kind != "operator":
            return base
        self.at += 1
        self.operations += 1
        exponent = self._nested(self._signed)
        if self.row[self.at - 1].kind != "close":
            self._after_operand()
        return power(base, exponent)

    def _nested(self, rule: Callable[[], Term]) -> Term:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unreadable("too many brackets")
        value = rule()
        self.depth -= 1
        return value

    def _atom(self) -> Term:
        token = self._next()
        if token is None:
            raise Unreadable("an operator without a number")
        if token.kind == "number":
            self.numbers.append(self.at)
            value = self.put.get(self.at, token.value)
            self.at += 1
            return self._after_operand(value)
        if token.kind == "open":
            return self._after_operand(self._bracket())
        if token.kind == "word" and self.unknowns:
            return self._unknown(token)
        if token.kind == "frac":
            self.at += 1
            self.operations += 1
            return self._after_operand(self._fraction())
        if token.kind == "sqrt":
            self.at += 1
            self.operations += 1
            argument = self._next()
            if argument is None or argument.kind not in ("open", "number"):
                raise Unreadable("a root of something unwritten")
            inner = self._bracket() if argument.kind == "open" else self._digits()
            root, rounded = square_root(inner)
            self.root = self.root or rounded
            return self._after_operand(root)
        raise Unreadable(f"'{token.text[:20]}' where a number should be")

    def _unknown(self, token: Token) -> Linear:
        if len(token.text) != 1 or self.letter not in ("", token.text):
            raise Unreadable("more than one unknown")
        self.letter = token.text
        self.at += 1
        after = self._next()
        if after is not None and after.kind == "open" and after.start == token.end:
            raise Unreadable("a function")  # or a square: x(x + 1)
        return Linear(Fraction(1), Fraction(0))

    def _digits(self) -> Fraction:
        self.numbers.append(self.at)
        value = self.put.get(self.at, self.row[self.at].value)
        self.at += 1
        return value

    def _bracket(self) -> Term:
        opening = self.row[self.at]
        self.at += 1
        value = self._nested(self.sum)
        closing = self._next()
        if closing is None or closing.kind != "close":
            raise Unreadable("a bracket that is not closed")
        if (opening.text == "{") != (closing.text == "}"):
            raise Unreadable("brackets that do not match")
        self.at += 1
        return value

    def _fraction(self) -> Term:
        token = self._next()
        if token is not None and token.kind == "number" and len(token.text) == 2:
            self.at += 1  # \frac12
            if not token.text.isdigit():
                raise Unreadable("a fraction without braces")
            return quotient(Fraction(int(token.text[0])), Fraction(int(token.text[1])))
        if token is None or token.kind != "open":
            raise Unreadable("a fraction without braces")
        above = self._bracket()
        token = self._next()
        if token is None or token.kind != "open":
            raise Unreadable("a fraction without braces")
        return quotient(above, self._bracket())

    # ---- what may stand after an operand -------------------------------------------------

    def _after_operand(self, value: Term = Fraction(0)) -> Term:
        """Skip per cent, scale and unit words; leave the row where an operator could stand."""
        token = self._next()
        if token is not None and (token.kind == "percent" or token.text == "percent"):
            self.at += 1
            value = quotient(value, Fraction(100))
            self.units.append("%")
        start = self.at
        if self.unknowns:  # every word is an unknown then
            if start < self.end and self.row[start].kind == "number":
                raise Unreadable("two numbers side by side")
            return value
        value, skipped, units = self._gloss(value)
        after = self.row[skipped] if skipped < self.end else None
        if after is not None and skipped > start and after.text == "^":
            raise Unreadable("a power of a word")
        if after is not None and after.kind == "number":
            if skipped == start:
                raise Unreadable("two numbers side by side")
            after = None
        # Words at the end of an expression belong to the sentence; between operands, to the number.
        ended = skipped == self.end and self.whole
        # The "/load" of "$4/load" belongs to the number even where nothing follows.
        ratio = skipped > start and self.row[start].text == "/"
        if ended or ratio or (after is not None and after.kind in ("operator", "close")):
            self.at = skipped
        self.units.extend(units)
        return value

    def _gloss(self, value: Term) -> tuple[Term, int, list[str]]:
        at, words, units = self.at, 0, list[str]()
        while at < self.end and words < LONGEST_GLOSS:
            token = self.row[at]
            if token.kind == "word":
                self._refuse_unknown(at)
                word = token.text
                if word in NO_NAMES and not self._area(at):
                    break
                if words == 0 and word in SCALES:
                    value = value * Fraction(SCALES[word])
                if words == 0 or self.row[at - 1].text == "/":
                    units.append(word)  # "24 hours in a day" counts hours
                words += 1
                at += 1
            elif self._unit_ratio(at):
                at += 1
            elif self._unit_power(at):
                at += 2
            elif self._aside(at):
                at = self._aside(at)
            else:
                break
        return value, at, units

    def _refuse_unknown(self, at: int) -> None:
        """A letter beside a number is an unknown (2x, 3 a), unless it is a unit or an article."""
        token, before = self.row[at], self.row[at - 1]
        if before.end == token.start and before.kind in ("number", "close"):
            ordinal = token.text in ORDINALS and not self.whole
            named = token.text in LETTER_UNITS or token.text in SCALES or _foreign(token.text)
            if not ordinal and not named:
                raise Unreadable(f"the unknown '{token.text[:20]}'")
        elif len(token.text) == 1 and token.text not in LETTER_UNITS and not _foreign(token.text):
            follows = self.row[at + 1] if at + 1 < self.end else None
            article = token.text == "a" and follows is not None and follows.kind == "word"
            if not article:
                raise Unreadable(f"the unknown '{token.text}'")

    def _area(self, at: int) -> bool:
        """The "square" of "360 square feet"."""
        follows = self.row[at + 1] if at + 1 < self.end else None
        return self.row[at].text == "square" and follows is not None and follows.text in AREAS

    def _unit_ratio(self, at: int) -> bool:
        """The slash of "6 stars/row" and of "$3/day"."""
        return (
            self.row[at].text == "/"
            and at + 1 < self.end
            and self.row[at + 1].kind == "word"
            and self.row[at + 1].text not in MATH_WORDS
        )

    def _unit_power(self, at: int) -> bool:
        """The ^2 of "5 m^2"."""
        return (
            self.row[at].text == "^"
            and self.row[at - 1].text in LETTER_UNITS
            and at + 1 < self.end
            and self.row[at + 1].kind == "number"
        )

    def _aside(self, at: int) -> int:
        """The index after "(apples)", words only; 0 when there is no such thing."""
        if self.row[at].text != "(":
            return 0
        last = min(self.end, at + LONGEST_GLOSS + 2)
        for place in range(at + 1, last):
            token = self.row[place]
            if token.kind == "close":
                return place + 1 if place > at + 1 else 0
            if token.kind != "word" or len(token.text) == 1:
                return 0
        return 0


def _foreign(word: str) -> bool:
    """Thai, Chinese, Japanese, Korean: written without spaces, and never the name of an unknown."""
    return word[0] >= "\u0e00"
