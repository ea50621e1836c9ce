"""The loop as a value: what it asks for, and what it never does."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.store.records import Check
from reflection_mcp.tools.answer.draft import Critique, Point, best
from reflection_mcp.tools.answer.plan import MOST, Plan
from reflection_mcp.tools.answer.state import Ask, Assess, LoopState, cleared
from reflection_mcp.tools.answer.stop_rules import Stop
from reflection_mcp.tools.judging.scoring import Evaluation, Issue, evaluate, self_report
from reflection_mcp.tools.roles.inputs import APPROACHES, RoleInput
from reflection_mcp.tools.usage import Usage
from tests.answer.attempts import evaluation, flaw
from tests.requirements import requirement
from tests.rows import each_row

QUOTED = Issue(kind="logic", text="it does not follow", quote="so it is", improvement="show why")


def judged(state: LoopState, found: Evaluation) -> LoopState:
    assert isinstance(state.step(), Assess)
    return state.assessed(found)


def begin(plan: Plan, *, draft_text: str | None = None, lessons: tuple[str, ...] = ()) -> LoopState:
    return LoopState(plan=plan, question="q", context="some", candidate=draft_text, lessons=lessons)


def asked(state: LoopState) -> Ask:
    step = state.step()
    assert isinstance(step, Ask)
    return step


def done(state: LoopState) -> Stop:
    assert state.step() is None
    assert state.stop is not None
    return state.stop


@requirement("loop:critique-revise", "loop:memory-in")
def test_without_a_draft_the_answerer_is_asked_first_and_gets_three_lessons() -> None:
    state = begin(Plan(), lessons=("a", "b", "c", "d"))
    step = asked(state)
    assert step.role == "answerer"
    assert step.input == RoleInput(question="q", context="some", lessons=("a", "b", "c"))
    assert state.written("two").step() == Assess(answer="two", attempt=0)


@requirement("loop:verify-first", "loop:issues-fed-back")
def test_a_proven_fault_goes_to_the_reviser_as_it_is_and_no_critic_is_asked() -> None:
    state = judged(begin(Plan(), draft_text="12*3 = 38\nso 38"), evaluation(flaw()))
    step = asked(state)
    assert step.role == "reviser"
    assert step.input.answer == "12*3 = 38\nso 38"
    assert step.input.faults == ("“12*3 = 38”: the sides differ: 36 and 38",)


@requirement("loop:retry-below-half", "loop:issues-fed-back")
def test_an_issue_that_a_judge_quoted_goes_to_the_reviser() -> None:
    state = judged(begin(Plan(), draft_text="x"), evaluation(quality=0.4, issues=(QUOTED,)))
    step = asked(state)
    assert step.input.faults == ("“so it is”: it does not follow → show why",)


@requirement("loop:triggers")
def test_a_low_score_without_a_quote_asks_the_critic() -> None:
    hint = Check(kind="length", status="wrong", severity="hint", why="rather short")
    found = evaluate([hint], None)
    low = replace(found, relevance=evaluation(quality=0.3).relevance)
    state = judged(begin(Plan(), draft_text="x"), low)
    step = asked(state)
    assert step.role == "critic"
    assert step.input.findings == ("length: rather short",)
    point = Point(problem="no reason is given", quote="x")
    state = state.criticised(Critique(severity=0.6, points=(point,)))
    step = asked(state)
    assert step.input.faults == ("“x”: no reason is given",)
    assert state.drafts[0].critique is not None


@requirement("loop:approach-varies")
def test_every_retry_takes_another_approach() -> None:
    taken: list[str] = []
    state = judged(begin(Plan(retries=4), draft_text="0"), evaluation(flaw("0")))
    for number in range(1, 5):
        step = asked(state)
        taken.append(step.input.approach)
        state = judged(state.written(str(number)), evaluation(flaw(str(number))))
    assert taken == list(APPROACHES)
    assert done(state).outcome == "max_iterations"


@requirement("loop:critic-fails")
@each_row("role", ["critic", "reviser"])
def test_a_role_that_fails_ends_the_loop_with_the_best_so_far(role: str) -> None:
    state = judged(begin(Plan(), draft_text="x"), evaluation(flaw()))
    failed = state.role_failed(role, "sampling timeout")
    assert done(failed).outcome == "error"
    assert done(failed).why == f"the {role} failed: sampling timeout"
    assert best(failed.drafts).text == "x"


def test_an_answerer_that_fails_leaves_nothing() -> None:
    assert begin(Plan()).role_failed("answerer", "r").drafts == ()


def test_a_deadline_ends_the_loop_with_the_best_so_far() -> None:
    state = judged(begin(Plan(deadline=3), draft_text="x"), evaluation(flaw()))
    late = state.out_of_time()
    assert (done(late).outcome, done(late).why) == ("deadline", "the deadline of 3 s passed")
    assert late.drafts == state.drafts


@requirement("loop:cost-known")
def test_what_an_attempt_cost_is_kept_with_it() -> None:
    one = Usage(ms=1, input_tokens=1, output_tokens=1, cost_usd=0.5)
    state = begin(Plan(always=True)).written("x", one)
    state = state.assessed(evaluation(), one)
    assert state.drafts[0].usage == one + one
    point = Point(problem="p", quote="x")
    critique = Critique(severity=1, points=(point,))
    state = state.criticised(critique, one)
    assert state.drafts[0].usage == one + one + one, "the critique was of this attempt"
    failed = state.role_failed("reviser", "r", one)
    assert failed.drafts[0].usage == one + one + one + one
    state = judged(state.written("y", one), evaluation())
    assert state.drafts[1].usage == one


def test_a_state_that_only_a_token_remembers_has_nothing_to_tell_the_reviser() -> None:
    state = judged(begin(Plan(), draft_text="x"), evaluation(flaw()))
    bare = replace(state, drafts=(replace(state.drafts[0], evaluation=None, text=None),))
    assert bare.faults() == ()
    assert bare.quoted_issues == ()


def test_a_fault_is_cleared_when_its_value_is_gone_and_there_are_fewer() -> None:
    two, one = evaluation(flaw(), flaw("40")), evaluation(flaw("40"))
    assert cleared(two, one) == (flaw(),)
    assert cleared(two, None) == cleared(None, one) == ()
    refusal = evaluation(flaw(kind="completeness:refusal"))
    assert cleared(evaluation(flaw()), refusal) == ()
    moved = replace(flaw(), quote="3*12 = 38")
    assert cleared(evaluation(flaw(), flaw()), evaluation(moved)) == ()


# --------------------------------------------------------------------------- for all loops

SCORES = st.none() | st.sampled_from([0.1, 0.3, 0.45, 0.6, 0.9])
FLAWS = st.lists(st.sampled_from(["1", "2", "3"]).map(flaw), max_size=3, unique=True)


@st.composite
def evaluations(draw: st.DrawFn) -> Evaluation:
    found, score = draw(FLAWS), draw(SCORES)
    issues = (QUOTED,) if draw(st.booleans()) else ()
    return evaluation(*found, quality=score, issues=issues if score is not None else ())


CRITIQUES = st.builds(
    Critique,
    severity=st.sampled_from([0.0, 0.2, 0.5, 1.0]),
    points=st.sampled_from([(), (Point(problem="p", quote="q"),)]),
)
PLANS = st.builds(Plan, retries=st.integers(0, MOST - 1), always=st.booleans())


def driven(plan: Plan, data: st.DataObject, draft_text: str | None = None) -> tuple[LoopState, int]:
    """Run a loop on replies that are drawn at random, and count the steps."""
    state, steps = begin(plan, draft_text=draft_text), 0
    while (step := state.step()) is not None:
        steps += 1
        assert state.step() == step, "asking twice changes nothing"
        fails = data.draw(st.booleans())
        if isinstance(step, Assess):
            state = state.out_of_time() if fails else state.assessed(data.draw(evaluations()))
        elif step.role == "critic":
            state = state.criticised(data.draw(CRITIQUES))
        elif fails:
            state = state.role_failed(step.role, "r")
        else:
            state = state.written(data.draw(st.sampled_from(["a", "b", "c", "a" * 300])))
    return state, steps


@given(PLANS, st.data())
def test_a_loop_always_ends(plan: Plan, data: st.DataObject) -> None:
    result, steps = driven(plan, data)
    assert steps <= 3 * plan.attempts
    assert len(result.drafts) <= plan.attempts
    assert done(result).why


@requirement("loop:best-kept")
@given(PLANS, st.data())
def test_a_loop_never_returns_worse_than_its_best_attempt(plan: Plan, data: st.DataObject) -> None:
    result, _ = driven(plan, data)
    for other in result.drafts:
        assert best(result.drafts).flaws.count <= other.flaws.count


@given(st.lists(evaluations(), min_size=1, max_size=4), st.lists(SCORES, min_size=3, max_size=3))
def test_a_loop_never_acts_on_what_an_author_says_of_his_own_work(
    found: list[Evaluation], own: list[float | None]
) -> None:
    """The same checks, once with the author's scores and once without, give the same steps."""
    confidence, relevance, completeness = own
    opinion = self_report(confidence, relevance, completeness)
    plain = claimed = begin(Plan(), draft_text="0")
    for number, one in enumerate(found, 1):
        plain = judged(plain, evaluate(one.checks))
        claimed = judged(claimed, evaluate(one.checks, opinion))
        assert plain.step().__class__ is claimed.step().__class__
        assert plain.stop == claimed.stop
        if plain.step() is None:
            kept = best(plain.drafts)
            assert kept.text == claimed.drafts[kept.iteration].text
            return
        assert asked(plain).input == asked(claimed).input
        plain, claimed = (s.written(str(number)) for s in (plain, claimed))
