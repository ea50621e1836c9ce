"""Words around a false statement that say it was not meant as a claim.

Rules of this module: phrases are data, one list for what may follow a statement and take it back,
one for what may stand before it in its sentence, one for what must stand directly before it.
A phrase matches whole words; a trailing `*` leaves the end of the last word open.
"""

import re
from collections.abc import Iterator


def phrases(text: str, *, end: str = r"(?!\w)") -> re.Pattern[str]:
    """One linear expression out of phrases between commas.

    Args:
        text: the phrases; a `*` at the end of a word stands for any ending.
        end: an expression for what must follow.
    """
    found = [" ".join(phrase.split()) for phrase in text.split(",")]
    alternatives = [
        re.escape(phrase).replace(r"\*", r"\w{0,12}").replace("'", "['\u2019]") for phrase in found
    ]
    # The look at the first letter spares most words of a text the long alternation.
    first = "".join(sorted({phrase[0] for phrase in found}))
    return re.compile(rf"(?<!\w)(?=[{first}])(?:{'|'.join(alternatives)}){end}", re.I)


TAKEN_BACK = phrases(
    """doesn't, isn't, does not add, is not the, not hold, not make, not match, cannot, can not,
    can't, not equal, not true, not correct, not right, not possible, not valid, not work, not
    enough, not what, not a solution, not satisf*, contradict*, incorrect*, wrong*, mistak*,
    error*, false, should be, should have been, impossible, invalid, fail, fails, too high, too
    low, too small, too large, too big, too much, too many, too few, too little, instead, no
    solution, wait, actually, oops, hmm, correction, corrected, sorry, let me re*, re-check*,
    recheck*, recalculat*, redo, inconsisten*, mismatch*"""
)
"""Words after a statement that withdraw it, or say that it was only a trial."""
REFUSED = ("\u2260", "\\ne ", "\\neq", "\u2717", "\u274c", "\u2718")
"""Signs that say so without words."""
SUPPOSED = phrases(
    """suppose, supposing, pretend, imagine, claim, claims, claimed, try, trying, test, testing,
    guess, thought, thinks, wrong, wrongly, mistake, mistakenly, incorrect, incorrectly, false,
    falsely, whether, confus*, misread*, contradict*, impossible, riddle, joke, famous, famously,
    orwell, you wrote, student wrote, student writ*, student sa*, student think*, student answer*,
    student comput*, student calculat*, student got, student made, student's"""
)
"""Words before a statement in its sentence that attribute it to somebody else."""
_SHORTLY = r"[ :\"]+(?:\w{1,20} ){0,2}[$\"]?$"
SUPPOSED_AT_ONCE = phrases(
    """if, say, says, said, assum*, not, never, isn't, doesn't, instead of, rather than, statt,
    anstatt, anstelle, au lieu de, plut\u00f4t que, en vez de, en lugar de, em vez de, em lugar de,
    invece di, in plaats van, zamiast, i st\u00e4llet f\u00f6r, i stedet for, yerine,
    \u0432\u043c\u0435\u0441\u0442\u043e""",
    end=_SHORTLY,
)
"""Words that do so only if no more than two words are between ("if 2 + 2 = 5")."""
WROTE = phrases(
    """forgets, forgetting, forgot, geschrieben, gerechnet, schrieb*, \u00e9crit, escrito,
    escribi*, escreve*, scritto, scriv*, geschreven, napisa\u0142*, skrev, skrivit, skrevet,
    yazm\u0131\u015f*, yazd\u0131*, \u043d\u0430\u043f\u0438\u0441\u0430\u043b*"""
)
"""Somebody wrote or calculated: before a statement or behind it."""
WRONG_ELSEWHERE = phrases(
    """falsch*, nicht, faux, fausse*, erreur*, n'est pas, incorrect*, falso, falsa, no es, errado,
    errada, erro, sbagliat*, errat*, fout, fel, yanl*, b\u0142\u0119d*, nieprawd*,
    nie jest prawd*, non \u00e8 vero, pas vrai, forkert*, feil, v\u00e4\u00e4rin, \u0161patn*,
    chybn*, hib\u00e1s*, t\u00e9ves*, gre\u0219it*, salah"""
)
"""Wrong, in other languages that are written with spaces."""
WRONG_WITHOUT_SPACES = (
    "\u9519", "\u932f", "\u8bef", "\u4e0d\u5bf9", "\u4e0d\u6210\u7acb", "\u9593\u9055",
    "\u8aa4", "\ud2c0", "\u0e1c\u0e34\u0e14", "\u0e44\u0e21\u0e48", "\u062e\u0637\u0623",
    "\u043d\u0435\u0432\u0435\u0440\u043d", "\u043e\u0448\u0438\u0431",
    "\u043d\u0435\u043f\u0440\u0430\u0432\u0438\u043b", "\u043f\u043e\u043c\u0438\u043b\u043a",
    "\u03bb\u03ac\u03b8\u03bf\u03c2", "\u0917\u0932\u0924", "\u05d8\u05e2\u05d5\u05ea",
)  # fmt: skip
"""Wrong, in Chinese, Japanese, Korean, Thai, Russian and others; word ends do not matter."""
_LABEL = re.compile(
    r"(?:^|[.!?\n])[\s*_>#-]{0,8}(?:error|mistake|fehler|erreur|errore|erro|b\u0142\u0105d|fout"
    r"|fel|fejl|feil|chyba|hata|\u043e\u0448\u0438\u0431\u043a\u0430)[ *_]{0,4}[:\uff1a]"
    r"[\s*_]{0,4}$"
    r"|(?:\b(?:wrong|incorrect|mistaken?|false|faulty|misconception)\b|\u274c|\u2717)[^\n]{0,80}"
    r":[ \t*_]{0,6}\n[ \t>*-]{0,8}$",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.!?](?:\s|$)|\n")


def rest(after: str, sentences: int = 2) -> str:
    """Return what is left of a sentence, with those behind it up to so many."""
    ends = [match.end() for match in _SENTENCE.finditer(after)]
    return after[: ends[sentences - 1]] if len(ends) >= sentences else after


def taken_back(after: str) -> bool:
    """Return True if the rest of the sentence or the next one withdraws the statement before
    `after`."""
    window = rest(after)
    refused = any(sign in window for sign in REFUSED)
    return refused or TAKEN_BACK.search(window) is not None or _wrong_elsewhere(window)


def supposed(before: str) -> bool:
    """Return True if the sentence so far says that what comes next is not its own claim."""
    ends = [match.end() for match in _SENTENCE.finditer(before)]
    window = before[ends[-1] :] if ends else before
    said = SUPPOSED.search(window) or SUPPOSED_AT_ONCE.search(window) or WROTE.search(window)
    return said is not None or _wrong_elsewhere(window) or _LABEL.search(before) is not None


def _wrong_elsewhere(window: str) -> bool:
    foreign = WRONG_ELSEWHERE.search(window) is not None
    return foreign or any(word in window for word in WRONG_WITHOUT_SPACES)


RIGHT = phrases(
    """but, whereas, correct, true, right, real, proper, should, instead of, rather than, sondern,
    aber, richtig, korrekt, sollte*, m\u00fcsste*, muss, mais, correct*, juste, exact*, bonne,
    devrait, doit, faut, au lieu de, pero, sino, deber\u00eda*, debe, en vez de, mas, certo,
    corret*, deveria, deve, ma, corrett*, giust*, dovrebbe, invece di, maar, juist*, goede, moet,
    ale, lecz, powinno, poprawn*, prawid\u0142ow*, men, r\u00e4tt, rett, riktig*, ska, skal, ama,
    fakat, do\u011fru*, olmal\u0131, spr\u00e1vn*, m\u00e1 b\u00fdt, \u043d\u043e, \u0430,
    \u0434\u043e\u043b\u0436\u043d*, \u043f\u0440\u0430\u0432\u0438\u043b\u044c\u043d*,
    \u0432\u0435\u0440\u043d*"""
)
"""Words that may stand before the right value, behind a statement that is wrong."""
RIGHT_WITHOUT_SPACES = re.compile(
    "\u5e94\u8be5|\u61c9\u8a72|\u5e94\u4e3a|\u61c9\u70ba|\u6b63\u786e|\u6b63\u78ba"
    "|\u800c\u4e0d\u662f|\u6b63\u3057\u304f|\u6b63\u89e3|\u3067\u306f\u306a\u304f"
    "|\uc815\ub2f5|\uc62c\ubc14|\uc544\ub2c8\ub77c"
)
BEHIND = 40
"""Characters behind such a word in which the right value stands."""
_NUMBER = re.compile(
    r"\d{1,15}(?:[.,]\d{1,9}){0,5}(?!\d)(?!\s?[-+*/^\u00d7\u00b7\u00f7] ?[$\u20ac\u00a3\u00a5]?\d)"
)
_OPERATORS = (*"=+-*/^\u00d7\u00b7\u00f7",)


def numbers_behind(after: str, left: str) -> Iterator[str]:
    """Yield the numbers that the text behind a statement may name as what would be right.

    A word alone corrects nothing: "richtig ist 7 * 8 = 54" claims what it says.

    Args:
        after: the text.
        left: the left side of the statement, as it is written; a result of another one is none.
    """
    after, left = rest(after), "".join(left.split())
    for word in (*RIGHT.finditer(after), *RIGHT_WITHOUT_SPACES.finditer(after)):
        for number in _NUMBER.finditer(after, word.end(), word.end() + BEHIND):
            joined = "".join(after[: number.start()].split()).rstrip("$\u20ac\u00a3\u00a5")
            if not joined.endswith(_OPERATORS) or joined.endswith(f"{left}="):
                yield number[0]
