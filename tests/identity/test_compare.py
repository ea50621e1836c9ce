"""What two errors share and what contradicts, whoever is asked about first."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reflection_mcp.tools.identity import compare, fingerprint
from tests.identity.families import read

TEXTS = [
    text
    for file in ("families.txt", "fresh.txt", "versions.txt")
    for family in read(file)
    for text in (family.stored, *family.same.values(), *family.other.values())
]


def level(one: str, other: str) -> str:
    return compare(fingerprint(one).pattern, fingerprint(other).pattern).level


@settings(derandomize=True, deadline=None, max_examples=300)
@given(st.sampled_from(TEXTS), st.sampled_from(TEXTS))
def test_the_answer_does_not_depend_on_the_order(one: str, other: str) -> None:
    here, there = fingerprint(one).pattern, fingerprint(other).pattern
    found, turned = compare(here, there), compare(there, here)
    assert (found.level, found.shared) == (turned.level, turned.shared)
    assert [(d.here, d.there) for d in found.differences] == [
        (d.there, d.here) for d in turned.differences
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "npm ERR! xcrun: error: invalid active developer path",
            "xcrun: error: invalid active developer path",
        ),
        (
            "go: errors parsing go.mod:\ngo.mod:7: unknown directive: toolchain",
            "/srv/go.mod:9: unknown directive: toolchain",
        ),
        (
            "fatal: refusing to merge unrelated histories",
            "I ran git pull and got `fatal: refusing to merge unrelated histories`, why?",
        ),
        (
            "Error: P1001: Can't reach database server",
            "Error: P1001: Can't reach database server. Please make sure it is running.",
        ),
        (
            '{"code": 500, "msg": "MISCONF Redis is configured to save RDB snapshots"}',
            "MISCONF Redis is configured to save RDB snapshots",
        ),
        (
            "ModuleNotFoundError: No module named 'pkg_resources'",
            "menu.py:3: in <module>\nE   ModuleNotFoundError: No module named 'pkg_resources'",
        ),
    ],
)
def test_a_message_inside_another_line_is_the_same_error(one: str, other: str) -> None:
    assert level(one, other) in ("exact", "same")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "TypeError: Cannot read properties of undefined (reading 'id')",
            "TypeError: Cannot read properties of undefined (reading 'name')",
        ),
        (
            "NoSuchModuleError: Can't load plugin: dialects:postgres",
            "NoSuchModuleError: Can't load plugin: dialects:postgresql",
        ),
        ("MCP error -32001: Request timed out", "MCP error -32602: Invalid request parameters"),
        (
            "WslRegisterDistribution failed with error: 0x80370102",
            "WslRegisterDistribution failed with error: 0x8004030b",
        ),
        ("SyntaxError: unexpected token ')'", "SyntaxError: unexpected token '}'"),
        (
            "collect2: error: ld returned 1 exit status\nmake: *** [tank] Error 1",
            "collect2: error: ld returned 1 exit status\nmake: *** [pump] Error 1",
        ),
        (
            "fatal: bad revision\nerror: disk is full of logs",
            "fatal: bad revision\nerror: network is down since noon",
        ),
        (
            "error[E0308]: `match` arms have incompatible types\n |\n |  ^^ arms of a match",
            "error[E0308]: `match` arms have deprecated types\n |\n |  ^^ arms of a match",
        ),
        (
            "thread 'main' panicked at 'no tea left in the whole big pot', src/pot.rs:4:8",
            "thread 'main' panicked at 'no tea left in the whole big pot', src/cup.rs:4:8",
        ),
        (
            "Error: Incompatible cup\n\nThe maker of cups has no cup for tea on this shelf.",
            "Error: Incompatible cup\n\nThe maker of cups has no mug for ale on this shelf.",
        ),
        (
            "$ brew tea\n| Error: Incompatible pot\n|\n| Kettle green cannot heat this pot.\n|",
            "$ brew tea\n| Error: Incompatible pot\n|\n| Stove yellow cannot heat this pot.\n|",
        ),
        (
            "ERROR 7: cannot reach the local tea server through\n socket '/tmp/tea.sock' (2)",
            "ERROR 7: cannot reach the local tea server through socket '/run/ale.sock' (2)",
        ),
        (
            "Stderr: teapot: error: the lid is stuck\nteapot: error: Details: code E_FAIL",
            "Stderr: teapot: error: the spout is blocked\nteapot: error: Details: code E_FAIL",
        ),
        (
            "Error: Error brewing tea\n\nPotLimitExceeded: You have asked for more pots",
            "Error: Error brewing tea\n\nLeafLimitExceeded: You have asked for more leaves",
        ),
        (
            "bind() to 0.0.0.0:1935 failed\nbind() to 0.0.0.0:8080 failed\nstill could not bind",
            "bind() to 0.0.0.0:80 failed\nstill could not bind",
        ),
        (
            '[{"code": "too_big", "path": ["pot"], "message": "Required"}]',
            '[{"code": "too_big", "path": ["cup"], "message": "Required"}]',
        ),
        (
            '{"type": "parse_fault", "reason": "failed to parse field [pot] of type [float]"}',
            '{"type": "parse_fault", "reason": "failed to parse field [cup] of type [float]"}',
        ),
        ("AssertionError: 17 != 21", "AssertionError: 21 != 17"),
    ],
)
def test_another_name_code_or_cause_is_another_error(one: str, other: str) -> None:
    assert level(one, other) in ("similar", "different")
