"""One way of wording something, as a row of a table: what finds it, and what proves it.

Rule of this module: an expression without an example and a counter-example can't be reviewed, so
there is none in these rooms.
"""

import re
from typing import NamedTuple


class RequestPhrase(NamedTuple):
    """How something is worded: `example` has it, `counter` looks like it and has not.

    One that `opens` is looked for only where the words begin, any other is found anywhere in them.
    """

    pattern: re.Pattern[str]
    example: str
    counter: str
    opens: bool = False

    def found(self, text: str, at: int = 0) -> re.Match[str] | None:
        """Return where it is said in the text, from `at` on."""
        return self.pattern.match(text, at) if self.opens else self.pattern.search(text, at)


def anywhere(pattern: str, *, example: str, counter: str) -> RequestPhrase:
    """A wording that may stand anywhere, in capitals or not."""
    return RequestPhrase(re.compile(pattern, re.IGNORECASE), example, counter)


def opening(pattern: str, *, example: str, counter: str) -> RequestPhrase:
    """A wording that counts only where the words begin, in capitals or not."""
    return RequestPhrase(re.compile(pattern, re.IGNORECASE), example, counter, opens=True)
