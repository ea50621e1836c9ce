import pytest

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.grounding import names as grounding_names
from reflection_mcp.tools.judging.grounding.forenames import FAMILIAR, PLACES


def told_of_names(context: str, answer: str) -> list[str]:
    return [one.status for one in grounding_names.check(Case("", answer, context))]


@pytest.mark.parametrize(
    ("context", "answer"),
    [
        ("The hymn is by R. S. Hollin of Bath.", "It is by Rowan Silas Hollin."),
        ("The hymn is by R.S. Hollin of Bath.", "It is by Rowan Hollin."),
        ("The hymn is by Joanna Hollin of Bath.", "It is by Jo Hollin."),
        ("The hymn is by Wil Hollin of Bath.", "It is by Wilbur Hollin."),
        ("The hymn is by Robert Hollin of Bath.", "It is by Bob Hollin."),
        ("The hymn is by Pyotr Hollin of Bath.", "It is by Peter Hollin."),
    ],
)
def test_a_forename_in_another_form_is_left_alone(context: str, answer: str) -> None:
    assert told_of_names(context, answer) == ["unchecked"]


@pytest.mark.parametrize(
    ("context", "answer"),
    [
        ("The hymn is by R. S. Hollin of Bath.", "It is by Martin Hollin."),
        ("The hymn is by Joanna Hollin of Bath.", "It is by Mabel Hollin."),
        ("The hymn is by Robert Hollin of Bath.", "It is by Rupert Hollin."),
        ("In Bath, the town's Hollin wrote a hymn.", "It is by Silas Hollin."),
        ("The hymn is from Bath, and Hollin wrote it.", "It is by Andrea Hollin."),
        ("The hymn is by R. S. Hollin of Bath.", "It is by R. S. Merrow."),
        (f"Jo Tarn met Ann in Bath.{' Again old Hollin wrote.' * PLACES} Wil Hollin sang.",
         "It is by Wilbur Hollin."),
    ],
)  # fmt: skip
def test_another_forename_is_another_person(context: str, answer: str) -> None:
    assert told_of_names(context, answer) == ["wrong"]


def test_forms_of_a_forename_are_written_as_names_are_compared() -> None:
    for group in map(str.split, FAMILIAR):
        assert len(group) > 1
        assert len(set(group)) == len(group)
        assert all(one.isascii() and one.islower() and len(one) > 1 for one in group)
