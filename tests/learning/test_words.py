"""Which words are the same word?"""

from reflection_mcp.tools.learning.words import ENDINGS, as_written, stem, tokens
from tests.rows import each_row


@each_row("row", ENDINGS, ids=lambda row: row[0])
def test_an_ending_is_taken_off_its_example(row: tuple[str, str, str]) -> None:
    _, word, root = row
    assert stem(word) == root


@each_row(
    ("one", "other"),
    [
        ("install", "installed"),
        ("stopped", "stopping"),
        ("query", "queries"),
        ("migration", "migrate"),
        ("connection", "connections"),
    ],
)
def test_forms_of_a_word_share_a_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@each_row("word", ["css", "status", "axis", "429", "utf8", "größe", "c"])
def test_what_is_no_english_form_stays_whole(word: str) -> None:
    assert stem(word) == word


def test_a_word_is_read_without_case_and_accents() -> None:
    assert tokens("Café CAFÉ") == ("cafe", "cafe")


def test_words_beyond_ascii_are_told_as_they_are_written_too() -> None:
    assert as_written("plain 깨짐, サーバーが (plain) 깨짐") == ("깨짐", "サーバーが")


def test_a_name_in_humps_gives_itself_and_its_parts() -> None:
    assert tokens("NullPointerException") == (
        "nullpointerexception", "null", "pointer", "exception",
    )  # fmt: skip
    assert tokens("max_tokens") == ("max", "tokens")


def test_a_letter_among_humps_is_no_word() -> None:
    assert tokens("useAFile")[:1] == ("useafile",)
