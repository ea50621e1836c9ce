"""Quotations of wrong statements in order to correct them, language by language.

Rules of this module: a statement that is attributed to somebody, or replaced by another one, is not
claimed. The text after a statement corrects it only if it also names the right value: then its
author knows it. A word alone does not say so: "richtig ist 7 * 8 = 54" claims what it says.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from reflection_mcp.tools.judging.texts.hedges import phrases


class Correction(NamedTuple):
    """The words of one language.

    Args:
        language: its name.
        wrote: somebody wrote or calculated; before a statement or behind it.
        instead: of what is wrong; before it, or behind it and before what is right.
        right: what may stand before the right value, behind a statement that is wrong.
        example: a correction of 7 * 8 = 54.
        counter: a claim of it.
    """

    language: str
    wrote: str
    instead: str
    right: str
    example: str
    counter: str


CORRECTIONS = (
    Correction(
        "English",
        "forgets\nforgetting\nforgot",
        "instead of\nrather than",
        "but\nwhereas\ncorrect\ntrue\nright\nreal\nproper\nshould",
        "Forgetting the carry gives 7*8=54; the true product is 56.",
        "Do not forget the carry: 7*8=54.",
    ),
    Correction(
        "German",
        "geschrieben\ngerechnet\nschrieb*",
        "statt\nanstatt\nanstelle",
        "sondern\naber\nrichtig\nkorrekt\nsollte*\nm\u00fcsste*\nmuss",
        "Du hast 7*8=54 geschrieben, richtig ist 56.",
        "Richtig ist 7*8=54.",
    ),
    Correction(
        "French",
        "avez \u00e9crit\nas \u00e9crit\na \u00e9crit\nont \u00e9crit",
        "au lieu de\nplut\u00f4t que",
        "mais\ncorrect*\njuste\nexact*\nbonne\ndevrait\ndoit\nfaut",
        "Vous avez trouv\u00e9 7*8=54 au lieu de 56.",
        "On a donc 7*8=54, et 54+2=56.",
    ),
    Correction(
        "Spanish",
        "escrito\nescribi*\nha puesto\nhas puesto",
        "en vez de\nen lugar de",
        "pero\nsino\ncorrect*\ndeber\u00eda*\ndebe",
        "Has escrito 7*8=54, pero son 56.",
        "Lo correcto es 7*8=54.",
    ),
    Correction(
        "Portuguese",
        "escreve*\nescrito",
        "em vez de\nem lugar de",
        "mas\ncerto\ncorret*\ndeveria\ndeve",
        "Voc\u00ea p\u00f4s 7*8=54, mas o certo \u00e9 56.",
        "O certo \u00e9 7*8=54.",
    ),
    Correction(
        "Italian",
        "scritto\nscriv*",
        "invece di\nanzich\u00e9\nal posto di",
        "ma\ncorrett*\ngiust*\ndovrebbe\ndeve",
        "Hai messo 7*8=54 invece di 56.",
        "Il risultato giusto: 7*8=54.",
    ),
    Correction(
        "Dutch",
        "geschreven",
        "in plaats van",
        "maar\njuist*\ngoede\ncorrect*\nmoet",
        "Je kreeg 7*8=54, maar het is 56.",
        "Het juiste antwoord: 7*8=54.",
    ),
    Correction(
        "Polish",
        "napisa\u0142*",
        "zamiast",
        "ale\nlecz\npowinno\npoprawn*\nprawid\u0142ow*",
        "Wysz\u0142o 7*8=54, a powinno by\u0107 56.",
        "Powinno by\u0107 7*8=54.",
    ),
    Correction(
        "Swedish, Danish, Norwegian",
        "skrev\nskrivit\nskrevet",
        "i st\u00e4llet f\u00f6r\nist\u00e4llet f\u00f6r\ni stedet for",
        "men\nr\u00e4tt\nrett\nriktig*\nkorrekt\nska\nskal",
        "Du fick 7*8=54, men det ska vara 56.",
        "R\u00e4tt svar: 7*8=54.",
    ),
    Correction(
        "Turkish",
        "yazm\u0131\u015f*\nyazd\u0131*",
        "yerine",
        "ama\nfakat\ndo\u011fru*\nolmal\u0131",
        "7*8=54 bulmu\u015fsun, do\u011frusu 56.",
        "Do\u011frusu 7*8=54.",
    ),
    Correction(
        "Czech",
        "napsal*",
        "m\u00edsto",
        "ale\nspr\u00e1vn*\nm\u00e1 b\u00fdt",
        "Vy\u0161lo ti 7*8=54 m\u00edsto 56.",
        "Spr\u00e1vn\u011b je 7*8=54.",
    ),
    Correction(
        "Russian",
        "\u043d\u0430\u043f\u0438\u0441\u0430\u043b*",
        "\u0432\u043c\u0435\u0441\u0442\u043e",
        "\u043d\u043e\n\u0430\n\u0434\u043e\u043b\u0436\u043d*\n"
        "\u043f\u0440\u0430\u0432\u0438\u043b\u044c\u043d*\n\u0432\u0435\u0440\u043d*",
        "\u0423 \u0432\u0430\u0441 7*8=54, "
        "\u0430 \u0434\u043e\u043b\u0436\u043d\u043e \u0431\u044b\u0442\u044c 56.",
        "\u041f\u0440\u0430\u0432\u0438\u043b\u044c\u043d\u043e: 7*8=54.",
    ),
)  # fmt: skip
"""The languages that separate words by spaces."""

_WITHOUT_SPACES = re.compile(
    "\u5e94\u8be5|\u61c9\u8a72|\u5e94\u4e3a|\u61c9\u70ba|\u6b63\u786e|\u6b63\u78ba|\u800c\u4e0d\u662f"
    "|\u6b63\u3057\u304f|\u6b63\u89e3|\u3067\u306f\u306a\u304f|\uc815\ub2f5|\uc62c\ubc14|\uc544\ub2c8\ub77c"
)
"""Words for "right" in Chinese, Japanese and Korean."""


def _all(field: str) -> str:
    return "\n".join(
        dict.fromkeys("\n".join(getattr(row, field) for row in CORRECTIONS).split("\n"))
    )


WROTE = phrases(_all("wrote"))
INSTEAD = phrases(_all("instead"), end=r"[ :\"]+(?:\w{1,20} ){0,2}[$\"]?$")
_RIGHT = phrases(_all("right") + "\n" + _all("instead"))
_LABEL = re.compile(
    r"(?:^|[.!?\n])[\s*_>#-]{0,8}(?:error|mistake|fehler|erreur|errore|erro|b\u0142\u0105d|fout|fel|fejl|feil"
    r"|chyba|hata|\u043e\u0448\u0438\u0431\u043a\u0430)[ *_]{0,4}[:\uff1a][\s*_]{0,4}$",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\d{1,15}(?:[.,]\d{1,9}){0,5}(?!\d)(?!\s?[-+*/^\u00d7\u00b7\u00f7] ?[$\u20ac\u00a3\u00a5]?\d)"
)
_OPERATORS = (*"=+-*/^\u00d7\u00b7\u00f7",)
_MONEY = "$\u20ac\u00a3\u00a5"
BEHIND = 40
"""Characters behind a word of correcting in which the right value stands."""


def called_an_error(before: str) -> bool:
    """Return True if a statement is all that stands behind a label: "Error: 2 + 2 = 5"."""
    return _LABEL.search(before) is not None


def right_values(after: str, left: str) -> Iterator[str]:
    """Yield the numbers that a text behind a statement may name as what would be right.

    Args:
        after: the text.
        left: the left side of the statement, as it is written; a result of another one is none.
    """
    left = "".join(left.split())
    for pattern in (_RIGHT, _WITHOUT_SPACES):
        for word in pattern.finditer(after):
            for number in _NUMBER.finditer(after, word.end(), word.end() + BEHIND):
                joined = "".join(after[: number.start()].split()).rstrip(_MONEY)
                if not joined.endswith(_OPERATORS) or joined.endswith(f"{left}="):
                    yield number[0]
