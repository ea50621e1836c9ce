"""Programs for the opt-in checks are installed once and whole, whoever asks and whatever breaks."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.hosts.optin.programs import ROOT, installed

COUNTING = """
import sys
from pathlib import Path
from tests.hosts.optin.programs import installed

def install(folder):
    with Path(sys.argv[2]).open("a") as count:
        count.write("installed\\n")
    (folder / "program").write_text("whole")

print((installed(Path(sys.argv[1]), install) / "program").read_text())
"""


def test_two_processes_that_need_one_program_install_it_once(tmp_path: Path) -> None:
    words = [sys.executable, "-c", COUNTING, str(tmp_path / "tool-1.0"), str(tmp_path / "count")]
    processes = [
        subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    assert [process.communicate(timeout=60)[0] for process in processes] == ["whole\n"] * 3
    assert (tmp_path / "count").read_text(encoding="utf-8") == "installed\n"


def test_an_interrupted_installation_is_made_anew(tmp_path: Path) -> None:
    def interrupted(folder: Path) -> None:
        (folder / "half").touch()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        installed(tmp_path / "tool", interrupted)
    assert not (tmp_path / "tool").exists()
    whole = installed(tmp_path / "tool", lambda folder: (folder / "whole").touch())
    assert [path.name for path in whole.iterdir()] == ["whole"]
