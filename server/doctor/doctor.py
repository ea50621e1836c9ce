"""`reflection-mcp doctor`: reports settings, store and judges, and runs a self-test.

The self-test talks to the real server through the SDK's client over a store of its own in a
temporary folder, one call of each tool; the user's own store is only looked at.
"""

import json
import os
import platform
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import anyio
from mcp import Client

from reflection_mcp.server.access.token_file import TokenFile, token_path
from reflection_mcp.server.app import build
from reflection_mcp.server.application import Application, application_for
from reflection_mcp.server.commands.place import NOTHING_YET
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.server.wording import counted
from reflection_mcp.store.contract import Store
from reflection_mcp.store.errors import StoreError
from reflection_mcp.store.open import file_of
from reflection_mcp.store.records import Scope
from reflection_mcp.store.state import Health
from reflection_mcp.tools.errors import InvalidInput
from reflection_mcp.tools.learning.signature_renewal import count_outdated
from reflection_mcp.tools.untrusted import visible

PACKAGES = ("reflection-mcp", "mcp", "pydantic", "anthropic", "sqlite-utils", "rapidfuzz", "anyio")
SELF_TEST_SECONDS = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One thing that was looked at. `state` is `ok`, `note` or `wrong`."""

    part: str
    state: str
    name: str
    value: str


def doctor(settings: Settings, start: Path, *, as_json: bool = False) -> int:
    """Print the report; returns 0 when nothing is wrong, else 1."""
    return tell(anyio.run(examine, settings, start), as_json=as_json)


def tell(lines: Sequence[Line], *, as_json: bool) -> int:
    """Print what was found; returns 0 when nothing is wrong, else 1."""
    output = json.dumps([asdict(line) for line in lines], indent=1) if as_json else report(lines)
    print(visible(output))
    return 1 if any(line.state == "wrong" for line in lines) else 0


def report(lines: Sequence[Line]) -> str:
    """Return the lines for people, one block for each section."""
    marks = {"ok": " ", "note": "i", "wrong": "!"}
    out: list[str] = []
    part = ""
    for line in lines:
        if line.part != part:
            part = line.part
            out += ["", part]
        out.append(f" {marks[line.state]} {line.name:28} {line.value}".rstrip())
    wrong = sum(line.state == "wrong" for line in lines)
    verdict = f"{counted(wrong, 'fault')}, marked with !" if wrong else "everything works"
    return "\n".join([*out[1:], "", verdict])


async def examine(settings: Settings, start: Path) -> list[Line]:
    """Look at everything."""
    application = application_for(settings, start)
    lines = [*_versions(), *_settings(settings, application), *_judges(settings)]
    lines += [_tokens(settings), _dashboard()]
    missing = _missing(settings)
    lines += [missing] if missing else [line async for line in look_at_store(application)]
    with tempfile.TemporaryDirectory(prefix="reflection-mcp-") as folder:
        lines += await self_test(Path(folder))
    return lines


def _versions() -> Iterator[Line]:
    yield Line(part="Versions", state="ok", name="python", value=platform.python_version())
    for package in PACKAGES:
        yield Line(part="Versions", state="ok", name=package, value=version(package))
    engine = sqlite3.sqlite_version
    yield Line(part="Versions", state="ok", name="sqlite", value=engine)


def _settings(settings: Settings, application: Application) -> Iterator[Line]:
    for name, value, origin in settings.report():
        if name == "project" and not value:
            value, origin = application.project, "detected"
        yield Line(part="Settings", state="ok", name=name, value=f"{value}  ({origin})")
    for warning in settings.warnings:
        yield Line(part="Settings", state="note", name="warning", value=warning)


def _judges(settings: Settings) -> Iterator[Line]:
    chosen = settings.evaluator
    rows = {
        "checks": (True, "always; they prove faults, never that an answer is right"),
        "anthropic": (
            chosen in ("auto", "anthropic") and settings.anthropic_api_key is not None,
            f"a key is set, model {settings.anthropic_model}"
            if settings.anthropic_api_key is not None
            else f"no key in {settings.anthropic_api_key_env}",
        ),
        "sampling": (chosen in ("auto", "sampling"), "if the client offers its model"),
        "caller": (chosen in ("auto", "caller"), "its scores are recorded, never believed"),
    }
    for name, (available, why) in rows.items():
        said = "available" if available else "not used"
        yield Line(part="Judges", state="ok", name=name, value=f"{said}: {why}")


def _tokens(settings: Settings) -> Line:
    """Return who has a token for `serve --http`, in numbers."""
    path = token_path(settings)
    try:
        rows = TokenFile(path).rows()
    except InvalidInput as fault:
        return Line(part="Access", state="wrong", name="tokens", value=fault.message)
    over = sum(row.expired(datetime.now(UTC)) for row in rows)
    value = f"{counted(len(rows), 'token')}, {over} expired, in {path}" if rows else "none"
    return Line(part="Access", state="ok", name="tokens", value=value)


def _dashboard() -> Line:
    there = find_spec("jinja2") is not None
    value = "`reflection-mcp dashboard` can run" if there else "not available: install jinja2"
    return Line(part="Dashboard", state="ok" if there else "note", name="pages", value=value)


def _missing(settings: Settings) -> Line | None:
    """Return the notes on a store that does not exist: looking at it must not create it."""
    try:
        file = file_of(settings.store)
    except StoreError:
        return None  # opening it will say what is wrong
    if file is None or os.path.lexists(file):
        return None
    folder = next(each for each in file.parents if os.path.lexists(each))
    if not (folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)):
        trouble = f"not created yet, and {folder} is not writable; set another path"
        return Line(part="Store", state="wrong", name=str(file), value=trouble)
    origin = settings.provenance.get("store", "default")
    value = NOTHING_YET
    if origin != "default":
        value = f"{value}; if you expected one here, correct the path ({origin})"
    return Line(part="Store", state="note", name=str(file), value=value)


async def look_at_store(application: Application) -> AsyncIterator[Line]:
    """Return the state of the store of an application."""
    try:
        store = await application.store()
    except StoreError as failure:
        trouble = f"{failure.message}; {failure.hint}"
        yield Line(part="Store", state="wrong", name=application.settings.store, value=trouble)
        return
    try:
        health = await store.health()
        for line in _health(health):
            yield line
        if not health.problems and (old := await _outdated(store, application)):
            yield Line(part="Store", state="note", name="signatures", value=old)
    finally:
        await application.close()


async def _outdated(store: Store, application: Application) -> str:
    """Return a note on errors that an earlier version signed, if there are any."""
    scope = Scope(tenant=application.settings.tenant, project=application.project)
    old = sum([await count_outdated(store, each) for each in scope.readable])
    return (
        f"{counted(old, 'error')} stored by an earlier version; `doctor --rekey` updates them"
        if old
        else ""
    )


def _health(health: Health) -> Iterator[Line]:
    part = "Store"
    yield Line(part=part, state="ok", name="backend", value=f"{health.backend} {health.engine}")
    yield Line(part=part, state="ok", name="location", value=health.location)
    yield Line(part=part, state="ok", name="schema", value=str(health.schema))
    yield Line(part=part, state="ok", name="size", value=f"{health.size_bytes:,} bytes")
    writable = "yes" if health.writable else "no"
    state = "ok" if health.writable else "wrong"
    yield Line(part=part, state=state, name="writable", value=writable)
    for note in health.notes:
        yield Line(part=part, state="note", name="note", value=note)
    for problem in health.problems:
        yield Line(part=part, state="wrong", name="problem", value=problem)


# --------------------------------------------------------------------------- the self-test

_ERROR = "File \"/home/a/shop/cart.py\", line 12, in total\nKeyError: 'price'"
_AGAIN = "File \"/srv/b/shop/cart.py\", line 88, in total\nKeyError: 'price'"

Step = tuple[str, dict[str, Any], str]
STEPS: tuple[Step, ...] = (
    ("has_seen_error_before", {"error": _ERROR}, "New:"),
    (
        "reflect",
        {
            "question": "Fix the cart", "answer": "Used .get()", "error": _ERROR,
            "outcome": "success", "lesson": "Old carts have no price",
        },
        "ref-",
    ),
    ("has_seen_error_before", {"error": _AGAIN}, "exact"),
    (
        "answer_with_reflection",
        {"question": "What do 15 pens at 12.99 cost?", "draft": "15 x 12.99 = 195.00"},
        "194.85",
    ),
    ("record_feedback", {"feedback": "positive"}, "Recorded"),
    ("get_insights", {}, "Old carts"),
)  # fmt: skip
"""One call of each tool: its arguments, and a word that the answer must hold."""


async def self_test(folder: Path) -> list[Line]:
    """Call every tool of a real server over a new store in `folder`."""
    settings = Settings(store=str(folder / "test.db"))
    server = build(Application(settings=settings, project="self-test"))
    lines: list[Line] = []
    with anyio.move_on_after(SELF_TEST_SECONDS) as bounded:
        async with Client(server) as client:
            for tool, arguments, expected in STEPS:
                result = await client.call_tool(tool, arguments)
                text = "".join(getattr(part, "text", "") for part in result.content)
                good = not result.is_error and expected in text
                said = (text.splitlines() or ["no answer"])[0]
                state = "ok" if good else "wrong"
                lines.append(Line(part="Self-test", state=state, name=tool, value=said[:100]))
    if bounded.cancelled_caught:
        late = f"not finished after {SELF_TEST_SECONDS:.0f} seconds"
        lines.append(Line(part="Self-test", state="wrong", name="time", value=late))
    return lines
