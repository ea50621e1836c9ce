from reflection_mcp.tools.judging.texts.names import names
from tests.rows import each_row


def told(text: str, *, alone: bool = False) -> list[tuple[str, bool]]:
    return [(name.written, name.opens) for name in names(text, 0, alone=alone)]


@each_row(
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
        ("In Euros, Dollars and Pounds a Grand Total tells more than a Subtotal.", []),
        ("One Euro, one Dollar and a Pound.", []),
        ("The Bell is there; Anna's Brother Tom left.", ["Bell", "Anna's Brother Tom"]),
    ],
)
def test_names_of_a_sentence(text: str, found: list[str]) -> None:
    assert [written for written, _ in told(text)] == found


def test_what_stands_behind_the_dash_in_small_letters_names_nobody() -> None:
    (name,) = names("She is a Grammy-winning singer.", 0)
    assert name.words == ("grammy",)


def test_the_first_word_may_owe_its_capital_to_the_sentence() -> None:
    assert told("Gustav Eriksson built it.") == [("Gustav Eriksson", True)]
    assert told("Gustav Eriksson", alone=True) == [("Gustav Eriksson", False)]
    assert told("The Simpsons", alone=True) == [("Simpsons", False)]
    assert told("Gustav built it.") == []
    assert told("Dr. Eriksson built it.") == [("Eriksson", False)]


def test_the_place_of_a_name_counts_from_the_start_of_the_answer() -> None:
    (name,) = names("She met Anna.", 100)
    assert (name.start, name.end, name.words) == (108, 112, ("anna",))
