"""Does anybody learn over HTTP what another one keeps to themselves?

    python -m tests.bench.own_places [--calls 2000] [--seed 1] [--location URL] [--share mine]

Random calls of 6 principals in 2 tenants, both eras at once, to one server in a process of its
own, and of the same people to its dashboard: they learn, look up, rate, forget, answer, read
resources and complete ids in projects, in their own places and, as far as they get, in those of
others, and share some of what they keep. Every text says whose it is. Counts answers with words or
ids of another one's own that were not shared, and, read with all rights at the end, rows that lie
where they should not. Asserts nothing.
"""

import argparse
import json
import random
import re
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import httpx2

from reflection_mcp.server.access.token_file import TokenFile, principal_named
from reflection_mcp.store.contract import Store
from reflection_mcp.store.history import LOGS
from reflection_mcp.store.maintenance import StoredReflection
from reflection_mcp.store.open import open_store
from reflection_mcp.store.records import Scope
from tests.bench.http_bench import MODERN, OLDER, OURS, Line, line, result_of, server

PEOPLE = {f"{tenant}{number}": tenant for tenant in ("amber", "basalt") for number in range(3)}
PROJECTS = ("global", "shop", "bank")
ERRORS = 12
PAGES = ("/", "/errors", "/review", "/unresolved", "/answers", "/scope")
MARK = re.compile(r"(?:own|open)-(\d+)-of-([a-z]+\d)")
ID = re.compile(r"\b(?:ref|str|att|look)-[0-9a-z]{10}\b")


@dataclass
class Known:
    """What was said by whom: `kept` has the numbers of texts of somebody's own, and whose."""

    chance: random.Random
    calls: int
    all_own: bool
    numbers: int = 0
    kept: dict[str, str] = field(default_factory=dict[str, str])
    ids: dict[str, str] = field(default_factory=dict[str, str])
    """Every id that came back, and whose own it is, or empty."""
    together: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    """What was stored in one call by its ids: a lesson is shared with the strategy of its call."""
    counts: Counter[str] = field(default_factory=Counter[str])
    leaks: list[str] = field(default_factory=list[str])

    def mark(self, name: str, *, own: bool) -> str:
        """A new word that says whose a text is."""
        self.numbers += 1
        if own:
            self.kept[str(self.numbers)] = name
        return f"{'own' if own else 'open'}-{self.numbers}-of-{name}"

    def check(self, name: str, what: str, asked: str, told: str) -> None:
        """Look at an answer for what is another one's."""
        tenant = PEOPLE[name]
        for number, whose in MARK.findall(told):
            if PEOPLE[whose] != tenant or self.kept.get(number, name) != name:
                self.leaks.append(f"{name} read {number} of {whose}: {what}")
        for id in ID.findall(told):
            if self.ids.get(id, "") not in ("", name) and id not in asked:
                self.leaks.append(f"{name} was told {id} of {self.ids[id]}: {what}")
        for other in PEOPLE:
            if other != name and f"@{other}" in told and f"@{other}" not in asked:
                self.leaks.append(f"{name} was told that {other} has a place: {what}")


async def act(one: Line, name: str, known: Known) -> None:
    """One random call of a principal."""
    chance = known.chance
    place = chance.choice(PROJECTS)
    where = chance.choice(["", "", "own", "own", "other"])
    owner = chance.choice(list(PEOPLE)) if where == "other" else name
    project = f"{place}@{owner}" if where else place
    number = chance.randrange(ERRORS)
    error = f"FluxError: the spindle of part {number} is not aligned with 0x{number:04x}"
    id = chance.choice([*known.ids, "ref-none"])
    is_own = owner == name and (bool(where) or known.all_own)
    mark = known.mark(name, own=is_own)
    calls: list[tuple[str, dict[str, Any]]] = [
        ("has_seen_error_before", {"error": error, "response_format": "detailed"}),
        ("has_seen_error_before", {"error": f"{error}\nwhile {mark} was at work"}),
        ("get_insights", {"query": "the spindle of the machine", "limit": 50}),
        ("get_insights", {"response_format": "detailed"}),
        *[
            (
                "reflect",
                {
                    "question": f"Align part {number} for {mark}",
                    "answer": f"{mark} turned it.",
                    "error": f"{error}\nwhile {mark} was at work",
                    "outcome": chance.choice(["success", "failure"]),
                    "lesson": f"Part {number} drifts when it is cold, says {mark}.",
                    "strategy": f"Warm part {number} first, says {mark}.",
                    "tags": [mark],
                },
            )
        ]
        * 3,
        ("answer_with_reflection", {"question": f"What is 2 + 2, {mark}?", "draft": "2 + 2 = 5."}),
        ("record_feedback", {"feedback": "negative", "comment": f"Never do that, {mark}."}),
        (
            "record_feedback",
            {
                "feedback": chance.choice(["positive", "negative", "wrong_match", "forget"]),
                "id": id,
                "comment": f"It is about something else, says {mark}.",
            },
        ),
    ]
    tool, arguments = chance.choice(calls)
    result = await one.call(tool, **arguments, project=project)
    told = json.dumps(result)
    if where and owner != name:
        known.counts[f"{tool} in another's own place"] += 1
        if not result.get("isError"):
            known.leaks.append(f"{name} worked in {project}: {tool}")
    else:
        known.counts[tool + (", refused" if result.get("isError") else "")] += 1
        whose = name if is_own else ""
        found = set(ID.findall(json.dumps(result.get("structuredContent") or {})))
        for each in found:
            known.ids.setdefault(each, whose)
            known.together.setdefault(each, set()).update(found if tool == "reflect" else ())
    known.check(name, f"{tool} in {project}", json.dumps(arguments), told)


async def read(one: Line, name: str, known: Known) -> None:
    """Read a resource, or let an id be completed."""
    id = known.chance.choice([*known.ids, "ref-none"])
    uri = known.chance.choice(
        ["reflections://recent", "reflections://stats", f"reflections://{id}"]
    )
    if known.chance.random() < 0.2:
        asked = {
            "ref": {"type": "ref/resource", "uri": "reflections://{id}"},
            "argument": {"name": "id", "value": "ref-"},
        }
        reply = await one.post("completion/complete", asked)
        uri = "completion"
    else:
        reply = await one.post("resources/read", {"uri": uri}, uri)
    known.counts["resources/read" if uri != "completion" else uri] += 1
    told = "" if reply.status_code == 400 else json.dumps(result_of(reply))
    known.check(name, uri, uri, told)


async def look(pages: httpx2.AsyncClient, name: str, known: Known) -> None:
    """Open a page, or share what waits in a review of one's own."""
    chance = known.chance
    owner = chance.choice([name, name, chance.choice(list(PEOPLE))])
    project = chance.choice(PROJECTS) + chance.choice(["", f"@{owner}"])
    id = chance.choice([*known.ids, "ref-none"])
    path = chance.choice([*PAGES, "/review", f"/errors/{id}"])
    page = await pages.get(f"/dashboard{path}", params={"project": project})
    known.counts["dashboard, page"] += 1
    known.check(name, f"{path} of {project}", f"{id} {project}", page.text)
    token = re.search(r'name="token" value="(\w+)"', page.text)
    waiting = re.findall(r'<article id="([\w-]+)" class="item">', page.text)
    if path != "/review" or not token or not waiting:
        return
    shared = chance.choice(waiting)
    if not project.endswith(f"@{name}"):
        shared = id  # whatever it is: this must not work
    before = await pages.get(f"/dashboard/errors/{shared}", params={"project": project})
    action = chance.choice(["project", "tenant"])
    form = {"token": token[1], "project": project, "back": f"/dashboard/review?project={project}"}
    said = await pages.post(f"/dashboard/review/{shared}/{action}", data=form)
    known.counts[f"dashboard, share: {said.status_code}"] += 1
    if said.status_code == 303 and project.endswith(f"@{name}"):
        for number, _ in MARK.findall(before.text):
            known.kept.pop(number, None)
        for each in (shared, *ID.findall(before.text)):
            for one in (each, *known.together.get(each, ())):
                known.ids[one] = ""


async def work(url: str, name: str, era: str, token: str, known: Known) -> None:
    """Let one principal do random things, one after the other."""
    base = url.removesuffix("/mcp")
    own = {"origin": base, "sec-fetch-site": "same-origin"}
    place = {"x-reflection-project": f"shop@{name}"} if int(name[-1]) else {}
    async with (
        line(url, era, token, **place) as one,
        httpx2.AsyncClient(base_url=base, headers=own, timeout=60) as pages,
    ):
        await pages.post("/dashboard/login", data={"access": token})
        while known.calls > 0:
            known.calls -= 1
            kind = known.chance.random()
            if kind < 0.7:
                await act(one, name, known)
            elif kind < 0.85:
                await read(one, name, known)
            else:
                await look(pages, name, known)


async def misplaced(store: Store, known: Known) -> tuple[list[str], int]:
    """Rows of which a text is another one's, and how many rows were looked at."""
    wrong: list[str] = []
    looked = 0
    for tenant in sorted(set(PEOPLE.values())):
        for project in await store.places(tenant):
            scope = Scope(tenant=tenant, project=project)
            rows: list[StoredReflection] = []
            while page := await store.stored(scope, after=rows[-1].reflection.id if rows else ""):
                rows += page
            logs = [each for log in LOGS for each in await store.history(scope, log, limit=9**9)]
            looked += len(rows) + len(logs)
            for each in (*rows, *logs):
                for number, whose in MARK.findall(repr(each)):
                    owner = known.kept.get(number, "")
                    # What is shared may be copied into somebody's own place, never the reverse.
                    if PEOPLE[whose] != tenant or owner not in ("", scope.person):
                        told = f"{project} of {tenant} holds {number} of {whose}: {each}"
                        wrong.append(told[:300])
            for each in rows if scope.person else ():
                if {*each.people} != {scope.person}:
                    wrong.append(f"{project} of {tenant} holds words of {each.people}"[:300])
    return wrong, looked


async def apart(folder: Path, location: str, calls: int, seed: int, share: str) -> None:
    """Random calls of all at once, then a look at what lies in the store."""
    file = TokenFile(folder / "tokens.toml")
    tokens = {
        name: file.add(principal_named(name, tenant, "writer"), None)
        for name, tenant in PEOPLE.items()
    }
    known = Known(chance=random.Random(seed), calls=calls, all_own=share == "mine")
    settings = {
        "REFLECTION_STORE": location,
        "REFLECTION_MAX_ENTRIES": "40",
        "REFLECTION_SHARE": share,
    }
    command = (*OURS, "--auth", "tokens", "--dashboard")
    with server(command, file.path, **settings) as (url, _):
        async with anyio.create_task_group() as tasks:
            for number, (name, token) in enumerate(tokens.items()):
                era = MODERN if number % 2 else OLDER
                tasks.start_soon(work, url, name, era, token, known)
    store = await open_store(location)
    wrong, looked = await misplaced(store, known)
    await store.close()
    print(f"own places: {sum(known.counts.values())} calls of {len(PEOPLE)} people, seed {seed}")
    for tool, count in sorted(known.counts.items()):
        print(f"  {count:6} {tool}")
    print(f"  {len(known.kept)} texts were kept, {looked} stored rows looked at")
    print(f"  {len(known.leaks)} answers with what is another one's own")
    print(f"  {len(wrong)} rows that lie where they should not")
    for each in [*dict.fromkeys((*known.leaks, *wrong))][:20]:
        print(f"    {each}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--calls", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--location", default="", help="a store; default: a new file")
    parser.add_argument("--share", choices=["project", "mine"], default="project")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        location = options.location or str(folder / "own.db")
        anyio.run(apart, folder, location, options.calls, options.seed, options.share)


if __name__ == "__main__":
    main()
