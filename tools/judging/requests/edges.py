"""Whether an answer begins or ends with words that were asked for.

Rules of this module: case, emphasis, punctuation and small pictures around the words do not
matter. A closing formula ("Regards") may be followed by who signs, as in any letter, unless the
question says that nothing may follow.
"""

import re

EDGE = 2_000
"""Characters of the answer that are looked at from either side."""
_MARKS = re.compile(r"[\"'\u201c\u201d\u2018\u2019*_`]")
_FORMULA = re.compile(
    r"\b(?:regards|sincerely|yours|truly|faithfully|love|cheers|thanks|thank you|respectfully|"
    r"warmly|best|wishes|hugs|greetings|gratitude|bye|goodbye|cordially|fondly|luck|soon)$"
)
SIGNERS, SIGNER_WORDS = 4, 6
"""Lines of a signature (name, role, firm, phone) and the words of one."""
_SIGNER = re.compile(r"(?!.*[a-z]{2}[.!?]\s*$)[\s*_~-]{0,6}[A-Z[({+\d].{0,80}")
_NOTHING_MORE = re.compile(
    r"\b(?:exact|exactly|nothing (?:else )?(?:after|may follow|follow)|no other words|"
    r"no (?:words?|text) (?:after|should follow)|very last)\b",
    re.IGNORECASE,
)


def folded(text: str) -> str:
    """Return a text without case, quotation marks, Markdown emphasis and outer punctuation."""
    bare = _MARKS.sub("", text.casefold())
    places = range(len(bare))
    first = next((place for place in places if bare[place].isalnum()), len(bare))
    last = next((place for place in reversed(places) if bare[place].isalnum()), -1)
    return " ".join(bare[first : last + 1].split())


def begins(answer: str, wanted: str) -> bool:
    """Tell whether the answer begins with these words."""
    words = folded(wanted)
    return folded(answer[:EDGE]).startswith(words) if words else answer.startswith(wanted)


def ends(answer: str, wanted: str, question: str) -> bool:
    """Tell whether the answer ends with these words, or with them and a signature."""
    words = folded(wanted)
    if not words:
        return answer.rstrip().endswith(wanted)
    tail = answer[-EDGE:]
    if folded(tail).endswith(words):
        return True
    may_sign = _FORMULA.search(words) and not _NOTHING_MORE.search(question)
    return bool(may_sign) and _signed(tail, words)


def _signed(tail: str, words: str) -> bool:
    lines = [line for line in tail.split("\n") if line.strip()][-SIGNERS - 1 :]
    for number, line in enumerate(lines):
        names = lines[number + 1 :]
        before, comma, name = line.rpartition(",")
        if names and folded(line).endswith(words) and all(map(_signer, names)):
            return True
        if comma and folded(before).endswith(words) and all(map(_signer, (name, *names))):
            return True
    return False


def _signer(line: str) -> bool:
    return len(line.split()) <= SIGNER_WORDS and bool(_SIGNER.fullmatch(line.strip()))
