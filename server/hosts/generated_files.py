"""Writes a folder of generated files, and refuses to write over anything else."""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from reflection_mcp.tools.errors import InvalidInput


def write_folder(folder: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Write files, named by their path from the folder; returns where they are.

    Raises:
        InvalidInput: the folder holds other files, or cannot be written.
    """
    try:
        strangers = _there(folder) - set(files)
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


def _there(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
