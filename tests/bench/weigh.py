"""Where do the weights come from by which a lesson is shown or not?

    python -m tests.bench.weigh [--semantic MODEL] [--rephrased]

Prints the table of `reflection_mcp.tools.learning.relevance_model`: a logistic regression over the
first and the third part of the questions, each with the situations of its lessons and without. The
model separates the lesson that answers a question from those that come near it. The threshold is
the chance that 2 in 100 questions reach that no lesson answers, found in five folds, so that no
question helped to fit the weights that it is held against. Where more than these would bring a
lesson without situations, such a lesson needs as much more (`untold` counts less). Of the second
and the fourth part no question is used; their lessons stand in the same store. `--rephrased` weighs
questions that are said in other words, too.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import anyio
import numpy

from reflection_mcp.server.models.embedding import EmbeddingModel
from reflection_mcp.store.sqlite.memory import MemoryStore
from reflection_mcp.tools.insights.lesson_search import candidates, nearness_of
from reflection_mcp.tools.learning import query_ranking
from reflection_mcp.tools.learning.relevance_model import weights_for
from tests.bench.paraphrase import (
    AS_ASKED,
    LATER,
    SCOPE,
    SETS,
    TUNED_ON,
    filled,
    named_model,
    part,
    rephrasings,
)

NEAR = 6  # lessons beside the right one that a question is told apart from
FOLDS = 5
ANSWERED = 0.02  # of the questions that no lesson answers
RIDGE = 1.0  # how much a large weight costs
UNRELATED, WRONG, RIGHT = 2.0, 0.5, 1.0
"""What a lesson counts that comes near a question which none answers, a wrong one, a right one."""


@dataclass(frozen=True)
class Case:
    """A question, the lesson that answers it, if any, figures by lesson, and whether the lessons
    had situations."""

    text: str
    told: bool
    answer: str
    found: dict[str, list[float]]

    @property
    def group(self) -> str:
        """What stays together in a fold: the questions that one lesson answers."""
        return self.answer or self.text


async def cases(
    names: Sequence[str],
    meaning: EmbeddingModel | None,
    every: int = 1,
    rephrased: Mapping[str, Sequence[str]] = AS_ASKED,
) -> list[Case]:
    """The questions of the parts that may be tuned on, all or every so many, first without
    situations, then with."""
    gathered: list[Case] = []
    for told, parts in product((False, True), SETS):
        store = await filled(MemoryStore(), parts, told=told)
        for name in TUNED_ON:
            if name.removesuffix(LATER) not in parts:
                continue
            asked = part(name, tempted=bool(rephrased))
            questions = [*asked.asked, *(("", query) for query in asked.unrelated)]
            for answer, text in questions[::every]:
                query, again = query_ranking.parse_query(text), rephrased.get(text, ())
                others = [query_ranking.parse_query(each) for each in again]
                rows = await candidates(store, SCOPE, query, others)
                near: query_ranking.Cosines | None = None
                if meaning:
                    ahead = query_ranking.texts_to_compare(query, rows, others)
                    near = await nearness_of(meaning, (text, *again), ahead)
                known = query_ranking.features_by_id(query, rows, near, others)
                found = {id: [each[name] for name in names] for id, each in known.items()}
                gathered.append(Case(text, told, answer, found))
    return gathered


def examples(some: Sequence[Case]) -> Iterator[tuple[list[float], float, float]]:
    """Figures, whether it is the right lesson, and how much that counts."""
    for case in some:
        ahead = sorted(case.found, key=lambda id: (-sum(case.found[id]), id))
        wrong = [id for id in ahead[: NEAR + 1] if id != case.answer][:NEAR]
        for id in wrong:
            yield case.found[id], 0.0, WRONG if case.answer else UNRELATED
        if case.answer in case.found:
            yield case.found[case.answer], 1.0, RIGHT


def fitted(some: Sequence[Case]) -> Any:
    """The weights of the figures, and the base last."""
    rows, right, counts = (numpy.array(each) for each in zip(*examples(some), strict=True))
    mean, spread = rows.mean(axis=0), rows.std(axis=0)
    scaled = numpy.column_stack([(rows - mean) / spread, numpy.ones(len(rows))])
    cost = numpy.diag([RIDGE] * rows.shape[1] + [0.0])
    weights = numpy.zeros(scaled.shape[1])
    for _ in range(50):  # Newton's method
        chance = 1 / (1 + numpy.exp(-scaled @ weights))
        slope = scaled.T @ (counts * (chance - right)) + cost @ weights
        bend = (scaled * (counts * chance * (1 - chance))[:, None]).T @ scaled + cost
        weights = weights - numpy.linalg.solve(bend, slope)
    plain = weights[:-1] / spread
    return numpy.append(plain, weights[-1] - plain @ mean)


def odds(case: Case, weights: Any) -> float:
    """The log-odds of the lesson that is ahead."""
    each = (float(weights[:-1] @ row) + float(weights[-1]) for row in case.found.values())
    return max(each, default=-9.0)


def threshold(some: Sequence[Case], counted: Sequence[Case]) -> float:
    """The log-odds that `ANSWERED` of the counted questions reach that no lesson answers."""
    groups = sorted({case.group for case in some})
    numpy.random.default_rng(7).shuffle(groups)
    fold = {group: place % FOLDS for place, group in enumerate(groups)}
    reached: list[float] = []
    for each in range(FOLDS):
        weights = fitted([case for case in some if fold[case.group] != each])
        for case in counted:
            if fold[case.group] == each and not case.answer:
                reached.append(odds(case, weights))
    return sorted(reached)[-1 - int(ANSWERED * len(reached))]


async def main(meaning: EmbeddingModel | None, rephrased: Mapping[str, Sequence[str]]) -> None:
    names = list(weights_for(meaning=bool(meaning), rephrased=bool(rephrased)).each)
    some = await cases(names, meaning, rephrased=rephrased)
    weights = dict(zip([*names, "base"], fitted(some), strict=True))
    of_all, of_untold = (
        threshold(some, counted) for counted in (some, [case for case in some if not case.told])
    )
    weights["untold"] -= max(0.0, of_untold - of_all)
    for name, weight in weights.items():
        print(f"{name:13} {weight:8.3f}")
    print(f"{'least':13} {1 / (1 + numpy.exp(-of_all)):8.3f}   n {len(some)}")


if __name__ == "__main__":
    anyio.run(
        main,
        named_model(),
        rephrasings() if "--rephrased" in sys.argv else AS_ASKED,
    )
