"""What a page of the dashboard costs: `python -m tests.bench.dashboard_bench [--rows N ...]`.

Stores of `store_reads`, made in `--folder` when they are not there. Each page is asked of the
application in this process, behind its door, as a browser asks for it; the figure is the CPU of the
process, threads of the store included: first when nothing was read yet, then the median and the
95th of the rounds. Then the command is started: seconds until its first page has come.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.testclient import TestClient

from reflection_mcp.server.application import Application
from reflection_mcp.server.dashboard.app import Dashboard
from reflection_mcp.server.dashboard.door import TicketDoor, new_ticket
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.tools.ports import Caller, Services
from tests.bench.store_reads import TODAY, filled

PORT, KEY = 8765, b"k" * 32
CALLER = Caller(conversation_id="bench", client="dashboard")
PAGES = (
    "/", "/errors", "/errors?order=most_met", "/errors?order=failed", "/errors?state=untried",
    "/errors?type=PermissionError", "/errors?after=ref-500", "/errors/ref-7", "/review",
    "/unresolved", "/answers", "/scope",
)  # fmt: skip


def pages(path: Path, rounds: int) -> None:
    """Print what each page costs."""
    settings = Settings(store=str(path), tenant="acme")
    application = Application(settings=settings, project="shop", clock=lambda: TODAY)

    async def visitor(request: Request, project: str | None) -> tuple[Services, bool]:
        return await application.services(CALLER, project), True

    door = TicketDoor(port=PORT, key=KEY, clock=TODAY.timestamp)
    application_pages = Dashboard(visitor=visitor, settings=settings).app()
    with TestClient(door.guarding(application_pages), base_url=f"http://127.0.0.1:{PORT}") as http:
        assert http.get(f"/open?ticket={new_ticket(KEY, TODAY.timestamp())}").status_code == 200
        for page in PAGES:
            taken: list[float] = []
            size = 0
            for _ in range(rounds + 1):
                began = time.process_time()
                answer = http.get(page)
                taken.append((time.process_time() - began) * 1e3)
                assert answer.status_code == 200, answer.text[:200]
                size = len(answer.content)
            first, rest = taken[0], sorted(taken[1:])
            print(
                f"  {page:<30} first {first:8.1f} ms  p50 {statistics.median(rest):6.1f}  "
                f"p95 {rest[int(len(rest) * 0.95)]:6.1f}  {size:>7,} bytes"
            )
        assert http.portal is not None
        http.portal.call(application.close)


def start(path: Path, rounds: int) -> None:
    """Print how long it is from the start of the command to its first page."""
    taken: list[float] = []
    for _ in range(rounds):
        began = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, "-m", "reflection_mcp.server", "dashboard", "--no-open", "--json"],
            env=os.environ | {"REFLECTION_STORE": str(path), "REFLECTION_TENANT": "acme"},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process:
            assert process.stdout is not None
            url = urlsplit(str(json.loads(process.stdout.readline())["url"]))
            connection = HTTPConnection("127.0.0.1", url.port or 0, timeout=60)
            connection.request("GET", f"{url.path}?{url.query}")
            answer = connection.getresponse()
            answer.read()
            cookie = (answer.headers["set-cookie"] or "").partition(";")[0]
            connection.request("GET", "/?project=shop", headers={"cookie": cookie})
            assert connection.getresponse().status == 200
            taken.append(time.perf_counter() - began)
            connection.close()
            process.terminate()
    print(
        f"  start to first page: best {min(taken):.2f} s, median {statistics.median(taken):.2f} s"
    )


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[10_000])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=40)
    arguments = parser.parse_args()
    for rows in arguments.rows:
        path = arguments.folder / f"reads-{rows}.db"
        filled(path, rows)
        print(f"{rows:,} rows, {arguments.rounds} rounds")
        pages(path, arguments.rounds)
        start(path, min(arguments.rounds, 10))


if __name__ == "__main__":
    main()
