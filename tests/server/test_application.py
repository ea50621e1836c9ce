"""What lives as long as the process."""

from datetime import UTC
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from reflection_mcp.server.application import TRIES, Application, application_for, new_id, now
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.store.contract import Store
from reflection_mcp.store.errors import StoreBusy, StoreError
from reflection_mcp.store.sqlite.memory import MemoryStore
from reflection_mcp.tools.errors import Disabled, InvalidInput
from reflection_mcp.tools.ports import Caller

pytestmark = pytest.mark.anyio


class Opener:
    """Opens a store in memory, after it has failed as often as it was told to."""

    def __init__(self, failures: int = 0) -> None:
        self.failures = failures
        self.opened = 0

    async def __call__(self, location: str) -> Store:
        if self.failures:
            self.failures -= 1
            raise StoreBusy("the store is busy", "try again")
        self.opened += 1
        await anyio.lowlevel.checkpoint()  # so that others get their turn meanwhile
        return MemoryStore()


def an_application(opener: Opener, **settings: Any) -> Application:
    chosen = Settings(store="memory:", **settings)
    return Application(settings=chosen, project="shop", opener=opener)


async def test_the_store_is_opened_once_and_only_when_it_is_needed() -> None:
    opener = Opener()
    application = an_application(opener)
    assert opener.opened == 0
    assert await application.store() is await application.store()
    assert opener.opened == 1


async def test_calls_that_come_at_once_open_it_once() -> None:
    opener = Opener()
    application = an_application(opener)
    async with anyio.create_task_group() as tasks:
        for _ in range(5):
            tasks.start_soon(application.store)
    assert opener.opened == 1


async def test_after_a_failure_the_next_call_tries_again() -> None:
    application = an_application(Opener(failures=1))
    with pytest.raises(StoreError):
        await application.store(tries=1)
    assert isinstance(await application.store(tries=1), MemoryStore)


async def test_a_store_that_another_process_holds_is_tried_again_by_what_writes() -> None:
    assert isinstance(await an_application(Opener(failures=3)).store(), MemoryStore)


async def test_a_store_that_stays_held_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    opener = Opener(failures=TRIES)
    with pytest.raises(StoreBusy):
        await an_application(opener).store()
    monkeypatch.setattr("reflection_mcp.server.application.LOCKED", -1)
    opener.failures = 2
    with pytest.raises(StoreBusy):
        await an_application(opener).store()
    assert opener.failures == 1


async def test_a_call_gets_the_project_of_the_process_or_the_one_it_names() -> None:
    application = an_application(Opener(), tenant="acme")
    mine = await application.services(Caller(conversation_id="chat", client="editor"))
    assert (mine.scope.tenant, mine.scope.project) == ("acme", "shop")
    assert mine.caller.source == "editor:chat"
    assert (await application.services(project="Other")).scope.project == "other"
    with pytest.raises(InvalidInput):
        await application.services(project="../x")


async def test_when_it_is_switched_off_no_call_gets_anything() -> None:
    opener = Opener()
    with pytest.raises(Disabled):
        await an_application(opener, enabled=False).services()
    assert opener.opened == 0


async def test_closing_is_safe_before_during_and_after_use() -> None:
    application = an_application(Opener())
    await application.close()
    await application.store()
    await application.close()
    await application.close()
    assert isinstance(await application.store(), MemoryStore)


async def test_a_named_project_comes_before_the_detected_one(tmp_path: Path) -> None:
    named = application_for(Settings(project="shop"), tmp_path)
    found = application_for(Settings(), tmp_path)
    assert named.project == "shop"
    assert found.project != "shop"


def test_ids_are_short_different_and_safe_to_read_aloud() -> None:
    ids = {new_id("ref") for _ in range(500)}
    assert len(ids) == 500
    assert all(len(one) == 14 and one.startswith("ref-") for one in ids)
    assert not {"0", "o", "1", "l", "i", "u"} & set("".join(one[4:] for one in ids))


def test_now_is_aware_and_in_utc() -> None:
    assert now().tzinfo is UTC


async def test_every_event_says_whose_it_is(tmp_path: Path) -> None:
    heard: list[tuple[str, dict[str, Any]]] = []
    application = Application(
        settings=Settings(store="memory:", tenant="acme"),
        project="shop",
        emit=lambda event, facts: heard.append((event, facts)),
    )
    services = await application.services(project="bank")
    services.emit("reflection_generated", {"tenant": "another", "kept": 1})
    services.emit("error_recalled", {"outcome": "same"})
    whose = {"tenant": "acme", "project": "bank"}
    assert heard == [
        ("reflection_generated", {**whose, "outcome": "success", "kept": 1}),
        ("error_recalled", {**whose, "outcome": "same"}),
    ]
    heard.clear()
    (tmp_path / "store.db").write_text("no database" * 100)
    closed = Application(
        settings=Settings(store=str(tmp_path / "store.db")), project="shop", emit=application.emit
    )
    await closed.services()
    place = {"tenant": "default", "project": "shop"}
    told = {"outcome": "failure", "reason": "StoreCorrupt", **place}
    assert heard == [("store_unavailable", told)]


def test_a_source_is_the_client_of_one_user_and_names_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "ann"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "ann"))
    first, again = (an_application(Opener()).caller("editor") for _ in range(2))
    assert first.source == again.source
    assert first.told_in != again.told_in
    assert "ann" not in first.source
    monkeypatch.setenv("HOME", str(tmp_path / "bob"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "bob"))
    assert an_application(Opener()).caller("editor").source != first.source


def test_without_a_home_the_conversation_is_the_source(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless(_: object = None) -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(Path, "home", homeless)
    application = an_application(Opener())
    assert application.caller("editor").source == f"editor:{application.conversation_id}"
