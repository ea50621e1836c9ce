"""Removes the prefix that a log, a runner or a host writes before each line.

Rule of this module: a prefix goes when it is a timestamp and what follows one, or when the lines of
a text share it; the word that says that a line is an error stays.
"""

from collections.abc import Sequence

from reflection_mcp.tools.identity.regex import compiled, has_digit

_MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_CLOCK = r"\d\d?:\d\d:\d\d(?:[.,:]\d{1,9})?(?:\s?[AP]M)?"
_STAMP = (
    rf"\s*(?:(?:[A-Za-z]+:\s)?[\[(]?\d{{4}}[-/.]\d\d[-/.]\d\d,?[T _]?\s?(?:{_CLOCK})?(?:\s"
    rf"?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?[\])]?"
    rf"|[\[(]?(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? )?(?:\d\d? )?{_MONTH}[a-z]*\.? {{"
    rf"1,2}}(?:\d\d?,? )?(?:\d{{4}} )?{_CLOCK}(?: \d{{4}}| GMT| UTC)?[\])]?"
    rf"|[\[(]?\d\d?[/.-]\d\d?(?:[/.-]\d\d(?:\d\d)?)?,? {_CLOCK}[\])]?"
    rf"|[EWIF]\d{{4}} {_CLOCK}\s+\d+ [\w./-]+:\d+\]"
    rf"|[\[(]?{_CLOCK}[\])]?(?=\s)|#\d+ \d+\.\d+\s|\[\s*\d+\.\d{{6}}\])"
)
_LEVEL = (
    "(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|ERR|FATAL|CRITICAL|SEVERE|error|info|warn|fatal)"
)
_AFTER = (
    rf"\s*(?:{_LEVEL}(?:\]|\b)\s?:?(?=\s|\[)|\[(?!Errno|WinError|SSL|Error|ERR_"
    rf"|E\d)[^\]\n]{{0,60}}\]|\{{[^}}\n]{{0,60}}\}}"
    r"|\d{1,7}(?=\s+(?:---|\d+ |[VDIWEF] ))|---|<[\w.]{1,30}>"
    r"|[VDIWEF](?=\s+[\w.]{2,30}\s*:\s)|[-|](?=\s)|:(?=\s)"
    r"|[0-9a-f]{8}-[0-9a-f-]{27}\b|[\w.-]{1,60} [\w./-]{1,40}\[\d{1,9}\]:"
    r"|[VDIWEF]/[\w.]{1,40}(?:\(\s*\d+\))?:"
    r"|(?:[a-z][\w$]{0,30}\.){1,8}[\w$\[\].*/-]{1,40}(?::\w{1,30}:\d{1,6})?(?=\s+[-:"
    r"|]\s)|[\w.$]{1,60}:(?:\w{1,30}:)?\d{1,6}(?=\s+[-|]\s))"
)
_UNSTAMPED = (
    r"\s*(?:section_(?:start|end):\d+:\w+|==\d+==\s?"
    r"|fatal: \[[^\]\n]{1,120}\]: (?:FAILED|UNREACHABLE)! =>\s?|#{4,}\s+\d+\.\d%"
    r"|\[pod/[^\]\s]{1,120}\]\s?|##\[error\]|::error[^:\n]{0,200}::|\[(?:java|javac"
    r"|exec|ERROR|error|ERR)\]\s+|[│┃]\s?|⎿\s*"
    r"|\[(?:bash|stderr|stdout)\]\s|(?:Tool call failed|Error output|[Ss]tderr|[Ss]tdout"
    r"|Error executing \w{1,20} tool|Tool execution failed|STDERR): (?=\S)"
    r"|[a-z][\w.-]{1,40}\s*\|\s|\[\d{1,6}\]:?(?:\s|$)|(?:\*{1,2}|#{1,6})\s+"
    r"|-\s(?=\S+(?:Error|error))|[\u26a0\u26d4\u2757\u2a2f"
    r"\U0001f300-\U0001faff]\ufe0f?\s+(?=\S)|❌\s?|\(node:\d+\)\s|E/\w{1,30}\(\s*\d+\):"
    r"|[\w-]{2,20} ERR! stack(?=\s+at )|@[\w.-]{1,60}/[\w.-]{1,60}:[\w:-]{1,60}: )"
)
_DELIMITERS = frozenset(":|>]})\u2192\u2502/#+*\u2503-")
_LEAST_LINES = 3
_LONGEST_PREFIX = 60
_SHARE = 0.75
_BLAME = ("err", "fail", "fatal", "exception", "panic", "warn", "at ", "  file")
_GUTTERS = (
    r"\s{0,6}\d{1,6}(?:\s?\u2192| {2}|    |\s?\|(?: |$)|:(?=[^\d]|$))",
    r"\s{0,6}(?:>{1,3}|[|\u2502\u2503\u2577\u2575]|#|\+[-+]{0,40})(?: |$)",
    r"\+(?!\s*\+)",
    r"\d{1,4}\.\d{1,3}\s(?=\S)",
)


def _digits_zero(line: str) -> str:
    return compiled(r"\d+").sub("0", line[:_LONGEST_PREFIX])


def _shared_prefix(lines: Sequence[str]) -> str:
    """What all lines begin with, numbers aside, up to the last delimiter in it."""
    shapes = [_digits_zero(line) for line in lines]
    low, high = min(shapes), max(shapes)
    n = 0
    while n < min(len(low), len(high)) and low[n] == high[n]:
        n += 1
    while n and not (
        low[n - 1] in _DELIMITERS or (low[n - 1] == " " and n > 1 and low[n - 2] in _DELIMITERS)
    ):
        n -= 1
    prefix = low[:n]
    folded = prefix.casefold()
    return "" if any(word in folded for word in _BLAME) or not prefix.strip() else prefix


def _cut(line: str, shape: str) -> str:
    """A line without the characters that a shape of its beginning stands for."""
    at = 0
    for sign in shape:
        if sign == "0":
            while at < len(line) and line[at].isdigit():
                at += 1
        else:
            at += 1
    return line[at:]


def _without_gutter(lines: list[str]) -> list[str]:
    """Lines without the quoting, numbering or border that most of them begin with."""
    written = [line for line in lines if line.strip()]
    first = {line.lstrip()[:1] for line in written}
    marks = "".join(first)
    if not any(sign in ">|#+\u2502\u2503\u2577\u2575" or sign.isdigit() for sign in marks):
        return lines
    for gutter in _GUTTERS:
        match = compiled(gutter).match
        share = sum(match(line) is not None for line in written)
        if share >= max(2, _SHARE * len(written)) or (
            share == len(written) == 1 and gutter is _GUTTERS[1]
        ):
            if gutter is _GUTTERS[2] and share < len(written):
                continue
            return [compiled(gutter).sub("", line, count=1) for line in lines]
    return lines


_MAY_BEGIN = frozenset("f=0123456789[(#<JFMASONDWETSEVI:|\u2502\u2503\u23bf*-\u274c")


def _without_stamp(line: str) -> str:
    """A line without a timestamp and what a logger writes after it."""
    head = line.lstrip()
    if not head:
        return line
    for _ in range(3):
        if head[0] in _MAY_BEGIN and has_digit(head[:24]):
            stamp = compiled(_STAMP).match(line)
            if stamp and stamp.end() > 0:
                at = stamp.end()
                for _ in range(8):
                    more = compiled(_AFTER).match(line, at)
                    if not more or more.end() == at:
                        break
                    at = more.end()
                line = line[at:] if at == len(line) or line[at] != " " else line[at + 1 :]
                head = line.lstrip()
                if not head:
                    return line
                continue
        other = compiled(_UNSTAMPED).match(line)
        if not other:
            return line
        line = line[other.end() :]
        head = line.lstrip()
        if not head:
            return line
    return line


def without_prefixes(lines: list[str]) -> list[str]:
    """The lines without what stands in front of each."""
    for _ in range(3):
        before = lines
        lines = [_without_stamp(line) for line in _without_gutter(lines)]
        written = [line for line in lines if line.strip()]
        if len(written) >= _LEAST_LINES and (shape := _shared_prefix(written)):
            lines = [_cut(line, shape) if line.strip() else line for line in lines]
        if lines == before:
            break
    return lines
