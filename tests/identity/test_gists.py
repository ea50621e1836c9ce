"""The error in a sentence of a person: from where to where it goes, and what else was told."""

import pytest

from reflection_mcp.tools.identity.verdicts.gists import Gist, gist_of
from reflection_mcp.tools.identity.verdicts.verdict import verdict_of

KEY = "KeyError: 'a'"


@pytest.mark.parametrize(
    ("line", "gist"),
    [
        (f"I get {KEY} when I start the app", Gist([KEY])),
        (f"we see \"{KEY}\" under load", Gist([KEY])),
        (f"{KEY} happens whenever the cart is empty", Gist([KEY])),
        (f"the nightly job dies with pandas {KEY} in build_daily",
         Gist([KEY], "build_daily", "the nightly job dies with")),
        (f"getting {KEY} in app.jobs.run_all() again", Gist([KEY], "app.jobs.run_all")),
        ("pydantic ValidationError: 1 error", Gist(["ValidationError: 1 error"], "",
                                                   "the library pydantic")),
        (f"so I ran it and it printed {KEY}", Gist([KEY])),
        (f"logs are full of {KEY}", Gist([KEY], "", "logs are full of")),
        ("user hit \"cannot open cart now\" while exporting", Gist(
            ["cannot open cart now"], "", "user hit")),
        (f"how do I fix {KEY}?", Gist([KEY])),
        (f"[bug] {KEY}", Gist([KEY])),
        (f"{KEY} after the upgrade, any ideas?", Gist([KEY])),
        (f"the import crashed with {KEY} again", Gist([KEY], "", "the import crashed with")),
        ("npm install fails with ERESOLVE could not resolve", Gist(
            ["ERESOLVE could not resolve"], "", "npm install fails with")),
    ],
)  # fmt: skip
def test_the_error_is_taken_out_of_what_is_said_around_it(line: str, gist: Gist) -> None:
    assert gist_of([line]) == gist


@pytest.mark.parametrize(
    "line",
    [
        "",
        "I get this error",
        "the build fails",
        "we get 'a'",
        "Error: the server says no such user",
        "RuntimeError: cannot schedule new futures after shutdown",
        "java.lang.IllegalStateException: I found no session",
        "the test happens to fail",
        "thread 'main' has lost its lease",
        f"{KEY} after the upgrade",
        f"I get {KEY}" + "x" * 1_000,
    ],
)
def test_what_is_no_sentence_about_an_error_stays(line: str) -> None:
    assert gist_of([line]) is None


def test_a_text_of_many_lines_is_no_gist() -> None:
    lines = [f"I get {KEY}", "one", "two", "three", "four"]
    assert gist_of(lines) is None


def test_what_follows_the_sentence_stays() -> None:
    assert gist_of(["I get Settings: 1 error", "", "  url is missing"]) == Gist(
        ["Settings: 1 error", "url is missing"]
    )


def test_the_place_that_a_person_names_is_the_place_and_of_whom_he_speaks_is_a_note() -> None:
    found = verdict_of([f"the nightly job dies with {KEY} in build_daily"])
    assert found.lines == [KEY]
    assert found.location == ":build_daily"
    assert "the nightly job dies with" in found.context
