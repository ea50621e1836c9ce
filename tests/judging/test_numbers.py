from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.tools.judging.texts.numbers import FIGURES, figures, spelled, values
from tests.rows import each_row, enough


@each_row(
    ("text", "value"),
    [
        ("800 , 000 people", 800_000),
        ("98. 7 degrees", 98.7),
        ("1,250,000 kronor", 1_250_000),
        ("1 250 000 kronor", 1_250_000),
        ("1.250.000,50 Euro", 1_250_000.5),
        ("in 2018\u201319", 2019),
        ("1.5 million", 1_500_000),
        ("3M users", 3_000_000),
        ("twenty-five men", 25),
        ("two hundred and six bones", 206),
        ("three million two thousand", 3_002_000),
        ("half a dozen", 6),
        ("a dozen eggs", 12),
        ("half past 10.30", 30),
    ],
)
def test_a_source_is_read_generously(text: str, value: float) -> None:
    assert value in values(text)


def test_a_list_of_numbers_is_not_one_number() -> None:
    assert 301_943 not in values("May 30, 1943")
    assert values("no number at all") == frozenset()
    assert {120, 3600} < values("Lamp,120,3600")
    assert 1_203_600 not in values("Lamp,120,3600")


@each_row(
    ("text", "told"),
    [
        ("It cost $1,250.50 then.", [("$1,250.50", 1250.5, "figure")]),
        ("It is 15,000, or so.", [("15,000", 15_000, "figure")]),
        ("In 1932 it opened.", [("1932", 1932, "year")]),
        ("In the 1930s it opened.", [("1930s", 1930, "decade")]),
        ("The 20th century.", [("20th", 20, "ordinal")]),
        ("1.25 million and 20%", [("1.25 million", 1_250_000, "figure"), ("20%", 20, "figure")]),
        ("$310M was it", [("$310M", 310_000_000, "figure")]),
        ("16 GB or 16GB", [("16", 16, "figure"), ("16GB", 16, "figure")]),
        ("1. First\n2. Second\nStep 3 is last", []),
        ("As said [12], [3, 4].", []),
        ("B12, COVID-19, 10.0.0.5, v2.3.1, 6:45, 12/05/2001, #7, a1", []),
    ],
)
def test_an_answer_is_read_strictly(text: str, told: list[tuple[str, float, str]]) -> None:
    assert [(one.written, one.value, one.shape) for one in figures(text)] == told


def test_numbers_in_words_have_their_places() -> None:
    text = "A man of forty-two has half a million, a few and an idea."
    assert [(text[start:end], value) for start, end, value in spelled(text)] == [
        ("forty-two", 42),
        ("half a million", 500_000),
    ]


@given(st.text(alphabet="0123456789., -/%$sthXIVm\n", max_size=60))
def test_every_figure_lies_where_it_says(text: str) -> None:
    assert isinstance(values(text), frozenset)
    for figure in figures(text):
        assert text[figure.start : figure.end] == figure.written


@given(st.integers(min_value=0, max_value=999_999_999))
def test_a_number_is_known_however_its_thousands_are_set_off(number: int) -> None:
    for written in (f"{number}", f"{number:,}", f"{number:,}".replace(",", " , ")):
        assert number in values(f"there were {written} of them")


@each_row("unit", ["1", "1 000 ", "two hundred ", "\n", "1. "])
def test_reading_numbers_is_linear(unit: str) -> None:
    size = enough(64_000, 1_000_000)
    text = (unit * size)[:size]
    figures(text)
    values(text)


def test_no_more_numbers_are_read_than_a_reader_would() -> None:
    assert len(figures("7 " * 5_000)) == FIGURES
