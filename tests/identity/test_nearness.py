"""Of several errors with one message, the one whose whole text is nearest."""

from dataclasses import replace

from reflection_mcp.tools.identity import EXAMPLE, nearest
from tests.identity.test_recognise import stored

QUANTITY = """Traceback (most recent call last):
  File "/srv/app/orders.py", line 12, in parse
    quantity = int(row["quantity"])
ValueError: invalid literal for int() with base 10: ''"""
PRICE = QUANTITY.replace("quantity", "price")
WORKER = "worker 1 of 4 started\n"


def chosen(text: str, *known: str) -> str:
    rows = [replace(stored(each, str(place)), example=each) for place, each in enumerate(known)]
    return known[int(nearest(text, rows).id)]


def test_the_line_of_source_above_the_message_tells_two_apart() -> None:
    again = PRICE.replace("line 12", "line 14").replace("''", "'n/a'")
    assert chosen(again, QUANTITY, PRICE) == PRICE
    assert chosen(again, PRICE, QUANTITY) == PRICE


def test_what_was_printed_besides_the_stored_error_holds_nothing_against_it() -> None:
    assert chosen(QUANTITY, PRICE, WORKER + QUANTITY) == WORKER + QUANTITY


def test_of_two_that_say_all_that_is_asked_the_one_that_says_least_besides_is_nearest() -> None:
    assert chosen(QUANTITY, WORKER + QUANTITY, QUANTITY) == QUANTITY
    assert chosen(WORKER + QUANTITY, WORKER + QUANTITY, QUANTITY) == WORKER + QUANTITY


def test_what_the_masks_hide_decides_when_nothing_else_does() -> None:
    one, other = "lost connection to 10.1.2.3:40112", "lost connection to 10.1.2.3:40999"
    assert chosen(other, one, other) == other
    assert chosen(one, one, other) == one


def test_of_those_that_are_equally_near_the_first_is_taken() -> None:
    assert nearest(QUANTITY, [stored(QUANTITY, "a"), stored(QUANTITY, "b")]).id == "a"


def test_what_the_masks_hide_decides_nothing_else() -> None:
    one = "request 550e8400-e29b-41d4-a716-446655440000 took 31 ms on 10.1.2.3\n"
    other = "request 67e55044-10b1-426f-9247-bb680e5fe0c8 took 28 ms on 10.1.2.7\n"
    assert chosen(one + PRICE, one + QUANTITY, other + PRICE) == other + PRICE


def test_one_that_kept_no_text_is_far_away() -> None:
    without, far = stored(QUANTITY, "without"), replace(stored(PRICE, "far"), example=PRICE)
    assert nearest(QUANTITY, [without, far]).id == "far"


def test_a_text_is_held_against_what_is_kept_of_another_only_as_far_as_that_goes() -> None:
    long = QUANTITY + "\n" + "step done\n" * EXAMPLE + "step failed"
    assert chosen(long, long[:EXAMPLE], long[:EXAMPLE] + " failed") == long[:EXAMPLE]
