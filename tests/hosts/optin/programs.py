"""Programs from outside, installed where nothing of the user's is touched, and run in clean homes.

Everything lies below one folder (`REFLECTION_OUTSIDE`, else in the temporary folder), and what is
there is not fetched again. Node comes from npm too, because most machines have an older one.

Two test processes may need the same program, and an installation may be interrupted: each takes a
lock, installs aside, and renames the folder when it is whole.
"""

import fcntl
import io
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import wave
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

OUTSIDE = Path(
    os.environ.get("REFLECTION_OUTSIDE") or Path(tempfile.gettempdir(), "reflection-mcp-outside")
)
ROOT = Path(__file__).parents[3]
NODE = "node@24"
INSTALLING_S, RUNNING_S = 900, 180


def npm(package: str, version: str) -> Path:
    """The folder of an npm package, installed with its own dependencies."""

    def install(folder: Path) -> None:
        words = ["npm", "--prefix", str(folder), "install", "--no-audit", "--no-fund"]
        _must([*words, f"{package}@{version}", NODE], INSTALLING_S)

    name = f"{package.rpartition('/')[2]}-{version}"
    return installed(OUTSIDE / name, install) / "node_modules" / package


def python_with(*requirements: str) -> str:
    """A Python with these packages and no other."""

    def install(folder: Path) -> None:
        words = ["uv", "venv", "--quiet", "--relocatable", "--allow-existing", "--python", "3.11"]
        _must([*words, str(folder)], INSTALLING_S)
        words = ["uv", "pip", "install", "--quiet", "--python", str(folder / "bin" / "python")]
        _must([*words, *requirements], INSTALLING_S)

    name = re.sub(r"[^\w.]+", "-", "python-" + "-".join(requirements))
    return str(installed(OUTSIDE / name, install) / "bin" / "python")


def installed(folder: Path, install: Callable[[Path], None]) -> Path:
    """The folder, after `install` has filled it once; others that ask meanwhile wait."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(folder.name + ".lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # released by the end of the process, too
        if not folder.exists():
            aside = folder.with_name(folder.name + ".incomplete")
            shutil.rmtree(aside, ignore_errors=True)
            aside.mkdir()
            install(aside)
            aside.rename(folder)
    return folder


def program(package: str, version: str, name: str) -> list[str]:
    """The command that runs a program of an npm package under a recent Node."""
    scripts = npm(package, version).parent
    while scripts.name != "node_modules":
        scripts = scripts.parent
    return [str(scripts / ".bin" / "node"), str((scripts / ".bin" / name).resolve())]


def run(
    words: Sequence[str], home: Path, environment: Mapping[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run a program with an environment of its own: an empty home, a PATH, and what is passed."""
    clean = {"HOME": str(home), "PATH": os.environ["PATH"], "MCP_INSPECTOR_SECRET_STORE": "memory"}
    return subprocess.run(
        words,
        cwd=home,
        env={**clean, **(environment or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=RUNNING_S,
        check=False,
    )


def our_server(home: Path) -> tuple[list[str], dict[str, str]]:
    """How to start our server on a store in this home."""
    environment = {
        "REFLECTION_STORE": str(home / "store.db"),
        "REFLECTION_PROJECT": "check",
        "REFLECTION_EVALUATOR": "caller",
    }
    return [sys.executable, "-m", "reflection_mcp.server"], environment


def _must(words: Sequence[str], limit: int) -> None:
    done = subprocess.run(words, capture_output=True, text=True, timeout=limit, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


def png() -> bytes:
    """The smallest picture: one red pixel."""
    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(b"\0\xff\0\0")), (b"IEND", b""))
    parts = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def wav() -> bytes:
    """The shortest sound: one silent sample."""
    stream = io.BytesIO()
    with wave.open(stream, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(b"\0\0")
    return stream.getvalue()
