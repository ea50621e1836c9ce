"""A loop survives in a token, and nothing else passes for one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.store.records import Scope
from reflection_mcp.tools.answer.plan import MOST, Plan
from reflection_mcp.tools.answer.state import LoopState
from reflection_mcp.tools.answer.token import key_of, loop_id_from, read_token, write_token
from reflection_mcp.tools.errors import InvalidInput
from reflection_mcp.tools.judging.scoring import Evaluation
from tests.answer.attempts import attempts, evaluation, flaw
from tests.rows import each_row

SECRET = b"0123456789abcdef0123456789abcdef"
LOOP = loop_id_from("loop-1")
LONG = "Ein langer Entwurf, der nicht in das Token paßt. " * 10


def state(*judged: tuple[str, Evaluation], plan: Plan | None = None) -> LoopState:
    drafts = attempts(*judged)
    return LoopState(plan=plan or Plan(), question="how many?", context="in the box", drafts=drafts)


def test_all_that_a_decision_needs_comes_back() -> None:
    left = state(
        (LONG, evaluation(flaw(), flaw("40"))),
        ("short", evaluation(flaw(), quality=0.9)),
        plan=Plan(retries=3, always=True),
    )
    token = write_token(SECRET, LOOP, left)
    carried = read_token(SECRET, f" {token}\n", "how  many?", "in the box")
    assert (carried.loop_id, carried.retries, carried.always) == (LOOP, 3, True)
    for kept, was in zip(carried.drafts, left.drafts, strict=True):
        assert (kept.iteration, kept.digest) == (was.iteration, was.digest)
        assert (kept.flaws, kept.quality) == (was.flaws, was.quality)
    assert [one.text for one in carried.drafts] == [None, None]


def test_ten_attempts_stay_under_four_hundred_characters() -> None:
    found = evaluation(*(flaw(str(n)) for n in range(9)))
    longest = state(*((LONG, found),) * MOST, plan=Plan(retries=MOST - 1))
    assert len(write_token(SECRET, LOOP, longest)) < 400


def test_a_token_of_another_question_or_context_is_refused() -> None:
    token = write_token(SECRET, LOOP, state(("a", evaluation(flaw()))))
    for question, context in (("how long?", "in the box"), ("how many?", "")):
        with pytest.raises(InvalidInput, match="belongs to another question or context"):
            read_token(SECRET, token, question, context)


@each_row(
    ("token", "line"),
    [
        ("loop1.AAAA", "made by another version"),
        ("loop9", "made by another version"),
        ("", "not a loop token"),
        ("loopy", "not a loop token"),
        ("eyJhbGciOi", "not a loop token"),
        ("loop2.", "altered or made elsewhere"),
        ("loop2.äöü", "altered or made elsewhere"),
        ("loop2." + "A" * 5000, "altered or made elsewhere"),
    ],
)
def test_what_is_no_token_of_ours_is_refused_with_a_clear_line(token: str, line: str) -> None:
    with pytest.raises(InvalidInput, match=line) as refused:
        read_token(SECRET, token, "how many?", "in the box")
    assert "start again" in refused.value.hint


def test_a_token_made_with_another_secret_is_refused() -> None:
    token = write_token(b"another", LOOP, state(("a", evaluation(flaw()))))
    with pytest.raises(InvalidInput, match="altered or made elsewhere"):
        read_token(SECRET, token, "how many?", "in the box")


@given(st.data())
def test_a_token_that_was_tampered_with_is_refused(data: st.DataObject) -> None:
    token = write_token(SECRET, LOOP, state(("a draft", evaluation(flaw(), quality=0.5))))
    at = data.draw(st.integers(len("loop2."), len(token) - 1))
    sign = data.draw(st.sampled_from([s for s in "AQgwx_-9=" if s != token[at]]))
    cut = data.draw(
        st.sampled_from([token[:at] + sign + token[at + 1 :], token[:at], token + sign])
    )
    with pytest.raises(InvalidInput):
        read_token(SECRET, cut, "how many?", "in the box")


def test_a_token_is_good_in_its_own_project_and_for_its_own_tenant() -> None:
    places = [Scope(tenant=t, project=p) for t in ("acme", "rival", "a") for p in ("shop", "cme")]
    keys = [key_of(SECRET, place) for place in places]
    assert len(set(keys)) == len(places)
    token = write_token(keys[0], LOOP, state(("a", evaluation(flaw()))))
    assert read_token(key_of(SECRET, places[0]), token, "how many?", "in the box").loop_id == LOOP
    for key in (*keys[1:], SECRET):
        with pytest.raises(InvalidInput, match="altered or made elsewhere"):
            read_token(key, token, "how many?", "in the box")
