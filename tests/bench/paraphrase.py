"""Do lessons come back when users ask in their own words, and stay away when nothing fits?

    python -m tests.bench.paraphrase [--semantic MODEL]

Two sets of 150 lessons, each set in a store of its own, each lesson with three questions; 350
questions that no lesson answers. All were written before the ranking that they measure; 300 more
that none answers, half of them written to tempt a search by words, only set the threshold of what
is said in other words. Every set has a part that the ranking was tuned on, and one that was only
measured: the second and the fourth part are the figures to believe. The later set is asked as
different people type, in key words, symptoms and goals, and half of what is unrelated there is
trouble with the very tools that the lessons are about.

Every lesson was asked about once more, later, and 440 more questions that no lesson answers were
held against them, half of them trouble with the very tools of the lessons, by two who saw the
lessons only: "first, later" are those that were asked of the lessons of the first part.

The situations of a lesson were written by somebody who saw the lessons and no question, after the
words that `reflect` asks its callers with; the lessons are measured without them, too. Ten
situations each: five by each of two who did not know of each other. The questions are asked as they
are, and rephrased six to eight times, by seven who saw the questions and no lesson, and not which
questions a lesson answers. `--semantic` ranks by meaning, too, with the model
of that name or in that folder (`uv run --with fastembed`).
"""

import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import Any

import anyio

from reflection_mcp.server.models.embedding import EmbeddingModel
from reflection_mcp.store.contract import Store
from reflection_mcp.store.records import Observation, Reflection, Scope
from reflection_mcp.store.sqlite.memory import MemoryStore
from reflection_mcp.tools.insights.lesson_search import found_for
from reflection_mcp.tools.ports import Meaning

DATA = Path(__file__).parent.parent / "learning" / "data"
SETS = (("first", "second"), ("third", "fourth"))
LATER = ", later"
TUNED_ON = ("first", "third", "first, later", "third, later")
LEARNED = datetime(2026, 11, 1, tzinfo=UTC)
SCOPE = Scope(project="shop")
AS_ASKED: Mapping[str, Sequence[str]] = MappingProxyType({})


@dataclass(frozen=True)
class Part:
    """Questions of one part: those that a lesson answers, with its id, and those that none does."""

    asked: Sequence[tuple[str, str]]
    unrelated: Sequence[str]


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text().splitlines()]


def situations(parts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """By the id of a lesson, when somebody would need it, as a caller said that taught it."""
    return {
        row["id"]: tuple(row["situations"]) for part in parts for row in rows(f"situations_{part}")
    }


def lessons(parts: Sequence[str] = SETS[0], *, told: bool = True) -> list[Reflection]:
    """The 150 lessons of a set as `reflect` would have stored them, with situations or without."""
    said = situations(parts) if told else {}
    return [
        Reflection(
            id=row["id"],
            scope=SCOPE,
            kind="reflection",
            signature=f"sig1:{number:016x}",
            lesson=row["lesson"],
            strategy=row["strategy"],
            question=row["question"],
            trigger=row["error"] or row["question"],
            example=row["error"],
            tags=tuple(row["tags"]),
            situations=said.get(row["id"], ()),
            first_seen=LEARNED,
            last_seen=LEARNED,
        )
        for number, row in enumerate(row for part in parts for row in rows(f"lessons_{part}"))
    ]


def rephrasings() -> dict[str, tuple[str, ...]]:
    """By question, the other words in which an assistant might say it, from the question alone."""
    files = sorted(DATA.glob("rephrased_*.jsonl"))
    return {row["query"]: tuple(row["phrasings"]) for file in files for row in rows(file.stem)}


def part(name: str, *, tempted: bool = False) -> Part:
    """The questions of a part; where they tempt, with those that only set thresholds."""
    if name.endswith(LATER):
        return asked_later(name.removesuffix(LATER))
    trouble = [row["query"] for row in rows("unrelated_trouble")]
    share = {"first": trouble[:25], "second": trouble[25:]}.get(name, [])
    if tempted:
        tempting = [row["query"] for row in rows("unrelated_tempting")]
        share += {"first": tempting[::2], "third": tempting[1::2]}[name]
    asked = [(row["id"], query) for row in rows(f"lessons_{name}") for query in row["queries"]]
    return Part(asked, [*(row["query"] for row in rows(f"unrelated_{name}")), *share])


def asked_later(name: str) -> Part:
    """What was asked later of the lessons of a part."""
    asked, unrelated = (
        [row for row in rows(f"{which}_later") if row["part"] == name]
        for which in ("asked", "unrelated")
    )
    return Part([(row["id"], row["query"]) for row in asked], [row["query"] for row in unrelated])


async def filled(store: Store, parts: Sequence[str] = SETS[0], *, told: bool = True) -> Store:
    for lesson in lessons(parts, told=told):
        observation = Observation(reflection=lesson, event_id=lesson.id, source="bench")
        await store.record(SCOPE, observation)
    return store


async def best(
    store: Store, query: str, meaning: Meaning | None = None, again: Sequence[str] = ()
) -> list[str]:
    """The ids of the three lessons that are shown first, as `get_insights` finds them."""
    return [row.id for row in (await found_for(store, SCOPE, query, meaning, again)).rows[:3]]


async def measure(
    store: Store,
    name: str,
    every: int = 1,
    meaning: Meaning | None = None,
    rephrased: Mapping[str, Sequence[str]] = AS_ASKED,
) -> dict[str, float]:
    """Hit at 3 and the share of unrelated questions that were answered with a lesson."""
    questions = part(name)
    asked, unrelated = questions.asked[::every], questions.unrelated[::every]

    async def shown(query: str) -> list[str]:
        return await best(store, query, meaning, rephrased.get(query, ()))

    hits = [identity in await shown(query) for identity, query in asked]
    answered = [bool(await shown(query)) for query in unrelated]
    return {
        "questions": len(hits),
        "hit_at_3": round(sum(hits) / len(hits), 3),
        "unrelated": len(answered),
        "answered_though_unrelated": round(sum(answered) / len(answered), 3),
    }


def named_model() -> EmbeddingModel | None:
    """The embedding model that `--semantic` names on the command line."""
    if "--semantic" not in sys.argv:
        return None
    return EmbeddingModel(sys.argv[sys.argv.index("--semantic") + 1])


async def main(meaning: Meaning | None) -> None:
    for again, told, parts in product((AS_ASKED, rephrasings()), (False, True), SETS):
        store = await filled(MemoryStore(), parts, told=told)
        for name in (*parts, *(one + LATER for one in parts)):
            began = time.process_time()
            figures = await measure(store, name, meaning=meaning, rephrased=again)
            each = (time.process_time() - began) / (figures["questions"] + figures["unrelated"])
            use = "tuned on" if name in TUNED_ON else "held out"
            how = f"{name} ({use}), {'with' if told else 'without'} situations"
            asked = "rephrased" if again else "as asked"
            print(how, asked, figures, f"{each * 1000:.2f} ms a question")


if __name__ == "__main__":
    anyio.run(main, named_model())
