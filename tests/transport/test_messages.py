"""What is answered to a line that is no message."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
)

from reflection_mcp.server.transport.messages import SEARCHED, Refused, id_in, message_in
from tests.hostile import BROKEN_LINES, repeated
from tests.rows import each_row

HALF = r"\ud800"


def understood(line: str) -> JSONRPCMessage | Refused:
    """What becomes of a line."""
    try:
        return message_in(line)
    except Refused as refused:
        return refused


def call(**fields: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": 5, "method": "m", **fields})


ANSWERED: list[tuple[str, int, object, str]] = [
    ("hello", PARSE_ERROR, None, "this line is not JSON"),
    ('{"jsonrpc":"2.0","id":5', PARSE_ERROR, None, "this line is not JSON"),
    ('{"jsonrpc":"2.0","id":5,"method":"too', PARSE_ERROR, 5, "this line is not JSON"),
    ('{"method":"m","id":"a-7","params":{"x":', PARSE_ERROR, "a-7", "this line is not JSON"),
    (call(params={"id": 9})[:-2], PARSE_ERROR, 5, "this line is not JSON"),
    (f'{{"params":{"[" * 5000}{"]" * 5000},"id":6}}', PARSE_ERROR, 6, "nested too deeply"),
    (f'{{"id":6,"x":{"1" * 5000}}}', PARSE_ERROR, 6, "this line is not JSON"),
    (f"[{call()}]", INVALID_REQUEST, None, "batches are not part of this protocol"),
    ('"text"', INVALID_REQUEST, None, "one JSON object"),
    ("{}", INVALID_REQUEST, None, 'jsonrpc must be "2.0"; id must be'),
    (call(jsonrpc="1.0"), INVALID_REQUEST, 5, 'jsonrpc must be "2.0"'),
    (call(method=3), INVALID_REQUEST, 5, "method must be a string"),
    (call(params=[1]), INVALID_REQUEST, 5, "params must be an object"),
    (call(id=1.5), INVALID_REQUEST, None, "id must be a string or a whole number"),
    (call(id=None), INVALID_REQUEST, None, "id must be a string or a whole number"),
    (call(id=[1]), INVALID_REQUEST, None, "id must be a string or a whole number"),
    (call(id=True), INVALID_REQUEST, None, "id must be a string or a whole number"),
    (f'{{"jsonrpc":"1.0","id":5,"method":"{HALF}"}}', INVALID_REQUEST, 5, "jsonrpc must be"),
    (f'{{"id":5,"method":"{HALF}"', PARSE_ERROR, 5, "this line is not JSON"),
    ('{"id":00}', PARSE_ERROR, None, "this line is not JSON"),
    ('{"jsonrpc":"2.0","id":-01,"method":"ping"}', PARSE_ERROR, None, "this line is not JSON"),
    ('{"id":"a\tb",x', PARSE_ERROR, None, "this line is not JSON"),
    ('{"id":-0,x', PARSE_ERROR, 0, "this line is not JSON"),
]


@each_row(("line", "code", "request_id", "words"), ANSWERED)
def test_a_line_that_is_no_message_is_answered(
    line: str, code: int, request_id: object, words: str
) -> None:
    message = understood(line)
    assert isinstance(message, Refused) and message.answer
    assert message.answer.error.code == code
    assert message.answer.id == request_id
    assert words in message.answer.error.message


@each_row(
    "line",
    [
        '{"jsonrpc":"2.0","id":5,"result":"no object"}',
        '{"jsonrpc":"2.0","id":5,"error":"no object"}',
        '{"jsonrpc":"2.0","id":5,"result":1,"error":2}',
        '{"jsonrpc":"2.0","method":"notifications/x","params":[1]}',
    ],
)
def test_what_looks_like_a_response_or_notification_is_never_answered(line: str) -> None:
    message = understood(line)
    assert isinstance(message, Refused) and message.answer is None


def test_a_request_with_half_a_pair_is_worked_on() -> None:
    message = understood(f'{{"jsonrpc":"2.0","id":5,"method":"m","params":{{"{HALF}":"{HALF}x"}}}}')
    assert isinstance(message, JSONRPCRequest)
    assert message.params == {"\ufffd": "\ufffdx"}


def test_a_notification_is_left_alone() -> None:
    line = '{"jsonrpc":"2.0","method":"notifications/initialized"}'
    assert isinstance(understood(line), JSONRPCNotification)


@given(st.text(max_size=60), st.integers(0, 400))
def test_a_message_that_was_cut_short_anywhere_is_answered_with_its_id_or_none(
    text: str, cut: int
) -> None:
    line = call(params={"text": text, "id": 9, "deep": [{"id": 8}]})
    message = understood(line[: min(cut, len(line) - 1)])
    assert isinstance(message, Refused) and message.answer
    assert message.answer.id in (5, None)


def test_an_id_is_looked_for_only_so_far_into_a_line() -> None:
    rest = '"id":7,'
    assert id_in("{" + "[]" * (SEARCHED // 2 - len(rest)) + rest) == 7
    assert id_in("{" + "[]" * (SEARCHED // 2) + rest) is None


@each_row("piece", BROKEN_LINES)
def test_an_id_is_found_before_what_is_broken_and_nowhere_in_it(piece: str) -> None:
    assert id_in('{"id":7,' + repeated(piece, 2 * SEARCHED)) == 7
    assert id_in("{" + repeated(piece, 2 * SEARCHED)) == ("id" if piece == '"id":' else None)
