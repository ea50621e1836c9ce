"""A path goes on behind a blank where people name directories, and ends there everywhere else."""

import pytest

from reflection_mcp.tools.identity.verdicts.blanks import without_blanks
from tests.bench.identity_index import ShippedIndex


@pytest.mark.parametrize(
    ("line", "joined"),
    [
        ("in /Users/eva lind/Old Work/shop/a.js", "in /Users/eva_lind/Old_Work/shop/a.js"),
        ("C:\\Users\\Eva Lind\\x.py", "C:\\Users\\Eva_Lind\\x.py"),
        ("D:\\Neuer Ordner (2)\\x.py", "D:\\Neuer_Ordner__2_\\x.py"),
        ("D:/Neuer Ordner/x.py", "D:/Neuer_Ordner/x.py"),
        ("/content/drive/My Drive/x.py", "/content/drive/My_Drive/x.py"),
        ("C:\\Program Files (x86)\\Tool\\x.exe: no", "C:\\Program_Files__x86_\\Tool\\x.exe: no"),
        ("C:\\Documents and Settings\\eva\\x", "C:\\Documents_and_Settings\\eva\\x"),
        ("'/Users/eva/OneDrive - Lind AG/shop'", "'/Users/eva/OneDrive_-_Lind_AG/shop'"),
        ("(/Volumes/Big Disk/My Shop)", "(/Volumes/Big_Disk/My_Shop)"),
        ("/Users/eva lind/My Work/shop copy", "/Users/eva_lind/My_Work/shop_copy"),
        ("~/My Work/\u00e9t\u00e9/a.c:3:9: error", "~/My_Work/\u00e9t\u00e9/a.c:3:9: error"),
        ("/home/\u0438\u0432\u0430\u043d \u043f\u0435\u0442\u0440\u043e\u0432/a.py",
         "/home/\u0438\u0432\u0430\u043d_\u043f\u0435\u0442\u0440\u043e\u0432/a.py"),
    ],
)  # fmt: skip
def test_a_blank_in_the_name_of_a_directory_is_part_of_the_path(line: str, joined: str) -> None:
    assert list(without_blanks(["a line", line])) == ["a line", joined]
    assert list(without_blanks([joined])) == [joined]


@pytest.mark.parametrize(
    "line",
    [
        "POST /home/orders HTTP/1.1",
        "cannot copy /srv/alpha Beta/y.txt",
        "/home/bo in src/x.py",
        "cp /home/bo/a.py Beta/b.py: no such file",
        "tests ran in /Users/bo/shop Failed",
        "cannot copy '/Users/bo/a' Beta/y.txt",
        "https://shop.example/a Beta/c",
        "no path at all, only Words",
    ],
)
def test_a_blank_behind_a_path_ends_it(line: str) -> None:
    assert list(without_blanks([line])) == [line]


def test_two_errors_below_one_home_with_blanks_stay_two() -> None:
    index = ShippedIndex()
    index.add("stored", "Could not read key from /Users/eva lind/My Work/shop/server.key")
    assert index.query("Could not read key from /srv/shop/server.key")[0] == "stored"
    assert index.query("Could not read key from /Users/eva lind/My Work/shop/ca.key")[0] is None
    assert (
        index.query("Could not read key from /Users/eva lind lacks My Work/server.key")[0] is None
    )
