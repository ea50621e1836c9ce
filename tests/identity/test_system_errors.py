"""Each system numbers its errors otherwise; a number that none gives to some words is kept."""

import pytest

from reflection_mcp.tools.identity.masking.masks import masked
from reflection_mcp.tools.identity.masking.system_errors import ERRORS, SystemError


@pytest.mark.parametrize("error", ERRORS, ids=[error.name for error in ERRORS])
def test_all_systems_say_an_error_the_same_way(error: SystemError) -> None:
    told = {
        line
        for words in error.words
        for number in error.numbers
        for line in masked([f"OSError: [Errno {number}] {words}"])
    }
    assert len(told) == 1
    assert error.name in told.pop()


@pytest.mark.parametrize(
    ("line", "mask"),
    [
        ("[Errno 99] Address already in use", "[errno 99] address already in use"),
        ("[Errno 3] No such file or directory", "[errno 3] no such file or directory"),
        ("[WinError 3] No such file or directory", "[errno enoent] no such file or directory"),
        ("[WinError 5] Access is denied: 'a'", "[errno eacces] permission denied: 'a'"),
        ("[WinError 183] Cannot create a file when that file already exists",
         "[errno eexist] file exists"),
        ("Connection refused (os error 61)", "connection refused (os error econnrefused)"),
        ("Connection refused (os error 60)", "connection refused (os error 60)"),
        ("Access is denied. (os error 5)", "permission denied (os error eacces)"),
        ("[Errno 11001] getaddrinfo failed", "[errno enoname] name or service not known"),
        ("Access is denied", "access is denied"),
        ("[Errno 17] F\u0131le exists: file exists", "[errno 17] f\u0131le exists: file exists"),
        ("file exists (errno 17), f\u0131le exists (errno 17)",
         "file exists (errno eexist), f\u0131le exists (errno 17)"),
    ],
)  # fmt: skip
def test_a_number_goes_only_where_a_system_gives_it_to_these_words(line: str, mask: str) -> None:
    assert masked([line]) == [mask]
