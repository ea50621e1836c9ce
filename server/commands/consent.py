"""The question that a person has to confirm before something is deleted for good.

Rules, which are those of https://clig.dev: who sits at a terminal is asked, and anything but the
word that was asked for is a no; whoever does not, or wants not to be asked, says `--yes`; every
command that asks can show with `--dry-run` what it would do. The question goes to stderr, so that
stdout stays data.
"""

import signal
import sys

from reflection_mcp.tools.errors import InvalidInput


def consented(what: str, *, yes: bool, word: str = "yes") -> bool:
    """Whether to go on.

    Args:
        what: what would be deleted, such as `3 lessons of shop`.
        yes: whether `--yes` was said.
        word: what has to be typed.

    Raises:
        InvalidInput: nobody is there to be asked.
    """
    if yes:
        return True
    if not at_a_terminal():
        raise InvalidInput(
            f"{what} would be deleted for good", "check with --dry-run, then pass --yes"
        )
    print(f"{what} will be deleted for good. Type {word} to go on: ", end="", file=sys.stderr)
    if (typed_line() or "").strip() == word:
        return True
    print("nothing was deleted", file=sys.stderr)
    return False


def typed_line() -> str | None:
    """A line from the terminal, or None at its end. An event loop answers Ctrl-C only between two
    tasks; here it counts at once."""
    sys.stderr.flush()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return sys.stdin.readline() or None
    finally:
        signal.signal(signal.SIGINT, before)


def at_a_terminal() -> bool:
    """Whether a person can be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()
