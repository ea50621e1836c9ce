"""The exact value of a row of tokens, or the reason why there is none.

Rules of this module: numbers are fractions, never floats; anything but plain arithmetic on written
numbers is `Unreadable` with a reason, never a guess; unit words next to a number are skipped; sizes
of powers, of brackets and of the row are bounded, so that a hostile text costs no more than others.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from reflection_mcp.tools.judging.expressions.exact import (
    Unreadable,
    power,
    quotient,
    square_root,
)
from reflection_mcp.tools.judging.expressions.tokens import Token
from reflection_mcp.tools.judging.expressions.words import (
    AREAS,
    LETTER_UNITS,
    MATH_WORDS,
    NO_NAMES,
    ORDINALS,
    SCALES,
)

LONGEST_ROW = 120
"""Tokens of one side of an equation."""
DEEPEST = 40
"""Brackets within brackets."""
LONGEST_GLOSS = 6
"""Words that may stand between a number and the operator after it ("$40 for packs of gauze +")."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a row. The default is the one taught in school.

    `flat`: from left to right, all operators alike, as typed into a pocket calculator.
    `under`: everything after a division sign up to the next plus or minus is the divisor.
    `bar`: the one division sign outside brackets is the bar of a fraction over the whole row.
    `scaled`: the words hundred, thousand, dozen multiply; else they are units ("3 dozen eggs").
    `put`: numbers to use in place of those written, by the place of their token in the row.
    """

    flat: bool = False
    under: bool = False
    bar: bool = False
    scaled: bool = True
    put: Mapping[int, Fraction] = field(default_factory=dict[int, Fraction])


PLAIN = Reading()


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


def evaluate(row: Sequence[Token], start: int, end: int, reading: Reading = PLAIN) -> Value:
    """The value of `row[start:end]`, all of it.

    Raises:
        Unreadable: it is not plain arithmetic.
    """
    value = _Parser(row, start, end, reading).parse()
    if value.end != end:
        raise Unreadable(f"stops at '{row[value.end].text}'")
    return value


def evaluate_prefix(row: Sequence[Token], start: int, end: int, reading: Reading = PLAIN) -> Value:
    """The value of the longest expression at the start of `row[start:end]`.

    Raises:
        Unreadable: there is none, or its end is unclear.
    """
    return _Parser(row, start, end, reading, whole=False).parse()


class _Parser:
    """Recursive descent over the row; one instance reads one expression once."""

    def __init__(
        self, row: Sequence[Token], start: int, end: int, reading: Reading, *, whole: bool = True
    ) -> None:
        self.row, self.at, self.reading, self.whole = row, start, reading, whole
        self.end = min(end, start + LONGEST_ROW)
        self.depth = 0
        self.operations = 0
        self.numbers: list[int] = []
        self.units: list[str] = []
        self.root = False

    def parse(self) -> Value:
        if self.reading.flat:
            number = self._flat()
        else:
            number = self._sum()
            if self.reading.bar and self._operator("/"):
                number = quotient(number, self._sum())
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

    def _sum(self) -> Fraction:
        total = self._product()
        while (sign := self._operator("+-")) is not None:
            term = self._product()
            total = total + term if sign == "+" else total - term
        return total

    def _product(self) -> Fraction:
        product = self._signed()
        while True:
            sign = self._operator("*" if self.reading.bar and not self.depth else "*/")
            if sign is None and not self._implied():
                return product
            if sign == "/" and self.reading.under:
                return quotient(product, self._product())
            factor = self._signed()
            product = quotient(product, factor) if sign == "/" else product * factor

    def _flat(self) -> Fraction:
        result = self._signed()
        steps: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
            "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
            "/": quotient,
        }  # fmt: skip
        while (sign := self._operator("+-*/")) is not None:
            result = steps[sign](result, self._signed())
        return result

    def _implied(self) -> bool:
        """3(4), (3)(4), 2\\sqrt{3}, 20% of 50: a product without a sign."""
        token = self._next()
        if token is None or self.at == 0:
            return False
        before = self.row[self.at - 1]
        glued = before.end == token.start
        if token.kind == "open" and token.text == "(":
            implied = before.kind == "close" or (before.kind == "number" and glued)
        elif token.kind in ("frac", "sqrt"):
            # 2\frac{1}{2} is two and a half or one: nobody can tell.
            if token.kind == "frac" and before.kind == "number":
                raise Unreadable("a mixed number or a product")
            implied = before.kind in ("number", "close")
        else:
            implied = False
        self.operations += implied
        return implied

    def _signed(self) -> Fraction:
        sign = 1
        while (token := self._next()) is not None and token.text in ("+", "-"):
            sign = -sign if token.text == "-" else sign
            self.at += 1
        value = self._power()
        return -value if sign < 0 else value

    def _power(self) -> Fraction:
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

    def _nested(self, rule: Callable[[], Fraction]) -> Fraction:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unreadable("too many brackets")
        value = rule()
        self.depth -= 1
        return value

    def _atom(self) -> Fraction:
        token = self._next()
        if token is None:
            raise Unreadable("an operator without a number")
        if token.kind == "number":
            self.numbers.append(self.at)
            value = self.reading.put.get(self.at, token.value)
            self.at += 1
            return self._after_operand(value)
        if token.kind == "open":
            value = self._bracket()
            return self._after_operand(value)
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

    def _digits(self) -> Fraction:
        self.numbers.append(self.at)
        value = self.reading.put.get(self.at, self.row[self.at].value)
        self.at += 1
        return value

    def _bracket(self) -> Fraction:
        opening = self.row[self.at]
        self.at += 1
        value = self._nested(self._sum)
        closing = self._next()
        if closing is None or closing.kind != "close":
            raise Unreadable("a bracket that is not closed")
        if (opening.text == "{") != (closing.text == "}"):
            raise Unreadable("brackets that do not match")
        self.at += 1
        return value

    def _fraction(self) -> Fraction:
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

    def _after_operand(self, value: Fraction = Fraction(0)) -> Fraction:
        """Skip per cent, scale and unit words; leave the row where an operator could stand."""
        token = self._next()
        if token is not None and (token.kind == "percent" or token.text == "percent"):
            self.at += 1
            value /= 100
            self.units.append("%")
        start = self.at
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

    def _gloss(self, value: Fraction) -> tuple[Fraction, int, list[str]]:
        at, words, units = self.at, 0, list[str]()
        while at < self.end and words < LONGEST_GLOSS:
            token = self.row[at]
            if token.kind == "word":
                self._refuse_unknown(at)
                word = token.text
                if word in NO_NAMES and not self._area(at):
                    break
                if words == 0 and word in SCALES and self.reading.scaled:
                    value *= SCALES[word]
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
