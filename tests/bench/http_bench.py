"""Does the HTTP server keep tenants and strangers apart, and what does a call cost?

    python -m tests.bench.http_bench [--calls 10000] [--strangers 2000] [--rounds 8] [--turn 200]

apart      random calls of 20 principals in 5 tenants, both eras at once, on the same errors in the
           same projects: counts answers and stored rows with words of another tenant, and answers
           of principals that somebody else's feedback changed or deleted
strangers  calls without a token, or with a wrong, expired, revoked or foreign one: counts those
           that are answered by anything but a refusal
cost       look-ups of errors that are stored and of errors that are not, on a store of 10,000,
           beside the SDK's own server with one tool and tokens, in turns: CPU time of the server's
           process and latency of a call; both eras

Every server is a process of its own. Asserts nothing.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from statistics import median
from typing import Any

import anyio
import httpx2

from reflection_mcp.server.access.token_file import TokenFile, principal_named
from reflection_mcp.server.application import now
from reflection_mcp.store.open import open_store
from reflection_mcp.store.records import Scope
from tests.bench.stdio_bench import PROJECT, ROOT, SYLLABLES, errors, fill, private

OURS = (sys.executable, "-m", "reflection_mcp.server", "serve", "--http", "--port", "0")
BARE = (sys.executable, "-m", "tests.bench.bare_server", "--http")
MODERN, OLDER = "2026-07-28", "2025-11-25"
TENANTS = ("amber", "basalt", "chalk", "diorite", "emery")
PROJECTS = ("global", "shop", "bank")
JSON = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
CLIENT = {"name": "bench", "version": "0"}


# --------------------------------------------------------------------------- servers and callers


@contextmanager
def server(
    command: Sequence[str], tokens: Path, **settings: str
) -> Generator[tuple[str, subprocess.Popen[str]]]:
    """A server in a process of its own: its URL, and the process."""
    environment = {name: value for name, value in os.environ.items() if not private(name)}
    environment |= {"REFLECTION_TOKENS": str(tokens), "REFLECTION_LOG_LEVEL": "off", **settings}
    environment["REFLECTION_REQUESTS_PER_SECOND"] = "0"
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        try:
            for line in process.stderr:
                if found := re.search(r"running on (http://\S+)", line):
                    yield found[1], process
                    break
            else:
                raise SystemExit("the server never came up")
        finally:
            process.terminate()


def cpu(process: "subprocess.Popen[str]") -> float:
    """CPU milliseconds used so far, by all threads."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") * 1000


@dataclass
class Line:
    """A connection of one principal, in one era; as little as there has to be around a request."""

    http: httpx2.AsyncClient
    url: str
    era: str
    headers: dict[str, str]
    last: int = 0

    async def begin(self) -> None:
        """Open a session, in the era that has them."""
        self.headers["mcp-protocol-version"] = self.era
        if self.era == MODERN:
            return
        hello = {"protocolVersion": self.era, "capabilities": {}, "clientInfo": CLIENT}
        reply = await self.post("initialize", hello)
        if session := reply.headers.get("mcp-session-id"):
            self.headers["mcp-session-id"] = session
            told = {"jsonrpc": "2.0", "method": "notifications/initialized"}
            await self.http.post(self.url, json=told, headers=self.headers)

    async def post(self, method: str, params: dict[str, Any], name: str = "") -> httpx2.Response:
        """Send one request."""
        headers = self.headers
        if self.era == MODERN:
            params["_meta"] = {
                "io.modelcontextprotocol/protocolVersion": self.era,
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": CLIENT,
            }
            headers = {**headers, "mcp-method": method, "mcp-name": name}
        self.last += 1
        body = {"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}
        return await self.http.post(self.url, json=body, headers=headers)

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool; its result."""
        reply = await self.post("tools/call", {"name": tool, "arguments": arguments}, tool)
        return result_of(reply)


def result_of(reply: httpx2.Response) -> dict[str, Any]:
    """The result, or the error, in an answer of either form."""
    reply.raise_for_status()
    text = reply.text
    if "data: {" in text:
        text = text[text.rindex("data: {") + len("data: ") :]
    answer: dict[str, Any] = json.loads(text)
    result: dict[str, Any] = answer.get("result") or {"isError": True, **answer["error"]}
    return result


@asynccontextmanager
async def line(url: str, era: str, token: str, **headers: str) -> AsyncGenerator[Line]:
    """A connection that sends a token."""
    own = {**JSON, "authorization": f"Bearer {token}", **headers}
    async with httpx2.AsyncClient(timeout=60) as http:
        one = Line(http, url, era, own)
        await one.begin()
        yield one


# --------------------------------------------------------------------------- apart


@dataclass
class Apart:
    """What is known of who did what."""

    chance: random.Random
    calls: int
    made: dict[str, str] = field(default_factory=dict[str, str])  # id: tenant
    wrote: dict[str, str] = field(default_factory=dict[str, str])  # attempt: principal
    rated: set[str] = field(default_factory=set[str])  # attempts that their own principal rated
    gone: set[str] = field(default_factory=set[str])  # what somebody of its tenant had deleted
    counts: Counter[str] = field(default_factory=Counter[str])
    leaks: list[str] = field(default_factory=list[str])


async def act(one: Line, name: str, tenant: str, known: Apart) -> None:
    """One random call of a principal, and a look at what comes back."""
    chance, number = known.chance, chance_number(known.chance)
    error = f"FluxError: the spindle of part {number} is not aligned"
    project = {"project": chance.choice(PROJECTS)} if chance.random() < 0.7 else {}
    ids = list(known.made)
    choices: list[tuple[str, dict[str, Any]]] = [
        ("has_seen_error_before", {"error": error, "response_format": "detailed"}),
        ("get_insights", {"query": "the spindle of the machine", "limit": 50}),
        (
            "reflect",
            {
                "question": f"Align part {number}",
                "answer": f"{tenant} {name} turned it {chance.random()}.",
                "error": error,
                "outcome": "success",
                "lesson": f"At {tenant} the part {number} drifts, says {name}.",
                "tags": [tenant],
            },
        ),
        (
            "answer_with_reflection",
            {"question": f"What is {number} + 2 at {tenant}?", "draft": f"{number} + 2 = 1."},
        ),
        ("record_feedback", {"feedback": chance.choice(["positive", "negative"])}),
        (
            "record_feedback",
            {
                "feedback": chance.choice(["positive", "negative", "wrong_match", "forget"]),
                "id": chance.choice(ids) if ids else "ref-x",
            },
        ),
        (
            "record_feedback",
            {"feedback": "negative", "conversation_id": f"{chance.choice(PEOPLE)}/talk"},
        ),
        ("resources/read", {"uri": "reflections://recent"}),
        ("resources/read", {"uri": f"reflections://{chance.choice(ids) if ids else 'x'}"}),
    ]
    tool, arguments = chance.choice(choices)
    if tool == "resources/read":
        reply = await one.post(tool, arguments, arguments["uri"])
        result = {} if reply.status_code == 400 else result_of(reply)
    else:
        result = await one.call(tool, **arguments, **project)
    told = json.dumps(result)
    known.counts[tool + (", refused" if result.get("isError") else "")] += 1
    for other in TENANTS:
        if other != tenant and other in told:
            known.leaks.append(f"{name} of {tenant} read {other}: {tool} {told[:200]}")
    note(result, arguments, name, tenant, known)


def chance_number(chance: random.Random) -> int:
    return chance.randrange(40)


def note(
    result: dict[str, Any], arguments: dict[str, Any], name: str, tenant: str, known: Apart
) -> None:
    """Remember what a call made, rated or deleted."""
    said: dict[str, Any] = result.get("structuredContent") or {}
    if attempt := said.get("attempt_id"):
        known.wrote[attempt] = name
    for id in [attempt, *(row["id"] for row in said.get("learned", ()))]:
        if id:
            known.made[id] = tenant
    if "feedback" in arguments and not result.get("isError"):
        touched = set(re.findall(r"(?:att|ref|str|look)-\w+", json.dumps(said)))
        touched.add(str(arguments.get("id")))
        for id in touched & known.made.keys():
            if known.made[id] != tenant or known.wrote.get(id, name) != name:
                known.leaks.append(f"{name} of {tenant} changed {id} of another")
            (known.gone if arguments["feedback"] == "forget" else known.rated).add(id)


PEOPLE = [f"{tenant}-{number}" for tenant in TENANTS for number in range(4)]


async def apart(folder: Path, calls: int, seed: int) -> None:
    """Random calls of all principals at once."""
    file = TokenFile(folder / "tokens.toml")
    tokens = {
        name: file.add(
            principal_named(name, tenant_of(name), "reader" if name.endswith("3") else "writer"),
            None,
        )
        for name in PEOPLE
    }
    known = Apart(chance=random.Random(seed), calls=calls)
    store = folder / "apart.db"
    settings = {"REFLECTION_STORE": str(store), "REFLECTION_MAX_ENTRIES": "0"}
    with server((*OURS, "--auth", "tokens"), file.path, **settings) as (url, _):

        async def work(name: str, era: str) -> None:
            async with line(url, era, tokens[name]) as one:
                while known.calls > 0:
                    known.calls -= 1
                    await act(one, name, tenant_of(name), known)

        async with anyio.create_task_group() as tasks:
            for number, name in enumerate(PEOPLE):
                tasks.start_soon(work, name, MODERN if number % 2 else OLDER)
    crossed, looked = await stored(store, known)
    print(f"apart: {sum(known.counts.values())} calls of {len(PEOPLE)} principals, seed {seed}")
    for tool, count in sorted(known.counts.items()):
        print(f"  {count:6} {tool}")
    print(f"  {looked} stored rows looked at")
    print(f"  {len(known.leaks)} answers that read or changed what is another's")
    print(
        f"  {len(crossed)} stored rows that another tenant or principal wrote, changed or deleted"
    )
    for each in [*known.leaks, *crossed][:20]:
        print(f"    {each}")


def tenant_of(name: str) -> str:
    return name.rpartition("-")[0]


async def stored(path: Path, known: Apart) -> tuple[list[str], int]:
    """What lies in the store with the marks of somebody else, and how many rows were looked at."""
    store = await open_store(str(path))
    crossed: list[str] = []
    there: set[str] = set()
    for tenant in TENANTS:
        foreign = [other for other in TENANTS if other != tenant]
        for project in PROJECTS:
            scope = Scope(tenant=tenant, project=project)
            rows = await store.reflections(scope, limit=100_000, include_retired=True)
            attempts = await store.attempts(scope, limit=100_000)
            there |= {row.id for row in rows} | {each.id for each in attempts}
            for row in rows:
                if any(other in repr(row) for other in foreign):
                    crossed.append(f"{tenant}/{project} holds {row.id}: {row.lesson}")
            for each in attempts:
                if any(other in repr(each) for other in foreign):
                    crossed.append(f"{tenant}/{project} holds {each.id} of {each.source}")
                if each.feedback and each.id not in known.rated:
                    crossed.append(f"{each.id} of {each.source} was rated by somebody else")
    crossed += [f"{id} was deleted" for id in known.wrote.keys() - there - known.gone]
    await store.close()
    return crossed, len(there)


# --------------------------------------------------------------------------- strangers


async def strangers(folder: Path, calls: int) -> None:
    """Calls that nobody may make."""
    file, other = TokenFile(folder / "few.toml"), TokenFile(folder / "foreign.toml")
    ann = principal_named("ann", "acme", "writer")
    good = file.add(ann, None)
    over = file.add(principal_named("old", "acme", "writer"), now() - timedelta(seconds=1))
    revoked = file.add(principal_named("gone", "acme", "writer"), None)
    bob = file.add(principal_named("bob", "acme", "writer"), None)
    wrong = {
        "none": "",
        "wrong": f"Bearer {good[:-1]}{'a' if good[-1] != 'a' else 'b'}",
        "digest": f"Bearer {file.rows()[0].digest}",
        "basic": f"Basic {good}",
        "expired": f"Bearer {over}",
        "revoked": f"Bearer {revoked}",
        "foreign": f"Bearer {other.add(ann, None)}",
    }
    statuses: Counter[tuple[str, str, int]] = Counter()
    store = folder / "strangers.db"
    with server((*OURS, "--auth", "tokens"), file.path, REFLECTION_STORE=str(store)) as (url, _):
        async with line(url, OLDER, revoked) as gone, line(url, OLDER, good) as mine:
            file.revoke("gone")
            for number in range(calls):
                name, header = list(wrong.items())[number % len(wrong)]
                era = MODERN if number // len(wrong) % 2 else OLDER
                session = dict(gone.headers if name == "revoked" else mine.headers)
                session["authorization"] = header
                if not header:
                    del session["authorization"]
                session["mcp-protocol-version"] = era
                await tried(Line(mine.http, url, era, session), statuses, name)
            stolen = {**mine.headers, "authorization": f"Bearer {bob}"}
            for _ in range(calls // len(wrong)):
                thief = Line(mine.http, url, OLDER, stolen)
                await tried(thief, statuses, "session of another")
    print(f"strangers: {sum(statuses.values())} calls")
    for (name, era, status), count in sorted(statuses.items()):
        print(f"  {count:6} {status} {era} {name}")
    reached = sum(count for (*_, status), count in statuses.items() if status not in (401, 404))
    kept = 0
    if store.exists():
        opened = await open_store(str(store))
        kept = len(await opened.attempts(Scope(tenant="acme"), limit=10))
        await opened.close()
    print(f"  {reached} reached a use case; {kept} rows were stored")


async def tried(one: Line, statuses: "Counter[tuple[str, str, int]]", name: str) -> None:
    arguments = {"question": "q", "answer": "2 + 2 = 5", "error": "KeyError: 'a'"}
    params = {"name": "reflect", "arguments": arguments}
    reply = await one.post("tools/call", params, "reflect")
    statuses[name, one.era, reply.status_code] += 1


# --------------------------------------------------------------------------- cost


async def cost(folder: Path, rounds: int, turn: int, reflections: int) -> None:
    """The CPU time of a call, in turns."""
    store = folder / "cost.db"
    await fill(store, reflections)
    file = TokenFile(folder / "cost.toml")
    token = file.add(principal_named("ann", "default", "writer"), None)
    known = errors(reflections, place="/builds/other/checkout")
    chance = random.Random(7)
    with (
        server(BARE, file.path) as (bare_url, bare),
        server((*OURS, "--auth", "tokens"), file.path, REFLECTION_STORE=str(store)) as (url, ours),
    ):
        for era in (MODERN, OLDER):
            spent: dict[str, list[float]] = {}
            waited: dict[str, list[float]] = {}
            project = {"x-reflection-project": PROJECT}
            async with line(bare_url, era, token) as echo, line(url, era, token, **project) as one:
                for round_ in range(rounds + 1):
                    for label, process, caller in (
                        ("bare echo", bare, echo),
                        ("look-up, stored", ours, one),
                        ("look-up, new", ours, one),
                        ("insights", ours, one),
                    ):
                        before = cpu(process)
                        times: list[float] = []
                        for number in range(turn):
                            begun = time.perf_counter()
                            await asked(caller, label, known, chance, round_ * turn + number)
                            times.append((time.perf_counter() - begun) * 1000)
                        if round_:  # the first one warms up
                            spent.setdefault(label, []).append((cpu(process) - before) / turn)
                            waited.setdefault(label, []).extend(times)
            print(f"\ncost, {era}: {rounds} turns of {turn} calls each, {reflections} reflections")
            print(f"{'':<18}{'CPU ms min':>12}{'median':>9}{'x min':>8}{'x med':>8}{'p50 ms':>9}")
            least, middle = min(spent["bare echo"]), median(spent["bare echo"])
            for label, figures in spent.items():
                print(
                    f"{label:<18}{min(figures):>12.2f}{median(figures):>9.2f}"
                    f"{min(figures) / least:>8.2f}{median(figures) / middle:>8.2f}"
                    f"{median(waited[label]):>9.2f}"
                )


async def asked(
    caller: Line, label: str, known: Sequence[str], chance: random.Random, number: int
) -> None:
    if label == "bare echo":
        result = await caller.call("echo", text=chance.choice(known))
    elif label == "insights":
        result = await caller.call("get_insights", query="the name of a part")
    else:
        new = f"ValueError: {SYLLABLES[number % 10]}{number}q is not a valid Part"
        error = new if label.endswith("new") else chance.choice(known)
        result = await caller.call("has_seen_error_before", error=error)
    assert not result.get("isError"), result


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--strangers", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--turn", type=int, default=200)
    parser.add_argument("--reflections", type=int, default=10_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.calls:
            anyio.run(apart, folder, options.calls, options.seed)
        if options.strangers:
            anyio.run(strangers, folder, options.strangers)
        if options.rounds:
            anyio.run(cost, folder, options.rounds, options.turn, options.reflections)


if __name__ == "__main__":
    main()
