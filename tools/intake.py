"""What comes in is bounded, scrubbed and redacted, once, before anything else sees it.

Over a limit, empty, or contradictory: one line that says what was wrong and what to pass. Text is
scrubbed (NUL, lone surrogates) and redacted here, so that nothing below can hash, store, log or
send a secret.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from reflection_mcp.store.records import Lesson
from reflection_mcp.tools.errors import InvalidInput
from reflection_mcp.tools.ports import Limits
from reflection_mcp.tools.redaction import redact
from reflection_mcp.tools.untrusted import scrub

SPARE = 4_000  # characters; the longest secret that is known, a private key, has 3,300
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""Letters of Thai, Lao, Burmese, Khmer, Japanese and Chinese, which put no spaces between words."""
UNSPACED_WORDS = 4  # of these letters are two words: one has one or two
CUT_MARK = "\n[… characters left out …]\n"


def text(
    name: str, value: str, limit: int, *, required: bool = False, hint: str = "pass plain text"
) -> str:
    """A text argument, scrubbed and redacted; refused when empty though required, or too long."""
    clean = scrub(value)
    if required and not clean.strip():
        raise InvalidInput(f"{name} is empty", hint)
    if len(clean) > limit:
        raise InvalidInput(
            f"{name} has {len(clean):,} characters; at most {limit:,} are accepted",
            "pass the part that matters",
        )
    return redact(clean)


def sentence(name: str, value: str, limit: int) -> str:
    """What somebody says for later; an empty text when that is nothing."""
    clean = text(name, value, limit).strip()
    return clean if says_something(clean) else ""


def lesson(given: Lesson, limits: Limits) -> Lesson:
    """A lesson; its text or strategy counts as none when it is no sentence."""
    return replace(
        given,
        text=sentence("lesson", given.text, limits.lesson),
        strategy=sentence("strategy", given.strategy, limits.lesson),
        situations=phrasings("situations", given.situations, limits),
    )


def says_something(lesson: str) -> bool:
    """Whether it has two words: "ok" and "???" say nothing to who reads them another day."""
    words = [part for part in lesson.split() if any(map(str.isalnum, part))]
    spelled = any(any(map(str.isalpha, word)) for word in words)
    return (spelled and len(words) > 1) or len(_UNSPACED.findall(lesson)) >= UNSPACED_WORDS


def error_text(value: str, limit: int, *, required: bool = False) -> str:
    """An error as printed; over the limit its head and tail are kept, where the verdict stands."""
    clean = scrub(value)
    if required and not clean.strip():
        raise InvalidInput(
            "error is empty",
            "pass the raw text of the error, the last lines of stderr for example",
        )
    # Redacted between two cuts: the first keeps ten megabytes from taking seconds, and what it cut
    # in half is taken out by the second.
    return head_and_tail(redact(head_and_tail(clean, limit + SPARE)), limit)


def head_and_tail(value: str, limit: int) -> str:
    """At most `limit` characters of a text, at least 100, with a mark in place of its middle."""
    if len(value) <= limit:
        return value
    keep = limit - len(CUT_MARK)
    head, tail = keep // 3, keep - keep // 3  # most tools print the verdict last
    return value[:head] + CUT_MARK + value[-tail:]


def tags(values: Sequence[str], limits: Limits) -> tuple[str, ...]:
    """Tags as lower-case words, without repeats, in the order given."""
    if len(values) > limits.tags:
        raise InvalidInput(
            f"{len(values)} tags; at most {limits.tags} are accepted", "pass fewer tags"
        )
    clean = (redact(scrub(value)).strip().casefold() for value in values)
    kept = tuple(dict.fromkeys(tag for tag in clean if tag))
    if any(len(tag) > limits.tag for tag in kept):
        raise InvalidInput(f"a tag is longer than {limits.tag} characters", "pass short words")
    return kept


def phrasings(name: str, values: Sequence[str], limits: Limits) -> tuple[str, ...]:
    """Short texts that say one thing, one line each, without repeats, in the order given."""
    if len(values) > limits.phrasings:
        raise InvalidInput(
            f"{len(values)} {name}; at most {limits.phrasings} are accepted", "pass fewer phrasings"
        )
    each = (text(f"one of {name}", value, limits.phrasing) for value in values)
    return tuple(dict.fromkeys(line for one in each if (line := " ".join(one.split()))))


def share(name: str, value: float | None) -> float | None:
    """A number from 0 to 1, or None; NaN and infinities are refused like any other outsider."""
    if value is not None and not 0.0 <= value <= 1.0:
        raise InvalidInput(
            f"{name} is not between 0 and 1", "pass a number such as 0.8, or nothing"
        )
    return value


def conversation(value: str, default: str) -> str:
    """The conversation named by the caller, else the connection's own."""
    clean = redact(scrub(value)).strip()
    if len(clean) > 200:
        raise InvalidInput("conversation_id is longer than 200 characters", "pass a short id")
    return clean or default


def answers(
    values: Mapping[str, Any], limits: Limits, name: str = "verification answers"
) -> dict[str, str]:
    """What the caller answers to questions or findings, by the id of each."""
    if len(values) > limits.tags:
        raise InvalidInput(
            f"{len(values)} {name}; at most {limits.tags} are accepted",
            "answer only what was asked",
        )
    return {
        text("an id", str(key), limits.lesson).strip(): text(
            f"one of the {name}", str(value), limits.lesson
        )
        for key, value in values.items()
    }
