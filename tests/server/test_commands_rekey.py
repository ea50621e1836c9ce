"""`doctor --rekey`, and what the doctor says before it."""

import gzip
import json
from pathlib import Path

import anyio
import pytest

from reflection_mcp.server import cli
from reflection_mcp.store.maintenance import StoredReflection
from reflection_mcp.store.open import open_store
from reflection_mcp.store.records import Scope
from reflection_mcp.tools.learning import signature_renewal
from tests.learning.test_signature_renewal import ERRORS, OLD
from tests.requirements import requirement


@pytest.fixture
def location(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The store of before, as the settings name it."""
    path = tmp_path / "store.db"
    path.write_bytes(gzip.decompress(OLD.read_bytes()))
    monkeypatch.setenv("REFLECTION_STORE", str(path))
    monkeypatch.setenv("REFLECTION_PROJECT", "shop")
    monkeypatch.setenv("REFLECTION_CONFIG", str(tmp_path / "none.toml"))
    (tmp_path / "none.toml").write_text("")
    return path


@requirement("errors:renewed")
@pytest.mark.usefixtures("location")
def test_the_doctor_says_what_is_old_and_renews_it_when_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    cli.main(["doctor", "--json"])
    notes = {line["name"]: line["value"] for line in json.loads(capsys.readouterr().out)}
    assert (
        notes["signatures"]
        == f"{ERRORS} errors stored by an earlier version; `doctor --rekey` updates them"
    )
    assert cli.main(["doctor", "--rekey"]) == 0
    said = capsys.readouterr()
    assert said.out == f"shop: {ERRORS} signatures updated\nglobal: 0 signatures updated\n"
    assert said.err == ""  # nobody watches
    assert cli.main(["doctor", "--rekey", "--json"]) == 0
    nothing = {"renewed": 0, "left": 0}
    assert json.loads(capsys.readouterr().out) == {"shop": nothing, "global": nothing}
    cli.main(["doctor", "--json"])
    assert "signatures" not in capsys.readouterr().out


@pytest.mark.usefixtures("location")
def test_errors_that_no_rule_reads_are_counted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable(row: StoredReflection) -> None:
        """Read no error in any text."""

    monkeypatch.setattr(signature_renewal, "renewal_change", unreadable)
    assert cli.main(["doctor", "--rekey"]) == 0
    left = f"shop: 0 signatures updated, {ERRORS} errors cannot be read by this version"
    assert left in capsys.readouterr().out


def test_errors_of_somebodys_own_are_renewed_with_those_of_the_project(
    location: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def kept() -> None:
        store = await open_store(str(location))
        scope = Scope(project="shop")
        await store.adopt(scope.of("ann"), await store.stored(scope))
        await store.close()

    anyio.run(kept)
    assert cli.main(["doctor", "--rekey"]) == 0
    said = capsys.readouterr().out
    assert f"shop@ann: {ERRORS} signatures updated\n" in said
    assert f"shop: {ERRORS} signatures updated\n" in said
