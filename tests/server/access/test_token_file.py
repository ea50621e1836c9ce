"""The file of tokens: what it holds, who may read it, and when it lets somebody in."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from reflection_mcp.server.access import token_file
from reflection_mcp.server.access.token_file import (
    FileVerifier,
    TokenFile,
    digest_of,
    local_row,
    principal_named,
    token_path,
)
from reflection_mcp.server.settings.places import data_folder
from reflection_mcp.server.settings.private_file import write_private
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.tools.errors import InvalidInput
from reflection_mcp.tools.ports import silent
from tests.requirements import requirement

pytestmark = pytest.mark.anyio

AT = datetime(2026, 11, 21, 12, tzinfo=UTC)
ANN = principal_named("ann", "acme", "writer")


@pytest.fixture
def file(tmp_path: Path) -> TokenFile:
    return TokenFile(tmp_path / "new" / "tokens.toml")


def verifier(file: TokenFile, at: datetime = AT) -> FileVerifier:
    return FileVerifier(file, lambda: at, silent)


@requirement("access:token-file")
async def test_a_token_is_kept_as_a_digest_that_only_its_owner_can_read(file: TokenFile) -> None:
    token = file.add(ANN, AT + timedelta(days=1, microseconds=5))
    assert token.startswith("rmt_")
    assert len(token) == len("rmt_") + 43
    assert token[4:] not in file.path.read_text()
    assert digest_of(token) in file.path.read_text()
    assert file.path.stat().st_mode & 0o777 == 0o600
    assert file.path.parent.stat().st_mode & 0o777 == 0o700
    (row,) = file.rows()
    assert (row.principal, row.expires) == (ANN, AT + timedelta(days=1))
    granted = await verifier(file).verify_token(token)
    assert granted is not None
    assert (granted.principal, granted.subject, granted.token) == (ANN, "ann", "")


async def test_a_token_ends_when_it_expires_or_is_revoked(file: TokenFile) -> None:
    token = file.add(ANN, AT)
    assert await verifier(file, AT - timedelta(seconds=1)).verify_token(token)
    assert await verifier(file, AT).verify_token(token) is None
    endless = file.add(principal_named("bob", "acme", "reader"), None)
    running = verifier(file)
    assert await running.verify_token(endless)
    file.revoke("bob")
    assert await running.verify_token(endless) is None
    assert [row.principal.name for row in file.rows()] == ["ann"]


async def test_what_is_no_token_is_refused_whatever_it_holds(file: TokenFile) -> None:
    file.add(ANN, None)
    for wrong in ("", "rmt_", "\udcff", digest_of("x"), file.rows()[0].digest, "é" * 9_000):
        assert await verifier(file).verify_token(wrong) is None


@requirement("access:token-file")
async def test_a_file_that_others_may_read_lets_nobody_in(file: TokenFile) -> None:
    token = file.add(ANN, None)
    heard: list[str] = []
    running = FileVerifier(file, lambda: AT, lambda event, facts: heard.append(event))
    assert await running.verify_token(token)
    for mode in (0o640, 0o604, 0o660):
        file.path.chmod(mode)
        assert await running.verify_token(token) is None
        with pytest.raises(InvalidInput, match="others may read"):
            file.rows()
        with pytest.raises(InvalidInput, match="others may read"):
            file.add(principal_named("bob", "acme", "writer"), None)
    assert heard == ["tokens_unavailable"] * 3
    file.path.chmod(0o600)
    assert await running.verify_token(token)


async def test_without_a_file_nobody_is_let_in(file: TokenFile) -> None:
    assert await verifier(file).verify_token("rmt_x") is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[[token]", "Expected"),
        ("token = 1", "iterable"),
        ("token = [1]", "subscriptable"),
        ('[[token]]\ntenant = "a"\ndigest = "b"', "name is missing"),
        ('[[token]]\nname = "a b"\ntenant = "a"\ndigest = "D"', "name of a project or tenant"),
        ('[[token]]\nname = 1\ntenant = "a"\ndigest = "D"', "'int' object"),
        ('[[token]]\nname = "a"\ntenant = "a"\ndigest = "D"\nrole = "boss"', "a role is one of"),
        ('[[token]]\nname = "a"\ntenant = "a"\ndigest = "secret"', "a digest is 64 hex digits"),
        (
            '[[token]]\nname = "a"\ntenant = "a"\ndigest = "D"\nexpires = "soon"',
            "expires at a time",
        ),
        (
            '[[token]]\nname = "a"\ntenant = "a"\ndigest = "D"\n' * 2,
            "two tokens with the same name",
        ),
    ],
)
async def test_a_file_that_does_not_say_what_it_has_to_is_refused_with_the_reason(
    file: TokenFile, text: str, why: str
) -> None:
    file.path.parent.mkdir()
    write_private(file.path, text.replace('"D"', f'"{digest_of("t")}"'))
    with pytest.raises(InvalidInput, match=why) as refused:
        file.rows()
    assert "secret" not in refused.value.message
    assert await verifier(file).verify_token("t") is None


async def test_a_file_written_by_hand_may_leave_role_and_zone_out(file: TokenFile) -> None:
    file.path.parent.mkdir()
    own = f'[[token]]\nname = "a"\ntenant = "t"\ndigest = "{digest_of("t")}"\nexpires = '
    write_private(file.path, own + "2026-12-01T00:00:00\n")
    (row,) = file.rows()
    assert (row.principal.role, row.expires) == ("writer", datetime(2026, 12, 1, tzinfo=UTC))
    granted = await verifier(file).verify_token("t")
    assert granted is not None
    assert granted.expires_at == int(datetime(2026, 12, 1, tzinfo=UTC).timestamp())


def test_a_name_has_one_token_and_what_is_not_there_is_not_revoked(file: TokenFile) -> None:
    with pytest.raises(InvalidInput, match="no token with that name") as refused:
        file.revoke("ann")
    assert refused.value.hint == "has none"
    file.add(ANN, None)
    with pytest.raises(InvalidInput, match="there is already a token named ann"):
        file.add(ANN, None)
    with pytest.raises(InvalidInput) as refused:
        file.revoke("bob")
    assert refused.value.hint == "has ann"


ADD_TEN = """
import sys
from pathlib import Path
from reflection_mcp.server.access.token_file import TokenFile, principal_named
path, name = sys.argv[1:]
for number in range(10):
    TokenFile(Path(path)).add(principal_named(f"{name}{number}", "acme", "writer"), None)
"""


@pytest.mark.slow
@requirement("access:token-file")
def test_adding_at_once_loses_nothing(file: TokenFile) -> None:
    adding = [
        subprocess.Popen([sys.executable, "-c", ADD_TEN, str(file.path), name]) for name in "ab"
    ]
    assert [one.wait(60) for one in adding] == [0, 0]
    names = {row.principal.name for row in file.rows()}
    assert names == {f"{name}{number}" for name in "ab" for number in range(10)}
    assert {each.name for each in file.path.parent.iterdir()} == {"tokens.toml", "tokens.toml.lock"}


def test_where_the_system_has_no_locks_tokens_are_added_all_the_same(
    file: TokenFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reflection_mcp.store.sqlite.process_lock.flock", lambda: None)
    assert file.add(ANN, None)


def test_a_file_that_cannot_be_read_or_written_is_told_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InvalidInput, match="cannot be read: is a directory"):
        TokenFile(tmp_path).rows()
    (tmp_path / "tokens.toml").write_bytes(b"\xff")
    (tmp_path / "tokens.toml").chmod(0o600)
    with pytest.raises(InvalidInput, match="cannot be read: not utf-8"):
        TokenFile(tmp_path / "tokens.toml").rows()
    (tmp_path / "file").touch()
    with pytest.raises(InvalidInput, match="cannot be written"):
        TokenFile(tmp_path / "file" / "tokens.toml").add(ANN, None)

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InvalidInput, match="no space left"):
        TokenFile(tmp_path / "other.toml").add(ANN, None)
    assert not list(tmp_path.glob(".other*"))


def test_tokens_are_where_the_setting_says_or_beside_the_store(tmp_path: Path) -> None:
    assert token_path(Settings(tokens=tmp_path / "t")) == tmp_path / "t"
    assert token_path(Settings(store="/kept/r.db")) == Path("/kept/tokens.toml")
    assert token_path(Settings(store="postgresql://h/d")) == data_folder() / "tokens.toml"


@requirement("access:token-file")
async def test_the_token_of_the_servers_own_user_is_made_once(tmp_path: Path) -> None:
    settings = Settings(store=str(tmp_path / "store.db"), tenant="acme")
    path, row = local_row(settings)
    assert path.stat().st_mode & 0o777 == 0o600
    assert row.digest == digest_of(path.read_text().strip())
    assert (row.principal.name, row.principal.tenant, row.principal.role) == (
        "local", "acme", "admin",
    )  # fmt: skip
    assert local_row(settings) == (path, row)
    file = TokenFile(token_path(settings))
    running = FileVerifier(file, lambda: AT, silent, (row,))
    assert await running.verify_token(path.read_text().strip())
    path.chmod(0o644)
    with pytest.raises(InvalidInput, match="others may read"):
        local_row(settings)
    assert token_file.LOCAL == "local"
