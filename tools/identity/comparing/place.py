"""Decides whether two places are one.

Rule of this module: only two places of one sort tell two errors apart. A file of source and the
bundle made of it, the code that failed and the test that called it, a method and the same method
with its class in front are no two places, as far as the names they share say so.
"""

import re

from reflection_mcp.tools.identity.rule import compiled

_SEPARATORS = (".", "#", "::", "->", "\\")
"""What stands between the name of a class and of its method, by language and version."""
_INLINED = frozenset(("<listcomp>", "<dictcomp>", "<setcomp>"))
"""Functions that Python does not make any more since version 3.12."""
_TEST_FILE = (
    r"(?:test_.*|conftest|.*[_.-](?:tests?|spec|cy|e2e)|.*(?:tests?|spec|testcase))(?:\.\w{1,6})?$"
)
_TEST_NAME = r"(?:.*[.:\\#/ ])?(?:test|it_)[_\w\[\]-]*$|(?:.*[\\.:/])?tests?[\\.:/].*"
_BUNDLED = r".*\.[cm]?js$"
_BUNDLE = (
    r"(?:.*[.-](?=[a-z0-9_-]{0,20}\d)[a-z0-9_-]{6,20}|(?:.*[.-])?(?:bundle|chunk|min))\.[cm]?js$"
)
"""A script whose name says that it is a bundle: it has the hash of what is in it."""
_SOURCE = r".*\.(?:[cm]?tsx?|jsx|vue|svelte)$"
_TELLING_NAME = 5
"""So long is a name that two functions do not share by chance, and no minifier gives."""
_TELLING_MESSAGE = 8
"""With so many words of content a message is the same in a test and in the code it calls."""
_PART = r"[a-z]{4,}"
_COMMON_PARTS = frozenset(
    "test tests spec case main index utils util helper helpers init base core module src".split()
)


def _is_test(file: str, function: str) -> bool:
    """Whether a place is a test and not the code it calls."""
    return (
        compiled(_TEST_FILE).match(file) is not None
        or compiled(_TEST_NAME).match(function) is not None
    )


def _parts(place: str) -> set[str]:
    """The words that names of files and functions are made of, without those all share."""
    bare = re.sub(r"(?<=[a-z])tests?\b|\btests?_?", " ", place)
    return set(compiled(_PART).findall(bare)) - _COMMON_PARTS


def _is_one_function(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return (
        short in ("", long)
        or bool(_INLINED & {short, long})
        or any(long.endswith(separator + short) for separator in _SEPARATORS)
    )


def _is_one_file(one: str, other: str) -> bool:
    """Whether two files are one: only one of them may tell its extension."""
    short, long = sorted((one, other), key=len)
    return short == long or ("." not in short and long.rpartition(".")[0] == short)


def _is_bundle_of(one: str, other: str) -> bool:
    """Whether one file is a script or a bundle and the other what it is made of."""
    made, of = compiled(_BUNDLED).match, compiled(_SOURCE).match
    if compiled(_BUNDLE).match(one):
        return (made(other) or of(other)) is not None
    return made(one) is not None and of(other) is not None


def is_one_place(one: str, other: str, told: int) -> bool:
    """Whether two places, `file:function` each, are one.

    Args:
        one: the first place.
        other: the second.
        told: how many words of content the shorter of the two messages has.
    """
    file, _, function = one.partition(":")
    other_file, _, other_function = other.partition(":")
    titles = " " in function and " " in other_function
    if titles and not _is_one_function(function, other_function):
        return False
    tests = (_is_test(file, function), _is_test(other_file, other_function))
    if not (file and other_file):
        titled = function if not file else other_function  # "cart adds up", no name in the code
        named = " " in titled or tests == ((not file), (not other_file))
        return function == other_function or (bool(file or other_file) and named)
    if _is_one_file(file, other_file):
        nameless = function[-1:] == ">" or other_function[-1:] == ">"
        if nameless and (" " in function or " " in other_function):
            return True  # a function without a name, and the title of the test that it is
        return _is_one_function(function, other_function)
    if any(tests) and not all(tests):
        return told >= _TELLING_MESSAGE or bool(_parts(one) & _parts(other))
    if _is_bundle_of(file, other_file) or _is_bundle_of(other_file, file):
        return function == other_function and len(function) >= _TELLING_NAME
    return False
