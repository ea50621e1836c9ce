"""What is a resemblance worth?"""

from dataclasses import replace

import pytest

from reflection_mcp.store.records import Reflection, Scope
from reflection_mcp.tools.learning import query_ranking
from reflection_mcp.tools.learning.relevance_model import (
    BY_MEANING,
    BY_MEANING_REPHRASED,
    BY_WORDS,
    BY_WORDS_REPHRASED,
    Weights,
    context_features,
    embedding_features,
    rephrasing_features,
)
from reflection_mcp.tools.learning.similarity import phrasings, read, similarities, stems_of
from tests.bench import weigh
from tests.tools.stage import NOON

QUERY = "frobnicator lost lease"
LESSON = Reflection(
    id="ref-1",
    scope=Scope(project="shop"),
    kind="reflection",
    signature="sig1:0000000000000000",
    lesson="The frobnicator lost its lease.",
    trigger="The frobnicator lost its lease.",
    tags=("rollout",),
    situations=("nothing starts",),
    first_seen=NOON,
    last_seen=NOON,
)


def test_a_chance_grows_with_what_speaks_for_it_and_what_is_unknown_counts_nothing() -> None:
    weights = Weights({"met": 2.0, "making": -1.0}, base=-1.0, least=0.5)
    assert weights.chance({"met": 0.5}) == 0.5
    assert weights.chance({"met": 1.0}) > 0.5 > weights.chance({"met": 0.5, "making": 1.0})
    assert weights.chance({"other": 9.0}) == weights.chance({}) == pytest.approx(0.268941)


def test_each_figure_speaks_for_a_lesson_except_that_something_new_is_made() -> None:
    for weights in (BY_WORDS, BY_MEANING, BY_WORDS_REPHRASED, BY_MEANING_REPHRASED):
        assert {name for name, worth in weights.each.items() if worth < 0} <= {"making"}
        assert 0.3 < weights.least < 0.7


def test_the_nearest_phrasing_counts_and_the_four_after_it() -> None:
    near = [0.1, 0.5, 0.4, 0.2, 0.0, 0.3]
    assert embedding_features(near) == {"nearest": 0.5, "near": pytest.approx(0.3)}
    assert embedding_features([0.5]) == {"nearest": 0.5, "near": 0.5}
    assert embedding_features([]) == {"nearest": 0.0, "near": 0.0}


def test_a_phrasing_is_each_text_once_and_tags_are_none() -> None:
    assert phrasings(LESSON) == ("The frobnicator lost its lease.", "nothing starts")
    assert "rollout" in stems_of(LESSON)


def test_what_a_query_shares_with_a_lesson_is_told_in_figures() -> None:
    ((found,),) = (each.values() for each in similarities([read(QUERY)], [LESSON]))
    assert found.alike == pytest.approx(1.0)
    assert found.share == pytest.approx(1.0)
    assert found.letters == pytest.approx(1.0)
    assert found.telling
    assert similarities([read("blue whale")], [LESSON]) == [{}]
    ((half,),) = (each.values() for each in similarities([read("lost whale")], [LESSON]))
    assert 0 < half.share < found.share


def test_a_form_of_a_word_shares_its_letters() -> None:
    near, far = (
        each["ref-1"].letters
        for each in similarities(
            [read("refrobnicated lease"), read("entirely other lease")], [LESSON]
        )
    )
    assert near > far


def test_a_row_with_tags_alone_resembles_by_them() -> None:
    bare = Reflection(
        id="bare", scope=Scope(), kind="reflection", signature="s", lesson="", tags=("rollout",),
        first_seen=NOON, last_seen=NOON,
    )  # fmt: skip
    (found,) = similarities([read("rollout")], [bare])
    assert found["bare"].alike == 0.0
    assert query_ranking.texts_to_compare(query_ranking.parse_query("rollout"), [bare]) == {
        "bare": ()
    }


def test_what_is_weighed_is_what_is_told_of_a_lesson() -> None:
    query, near = query_ranking.parse_query(QUERY), {"ref-1": [0.5, 0.4]}
    told = query_ranking.features_by_id(query, [LESSON])["ref-1"]
    assert BY_WORDS.each.keys() <= told.keys()
    meant = query_ranking.features_by_id(query, [LESSON], near)["ref-1"]
    assert embedding_features([0.5]).keys() <= BY_MEANING.each.keys() <= meant.keys()
    again = query_ranking.features_by_id(query, [LESSON], None, [query])["ref-1"]
    assert BY_WORDS_REPHRASED.each.keys() <= again.keys()
    both = query_ranking.features_by_id(query, [LESSON], near, [query])["ref-1"]
    assert BY_MEANING_REPHRASED.each.keys() <= both.keys()
    assert both["nearest"] == 0.5
    assert both["near"] == pytest.approx(0.45)


def test_of_other_words_the_two_that_say_the_most_count() -> None:
    said = [{"met": 0.1}, {"met": 0.5}, {"met": 0.3}]
    assert rephrasing_features(said) == {"again_met": pytest.approx(0.4)}
    assert rephrasing_features(said[:1]) == {"again_met": 0.1}
    assert rephrasing_features([]) == {}


def test_what_nobody_said_when_to_use_and_what_is_made_anew_are_circumstances() -> None:
    assert context_features(LESSON, making=False) == {"untold": 0.0, "making": 0.0}
    assert context_features(replace(LESSON, situations=()), making=True) == {
        "untold": 1.0,
        "making": 1.0,
    }


PINNED = {
    "import yaml fails in python": ("first-01", 0.86),
    "Resource not accessible by integration": ("first-22", 0.03),
    "multi-part question only half answered": ("second-64", 0.71),
    "consumer keeps rebalancing": ("first-71", 0.84),
    "how to write a cron expression for every monday": ("first-14", 0.01),
    "No module named yaml which package": ("first-01", 0.99),
    "kafka CommitFailedException group rebalanced slow processing": ("first-71", 1.0),
    "postgres logical replication slot inactive": ("first-38", 0.03),
    "Invalid for_each argument": ("third-00", 1.0),
    "query finds the user in dev with mysql but not in prod": ("third-50", 0.2),
    "full height layout on mobile": ("third-46", 0.83),
    "points appear in the sea near africa": ("fourth-02", 0.01),
    "draft a polite reminder to pay rent": ("third-69", 0.0),
    "for_each cannot be determined until apply": ("third-00", 0.99),
    "geojson coordinates order lat lon": ("third-70", 0.05),
    "npm link changes not picked up": ("third-06", 0.03),
}
"""The lesson that is ahead of a question in the bench, without situations, and its chance."""


@pytest.mark.anyio
async def test_the_table_fits_the_figures_that_it_was_fitted_to() -> None:
    """Whoever changes what is told of a lesson weighs it anew: `python -m tests.bench.weigh`."""
    names = list(BY_WORDS.each)
    some = [case for case in await weigh.cases(names, None, every=70) if not case.told]
    assert [case.text for case in some] == [*PINNED]
    for case in some:
        chances = {
            id: BY_WORDS.chance(dict(zip(names, row, strict=True)))
            for id, row in case.found.items()
        }
        ahead = max(chances, key=lambda id: chances[id], default="")
        lesson, chance = PINNED[case.text]
        assert (case.text, ahead) == (case.text, lesson)
        assert chances.get(ahead, 0.0) == pytest.approx(chance, abs=0.01)
