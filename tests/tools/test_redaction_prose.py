"""The words of an error stay: it could not be recognised again without them. A password that a
sentence tells does not."""

import re
from pathlib import Path

from reflection_mcp.tools.redaction import find_secrets, redact
from reflection_mcp.tools.redaction.prose import Saying, sayings
from tests.rows import each_row

DATA = Path(__file__).parent / "data"
ORDINARY = (DATA / "ordinary_errors.txt").read_text("utf-8").splitlines()
ABOUT_PASSWORDS = (DATA / "ordinary_password_prose.txt").read_text("utf-8").splitlines()


def beginning_and_secret(saying: Saying) -> tuple[str, str]:
    secret = re.findall(r"[!-~]+", saying.example)[-1]
    return saying.example.removesuffix(secret), secret


@each_row("errors", [ORDINARY, ABOUT_PASSWORDS], ids=["errors", "passwords"])
def test_an_ordinary_error_is_left_as_it_is(errors: list[str]) -> None:
    assert list(map(redact, errors)) == errors


def test_ordinary_errors_are_left_as_they_are_when_they_stand_together() -> None:
    text = "\n".join(ORDINARY)
    assert redact(text) == text


@each_row("saying", sayings(), ids=lambda row: row.example)
def test_each_saying_finds_its_example_and_leaves_its_counter_example(saying: Saying) -> None:
    before, secret = beginning_and_secret(saying)
    kept = f"failed: {before}[REDACTED:password]"
    assert redact(f"failed: {before}{secret}") == kept
    assert redact(f"failed: {before}{secret}.\nsee above") == f"{kept}.\nsee above"
    assert redact(saying.counter_example) == saying.counter_example


@each_row(
    ("text", "kept"),
    [
        ("the password is Zfa0XjxZbbqJ and works", "the password is [REDACTED:password] and works"),
        ("login as admin / Zfa0XjxZbbqJ9!", "login as admin / [REDACTED:password]"),
        ("The password for admin is hunter42.", "The password for admin is [REDACTED:password]."),
        ("password for user ada is Zfa0XjxZbbqJ", "password for user ada is [REDACTED:password]"),
        ("password was reset to Summer2024!", "password was reset to [REDACTED:password]"),
        ("the passphrase is 'ab#cdef' now", "the passphrase is '[REDACTED:password]' now"),
        ("das Kennwort lautet „Zfa0XjxZbbqJ“", "das Kennwort lautet „[REDACTED:password]“"),
        ("密码\uff1aZfa0XjxZbbqJ。", "密码\uff1a[REDACTED:password]。"),
        ("パスワードは Zfa0XjxZbbqJ", "パスワードは [REDACTED:password]"),
        ("my password is ZfaXjQbqJw", "my password is [REDACTED:password]"),
    ],
)
def test_a_password_that_a_sentence_tells_is_found(text: str, kept: str) -> None:
    assert redact(text) == kept
    assert redact(kept) == kept


def test_many_sayings_cost_no_more_than_their_length() -> None:
    for saying in sayings():
        for piece in (
            saying.example,
            beginning_and_secret(saying)[0],
            f"{saying.counter_example} ",
        ):
            assert len(find_secrets(piece * 200)) <= 200
