"""Parser for blocks of JSON.

Rule of this module: comments, elisions, placeholders, several documents in a row and pieces cut out
of an object are usual in explanations and therefore unclear.
"""

import json
import re

from reflection_mcp.tools.judging.syntax.reading import WHOLE, ParseResult, elided, line_of, unclear

LIMIT = 100_000
"""Characters of a document."""

_COMMENT = re.compile(r"(?:^|[\s,{\[])(?://|/\*|#)", re.MULTILINE)
_MESSAGE = re.compile(r"\s{0,20}(?:HTTP/\d|(?:GET|POST|PUT|PATCH|DELETE) \S)")


def read_json(body: str) -> ParseResult:
    """Parse a block of JSON."""
    if len(body) > LIMIT:
        return unclear(f"longer than {LIMIT} characters")
    try:
        json.loads(body, parse_int=str, parse_constant=_not_json)
    except json.JSONDecodeError as error:
        return _explained(body, error)
    except (ValueError, RecursionError) as error:
        return unclear(str(error)[:80])
    return WHOLE


def _not_json(name: str) -> None:
    raise ValueError(f"{name} is not JSON, but many readers accept it")


def _explained(body: str, error: json.JSONDecodeError) -> ParseResult:
    if _COMMENT.search(body):
        return unclear("it holds comments")
    if elided(line_of(body, error.lineno)):
        return unclear("something was left out")
    if _parses("{" + body + "}") or _parses("{" + body.strip().rstrip(",") + "}"):
        return unclear("a piece cut out of an object")
    if _MESSAGE.match(body):
        return unclear("a message of HTTP")
    if _documents(body):
        return unclear("several documents in a row")
    if (
        error.msg == "Extra data"
        and body.lstrip()[:1] in "{["
        and body[error.pos : error.pos + 1].isalpha()
    ):
        return unclear("words follow the document")
    return ParseResult("broken", error.msg, error.lineno)


def _parses(text: str) -> bool:
    try:
        json.loads(text, parse_int=str)
    except (ValueError, RecursionError):
        return False
    return True


def _documents(body: str) -> int:
    """Count the documents that stand one after the other; 0 when that is not what the text is."""
    decoder = json.JSONDecoder(parse_int=str)
    place, count = 0, 0
    while place < len(body) and count < 10_000:
        if body[place].isspace():
            place += 1
            continue
        if body[place] not in "{[":
            return 0
        try:
            _, place = decoder.raw_decode(body, place)
        except (ValueError, RecursionError):
            return 0
        count += 1
    return count
