"""Which numbers are what a message is about.

Rule of this module: a number is incidental unless a row says otherwise. A row reads what stands
right before and right behind the number, casefolded; a plain word such as `expected` proves
nothing, it takes a word that only codes, ports, statuses and releases follow.
"""

from functools import cache, lru_cache
from typing import NamedTuple

from reflection_mcp.tools.identity.ports import ROUND_PORTS, WELL_KNOWN_PORTS
from reflection_mcp.tools.identity.rule import Match, compiled, holds_needed

_WINDOW = 80
_STATUSES = r"20[01246]|30[1-478]|40[0-689]|41[0-358]|42[2-689]|431|451|50[0-4]"
"""The statuses of HTTP that services answer with."""
_ADDRESS = r"\b(?:tcp|udp)[46]? :|[(\[]['\"](?:<loopback>|<ip>)['\"], ?"
"""Go's address without a host, and a pair of this machine or of a bare address and a port."""


_UP_TO_CODE = r"['\"]?[ \t]?(?:[:=#][ \t]{0,12})?['\"]?[ \t]?[\[(]?-?$"
"""What stands between the word for a code and the code."""


_SIGNS = " \t\n'\"[(:=#!-"
"""What may stand between a word and the number that it is about."""


@cache
def _endings(last: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(last.split()))


def _ends_with(before: str, last: str) -> bool:
    """Whether a text ends, without the signs at its end, with one of several endings."""
    return before.rstrip(_SIGNS).endswith(_endings(last))


class KeptNumber(NamedTuple):
    """One kind of number that stays: all of `digits`, `before` up to it and `after` from it on.

    An empty pattern does not matter. `needs` is text without which `before` cannot match, as in
    `Rule`; `last` are the endings, separated by blanks, one of which the text before the number has
    without the signs between: without one of them `before` cannot match either. In `example` the
    number in braces stays, in `other` it goes.
    """

    name: str
    digits: str
    before: str
    after: str
    example: str
    other: str
    needs: str = ""
    last: str = ""

    def keeps(self, before: str, number: str, after: str) -> bool:
        """Whether the number stays between these two pieces of casefolded text."""
        return compiled(self.digits).fullmatch(number) is not None and self.stands(before, after)

    def stands(self, before: str, after: str) -> bool:
        """Whether a number that has such digits stays between these two pieces."""
        return (
            (not self.last or _ends_with(before, self.last))
            and holds_needed(before, self.needs)
            and (not self.before or compiled(self.before).search(before) is not None)
            and (not self.after or compiled(self.after).match(after) is not None)
        )


_CHOSEN_ABROAD = (
    "pfadspezifikation|ziel|sp\u00e9cificateur de chemin|branche nomm\u00e9e|cible|"
    "ruta especificada|rama llamada|objetivo|specificatore percorso|obiettivo|"
    "espetro-caminho|alvo|s\u00f6kv\u00e4gsangivelsen|\u015bcie\u017cka|obiektu|"
    "\u043c\u0435\u0442\u043a\u0430|\u0446\u0435\u043b\u0438|\u8def\u5f84\u89c4\u683c|"
    "\u8def\u5f91\u898f\u683c|\u6807\u7b7e|\u6a19\u7c64|\u76ee\u6807|\u76ee\u6a19|"
    "\u30bf\u30fc\u30b2\u30c3\u30c8|\ud0c0\uac9f"
)
"""A path, a branch or a tag of git, or a target of make, as it is translated before a quote."""
_REFERENCE_ABROAD = (
    "ung\u00fcltige referenz|r\u00e9f\u00e9rence invalide|referencia inv\u00e1lida|"
    "riferimento non valido|refer\u00eancia inv\u00e1lida|nieprawid\u0142owa referencja|"
    "\u043d\u0435\u043f\u0440\u0430\u0432\u0438\u043b\u044c\u043d\u0430\u044f "
    "\u0441\u0441\u044b\u043b\u043a\u0430|"
    "\u65e0\u6548\u5f15\u7528|\u7121\u6548\u5f15\u7528"
)
"""An invalid reference, as git is translated."""

CHOSEN = KeptNumber(
    "name of a branch, tag, script or target, which a person chose",
    r"(?=\d{0,20}[a-z._-])[a-z_\d][\w.+/@-]{0,120}",
    r"\b(?:(?:argument|pathspec|revision|branch(?: named)?|tag|script|recipe|target):? ['\"`]|"
    r"(?:refspec|remote ref|remote branch|invalid reference:|missing script:) ['\"`]?|"
    r"\b(?:" + _CHOSEN_ABROAD + r")[:\uff1a]? ?['\"] ?|(?:" + _REFERENCE_ABROAD + r") ?[:\uff1a] ?)"
    r"[\w:./@-]{0,60}$",
    "",
    "pathspec '{release-12}' did not match",
    "pool 'release-{12}' is empty",
    needs="argument|pathspec|reference|revision|branch|tag|script|recipe|target|ref|"
    + _CHOSEN_ABROAD
    + "|"
    + _REFERENCE_ABROAD,
)

KEPT: tuple[KeptNumber, ...] = (
    KeptNumber(
        "code",
        r"\d{1,10}",
        r"(?<![a-z])(?:exit(?:ed)?(?: with)?(?: (?:code|status|value))?|osstatus|"
        r"status(?:[ _]?code)?(?: was)?|"
        r"returned(?: error)?(?: code)?|errno|"
        r"error(?: code)?|err|code|signal|http|err!|curl:|sqlstate|rc|ret|result|"
        r"fehler(?:code)?|fehlernummer|erreur|c[o\u00f3]digo|errore|\u043a\u043e\u0434|"
        r"\u043e\u0448\u0438\u0431\u043a\u0430|"
        r"\u9519\u8bef(?:\u4ee3\u7801)?|\u4ee3\u7801|\u932f\u8aa4|\u30a8\u30e9\u30fc|"
        r"\u30b3\u30fc\u30c9|\uc624\ub958|\ucf54\ub4dc)" + _UP_TO_CODE,
        "",
        "exited with code {137}",
        "read {137} lines",
        last="exit exited with status was code value returned error errno err signal http curl "
        "sqlstate rc ret result fehler fehlercode fehlernummer erreur codigo c\u00f3digo errore "
        "\u043a\u043e\u0434 \u043e\u0448\u0438\u0431\u043a\u0430 \u9519\u8bef \u4ee3\u7801 "
        "\u932f\u8aa4 \u30a8\u30e9\u30fc \u30b3\u30fc\u30c9 \uc624\ub958 \ucf54\ub4dc",
    ),
    KeptNumber(
        "code behind the version of HTTP or the state of a database",
        r"\d{1,10}",
        r"(?<![a-z])(?:http/\d(?:\.\d)?|sqlstate\[\w{5}\])" + _UP_TO_CODE,
        "",
        "sqlstate[hy000] [{137}]",
        "sqlstate[hy000], {137} lines",
        needs="http/|sqlstate[",
    ),
    KeptNumber(
        "code with which a child of Python ended",
        r"\d{1,3}",
        r"\bchildprocesserror: $",
        r"[ \t]*(?:$|\n)",
        "childprocesserror: {2}",
        "childprocesserror: {2} of them",
        last="childprocesserror",
    ),
    KeptNumber(
        "status that a client was answered with",
        r"[45]\d\d",
        r"(?:response:|said:|status of|replied(?: with)?|responded(?: with)?|->|failed \(\[?|"
        r"http/(?:<version>|<n>|\d(?:\.\d)?)['\"]?|status from \w{3,7} request to .{1,60}?)"
        r":?[ \t]?$",
        "",
        "unexpected server response: {401}",
        "after a response {401} rows",
        needs="response:|said:|status of|replied|responded|->|failed (|http/|status from",
    ),
    KeptNumber(
        "number of an error of the kernel",
        r"\d{1,3}",
        r"(?:failed|error|chunk)(?:: ?| ?\()-$",
        r"\)?[ \t]*(?:$|\n)",
        "reset failed: -{110}",
        "shifted by -{110}",
        last="failed error chunk",
    ),
    KeptNumber(
        "status of a mail, behind its older one or alone",
        r"[45]\.\d{1,3}\.\d{1,3}",
        r"(?:\bdsn[=:] ?|\b[45]\d\d(?:[ -]|, b?['\"]))$",
        "",
        "dsn={5.1.1}, status=bounced",
        "lib={5.1.1}, status=bounced",
    ),
    KeptNumber(
        "reply of a server that Python tells, before its words",
        r"\d{3}",
        r"\b(?:smtp\w{0,30}|http|ftp\w{0,9})error: \($",
        r", ?b?['\"]",
        "smtpauthenticationerror: ({535}, b'authentication failed')",
        "keyerror: ({535}, 'eu')",
        last="error",
    ),
    KeptNumber(
        "reason of a queue manager",
        r"\d{4}",
        r"\bcompletion code '?\d'?, reason '?$",
        "",
        "mqje001: completion code '2', reason '{2035}'",
        "the reason '{2035}'",
        last="reason",
    ),
    KeptNumber(
        "argument of a call that is wrong",
        r"\d{1,2}",
        r"\bargument #?$",
        r" (?:(?:to|of) ['\"]|passed to \w)",
        "argument {2} to 'add' has incompatible type",
        "argument {2} to be read",
        last="argument",
    ),
    KeptNumber(
        "base that a number was read in",
        r"(?!10)\d{1,2}",
        r"\bint\(\) with base $",
        "",
        "invalid literal for int() with base {16}: 'xy'",
        "invalid literal for int() with base {10}: 'xy'",
        last="base",
    ),
    KeptNumber(
        "number of a migration of a database",
        r"\d{1,20}",
        r"\bmigration (?:with )?version ['\"]?$",
        "",
        "checksum mismatch for migration version {3}",
        "mismatch for version {3}",
        last="version",
    ),
    KeptNumber(
        "code behind an exception of the Graph API",
        r"\d{1,5}",
        r"(?:error|exception): \(#$",
        r"\) ",
        "oauthexception: (#{190}) request failed",
        "error: task (#{190}) failed",
        needs="(#",
    ),
    KeptNumber(
        "status that a shell compares",
        r"\d{1,3}",
        r"\$\{?(?:status|rc|ret|code|exit_?code|\?)\}?['\"]? {1,2}(?:-eq|-ne|==?|!=) ['\"]?$",
        "",
        '[ "$status" -eq {3} ] failed',
        "[ $count -eq {3} ] failed",
        last="-eq -ne status rc ret code } ?",
    ),
    KeptNumber(
        "port of a service",
        "|".join(sorted(WELL_KNOWN_PORTS)),
        r"(?:[\w>\]]:|port['\"]?[ \t]?[:=]?[ \t]?['\"]?|" + _ADDRESS + ")$",
        "",
        "port {5432}",
        "row {5432}",
    ),
    KeptNumber(
        "port of a service that could be an amount",
        "|".join(sorted(ROUND_PORTS)),
        r"(?:<(?:loopback|ip)>:|\bport['\"]?[ \t]?[:=]?[ \t]?['\"]?|" + _ADDRESS + ")$",
        "",
        "port {8080}",
        "rows:{8080}",
        needs=":|,|port",
    ),
    KeptNumber(
        "status of a reply, behind the word for an error",
        r"[45]\d\d",
        r"(?:error|exception)(?:: | ?\()$",
        "",
        "ratelimiterror: {429} slow down",
        "error after {429} rows",
        last="error exception",
    ),
    KeptNumber(
        "status of a reply, before its reason",
        r"[1-5]\d\d",
        "",
        r"[ \t:,-]{1,3}(?:not found|too many|bad |internal|unauthori[sz]ed|forbidden|service |"
        r"gateway|client error|server error|conflict|method not|payment|gone|unprocessable|"
        r"request |payload|proxy|moved|\{)",
        "{404} not found",
        "{404} rows",
    ),
    KeptNumber(
        "status that a test compares, as the second of two",
        _STATUSES,
        r"(?:\b(?:assert|expected|received|actual|got|want|wanted|was|equal|be|eq|not|that|left|"
        r"right)|[=!]==?)[ \t]?:?[ \t]{0,8}[<('\"\[]?$",
        r"[>)'\"\]]?(?:[ \t]{0,4}(?:[=!,.;:)]|$|\n)|[ \t](?:to|but|not|got|want|received|actual|"
        r"does|matches|is|was|or|and|instead|for|from|in|at)\b)",
        "expected: <{500}> but was 200",
        "expected {500} items",
    ),
    KeptNumber(
        "status that a test compares, as the first of two",
        _STATUSES,
        "",
        r"[>)'\"\]]?[ \t]{0,4}(?:[=!]==?|,? ?(?:to|but|not|got|want|received|actual|does)\b)",
        "{500} !== 200",
        "{500} items",
    ),
    KeptNumber(
        "what an assertion compares with",
        r"\d{1,6}",
        r"\bassertion [`'\"(][^`'\"\n]{0,70}[<>=!]=? ?$",
        r"[^\n]{0,60}[`'\")] ?failed",
        "shop: assertion `total > {5}' failed",
        "assertion 'took {5}' failed",
        needs="assertion ",
    ),
    KeptNumber(
        "release that a compiler builds for",
        r"v?\d[\d.]{0,12}",
        r"(?:\b(?:target|source)[ _](?:release|option|level|version|compatibility)|"
        r"\bjvm[ _-]?target(?: version| compatibility)?|--release|\brelease version|"
        r"\bclass file (?:major )?versions?(?: up to)?|\bmajor\.minor version|"
        r"\bjvm (?:runtime )?version|\bwrong version|\bshould be|\btargeting \.net|"
        r"\bcurrent target is|\blanguage ?version)[ \t]?[:=]?[ \t]?['\"(]?$",
        "",
        "invalid target release: {17}",
        "invalid release, {17} errors",
        last="release option level version versions compatibility target to be .net is",
    ),
    KeptNumber(
        "release for which a task compiles",
        r"v?\d[\d.]{0,12}",
        r"'compile\w{0,40}'[ \t]?[:=]?[ \t]?['\"(]?$",
        "",
        "'compilejava' ({17}) and 'compilekotlin' (21)",
        "'compilejava', {17} errors",
        needs="'compile",
    ),
    KeptNumber(
        "number of arguments that belongs to the name of a function in a module",
        r"\d{1,2}",
        r"(?<![\w/.:])[a-z_]\w{0,60}(?:[.:][a-z_]\w{0,60}){1,8}[?!]?/$",
        r"(?![\w/]|[.:-]\d)",
        "shop.cart:total/{2}",
        "worker/{2}",
        last="/",
    ),
    KeptNumber(
        "number of arguments that belongs to the name of a function, behind a word for one",
        r"\d{1,2}",
        r"\b(?:functions?|callbacks?|clauses?|macro|procedure|predicate|undef|undefined)\b"
        r"[^\n/]{0,40}[ '\"`(\[][a-z_]\w{0,60}[?!]?/$",
        r"(?![\w/]|[.:-]\d)",
        "undefined function total/{2}",
        "lost part/{2}",
        last="/",
    ),
    CHOSEN,
)


_LAST = " ".join(kept.last for kept in KEPT)
"""All endings that a row asks for: few numbers stand behind one of them."""


@lru_cache(maxsize=512)  # the same small numbers are met again and again
def _of_digits(number: str, *, told: bool) -> tuple[KeptNumber, ...]:
    """The rows that can keep a number by its digits; `told`: those that need an ending, too."""
    rows = (kept for kept in KEPT if told or not kept.last)
    return tuple(kept for kept in rows if compiled(kept.digits).fullmatch(number))


def _around(match: Match) -> tuple[str, str]:
    """What stands before and behind what was found, casefolded."""
    before = match.string[max(0, match.start() - _WINDOW) : match.start()]
    return before.casefold(), match.string[match.end() : match.end() + _WINDOW].casefold()


def is_chosen(match: Match) -> bool:
    """Whether a name with figures in it is one that a person chose and asked for."""
    before, after = _around(match)
    return CHOSEN.keeps(before, match[0].casefold(), after)


def stays(match: Match) -> bool:
    """Whether a number that was found is kept as it is."""
    number = match[0].casefold()
    before, after = _around(match)
    rows = _of_digits(number, told=_ends_with(before, _LAST))
    return any(kept.stands(before, after) for kept in rows)
