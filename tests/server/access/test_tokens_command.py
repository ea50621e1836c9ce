"""`reflection-mcp tokens`."""

import json
from pathlib import Path

import pytest

from reflection_mcp.server import cli
from reflection_mcp.server.access.token_file import TokenFile, digest_of
from tests.requirements import requirement

pytestmark = pytest.mark.usefixtures("beside")


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFLECTION_STORE", str(tmp_path / "store.db"))


@requirement("access:token-file")
def test_a_token_is_printed_once_and_then_known_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["tokens", "add", "Ann", "--tenant", "acme"]) == 0
    made = capsys.readouterr()
    token = made.out.strip()
    assert token.startswith("rmt_")
    assert token not in made.err
    assert "writer ann of tenant acme" in made.err
    (row,) = TokenFile(tmp_path / "tokens.toml").rows()
    assert row.digest == digest_of(token)
    assert cli.main(["tokens", "list"]) == 0
    told = capsys.readouterr().out
    assert told.split()[4:] == ["ann", "acme", "writer", "never"]
    assert row.digest not in told
    assert not (tmp_path / "store.db").exists()


def test_programs_get_json(capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["tokens", "add", "ann", "--days", "30", "--role", "reader", "--json"])
    made = json.loads(capsys.readouterr().out)
    assert made.keys() == {"name", "tenant", "role", "expires", "token"}
    assert (made["name"], made["tenant"], made["role"]) == ("ann", "default", "reader")
    assert made["expires"].endswith("Z")
    cli.main(["tokens", "list", "--json"])
    (row,) = json.loads(capsys.readouterr().out)
    assert row == {name: value for name, value in made.items() if name != "token"}
    cli.main(["tokens", "revoke", "ann", "--json"])
    assert json.loads(capsys.readouterr().out) == {"revoked": "ann"}


def test_a_token_that_is_over_is_listed_as_such(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cli.main(["tokens", "add", "ann", "--days", "1"])
    path = tmp_path / "tokens.toml"
    path.write_text(path.read_text().replace("expires = 20", "expires = 19"))
    capsys.readouterr()
    cli.main(["tokens", "list"])
    assert capsys.readouterr().out.strip().endswith("Z, expired")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["add"], "no name: pass one: reflection-mcp tokens add NAME"),
        (["revoke", "bob"], "there is no token with that name"),
        (["add", "a b"], "the name of a project or tenant cannot be used"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_line(
    arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["tokens", *arguments]) == 2
    assert why in capsys.readouterr().err


def test_revoking_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["tokens", "add", "ann"])
    capsys.readouterr()
    assert cli.main(["tokens", "revoke", "ann"]) == 0
    assert capsys.readouterr().out == "revoked: ann\n"
