"""Line and column, however a tool writes them.

Rule of this module: a position goes where the name of a file or the word for a line stands before
it; any other pair of numbers may be what the message is about.
"""

from reflection_mcp.tools.identity.masking.hosts import is_file_name
from reflection_mcp.tools.identity.ports import WELL_KNOWN_PORTS
from reflection_mcp.tools.identity.rule import ANY_DIGIT, Match, Rule, compiled

_FILE_BEFORE = r"\.(?<=[\w>]\.)[A-Za-z]\w{0,9}$"
_NAMED_FILE_BEFORE = r"(?:[Mm]akefile|[Dd]ockerfile|<stdin>|<string>|<anonymous>|[/\\][\w-]{1,80})$"
"""A file without an ending: asked for second, since it takes longer to miss."""


def _position(match: Match) -> str:
    """Line and column go where the name of a file stands before them, and no host and its port."""
    before = match.string[max(0, match.start() - 90) : match.start()]
    before = before[before.rfind(" ") + 1 :]
    if not (compiled(_FILE_BEFORE).search(before) or compiled(_NAMED_FILE_BEFORE).search(before)):
        return match[0]
    service = match[0][1:] in WELL_KNOWN_PORTS and not is_file_name(before)
    return match[0] if service else ""


POSITIONS: tuple[Rule, ...] = (
    Rule(
        "line and column, in brackets",
        r"(\d",
        r"(\.\w{1,5}) ?\(\d{1,7}(?:, ?\d{1,7})?(?:-\d{1,7})?\)",
        r"\1",
        "src/Home.tsx(12,71): error TS2307",
        "src/Home.tsx: error TS2307",
        "f(12)",
    ),
    Rule(
        "line and column, after a file",
        r":\d|:[\d|: (\d|:(.text",
        r":(?!\d{1,9}\.\d)(?:\[?\d{1,7}(?:[:,-]\d{1,7}){0,3}\]?| \(\d{1,7}, \d{1,7}\)|"
        r"\(\.text[^)\s]{0,60}\))",
        _position,
        "src/engine.c:1:25: error",
        "src/engine.c: error",
        "ratio 3:4",
    ),
    Rule(
        "line and column in a document, in front",
        r"[\d",
        r"(?m)^\[\d{1,7}:\d{1,7}\] ",
        "",
        "[1:23] failed to parse field [price]",
        "failed to parse field [price]",
        "[12] failed",
    ),
    Rule(
        "line of TeX, in front of its source",
        r"l.\d",
        r"(?m)^l\.\d{1,7}(?= |$)",
        "l.<n>",
        "l.14 \\usepackage",
        "l.<n> \\usepackage",
        "sol.14 \\usepackage",
    ),
    Rule(
        "line, named",
        f"{ANY_DIGIT}  line| col| char| offset| pos| zeile| ligne| l\u00ednea| riga|"
        " \u0441\u0442\u0440\u043e\u043a\u0430",
        r"(?i)(?=[, oaif])(?:,? ?\b(?:on|at|in|from)\b)?,? \b(?:line|lines|col|column|"
        r"char|character|offset|position|pos|zeile|ligne|l\u00ednea|riga|"
        r"\u0441\u0442\u0440\u043e\u043a\u0430)s?:? \(?\d{1,9}\)?(?:[-:,]\d{1,9})?",
        "",
        "parse error in a.php on line 35",
        "parse error in a.php",
        "line up 3",
    ),
)
