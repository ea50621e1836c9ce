"""When there is anything to reflect on."""

from reflection_mcp.tools.reflect.request import is_greeting, is_look_up
from tests.requirements import requirement
from tests.rows import each_row


@requirement("select:greeting")
@each_row(
    "message",
    ["Hello!", "hi there", "Thanks a lot!", "ok", "你好", "Danke", "สวัสดี", "Good morning, team"],
)
def test_a_message_that_only_greets_or_thanks_is_a_greeting(message: str) -> None:
    assert is_greeting(message)


@each_row(
    "message",
    [
        "Hello, why does this loop never end?",
        "Thanks, now fix the build",
        "no module named yaml",
        "Good morning, why is the build red?",
        "good tests for the cart",
        "hi " * 100,
        "",
        "42",
    ],
)
def test_a_message_that_asks_or_tells_something_is_no_greeting(message: str) -> None:
    assert not is_greeting(message)


@requirement("select:lookup")
@each_row(
    ("question", "answer"),
    [
        ("What is the capital of France?", "Paris."),
        ("Who was Ada Lovelace?", "A mathematician."),
        ("Where's the Louvre?", "In Paris."),
    ],
)
def test_a_short_question_for_one_fact_is_a_look_up(question: str, answer: str) -> None:
    assert is_look_up(question, answer)


@requirement("select:complex")
@each_row(
    ("question", "answer"),
    [
        ("What is 15 x 12.99?", "195.00"),
        ("Why is the sky blue?", "Rayleigh scattering."),
        ("What is the best way to shard a table?", "By tenant."),
        ("What is wrong with this code?", "The loop."),
        ("What is the capital of France?\nAnd explain its history", "Paris."),
        ("What is the capital of France?", "word " * 60),
        ("What is " + "very " * 20 + "long?", "Yes."),
        ("Compare Rust and Go", "Rust is stricter."),
    ],
)
def test_a_question_that_needs_thought_is_no_look_up(question: str, answer: str) -> None:
    assert not is_look_up(question, answer)
