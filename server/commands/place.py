"""Where a sub-command works: the store and the scope that the settings name."""

import argparse
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import anyio

from reflection_mcp.server.application import Application, application_for
from reflection_mcp.server.commands.progress import Progress
from reflection_mcp.server.commands.table import table, terminal_width
from reflection_mcp.server.settings.flags import settings_of
from reflection_mcp.server.settings.places import here, printable
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.server.wording import in_json
from reflection_mcp.store.contract import Store
from reflection_mcp.store.errors import StoreError, StoreUnavailable
from reflection_mcp.store.open import file_of
from reflection_mcp.store.records import Scope
from reflection_mcp.tools.ports import Services
from reflection_mcp.tools.untrusted import as_json, visible


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What a sub-command works with."""

    settings: Settings
    store: Store
    scope: Scope
    services: Services
    as_json: bool

    def say(self, text: str) -> None:
        """Data for a reader, to stdout."""
        print(visible(text))

    def give(self, value: object) -> None:
        """Data for a program, to stdout: one JSON value on one line."""
        print(as_json(value, default=in_json))

    def tell(self, value: object, lines: Iterable[str]) -> None:
        """Data to stdout: the value for a program, else the lines for a reader."""
        if self.as_json:
            self.give(value)
            return
        for line in lines:
            self.say(line)

    def table(self, value: object, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Data to stdout: the value for a program, else a table; that it is empty is said."""
        shown = [table(headings, rows, terminal_width())] if rows else []
        self.tell(value, shown)
        if not (rows or self.as_json):
            self.talk(f"nothing found in the project {self.scope.project}")

    def talk(self, text: str) -> None:
        """Anything else, to stderr."""
        print(visible(text), file=sys.stderr)

    def progress(
        self, what: str = "", total: int | None = None, *, is_size: bool = False
    ) -> Progress:
        """A bar, or a count when the total is not known; silent unless a person watches."""
        return Progress(what, total, sys.stderr, is_size=is_size)


Body = Callable[[Place, argparse.Namespace], Awaitable[int]]

INTERRUPTED = 130
NOTHING_YET = "nothing stored yet; the store is created when something is first learned"


def run_in_place(
    arguments: argparse.Namespace, body: Body, *, makes: bool = False, looks: bool = False
) -> int:
    """Open the store, run the sub-command, close the store; returns the exit code.

    Only a command that `makes` something may create the store: for any other one, a store that is
    not there is a mistyped path. Before the first use of the default store a command that `looks`
    finds nothing.
    """
    settings = settings_of(arguments)
    # Looking at lessons, moving and deleting them is the owner's right when reflecting is off, too.
    awake = replace(settings, enabled=True)
    if looks and _is_before_first_use(settings):
        print(f"reflection-mcp: {NOTHING_YET}", file=sys.stderr)
        awake = replace(awake, store="memory:")
    elif not makes:
        require_store(settings)
    application = application_for(awake, here())
    # From here on there is something to say and to close.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return anyio.run(partial(_run, application, arguments, body))
    except KeyboardInterrupt:
        print("reflection-mcp: interrupted; what was done before is kept", file=sys.stderr)
        return INTERRUPTED


def _is_before_first_use(settings: Settings) -> bool:
    """Whether the store is where it is by default and not there yet."""
    file = file_of(settings.store)
    is_default = settings.provenance["store"] == "default"
    return is_default and file is not None and not os.path.lexists(file)


def require_store(settings: Settings) -> None:
    """Check that there is a store where the settings say.

    Raises:
        StoreUnavailable: there is none, or it cannot be seen.
    """
    file = file_of(settings.store)
    if file is None:
        return
    try:
        file.stat()
    except OSError as failure:
        origin = settings.provenance["store"]
        raise StoreUnavailable(
            f"there is no store at {_quoted(file)} ({(failure.strerror or '').lower()})",
            "it is created when something is first learned or imported"
            if origin == "default"
            else f"correct the path ({origin}); the server or an import would create a store there",
        ) from failure


def _quoted(path: Path) -> str:
    """A path on one line."""
    return str(path) if str(path).isprintable() else ascii(str(path))


async def _run(application: Application, arguments: argparse.Namespace, body: Body) -> int:
    try:
        services = await application.services(application.caller("command line"))
        place = Place(
            settings=application.settings,
            store=await _opened(application),
            scope=services.scope,
            services=services,
            as_json=arguments.json,
        )
        return await body(place, arguments)
    finally:
        await application.close()


async def _opened(application: Application) -> Store:
    """The store; the error that there is none says where it was looked for."""
    try:
        return await application.store()
    except StoreError as failure:
        where = printable(application.settings.store)
        raise type(failure)(f"{failure.message} ({where})", failure.hint) from failure
