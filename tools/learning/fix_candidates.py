"""Candidates for a fix: a command that failed before and works now, and the steps in between.

Rules: precise rather than broad, because a step in between may have had nothing to do with it. Two
commands are the same when tool and words are the same; only options for more or less output may
differ. A command counts as working only when its exit code proves it for every part: one command,
or several joined by `&&`. A command that only reads cannot have been the fix, nor can a step that
failed itself, nor one that only runs again what had failed (`make | tail`). A candidate is stored
with its origin and hidden from every look-up, until it works again in another conversation or
somebody confirms it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from reflection_mcp.store.contract import Store
from reflection_mcp.store.interactions import Step
from reflection_mcp.store.records import Key, Lesson, Observation, Reflection, Scope
from reflection_mcp.tools.identity import Fingerprint, text_signature
from reflection_mcp.tools.learning.actions import CUT, MOST_STEPS, Action
from reflection_mcp.tools.learning.category import categorise
from reflection_mcp.tools.learning.command_line import read
from reflection_mcp.tools.untrusted import suspicion

CANDIDATE, CONFIRMED = "candidate-fix", "confirmed"
"""Tags of the row that holds a candidate, and of the lesson that it becomes."""

NOT_CONFIRMED = "Candidate, not confirmed. "

MOST_CANDIDATES = 3
"""The limit of candidates for one error: with more, none of them is a likely fix."""

COMMAND_TOOLS = frozenset({"bash", "powershell"})
"""Tools whose failure and success are those of a command line (names as hosts report them)."""


@dataclass(frozen=True, slots=True)
class ReadOnlyCommand:
    """Programs that only read, whatever words follow; with `only`, for these first words alone.

    A word that begins like one of `never` makes the command write after all.
    """

    name: str
    programs: frozenset[str]
    example: str
    counter_example: str
    only: frozenset[str] = field(default_factory=frozenset[str])
    never: tuple[str, ...] = ()


READ_ONLY_COMMANDS: tuple[ReadOnlyCommand, ...] = (
    ReadOnlyCommand(
        "prints files and folders",
        frozenset("cat head tail less more nl wc stat file ls dir tree pwd du df".split()),
        "cat setup.cfg",
        "cat a.cfg > b.cfg",
    ),
    ReadOnlyCommand(
        "prints its arguments",
        frozenset("echo printf which whoami date uname get-content get-childitem".split()),
        "echo $PATH",
        "echo FLAG=1 >> .env",
    ),
    ReadOnlyCommand(
        "searches texts",
        frozenset("grep egrep fgrep rg ag findstr select-string".split()),
        "grep -rn yaml src | head -5",
        "grep -l yaml src | xargs rm",
    ),
    ReadOnlyCommand(
        "searches files",
        frozenset({"find"}),
        "find . -name setup.py",
        "find . -name '*.pyc' -delete",
        never=("-delete", "-exec", "-ok", "-fprint", "-fls"),
    ),
    ReadOnlyCommand(
        "reads a history",
        frozenset({"git"}),
        "git log --oneline",
        "git checkout -- setup.py",
        only=frozenset("status log diff show blame ls-files".split()),
        never=("--output",),
    ),
    ReadOnlyCommand(
        "asks what is installed",
        frozenset({"pip", "pip3", "npm"}),
        "pip show pyyaml",
        "pip install pyyaml",
        only=frozenset("list show freeze ls view".split()),
    ),
)

OUTPUT_ONLY = frozenset(
    "--verbose --quiet --silent --no-color --no-colour --no-progress -vv -vvv".split()
)
"""Options that change only what is printed, in every program that has them."""
OUTPUT_ONLY_BEGINS = ("--color=", "--colour=", "--tb=")


def action_key(tool: str, command: str) -> tuple[str, tuple[str, ...]]:
    """Return the key of an action: two actions with the same key are the same action."""
    line = read(command)
    if line is None or tool.casefold() not in COMMAND_TOOLS:
        return tool.casefold(), (command.strip(),)
    return tool.casefold(), _telling(line.words)


def _telling(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words without the options that change only what is printed."""
    return tuple(
        word
        for word in words
        if word not in OUTPUT_ONLY and not word.startswith(OUTPUT_ONLY_BEGINS)
    )


def proves(command: str) -> bool:
    """Return True if exit code 0 proves that every part of a command line worked."""
    line = read(command)
    return line is not None and line.chained


def only_looks(command: str, failed: str = "") -> bool:
    """Return True if a command line changes nothing, as far as the table knows, and runs nothing
    but what is in the one that had `failed`."""
    line, before = read(command), read(failed)
    known = set(map(_telling, before.commands if before else ()))
    return (
        line is not None
        and not line.writes
        and all(_telling(each) in known or _looks(each) for each in line.commands)
    )


def _looks(command: tuple[str, ...]) -> bool:
    program, *rest = command or ("",)
    return any(
        program.casefold() in look.programs
        and (not look.only or look.only.intersection(rest[:1]))
        and not any(word.startswith(look.never) for word in rest)
        for look in READ_ONLY_COMMANDS
    )


# --------------------------------------------------------------------------- one conversation


@dataclass(frozen=True, slots=True)
class Pair:
    """A command that failed, its success, and the steps in between that may have been the fix."""

    failure: Step
    success: Step
    steps: tuple[str, ...]


def is_command(step: Step) -> bool:
    """Return True if a step is a command line, which fails or works as a whole."""
    return step.tool.casefold() in COMMAND_TOOLS


def has_unresolved_failure(steps: Sequence[Step]) -> bool:
    """Return True if a command of this conversation failed and has not worked since."""
    settled: dict[object, bool] = {}
    for step in steps:
        if is_command(step) and (step.error or proves(step.told)):
            settled[action_key(step.tool, step.told)] = not step.error
    return not all(settled.values())


def find_pair(steps: Sequence[Step]) -> Pair | None:
    """Return the pair that the last step of a conversation completes, or None.

    Args:
        steps: the steps of one conversation, oldest first.
    """
    last = steps[-1]
    if last.error or not is_command(last) or not proves(last.told):
        return None
    same = action_key(last.tool, last.told)
    before = [n for n, step in enumerate(steps[:-1]) if action_key(step.tool, step.told) == same]
    if not before or not steps[before[-1]].error:
        return None
    failure = steps[before[-1]]
    between = (step for step in steps[before[-1] + 1 : -1] if not step.error)
    done = tuple(dict.fromkeys(shown(step) for step in between if not _idle(step, failure)))
    if not 1 <= len(done) <= MOST_STEPS:
        return None
    return Pair(failure, last, done)


def _idle(step: Step, failure: Step) -> bool:
    return is_command(step) and only_looks(step.told, failure.told)


def shown(step: Step) -> str:
    """Return a step as one line: its tool and the beginning of its input."""
    return str(Action(step.tool, step.told, not step.error))


def states_cause(error: str) -> bool:
    """Return True if an error says more than that a command ended with some exit code."""
    lines = (line.strip() for line in error.splitlines())
    return any(not _EXIT_CODE.fullmatch(line) and any(map(str.isalpha, line)) for line in lines)


_EXIT_CODE = re.compile(r"(?:command failed with )?exit (?:code|status):? \d{1,10}", re.IGNORECASE)


# --------------------------------------------------------------------------- candidates


def candidate(pair: Pair, seen: Fingerprint, new_id: str, scope: Scope, source: str) -> Observation:
    """Return the pair as a row that no look-up finds: retired from the beginning, and tagged.

    Args:
        pair: what was found.
        seen: the fingerprint of the error of its failure.
        new_id: the id of the row.
        scope: where it is stored.
        source: the client in the conversation where it happened.
    """
    action = shown(pair.failure)
    lesson = f"{NOT_CONFIRMED}{lesson_text(action, pair.steps)}"
    signature = text_signature("\n".join((CANDIDATE, seen.signature, action, *pair.steps)))
    row = Reflection(
        id=new_id,
        scope=scope,
        kind="reflection",
        signature=signature,
        lesson=lesson,
        strategy="\n".join(pair.steps),
        trigger=seen.summary,
        evidence="a command that had failed worked after these steps, in one conversation",
        error_type=seen.pattern.error_type,
        category=categorise(pair.failure.error),
        example=pair.failure.error,
        question=action,
        outcome="success",
        importance=0.3,
        confidence=0.2,
        tags=(CANDIDATE, seen.signature),
        source=source,
        suspicious=bool(suspicion(lesson)),
        retired=True,
        first_seen=pair.success.at,
        last_seen=pair.success.at,
    )
    key = Key(kind="candidate", digest=signature.rpartition(":")[2])
    return Observation(reflection=row, event_id=pair.success.id, source=source, keys=(key,))


def lesson_text(action: str, steps: Sequence[str]) -> str:
    """Return the lesson of a pair in one sentence."""
    return f"`{action}` failed with this error and worked after: {'; '.join(steps)}"


def is_open(row: Reflection) -> bool:
    """Return True if a row is a candidate that nobody has confirmed or refused yet."""
    candidate = CANDIDATE in row.tags and CONFIRMED not in row.tags
    return candidate and not row.suspicious and row.failed <= row.helped


def words_of(row: Reflection, steps: Sequence[str]) -> Lesson:
    """Return what a candidate says as a lesson: the words of whoever edited it, else the steps,
    which are then no strategy beside it: it would say them twice."""
    edited = not row.lesson.startswith(NOT_CONFIRMED)
    return Lesson(
        text=row.lesson if edited else lesson_text(row.question, steps),
        strategy=row.strategy if edited else "",
        situations=row.situations,
        outcome="success",
    )


def names_candidate(tag: str) -> bool:
    """Return True for the tags that make a row a candidate: the name of it, and its error's."""
    return tag == CANDIDATE or (tag.startswith("sig") and ":" in tag)


def steps_of(row: Reflection) -> tuple[str, ...]:
    """The steps of a candidate, oldest first."""
    return tuple(row.strategy.splitlines())


def common_steps(row: Reflection, pair: Pair) -> tuple[str, ...]:
    """Return the steps of a candidate that were taken again; a cut step may have ended
    differently."""
    again = (step for step in steps_of(row) if step in pair.steps)
    return tuple(step for step in again if not step.endswith(CUT))


async def open_candidates(store: Store, scope: Scope, signature: str) -> list[Reflection]:
    """Return the candidates of exactly this scope for the error with this signature, newest
    first."""
    rows = await store.reflections(
        scope, tags=(CANDIDATE, signature), include_retired=True, order="newest", limit=20
    )
    return [row for row in rows if row.scope == scope and is_open(row)]
