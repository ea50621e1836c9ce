"""Known mistakes that are named before they are made again, and ordinary work that is disturbed.

    uv run python -m tests.bench.before_action [first|second] [--misses]

The projects of `tests/learning/data/known_mistakes_*.txt` are played through the hooks: what failed
and its lesson first; then, in an order drawn once, ordinary actions, which work, and the mistakes
worded anew, each in a conversation of its own. `second` was put aside until the rules were written.
"""

import asyncio
import random
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from reflection_mcp.server.application import Application
from reflection_mcp.server.mcp.hook_text import hook_text
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.store.records import Lesson
from reflection_mcp.tools.learning.episode import Event
from reflection_mcp.tools.ports import Caller
from reflection_mcp.tools.recall.host_events import BEFORE, FAILED, WORKED
from reflection_mcp.tools.reflect.reflect import reflect
from reflection_mcp.tools.reflect.request import ReflectRequest

DATA = Path(__file__).parents[1] / "learning" / "data"


@dataclass
class Mistake:
    """A mistake: what failed if anything, the lesson, and the same worded anew."""

    ran: str = ""
    error: str = ""
    lesson: str = ""
    strategy: str = ""
    worked: bool = False
    again: list[str] = field(default_factory=list[str])


@dataclass
class Project:
    """A project: what went wrong in it, and its ordinary actions."""

    name: str
    mistakes: list[Mistake] = field(default_factory=list[Mistake])
    ordinary: list[str] = field(default_factory=list[str])


def projects(part: str) -> Iterator[Project]:
    """The projects of a part of the data."""
    text = (DATA / f"known_mistakes_{part}.txt").read_text(encoding="utf-8")
    for block in text.split("@@ ")[1:]:
        told, _, ordinary = block.partition("== ordinary\n")
        name, *lines = told.splitlines()
        project = Project(name, ordinary=[line for line in ordinary.splitlines() if line])
        for line in lines:
            key, _, value = line.partition(": ")
            value = value.replace("\\n", "\n")
            if key in ("ran", "fixed"):
                project.mistakes.append(Mistake(ran=value, worked=key == "fixed"))
            elif key == "lesson" and (not project.mistakes or project.mistakes[-1].lesson):
                project.mistakes.append(Mistake(lesson=value))
            elif key == "again":
                project.mistakes[-1].again.append(value)
            else:
                setattr(project.mistakes[-1], key, value)
        yield project


def action(line: str) -> tuple[str, str]:
    """The tool and the input of an action."""
    kind, _, rest = line.partition(": ")
    if kind in ("edit", "write"):
        return kind.title(), rest
    if kind == "call":
        tool, _, arguments = rest.partition(" ")
        return tool, arguments
    return "Bash", line


@dataclass
class Host:
    """A host's hooks on a server's use cases; each conversation has a name of its own."""

    application: Application
    spent: list[float] = field(default_factory=list[float])
    _talks: int = 0

    async def hook(self, name: str, line: str, *, error: str = "", talk: str = "") -> str:
        """What a hook injects, empty for silence."""
        self._talks += 1
        tool, content = action(line)
        event = Event(type="tool_call", tool=tool, content=content, error=error)
        caller = Caller(conversation_id="conv-bench", client="bench")
        began = time.perf_counter()
        text = await hook_text(
            self.application, caller, "", talk or f"talk-{self._talks}", [(name, event)]
        )
        if name == BEFORE:
            self.spent.append((time.perf_counter() - began) * 1000)
        return "" if text == "{}" else text

    async def learn(self, mistake: Mistake) -> None:
        """What failed is reported by a hook, and its lesson by an assistant."""
        if mistake.ran:
            await self.hook(FAILED, mistake.ran, error=mistake.error)
        caller = Caller(conversation_id="conv-teacher", client="bench")
        services = await self.application.services(caller)
        await reflect(
            services,
            ReflectRequest(
                question=f"get {mistake.ran or 'on'} done",
                answer="It is done now.",
                error=mistake.error,
                lesson=Lesson(text=mistake.lesson, strategy=mistake.strategy, outcome="success"),
            ),
        )
        if mistake.worked:
            await self.hook(WORKED, mistake.ran)


@dataclass
class Result:
    """What was named and what was disturbed; `misses` and `false` are the lines themselves."""

    known: int = 0
    ordinary: int = 0
    misses: list[str] = field(default_factory=list[str])
    false: list[str] = field(default_factory=list[str])
    spent: list[float] = field(default_factory=list[float])


async def play(project: Project, store: str, result: Result, *, feedback: bool = True) -> None:
    """One project in a store of its own; without `feedback` nothing is told to have worked."""
    host = Host(Application(settings=Settings(store=store), project="bench"))
    for mistake in project.mistakes:
        await host.learn(mistake)
    lines = [(line, True) for mistake in project.mistakes for line in mistake.again]
    lines += [(line, False) for line in project.ordinary]
    random.Random(project.name).shuffle(lines)
    for line, known in lines:
        said = await host.hook(BEFORE, line)
        if known:
            result.known += 1
            result.misses += [] if said else [line]
        else:
            result.ordinary += 1
            result.false += [f"{line}    {said[90:330]}"] if said else []
            if feedback:
                await host.hook(WORKED, line)
    result.spent += host.spent
    await host.application.close()


async def main(part: str, shown: bool) -> None:
    for feedback in (True, False):
        result = Result()
        for project in projects(part):
            with TemporaryDirectory() as folder:
                store = str(Path(folder, "store.db"))
                await play(project, store, result, feedback=feedback)
        caught = result.known - len(result.misses)
        print(
            f"{part}, {'hooks tell what works' if feedback else 'nothing is told to work'}: "
            f"{caught} of {result.known} known mistakes named ({caught / result.known:.3f}), "
            f"{len(result.false)} of {result.ordinary} ordinary actions disturbed "
            f"({len(result.false) / result.ordinary:.2%}), "
            f"p50 {statistics.median(result.spent):.1f} ms, "
            f"p99 {statistics.quantiles(result.spent, n=100)[98]:.1f} ms"
        )
        if shown:
            print("\n".join(["missed:", *result.misses, "disturbed:", *result.false]))


if __name__ == "__main__":
    chosen = [each for each in sys.argv[1:] if not each.startswith("-")] or ["first", "second"]
    for each in chosen:
        asyncio.run(main(each, "--misses" in sys.argv))
