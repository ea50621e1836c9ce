"""Texts that are slow to read for a reader who is careless: what to repeat for each of them.

The tests ask what comes out of such a text; `python -m tests.bench.growth` asks what it costs at
two lengths. Nothing is timed in a test: a machine is busy, and a bound that always holds says
nothing. What never ends is ended by the limit for a test in pyproject.toml.
"""

import re
from typing import NamedTuple

from reflection_mcp.tools.redaction import forms
from reflection_mcp.tools.redaction.forms import Form
from reflection_mcp.tools.redaction.labels import Label
from reflection_mcp.tools.redaction.tokens import TokenShape


class Nested(NamedTuple):
    """What is opened many times, what stands inside, what closes it as often, what follows."""

    opening: str
    inside: str
    closing: str
    after: str


Piece = str | Nested


def repeated(piece: Piece, size: int) -> str:
    """A piece again and again, in at most about `size` characters."""
    if isinstance(piece, str):
        return piece * (size // len(piece))
    times = size // len(piece.opening + piece.closing)
    return piece.opening * times + piece.inside + piece.closing * times + piece.after


# --------------------------------------------------------------------- errors

PRINTED = (
    "a", "a.", "/a", "\\a", "1.", "1:", "-", "_", "'", '"', "`", "(", "[", "[m", "{", "{'",
    "<", "<a ",
    " ", "  \t", "\n", "\r", "\x1b[", "\x1b]", "|", " | ", "#1 ", "at ", "at a(", "at a (b:1:2) ",
    'File "a", line 1 ', 'Traceback (most recent call last): File "a", line 1, in a ', "Error: ",
    "aError", "a.bError: ", "error[E0001]: x\n --> a:1:1\n", "E   a\n", "npm ERR! ", "^~", "| ^ ",
    "...", "a_1", "a1b2c3d4", "0x", "12345678-", "a@b:", "://", "http://a@", "::", "1:1:1:",
    "10:10:10", "2025-01-01 ", "Jan 1 10:10:10 a b[1]: ", "\u00e9", "\u4e2d", "\ud800", "\x00",
    "=", "a=1,", "a:1,", "user '", "Key (a", "dup key: { a: ", "input_value=", "Unexpected token ",
    "could not connect to server: \n", "did you mean ", "for more information ", "retrying in ",
    "caused by: ", "(from a ", "\\n", '\\"', "\\u0041", "&lt;", "</pre>", "<pre>", 'msg="a',
    "panicked at '", "\u25cf a\n", "--- FAIL: a\n", "== ", "a" * 79 + "\n", "\u23ce", "\ufdfa",
    "ERROR 1045 (28000): ", "Cannot read property 'a' of undefined ", 'connection to server at "a',
    '{"log":"a"}\n', "A b, c Allocation failed - ", "12s ", "errno 111 ", "sh: 1: a: ", "a,b ",
    "\\x1b[31m", "^[[0m", "\\342\\200", "=E2=80", "\u00e2\u20ac", "\u00c3\u00a9", "\u9225a", "#012",
    " / ", "; a: ", "[a] ", "[a]\n", "08:00:11 ERROR a.b: ", "08:00:11 [a", ',"a",', '",',
    "message: |\n a\n", "<message>", "<message><![CDATA[", "<b a>x", "From: a\n", "**a",
    "NativeCommandError", "a$\n", "a\b", "At line:1 char:1\n+ a\n",
    "make[1]: *** [a", "#0 0x1 in a b:1\n", "a@b:1:1\n", "* What went wrong ", " from a:1:in ",
)  # fmt: skip
"""What tools print."""


def beginnings(example: str) -> list[str]:
    """Some beginnings of an example: repeated, each is begun in vain all the time."""
    step = max(1, len(example) // 5)
    return [example[:cut] for cut in range(1, len(example) + 1, step)]


# --------------------------------------------------------------------- secrets


def token_of(row: TokenShape) -> str:
    """A whole token of a provider, made of its row."""
    body = "".join(re.findall(row.characters, (forms.FAKE + forms.HEX) * 8))
    return row.prefixes[0] + body[: row.length]


def example_of(row: TokenShape | Form | Label) -> str:
    """What a row is to find."""
    return token_of(row) if isinstance(row, TokenShape) else "".join(row.example)


def pieces_of(row: TokenShape | Form | Label) -> list[str]:
    """The repetitions that could make a row slow: its beginnings, its example whole and cut."""
    match row:
        case TokenShape():
            begun = row.prefixes
        case Form():
            begun = (*row.anchors, *row.near)
        case Label():
            begun = tuple(
                piece
                for stem in row.stems
                for piece in (stem, f"{stem}=", f"{stem}: ", f'"{stem}":"')
            )
    example = example_of(row)
    return [*begun, f"{example} ", example[:-6], f"{row.counter_example} "]


CONNECTIONS = (
    "Password=", "pwd=a ", "a=b;pwd=c ", "a=b; Pwd = c d; E=f; ", 'password "p@ss ',
    "password for 'a': ", "token 0123abcd4567ef8", "A_PASS: ", '"password":\n  "',
)  # fmt: skip
"""Names and connection strings, whole and cut."""

# --------------------------------------------------------------------- orders to the reader

STEERING = (
    "ignore ", "\x1b]", "\x1b[", "run ", "![", "\n ", "send token ", "<system ", '"type":',
)  # fmt: skip
DISGUISED = ("a ", "&amp;", "%41", "\\u0041", "QUJD", "ab", "ignora ", "忽略")

# --------------------------------------------------------------------- answers

EXPRESSIONS = ("(", "1", "=", "1+", "{", "3 1/2 ", "\\frac{", "1:", "a b ")
PROSE = ("etc. ", "```\n", "a! ", "1. ", "`", "\n", ". ")
WORKED: dict[str, Piece] = {
    "brackets": "(",
    "digits": "1",
    "relations": "=",
    "tilde relations": "~=",
    "towers": "9**9**9 = 5, 9^9^9^9 = 3, 2^99999 = 4, 10^999 = 3 and 1e999 * 1e999 = 2. ",
    "long numbers": "12345678901234567890 * 98765432109876543210 = 5. ",
    "wrong statements": "1 + 1 = 3. ",
    "chain": "1=",
    "nested": Nested("(", "1", ")", " = 1"),
    "fractions": Nested("\\frac{", "1", "}{2}", " = 3"),
    "equations": "x = 3 + ",
    "percentages": "20% of 50 is 12 ",
    "units": "5 km = 5000 m ",
    "dates": "2024-01-01 is a Friday ",
    "days": "3 days after ",
    "answers": "The answer is 5. 1+1=2. ",
    "names": "total cost of the trip is 5. ",
    "words": "quantity of stuff ",
}
CHECKED = (
    "1", "1 ", "1,", "1.", "1+", "1 + ", "1=", "1 = 1 ", "(", "((1)", ")", "[", "{", '{"a":', "-",
    "--", "- ", "*", "**a", "`", "``` ", "```\n", "~~~\n", "\n", " ", "\t", "\r\n", "a", "A", "A ",
    "Ab ", "A. ", "a b ", "Ann Lee ", "the ", "1 May ", "May ", "1/1/", "12:34", "5% of ", "%", "$",
    "$1 ", "€1,5 ", "1 km ", "x=", "x + 1 = ", "and ", "I cannot ", "é", "\u202e", "1e9", "1^",
    "\u4e00", "2024 ", "[1]", "http://a.", "<b>", "one ", "hundred ", "\\frac{1}{2}", ". ", "? ",
)  # fmt: skip
"""What a bounded reader of any part of a case has to survive: repeats of its own beginnings."""

CONTEXTS = ("a", " ", ". ", "\n", "word ")

# --------------------------------------------------------------------- the server

URLS = ("https://a:", "a@", "[", "a/", "::", "%")
BROKEN_LINES = ("[]", '{"', '"\\', '"a"', "[{", '"id":', '"id"    ', '\\"')
INCOMING = ('"', "\\", '\\"', '"\\', "\\ud800", "\\ud83d\\ude0", "a", "é", "{", '"a",')
