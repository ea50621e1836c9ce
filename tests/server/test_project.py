"""Which project a folder belongs to: one for all clones and worktrees, with no secret in it."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.server.project import (
    identify_project,
    normalise_remote,
    place_name,
    project_name,
)
from reflection_mcp.store.records import Scope
from reflection_mcp.tools.errors import InvalidInput
from tests.hostile import URLS, repeated
from tests.requirements import requirement
from tests.rows import each_row

SLUG = re.compile(r"[a-z0-9][a-z0-9._-]{0,54}-[0-9a-f]{8}")


def git_directory(folder: Path, config: str = "") -> Path:
    """A git directory as `git init --bare` makes it, as far as anyone reads it."""
    (folder / "objects").mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "config").write_text(config)
    return folder


def clone(folder: Path, url: str) -> Path:
    git_directory(folder / ".git", f'[remote "origin"]\n\turl = {url}\n')
    return folder


# ------------------------------------------------------------------------- ways to write a remote


@dataclass(frozen=True)
class Remote:
    """Several ways to write one remote, and its normal form. Origin: git's own manual, `git help
    clone`, and the addresses that the hosting services offer for copying."""

    normal: str
    written: tuple[str, ...]


REMOTES = (
    Remote(
        "github.com/acme/shop",
        (
            "https://github.com/acme/shop.git",
            "https://github.com/acme/shop",
            "https://github.com/acme/shop/",
            "https://github.com:443/acme/shop.git",
            "https://alice:ghp_0123456789abcdefghijABCDEFGHIJ012345@github.com/acme/shop.git",
            "https://x-access-token:to@ken@github.com/Acme/Shop.git",
            "http://GitHub.com/acme//shop.git",
            "https://www.github.com/acme/shop",
            "git@github.com:acme/shop.git",
            "github.com:acme/shop",
            "git@github.com:/acme/shop.git",
            "ssh://git@github.com/acme/shop.git",
            "ssh://git@github.com:22/acme/shop.git/",
            "SSH://git@ssh.github.com:443/acme/shop.git",
            "git+ssh://git@github.com/acme/shop.git",
            "git://github.com/acme/shop.git",
            "https://github.com./acme/shop.git?ref=main#readme",
        ),
    ),
    Remote(
        "git.example.org/Acme/Shop",
        (
            "https://git.example.org/Acme/Shop.git",
            "ssh://git@git.example.org:2222/Acme/Shop.git",
            "[git@git.example.org:2222]:Acme/Shop.git",
            "git@git.example.org:Acme/Shop",
            "https://git.example.org/Acme/Sh%6Fp.git",
            "aws::https://git.example.org/Acme/Shop.git",
        ),
    ),
    Remote("git.example.org:8443/acme/shop", ("https://git.example.org:8443/acme/shop.git",)),
    Remote("git.example.org/acme/shop", ("https://git.example.org/acme/shop",)),
    Remote("gitlab.com/acme/tools/shop", ("git@altssh.gitlab.com:acme/tools/shop.git",)),
    Remote(
        "dev.azure.com/acme/web/shop",
        (
            "https://acme@dev.azure.com/acme/web/_git/shop",
            "git@ssh.dev.azure.com:v3/acme/web/shop",
        ),
    ),
    Remote("::1/acme/shop", ("ssh://git@[::1]:22/acme/shop.git", "[::1]:acme/shop.git")),
    Remote("/srv/git/shop", ("/srv/git/shop.git", "file:///srv/git/shop.git", "git/shop.git")),
    Remote("/srv/[odd", ("[odd",)),
    Remote("/srv/a:b/c", ("./a:b/c",)),
    Remote("/srv", ("", "/srv/.git", "/srv/", "file:///srv")),
    Remote("/", ("/", "file:///")),
    Remote("/srv/C:\\shop", ("C:\\shop",)),
)


@each_row(
    ("normal", "written"),
    [(remote.normal, written) for remote in REMOTES for written in remote.written],
)
def test_every_way_to_write_a_remote_has_one_normal_form(normal: str, written: str) -> None:
    assert normalise_remote(written, Path("/srv")).removesuffix("/") == normal.removesuffix("/")


def test_different_repositories_keep_different_normal_forms() -> None:
    normal = [remote.normal for remote in REMOTES]
    assert len(set(normal)) == len(normal)


@given(st.text(max_size=200))
def test_no_remote_however_odd_is_too_odd(url: str) -> None:
    assert isinstance(normalise_remote(url, Path("/srv")), str)


@each_row("size", [64_000, 1_000_000])
@each_row("piece", URLS)
def test_a_remote_of_any_length_has_a_normal_form_no_longer_than_itself(
    piece: str, size: int
) -> None:
    url = repeated(piece, size)
    normal = normalise_remote(url, Path("/srv"))
    assert len(normal) <= len(url)
    assert normal.startswith({"https://a:": "a:https:/a:", "::": "/:"}.get(piece, "/srv"))


# ------------------------------------------------------------------------- finding the repository


@requirement("trace:scope")
def test_two_clones_by_different_protocols_are_one_project(tmp_path: Path) -> None:
    laptop = clone(tmp_path / "laptop", "https://alice:secret@github.com/acme/shop.git")
    server = clone(tmp_path / "server", "git@github.com:acme/shop.git")
    assert identify_project(laptop) == identify_project(server)
    assert identify_project(laptop).startswith("github.com-acme-shop-")


@requirement("trace:scope")
def test_two_repositories_are_two_projects(tmp_path: Path) -> None:
    shop = clone(tmp_path / "shop", "https://github.com/acme/shop.git")
    shops = clone(tmp_path / "shops", "https://github.com/acme/shops.git")
    same_slug = clone(tmp_path / "slug", "https://github.com/acme-shop.git")
    assert len({identify_project(folder) for folder in (shop, shops, same_slug)}) == 3


def test_a_folder_inside_a_repository_belongs_to_it(tmp_path: Path) -> None:
    repository = clone(tmp_path / "shop", "git@github.com:acme/shop.git")
    inner = repository / "src" / "cart"
    inner.mkdir(parents=True)
    assert identify_project(inner) == identify_project(repository)
    assert identify_project(repository / ".git" / "objects") == identify_project(repository)


def test_credentials_leave_no_trace_in_the_identity(tmp_path: Path) -> None:
    plain = clone(tmp_path / "plain", "https://git.example.org/acme/shop.git")
    token = clone(tmp_path / "token", "https://oauth2:s3cr3t-t0ken@git.example.org/acme/shop.git")
    assert identify_project(token) == identify_project(plain)
    assert "s3cr3t" not in identify_project(token)


@pytest.mark.parametrize("url", ["alice:s3cr3t@github.com:acme/shop", "https:/a:s3cr3t@b.org/shop"])
def test_credentials_in_a_misspelt_url_are_not_shown(url: str, tmp_path: Path) -> None:
    assert "s3cr3t" not in identify_project(clone(tmp_path / "shop", url))


def test_without_a_remote_all_worktrees_share_the_git_directory(tmp_path: Path) -> None:
    main = tmp_path / "shop"
    git_directory(main / ".git", '[core]\n\tbare = false\n[remote "upstream"]\n\turl = a:b\n')
    private = main / ".git" / "worktrees" / "feature"
    private.mkdir(parents=True)
    (private / "HEAD").write_text("ref: refs/heads/feature\n")
    (private / "commondir").write_text("../..\n")
    worktree = tmp_path / "feature"
    worktree.mkdir()
    (worktree / ".git").write_text(f"gitdir: {private}\n")
    assert identify_project(worktree) == identify_project(main)
    assert identify_project(main).startswith("shop-")


def test_worktrees_beside_a_hidden_bare_repository_share_it(tmp_path: Path) -> None:
    git_directory(tmp_path / "shop" / ".bare")
    (tmp_path / "shop" / ".git").write_text("gitdir: ./.bare\n")
    private = tmp_path / "shop" / ".bare" / "worktrees" / "main"
    private.mkdir(parents=True)
    (private / "HEAD").write_text("ref: refs/heads/main\n")
    (private / "commondir").write_text("../..\n")
    (tmp_path / "shop" / "main").mkdir()
    (tmp_path / "shop" / "main" / ".git").write_text("gitdir: ../.bare/worktrees/main\n")
    assert identify_project(tmp_path / "shop" / "main") == identify_project(tmp_path / "shop")
    assert identify_project(tmp_path / "shop").startswith("shop-")


def test_a_submodule_is_a_project_of_its_own(tmp_path: Path) -> None:
    outer = clone(tmp_path / "outer", "git@github.com:acme/outer.git")
    git_directory(
        outer / ".git" / "modules" / "lib", '[remote "origin"]\nurl = git@github.com:acme/lib.git\n'
    )
    (outer / "lib").mkdir()
    (outer / "lib" / ".git").write_text("gitdir: ../.git/modules/lib\n")
    assert identify_project(outer / "lib").startswith("github.com-acme-lib-")


def test_a_bare_repository_is_named_without_its_suffix(tmp_path: Path) -> None:
    assert identify_project(git_directory(tmp_path / "shop.git")).startswith("shop-")


def test_a_clone_of_a_local_repository_is_named_after_it(tmp_path: Path) -> None:
    git_directory(tmp_path / "upstream.git")
    absolute = clone(tmp_path / "one", str(tmp_path / "upstream.git"))
    relative = clone(tmp_path / "two", "../upstream.git")
    assert identify_project(absolute) == identify_project(relative)
    assert identify_project(absolute).startswith("upstream-")


def test_a_git_directory_that_is_a_link_is_the_one_it_leads_to(tmp_path: Path) -> None:
    git_directory(tmp_path / "main" / ".git")
    (tmp_path / "link").mkdir()
    (tmp_path / "link" / ".git").symlink_to(tmp_path / "main" / ".git")
    assert identify_project(tmp_path / "link") == identify_project(tmp_path / "main")


def test_an_empty_folder_called_git_is_walked_past(tmp_path: Path) -> None:
    outer = clone(tmp_path / "outer", "git@github.com:acme/outer.git")
    (outer / "inner" / ".git").mkdir(parents=True)
    assert identify_project(outer / "inner") == identify_project(outer)


@pytest.mark.parametrize("content", ["gitdir: /not/here/at/all\n", "gitdir: \0\n", "nonsense", ""])
def test_a_worktree_without_its_repository_stands_for_itself(content: str, tmp_path: Path) -> None:
    outer = clone(tmp_path / "outer", "git@github.com:acme/outer.git")
    (outer / "inner").mkdir()
    (outer / "inner" / ".git").write_text(content)
    assert identify_project(outer / "inner").startswith("inner-")


def test_a_folder_without_a_repository_is_named_after_itself(tmp_path: Path) -> None:
    (tmp_path / "a" / "notes").mkdir(parents=True)
    (tmp_path / "b" / "notes").mkdir(parents=True)
    first, second = (identify_project(tmp_path / name / "notes") for name in "ab")
    assert first.startswith("notes-")
    assert second.startswith("notes-")
    assert first != second


def test_the_name_of_a_persons_home_does_not_appear(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "alice"
    home.mkdir()
    monkeypatch.setattr(Path, "home", lambda: home)
    assert identify_project(home).startswith("home-")


def test_a_user_without_a_home_has_projects_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def homeless() -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", homeless)
    (tmp_path / "shop").mkdir()
    assert identify_project(tmp_path / "shop").startswith("shop-")


def test_the_root_of_the_file_system_has_an_identity() -> None:
    assert SLUG.fullmatch(identify_project(Path("/")))


def test_a_folder_that_is_not_there_has_an_identity(tmp_path: Path) -> None:
    assert identify_project(tmp_path / "gone").startswith("gone-")


def test_a_configuration_that_cannot_be_opened_counts_as_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = clone(tmp_path / "shop", "git@github.com:acme/shop.git")
    open_it = Path.open

    def denied(path: Path, mode: str = "r") -> object:
        if path.name == "config":
            raise PermissionError
        return open_it(path, mode)

    monkeypatch.setattr(Path, "open", denied)
    assert identify_project(repository).startswith("shop-")


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    repository = clone(tmp_path / "shop", "git@github.com:acme/shop.git")
    (repository / ".git" / "config").unlink()
    # A named pipe, or a folder where there are no named pipes.
    getattr(os, "mkfifo", os.mkdir)(repository / ".git" / "config")
    assert identify_project(repository).startswith("shop-")


# ------------------------------------------------------------------------- the configuration file


@dataclass(frozen=True)
class Config:
    """A git configuration and the remote in it. Origin: `git help config`, section Syntax."""

    text: str
    remote: str


CONFIGS = (
    Config('[remote "origin"]\n\turl = a.org:x\n', "a.org-x"),
    Config('[remote "origin"] url = a.org:x\n', "a.org-x"),
    Config('[REMOTE  "origin"]\r\n  URL=a.org:x\r\n', "a.org-x"),
    Config('[remote "origin"]\nurl = "a.org:x" ; the office\n', "a.org-x"),
    Config('[remote "origin"]\nurl = "a.org:x#1"\n', "a.org-x-1"),
    Config('[remote "origin"]\nurl = a.org:x # the office\n', "a.org-x"),
    Config('[remote "origin"]\nurl = a.org:\\\nx\n', "a.org-x"),
    Config('[remote "origin"]\nurl = a.org:\\"x\n', "a.org-x"),
    Config('[remote "origin"]\nurl = a.org:x\nurl = b.org:y\n', "a.org-x"),
    Config('[remote "origin"]\nurl =\npushurl = b.org:y\nurl = a.org:x\n', "a.org-x"),
    Config('# url = b.org:y\n[core]\nurl = c.org:z\n[remote "origin"]\nurl = a.org:x\n', "a.org-x"),
    Config('[remote "Origin"]\nurl = b.org:y\n', "shop"),
    Config(  # as git 2.39 writes it
        "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n"
        '[remote "origin"]\n\turl = https://alice:pw@a.org/x.git\n'
        '\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch "main"]\n\tremote = origin\n',
        "a.org-x",
    ),
    Config("[remote\nurl\n", "shop"),
    Config("", "shop"),
)


@pytest.mark.parametrize("row", CONFIGS, ids=lambda row: repr(row.text))
def test_the_configuration_is_read_as_git_reads_it(row: Config, tmp_path: Path) -> None:
    git_directory(tmp_path / "shop" / ".git", row.text)
    assert identify_project(tmp_path / "shop").rpartition("-")[0] == row.remote


# ------------------------------------------------------------------------- names


@given(st.text(min_size=1, max_size=120).filter(lambda name: "\n" not in name))
def test_every_identity_is_a_plain_name_that_may_be_passed_back(path: str) -> None:
    identity = identify_project(Path("/nowhere") / path.replace("\0", ""))
    assert SLUG.fullmatch(identity)
    assert project_name(identity) == identity


def test_the_end_of_a_long_name_is_kept(tmp_path: Path) -> None:
    long = clone(tmp_path / "a", f"https://git.example.org/{'group/' * 20}shop.git")
    assert len(identify_project(long)) <= 64
    assert "-group-shop-" in identify_project(long)


def test_a_name_in_another_script_still_has_an_identity(tmp_path: Path) -> None:
    (tmp_path / "プロジェクト").mkdir()
    assert identify_project(tmp_path / "プロジェクト").startswith("project-")


@each_row("name", ["shop", "Shop", " shop "])
def test_a_given_name_is_compared_without_case(name: str) -> None:
    assert project_name(name) == "shop"


@each_row("name", ["", " ", "a" * 65, "a b", "../etc", "-x", "ä", "a\nb", "a/b", "\0"])
def test_a_given_name_with_other_characters_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        project_name(name)
    assert "1 to 64" in refused.value.hint


WATCHED = """
import hashlib  # a library of Python, and no file of the project
import sys
from pathlib import Path
from reflection_mcp.server.project import identify_project

SHOWN = ("open", "os.listdir", "os.scandir", "os.exec", "os.posix_spawn", "os.fork",
         "subprocess.Popen", "socket.connect")
told = []
sys.addaudithook(lambda event, of: told.append(f"{event} {of[0]}") if event in SHOWN else None)
identify_project(Path(sys.argv[1]))
print(*told, sep="\\n")
"""


def test_identifying_a_project_reads_three_small_files_at_most_and_starts_nothing(
    tmp_path: Path,
) -> None:
    repository = clone(tmp_path / "shop", "git@github.com:acme/shop.git")
    linked = git_directory(repository / ".git" / "worktrees" / "linked")
    (linked / "commondir").write_text("../..\n")
    worktree = tmp_path / "linked"
    worktree.mkdir()
    (worktree / ".git").write_text(f"gitdir: {linked}\n")
    for home, read in (
        (repository, [repository / ".git" / "config"]),
        (worktree, [worktree / ".git", linked / "commondir", repository / ".git" / "config"]),
    ):
        deep = home / "a" / "b" / "c" / "d"
        deep.mkdir(parents=True)
        done = subprocess.run(
            [sys.executable, "-c", WATCHED, deep],
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=True,
        )
        assert done.stdout.splitlines() == [f"open {path}" for path in read]


@each_row(
    ("named", "place"),
    [("Shop", "shop"), (" shop ", "shop"), ("Shop@Ann", "shop@ann"), ("shop @ ann", "shop@ann")],
)
def test_a_place_is_a_project_or_what_is_somebodys_own_in_it(named: str, place: str) -> None:
    assert place_name(named) == place
    scope = Scope(project=place)
    assert scope == (scope.shared.of(scope.person) if "@" in named else scope.shared)


@each_row("named", ["@", "shop@", "@ann", "shop@ann@bob", "a/b@ann", "shop@a b"])
def test_a_place_of_nobody_or_of_two_cannot_be_named(named: str) -> None:
    with pytest.raises(InvalidInput, match="cannot be used"):
        place_name(named)
