"""What a person writes around an error: fences, the sentence before it, the question after it.

Rules of this module: a fence is believed when what stands inside it tells of a failure; then what
stands outside is talk. Without a fence only whole lines of the table go, and only at the
beginning and the end, since tools do not speak of themselves as "I".
"""

from collections.abc import Sequence

from reflection_mcp.tools.identity.expression import Expression
from reflection_mcp.tools.identity.rule import Shape, Shapes, compiled
from reflection_mcp.tools.identity.verdicts.marks import holds_any

_FENCE = r"(?:[ \t>|]{0,12}(?=`)|[>|]? {0,3}(?=~))(`{3,8}|~{3,8})[ \t]*[\w+#.-]{0,20}[ \t]*$"
"""Tildes further in are what a compiler puts under the place of an error."""
_FAILING = (
    "error", "exception", "fail", "cannot", "can't", "could not", "unable", "traceback", "panic",
    "fatal", "denied", "refused", "not found", "no such", "invalid", "unexpected", "undefined",
    "missing", "unknown", "expected", "warning", "time out", "timeout", "timed out", "timedout",
)  # fmt: skip
_ANY_FAILING = "(?i)" + "|".join(_FAILING)

_PERSON = r"(?:i|we)"
_OUTPUT = (
    r"(?:error|errors|output|log|logs|traceback|stack ?trace|exception|message|failure|console|"
    r"result|response|warning|issue|problem)"
)
ASIDES: tuple[Shape, ...] = (
    Shape(
        "what one did",
        r"(?:(?:hi|hello|hey)\b[^.:\n]{0,40}[.,:!]? )?(?:(?:when|whenever|if|after|while|as|so|"
        r"then|but|and|now|today|yesterday) ){0,2}" + _PERSON + r"(?:'m|'ve|'d)? "
        r"(?:am |have |had |just |only |always |still |now |also |keep |was |were |'m ){0,3}"
        r"(?:get|got|gets|getting|see|saw|seeing|run|ran|running|try|tried|trying|have|had|use|used|"
        r"using|start|started|call|called|build|built|building|deploy|deployed|install|installed|"
        r"upgrade|upgraded|update|updated|receive|received|face|facing|encounter|encountered|hit|"
        r"work|working|follow|followed|execute|executed|launch|launched|open|opened|test|tested|"
        r"push|pushed|need|want|think|found|am|do)\b.*",
        "When I run it I get the following error:",
        "I/O error: disk full",
    ),
    Shape(
        "announcement",
        r"(?:(?:but|and|so|now|then) )?(?:(?:here|this|that|below|following|these)(?:'s| is| are)?|"
        r"(?:it|the (?:command|build|test|script|app|job|pipeline|server)) "
        r"(?:says|said|prints|printed|gives|gave|shows|showed|throws|threw|fails with|ends with))"
        r"\b[^'\"`(){}\[\]/\\=<>]{0,120}:",
        "Here is the full output:",
        "this: undefined",
    ),
    Shape(
        "announcement of the output",
        r"(?:the |my |full |complete |whole |actual |get(?:ting)? |got |see(?:ing)? ){1,4}"
        r"(?:\w+ ){0,2}" + _OUTPUT + r"(?: (?:i|we|is|was|says|reads|below|above|message|log|"
        r"looks|get|got|output|from|in|of|like|this|here|\w+)){0,6}:",
        "The error message is:",
        "the error: x is not defined",
    ),
    Shape(
        "request",
        r"(?:so |and |but |also )?(?:can|could|would|will) "
        r"(?:you|someone|somebody|anyone|anybody)\b.{0,200}[?.!]?|"
        r"(?:please|pls|plz) (?:help|fix|advise|explain|look|tell|have|let)\b.{0,200}|"
        r"(?:any|some) (?:ideas?|help|hints?|clue|suggestions?|thoughts|advice)\b.{0,120}|"
        r"help(?: me| us| please|!|\?)?[!?.]{0,3}|"
        r"(?:does |has |is )?(?:anyone|anybody|someone)\b.{0,200}\?",
        "Can you fix this please?",
        "can't open file",
    ),
    Shape(
        "question",
        r"(?:so |and |but )?(?:what|why|how|where|which|is this|is it|am i|should i|do i|did i)\b"
        r"[^'\"`(){}\[\]\\=<>:]{2,160}\?",
        "What am I doing wrong?",
        "what(): bad alloc",
    ),
    Shape(
        "thanks", r"(?:many |lots of )?(?:thanks|thank you|thx|cheers)\b.{0,80}", "Thanks!", "thank"
    ),
    Shape(
        "heading of a report",
        r"(?:#{1,6} |\*\*)?(?:describe the bug|steps to reproduce|to reproduce|expected behaviou?r|"
        r"actual behaviou?r|current behaviou?r|logs?|error (?:message|output|log)|output|"
        r"environment|system info(?:rmation)?|additional (?:context|information)|screenshots?|"
        r"(?:full |relevant )?(?:stack ?trace|traceback|log output)|what happened|versions?)"
        r"(?:\*\*)?:?(?:\*\*)?",
        "### Steps to reproduce",
        "output: 3",
    ),
    Shape(
        "German",
        r"(?:(?:hallo|hi|moin)\b[^.:\n]{0,30}[.,:!]? )?"
        r"(?:(?:wenn|beim|seit|nachdem|und|aber|dann) )?"
        r"(?:ich|wir) (?:bekomme|bekommen|erhalte|erhalten|habe|haben|kriege|kriegen|sehe|sehen|"
        r"versuche|starte|f\u00fchre)\b.*|(?:hier|das) ist (?:der|die|das|mein)\b.{0,80}:|"
        r"(?:kann|k\u00f6nnte|k\u00f6nnen) (?:mir|jemand|uns|sie|du)\b.{0,120}|"
        r"(?:was|warum|wieso|wie)\b[^'\"(){}\[\]\\=<>:]{2,120}\?|(?:vielen )?danke\b.{0,60}",
        "Ich bekomme folgende Fehlermeldung:",
        "ich.py: error",
    ),
    Shape(
        "French, Spanish, Portuguese, Italian",
        r"(?:(?:quand|lorsque|cuando|quando|al|et|y|e) )?(?:j'ai|j'obtiens|je |nous |me sale|"
        r"obtengo|tengo|estoy |recebo|estou |ottengo|ricevo|ho )[^'\"(){}\[\]\\=<>]{2,120}:?|"
        r"(?:voici|aqu\u00ed est\u00e1|aqui est\u00e1|ecco) .{2,80}:|"
        r"(?:merci|gracias|obrigad[oa]|grazie)\b.{0,60}",
        "Voici le message complet :",
        "je.py: error",
    ),
)
"""Whole lines, casefolded, that people write before and after what they paste."""
NAMING: tuple[Shape, ...] = (
    Shape(
        "who wrote a mail",
        r"(?:on|am|le|el|em|il|op|den) .{6,120} (?:wrote|schrieb .{1,80}|a \u00e9crit|"
        r"escribi\u00f3|escreveu|ha scritto|schreef .{1,80}|skrev .{1,80})(?: ?:)?",
        "On Tue, Mar 3, 2026 at 9:12, Kim <kim@mail.example> wrote:",
        "on Tuesday the server wrote nothing",
    ),
    Shape(
        "what a report wants",
        r"(?:expected|desired) (?:results?|behaviou?r)(?:\*\*)?: "
        r"[a-z',-]{1,20}(?: [a-z',-]{1,20}){1,20}\.?",
        "Expected result: it works",
        "expected result: 3",
    ),
)
"""The same, for lines that are talk whatever they name."""
_NAMES = Expression(
    r"[A-Z\d'\"`/.:(){}\[\]\\=<>](?:(?<=[(){}\[\]\\=<>])|(?<=:) \S|(?<=\wE)(?:rror|xception)\b|"
    r"(?<=['\"`])(?:(?<!\w.)|(?!\w))|(?<=[A-Z])(?<!\w.)[A-Z_]{3,}\b|(?<=\d)\d\d|(?<=\w[/.])\w)"
)
"""In a line that names anything the talk may be all there is of the error. Each way to name things
is known by one sign, and what stands before that is looked back at: few signs are tried."""
_SIGNS_BEFORE = " \t>*_-"
_OF_A_HEADING = "#"
"""What a row of either table finds begins with it behind them, or with a letter."""
_BEFORE, _AFTER = rf"[{_SIGNS_BEFORE}]{{0,6}}", r"[ \t*_]{0,4}$"
_ASIDES = Shapes(ASIDES, before=_BEFORE, after=_AFTER)
_NAMING = Shapes(NAMING, before=_BEFORE, after=_AFTER)
_NAMING_BEGINS = frozenset("on am le el em il op de ex".split())
"""The first two letters of whatever the rows of `NAMING` find: few lines begin with them."""
MOST_ASIDES = 8
"""Lines looked at from either end; a longer talk is a document that an error is mentioned in."""


def pasted(text: str) -> str:
    """What stands in the fences of a text, if that tells of a failure; else the text."""
    if ("`" not in text or "```" not in text) and ("~" not in text or "~~~" not in text):
        return text
    lines = text.split("\n")
    fence, inside = "", list[str]()
    for line in lines:
        found = compiled(_FENCE).match(line) if "```" in line or "~~~" in line else None
        if found and (not fence or found[1].startswith(fence)):
            fence = "" if fence else found[1][:3]
        elif fence:
            inside.append(line)
    told = "\n".join(inside)
    return told if _tells_of_failure(told) else text


def _tells_of_failure(text: str) -> bool:
    """Whether a text has a word for a failure, in whatever letters, those of Turkish included."""
    if text.isascii():
        return holds_any(text.lower(), _FAILING)
    return compiled(_ANY_FAILING).search(text) is not None


def _is_talk(line: str) -> bool:
    """Whether a line that is not blank is talk."""
    said = line.lstrip(_SIGNS_BEFORE)
    if not (said[:1].isalpha() or said.startswith(_OF_A_HEADING)):
        return False
    if said[:2].casefold() in _NAMING_BEGINS and _NAMING.match(line.casefold()):
        return True
    return _NAMES.search(line) is None and _ASIDES.match(line.casefold()) is not None


def _asides(lines: Sequence[str]) -> int:
    """How many of the first lines are talk, blank lines between them included."""
    talk = 0
    for at, line in enumerate(lines):
        if line.strip():
            if not _is_talk(line):
                break
            talk = at + 1
    return talk


def without_asides(lines: list[str]) -> list[str]:
    """The lines without talk before and after them; all of them if nothing else would be left."""
    if len(lines) == 1:
        return lines
    first = _asides(lines[:MOST_ASIDES])
    last = len(lines) - _asides(lines[: -MOST_ASIDES - 1 : -1])
    if not first and last == len(lines):
        return lines
    told = lines[first:last]
    return told if any(line.strip() for line in told) else lines
