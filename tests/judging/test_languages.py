import pytest

from reflection_mcp.tools.judging.texts.languages import LANGUAGE_NAMES, SCRIPTS, written_in

ENGLISH = "The river carries the water of the mountains to the sea and to the fields."


@pytest.mark.parametrize(
    ("text", "language", "answer"),
    [
        ("\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35", "thai", "yes"),
        (ENGLISH, "thai", "no"),
        (ENGLISH + " \u0e2a", "thai", "unclear"),
        (ENGLISH, "english", "yes"),
        (ENGLISH, "french", "no"),
        ("Bonjour", "french", "unclear"),
        ("Yes.", "english", "unclear"),
        ("\u041f\u0440\u0438\u0432\u0435\u0442", "french", "no"),
        ("\u041f\u0440\u0438\u0432\u0435\u0442", "english", "no"),
        ("42 + 1", "french", "unclear"),
        (
            "Der Fluss tr\u00e4gt das Wasser der Berge in das Meer und auf die Felder.",
            "german",
            "unclear",
        ),
    ],
)
def test_a_language_is_told_only_where_it_is_certain(text: str, language: str, answer: str) -> None:
    assert written_in(text, language) == answer


def test_every_language_has_one_name() -> None:
    assert len(set(LANGUAGE_NAMES)) == len(LANGUAGE_NAMES)
    assert set(SCRIPTS) < set(LANGUAGE_NAMES)
