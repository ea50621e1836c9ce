"""In which language a text is written, as far as that is certain.

Rules of this module: a script that only some languages use is certain, and so is a text full of
English function words. Between languages of the Latin script nothing more is claimed.
"""

import re
from functools import lru_cache
from typing import Literal

SCRIPTS: dict[str, str] = {
    "thai": r"\u0e00-\u0e7f",
    "chinese": r"\u3400-\u9fff", "mandarin": r"\u3400-\u9fff", "cantonese": r"\u3400-\u9fff",
    "japanese": r"\u3040-\u30ff\u3400-\u9fff",
    "korean": r"\uac00-\ud7af\u1100-\u11ff",
    "arabic": r"\u0600-\u06ff", "persian": r"\u0600-\u06ff", "farsi": r"\u0600-\u06ff",
    "urdu": r"\u0600-\u06ff",
    "hebrew": r"\u0590-\u05ff",
    "russian": r"\u0400-\u04ff", "ukrainian": r"\u0400-\u04ff", "bulgarian": r"\u0400-\u04ff",
    "greek": r"\u0370-\u03ff\u1f00-\u1fff",
    "hindi": r"\u0900-\u097f", "marathi": r"\u0900-\u097f", "nepali": r"\u0900-\u097f",
    "bengali": r"\u0980-\u09ff", "punjabi": r"\u0a00-\u0a7f", "gujarati": r"\u0a80-\u0aff",
    "tamil": r"\u0b80-\u0bff", "telugu": r"\u0c00-\u0c7f", "kannada": r"\u0c80-\u0cff",
    "malayalam": r"\u0d00-\u0d7f", "georgian": r"\u10a0-\u10ff", "armenian": r"\u0530-\u058f",
    "khmer": r"\u1780-\u17ff", "lao": r"\u0e80-\u0eff", "burmese": r"\u1000-\u109f",
    "amharic": r"\u1200-\u137f",
}  # fmt: skip
"""Languages that are written in a script of their own, as a character class."""
LATIN = (
    "english", "french", "german", "spanish", "italian", "portuguese", "dutch", "swedish",
    "norwegian", "danish", "finnish", "polish", "czech", "turkish", "vietnamese", "indonesian",
    "malay", "romanian", "hungarian", "swahili", "latin", "tagalog", "croatian", "esperanto",
)  # fmt: skip
LANGUAGE_NAMES = (*SCRIPTS, *LATIN)

WINDOW = 4_000
"""Characters that are looked at."""
_LETTER = re.compile(r"[^\W\d_]")
_ENGLISH = re.compile(
    r"\b(?:the|of|and|is|that|for|was|with|are|this|from|have|they|which|you|has|been|their|there|"
    r"would|your|we|our|he|she|my|it|be)\b",
    re.IGNORECASE,
)
ENGLISH_SHARE = 0.2
"""Share of English function words among the words of English prose is 0.3 to 0.5; of others 0."""


def written_in(text: str, language: str) -> Literal["yes", "no", "unclear"]:
    """Return True if a text is written in a language, given by its English name in small
    letters."""
    text = text[:WINDOW]
    letters = len(_LETTER.findall(text))
    if not letters:
        return "unclear"
    if language in SCRIPTS:
        own = len(_script(SCRIPTS[language]).findall(text))
        if own == 0:
            return "no"
        return "yes" if own >= letters / 2 else "unclear"
    foreign = sum(len(_script(signs).findall(text)) for signs in set(SCRIPTS.values()))
    if foreign > letters / 2:
        return "no"
    count = len(text.split())
    english = len(_ENGLISH.findall(text)) >= ENGLISH_SHARE * count and count >= 8
    if language == "english":
        return "yes" if english else "unclear"
    return "no" if english else "unclear"


@lru_cache(maxsize=64)
def _script(signs: str) -> re.Pattern[str]:
    return re.compile(f"[{signs}]")
