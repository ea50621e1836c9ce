"""What the doctor says of a store that is not well, and of tools that do not answer."""

from datetime import timedelta
from pathlib import Path

import pytest
from mcp import Client

from reflection_mcp.server.access.token_file import TokenFile, principal_named
from reflection_mcp.server.app import build
from reflection_mcp.server.application import Application, now
from reflection_mcp.server.demo import call
from reflection_mcp.server.doctor import doctor
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.store.contract import Store
from reflection_mcp.store.errors import StoreBusy
from reflection_mcp.store.sqlite.memory import MemoryStore
from reflection_mcp.store.state import Health

pytestmark = pytest.mark.anyio


class _Ailing(MemoryStore):
    async def health(self) -> Health:
        return Health(
            backend="sqlite",
            location="store.db",
            writable=False,
            schema=1,
            engine="3.40",
            size_bytes=0,
            problems=("page 7 is damaged",),
            notes=("the file is on a network drive",),
        )


async def ailing(location: str) -> Store:
    return _Ailing()


async def test_what_is_wrong_with_a_store_is_marked_and_notes_are_not() -> None:
    application = Application(settings=Settings(), project="shop", opener=ailing)
    lines = {line.name: line.state async for line in doctor.look_at_store(application)}
    assert (lines["writable"], lines["problem"], lines["note"]) == ("wrong", "wrong", "note")


async def test_a_store_that_cannot_be_opened_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "store.db").write_text("no database" * 100)
    settings = Settings(store=str(tmp_path / "store.db"))
    application = Application(settings=settings, project="shop")
    (line,) = [line async for line in doctor.look_at_store(application)]
    assert (line.part, line.state) == ("Store", "wrong")


async def told_of(settings: Settings) -> tuple[str, str]:
    """The state and the words of the one line that the report has about a store."""
    lines = await doctor.examine(settings, Path.cwd())
    (line,) = (line for line in lines if line.part == "Store")
    return line.state, line.value


async def test_a_store_that_is_not_there_is_told_and_not_made(tmp_path: Path) -> None:
    path = tmp_path / "typo" / "store.db"
    there = {"store": "environment REFLECTION_STORE"}
    state, value = await told_of(Settings(store=str(path), provenance=there))
    assert state == "note"
    assert value.startswith("nothing stored yet; ")
    assert value.endswith(
        "; if you expected one here, correct the path (environment REFLECTION_STORE)"
    )
    assert list(tmp_path.iterdir()) == []
    assert "correct" not in (await told_of(Settings(store=str(path))))[1]


async def test_a_store_that_can_never_be_made_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    state, value = await told_of(Settings(store=str(tmp_path / "file" / "store.db")))
    assert (state, value) == (
        "wrong",
        f"not created yet, and {tmp_path / 'file'} is not writable; set another path",
    )


async def test_a_place_that_is_not_understood_is_wrong() -> None:
    state, value = await told_of(Settings(store="mysql://db/reflections"))
    assert state == "wrong"
    assert "not valid" in value


async def test_a_store_in_memory_is_looked_at(tmp_path: Path) -> None:
    lines = await doctor.examine(Settings(store="memory:"), tmp_path)
    assert [line.value for line in lines if line.name == "location"] == ["memory:"]


async def test_a_store_that_is_busy_is_wrong_and_says_what_to_do() -> None:
    async def busy(location: str) -> Store:
        raise StoreBusy("the store is busy", "try again")

    application = Application(settings=Settings(), project="shop", opener=busy)
    (line,) = [line async for line in doctor.look_at_store(application)]
    assert (line.state, line.value) == ("wrong", "the store is busy; try again")


async def test_a_story_that_is_refused_ends(tmp_path: Path) -> None:
    settings = Settings(store=str(tmp_path / "store.db"))
    async with Client(build(Application(settings=settings, project="shop"))) as client:
        with pytest.raises(RuntimeError, match="reflect refused"):
            await call(client, "reflect", question=" ", answer="")


async def test_a_tool_that_answers_something_else_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: tuple[doctor.Step, ...] = (("get_insights", {}, "a word that never comes"),)
    monkeypatch.setattr(doctor, "STEPS", steps)
    (line,) = await doctor.self_test(tmp_path)
    assert line.state == "wrong"


async def test_a_self_test_that_does_not_end_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "SELF_TEST_SECONDS", 0.0)
    (line,) = await doctor.self_test(tmp_path)
    assert (line.name, line.state) == ("time", "wrong")


async def test_tokens_are_counted_and_a_file_that_others_may_read_is_wrong(tmp_path: Path) -> None:
    settings = Settings(store="memory:", tokens=tmp_path / "tokens.toml")

    async def told() -> tuple[str, str]:
        lines = await doctor.examine(settings, tmp_path)
        return next((line.state, line.value) for line in lines if line.part == "Access")

    assert await told() == ("ok", "none")
    file = TokenFile(tmp_path / "tokens.toml")
    file.add(principal_named("ann", "acme", "writer"), now() - timedelta(days=1))
    file.add(principal_named("bob", "acme", "writer"), None)
    assert await told() == ("ok", f"2 tokens, 1 expired, in {file.path}")
    file.path.chmod(0o644)
    assert await told() == ("wrong", f"others may read {file.path}")
