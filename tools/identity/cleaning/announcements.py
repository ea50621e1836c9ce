"""What is said in front of an error, on its first line: "The build failed with: ...".

Rules of this module: an announcement consists of nothing but words that announce, commands in
quotation marks, and numbers, so that no name is lost; and what follows begins as the lines of tools
do. A kind of error that stands alone in front ("Error: ...") is the tool's own. Whatever stands in
front of a form that takes several lines is none of that form.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from re import Pattern

from reflection_mcp.tools.identity.expression import Expression
from reflection_mcp.tools.identity.rule import Match, Shape, any_of, compiled
from reflection_mcp.tools.identity.verdicts.gists import LONGEST, MOST_LINES
from reflection_mcp.tools.identity.verdicts.marks import holds_any

WORDS = frozenset(
    (
        # who, what, when
        "a an the this that these it its i i'm i've we my our you your there here here's is are "
        "was were be been has have had do does did not now still again then so but and or when "
        "whenever after before since while with from of for in on at as by just also only always "
        "keep keeps what why how any idea ideas mean means cause causes caused morning yesterday "
        "today "
        # meeting it
        "get gets getting got see sees seeing saw seen receive received encounter encountered hit "
        "hits face facing run runs running try tried trying change changes "
        # telling of it
        "give gives gave show shows showed throw throws threw print prints printed say says said "
        "tell tells report reports reported return returns returned occur occurs occurred happen "
        "happens happened fail fails failed failing crash crashes crashed exit exits exited end "
        "ends ended die dies died code status "
        # what it is
        "error errors exception failure message output log logs traceback stack trace stacktrace "
        "result results response console stderr stdout warning issue problem following full same "
        "complete whole actual exact new last latest below above unexpected "
        # where it comes from
        "build builds test tests job ci pipeline step command script process tool tools bash shell "
        "terminal compiler linter execution executing calling attempt retry install "
        "check lint compile start deploy"
    ).split()
)
"""Words that name nothing: a text of them alone only says that an error follows."""
OWN = frozenset(
    "error errors exception failure warning failed fail fails traceback crash retry exit code "
    "status compiler linter test tests".split()
)
"""Alone in front of a colon these are what a tool calls its error, or itself."""
COMMANDS = frozenset(
    "npm npx yarn pnpm bun deno node make cmake ninja bazel cargo rustc go gcc clang javac mvn "
    "gradle python python3 pip pytest tox ruff mypy uv poetry tsc eslint jest vitest webpack vite "
    "docker kubectl helm terraform git composer bundle rake rspec dotnet".split()
)
"""What was run, if more words of an announcement stand around it; with a colon it is who speaks."""
LEADS_ON = frozenset("get gets getting got see seeing saw with gives throws says".split())
"""After one of these no sign need stand."""
COUNTED = frozenset("attempt retry".split())
"""What has a number that says nothing of the error."""
_FIRST, _SPEAKS = WORDS | COMMANDS, OWN | COMMANDS
_ENDED = frozenset("exit exits exited".split())

BEGINS: tuple[Shape, ...] = (
    Shape(
        "exception",
        r"(?:[\w$]{1,60}\.){0,8}[A-Z]\w{0,60}(?:Error|Exception|Warning)\b",
        "app.ValueError: x",
        "Errors: x",
    ),
    Shape(
        "level",
        r"(?:[A-Za-z]{2,20} )?(?:[Ee]rror|ERROR|[Ff]atal|FATAL|[Ww]arning|[Pp]anic)"
        r"(?:\[\w{1,10}\]: |: | at \S{1,200}:\d| \d{3,5} \()",
        "error[E0405]: x",
        "error code 3",
    ),
    Shape(
        "stack",
        r"Traceback \(most recent|File \"|Exception in thread |thread '|goroutine \d",
        'File "a.py", line 3',
        "File a.py",
    ),
    Shape("npm", r"npm (?:ERR!|error) ", "npm ERR! x", "npm test"),
    Shape(
        "place",
        r"\S{1,200}(?::\d{1,7}(?::\d{1,7})?:|\(\d{1,7}(?:,\d{1,7})?\):?|: line \d{1,7}[,:]) ",
        "a.py:3: x",
        "a.py: x",
    ),
    Shape("program", r"[a-z][\w.+-]{1,40}(?:\[\d{1,8}\])?: \S", "touch: x", "Touch: x"),
    Shape("tag", r"\[[\w ./:-]{1,40}\] \S", "[java] x", "[] x"),
    Shape(
        "sign",
        r"[\u25cf\u2715\u2717\u2718\u2716\u00d7\u25b8] ?\S|FAIL |--- FAIL",
        "\u25cf a",
        "fail a",
    ),
    Shape("code", r"[A-Z]{1,8}-?\d{2,6}:? \S", "TS2304: x", "T1: x"),
    Shape(
        "words of a failure",
        r"(?:Could not|Cannot|Can't|Unable to|Failed to|No such|No module|Unknown|Unexpected|"
        r"Invalid|Missing|Undefined|Uncaught|Unhandled|Permission denied|Module not found|"
        r"Segmentation fault|Connection|terminate called|Assertion|HTTP/\d) ?\b",
        "Cannot open x",
        "Now open x",
    ),
)
"""How the lines of tools begin."""
INSIDE: tuple[Shape, ...] = (
    Shape("npm", r"npm (?:ERR!|error) ", "npm ERR! x", "npm test"),
    Shape(
        "rustc",
        r"error(?:\[E\d{4}\])?: [^\n]{1,300}\n *--> ",
        "error: x\n --> a.rs:1:2",
        "error: x\n  a.rs",
    ),
    Shape("thread of Java", r"Exception in thread \"", 'Exception in thread "main" x', "Exception"),
    Shape("traceback", r"Traceback \(most recent", "Traceback (most recent call last):", "Trace"),
    Shape(
        "frame of Python",
        r" *File \"[^\"\n]{1,200}\", line \d{1,7}\n",
        'File "a.py", line 3\n',
        'File "a.py" line 3',
    ),
)
"""The first lines of forms that take several: they begin a line, whatever stands in front."""

_BEGINNING = Expression(r"\s*(?:([A-Za-z]+)|[<(*_#`'\d-])")
"""The first word of a text: few texts begin with one that announces."""
_WORD = (
    r"[ \t]*(?:#{1,4}[ \t]|(?P<bold>[*_]{1,3}))?"
    r"(?:(?:to (?:run|execute) )?(?:'[^'\n]{1,80}'|`[^`\n]{1,80}`)|"
    r"(?P<word>[A-Za-z][A-Za-z']{0,14})|(?P<code>\d{1,6})|\d{1,4}/\d{1,4}|"
    r"(?P<count>\(\w{1,10} \d{1,4}(?:/\d{1,4})?\)))"
    r"(?P<sign>[:?.!]?[*_]{0,3}|[*_]{1,3}:)(?=\s|$)(?P<dash>[ \t]+-(?=[ \t]))?"
)
_TAG = r"\s*<(?:error|stderr|stdout|output|result|log|tool_result)>\s*"
_TOOLS_OWN = (":", " (", "[", "/", ".", " err", " ERR")
"""Behind a first word that may be a tool's own these say that it is."""
_BLANKS = r"\s{0,40}"
_BEFORE_A_FORM = r"[^\n\"'`]{2,120}[:?.!] +(?="
_IN_A_FORM = ("npm ", "-->", "Exception in", "Traceback (", ' File "')
"""One of these is in each of `INSIDE`, and not in most texts."""
_GOES_ON = r"[^\n]{1,300} (?:when|whenever|while|after|and|but|since|because|under|during) "
"""So goes on a sentence about an error, of which `verdicts.gists` knows both ends."""
_FORMS = ("Traceback (", "npm ", "Exception in ", "  File ", "error")
"""A text that begins with one of these has nothing in front of a form."""
_MOST_WORDS, _MOST_ANNOUNCEMENTS = 14, 3


@cache
def _begins() -> Pattern[str]:
    return any_of(BEGINS)


@cache
def _inside() -> Pattern[str]:
    return any_of(INSIDE, before=_BEFORE_A_FORM, after=")")


def _announcing(text: str) -> Iterator[Match]:
    """The announcing words at the beginning of a text, up to the end of a line or a name."""
    at = len(text) - len(text.lstrip())
    said: list[str] = []
    while len(said) < _MOST_WORDS:
        found = compiled(_WORD).match(text, at)
        if found is None or not _announces(found, said):
            return
        said.append((found["word"] or "").lower())
        yield found
        at = found.end()
        if text[at : at + 1] == "\n":
            return


def _announces(found: Match, said: Sequence[str]) -> bool:
    """Whether a word, a command or a number names nothing, behind what was said before it."""
    word = (found["word"] or "").lower()
    if found["code"]:  # of a process that ended; any other may be all that is known of the error
        ended = not _ENDED.isdisjoint(said)
        return bool(said) and (said[-1] in COUNTED or (ended and said[-1] in ("code", "status")))
    if word in COMMANDS:
        return bool(said) or not found["sign"]
    return not word or word in WORDS


def _ends_it(found: Match, *, first: bool, long: bool) -> bool:
    """Whether an announcement may end with a word, in a text that is long or may be a sentence."""
    word = (found["word"] or "").lower()
    if found["count"]:
        return True
    if first and not found["bold"] and (not word or word in OWN):
        return False
    return bool(found["sign"].strip("*_") or found["dash"] or (long and word in LEADS_ON))


def _end(text: str) -> int:
    """Where the announcement at the beginning of a text ends; 0 if there is none."""
    begun = _BEGINNING.match(text)
    if not begun:
        return 0
    if begun[1]:
        word = begun[1].lower()
        if word not in _FIRST or (word in _SPEAKS and text.startswith(_TOOLS_OWN, begun.end())):
            return 0
    begins = _begins()
    if text[begun.end() - 1] == "<":
        tag = compiled(_TAG).match(text)
        return tag.end() if tag and begins.match(text, tag.end()) else 0
    long = text.count("\n", 0, LONGEST) >= MOST_LINES
    for number, found in enumerate(_announcing(text)):
        blanks = compiled(_BLANKS).match(text, found.end())
        if (
            blanks
            and _ends_it(found, first=number == 0, long=long)
            and begins.match(text, blanks.end())
            and (long or not compiled(_GOES_ON).match(text, blanks.end()))
        ):
            return blanks.end()
    return 0


def unannounced(text: str) -> str:
    """The text without what announces it."""
    for _ in range(_MOST_ANNOUNCEMENTS):
        end = _end(text)
        if not end:
            break
        text = text[end:]
    return text


def begun(text: str) -> str:
    """The text from where the first line of a form begins that takes several lines."""
    if text.startswith(_FORMS) or not holds_any(text, _IN_A_FORM):
        return text
    found = _inside().match(text)
    return text[found.end() :] if found else text
