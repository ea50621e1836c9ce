"""The words of an English text, as far as comparing two texts needs them.

Rule of this module: words are compared by a stem that is wrong in the same way on both sides, so
that "cities" meets "city" without a dictionary. Overlap of words is a hint about what a text is
about, never a proof (measured: AUROC 0.60 to 0.92 by domain, no signal for contradiction).
"""

import re

WORD = re.compile(r"[^\W\d_][^\W\d_'\u2019]{0,40}|\d[\d,.]{0,20}")

_LETTERS = re.compile(r"[^\W\d_]+")
_NO_LETTERS = {sign: " " for sign in range(128) if not chr(sign).isalpha()}
_NO_WORDS = {sign: " " for sign in range(128) if not chr(sign).isalnum()}
_WORDS = re.compile(r"[^\W_]+")

STOP = frozenset(
    """a an the of to in on at for by with and or but if then so as is are was were be been being it
    its this that these those he she they we you i his her their our your my me him them us not no
    do does did has have had will would can could may might must shall should from about into over
    after before between out up down off than too very just also there here which who whom whose
    what when where why how all any both each few more most other some such only own same during
    while because until against again further once said says say s t re ve ll d m""".split()
)

_ENDINGS = frozenset(
    """ations ation ings ing ies ied ness ment edly ily ers ed es er ly 's \u2019s s y e""".split()
)
# By their last letters; the longest that fits is taken off.
_ENDINGS_IN = {
    last: sorted((one for one in _ENDINGS if one[-1] == last), key=len, reverse=True)
    for last in {ending[-1] for ending in _ENDINGS}
}


def stem(word: str) -> str:
    """Return what is left of a word when its inflection is taken off; at least three letters."""
    word = word.lower()
    for ending in _ENDINGS_IN.get(word[-1:], ()):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def letters(text: str) -> list[str]:
    """Return the runs of letters of a text in order; several times as quick without accents."""
    return text.translate(_NO_LETTERS).split() if text.isascii() else _LETTERS.findall(text)


def signs(text: str) -> list[str]:
    """Return the runs of letters and digits of a text in order, as quickly."""
    return text.translate(_NO_WORDS).split() if text.isascii() else _WORDS.findall(text)


def words(text: str) -> list[str]:
    """Return the words and numbers of a text in order."""
    return WORD.findall(text)


def content(text: str) -> list[str]:
    """Return the stems of the words that carry meaning, in order."""
    return [stem(word) for word in words(text) if len(word) > 1 and word.lower() not in STOP]
