"""Which fields of an envelope are the error, by their key or by the shape of their value."""

import json

import pytest

from reflection_mcp.tools.identity.cleaning.clean import clean
from reflection_mcp.tools.identity.cleaning.fields import told

STACK = 'Traceback (most recent call last):\n  File "/app/a.py", line 3, in run\nKeyError: 1'


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        ("boom", ["boom"]),
        ({"@x": STACK, "@mt": "it failed"}, [STACK]),
        ({"attributes": [{"key": "exception", "value": {"stringValue": STACK}}]}, [STACK]),
        ({"msg": "refresh failed", "err": {"stack": "Error: x\n  at run"}},
         ["Error: x\n  at run"]),
        ({"stdout": STACK + "\nbye"}, [STACK + "\nbye"]),
        ({"msg": "no route", "stacktrace": "main.run\n\t/app/a.go:3"},
         ["no route", "main.run\n\t/app/a.go:3"]),
        ({"msg": "job failed", "stack": "none"}, ["job failed", "none"]),
        ({"msg": "job failed", "exception": "app.KeyError: 1"}, ["app.KeyError: 1"]),
        ({"type": "KeyError", "message": "KeyError: 1"}, ["KeyError: 1"]),
        ({"exception.type": "KeyError", "exception.message": "1"}, ["KeyError: 1"]),
        ({"type": "KeyError", "message": "1", "code": 7}, ["code: 7", "KeyError: 1"]),
        ({"code": "invalid", "field": "price"}, []),
        ({"errors": [{"code": "invalid", "field": "price"}]}, ["code: invalid", "field: price"]),
        ({"detail": [{"msg": "missing", "loc": ["body", "price"]}]},
         ["loc: body.price", "missing"]),
        ({"event": "reserve", "why": "RpcError: it failed\nat once"},
         ["reserve", "RpcError: it failed\nat once"]),
        ({"event": "reserve", "why": "it failed at once"}, ["reserve"]),
        ({"events": [{"values": [{"type": "KeyError", "value": "1"}]}]}, ["KeyError: 1"]),
        ({"a": [[[[[[[[STACK]]]]]]]]}, [STACK]),
        ({"a": [[[[[[[[[[[[[[STACK]]]]]]]]]]]]]]}, []),
        ({"count": 3}, []),
    ],
)  # fmt: skip
def test_the_error_is_found_among_the_fields(value: object, texts: list[str]) -> None:
    assert told(value) == texts


def test_frames_that_travelled_as_fields_are_told_as_python_prints_them() -> None:
    frames = [{"filename": "run.py"}, {"file": "a.py", "method": "total"}, {"lineno": 3}, "x"]
    value = {"type": "KeyError", "value": "1", "stacktrace": {"frames": frames}}
    assert told(value) == [
        '  File "run.py", line 1, in <module>',
        '  File "a.py", line 1, in total',
        "KeyError: 1",
    ]
    assert told(value | {"stacktrace": {"frames": 3}}) == ["KeyError: 1"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('HTTP 422\n{\n  "message": "no price"\n}\nbye', ["HTTP 422", "no price", "bye"]),
        ("config\n{\n  broken\n}", ["config", "{", "  broken", "}"]),
        ('config\n{\n  "a": 1\n}', ["config", "{", '  "a": 1', "}"]),
        ("{'error': {'message': 'no price'}}", ["no price"]),
        ("{'error': broken}", ["{'error': broken}"]),
        ("{'error': 'a'} {'b'}", ["{'error': 'a'} {'b'}"]),
        ('fx-1 | {"msg": "no price"}', ["no price"]),
        ('[7:0311/081522.331:INFO:CONSOLE(0)] "no price", source: http://a.example/ (0)',
         ["no price"]),
        ('[2026-01-22 08:14:02] local.ERROR: x {"exception":"[object] (App\\\\PriceError('
         'code: 0): no \\"tea\\" at /srv/Cart.php:31)"}', ['App\\PriceError: no "tea"']),
        ('x {"exception":"[object] (cut', ['x {"exception":"[object] (cut']),
        ("fatal: [a]: FAILED! => " + json.dumps({"msg": "no price"}) + "\nbye",
         ["no price", "bye"]),
        ("2025-06-01 08:00:11.113 | ERROR    | app.main:run:42 - no price", ["no price"]),
        ("one | two | three", ["one", "two", "three"]),
        ('time="8:00" level=info msg="job ended"\ntime="8:00" level=error msg="no price"',
         ['time="8:00" level=info msg="job ended"', "no price"]),
    ],
)  # fmt: skip
def test_an_envelope_is_opened_where_it_stands(text: str, lines: list[str]) -> None:
    assert clean(text) == lines
