"""Recognising an error among very many: `python -m tests.bench.identity_scale CORPUS [--rows N]`.

CORPUS is a JSON Lines file with `text`, `role` (base, variant, ...) and `base` in each line. The
store is filled with N errors made from the bases by exchanging words, so that they share features
with what is asked as real ones do, then with the bases themselves. Every other text is asked for
the way the tool does: fingerprint, keys, and only then a shortlist and its comparison. Times are
wall time of one process, the store on a disk; the `exact path` is what the keys decide.
"""

import argparse
import asyncio
import json
import random
import re
import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from reflection_mcp.store.open import open_store
from reflection_mcp.store.records import Sighting
from reflection_mcp.store.sqlite import recording as sqlite_recording
from reflection_mcp.tools.has_seen_error_before import recognise
from reflection_mcp.tools.identity import fingerprint
from tests.bench.identity_index import as_reflection
from tests.bench.store_bench import PATIENT, opened, quantiles
from tests.contract.samples import HERE

_WORD = re.compile(r"[a-z]{4,}", re.IGNORECASE)
_EXCHANGED = 0.3
"""So many words of an error are exchanged for others to make a new one."""


def other_errors(texts: list[str], count: int, chance: random.Random) -> Iterator[str]:
    """Errors that look like the given ones and are none of them."""
    words = sorted({word for text in texts for word in _WORD.findall(text)})

    def another(match: re.Match[str]) -> str:
        if chance.random() > _EXCHANGED:
            return match[0]
        return f"{chance.choice(words)}_{chance.choice(words)}"

    for _ in range(count):
        yield _WORD.sub(another, chance.choice(texts)[:2000])


def sighting(name: str, text: str) -> Sighting:
    """One error as a use case records it."""
    seen = fingerprint(text)
    return Sighting(
        reflection=as_reflection(name, seen),
        event_id=name,
        source="bench",
        keys=seen.keys,
        features=seen.features,
    )


def fill(path: Path, texts: list[str], count: int) -> None:
    """Record that many errors that nobody asks for, a thousand in each transaction."""
    session = opened(path)
    made = other_errors(texts, count, random.Random(5))
    for first in range(0, count, 1000):
        numbers = range(first, min(first + 1000, count))
        some = [sighting(f"other-{number}", next(made)) for number in numbers]

        def record(db: sqlite3.Connection, some: list[Sighting] = some) -> None:
            for each in some:
                sqlite_recording.record(db, HERE, each)

        session.write(PATIENT, record)
    session.close()


async def ask(path: Path, bases: dict[str, str], others: list[str]) -> None:
    """Look every text up, and print what each way to an answer took."""
    store = await open_store(str(path))
    for name, text in bases.items():
        await store.record(HERE, sighting(name, text))
    taken: defaultdict[str, list[float]] = defaultdict(list)
    for text in (*others[:100], *others):
        began = time.perf_counter()
        found = await recognise(store, HERE, fingerprint(text))
        by_likeness = found.verdict in ("similar", "new") or "wording differs" in found.why
        taken["likeness" if by_likeness else "exact path"].append(time.perf_counter() - began)
    await store.close()
    for name, values in taken.items():
        print(f"  {name:<11} {quantiles(values)}")


def main() -> None:
    """Fill the store if it is not there yet, and ask."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--folder", type=Path, default=Path(".bench"), help="on a real disk")
    options = parser.parse_args()
    folder = options.folder.resolve()
    folder.mkdir(exist_ok=True)
    lines = options.corpus.read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    bases = {row["id"]: row["text"] for row in rows if row["role"] == "base"}
    others = [row["text"] for row in rows if row["role"] != "base"]
    path = folder / f"identity-{options.rows}.db"
    if not path.exists():
        began = time.perf_counter()
        half_done = path.with_suffix(".part")
        fill(half_done, list(bases.values()), options.rows)
        half_done.rename(path)
        print(f"filled in {time.perf_counter() - began:.0f} s")
    print(f"{options.rows} other errors and {len(bases)} that are met again:")
    asyncio.run(ask(path, bases, others))


if __name__ == "__main__":
    main()
