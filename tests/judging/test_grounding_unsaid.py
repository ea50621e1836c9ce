"""What an answer names only to say that it is not told; all rows written for this rule."""

import pytest

from reflection_mcp.tools.judging import check_answer
from reflection_mcp.tools.judging.grounding.unsaid import DENIALS, LONGEST, Denial

REPORT = (
    "The report covers 2019 and 2020. Revenue was $12 million in 2020. The CEO is Ann Lee. The "
    "project runs on Ubuntu and Arch. Offices are in Berlin and Munich, reached by bus."
)
MUSEUM = (
    "The museum opened in 1987 in Oslo. Its director is Kari Moe. It has 14 rooms and 3 lifts, and "
    "a ticket costs $9."
)


def faulted(answer: str, context: str) -> list[str]:
    found = check_answer("", answer, context)
    hard = [one for one in found if one.status == "wrong" and one.severity == "hard"]
    return [one.stated for one in hard]


@pytest.mark.parametrize("denial", DENIALS, ids=lambda denial: denial.name)
def test_each_form_of_denying_knows_its_example_and_not_its_counter_example(denial: Denial) -> None:
    assert faulted(denial.example, REPORT) == []
    assert faulted(denial.counter, REPORT)


@pytest.mark.parametrize(
    ("context", "answer"),
    [
        (REPORT, "The revenue for 2021 is not given."),
        (REPORT, "There is no mention of Hamburg."),
        (REPORT, "Nothing is said about the CTO."),
        (REPORT, "No information about Maria Lopez is given in the context."),
        (REPORT, "Neither Debian nor Fedora is mentioned."),
        (REPORT, "The text does not mention Windows or macOS."),
        (REPORT, "The context doesn't say anything about Maria Lopez."),
        (REPORT, "Revenue in 2021 isn't stated anywhere."),
        (REPORT, "The document contains no figure for 2021."),
        (REPORT, "It does not specify the 2021 revenue."),
        (REPORT, "I could not find Hamburg in the text."),
        (REPORT, "The passage is silent on Hamburg."),
        (REPORT, "Windows, macOS and Android are not mentioned."),
        (REPORT, "Debian does not appear in the text."),
        (REPORT, "The context lacks any reference to Maria Lopez."),
        (REPORT, "The 2021 figure is missing from the report."),
        (REPORT, "We are not told who preceded Ann Lee or when Maria Lopez left."),
        (REPORT, "None of the sentences mentions Hamburg."),
        (REPORT, "Whether Maria Lopez works there is not stated."),
        (REPORT, "The offices are in Berlin and Munich; Hamburg is not listed."),
        (REPORT, "Ann Lee is the CEO, but Maria Lopez is not mentioned."),
        (REPORT, "The report gives revenue for 2020, not for 2021."),
        (REPORT, "The report fails to mention Hamburg."),
        (REPORT, "No 2021 data is available."),
        (REPORT, "It is unclear from the text whether Hamburg has an office."),
        (REPORT, "Trams are not mentioned in the text."),
        (MUSEUM, "Nowhere does the text mention Bergen."),
        (MUSEUM, "As to 1995, the text says nothing."),
        (MUSEUM, "I don't see Bergen anywhere in the passage."),
        (MUSEUM, "Per Dahl is never mentioned."),
        (MUSEUM, "The passage provides no information about 1995."),
        (MUSEUM, "Bergen: not mentioned."),
        (MUSEUM, "| 1995 | not given |"),
        (MUSEUM, "The text doesn't tell us whether Per Dahl was the director."),
        (MUSEUM, "There's nothing in the text about Bergen."),
        (MUSEUM, "It opened in 1987; whether it closed in 1995 is not stated."),
        (MUSEUM, "The number of visitors in 1995 cannot be determined from the text."),
        (MUSEUM, "No reference is made to Bergen."),
        ("Python 3.11 or newer", "Python 3.11 or newer; 3.12 was not tested."),
        (REPORT, "Brak informacji o 2021."),
    ],
)
def test_what_is_said_not_to_be_told_is_not_made_up(context: str, answer: str) -> None:
    assert faulted(answer, context) == []


@pytest.mark.parametrize(
    ("context", "answer"),
    [
        (REPORT, "The text does not mention the revenue, but it was $15 million in 2021."),
        (REPORT, "Although it is not stated, the CEO is Maria Lopez."),
        (REPORT, "The CEO is Maria Lopez, which is not mentioned in the summary."),
        (REPORT, "Nothing is said about the CTO. The CTO is Maria Lopez."),
        (REPORT, "The revenue for 2021 was $15 million."),
        (REPORT, "Maria Lopez did not mention the layoffs."),
        (REPORT, "The report does not mention Windows; it runs on Debian."),
        (REPORT, "The text not only mentions Hamburg but also Bremen."),
        (REPORT, "Revenue was not $15 million."),
        (REPORT, "No doubt the CEO is Maria Lopez."),
        (REPORT, "Without dialogue, the report stars Maria Lopez as a clerk who has a secret."),
        (MUSEUM, "Akiko no Mori shows work by Per Dahl, best known for it."),
        (REPORT, "In 2021 Maria Lopez became the CEO, which is not said."),
        (REPORT, "The CEO is not Ann Lee but Maria Lopez."),
        (REPORT, "The offices are in Hamburg and no other city is mentioned."),
        (REPORT, "Since the CTO is not given, Maria Lopez must be the CEO."),
        (REPORT, "It is not stated why, but the trams go to Hamburg."),
        (
            MUSEUM,
            "The director of the museum is Per Dahl, though this is not mentioned everywhere.",
        ),
        (MUSEUM, "The text mentions that it opened in 1978."),
        (MUSEUM, "It was not opened in 1987 but in 1995."),
        (MUSEUM, "Per Dahl is the director; his predecessor is not named."),
        ("Python 3.11 or newer", "Python 3.11 or newer; 3.13 was tested too."),
        (REPORT, f"{'It is said to be so, ' * (LONGEST // 20)}Hamburg is not mentioned."),
    ],
)
def test_a_clause_of_its_own_claims_what_it_says(context: str, answer: str) -> None:
    assert faulted(answer, context)


# Of two in one sentence, one is claimed; the other is not told.
@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("Tom Falk is there, and Per Dahl is not named.", ["Tom Falk"]),
        ("It is in Bergen, and Lars, Ole, Per Dahl are not named.", ["Bergen"]),
        ("It is not told of Moe, and Bergen; so it is.", []),
        ("The text names Kari Moe \u2014 Bergen is not mentioned.", []),
    ],
)
def test_only_the_clause_that_denies_is_excused(answer: str, wrong: list[str]) -> None:
    assert faulted(answer, MUSEUM) == wrong
