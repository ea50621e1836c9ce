import pytest

from reflection_mcp.tools.judging.names import names
from reflection_mcp.tools.judging.source import Source, fold


def told(text: str, *, alone: bool = False) -> list[tuple[str, bool]]:
    return [(name.written, name.opens) for name in names(text, 0, alone=alone)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It was built by Olof Hallstr\u00f6m in Varberg.", ["Olof Hallstr\u00f6m", "Varberg"]),
        ("The bridge of the town is old.", []),
        ("He met the Duke of Sussex on Monday in May.", []),
        ("In the end, Ludwig van Beethoven won.", ["Ludwig van Beethoven"]),
        ("IBM bought it.", ["IBM"]),
        ("Photographers came from Bath.", ["Bath"]),
        ("THE WHOLE TEXT SHOUTS AT ANNA.", []),
        ("How To Build Your Own House Today", []),
        ("it was said by nobody", []),
        ("12 + 5", []),
        ("The Bell is there; Anna's Brother Tom left.", ["Bell", "Anna's Brother Tom"]),
    ],
)
def test_names_of_a_sentence(text: str, found: list[str]) -> None:
    assert [written for written, _ in told(text)] == found


def test_the_first_word_may_owe_its_capital_to_the_sentence() -> None:
    assert told("Gustav Eriksson built it.") == [("Gustav Eriksson", True)]
    assert told("Gustav Eriksson", alone=True) == [("Gustav Eriksson", False)]
    assert told("The Simpsons", alone=True) == [("Simpsons", False)]
    assert told("Gustav built it.") == []
    assert told("Dr. Eriksson built it.") == [("Eriksson", False)]


def test_the_place_of_a_name_counts_from_the_start_of_the_answer() -> None:
    (name,) = names("She met Anna.", 100)
    assert (name.start, name.end, name.words) == (108, 112, ("anna",))


SOURCE = Source(
    "The United Nations and German voters met Am\u00e9lie Dupont of the FBI in Wichita, "
    "where YouTube and the S.P.Q.R. had a house. Britain came as well."
)


@pytest.mark.parametrize(
    ("word", "known"),
    [
        ("amelie", True),
        ("germany", True),
        ("english", False),
        ("british", True),
        ("paris", False),
        ("un", False),
    ],
)
def test_a_word_is_known_in_any_inflection(word: str, known: bool) -> None:
    assert SOURCE.has_word(word) is known


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("Finnish", "finland"),
        ("Thailand", "thai"),
        ("Afghan", "afghanistan"),
        ("Scots", "scottish"),
    ],
)
def test_a_people_is_known_by_its_country_and_the_other_way_round(told: str, asked: str) -> None:
    assert Source(f"The {told} cook").has_word(asked)


def test_initials_are_known_both_ways() -> None:
    assert SOURCE.has_initials("Federal Bureau of Investigation")
    assert SOURCE.has_initials("Senatus Populus Que Romanus")
    assert not SOURCE.has_initials("World Health Organization")
    assert not SOURCE.has_initials("Federal")
    assert SOURCE.spells_out("un")
    assert not SOURCE.spells_out("who")
    assert not SOURCE.spells_out("u")


def test_words_may_be_written_as_one() -> None:
    assert SOURCE.runs_together(("you", "tube"))
    assert not SOURCE.runs_together(("you",))


def test_a_slip_of_the_pen_is_the_same_name() -> None:
    assert SOURCE.has_like("wichitta")
    assert not SOURCE.has_like("wien")
    assert not SOURCE.has_like("varberg")
    assert not Source("wichita " * 40_000).has_like("wichitta")


def test_whether_a_text_uses_capitals() -> None:
    assert SOURCE.cased
    assert not Source("all of this is small").cased
    assert not Source("ALL OF THIS IS LOUD").cased
    assert not Source("").cased


def test_folding_takes_off_accents_and_capitals() -> None:
    assert fold("\u00c5ngstr\u00f6m") == "angstrom"
    assert fold("Abc") == "abc"
