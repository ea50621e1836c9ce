from reflection_mcp.tools.judging.texts.source import Source, fold
from tests.rows import each_row

SOURCE = Source(
    "The United Nations and German voters met Am\u00e9lie Dupont of the FBI in Wichita, "
    "where YouTube and the S.P.Q.R. had a house. Britain came as well. JAXA too, in the Turkey "
    "and Khrushchev rooms, with Muhammad and a monotheletic friend, 5,000 times and 7.5 times."
)


@each_row(
    ("word", "known"),
    [
        ("amelie", True),
        ("germany", True),
        ("english", False),
        ("paris", False),
        ("un", False),
        ("wich", False),
        ("monothelite", True),
        ("housing", True),
        ("voters", True),
        ("dupe", False),
    ],
)
def test_a_word_is_known_in_any_inflection(word: str, known: bool) -> None:
    assert SOURCE.has_word(word) is known


def test_initials_are_known_both_ways() -> None:
    assert SOURCE.has_initials("Federal Bureau of Investigation")
    assert SOURCE.has_initials("The Federal Bureau of Investigation")
    assert not SOURCE.has_initials("World Health Organization")
    assert not SOURCE.has_initials("Federal")
    assert not Source("It was on TV.").has_initials("The Voice")
    assert SOURCE.spells_out("un")
    assert not SOURCE.spells_out("who")
    assert not SOURCE.spells_out("u")


def test_a_slip_of_the_pen_or_another_script_is_the_same_name() -> None:
    assert SOURCE.has_like("wichitta")
    assert not SOURCE.has_like("wien")
    assert not SOURCE.has_like("varberg")
    assert not Source("wichita " * 40_000).has_like("wichitta")


def test_a_figure_stands_there_by_itself() -> None:
    assert SOURCE.has_figure("5,000")
    assert Source("5 of them").has_figure("5")
    assert not SOURCE.has_figure("000")
    assert not SOURCE.has_figure("7")
    assert not SOURCE.has_figure("9")


def test_whether_a_text_uses_capitals() -> None:
    assert SOURCE.cased
    assert not Source("all of this is small").cased
    assert not Source("ALL OF THIS IS LOUD").cased
    assert not Source("").cased
    assert Source("Ann Lee and Bo Day met Cy Fox of Rye").cased


def test_folding_takes_off_accents_and_capitals() -> None:
    assert fold("\u00c5ngstr\u00f6m") == "angstrom"
    assert fold("Abc") == "abc"
    assert fold("\u0141\u00f3d\u017a, Stra\u00dfe, \u00d8rsted") == "lodz, strasse, orsted"


def test_a_slip_keeps_the_first_letter() -> None:
    assert not Source("It was Fernandez.").has_like("hernandez")
    assert not Source("A bottle of Perrier stood there.").has_like("terrier")
    assert Source("It was Hernandes.").has_like("hernandez")
    assert not Source("Aleksandr came.").has_like("oleksandr")


def test_a_figure_stands_by_itself() -> None:
    assert Source("11,140 and 1,140").has_figure("1,140")
    assert not Source("11,140 of them").has_figure("1,140")
