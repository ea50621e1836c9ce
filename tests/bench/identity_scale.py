"""Recognising an error among very many: `python -m tests.bench.identity_scale CORPUS [--rows N]`.

CORPUS is a JSON Lines file with `text`, `role` (base, variant, ...) and `base` in each line. The
store is filled with N errors made from the bases by exchanging words, so that they share features
with what is asked as real ones do, then with the bases themselves. Every other text is asked for
the way the tool does: fingerprint, keys, and only then a shortlist and its comparison. Times are
those of one process, the store on a disk, the fingerprint included; the `exact path` is what the
keys decide.

A time says as much about the machine as about the program. `--beside MODULE:FUNCTION` calls another
`function(text)` for every text, in turns with ours, and prints what it took: the yardstick to take
to another machine.
"""

import argparse
import asyncio
import json
import random
import re
import sqlite3
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path

from reflection_mcp.store.open import open_store
from reflection_mcp.store.records import Observation
from reflection_mcp.store.sqlite.file import connect
from reflection_mcp.store.sqlite.session import READ_WRITE
from reflection_mcp.store.sqlite.transaction import in_transaction
from reflection_mcp.tools.identity import fingerprint
from reflection_mcp.tools.identity.keys import digest
from reflection_mcp.tools.recall.matching import recognise
from tests.bench.identity_index import as_reflection
from tests.bench.store_bench import opened, quantiles, recorded
from tests.contract.samples import HERE

_WORD = re.compile(r"[a-z]{4,}", re.IGNORECASE)
_EXCHANGED = 0.3
"""So many words of an error are exchanged for others to make a new one."""
_BY_LIKENESS = ("wording differs", "quotes")
"""Words of the reasons that no key gives."""
_PART, _AHEAD = 1000, 8
"""Errors that a process makes at once, and parts that may wait to be recorded."""


def other_errors(texts: list[str], count: int, chance: random.Random) -> Iterator[str]:
    """Errors that look like the given ones and are none of them."""
    words = sorted({word for text in texts for word in _WORD.findall(text)})

    def another(match: re.Match[str]) -> str:
        if chance.random() > _EXCHANGED:
            return match[0]
        return f"{chance.choice(words)}_{chance.choice(words)}"

    for _ in range(count):
        yield _WORD.sub(another, chance.choice(texts)[:2000])


def observation(name: str, text: str) -> Observation:
    """One error as a use case records it."""
    seen = fingerprint(text)
    return Observation(
        reflection=as_reflection(name, seen),
        event_id=name,
        source="bench",
        keys=seen.keys,
        features=seen.features,
    )


def observations(texts: list[str], first: int, count: int) -> list[Observation]:
    """That many errors that nobody asks for, always the same under the same numbers."""
    made = other_errors(texts, count, random.Random(first))
    return [observation(f"other-{first + number}", text) for number, text in enumerate(made)]


def observations_of_all(texts: list[str], count: int) -> Iterator[list[Observation]]:
    """The same, made by all cores, a few parts ahead of whoever takes them."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as workers:
        ahead: deque[Future[list[Observation]]] = deque()
        for first in range(0, count, _PART):
            ahead.append(workers.submit(observations, texts, first, min(_PART, count - first)))
            if len(ahead) > _AHEAD:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()


def fill(path: Path, parts: Iterable[list[Observation]]) -> None:
    """Record all of them with the statements of the store, in one transaction.

    The file holds what as many calls of `record` would have left. Only the way to the disk is
    shorter, since a file that is half filled is thrown away: no log, and pages stay in memory.
    """
    opened(path).close()
    db = connect(path, mode=READ_WRITE, wait=1, writing=True)
    for pragma in ("journal_mode=OFF", "synchronous=OFF", "cache_size=-4000000"):
        db.execute(f"PRAGMA {pragma}").fetchall()

    def record(db: sqlite3.Connection) -> tuple[None, int]:
        count = 0
        for part in parts:
            for each in part:
                recorded(db, each)
            count += len(part)
        return None, count

    in_transaction(db, record)
    db.close()
    opened(path).close()


def named(function: str) -> Callable[[str], object]:
    """What `MODULE:FUNCTION` names."""
    module, _, name = function.partition(":")
    found: Callable[[str], object] = getattr(import_module(module), name)
    return found


async def ask(path: Path, bases: dict[str, str], others: list[str], beside: str | None) -> None:
    """Look every text up, and print what each way to an answer took."""
    store = await open_store(str(path))
    for name, text in bases.items():
        await store.record(HERE, observation(name, text))
    other = named(beside) if beside else None
    taken: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for text in (*others[:100], *others):
        began, worked = time.perf_counter(), time.process_time()
        seen = fingerprint(text)
        made = time.perf_counter() - began, time.process_time() - worked
        found = await recognise(store, HERE, seen)
        whole = time.perf_counter() - began, time.process_time() - worked
        by_likeness = found.match is None or any(words in found.why for words in _BY_LIKENESS)
        taken["likeness" if by_likeness else "exact path"].append(whole)
        taken["fingerprint"].append(made)
        if beside and other:
            began, worked = time.perf_counter(), time.process_time()
            other(text)
            whole = time.perf_counter() - began, time.process_time() - worked
            taken[beside].append(whole)
    await store.close()
    width = max(map(len, taken))
    for name, values in taken.items():
        for clock, each in zip(("wall", "CPU"), zip(*values, strict=True), strict=True):
            print(f"  {name:<{width}} {clock:<4} {quantiles(list(each))}")


def main() -> None:
    """Fill the store if it is not there yet, and ask."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--folder", type=Path, default=Path(".bench"), help="on a real disk")
    parser.add_argument("--beside", metavar="MODULE:FUNCTION", help="another function, in turns")
    options = parser.parse_args()
    folder = options.folder.resolve()
    folder.mkdir(exist_ok=True)
    lines = options.corpus.read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    bases = {row["id"]: row["text"] for row in rows if row["role"] == "base"}
    others = [row["text"] for row in rows if row["role"] != "base"]
    rules = digest(*(fingerprint(text).signature for text in bases.values()))
    path = folder / f"identity-{options.rows}-{rules[:8]}.db"  # other rules make other keys
    if not path.exists():
        began = time.perf_counter()
        half_done = path.with_suffix(".part")
        fill(half_done, observations_of_all(list(bases.values()), options.rows))
        half_done.rename(path)
        print(f"filled in {time.perf_counter() - began:.0f} s")
    print(f"{options.rows} other errors and {len(bases)} that are met again:")
    asyncio.run(ask(path, bases, others, options.beside))


if __name__ == "__main__":
    main()
