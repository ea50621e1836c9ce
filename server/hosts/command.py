"""The work of `reflection-mcp install`, apart from parsing words and printing."""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from reflection_mcp.server.hosts import configuration
from reflection_mcp.server.hosts.catalog import (
    BY_KEY,
    HOSTS,
    Host,
    hooks_file,
    project_file,
    user_file,
)
from reflection_mcp.server.hosts.launch import NAME, PUBLISHED, Launch, this_launch
from reflection_mcp.server.hosts.remote import Remote, remote_at
from reflection_mcp.tools.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Output:
    """The output of a command: data for stdout, and messages for stderr."""

    data: str
    talk: str


def chosen(host: str | None, *, everywhere: bool) -> Sequence[str]:
    """The keys of the hosts that are meant: the one named, all that are found, or the answer of
    a person who is asked.

    Raises:
        InvalidInput: none is named and none is found, or nobody is there to be asked.
    """
    if host is not None:
        if everywhere:
            raise InvalidInput("both a HOST and --all were passed", "pass only one of them")
        return (host,)
    hosts = found_hosts()
    if not hosts:
        every = ", ".join(BY_KEY)
        raise InvalidInput("no assistant was found on this machine", f"pass a HOST: {every}")
    keys = [each.key for each in hosts]
    if everywhere:
        return keys
    listed = ", ".join(f"{each.name} ({each.key})" for each in hosts)
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise InvalidInput(f"found: {listed}", "pass one of these names, or --all")
    print(f"Found: {listed}.\nWhich one? Type a name, or `all`: ", end="", file=sys.stderr)
    sys.stderr.flush()
    answer = sys.stdin.readline().strip().lower()
    if answer == "all":
        return keys
    if answer not in BY_KEY:
        raise InvalidInput("nothing was changed", "type one of the names in brackets, or `all`")
    return (answer,)


def found_hosts() -> Sequence[Host]:
    """The hosts that have a configuration, or a folder for one, in the home of the user."""
    home = _home()
    found: list[Host] = []
    for host in HOSTS:
        file = user_file(host, sys.platform, os.environ, home)
        folder = file.parents[host.depth]
        if file.is_file() or (folder != home and folder.is_dir()):
            found.append(host)
    return found


def carry_out(key: str, wish: argparse.Namespace) -> Output:
    """Do what the words of the command line say, for one host.

    Raises:
        InvalidInput: it cannot be done; nothing was changed.
    """
    host = BY_KEY[key]
    if wish.token_env and not wish.url:
        raise InvalidInput("--token-env was passed without --url", "add --url URL")
    if wish.plugin is not None or wish.bundle is not None:
        if wish.url:
            raise InvalidInput(
                "--plugin and --bundle start a server on this machine", "leave out --url"
            )
        return _build(key, wish)
    file = _file(host, wish.in_repository)
    # A file of a repository is read on other machines too, where our absolute path means nothing.
    launch = _remote(wish) if wish.url else PUBLISHED if wish.in_repository else this_launch()
    hooks = _hooks(host, launch, wish)
    server = configuration.server_of(host, launch)
    if wish.show:
        return _shown(host, file, server, hooks)
    apply = configuration.uninstall if wish.uninstall else configuration.install
    if hooks is None or hooks[0] == file:
        additions: list[configuration.Addition] = [server, *([hooks[1]] if hooks else [])]
        name = f"{NAME} and the hooks" if hooks and not wish.uninstall else NAME
        return Output("", _report(apply(file, additions), host, launch, name))
    lines = [_report(apply(file, [server]), host, launch)]
    try:
        done = apply(hooks[0], [hooks[1]])
    except InvalidInput as refused:  # the server is in: it works without hooks
        lines.insert(0, f"The hooks were not changed: {refused.message}: {refused.hint}.")
    else:
        lines.insert(0, REPORTS[done.done].format(name="the hooks", file=done.file))
    return Output("", "\n".join(lines))


Hooks = tuple[Path, configuration.HooksAddition]


def _hooks(host: Host, launch: Launch | Remote, wish: argparse.Namespace) -> Hooks | None:
    """The hooks of a host, and their file; None if there are none to add or remove. They need a
    store on this machine and a command that starts at once. Removing the server removes them,
    too."""
    file = hooks_file(host, os.environ, _home())
    if file is None or wish.in_repository or isinstance(launch, Remote):
        return None
    if wish.without_hooks and not wish.uninstall:
        return None
    return file, configuration.HooksAddition(host.key, launch)


def _shown(
    host: Host, file: Path, server: configuration.ServerAddition, hooks: Hooks | None
) -> Output:
    """Return what would be added: a document for each file."""
    text, talk = server.added(""), f"for {host.name}, in {file}"
    if hooks and hooks[0] == file:
        text = hooks[1].added(text)
    elif hooks:
        text += hooks[1].added("")
        talk += f"; the hooks, in {hooks[0]}"
    return Output(text, talk)


def _remote(wish: argparse.Namespace) -> Remote:
    """The server elsewhere; a file of a repository also says which project its calls are about."""
    from reflection_mcp.server.project import identify_project

    project = identify_project(Path.cwd()) if wish.in_repository else ""
    return remote_at(wish.url, wish.token_env, project)


def _file(host: Host, in_repository: bool) -> Path:
    if not in_repository:
        return user_file(host, sys.platform, os.environ, _home())
    file = project_file(host, Path.cwd())
    if file is None:
        raise InvalidInput(
            f"{host.name} has no configuration file for a repository", "leave out --project"
        )
    return file


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError as error:
        raise InvalidInput("the user's home folder is not known", "set HOME") from error


def _report(
    changed: configuration.Changed, host: Host, launch: Launch | Remote, name: str = NAME
) -> str:
    lines = [REPORTS[changed.done].format(name=name, file=changed.file)]
    if changed.backup is not None:
        lines.append(f"Backup: {changed.backup}")
    if changed.done == "added":
        if isinstance(launch, Launch):
            lines.append(f"It runs: {' '.join(launch.words)}")
        else:
            lines += _reached(launch)
        lines.append(f"Next: {host.then}.")
    return "\n".join(lines)


def _reached(remote: Remote) -> Sequence[str]:
    asks = f"It asks: {remote.url}"
    if not remote.variable:
        return (asks, "Without --token-env the host signs in with OAuth.")
    unset = "" if os.environ.get(remote.variable) else ", which is not set here"
    return (asks, f"The token: in the variable {remote.variable}{unset}.")


REPORTS: Mapping[configuration.Done, str] = {
    "added": "Added {name} to {file}.",
    "already there": "{file} already has {name}; nothing was changed.",
    "removed": "Removed {name} from {file}.",
    "not there": "{file} has no {name}; nothing was changed.",
}


def _build(key: str, wish: argparse.Namespace) -> Output:
    if wish.plugin is not None:
        if key != "claude-code":
            raise InvalidInput("the plugin is for Claude Code only", "pass claude-code as HOST")
        from reflection_mcp.server.hosts.plugin import plugin_files

        written = write_folder(wish.plugin, plugin_files(this_launch()))
        return Output("", f"{len(written)} files written. Next: claude --plugin-dir {wish.plugin}")
    assert wish.bundle is not None
    if key != "claude-desktop":
        raise InvalidInput("the bundle is for Claude Desktop only", "pass claude-desktop as HOST")
    from reflection_mcp.server.hosts.bundle import release_files

    written = write_folder(wish.bundle, release_files())
    return Output("".join(f"{path}\n" for path in written), "Next: open the .mcpb file.")


def write_folder(folder: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Write files, named by their path from the folder; returns where they are.

    Raises:
        InvalidInput: the folder holds other files, or cannot be written.
    """
    try:
        there = (path for path in folder.rglob("*") if path.is_file())
        strangers = {path.relative_to(folder).as_posix() for path in there} - set(files)
        if strangers:
            raise InvalidInput(
                f"{folder} holds other files, such as {min(strangers)}", "name an empty folder"
            )
        written: list[Path] = []
        for name, content in files.items():
            path = folder / PurePosixPath(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            written.append(path)
    except OSError as error:
        raise InvalidInput(f"{folder} cannot be written", str(error.strerror)) from error
    return written
