"""Words around a false statement that say it was not meant as a claim.

Rules of this module: phrases are data, one list for what may follow a statement and take it back,
one for what may stand before it in its sentence, one for what must stand directly before it.
A phrase matches whole words; a trailing `*` leaves the end of the last word open.
"""

import re


def phrases(text: str, *, end: str = r"(?!\w)") -> re.Pattern[str]:
    """One linear expression out of phrases, one a line.

    Args:
        text: the phrases; a `*` at the end of a word stands for any ending.
        end: an expression for what must follow.
    """
    found = [*filter(None, map(str.strip, text.split("\n")))]
    alternatives = [
        re.escape(phrase).replace(r"\*", r"\w{0,12}").replace("'", "['\u2019]") for phrase in found
    ]
    # The look at the first letter spares most words of a text the long alternation.
    first = "".join(sorted({phrase[0] for phrase in found}))
    return re.compile(rf"(?<!\w)(?=[{first}])(?:{'|'.join(alternatives)}){end}", re.I)


TAKEN_BACK = phrases(
    """
    does not
    doesn't
    do not
    don't
    did not
    didn't
    is not
    isn't
    are not
    aren't
    was not
    wasn't
    will not
    won't
    can not
    cannot
    can't
    not equal
    not true
    not correct
    not right
    not possible
    not valid
    not work
    not enough
    not what
    not a solution
    not satisf*
    contradict*
    incorrect*
    wrong*
    mistak*
    error*
    false
    should be
    should have been
    impossible
    invalid
    fail
    fails
    too high
    too low
    too small
    too large
    too big
    too much
    too many
    too few
    too little
    instead
    no solution
    wait
    actually
    oops
    hmm
    correction
    corrected
    sorry
    let me re*
    re-check*
    recheck*
    recalculat*
    redo
    inconsisten*
    mismatch*
    """
)
"""Words after a statement that withdraw it, or say that it was only a trial."""

REFUSED = ("\u2260", "\\ne ", "\\neq", "\u2717", "\u274c", "\u2718")
"""Signs that say so without words."""

WRONG_ELSEWHERE = phrases(
    """
    falsch*
    nicht
    faux
    fausse*
    erreur*
    n'est pas
    incorrect*
    falso
    falsa
    no es
    errado
    errada
    erro
    sbagliat*
    errat*
    fout
    fel
    yanl*
    b\u0142\u0119d*
    nieprawd*
    nie jest prawd*
    non \u00e8 vero
    pas vrai
    forkert*
    feil
    v\u00e4\u00e4rin
    \u0161patn*
    chybn*
    hib\u00e1s*
    t\u00e9ves*
    gre\u0219it*
    salah
    """
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

SUPPOSED = phrases(
    """
    suppose
    supposing
    pretend
    imagine
    claim
    claims
    claimed
    try
    trying
    test
    testing
    guess
    thought
    thinks
    wrong
    wrongly
    mistake
    mistakenly
    incorrect
    incorrectly
    false
    falsely
    whether
    confus*
    misread*
    contradict*
    impossible
    riddle
    joke
    famous
    famously
    orwell
    you wrote
    student wrote
    student writ*
    student sa*
    student think*
    student answer*
    student comput*
    student calculat*
    student got
    student made
    student's
    """
)
"""Words before a statement in its sentence that attribute it to somebody else."""

SUPPOSED_AT_ONCE = phrases(
    """
    if
    say
    says
    said
    assum*
    not
    never
    isn't
    doesn't
    """,
    end=r"[ :\"]+(?:\w{1,20} ){0,2}[$\"]?$",
)
"""Words that do so only if no more than two words are between ("if 2 + 2 = 5")."""

_SENTENCE = re.compile(r"[.!?](?:\s|$)|\n")


def rest(after: str, sentences: int = 2) -> str:
    """Return what is left of a sentence, with those behind it up to so many."""
    ends = [match.end() for match in _SENTENCE.finditer(after)]
    return after[: ends[sentences - 1]] if len(ends) >= sentences else after


def so_far(before: str) -> str:
    """Return the sentence up to where it is left."""
    ends = [match.end() for match in _SENTENCE.finditer(before)]
    return before[ends[-1] :] if ends else before


def taken_back(after: str) -> bool:
    """Return True if the rest of the sentence or the next one withdraws the statement before
    `after`."""
    window = rest(after)
    refused = any(sign in window for sign in REFUSED)
    return refused or TAKEN_BACK.search(window) is not None or _wrong_elsewhere(window)


def supposed(before: str) -> bool:
    """Return True if the sentence so far says that what comes next is not its own claim."""
    window = so_far(before)
    said = SUPPOSED.search(window) or SUPPOSED_AT_ONCE.search(window)
    return said is not None or _wrong_elsewhere(window)


def _wrong_elsewhere(window: str) -> bool:
    foreign = WRONG_ELSEWHERE.search(window) is not None
    return foreign or any(word in window for word in WRONG_WITHOUT_SPACES)
