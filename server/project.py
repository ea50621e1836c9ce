"""The identity of the project: the repository that the server was started in.

The rule: every clone and every worktree of one repository is one project, whichever way it was
cloned, and two repositories are never one. So the identity is, in this order,

1. the URL of the remote `origin` without what differs between clones of the same repository:
   scheme, user, password, port of ssh, `.git`, the case of the host;
2. the git common directory, which all worktrees of a repository share;
3. the folder itself.

The result is a readable name and a short hash, `github.com-acme-shop-1f3a9c2b`: no password, no
path of a user's home. The files of git are read directly, because starting a process costs more
than the whole of this and a host may start us with a PATH that has no git on it. `include` and
`insteadOf` are not followed. A file that cannot be read counts as missing.
"""

import os
import re
import stat
import time
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from reflection_mcp.tools.errors import InvalidInput

NAME_LENGTH = 64
"""The longest name of a project or tenant, in characters."""

NAME_RULE = f"1 to {NAME_LENGTH} letters, digits, '.', '_' or '-', beginning with a letter or digit"
"""The characters of such a name, for a message."""

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")
_OWNED_BY = "@"  # as in `store.records`, which is not loaded where a host only asks for lists
_HASH_LENGTH = 8
_CONFIG_BYTES = 1_000_000
_LONGEST_PATH = 4096  # PATH_MAX of Linux

SAME_HOST = {
    "www.github.com": "github.com",
    "ssh.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
    "ssh.dev.azure.com": "dev.azure.com",
}
"""Names of a host that serves the same repositories under another one."""

CASELESS_HOSTS = frozenset({"github.com", "gitlab.com", "bitbucket.org", "codeberg.org"})
"""Hosts on which `Acme/Shop` and `acme/shop` are one repository."""

_DEFAULT_PORTS = {"http": "80", "https": "443"}


def identify_project(start: Path) -> str:
    """The project that the folder `start` belongs to, as `name-hash`, at most 64 characters.

    Never raises: what cannot be read is left out, and in the end the folder itself is named.
    """
    folder = Path(os.path.realpath(start))
    repository = _find_repository(folder)
    if repository is None:
        return _slug(_folder_name(folder), f"folder:{_comparable(folder)}")
    remote = _origin(repository)
    if remote is not None:
        label = _folder_name(Path(remote)) if Path(remote).is_absolute() else remote
        # In a misspelt URL git takes a password for a part of the path; it is not for showing.
        return _slug(label.rpartition("@")[2], f"remote:{remote}")
    return _slug(_folder_name(repository.home), f"git:{_comparable(repository.common)}")


def project_name(name: str) -> str:
    """A name that a person or a caller gave to a project or a tenant, in lower case.

    `global` is a name like any other here; as a project it means the memory that every project of
    the same tenant can read.

    Raises:
        InvalidInput: empty, too long, or with a character that is not allowed.
    """
    lowered = name.strip().lower()
    if len(lowered) <= NAME_LENGTH and _NAME.fullmatch(lowered):
        return lowered
    raise InvalidInput(
        "the name of a project or tenant cannot be used",
        f"pass {NAME_RULE}",
    )


def place_name(name: str) -> str:
    """A project as a person or a caller named it, or as `PROJECT@PERSON` what is that person's own
    in it, in lower case.

    Raises:
        InvalidInput: as `project_name`.
    """
    project, owned, person = name.partition(_OWNED_BY)
    return project_name(project) + (f"{_OWNED_BY}{project_name(person)}" if owned else "")


# ------------------------------------------------------------------------- finding the repository


def repository_root(start: Path) -> Path | None:
    """The nearest folder around `start` that is a working tree of git, None outside of one."""
    folder = Path(os.path.realpath(start))
    around = (folder, *folder.parents)
    found = (one for one in around if os.path.lexists(one / ".git"))
    return next((one for one in found if one not in (Path(one.anchor), _user_home())), None)


def _user_home() -> Path | None:
    try:
        return Path.home()
    except RuntimeError:  # a user without a home
        return None


@dataclass(frozen=True, slots=True)
class _Repository:
    """`common` is the directory that all worktrees share; `home` is the folder to name it after."""

    common: Path
    home: Path


def _find_repository(start: Path) -> _Repository | None:
    """The repository around `start`, looked for in the way git does it: upwards, nearest first."""
    for folder in (start, *start.parents):
        marker = folder / ".git"
        if _exists(marker, stat.S_ISREG):
            return _from_git_file(marker)
        for candidate in (marker, folder):
            if _is_git_directory(candidate):
                common = Path(os.path.realpath(candidate))
                return _Repository(common, _home_of(common))
    return None


def _is_git_directory(folder: Path) -> bool:
    # An empty folder called .git is no repository; git walks past it, and so do we.
    return _exists(folder / "HEAD", stat.S_ISREG) and _exists(folder / "objects", stat.S_ISDIR)


def _from_git_file(marker: Path) -> _Repository:
    """Return the folder that a worktree's or a submodule's `.git` file names as `gitdir: PATH`.

    When it leads nowhere, as for a worktree mounted into a container without its repository, the
    folder itself is the project: an outer repository is certainly another project.
    """
    folder = marker.parent
    key, _, value = _read(marker).partition(":")
    git_directory = _joined(folder, value.strip()) if key.strip() == "gitdir" else None
    if git_directory is None or not _exists(git_directory / "HEAD", stat.S_ISREG):
        return _Repository(marker, folder)
    common = _joined(git_directory, _read(git_directory / "commondir").strip()) or git_directory
    return _Repository(common, _home_of(common))


def _home_of(git_directory: Path) -> Path:
    """The folder a repository is known by: the main worktree, or the bare repository itself.

    It follows from the git directory alone, so that every worktree gives the same one.
    """
    if git_directory.name.startswith("."):  # .git, or .bare beside the worktrees
        return git_directory.parent
    return git_directory.parent / git_directory.name.removesuffix(".git")


def _joined(folder: Path, path: str) -> Path | None:
    if not path or "\0" in path or len(path) > _LONGEST_PATH:
        return None
    return Path(os.path.realpath(folder / path))


def _exists(path: Path, kind: Callable[[int], bool]) -> bool:
    """Return True if there is a file or folder of this kind that we may read."""
    try:
        return kind(path.stat().st_mode)
    except OSError:
        return False


def _read(path: Path) -> str:
    if not _exists(path, stat.S_ISREG):  # opening a named pipe would wait for ever
        return ""
    try:
        with path.open("rb") as file:
            return os.fsdecode(file.read(_CONFIG_BYTES))
    except OSError:
        return ""


# ------------------------------------------------------------------------- reading the remote


def _origin(repository: _Repository) -> str | None:
    """The normalised URL of `origin`, as `host/path`, or None when there is none."""
    for section, key, value in _settings(_read(repository.common / "config")):
        if section == 'remote "origin"' and key == "url" and value:
            return normalise_remote(value, repository.home)
    return None


def _settings(config: str) -> Iterator[tuple[str, str, str]]:
    """Section, key and value of every line of a git configuration file, in order."""
    section = ""
    for line in config.replace("\r\n", "\n").replace("\\\n", "").split("\n"):
        rest = line.strip()
        if rest.startswith("["):
            header, _, rest = rest[1:].partition("]")
            kind, _, name = header.strip().partition(" ")
            section = f"{kind.lower()} {name.strip()}".strip()
        key, equals, value = rest.partition("=")
        if equals:
            yield section, key.strip().lower(), _unquoted(value.strip())


def _unquoted(value: str) -> str:
    """A value without its quotes, escapes and trailing comment."""
    kept: list[str] = []
    quoted = False
    characters = iter(value)
    for character in characters:
        if character == "\\":
            kept.append(next(characters, ""))
        elif character == '"':
            quoted = not quoted
        elif character in "#;" and not quoted:
            break
        else:
            kept.append(character)
    return "".join(kept).strip()


def normalise_remote(url: str, base: Path) -> str:
    """The repository that a remote URL names, as `host/path`, the same for every way to write it.

    A remote on the same machine gives its path, resolved against `base` when it is relative.
    """
    helper, double_colon, address = url.partition("::")
    if double_colon and helper.isalnum():
        url = address
    scheme, separator, rest = url.partition("://")
    if not separator:
        return _scp_like(url) or _local(url, base)
    scheme = scheme.lower()
    if scheme == "file":
        return _local(unquote(rest), base)
    rest = rest.partition("?")[0].partition("#")[0]
    authority, _, path = rest.partition("/")
    host, port = _host_and_port(authority)
    # The port of ssh says nothing about the repository; one of http may be another server.
    if scheme in _DEFAULT_PORTS and port not in ("", _DEFAULT_PORTS[scheme]):
        host = f"{host}:{port}"
    return _joined_remote(host, unquote(path))


def _scp_like(url: str) -> str | None:
    """Return `user@host:path` as `host/path`; None for a path of this machine, by git's own
    rule."""
    if url.startswith("["):
        authority, bracket, path = url[1:].partition("]:")
        return _joined_remote(_host_and_port(authority)[0], path) if bracket else None
    authority, colon, path = url.partition(":")
    drive_letter = len(authority) == 1
    if not colon or drive_letter or "/" in authority or "\\" in authority:
        return None
    return _joined_remote(_host_and_port(authority)[0], path)


def _host_and_port(authority: str) -> tuple[str, str]:
    """Host in lower case and port; everything up to the last `@` is credentials and is dropped."""
    host = authority.rpartition("@")[2].lower()
    if host.startswith("["):
        address, _, port = host[1:].partition("]")
        return address, port.removeprefix(":")
    if host.count(":") > 1:  # an IPv6 address that stood in brackets
        return host, ""
    name, _, port = host.partition(":")
    return name.rstrip("."), port


def _joined_remote(host: str, path: str) -> str:
    if host in SAME_HOST:
        host = SAME_HOST[host]
    parts = [part for part in path.strip().split("/") if part]
    if host == "dev.azure.com":
        # By ssh v3/organisation/project/repository, by https organisation/project/_git/repository.
        parts = [part for part in parts if part not in ("v3", "_git")]
    joined = "/".join(parts).removesuffix(".git")
    return f"{host}/{joined.lower() if host in CASELESS_HOSTS else joined}"


def _local(path: str, base: Path) -> str:
    where = _joined(base, path) or base
    return _comparable(where.parent / where.name.removesuffix(".git"))


# ------------------------------------------------------------------------- naming it


def _comparable(path: Path) -> str:
    return os.path.normcase(path)


def _folder_name(folder: Path) -> str:
    try:
        # The name of a home folder is the name of a person.
        return "home" if folder == Path.home() else folder.name
    except RuntimeError:  # a user without a home
        return folder.name


def _slug(label: str, identity: str) -> str:
    """Return `label` in plain characters, its end kept when it is long, and a hash of
    `identity`."""
    import hashlib  # loads a library that takes longer than all else of a start

    plain = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode().lower()
    name = re.sub(r"[^a-z0-9._]+", "-", plain)[-(NAME_LENGTH - _HASH_LENGTH - 1) :].strip("-._")
    digest = hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{name or 'project'}-{digest[:_HASH_LENGTH]}"


# ------------------------------------------------------------------------- its files

MOST_FILES = 20_000
LISTING_SECONDS = 0.15
NOT_SOURCES = frozenset(
    """.git .hg .svn node_modules .venv venv __pycache__ .tox .mypy_cache .pytest_cache
    .ruff_cache .idea target dist build .next vendor""".split()
)
"""Folders that hold what was fetched or made; answers that name what is in them are left alone."""


def project_files(
    root: Path,
    *,
    most: int = MOST_FILES,
    patience: float = LISTING_SECONDS,
    seconds: Callable[[], float] = time.monotonic,
) -> frozenset[str] | None:
    """Return the paths of all files below a folder, from it, with `/` between their parts.

    Names only: nothing is opened, and no link is followed out of the folder.

    Args:
        root: the folder.
        most: files and folders that are listed at most.
        patience: seconds that it may take.
        seconds: a clock.

    Returns:
        None when there are more, when it takes longer, or when a folder cannot be read.
    """
    begun = seconds()
    found: set[str] = set()
    folders = [""]
    while folders:
        if len(found) + len(folders) > most or seconds() - begun > patience:
            return None
        folder = folders.pop()
        try:
            with os.scandir(root / folder) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        if entry.name not in NOT_SOURCES:
                            folders.append(f"{folder}{entry.name}/")
                    else:
                        found.add(f"{folder}{entry.name}")
        except OSError:
            return None
    return frozenset(found)
