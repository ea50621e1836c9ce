"""Words around a false statement that say it was not meant as a claim.

Rules of this module: phrases are data, one list for what may follow a statement and take it back,
one for what may stand before it in its sentence, one for what must stand directly before it.
A phrase matches whole words; a trailing `*` leaves the end of the last word open.
"""

import re


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
    recheck*, recalculat*, redo, inconsisten*, mismatch*,
    falsch*, faux, incorrecto, falso, falsa, errad*, sbagliat*, fout"""
)
"""Words after a statement that withdraw it, or say that it was only a trial."""
REFUSED = ("\u2260", "\\ne ", "\\neq", "\u2717", "\u274c", "\u2718")
"""Signs that say so without words."""
SUPPOSED = phrases(
    """suppose, supposing, pretend, imagine, claim, claims, claimed, try, trying, test, testing,
    guess, thought, thinks, wrong, wrongly, mistake, mistakenly, incorrect, incorrectly, false,
    falsely, whether, confus*, misread*, contradict*, impossible, riddle, joke, famous, famously,
    orwell, you wrote, student wrote, student writ*, student sa*, student think*, student answer*,
    student comput*, student calculat*, student got, student made, student's,
    nicht, n'est pas vrai, no es verdad, non \u00e8 vero"""
)
"""Words before a statement in its sentence that attribute it to somebody else."""
_SHORTLY = r"[ :\"]+(?:\w{1,20} ){0,2}[$\"]?$"
SUPPOSED_AT_ONCE = phrases(
    "if, say, says, said, assum*, not, never, isn't, doesn't, instead of, rather than",
    end=_SHORTLY,
)
"""Words that do so only if no more than two words are between ("if 2 + 2 = 5")."""
_LABEL = re.compile(
    r"(?:^|[.!?\n])[\s*_>#-]{0,8}(?:error|mistake)[ *_]{0,4}:[\s*_]{0,4}$"
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
    return TAKEN_BACK.search(window) is not None or any(sign in window for sign in REFUSED)


def supposed(before: str) -> bool:
    """Return True if the sentence so far says that what comes next is not its own claim."""
    ends = [match.end() for match in _SENTENCE.finditer(before)]
    window = before[ends[-1] :] if ends else before
    said = SUPPOSED.search(window) or SUPPOSED_AT_ONCE.search(window) or _LABEL.search(before)
    return said is not None
