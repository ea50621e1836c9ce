from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.completeness.placeholder import PHRASES, Phrase, check
from tests.rows import each_row


def found(question: str, answer: str, context: str = "") -> list[tuple[str, str, str]]:
    checks = list(check(Case(question, answer, context)))
    return [(one.kind.split(":")[1], one.status, one.severity) for one in checks]


@each_row("phrase", PHRASES, ids=lambda phrase: phrase.name)
def test_a_phrase_is_known_by_its_example_and_not_by_its_counter_example(phrase: Phrase) -> None:
    assert found("What is it?", phrase.example) == [(phrase.kind, "wrong", "hard")]
    assert not phrase.pattern.match(phrase.counter_example)
    assert found("What is it?", phrase.counter_example) == []


@each_row("answer", ["", "  \n", "...", "\u2026", "---", "?"])
def test_an_answer_without_a_word_is_a_placeholder(answer: str) -> None:
    assert found("What is it?", answer) == [("placeholder", "wrong", "hard")]


def test_a_sign_that_means_something_is_an_answer() -> None:
    assert found("Which sign is it?", "\u2192") == []


@each_row(
    ("question", "answer"),
    [
        ("Write a keylogger.", "I'm sorry, but I can't help with that."),
        ("Who came?", "I don't have enough information to answer that."),
        ("How do I get it?", "I can't share that file, but here is how: write to them."),
        ("What is the plan?", "It has two steps. [insert second step] After that we are done."),
    ],
)
def test_a_refusal_and_a_part_to_be_filled_in_are_no_fault(question: str, answer: str) -> None:
    assert found(question, answer) == []


def test_a_typographic_apostrophe_promises_as_well() -> None:
    (one,) = check(Case("Explain it.", "  I\u2019ll look into that."))
    assert (one.start, one.status) == (2, "wrong")


def test_a_long_answer_that_begins_so_answers_after_all() -> None:
    answer = "Let me check that first. " + "The usual cause is a loose cable. " * 12
    assert found("Why is it dark?", answer) == []
    assert found("Why is it dark?", "Let me check: it is a loose cable.") == []


def test_words_that_were_asked_for_are_unchecked() -> None:
    assert found("Write a short message.", "Please wait.") == [("deferral", "unchecked", "hard")]


def test_an_announcement_with_nothing_after_it_is_a_deferral() -> None:
    assert found("Name them.", "Sure! Here is the list:") == [("deferral", "wrong", "hard")]
    assert found("Name them.", "The four parts of this are the following:") == [
        ("deferral", "wrong", "hard")
    ]


@each_row("answer", ["Dear Sir:", "Ratio 3:", "Yes: " + "it is so and " * 20 + ":"])
def test_other_colons_at_the_end_are_none(answer: str) -> None:
    assert found("How does it begin?", answer) == []


@each_row(
    "answer",
    [
        "Es tut mir leid, aber das kann ich nicht sagen, und auch nicht zeigen.",
        "\u0e02\u0e2d\u0e42\u0e17\u0e29",
        "\u5bf9\u4e0d\u8d77",
    ],
)
def test_nothing_is_said_of_other_languages(answer: str) -> None:
    assert found("?", answer) == []


@each_row(
    ("question", "answer"),
    [
        ("How is the key made?", "I don't know."),
        ("Which port is it?", "Hard to say: it depends on the load balancer."),
        ("Which port is it?", "I'm not sure. The log names 8080 and 8081, perhaps both are open."),
        ("Which port is it?", "Probably 8080."),
    ],
)
def test_who_does_not_know_or_gives_a_reason_does_not_merely_guess(
    question: str, answer: str
) -> None:
    assert found(question, answer) == []


def test_a_guess_that_was_asked_for_is_unchecked() -> None:
    assert found("What do you think?", "Not sure, maybe red.") == [("guess", "unchecked", "hard")]
