"""What is read of an error's text before two are compared: lines, frames, types, statements."""

from reflection_mcp.tools.identity import fingerprint
from reflection_mcp.tools.identity.clean.text import clean
from reflection_mcp.tools.identity.extract.report import MOST_STATEMENTS
from reflection_mcp.tools.identity.extract.roles import type_of

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def test_the_mark_of_a_line_end_is_a_line_end() -> None:
    assert clean("KeyError: 'a' \u23ce in load") == ["KeyError: 'a'", "in load"]


def test_a_frame_of_a_build_file_does_not_part_two_errors() -> None:
    error = "CMake Error: Could not find Boost\n"
    frames = "Call Stack (most recent call first):\n  deps.cmake:12 (find_package)\n"
    assert fingerprint(error + frames).signature == fingerprint(error).signature


def test_the_type_of_an_elixir_error_stands_in_brackets() -> None:
    assert type_of("** (KeyError) key :a not found") == ("keyerror", True)


def test_of_very_many_errors_the_first_ones_are_read() -> None:
    names = [f"{one}{other}{one}" for one in LETTERS[:9] for other in LETTERS[:9]]
    lines = [f"Error: the part {name} of the {name}x plan was refused" for name in names]
    assert len(fingerprint("\n".join(lines)).pattern.lines) == MOST_STATEMENTS


def test_the_headline_is_among_the_statements_wherever_it_stands() -> None:
    weak = [f"the {one}{two} part failed" for one in LETTERS[:5] for two in LETTERS[:5]]
    text = "\n".join([*weak, "ValueError: no such widget"])
    assert any("no such widget" in line for line in fingerprint(text).pattern.lines)


def test_colours_inside_json_are_taken_out_once_it_is_opened() -> None:
    assert clean('{"message": "\\u001b[31mKeyError: 1\\u001b[0m"}') == ["KeyError: 1"]


def test_a_quote_that_only_its_record_escapes_is_the_one_kind_of_quote() -> None:
    assert clean('{"message": "no \\u0060leaf\\u0060 was found"}') == ["no 'leaf' was found"]


def test_a_sign_in_front_of_some_lines_is_no_margin_of_a_diff() -> None:
    lines = ["+error: no leaf", "+pot", "+cup", "kettle"]
    assert clean("\n".join(lines)) == lines
