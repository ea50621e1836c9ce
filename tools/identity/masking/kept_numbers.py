"""Which numbers are what a message is about.

Rule of this module: a number is incidental unless a row says otherwise. A row reads what stands
right before and right behind the number, casefolded; a plain word such as `expected` proves
nothing, it takes a word that only codes, ports, statuses and releases follow.
"""

from functools import lru_cache
from typing import NamedTuple

from reflection_mcp.tools.identity.ports import ROUND_PORTS, WELL_KNOWN_PORTS
from reflection_mcp.tools.identity.rule import Match, compiled, holds_needed

_WINDOW = 80
_STATUSES = r"20[01246]|30[1-478]|40[0-689]|41[0-358]|42[2-689]|431|451|50[0-4]"
"""The statuses of HTTP that services answer with."""
_ADDRESS = r"\b(?:tcp|udp)[46]? :|[(\[]['\"](?:<loopback>|<ip>)['\"], ?"
"""Go's address without a host, and a pair of this machine or of a bare address and a port."""


class KeptNumber(NamedTuple):
    """One kind of number that stays: all of `digits`, `before` up to it and `after` from it on.

    An empty pattern does not matter. `needs` is text without which `before` cannot match, as in
    `Rule`. In `example` the number in braces stays, in `other` it goes.
    """

    name: str
    digits: str
    before: str
    after: str
    example: str
    other: str
    needs: str = ""

    def keeps(self, before: str, number: str, after: str) -> bool:
        """Whether the number stays between these two pieces of casefolded text."""
        return (
            holds_needed(before, self.needs)
            and compiled(self.digits).fullmatch(number) is not None
            and (not self.before or compiled(self.before).search(before) is not None)
            and (not self.after or compiled(self.after).match(after) is not None)
        )


CHOSEN = KeptNumber(
    "name of a branch, tag, script or target, which a person chose",
    r"(?=\d{0,20}[a-z._-])[a-z_\d][\w.+/@-]{0,120}",
    r"\b(?:(?:argument|pathspec|revision|branch(?: named)?|tag|script|recipe|target):? ['\"`]|"
    r"(?:refspec|remote ref|remote branch|invalid reference:|missing script:) ['\"`]?)"
    r"[\w:./@-]{0,60}$",
    "",
    "pathspec '{release-12}' did not match",
    "pool 'release-{12}' is empty",
    needs="argument|pathspec|reference|revision|branch|tag|script|recipe|target|ref",
)

KEPT: tuple[KeptNumber, ...] = (
    KeptNumber(
        "code",
        r"\d{1,10}",
        r"(?<![a-z])(?:exit(?:ed)?(?: with)?(?: (?:code|status|value))?|status(?:[ _]?code)?|"
        r"returned(?: error)?(?: code)?|errno|"
        r"error(?: code)?|err|code|signal|http(?:/\d(?:\.\d)?)?|err!|curl:|"
        r"sqlstate(?:\[\w{5}\])?|rc|ret|result|"
        r"fehler(?:code)?|fehlernummer|erreur|c[o\u00f3]digo|errore|\u043a\u043e\u0434|"
        r"\u043e\u0448\u0438\u0431\u043a\u0430|"
        r"\u9519\u8bef(?:\u4ee3\u7801)?|\u4ee3\u7801|\u932f\u8aa4|\u30a8\u30e9\u30fc|"
        r"\u30b3\u30fc\u30c9|\uc624\ub958|\ucf54\ub4dc)"
        r"['\"]?[ \t]?[:=#]?[ \t]?['\"]?[\[(]?-?$",
        "",
        "exited with code {137}",
        "read {137} lines",
        needs="err|code|status|exit|http|ret|signal|curl:|sqlstate|rc|result|fehler|codigo|"
        "c\u00f3digo|\u043a\u043e\u0434|\u043e\u0448\u0438\u0431\u043a\u0430|\u9519\u8bef|\u4ee3\u7801|\u932f\u8aa4|"
        "\u30a8\u30e9\u30fc|\u30b3\u30fc\u30c9|\uc624\ub958|\ucf54\ub4dc",
    ),
    KeptNumber(
        "code with which a child of Python ended",
        r"\d{1,3}",
        r"\bchildprocesserror: $",
        r"[ \t]*(?:$|\n)",
        "childprocesserror: {2}",
        "childprocesserror: {2} of them",
        "childprocesserror: ",
    ),
    KeptNumber(
        "status that a client was answered with",
        r"[45]\d\d",
        r"(?:response:|status of|replied(?: with)?|responded(?: with)?|->|failed \(\[?|"
        r"http/(?:<version>|<n>|\d(?:\.\d)?)['\"]?|status from \w{3,7} request to .{1,60}?)"
        r":?[ \t]?$",
        "",
        "unexpected server response: {401}",
        "after a response {401} rows",
        needs="response:|status of|replied|responded|->|failed (|http/|status from",
    ),
    KeptNumber(
        "number of an error of the kernel",
        r"\d{1,3}",
        r"(?:failed|error|chunk)(?:: ?| ?\()-$",
        r"\)?[ \t]*(?:$|\n)",
        "reset failed: -{110}",
        "shifted by -{110}",
        needs="failed|error|chunk",
    ),
    KeptNumber(
        "status that a shell compares",
        r"\d{1,3}",
        r"\$\{?(?:status|rc|ret|code|exit_?code|\?)\}?['\"]? {1,2}(?:-eq|-ne|==?|!=) ['\"]?$",
        "",
        '[ "$status" -eq {3} ] failed',
        "[ $count -eq {3} ] failed",
        needs="$",
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
        needs="error|exception",
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
        "release that a compiler builds for",
        r"v?\d[\d.]{0,12}",
        r"(?:\b(?:target|source)[ _](?:release|option|level|version|compatibility)|"
        r"\bjvm[ _-]?target(?: version| compatibility)?|--release|\brelease version|"
        r"\bclass file (?:major )?versions?(?: up to)?|\bmajor\.minor version|"
        r"\bjvm (?:runtime )?version|\bwrong version|\bshould be|\btargeting \.net|"
        r"\bcurrent target is|\blanguage ?version|'compile\w{0,40}')[ \t]?[:=]?[ \t]?['\"(]?$",
        "",
        "invalid target release: {17}",
        "invalid release, {17} errors",
        needs="target|source|release|jvm|class file|version|should be|'compile",
    ),
    KeptNumber(
        "number of arguments that belongs to the name of a function in a module",
        r"\d{1,2}",
        r"(?<![\w/.:])[a-z_]\w{0,60}(?:[.:][a-z_]\w{0,60}){1,8}[?!]?/$",
        r"(?![\w/]|[.:-]\d)",
        "shop.cart:total/{2}",
        "worker/{2}",
        needs="/",
    ),
    KeptNumber(
        "number of arguments that belongs to the name of a function, behind a word for one",
        r"\d{1,2}",
        r"\b(?:functions?|callbacks?|clauses?|macro|procedure|predicate|undef|undefined)\b"
        r"[^\n/]{0,40}[ '\"`(\[][a-z_]\w{0,60}[?!]?/$",
        r"(?![\w/]|[.:-]\d)",
        "undefined function total/{2}",
        "lost part/{2}",
        needs="/",
    ),
    CHOSEN,
)


@lru_cache(maxsize=256)  # the same small numbers are met again and again
def _of_digits(number: str) -> tuple[KeptNumber, ...]:
    """The rows that can keep a number, by its digits."""
    return tuple(kept for kept in KEPT if compiled(kept.digits).fullmatch(number))


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
    return any(kept.keeps(before, number, after) for kept in _of_digits(number))
