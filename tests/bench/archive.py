"""How long do export and import of 100,000 lessons take, and how much memory, beside `.dump`?

    python -m tests.bench.archive [ROWS]

Each command is a process of its own: seconds by the clock and of the processor, and the largest
resident size. `sqlite3` (or Python's `iterdump` where there is none) dumps the same file to SQL.
"""

import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio

from reflection_mcp.store.maintenance import StoredReflection
from reflection_mcp.store.open import open_store
from reflection_mcp.store.records import Key, Lesson, Reflection, Scope, Wording

SCOPE = Scope(project="bench")
FIRST = datetime(2026, 1, 1, tzinfo=UTC)
WORDS = """adapter archive batch branch broker buffer bucket cache carrier channel client cluster
column commit config cookie counter cursor daemon decoder digest driver endpoint engine envelope
factory feature fixture frame gateway handler header importer index invoice journal kernel ledger
lexer limiter listener loader locale lock logger mapper marker meter migration mirror module monitor
mutex namespace observer order outbox packet parser partition pipeline planner plugin pointer policy
pool probe profile proxy queue reader record reducer region registry release renderer replica
resolver retry router sampler scanner schema scope segment sensor session shard shell signal sink
socket source spool stage stream subject switch table target tenant thread ticket timer token trace
tracker trigger tunnel vector vendor view volume watcher window worker writer zone""".split()
VOCABULARY = 15_000  # words of which the rank decides how often they come, as in any language
PAGE = 1_000


def word(chance: random.Random) -> str:
    """A word: common ones often, compounds rarely."""
    rank = int(VOCABULARY ** chance.random())
    first, second = WORDS[rank % len(WORDS)], WORDS[rank // len(WORDS) % len(WORDS)]
    return first if rank < len(WORDS) else f"{second}{first}"


def row(number: int, chance: random.Random) -> StoredReflection:
    """A lesson of ordinary size, some 700 characters with all that hangs on it."""
    words = [word(chance) for _ in range(24)]
    lesson = f"The {words[0]} of the {words[1]} lost its {words[2]}, {' '.join(words[3:14])}."
    at = FIRST + timedelta(minutes=number)
    reflection = Reflection(
        id=f"ref-{number:08}",
        scope=SCOPE,
        kind="strategy" if number % 4 == 0 else "reflection",
        signature=f"sig1:{number:016x}",
        lesson=lesson,
        strategy=f"Check the {words[14]} before the {words[15]}.",
        trigger=f"{words[16].title()}Error: no {words[17]} in {words[18]}",
        question=f"Make the {words[19]} run with the {words[20]}",
        evidence="outcome success; in Bash; 3 events, from e2",
        error_type=f"{words[16].title()}Error",
        tags=(words[21], words[22]),
        importance=round(chance.random(), 2),
        source=f"client:conv-{number % 997}",
        first_seen=at,
        last_seen=at,
        wordings=(
            Wording(source=f"client:conv-{number % 997}", lesson=Lesson(text=lesson), at=at),
        ),
    )
    return StoredReflection(
        reflection=reflection,
        keys=tuple(Key(kind=kind, digest=f"{chance.getrandbits(64):016x}") for kind in ("a", "b")),
        features=tuple(chance.getrandbits(60) for _ in range(12)),
        author=reflection.source,
    )


async def fill(location: str, rows: int) -> None:
    """Bring so many lessons into a store."""
    chance, store = random.Random(5), await open_store(location)
    for first in range(0, rows, PAGE):
        page = [row(number, chance) for number in range(first, min(rows, first + PAGE))]
        await store.adopt(SCOPE, page)
    await store.close()


def timed(name: str, command: list[str], environment: dict[str, str]) -> None:
    """Run a command, print what it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    # A process in between, so that the largest size is this command's and not an earlier one's.
    measure = (
        "import resource, subprocess, sys; code = subprocess.call(sys.argv[1:]);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr);"
        "sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", measure, *command],
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    size = int(done.stderr.split()[-1]) / 1024
    print(f"{name:<34}{wall:8.1f} s{spent:8.1f} s of processor{size:8.0f} MB")


def main(rows: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first, second = str(folder / "first.db"), str(folder / "second.db")
        anyio.run(fill, first, rows)
        print(f"{rows:,} lessons, {Path(first).stat().st_size / 1e6:.0f} MB")
        ours = [sys.executable, "-m", "reflection_mcp.server"]
        environment = os.environ | {"REFLECTION_PROJECT": SCOPE.project, "REFLECTION_STORE": first}
        other = environment | {"REFLECTION_STORE": second}
        file, page = str(folder / "all.jsonl"), str(folder / "all.md")
        timed("export, JSON Lines", [*ours, "export", "--output", file], environment)
        timed("export, Markdown", [*ours, "export", "--output", page], environment)
        timed("import, JSON Lines, all new", [*ours, "import", file], other)
        timed("import, JSON Lines, all known", [*ours, "import", file], other)
        timed("consolidate --dry-run", [*ours, "consolidate", "--dry-run"], environment)
        tool = shutil.which("sqlite3")
        code = f"import sqlite3\nfor s in sqlite3.connect({first!r}).iterdump(): print(s)"
        dump = [tool, first, ".dump"] if tool else [sys.executable, "-c", code]
        timed("sqlite3 .dump" if tool else "Python's iterdump", dump, environment)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
