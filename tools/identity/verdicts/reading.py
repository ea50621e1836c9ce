"""What is known of each line before it is decided which of them matter.

Rule of this module: a line is a frame, a trailer, noise, advice, source code or message; the
readers choose among the messages.
"""

from collections.abc import Sequence
from functools import lru_cache

from reflection_mcp.tools.identity.rule import compiled
from reflection_mcp.tools.identity.verdicts.asides import is_aside
from reflection_mcp.tools.identity.verdicts.frames import stack_of
from reflection_mcp.tools.identity.verdicts.marks import holds_any
from reflection_mcp.tools.identity.verdicts.noise import is_hint, is_noise
from reflection_mcp.tools.identity.verdicts.symptoms import tells_of_failure

TYPE = (
    r"(?:[A-Za-z_][\w$]{0,80}+(?:\.|::|\\)){0,10}[A-Z][\w$]{0,80}(?:Error|Exception|Warning|Exit|"
    r"Interrupt|Timeout|Iteration|Violation|NotFound|Undefined\w{0,20}|Duplicate\w{0,20}|Fault|"
    r"Failure|Refused|Denied|Rejection|ExceptionGroup|DoesNotExist)"
)
_EXCEPTION = (
    r"(?:E[ \t]{1,20})?\[?(?:Uncaught (?:\(in promise\):? ?)?|Unhandled[^:.\n]{0,60}[:.] |"
    r"Exception in thread \"?[^\"\n]{0,120}?\"? |PHP Fatal error: {1,2}Uncaught |"
    r"(?:\[cause\]|Caused by|nested exception is|panic|Fatal error|[Ee]rror|ERROR|"
    r"Exception)[: ]{1,3})?"
    r"(?:" + TYPE + r"|Error|panic|fatal error)"
    r"\b(?: \[\w{1,60}\])?(?: \(.{1,300}\))?(?::[ \t]*.*|[ \t]*)$"
)
_RAISED = r"(?:[A-Za-z_]\w{0,80}\.){1,10}[A-Z]\w{0,80}(?::(?: .*)?)?$"
"""An exception of Python by where it stands: its name need not say that it is one."""
# Nothing is given back: what comes next would not take it, and most lines are none of these.
_GUTTER = r"[ \t]*+>?[ \t]*+(?:\d{1,7}+[ \t]*+[|\u2502](?:[ \t]|$)|[|\u2502](?:[ \t]{2}|$))"
_CODE_LINE = r"(?:[ \t]{4,}+|\t{2,3}+)\S.++(?<=[;{}])|\d{1,7}+ {1,3}\S"
_MARKERS = r"[ \t]*+(?:\d{1,7}+[ \t]*+)?\|?[ \t]*+[|_ \t]{0,200}+[\^~+-]{1,400}+[ \t|]{0,200}+$"
_RULE_LINE = r"[-=_*~^+#. \t]{3,}$"
_SOURCE = f"{_GUTTER}|{_MARKERS}|{_CODE_LINE}|{_RULE_LINE}"

_BARE_PLACE = r"[ \t]*(?:[\u276f\u203a'>] )?(?:file://)?\S{0,400}?[\w-]{1,120}\.\w{1,9}:\d{1,7}(?::\d{1,7})?:?$"


_SENTENCE_ENDS = (". ", "! ", "; ")
_ADVISING = (
    r"[.!;] {1,2}(?:Please|You (?:can|may|should|need)|Try|For (?:most|more)|To (?:fix|resolve)|"
    r"Consider|Make sure|If you)\b[^.!?:]{0,200}$"
)
"""A line that ends in the middle of a sentence of advice."""
_OPEN = r"[a-z,'\"][ \t]*$"
_ONWARD = r"[ \t]*[a-z][a-z'-]*[ ,.]"


class Text:
    """Cleaned lines together with what is known of each, found out when somebody asks.

    A reader asks `whole` for the mark of its kind of output before it asks each line, and what is
    dear last: `spoken` looks through the words of a line, `hinted` reads all lines above it.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.whole = "\n".join(lines)
        self.stack = stack = stack_of(lines, self.whole)
        self.hinted = Hinted(lines)
        python = stack.language == "python"
        self.raised = [
            at
            for at, line in enumerate(lines)
            if at not in stack.lines
            and (is_exception(line) or (python and at - 1 in stack.lines and _is_raised(line)))
        ]
        """The numbers of the lines outside the stack that begin with the name of an exception."""
        self._spoken: dict[int, bool] = {}
        self._marked = "^" in self.whole

    def spoken(self, at: int) -> bool:
        """Whether a line, by its number, is message: no frame, no trailer, no noise."""
        known = self._spoken.get(at)
        if known is None:
            line = self.lines[at]
            stripped = line.strip()
            known = self._spoken[at] = (
                at not in self.stack.lines
                and bool(stripped)
                and not is_noise(line)
                and not is_aside(stripped)
                and not (self._marked and self._excerpt(at))
            )
        return known

    def _excerpt(self, at: int) -> bool:
        """Whether a line is source that Node shows: its place above it, a marker below."""
        below = self.lines[at + 1] if 0 < at < len(self.lines) - 1 else ""
        return (
            "^" in below
            and is_marker(below)
            and _is_bare_place(self.lines[at - 1])
            and at not in self.raised
        )


def _is_raised(line: str) -> bool:
    """Whether a line below the frames of Python is what was raised, whatever its name."""
    return compiled(_RAISED).match(line) is not None


@lru_cache(maxsize=4)
def text_of(lines: tuple[str, ...]) -> Text:
    """The lines with what is known of them.

    Whoever leaves lines out asks of the rest what the readers ask of it next, so a few are kept.
    """
    return Text(lines)


class Hinted:
    """Which lines are advice or go on with it, by number.

    What a line is depends on those above it, so they are found out in order, up to the one asked.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._known: list[bool] = []
        self._going_on = self._flowing = False

    def __call__(self, at: int) -> bool:
        """Whether a line is advice or goes on with it."""
        known = self._known
        for line in self._lines[len(known) : at + 1]:
            known.append(self._next(line))
        return known[at]

    def _next(self, line: str) -> bool:
        """Whether the line below those that are known is; and what that tells of the next."""
        hinted = (
            is_hint(line)
            or (self._flowing and compiled(_ONWARD).match(line) is not None)
            or (self._going_on and not tells_of_failure(line))
        ) and bool(line.strip())
        if hinted:
            self._flowing = compiled(_OPEN).search(line) is not None
            self._going_on = self._flowing or not line.endswith((".", "!", "?"))
        else:
            self._flowing = self._going_on = (
                holds_any(line, _SENTENCE_ENDS) and compiled(_ADVISING).search(line) is not None
            )
        return hinted


def is_exception(line: str) -> bool:
    """Whether a line begins with the name of an exception, and its message."""
    return compiled(_EXCEPTION).match(line.strip()) is not None


def is_gutter(line: str) -> bool:
    """Whether a line is source code behind the gutter of a compiler."""
    return compiled(_GUTTER).match(line) is not None


def is_marker(line: str) -> bool:
    """Whether a line only points at what stands above it."""
    return compiled(_MARKERS).match(line) is not None


def is_plain(text: Text, at: int) -> bool:
    """Whether a line is message rather than source code or a marker under it."""
    return not is_source(text.lines[at]) and is_message(text, at)


def is_message(text: Text, at: int) -> bool:
    """Whether a line that is known to be no source code is message, and no place alone."""
    return not _is_bare_place(text.lines[at]) and text.spoken(at)


def is_source(line: str) -> bool:
    """Whether a line is source code, a marker or a rule of signs; none begins with a letter."""
    return not line[:1].isalpha() and compiled(_SOURCE).match(line) is not None


def _is_bare_place(line: str) -> bool:
    """Whether a line is nothing but a place, which ends in a number."""
    ends = line[-1:]
    return (ends == ":" or ends.isdigit()) and compiled(_BARE_PLACE).match(line) is not None
