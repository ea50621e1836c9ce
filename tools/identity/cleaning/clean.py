"""From a pasted text to the lines a tool printed.

Rule of this module: only what was added on the way goes (colours, escapes, envelopes, log and
container prefixes, quotation marks of a reply, hard wraps, one-line collapse); not one word that
the failing tool said is lost. Steps that cannot apply are skipped by a substring test.
"""

import unicodedata

from reflection_mcp.tools.identity.cleaning.addresses import decoded
from reflection_mcp.tools.identity.cleaning.announcements import begun, unannounced
from reflection_mcp.tools.identity.cleaning.blocks import taken_out
from reflection_mcp.tools.identity.cleaning.diffs import added
from reflection_mcp.tools.identity.cleaning.dumps import without_dumps
from reflection_mcp.tools.identity.cleaning.encodings import in_utf8
from reflection_mcp.tools.identity.cleaning.envelopes import opened
from reflection_mcp.tools.identity.cleaning.escapes import with_signs, without_sequences
from reflection_mcp.tools.identity.cleaning.exports import from_table
from reflection_mcp.tools.identity.cleaning.findings import in_one_form, without_annotations
from reflection_mcp.tools.identity.cleaning.harness import unwrapped_failures, without_blocks
from reflection_mcp.tools.identity.cleaning.layout import (
    single_spaced,
    spread,
    unboxed,
    ungridded,
    unwrapped,
)
from reflection_mcp.tools.identity.cleaning.narration import pasted, without_asides
from reflection_mcp.tools.identity.cleaning.prefixes import A_MOMENT, without_prefixes
from reflection_mcp.tools.identity.cleaning.printable import printed
from reflection_mcp.tools.identity.cleaning.reflow import reflowed
from reflection_mcp.tools.identity.cleaning.remote_calls import as_in_go
from reflection_mcp.tools.identity.cleaning.shells import without_records
from reflection_mcp.tools.identity.expression import Expression
from reflection_mcp.tools.identity.rule import Match, compiled

HEAD, TAIL = 8_000, 12_000
"""What is kept of a long text. The tail is longer: most tools say what failed last."""
LONGEST_LINE = 1_000
_LONGEST_MOMENT = 40
FIRST_LINES, LAST_LINES = 200, 400
"""What is kept of a text of many short lines."""

_ANSI = (
    r"\x1b(?:\[[0-9;?]{0,40}[ -/]{0,4}[@-~]|\][^\x07\x1b]{0,400}(?:\x07|\x1b\\)|"
    r"[PX^_][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\)|[@-Z\\-_]|[ -/]{1,4}[0-~])"
)
_ANSI_OF_EIGHT_BITS = _ANSI + r"|\x9b[0-9;?]{0,40}[@-~]"
"""The same, and those that begin with one sign for the two: few texts hold it."""
_BARE_ANSI = (
    r"\(B\[m(?!\])|(?:\[\d{1,3}(?:;\d{1,3}){0,4}m(?:\(B)?){2,4}|\[\d{1,3}(?:;\d{1,3}){0,4}m\(B|"
    r"\[(?:\d{1,3}(?:;\d{1,3}){0,4}m(?:\[K|(?![\w\]]))|"
    r"(?<![\w\])]\[)(?:\d{1,3}(?:;\d{1,3}){0,4}m(?:\[K)?|m(?!\w)|[0-2]K(?!\])|K(?![\w\]])|1?G(?![\w\]])|"
    r"\?(?:25|2004|1049)[hl]))"
)
_MAY_END_BARE = Expression(r"\[(?:\??\d[\d;:]{0,40}[A-HJKSTfhlmnsu]|[mKG])")
"""What stands in every sequence without its escape, and in every one that is written out."""
_WRITTEN = ("\\u001b", "\\x1b", "\\033", "\\e")
"""An escape that is written out, casefolded."""
_INVISIBLE = (
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x84\x86-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u2064"
    r"\ufeff\ufe0f\ud800-\udfff]"
)
_NUMBER = r"(?<!\S)<ref \*\d{1,6}> (?=[A-Z\[{])"
"""Of an object that holds itself, in front of it, as Node prints it."""
_GROUP = r"[ \t]*(?:\+-\+?-{0,40}(?: \d{1,4} -{0,40})?|[|+](?:[ \t]|$))"
_QUOTES = {
    "\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201b": "'", "\u201c": '"', "\u201d": '"',
    "\u201e": '"', "\u00ab": '"', "\u00bb": '"', "\u2039": "'", "\u203a": "'", "\u300c": "'",
    "\u300d": "'", "\u300e": "'", "\u300f": "'", "\u00b4": "'", "\u00a0": " ",
    "\u2026": "...", "\u0085": "\n", "\u2028": "\n", "\u2029": "\n",
}  # fmt: skip
_PRINTED = bytes(range(0x20, 0x7F)) + b"\t\n"


def _bounded(text: str) -> str:
    if len(text) <= HEAD + TAIL:
        return text
    return text[:HEAD] + "\n" + text[-TAIL:]


def _typed(text: str) -> str:
    """What is left of a text in which backspaces take signs back."""
    kept: list[str] = []
    for sign in text:
        if sign != "\b":
            kept.append(sign)
        elif kept and kept[-1] != "\n":
            kept.pop()
    return "".join(kept)


def _is_odd(text: str) -> bool:
    """Whether a text holds more than the printable signs of ASCII, tabs and line breaks."""
    return not text.isascii() or text.encode().translate(None, _PRINTED) != b""


def _without_bare(found: Match) -> str:
    """Nothing of a sequence that lost its escape; one whose escape is written out waits for it.

    Within JSON it is one again when that is opened, and an escape alone would take two signs along.
    """
    at = found.start()
    return found[0] if found.string[max(0, at - 6) : at].casefold().endswith(_WRITTEN) else ""


def _plain(text: str) -> str:
    """Without colours, control and invisible characters; compatibility forms unified."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = printed(with_signs(text))
    if _is_odd(text):
        if not text.isascii():
            text = in_utf8(text)
        if "\x9b" in text:
            text = compiled(_ANSI_OF_EIGHT_BITS).sub("", text)
        elif "\x1b" in text:
            text = compiled(_ANSI).sub("", text)
        if "\b" in text:
            text = _typed(text)
        if _is_odd(text):  # most were so by their colours alone
            text = compiled(_INVISIBLE).sub("", text)
    if not text.isascii():
        # A table of `translate` is slow for signs that it lacks, which almost all are.
        for sign, plain in _QUOTES.items():
            text = text.replace(sign, plain)
        if not unicodedata.is_normalized("NFKC", text):
            text = _bounded(unicodedata.normalize("NFKC", text))
    if _MAY_END_BARE.search(text):
        text = compiled(_BARE_ANSI).sub(_without_bare, without_sequences(text))
    return text


def _few(lines: list[str]) -> list[str]:
    if len(lines) <= FIRST_LINES + LAST_LINES:
        return lines
    return lines[:FIRST_LINES] + lines[-LAST_LINES:]


def _shortened(line: str) -> str:
    half = LONGEST_LINE // 2
    return line if len(line) <= LONGEST_LINE else f"{line[:half]} {line[-half:]}"


def _without_fences(lines: list[str]) -> list[str]:
    """The lines without those that begin with a fence, its backticks made plain."""
    text = "\n".join(lines)
    if ("'" not in text or "'''" not in text) and ("~" not in text or "~~~~" not in text):
        return lines
    return [line for line in lines if not line.lstrip().startswith(("'''", "~~~~"))]


def _without_margin(text: str) -> str:
    """The text without the blanks that all its lines begin with."""
    if text[:1].strip():  # the first line of most texts begins with none
        return text
    lines = text.split("\n")
    margin = min((len(line) - len(line.lstrip()) for line in lines if line), default=0)
    return "\n".join(line[margin:] for line in lines)


def clean(text: str) -> list[str]:
    """The lines the failing tool printed. Total: any text, in time linear in what is kept of it."""
    text = decoded(added(_plain(without_dumps(_bounded(text), _plain))))
    text = unannounced(pasted(text))
    text = taken_out(without_blocks(from_table(without_records(text))))
    if "\n" not in text.strip() and ('{"' in text or " | " in text):
        bare = without_prefixes([text.strip()])[0]
        timed = compiled(A_MOMENT).search(text, 0, _LONGEST_MOMENT) is not None
        text = bare if timed or bare.startswith("{") else text
    text = without_annotations(text)
    inner = opened(text)
    if inner is not text:
        text = _plain(inner)
    text = spread(text.replace("`", "'"))
    if "<ref *" in text:
        text = compiled(_NUMBER).sub("", text)
    lines = text.split("\n")
    if "\n\n" in text:
        lines = single_spaced(lines)
    if "\u2500" in text or "\u2501" in text or "\u2550" in text:
        lines = unboxed(ungridded(lines))
    shown = lines
    lines = without_prefixes(_few(unwrapped(lines)))
    lists = ": [" in text and any(line.endswith(": [") for line in lines)
    if "{" in text and (lists or any(line.startswith(("{", "[{")) for line in lines)):
        text = _plain(opened("\n".join(lines)))
        lines = text.split("\n")
    elif lines is not shown:  # a log may hold what was announced
        lines = unannounced("\n".join(lines)).split("\n")
    margins = "|" in text or "+" in text
    if margins and "Exception Group Traceback" in "\n".join(lines[:40]):
        lines = [compiled(_GROUP).sub("", line, count=1) for line in lines]
    if lines is not shown:  # of the same lines it was asked already
        lines = unwrapped(single_spaced(lines))
    lines = _without_fences(list(map(str.rstrip, lines)))
    told = unwrapped_failures(without_blocks(reflowed("\n".join(without_asides(lines)))))
    text = in_one_form(_without_margin(as_in_go(begun(told))))
    lines = text.split("\n")
    return list(map(_shortened, lines)) if len(text) > LONGEST_LINE else lines
