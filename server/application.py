"""What lives as long as the process: the settings, the open store, and the project.

The store is opened by the first call that needs it, so that a host which only lists the tools waits
for nothing. A store that cannot be opened is reported by the tools that need it, the next call
tries again, and judging goes on without it.
"""

import asyncio
import math
import os
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from reflection_mcp.server.log import outcome_of
from reflection_mcp.server.project import identify_project, place_name
from reflection_mcp.server.settings.secret import signing_key
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.store.contract import Store
from reflection_mcp.store.errors import StoreBusy, StoreError, StoreUnavailable
from reflection_mcp.store.records import Scope
from reflection_mcp.tools.errors import Disabled, InvalidInput
from reflection_mcp.tools.ports import (
    Caller,
    Clock,
    Emit,
    Ids,
    Limits,
    Meaning,
    Model,
    ProjectNames,
    Runner,
    Services,
    Stage,
    silent,
    unobserved,
)

if TYPE_CHECKING:
    from reflection_mcp.tools.roles.prompts import Prompts

ID_ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"  # no look-alikes: people read ids aloud
ID_LENGTH = 10  # 30^10: two ids of a million meet with a chance of 1 in 1,000


def now() -> datetime:
    """The time, aware, in UTC."""
    return datetime.now(UTC)


def new_id(prefix: str) -> str:
    """A short id that is safe to read aloud, such as `ref-7k3m9q2x4w`."""
    # What `secrets` draws from, which brings more to import; 128 bits leave no id more likely.
    number = int.from_bytes(os.urandom(16))
    letters: list[str] = []
    for _ in range(ID_LENGTH):
        number, letter = divmod(number, len(ID_ALPHABET))
        letters.append(ID_ALPHABET[letter])
    return f"{prefix}-{''.join(letters)}"


LOCKED = 0.3
"""Seconds that one try to open waits for a process that holds the lock. A look-up then says so, as
it has to end within the budget of a hook; what writes tries again."""
TRIES = 30


class OpenStore(Protocol):
    """Opens the store at a location, or raises a `StoreError`."""

    async def __call__(self, location: str) -> Store:
        """Open it."""
        ...


async def open_store(location: str) -> Store:
    """The real opener; imports a backend when it is first needed."""
    from reflection_mcp.store.open import open_store

    return await open_store(location, locked=LOCKED)


class ClosableModel(Model, Protocol):
    """A model that holds a connection for as long as the process lives."""

    async def close(self) -> None:
        """Close the connection, if there is one."""
        ...


@dataclass(kw_only=True)
class Application:
    """What lives as long as the process: the open store, the models with a key, and who we are."""

    settings: Settings
    project: str
    clock: Clock = now
    ids: Ids = new_id
    emit: Emit = silent
    stage: Stage = unobserved
    models: tuple[ClosableModel, ...] = ()
    meaning: Meaning | None = None
    opener: OpenStore = open_store
    conversation_id: str = field(default_factory=lambda: new_id("conv"))
    limits: Limits = field(default_factory=Limits)
    briefed: dict[str, None] = field(default_factory=dict[str, None])
    """The conversations of hosts that a hook has briefed, in their order."""
    last_asked: datetime | None = None
    files: ProjectNames | None = None
    """Lists the files of the project the process was started in, where that is allowed."""
    runner: Runner | None = None
    _store: Store | None = None
    _opening: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def store(self, *, tries: int = TRIES) -> Store:
        """The store, opened on first use; after a failure the next call tries again.

        Args:
            tries: how often it is tried while another process holds it.

        Raises:
            StoreError: it cannot be opened.
        """
        until = time.monotonic() + TRIES * LOCKED
        for left in reversed(range(tries)):
            if self._store is not None:
                break
            async with self._opening:
                if self._store is None:
                    try:
                        self._store = await self.opener(self.settings.store)
                    except StoreBusy:
                        if not left or time.monotonic() >= until:
                            raise
        assert self._store is not None
        return self._store

    async def open_if_it_exists(self) -> None:
        """Open the store before it is asked for, unless that would make it; trouble is told by the
        call that needs it."""
        if Path(self.settings.store).is_file():
            with suppress(StoreError):
                await self.store(tries=1)

    @property
    def has_no_store(self) -> bool:
        """Whether nothing was ever stored here: there is no file yet."""
        return self._store is None and self._file is not None and not self._file.exists()

    async def _store_or_its_trouble(self, tries: int) -> Store:
        try:
            return await self.store(tries=tries)
        except StoreError as trouble:
            from reflection_mcp.store.unavailable import unavailable

            tell = self.telling(self.project)
            tell("store_unavailable", {"reason": type(trouble).__name__})
            return unavailable(trouble)

    async def services(
        self, caller: Caller | None = None, project: str | None = None, *, tries: int = TRIES
    ) -> Services:
        """Everything one call of a use case may use.

        Args:
            caller: who asks; None is this process itself.
            project: the part of the memory that is meant; None is the project of this process.
            tries: how often a store is tried to be opened that another process holds.

        Raises:
            Disabled: reflection is switched off.
            InvalidInput: the name of the project cannot be used.
        """
        if not self.settings.enabled:
            raise Disabled(
                "reflection is switched off and nothing is stored",
                "set REFLECTION_ENABLED=1 and restart the server to switch it on",
            )
        project = project or (caller.project if caller else "")
        self.last_asked = self.clock()
        return await self.services_of(self._place_of(project, caller), caller, tries=tries)

    def _place_of(self, project: str, caller: Caller | None) -> str:
        """Return where a caller works that names this project, or none: of its own places it may
        name those of its principal alone."""
        scope = Scope(project=place_name(project) if project else self.project)
        principal = caller.principal if caller else ""
        if (project or principal) and scope.person not in ("", principal):
            raise InvalidInput(
                "this is another person's private place",
                "pass the name of a project, or leave it out",
            )
        if caller is not None and caller.keeps_own and not scope.person:
            scope = scope.of(principal)
        return scope.project

    async def services_of(
        self, project: str, caller: Caller | None = None, *, tries: int = TRIES
    ) -> Services:
        """The services of a project, for work that nobody asked for."""
        scope = Scope(tenant=self._tenant_of(caller), project=project)
        store = await self._store_or_its_trouble(tries)
        return Services(
            store=store,
            scope=scope,
            caller=caller or self.caller(),
            clock=self.clock,
            ids=self.ids,
            models=self.models,
            emit=self.telling(project, caller),
            stage=self.stage,
            limits=self.limits,
            max_entries=self.settings.max_entries,
            meaning=self.meaning,
            project_names=self.files if project == self.project else None,
            runner=self.runner,
        )

    def caller(self, client: str = "") -> Caller:
        """Whoever uses this process directly: one person, in one conversation of this client."""
        return Caller(
            conversation_id=self.conversation_id,
            client=client,
            user=self._user,
            alone=self._file is not None,
        )

    @cached_property
    def _user(self) -> str:
        """Whose process this is: a digest of the home folder, since names are nobody's business."""
        import hashlib

        with suppress(RuntimeError):  # there is none
            home = str(Path.home()).encode()
            return f"user-{hashlib.blake2b(home, digest_size=4).hexdigest()}"
        return ""

    def _tenant_of(self, caller: Caller | None) -> str:
        return (caller and caller.tenant) or self.settings.tenant

    def telling(self, project: str, caller: Caller | None = None) -> Emit:
        """What tells events of a project: each says whose it is, and how that went."""
        place = {"tenant": self._tenant_of(caller), "project": project}
        if caller and caller.principal:
            place["principal"] = caller.principal
        return lambda event, facts: self.emit(
            event, {"outcome": outcome_of(event), **facts, **place}
        )

    def beside(self) -> "Application":
        """The same for another event loop, with a store of its own: the connections of a store
        belong to the loop in which it was opened."""
        return replace(self, models=(), _store=None, _opening=asyncio.Lock())

    @cached_property
    def _file(self) -> Path | None:
        """The file of the store; None for one that is no file or cannot be opened at all."""
        from reflection_mcp.store.open import file_of

        with suppress(StoreUnavailable):
            return file_of(self.settings.store)
        return None

    @cached_property
    def secret(self) -> bytes:
        """The key that signs loop tokens."""
        return signing_key(self.settings.store)

    @cached_property
    def prompts(self) -> "Prompts | None":
        """The prompts of the folder that the settings name; None are the packaged ones.

        Raises:
            ReflectionError: a file of the folder does not fit.
        """
        if not self.settings.prompts_folder:
            return None
        from reflection_mcp.tools.roles.prompts import prompts_with

        return prompts_with(Path(self.settings.prompts_folder))

    async def close(self, wait: float = math.inf) -> None:
        """Close the store and the models, if they were ever used.

        Args:
            wait: at most so many seconds for other processes; log entries that cannot be written
                by then are lost.
        """
        store, self._store = self._store, None
        if store is not None:
            await (store.hasty(wait) if wait < math.inf else store).close()
        for model in self.models:
            await model.close()


def application_for(settings: Settings, start: Path, emit: Emit = silent) -> Application:
    """The application of a process that was started in the folder `start`."""
    project = settings.project or identify_project(start)
    return Application(
        settings=settings,
        project=project,
        emit=emit,
        models=models_with_a_key(settings),
        meaning=meaning_if_wanted(settings),
        files=files_of_project(settings, start),
        runner=runner_if_wanted(settings),
    )


def runner_if_wanted(settings: Settings) -> Runner | None:
    """What runs the code of answers, when the owner switched it on."""
    if not settings.run_code or os.name != "posix":
        return None
    from reflection_mcp.server.trials.child_processes import ChildProcesses

    return ChildProcesses()


def files_of_project(settings: Settings, start: Path) -> ProjectNames | None:
    """What lists the files of the repository around a folder, unless its owner forbids it."""
    if not settings.project_names or settings.project:
        return None
    from functools import partial

    from reflection_mcp.server.project import project_files, repository_root

    root = repository_root(start)
    return partial(project_files, root) if root else None


def meaning_if_wanted(settings: Settings) -> Meaning | None:
    """The embedding model that the owner named, if any; loads nothing yet."""
    if not settings.semantic_model:
        return None
    from reflection_mcp.server.models.embedding import EmbeddingModel

    return EmbeddingModel(settings.semantic_model)


def models_with_a_key(settings: Settings) -> tuple[ClosableModel, ...]:
    """The models that may be asked at the owner's cost: those with a key that was given to us."""
    key = settings.anthropic_api_key
    if key is None or settings.evaluator not in ("auto", "anthropic"):
        return ()
    from reflection_mcp.server.models.anthropic import AnthropicModel

    return (
        AnthropicModel(
            key.get_secret_value(),
            settings.anthropic_model,
            calls=settings.judge_calls_per_process,
            budget=settings.judge_max_cost_usd,
            wall=settings.judge_timeout_s,
        ),
    )
