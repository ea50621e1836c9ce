from reflection_mcp.tools.judging.texts.wording import content, stem, words


def test_inflected_forms_meet_in_one_stem() -> None:
    assert stem("cities") == stem("city")
    assert stem("walked") == stem("walking") == stem("walks")
    assert stem("Cat") == "cat"


def test_a_short_word_keeps_three_letters() -> None:
    assert stem("bus") == "bus"
    assert stem("as") == "as"


def test_content_leaves_out_words_without_meaning() -> None:
    assert content("The cat is on the old mat, a 5") == ["cat", "old", "mat"]
    assert words("It's 3.5 km") == ["It", "s", "3.5", "km"]
