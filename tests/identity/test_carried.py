"""An error is found again in an address, a diff, a mail or a pager; what is none of them stays."""

import pytest

from reflection_mcp.tools.identity.cleaning.addresses import decoded
from reflection_mcp.tools.identity.cleaning.clean import clean
from reflection_mcp.tools.identity.cleaning.diffs import added
from reflection_mcp.tools.identity.cleaning.layout import ungridded
from reflection_mcp.tools.identity.cleaning.printable import printed

SAID = "KeyError: 'a'\n  at b"


@pytest.mark.parametrize(
    "text",
    [
        "https://forge.example/shop/issues/new?title=it%20broke&body=KeyError%3A%20%27a%27%0A%20%20at%20b",
        "https://forge.example/new?body=KeyError%3A+%27a%27%0A++at+b#end",
        "KeyError%3A%20'a'%0A%20%20at%20b",
        "  KeyError%3a+'a'%0a++at+b\n",
    ],
)
def test_a_text_that_an_address_carries_is_taken_out(text: str) -> None:
    assert decoded(text) == SAID


@pytest.mark.parametrize(
    "text",
    [
        "",
        "50%",
        "GET https://shop.example/?q=a%20b%20c failed",
        "https://shop.example/a%2Fb%2Fc?page=2",
        "https://shop.example/?next=%2Fcart%2Fitems",
        "%s%20d",
    ],
)
def test_an_address_that_carries_no_sentence_stays(text: str) -> None:
    assert decoded(text) == text


@pytest.mark.parametrize("sign", "+-")
def test_a_text_that_a_diff_adds_or_takes_away_is_taken_out(sign: str) -> None:
    head = "diff --git a/x b/x\nnew file mode 100644\n--- a/x\n+++ b/x\n@@ -0,0 +1,2 @@\n"
    lines = "".join(f"{sign}{line}\n" for line in SAID.split("\n"))
    assert added(f"{head}{lines}\\ No newline at end of file") == SAID


@pytest.mark.parametrize(
    "text",
    [
        "+KeyError: 'a'",
        "@@ -1 +1 @@\n-KeyError: 'a'\n+KeyError: 'b'",
        "@@ -1,2 +1,2 @@\n unchanged\n+KeyError: 'b'",
        "no hunk: @@ -x",
    ],
)
def test_a_difference_of_two_values_stays(text: str) -> None:
    assert added(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "KeyError: =\n'a'\n  at b",
        "--0c75abd0f06e4655\nContent-Type: text/plain; charset=utf-8\nKeyErr=\nor=3A 'a'\n  at b",
        "KeyError: =27a=27\n  at =\nb",
    ],
)
def test_a_text_that_a_mail_carries_is_taken_out(text: str) -> None:
    assert printed(text) == SAID


@pytest.mark.parametrize("text", ["x = 1", "a=\nb=1", "[operato=\nr] == 1", "--\n=="])
def test_a_text_with_signs_of_equality_stays(text: str) -> None:
    assert printed(text) == text


@pytest.mark.parametrize("width", [61, 76])
def test_lines_as_wide_as_a_mailer_breaks_them_are_joined(width: int) -> None:
    said = "=\n".join(("a" * (width - 1), "b" * (width - 1), "x=y"))
    assert printed(said) == said.replace("=\n", "")


@pytest.mark.parametrize("width", [60, 77])
def test_lines_of_another_width_than_that_of_a_mailer_stay(width: int) -> None:
    said = "=\n".join(("a" * (width - 1), "b" * (width - 1), "x=y"))
    assert printed(said) == said


def test_a_line_that_begins_with_an_escape_is_one_escape_though_it_is_broken() -> None:
    said = f"=3D{'a' * 60}=\nx=y"
    assert printed(said) == said


@pytest.mark.parametrize("fence", ["```", "~~~~"])
def test_a_fence_without_an_end_is_no_line_of_an_error(fence: str) -> None:
    assert clean(f"KeyError: 'a'\n{fence} txt\n  at b") == SAID.split("\n")


def test_lines_that_were_cut_before_prefixes_of_other_widths_are_joined() -> None:
    said = f"KeyError: {'a' * 69},b is no key"
    shown = f"[pod/a-1/api] {said[:80]}\n[pod/a-10/api] {said[80:]}"
    assert clean(shown) == [said]


def test_what_a_pager_shows_in_a_grid_is_taken_out() -> None:
    shown = [
        "\u2500\u2500\u2500\u2500\u252c\u2500\u2500\u2500\u2500",
        "    \u2502 File: out.log",
        "\u2500\u2500\u2500\u2500\u253c\u2500\u2500\u2500\u2500",
        " 11 \u2502 KeyError: 'a'",
        " 12 \u2502   at b",
        "\u2500\u2500\u2500\u2500\u2534\u2500\u2500\u2500\u2500",
    ]
    assert ungridded(shown) == SAID.split("\n")
    assert ungridded([*shown, "not in it"]) == [*shown, "not in it"]
    assert ungridded(shown[3:5]) == shown[3:5]
    indented = [shown[0], f"  {shown[2]}", *shown[3:]]
    assert ungridded(indented) == indented
