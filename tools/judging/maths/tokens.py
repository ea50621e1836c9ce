r"""Prose, Markdown and LaTeX as a row of tokens of arithmetic, each with its place in the text.

Rules of this module: nothing is rewritten, so a token's offsets are offsets into the text; what is
layout only (`$`, `\left`, `**bold**`, `\text{...}`, `\boxed{...}`) yields no token; what could be
read in two ways (12,5 or 1.234 in Europe, 6:00, 1.2.3) is a `bad` token, and whoever meets one
stops. A comma is a decimal comma in a text that has prices or percentages with one (12,50 €), and
no decimal point.
One expression per token kind, no nested repeats: the time is linear in the text.
"""

import re
from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

Kind = Literal[
    "number", "operator", "equals", "open", "close", "frac", "sqrt", "percent", "word", "stop",
    "bad",
]  # fmt: skip


class Token(NamedTuple):
    """A character or word with a meaning in arithmetic.

    `text` is normalised: operators are `+ - * / ^`, relations `=` or `~` (approximately), brackets
    `(` and `)`, or `{` and `}` around an argument; words of more than one letter are in lower
    case. `value` and `decimals` (digits after the point) are those of a number.
    """

    kind: Kind
    start: int
    end: int
    text: str
    value: Fraction = Fraction(0)
    decimals: int = 0


LONGEST_NUMBER = 40
"""Characters of the longest number that is read; a longer one is no quantity anybody means."""

CURRENCY = "$€£¥₹₩₽₺฿¢"

_WRITTEN: dict[tuple[Kind, str], str] = {
    ("operator", "+"): "+",
    ("operator", "-"): "- \u2212 \u2013 \u2010 \u2011 \\-",
    ("operator", "*"): "\u00d7 \u2715 \u2716 \u00b7 \u2219 \u22c5 \\times \\cdot \\ast \\*",
    ("operator", "/"): "/ \u00f7 \u2215 \u2044 \\div",
    ("operator", "^"): "^",
    ("equals", "="): "= ==",
    ("equals", "~"): "\u2248 \u2245 \u2243 ~= =~ \\approx \\simeq",
    ("open", "("): "( [ \\lbrack \\lparen",
    ("close", ")"): ") ] \\rbrack",
    ("percent", "%"): "% \\%",
    ("sqrt", "sqrt"): "\u221a \\sqrt",
    ("frac", "frac"): "\\frac \\dfrac \\tfrac \\cfrac",
    ("stop", ","): ", \uff0c \u3001",
    ("stop", "."): ". \u3002",
    ("stop", ":"): ": \uff1a",
    ("stop", "?"): "?",
    ("stop", "!"): "!",
    ("stop", '"'): '" \u201c \u201d',
    ("stop", "..."): "\u2026 ...",
    ("stop", ";"): "; \u2014 \u2713 \u2714 \u2705 \u2022 -- \\quad \\qquad \\[ \\] \\\\",
    ("stop", ">"): "\u2192 \u21d2 \u2234 => -> --> ==> \\implies \\Rightarrow \\rightarrow \\to"
    " \\therefore \\Longrightarrow \\longrightarrow \\because",
}
_LAYOUT = r"""\left \right \bigl \bigr \Bigl \Bigr \big \Big \bigg \Bigg \displaystyle \limits
    \$ \, \; \: \! \( \)"""
_MEANINGS: dict[str, tuple[Kind, str] | None] = {
    **dict.fromkeys((*_LAYOUT.split(), "\\ ")),
    **{sign: meaning for meaning, signs in _WRITTEN.items() for sign in signs.split()},
}
"""The meaning of each sign; None for what is layout only."""
_RELATIONS = tuple(sign for sign, meaning in _MEANINGS.items() if meaning and "equals" in meaning)
"""Whatever is read as a relation sign is one of these or holds one."""
_VULGAR = {
    "\u00bd": Fraction(1, 2), "\u00bc": Fraction(1, 4), "\u00be": Fraction(3, 4),
    "\u2153": Fraction(1, 3), "\u2154": Fraction(2, 3), "\u2155": Fraction(1, 5),
    "\u2156": Fraction(2, 5), "\u2157": Fraction(3, 5), "\u2158": Fraction(4, 5),
    "\u2159": Fraction(1, 6), "\u215a": Fraction(5, 6), "\u215b": Fraction(1, 8),
    "\u215c": Fraction(3, 8), "\u215d": Fraction(5, 8), "\u215e": Fraction(7, 8),
}  # fmt: skip
_RAISED = {"\u00b2": 2, "\u00b3": 3, "\u2074": 4, "\u2075": 5, "\u2076": 6}

_V = "".join(_VULGAR)
# Raised, lowered and broken digits count as word characters, and are none.
_LETTER = r"[^\W\d_\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u209f\u2150-\u218f]"
_SCANNER = re.compile(
    rf"""
    (?:(?P<url>(?:https?://|www\.)[^\s]{{1,2000}})
  | (?P<money>[{CURRENCY}&]|(?:US|CA?|AU?|NZ|HK|S)\$
       |(?:USD|EUR|GBP|INR|CAD|AUD|CHF|Rs\.?)(?=[ ]?\d))
  | (?P<word>{_LETTER}+(?:['\u2019-]{_LETTER}+)*)
  | (?P<bound>\d{{4}}-\d{{2}}-\d{{2}}(?!\d))                         # a date is no subtraction
  | (?P<aside><<[^<>\n]{{0,200}}>>)                              # <<3*4=12>>: a calculator's note
  | (?P<line>\s*\n[\s>]*
       (?P<item>(?:[-*+\u2022][ \t]|\(?\d{{1,2}}[.)][ \t]|\#{{1,6}}[ \t]|\(?[a-z][.)][ \t]))?)
  | (?P<mixed>\d{{1,4}}(?:[ ](?=\d)|[ \u2064-]?(?=[{_V}]))
       (?:\d{{1,2}}/\d{{1,3}}(?![\d/.,]*\d)|[{_V}]))                # 3 1/2, 3\u00bd
  | (?P<number>\d+(?:(?:[.,:]|\{{,\}}|\\,|\\!)\d+|['\u2019\u00a0\u202f]\d{{3}}(?!\d))*
       (?:[eE][+-]?\d{{1,3}}(?![\w]))?
       | (?<![\w.)])\.\d+(?!\.?\d))
  | (?P<vulgar>[{_V}])
  | (?P<clear>\\(?:text|mathrm|textbf|textit|mbox|boxed|fbox|mathbf|operatorname|mathit|bm)[ ]?\{{)
  | (?P<environment>\\(?:begin|end)[ ]?\{{[a-z*]{{1,20}}\}})
  | (?P<degree>\^[ ]?\{{?[ ]?\\circ[ ]?\}}?|°)
  | (?P<command>\\[A-Za-z]+)
  | (?P<escape>\\[^A-Za-z\n])
  | (?P<stars>\*{{1,3}})
  | (?P<longer>={{2}}>|-->|={{1}}[>~=]|~=|->|--+|\.\.\.)
  | (?P<limit>[<>!:]=|=<|[<>\u2264\u2265\u2260\u2261]|//)
  | (?P<raised>[\u00b2\u00b3\u2074-\u2076])
  | (?P<brace>[{{}}])
  | (?P<space>[ \t\u00a0\u2009\u202f]+)
  | (?P<other>.))
    [ \t\u00a0\u2009\u202f]*+
    """,
    re.VERBOSE | re.DOTALL,
)
_KINDS = {place: kind for kind, place in _SCANNER.groupindex.items()}  # quicker than by name
_FIRST_ITEM = re.compile(r"[\s>]*(?:[-*+\u2022][ \t]|\(?\d{1,2}[.)][ \t]|\(?[a-z][.)][ \t])?")
# Lines without digits, relations or anything that may be mathematics are not looked at.
_DULL_LINES = re.compile(r"(?:[^\d\n=\\{}|\u00bc-\u00be\u2150-\u215e\u2248]*+\n){1,100000}")
_NEXT_ITEM = re.compile(r"[^\n]{0,300}\n[ \t]*[-*+][ \t]")
_NUMBER_NEXT = re.compile(rf"[ \t]{{0,8}}(?:\\?[{CURRENCY}][ ]?)?(?:[({{\d]|\.\d)")
_OPERAND_NEXT = re.compile(rf"[ \t]{{0,8}}[-+]?{_NUMBER_NEXT.pattern}")
_RELATION_NEXT = re.compile(r"\s*&?[ ]?(?:=(?![=>])|\\approx|\u2248)")
# Begins with the digit itself, to which a search can leap, and looks before it only then.
_EUROPEAN = re.compile(r"\d(?:\.\d{3},\d|(?<![\d,].)\d{0,3},\d{1,2}(?![\d,]))")
_EUROPEAN_NUMBER = re.compile(
    r"(\d{1,9}|[1-9]\d{0,2}(?:[.'\u2019\u00a0\u202f]\d{3}){1,3})(?:,(\d{1,2}))?"
)
_WITH_COMMA = r"\d{1,9}(?:\.\d{3}){0,3},\d{1,2}"
_COMMA_AMOUNT = re.compile(
    rf"[{CURRENCY}][ \u00a0]?{_WITH_COMMA}(?![\d,])"
    rf"|(?<![\d.,]){_WITH_COMMA}[ \u00a0\u202f]?(?:[%{CURRENCY}]|EUR|[Ee]uro)"
)
_POINT_DECIMALS = re.compile(r"(?<![\d.,])\d{1,9}(?:,\d{3}){0,3}\.\d{1,2}(?!\d|[.,]\d)")
_UNKNOWN = r"(?<!\w)x ?[=<>]|[=<>] ?x(?!\w)|(?<!\w)[Ll]et x(?!\w)|\dx(?!\w)"
_CLOSERS = frozenset(["", " ", "\n", *".,;:!?)"])
"""Characters that may follow the star that ends italics."""
_APART = str.maketrans(dict.fromkeys("'\u2019\u00a0\u202f", ","))
_GROUPS = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+|\d{1,2}(?:,\d{2})+,\d{3}")


def tokens(text: str) -> list[Token]:
    """The tokens of a text."""
    return _Scan(text).run()


def may_relate(text: str) -> bool:
    """Return True if a text may state an equality: a cheap look before it is read."""
    return any(sign in text for sign in _RELATIONS) or "equal" in text.lower()


class _Scan:
    """One pass over a text. Remembers the tokens so far and what the open braces are for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.row: list[Token] = []
        self.layout: int | None = None  # where a \left just passed began
        self.braces: list[bool] = []  # for each open brace: does it yield brackets?
        first = _FIRST_ITEM.match(text)
        self.at = first.end() if first else 0
        self.leap: int | None = None  # where to go on, if not behind what was matched
        self.bullet: str = text[: self.at].strip(" \t\n>")  # with which the line began
        self.table = text[self.at : self.at + 1] == "|"
        # 12,5 or 1.234,56 anywhere: then 1.234 may well be a thousand and something.
        self.european = _EUROPEAN.search(text) is not None
        self.commas = self.european and _prices_with_commas(text)

    @property
    def last(self) -> Token | None:
        return self.row[-1] if self.row else None

    def run(self) -> list[Token]:
        while self.at < len(self.text):
            self._run_on()
        return self.row

    def _run_on(self) -> None:
        """Read on from `at` to the end, or to where a reader has leapt."""
        text, add = self.text, self.row.append
        for match in _SCANNER.finditer(text, self.at):
            place = match.lastindex or 0
            kind, found, (start, end) = _KINDS[place], match[place], match.span(place)
            # Most of a text is words, numbers and single symbols: they take the short way.
            if kind == "word" and found not in ("x", "X"):
                root = found == "sqrt" and text.startswith("(", end)
                written = found if len(found) == 1 else found.lower()  # S and s are two unknowns
                token: Token | None = Token("sqrt" if root else "word", start, end, written)
            elif kind == "number":
                token = self._plain(found, start, end)
            elif kind == "other" and (glyph := _MEANINGS.get(found)):
                token = Token(glyph[0], start, end, glyph[1])
            else:
                token = self._read(match, kind, found, start, end)
            if token is not None:
                if self.layout is not None and token.kind == "open":
                    token = token._replace(start=self.layout)  # 5\left(3\right) is 5(3)
                self.layout = None
                add(token)
            if self.leap is not None:
                self.at, self.leap = self.leap, None
                return
        self.at = len(self.text)

    def _read(
        self, match: re.Match[str], kind: str, found: str, start: int, end: int
    ) -> Token | None:
        if kind in ("mixed", "vulgar"):
            return self._broken(kind, found, start, end)
        if kind == "line":
            return self._line(start, end, (match["item"] or "").strip())
        if kind == "word":
            return self._cross(found, start, end)
        if kind == "raised":
            self.row.append(Token("operator", start, start, "^"))
            return Token("number", start, end, found, Fraction(_RAISED[found]))
        if kind == "brace":
            return self._brace(found, start, end)
        if kind == "degree":
            return Token("word", start, end, "degrees")
        if kind == "stars":
            return self._stars(found, start, end)
        if kind == "clear":
            self.braces.append(False)
        elif kind not in ("space", "aside", "money"):
            return self._sign(kind, found, start, end)
        return None

    def _sign(self, kind: str, found: str, start: int, end: int) -> Token | None:
        meaning: tuple[Kind, str] | None = ("bad", found)
        if kind in ("command", "escape"):
            meaning = _MEANINGS.get(found, meaning)
            self.layout = start if meaning is None and kind == "command" else None
            if found == "\\\\" and _RELATION_NEXT.match(self.text, end):
                meaning = None  # the next row of an aligned display goes on with "= 15"
        elif kind in ("environment", "longer"):
            meaning = _MEANINGS.get(found, ("stop", ";"))
        elif found == "|" and self.table:
            meaning = ("stop", "|")
        return Token(meaning[0], start, end, meaning[1]) if meaning else None

    def _line(self, start: int, end: int, bullet: str) -> Token | None:
        if _RELATION_NEXT.match(self.text, end):
            return None  # the next line goes on with "= 15": it belongs to this one
        # "- 3" after a line that ends in a number may be a subtraction, unless it is one of a list.
        doubtful = (
            bullet in ("-", "+", "*")
            and bullet != self.bullet
            and self.last is not None
            and (self.last.kind in ("number", "close", "operator") or self.last.text == ";")
            and self.text[end : end + 1].isdigit()
            and not _NEXT_ITEM.match(self.text, end)
        )
        self.bullet = bullet
        self.table = self.text[end : end + 1] == "|"
        if not bullet and (dull := _DULL_LINES.match(self.text, end)):
            self.leap = dull.end() - 1  # its line end begins the next token
        return Token("bad" if doubtful else "stop", start, end, "\n")

    def _broken(self, kind: str, found: str, start: int, end: int) -> Token:
        value = _VULGAR[found] if kind == "vulgar" else _mixed(found)
        if value is not None:
            return Token("number", start, end, found, value, 9)
        whole, _, _ = found.partition(" ")  # "12 10/5": two numbers, the second is read anew
        self.leap = start + len(whole)
        return self._plain(whole, start, self.leap)

    def _plain(self, found: str, start: int, end: int) -> Token:
        if found.isdecimal() and len(found) <= LONGEST_NUMBER:  # most are no more than digits
            return Token("number", start, end, found, _whole(found))
        if self.commas and (read := _EUROPEAN_NUMBER.fullmatch(found)):
            whole, part = re.sub(r"\D", "", read[1]), read[2] or ""
            value = Fraction(int(whole + part), 10 ** len(part))
            return Token("number", start, end, found, value, len(part))
        written = found.translate(_APART)
        if "{" in found or "\\" in found:
            written = written.replace("{,}", ",").replace("\\,", ",").replace("\\!", "")
        body, _, exponent = written.lower().partition("e")
        whole, point, part = body.partition(".")
        readable = (
            len(written) <= LONGEST_NUMBER
            and ":" not in body
            and "." not in part
            and "," not in part
            and ("," not in whole or _GROUPS.fullmatch(whole) is not None)
            and not (self.european and len(part) == 3 and len(whole) <= 3)
        )
        if not readable:
            return Token("bad", start, end, found)
        digits = whole.replace(",", "") + part or "0"
        value = Fraction(int(digits), 10 ** len(part)) if part else _whole(digits)
        if exponent:
            value *= Fraction(10) ** int(exponent)
        return Token("number", start, end, found, value, len(part) if point else 0)

    def _cross(self, found: str, start: int, end: int) -> Token:
        last = self.last
        if last is not None and _NUMBER_NEXT.match(self.text, end):
            glued = last.kind in ("number", "close") and last.end == start
            next_glued = self.text[end : end + 1].isdigit()
            # "3x4" and "3 x 4" multiply, "3x (4 + x)" and "3x 4" have an unknown.
            product = last.kind in ("number", "close", "percent", "word")
            if product and (next_glued if glued else not self._is_unknown(found, end)):
                return Token("operator", start, end, "*")
        return Token("word", start, end, found)

    def _is_unknown(self, letter: str, end: int) -> bool:
        """Return True if a spaced x before a bracket is an unknown, because it is one elsewhere."""
        if self.text[end : end + 3].lstrip()[:1] not in ("(", "{", "["):
            return False
        return re.search(_UNKNOWN.replace("x", letter), self.text) is not None

    def _brace(self, found: str, start: int, end: int) -> Token | None:
        last = self.last
        if found == "{":
            group = last is not None and (
                last.kind in ("frac", "sqrt") or last.text in ("^", "}")
            )  # fmt: skip
            self.braces.append(group)
            return Token("open" if group else "bad", start, end, "{")
        if not self.braces:
            return Token("bad", start, end, "}")
        return Token("close", start, end, "}") if self.braces.pop() else None

    def _stars(self, found: str, start: int, end: int) -> Token | None:
        """Stars multiply, raise to a power, or make the text bold or italic: then they are none."""
        last = self.last
        if last is None or last.kind not in ("number", "close", "word", "percent"):
            return None
        before, after = self.text[start - 1], self.text[end : end + 1]
        number_next = _OPERAND_NEXT.match(self.text, end) is not None
        # "12 * x" and "12*x" multiply; "is *12" and "12* now" are ends of italics.
        between = after.isspace() if before.isspace() else after not in _CLOSERS
        if between and (len(found) == 1 or (len(found) == 2 and number_next)):
            return Token("operator", start, end, "*" if len(found) == 1 else "^")
        if len(found) == 1 and number_next:
            # "12 *3" multiplies; of "apples *3" nobody can tell.
            return Token("bad" if last.kind == "word" else "operator", start, end, "*")
        return None


def _prices_with_commas(text: str) -> bool:
    """Return True if a text has amounts with decimals behind a comma, and none behind a point."""
    return _COMMA_AMOUNT.search(text) is not None and _POINT_DECIMALS.search(text) is None


@lru_cache(maxsize=1024)
def _whole(digits: str) -> Fraction:
    """A text repeats its numbers, and to make a fraction takes longer than to find one."""
    return Fraction(int(digits))


def _mixed(found: str) -> Fraction | None:
    """3 1/2 or 3½; None when the second part is no proper fraction ("in 12 10/5")."""
    broken = _VULGAR.get(found[-1])
    if broken is not None:
        return int(re.split(r"\D", found)[0]) + broken
    whole, _, part = found.partition(" ")
    above, _, below = part.partition("/")
    if not 0 < int(above) < int(below):
        return None
    return int(whole) + Fraction(int(above), int(below))
