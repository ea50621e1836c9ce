"""Words by which a line is known to tell of a failure.

Rule of this module: a row is a group of words in one language, found anywhere in a casefolded
line. They only choose lines, they never decide whether two errors are the same; a message in a
language that is not listed is found by where it stands.
"""

import re
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from reflection_mcp.tools.identity.rule import Match, compiled


class Symptom(NamedTuple):
    """One group of words: `stems` are what no line with one of them can lack, bars between."""

    name: str
    stems: str
    pattern: str
    example: str
    other: str


SYMPTOMS: tuple[Symptom, ...] = (
    Symptom("error", "error", r"error\b", "typeerror: x", "errors.py"),
    Symptom(
        "failure",
        "err!|fatal|panic|e  |e\t|fail|exception|throw|warning:|terminate "
        "called|what()|crash|abort|killed|segmentation|\u2716|\u00d7|\u2718|curl: ",
        r"\berr!|\bfatal\b|^panic|panicked|^e[ \t]{2}|\bfail(?:ed|ure|s)?\b|"
        r"exception|throw|warning:|"
        r"terminate called|what\(\)|crash|abort|killed|segmentation|\u2716|\u00d7|\u2718|^curl: ",
        "fatal: not a repository",
        "failover.py",
    ),
    Symptom(
        "code of a compiler",
        "ts|e0|e1|e2|e3|e4|e5|e6|e7|e8|e9",
        r"\b(?:ts|e)\d{4}",
        "TS2304 x",
        "ES2020x",
    ),
    Symptom(
        "memory that was never set, or never given back",
        "uniniti|lost in loss record",
        r"\buninitiali[sz]ed\b|\blost in loss record\b",
        "conditional jump depends on uninitialised value(s)",
        "initialised",
    ),
    Symptom(
        "code of a linter in brackets",
        "[",
        r"\[[a-z]{1,4}\d{3,5}\]",
        "a.yml:3: [E206] Variables",
        "a[20]",
    ),
    Symptom(
        "code of a linter behind a place",
        ": ",
        r"^\s*[^\s:]{1,300}:\d{1,7}(?::\d{1,7})?: [a-z]{1,6}\d{3,5}:? ",
        "a.py:3:1: F401 'os' imported but not used",
        "a.py:3: f4",
    ),
    Symptom(
        "name of a rule in brackets behind a finding",
        "[|(",
        r"^\s*[^\s:]{1,300}\.\w{1,10}:\d{1,7}:\d{1,7}:? (?!(?:note|info|hint|help|remark|"
        r"warning|warn|debug|style)\b)\S.{2,600}(?:\[[a-z][\w./:-]{2,60}\]|"
        r"\([a-z][\w./:-]{2,60}\))$",
        "a.kt:3:1: The function parse is too long. [LongMethod]",
        "a.kt:3:1: The function parse is long [here] and there",
    ),
    Symptom(
        "what pydantic says of a key",
        "[",
        r"\[type=\w{1,60}, input_value=",
        "String has 3 characters [type=string_too_short, input_value='a', input_type=str]",
        "String [type=str]",
    ),
    Symptom(
        "number of a vulnerability",
        "cve-|ghsa-|rustsec-|pysec-|go-2",
        r"\b(?:cve-\d{4}-\d{4,7}|ghsa(?:-[a-z\d]{4}){3}|(?:rustsec|go)-\d{4}-\d{4}|"
        r"pysec-\d{4}-\d{1,5})\b",
        "semver  CVE-2022-25883  HIGH  fixed  5.7.1",
        "the number of a CVE-record",
    ),
    Symptom(
        "not",
        "can|could|unable|not|n't|no |never|must",
        r"cannot|can't|can not|could ?n[o']t|unable|no such|"
        r"n(?<!\wn)o(?:t (?:an?\b|in\b|found|supported|allowed|permitted|recogni|match|ready|"
        r"defined|exist)| [a-z])|(?:is|are|does|did)(?: not|n't)|never|must",
        "cannot open x",
        "notable",
    ),
    Symptom(
        "refusal",
        "denied|refus|reject|forbidden|unauthorized|unreachable|time|expired|deadlock|conflict|already",
        r"denied|refus|reject|forbidden|unauthorized|unreachable|timed? ?out|expired|"
        r"deadlock|conflict|already",
        "Permission denied",
        "permitted",
    ),
    Symptom(
        "wrong state",
        "unknown|unrecogni|invalid|unused|und|unresolved|unsupported|unexpected|unbound|incompatible|illegal|malformed|corrupt|mismatch|missing|duplicate|violat|lost|exited|problem|wrong|bad|null",
        r"unknown|unrecogni[sz]ed|invalid|unused|undefined|unresolved|unsupported|unexpected|unbound|"
        r"incompatible|illegal|malformed|"
        r"corrupt|mismatch|missing|duplicate|violat|lost|exited|problem|wrong|\bbad\b|null\b",
        "unknown command",
        "known hosts",
    ),
    Symptom(
        "check of memory, by the C library",
        "double free|smashing",
        r"double free|smashing detected",
        "free(): double free detected in tcache 2",
        "smashing",
    ),
    Symptom(
        "limit",
        "overflow|exceed|exhaust|insufficient|too many|out of|no space|no rule",
        r"overflow|exceed|exhaust|insufficient|too many|out of (?:range|bounds|memory)|"
        r"no space|no rule",
        "too many open files",
        "many files",
    ),
    Symptom(
        "memory that was freed twice or written over",
        "double free|unaligned|smash",
        r"double free\b|\bunaligned\b|\bstack smash",
        "free(): double free detected in tcache 2",
        "free(): is called twice",
    ),
    Symptom(
        "demand",
        "requir|expected|usage:",
        r"requires?\b|required|expected|usage:",
        "expected ;",
        "inspected",
    ),
    Symptom(
        "reasoning of a resolver",
        "because ",
        r"^\W{0,6}(?:and )?(?:so, )?because .{1,300}\b(?:depends on|requires|is forbidden|"
        r"no versions)",
        "Because every version of devise depends on railties",
        "because it is so",
    ),
    Symptom(
        "German",
        "fehler|nicht|kein|ung\u00fcltig|verweigert",
        r"fehler|nicht|kein|ung\u00fcltig|verweigert",
        "Datei nicht da",
        "Datei da",
    ),
    Symptom(
        "French",
        "erreur|impossible|aucun|introuvable|n'existe|refus",
        r"erreur|impossible|aucun|introuvable|n'existe|refus\u00e9",
        "aucun fichier",
        "un fichier",
    ),
    Symptom(
        "Italian", "errore|non |impossibile", r"errore|non \w|impossibile", "errore di rete", "rete"
    ),
    Symptom(
        "Spanish",
        "fall|no |denegad",
        r"fall[o\u00f3]|no se |no existe|denegad",
        "no se puede abrir",
        "se abre",
    ),
    Symptom(
        "Portuguese",
        "n\u00e3o |erro|falh",
        r"n\u00e3o |erro\b|falh",
        "n\u00e3o encontrado",
        "encontrado",
    ),
    Symptom(
        "Russian",
        "\u043e\u0448\u0438\u0431|\u043d\u0435 |\u043d\u0435\u0442 |\u043e\u0442\u043a\u0430\u0437",
        r"\u043e\u0448\u0438\u0431|\u043d\u0435 |\u043d\u0435\u0442 |"
        r"\u043e\u0442\u043a\u0430\u0437",
        "\u043e\u0448\u0438\u0431\u043a\u0430 1",
        "\u0444\u0430\u0439\u043b 1",
    ),
    Symptom(
        "Polish",
        "b\u0142\u0105d|nie |brak",
        r"b\u0142\u0105d|\bnie \w|\bbrak\b",
        "nie uda\u0142o si\u0119 otworzy\u0107",
        "otwarto",
    ),
    Symptom(
        "Turkish",
        "hata|bulunamad|e\u015fle\u015fmedi|\u0131lamad\u0131|ilemedi|de\u011fil",
        r"\bhata\b|bulunamad\u0131|e\u015fle\u015fmedi|\u0131lamad\u0131|ilemedi|de\u011fil",
        "dosya bulunamad\u0131",
        "dosya bulundu",
    ),
    Symptom(
        "Dutch",
        "fout|niet |geen ",
        r"\bfout\b|\bniet \w|\bgeen \w",
        "bestand niet gevonden",
        "bestand",
    ),
    Symptom(
        "Swedish",
        "fel|inte |saknas",
        r"\bfel(?:et)?\b|\binte \w|saknas",
        "filen hittades inte h\u00e4r",
        "filen",
    ),
    Symptom(
        "Chinese",
        "\u9519|\u932f|\u65e0|\u7121|\u672a|\u4e0d|\u5931|\u62d2",
        r"[\u9519\u932f][\u8bef\u8aa4]|[\u65e0\u7121][\u6cd5\u6548]|\u672a|\u4e0d|"
        r"\u5931[\u8d25\u6557]|\u62d2",
        "\u627e\u4e0d\u5230\u6587\u4ef6",
        "\u6587\u4ef6",
    ),
    Symptom(
        "Japanese",
        "\u30a8\u30e9\u30fc|\u307e\u305b\u3093|\u5931\u6557|\u3067\u304d\u306a\u3044",
        r"\u30a8\u30e9\u30fc|\u307e\u305b\u3093|\u5931\u6557|\u3067\u304d\u306a\u3044",
        "\u958b\u3051\u307e\u305b\u3093",
        "\u958b\u304d\u307e\u3059",
    ),
    Symptom(
        "Korean",
        "\uc624\ub958|\uc5c6|\uc2e4\ud328|\uc54a",
        r"\uc624\ub958|\uc5c6|\uc2e4\ud328|\uc54a",
        "\ucc3e\uc744 \uc218 \uc5c6\uc74c",
        "\ucc3e\uc74c",
    ),
    Symptom(
        "Thai",
        "\u0e44\u0e21\u0e48|\u0e1c\u0e34\u0e14",
        r"\u0e44\u0e21\u0e48|\u0e1c\u0e34\u0e14",
        "\u0e44\u0e21\u0e48\u0e1e\u0e1a",
        "\u0e1e\u0e1a",
    ),
)


_COMMONEST = SYMPTOMS[0]


@cache
def _told_by(stem: str) -> tuple[str, ...]:
    """The patterns to ask where a stem stands: it may hold a shorter one of another row."""
    return tuple(row.pattern for row in SYMPTOMS if any(map(stem.startswith, row.stems.split("|"))))


@cache
def _stems(plain: bool) -> Callable[[str, int], Match | None]:
    """Looks for any stem that a line can have, if it is plain ASCII or not; the longest of several.

    They are told apart by their first sign first: fewer are tried at each sign of a line.
    """
    stems = {stem for row in SYMPTOMS for stem in row.stems.split("|")}
    longest_first = sorted(stems, reverse=True)
    by_first = groupby((one for one in longest_first if one.isascii() or not plain), itemgetter(0))
    return compiled(
        "|".join(
            f"{re.escape(first)}(?:{'|'.join(re.escape(stem[1:]) for stem in those)})"
            for first, those in by_first
        )
    ).search


@lru_cache(maxsize=512)  # one line of a text is asked about several times
def tells_of_failure(line: str) -> bool:
    """Whether a line sounds like one that says what failed."""
    lowered = line.casefold()
    if _COMMONEST.stems in lowered and compiled(_COMMONEST.pattern).search(lowered):
        return True
    next_stem = _stems(lowered.isascii())
    found = next_stem(lowered, 0)
    asked: set[str] = set()
    while found:
        for pattern in _told_by(found[0]):
            if pattern not in asked and compiled(pattern).search(lowered):
                return True
            asked.add(pattern)
        found = next_stem(lowered, found.start() + 1)
    return False
