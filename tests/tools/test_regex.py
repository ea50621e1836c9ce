"""Expressions are compiled when a text has what they look for."""

import subprocess
import sys

from reflection_mcp.tools.regex import compiled


def test_an_expression_is_compiled_once() -> None:
    assert compiled("[a]b") is compiled("[a]b")
    assert compiled("[a]b").fullmatch("ab")


SPOKEN = "the password is Zfa0XjxZbbqJ"
PROGRAM = """
import re._compiler as compiler
compile_, count = compiler.compile, 0
def counted(pattern, flags=0):
    global count
    count += 1
    return compile_(pattern, flags)
from reflection_mcp.tools.redaction.redact import redact
from reflection_mcp.tools.untrusted.injection import suspicion
compiler.compile = counted
for text in {texts!r}:
    count = 0
    redact(text)
    suspicion(text)
    print(count)
"""


def test_a_text_without_a_secret_compiles_few_of_the_expressions_for_secrets() -> None:
    texts = ["KeyError: 'rate'", "KeyError: 'rate'", SPOKEN]
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(texts=texts)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    first, again, spoken = map(int, run.stdout.split())
    assert first < 80  # of 270
    assert again == 0
    assert spoken > 0
