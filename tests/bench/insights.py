"""How long does `get_insights` take on 100,000 lessons, through the real server over stdio?

    python -m tests.bench.insights [ROWS]

Calls without a query, with a question in the words of the lessons, with one of
`tests/learning/data` that fits nothing here, and both in other words, too. Milliseconds by the
client's clock.
"""

import os
import random
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import anyio
from mcp import Client, StdioServerParameters

from tests.bench.archive import SCOPE, fill, word
from tests.bench.paraphrase import part, rephrasings

CALLS = 100
AFEW = 30  # of the calls that cost more
AGAIN = 7  # rephrasings of a query


async def measure(client: Client, queries: list[dict[str, Any]]) -> str:
    spent: list[float] = []
    for arguments in queries:
        began = time.perf_counter()
        result = await client.call_tool("get_insights", arguments)
        spent.append((time.perf_counter() - began) * 1000)
        assert not result.is_error, result
    p99 = quantiles(spent, n=100)[98]
    return f"p50 {median(spent):8.1f} ms   p99 {p99:8.1f} ms   n {len(spent)}"


async def main(rows: int) -> None:
    chance = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        location = str(Path(folder) / "r.db")
        await fill(location, rows)
        server = StdioServerParameters(
            command=sys.executable,
            args=["-m", "reflection_mcp.server"],
            env={
                **os.environ,
                "REFLECTION_STORE": location,
                "REFLECTION_PROJECT": SCOPE.project,
                "REFLECTION_LOG_LEVEL": "warning",
            },
        )

        def trouble() -> str:
            return f"{word(chance)} fails in {word(chance)}, no {word(chance)}"

        own = [{"query": trouble()} for _ in range(CALLS)]
        own_again = [
            {**asked, "rephrased": [trouble() for _ in range(AGAIN)]} for asked in own[:AFEW]
        ]
        queries = part("first").unrelated[:CALLS]
        foreign = [{"query": query} for query in queries]
        other_words = rephrasings()
        foreign_again = [
            {"query": query, "rephrased": other_words[query]} for query in queries[:AFEW]
        ]
        async with Client(server) as client:
            await client.call_tool("get_insights", {})
            print(f"{rows:,} lessons")
            print("without a query   ", await measure(client, [{} for _ in range(CALLS)]))
            print("a query that fits ", await measure(client, own))
            print("one that does not ", await measure(client, foreign))
            print("fits, other words ", await measure(client, own_again))
            print("not, other words  ", await measure(client, foreign_again))


if __name__ == "__main__":
    anyio.run(main, int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
