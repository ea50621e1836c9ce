"""Every regular expression of the package, and how its cost grows with texts made from itself.

    python -m tests.bench.patterns [ROOM]    prints what is steep, for instance of `tools.judging`

Every expression that the package compiles is noted while all its modules are imported, its lazy
tables are asked for, and its readers are used; so none has to be listed anywhere. While the readers
have long texts to read, each expression also notes how it is asked (`match`, `search`) and the most
characters it is given: one that only gets a line's head need not be fast on more. What no reader
came to is tried with `match`.

Sizes are small, because what is quadratic shows at a few hundred characters. Only the ratio of two
sizes counts, each the best of some rounds, and two rounds below the threshold acquit. Times are CPU
time of this thread, which a busy machine does not lengthen, but where that ticks too slowly.
"""

import importlib
import json
import pkgutil
import re
import resource
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from inspect import signature
from types import FrameType, ModuleType
from typing import Any, NamedTuple

from tests.pumps import Pump, pumps

sre_compiler: Any = importlib.import_module("re._compiler")  # every expression goes through it once
PACKAGES = ("reflection_mcp.store", "reflection_mcp.tools", "reflection_mcp.server")
GLANCE, LARGEST, TIMES = 400, 6_400, 4
NOTICED = 0.0003
"""Seconds for a glance; a linear search needs a tenth of it, a quadratic one thrice."""
FLOOR = 0.004
"""Seconds for the larger text; what takes less is not steep."""
ENOUGH = 0.03
"""Texts are doubled until they take so long: what is worse than quadratic is found by a short one,
and what only looks so, as a repeat of at most a hundred does, has room to show what it is."""
STEEP = 8.0
"""Linear is 4, quadratic 16."""
CLOCK = (
    time.thread_time
    if time.get_clock_info("thread_time").resolution < 0.000_01
    else time.perf_counter
)
ROUNDS = 6
MOST_CPU = 240
"""Seconds of this process; an expression that never ends is named by the last line on stderr."""

Read = Callable[[str], object]


class Expression(NamedTuple):
    """A compiled expression, and the module that has it compiled."""

    module: str
    pattern: str
    flags: int


class Steep(NamedTuple):
    """An expression, how it is used, and the text that makes it slow: prefix, body, suffix."""

    module: str
    pattern: str
    how: str
    pump: Pump
    factor: float


# --------------------------------------------------------------------------- all expressions


class Watched:
    """An expression that notes how it is asked, and how much it is given."""

    def __init__(self, made: re.Pattern[str], uses: dict[str, int]) -> None:
        """Watch a compiled expression; `uses` gets the most characters by method."""
        self._made = made
        self._uses = uses

    def __getattr__(self, name: str) -> Any:
        """A method or fact of the expression itself."""
        found = getattr(self._made, name)
        if name not in METHODS:
            return found

        def asked(*args: Any, **kwargs: Any) -> Any:
            at = METHODS[name]
            text: str = args[at]
            begin, end = (
                (*args[at + 1 :], len(text))[:2] if at == 0 and args[1:] else (0, len(text))
            )
            self._uses[name] = max(self._uses.get(name, 0), min(end, len(text)) - begin)
            return found(*args, **kwargs)

        return asked


METHODS = {
    "match": 0, "fullmatch": 0, "search": 0, "finditer": 0, "findall": 0, "split": 0, "sub": 1,
    "subn": 1,
}  # fmt: skip
"""What reads a text, and which of its arguments that is."""


class Collection:
    """The expressions of the package; to be made before the package has been imported."""

    def __init__(self) -> None:
        """Import everything, and note what is compiled and how it is used."""
        self.found: dict[Expression, dict[str, int]] = {}
        self._compile = sre_compiler.compile
        re.purge()
        sre_compiler.compile = self._noted
        try:
            modules = list(_modules())
            for module in modules:
                _ask_tables(module)
            _exercise()
        finally:
            sre_compiler.compile = self._compile

    def _noted(self, pattern: Any, flags: int = 0) -> Any:
        made = self._compile(pattern, flags)
        module = _caller()
        if not module or not isinstance(made.pattern, str):
            return made
        uses = self.found.setdefault(Expression(module, made.pattern, made.flags), {})
        return Watched(made, uses)


def _caller() -> str:
    # Documented by Python, in spite of its name.
    frame: FrameType | None = sys._getframe(2)  # pyright: ignore[reportPrivateUsage]
    while frame is not None:
        name: str = frame.f_globals.get("__name__", "")
        if name.split(".")[0] not in ("re", "functools"):
            return name if name.startswith("reflection_mcp.") else ""
        frame = frame.f_back
    return ""


def _modules() -> Iterator[ModuleType]:
    for package in PACKAGES:
        root = importlib.import_module(package)
        yield root
        for found in pkgutil.walk_packages(root.__path__, f"{package}."):
            if not found.name.endswith("__main__"):
                yield importlib.import_module(found.name)


def _ask_tables(module: ModuleType) -> None:
    """Call what is remembered and takes no arguments: lazy tables."""
    for value in list(vars(module).values()):
        if hasattr(value, "cache_info") and value.__module__ == module.__name__:
            with suppress(ValueError):
                if not signature(value).parameters:
                    value()


def _exercise() -> None:
    """Use every reader on something, so that what is compiled at use is."""
    from reflection_mcp.tools.identity import fingerprint
    from reflection_mcp.tools.judging import check_answer
    from reflection_mcp.tools.redaction import redact
    from reflection_mcp.tools.untrusted import presentable, suspicion
    from tests import hostile

    pieces = (*hostile.CHECKED, *hostile.PRINTED, *hostile.STEERING, *hostile.DISGUISED)
    asked = "How many words? Answer with JSON in three sentences, only from the context."
    lines = ["\n".join(pieces), "The total is 5 + 5 = 11 km, 20% of 50 is 12, by 1 May 2024."]
    for text in [*lines, *(begin + piece * (USED // len(piece)) for begin, piece in LONG_TEXTS)]:
        check_answer(asked, text, text)
        check_answer(text[:20_000], "It is 5.", text)
        fingerprint(text[:20_000])
        redact(text)
        suspicion(text)
        presentable(text)


USED = 12_000
LONG_TEXTS = (
    ("", "a"), ("", " "), ("", "\n"), ("", "1 "), ("", "Error: a b "), ("", "a, "), ("x", ". "),
    ("", "Fix the bug.\n"), ("$ pytest\n", "1 passed in 1s "), ("```\n", "a = 1\n"), ("", "- a: "),
)  # fmt: skip
"""Texts in which an expression that is given all there is gets all of it."""


# --------------------------------------------------------------------------- growth


def readers(expression: Expression, uses: Mapping[str, int]) -> Iterator[tuple[str, int, Read]]:
    """How an expression is asked, and the most characters that it is given."""
    compiled = re.compile(expression.pattern, expression.flags)
    searching = max((most for way, most in uses.items() if way in ALL_OF_IT), default=0)
    if searching:
        yield "finditer", searching, lambda text: all(compiled.finditer(text))
    for way in ("match", "fullmatch", "search"):
        if way in uses or (way == "match" and not uses):
            yield way, uses.get(way, USED), getattr(compiled, way)


ALL_OF_IT = ("finditer", "findall", "split", "sub", "subn")


def growth(read: Read, pump: Pump, most: int) -> float:
    """How many times as long four times the text takes, the best of rounds; 0 for any that is
    read in no time."""
    size = min(GLANCE, most)
    while (took := seconds(read, pump.text(size))) < ENOUGH and size * 2 <= min(LARGEST, most):
        size *= 2
    if took < FLOOR:
        return 0.0
    best = [float("inf"), float("inf")]
    for number in range(ROUNDS):
        for which, text in enumerate((pump.text(size // TIMES), pump.text(size))):
            best[which] = min(best[which], seconds(read, text))
        if number and (best[1] < FLOOR / 2 or best[1] / best[0] <= STEEP):
            return 0.0
    return best[1] / best[0]


def seconds(read: Read, text: str) -> float:
    """How long one reading takes."""
    begin = CLOCK()
    read(text)
    return CLOCK() - begin


def steep(expression: Expression, uses: Mapping[str, int]) -> Iterator[Steep]:
    """For each use that is worse than linear, one text that shows it."""
    made = pumps(expression.pattern, expression.flags)
    for way, most, read in readers(expression, uses):
        for pump in made:
            if seconds(read, pump.text(min(GLANCE, most))) < NOTICED:
                continue
            if factor := growth(read, pump, most):
                yield Steep(expression.module, expression.pattern, way, pump, round(factor, 1))
                break


def walk(room: str = "") -> Iterator[Steep]:
    """What is steep among the expressions of the rooms whose name begins so."""
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_CPU, MOST_CPU))
    every = {(one.pattern, one.flags): (one, uses) for one, uses in Collection().found.items()}
    used = sum(bool(uses) for _, uses in every.values())
    print(f"{len(every)} expressions, {used} of them used", file=sys.stderr, flush=True)
    for one, uses in every.values():
        if one.module.removeprefix("reflection_mcp.").startswith(room):
            print(f"{one.module}: {one.pattern[:200]!r} {uses}", file=sys.stderr, flush=True)
            yield from steep(one, uses)


if __name__ == "__main__":
    for each in walk(*sys.argv[1:2]):
        print(json.dumps(each._asdict()), flush=True)
