import pytest

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.grounding import names as grounding_names
from reflection_mcp.tools.judging.grounding.pairing import PLACES

FAR = " It was a wet spring, and for weeks nothing else was spoken of in the whole of the valley."


def stated(context: str, answer: str) -> list[str]:
    found = grounding_names.check(Case("", answer, context))
    return [one.stated for one in found if one.status == "wrong"]


@pytest.mark.parametrize(
    ("context", "answer", "found"),
    [
        pytest.param(
            f"The mill was built by Greta Holm.{FAR} The owner was Otto Brand of Brandshagen.",
            "The mill was built by Greta Brand.",
            ["Greta Brand"],
            id="each part belongs to another name",
        ),
        pytest.param(
            f"The mill was built by Otto Brand.{FAR} His daughter Greta sold it.",
            "The mill was sold by Greta Brand.",
            [],
            id="a first name alone may be that of a relative",
        ),
        pytest.param(
            f"The mill was built by Otto Brand.{FAR} He died in Uppsala. Greta, his heir, sold it.",
            "The mill was sold by Greta Brand.",
            [],
            id="a name behind the stop of a sentence is no part of the one before it",
        ),
        pytest.param(
            f"The mill was built by Greta Holm.{FAR} In the end Mr. Brand sold it.",
            "The mill was sold by Greta Brand.",
            [],
            id="a last name behind a title may be anybody's",
        ),
        pytest.param(
            f"The mill was built by Greta Holm.{FAR} Later Brand sold it.",
            "The mill was sold by Greta Brand.",
            [],
            id="a last name behind the first word of a sentence",
        ),
        pytest.param(
            f"The mill was built by Greta Holm.{FAR} There Otto Brand made a brand of it.",
            "The mill was sold by Greta Brand.",
            [],
            id="what stands in small letters as well is no name",
        ),
        pytest.param(
            "The mill was built by Greta Anna Holm and Otto Brand.",
            "The mill was built by Greta Brand.",
            [],
            id="near each other they may be one",
        ),
        pytest.param(
            f"The mill was built by Gr\u00e9ta Holm.{FAR} The owner was Otto Brand.",
            "The mill was built by Greta Brand.",
            [],
            id="a part that stands there only with an accent",
        ),
        pytest.param(
            f"Greta Holm came.{FAR} The owner was Otto Brand.",
            "It is the Greta of the Brand.",
            [],
            id="parts that the answer does not write side by side",
        ),
    ],
)
def test_a_name_made_of_two(context: str, answer: str, found: list[str]) -> None:
    assert stated(context, answer) == found


def test_who_is_named_again_and_again_is_not_looked_into() -> None:
    often = "Greta Holm came. " * (PLACES + 1)
    assert stated(f"{often}{FAR} The owner was Otto Brand.", "It is Greta Brand.") == []


def test_the_reason_names_both_parts() -> None:
    context = f"The mill was built by Greta Holm.{FAR} The owner was Otto Brand."
    (found,) = grounding_names.check(Case("", "It was built by Greta Brand.", context))
    assert found.why == "The context gives 'greta' and 'brand' to different names."
