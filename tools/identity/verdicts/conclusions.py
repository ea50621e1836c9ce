"""What a program concludes of a command of its own that ended badly, with the stack it prints.

Rule of this module: the conclusion and its frames go where the rest tells of a failure; the
conclusion stays as a note, as any wrapper does. Where the rest tells nothing it is the message.
"""

from collections.abc import Sequence

from reflection_mcp.tools.identity.rule import compiled
from reflection_mcp.tools.identity.verdicts.asides import is_aside
from reflection_mcp.tools.identity.verdicts.endings import may_end, only_ended
from reflection_mcp.tools.identity.verdicts.marks import holds_any
from reflection_mcp.tools.identity.verdicts.reading import is_exception, text_of
from reflection_mcp.tools.identity.verdicts.runners import is_empty
from reflection_mcp.tools.identity.verdicts.worse import tells_one
from reflection_mcp.tools.identity.verdicts.wrappers import Unwrapped, block_of, start_of

_MARKS = ("exit", "status", "code", "return", "Exit", "died", "quit", "rc", "Process")
_PANICKED = (
    r"[ \t]*(?:thread '.{1,200}' )?(?:\(\d{1,12}\) )?panicked at \S{1,400}:\d{1,7}:\d{1,7}:$"
)
_BETWEEN = r"[ \t]*(?:goroutine \d{1,9} \[.{1,60}\]:|Location:|Stack ?trace:|stack backtrace:)?$"
"""May stand between a conclusion and its frames."""
_MOST_BETWEEN = 3
_HEAD = r"[^:\n]{1,300}(?:Error|Exception|Failure)\b[^:\n]{0,60}: "
_OUTPUT = r"\b[Oo]utput: (?!\(see above\))(\S.*)$"
"""What the command printed, at the end of the line that says how it ended."""


def _framed(lines: Sequence[str], at: int, frames: frozenset[int]) -> int:
    """The line after the frames that belong to a line."""
    end = at + 1
    while True:
        below = end
        while (
            below - end < _MOST_BETWEEN
            and below < len(lines)
            and below not in frames
            and compiled(_BETWEEN).match(lines[below])
        ):
            below += 1
        if below not in frames:
            return end
        end = below + 1


def _block(lines: Sequence[str], at: int, frames: frozenset[int]) -> tuple[int, int]:
    """Where a conclusion begins and ends, with what is printed of its stack."""
    traced = block_of(lines, at)
    if traced is None:
        return start_of(lines, at), at + 1
    if traced[0] < at:
        return traced
    headed = at and compiled(_PANICKED).match(lines[at - 1])
    return (at - 1 if headed else at), max(traced[1], _framed(lines, at, frames))


def _concludes(line: str) -> bool:
    """Whether a line says only that something ended, apart from what it quotes of its output."""
    return only_ended(compiled(_OUTPUT).sub("", line) if "utput: " in line else line)


def _is_hollow(line: str) -> bool:
    """Whether a line is an exception that says only that something failed."""
    return is_exception(line) and is_empty(compiled(_HEAD).sub("", line.strip(), count=1))


def without_conclusions(lines: Sequence[str]) -> Unwrapped | None:
    """The lines without what only concludes that a command ended badly, if the rest tells more.

    None if nothing is left out.
    """
    whole = "\n".join(lines)
    if not holds_any(whole, _MARKS) or not may_end(whole):
        return None
    ends = [at for at, line in enumerate(lines) if _concludes(line)]
    if not ends:
        return None
    ends += [at for at, line in enumerate(lines) if _is_hollow(line)]
    frames = text_of(tuple(lines)).stack.lines
    gone: set[int] = set()
    for at in ends:
        block = _block(lines, at, frames)
        if block[1] - block[0] > 1 or not is_aside(lines[at].strip()):
            gone.update(range(*block))
    printed = (compiled(_OUTPUT).search(lines[at]) for at in ends)
    outputs = {at: one[1] for at, one in zip(ends, printed, strict=True) if one}
    left = [
        outputs.get(at, line) for at, line in enumerate(lines) if at in outputs or at not in gone
    ]
    if not tells_one(left):
        return None
    return Unwrapped(left, [lines[at].strip() for at in ends if at in gone])
