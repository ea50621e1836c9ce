"""The words among numbers, grouped by their effect on an expression.

A word of no list is taken for a unit or a noun ("12 boxes") and is skipped after a number.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SCALES: dict[str, int] = {
    "dozen": 12, "dozens": 12, "hundred": 100, "thousand": 1000, "million": 10**6,
    "billion": 10**9, "trillion": 10**12, "k": 1000, "bn": 10**9, "lakh": 10**5, "lakhs": 10**5,
    "crore": 10**7, "crores": 10**7,
}  # fmt: skip
"""Words that multiply the number before them ("5 thousand", "2 dozen", "$5k")."""

OPERATOR_WORDS = _words("plus minus times multiplied divided less over")
"""Words that are operators: an expression that contains one is not read."""

MATH_WORDS = _words(
    """half halves third thirds quarter fourth fifth sixth eighth tenth twice thrice double triple
    square squared cube cubed sqrt root log ln exp sin cos tan cot sec csc arcsin arccos arctan sinh
    cosh tanh mod modulo remainder factorial choose base power max min gcd lcm average mean median
    frac binom sum prod floor ceil difference product quotient pi e squares cubes pow sec abs round
    by"""
)
"""Words that change the value of what stands beside them: an expression with one is not read."""

CLAUSE_WORDS = _words(
    """is are was were and so then which that thus gives give gets get equals equal or but because
    since if we she he they it left has have had makes make means therefore hence there costs cost
    spends spent needs need did do does will would be been this these those i you who when after
    before than more fewer where while until as not can could should must let plus only also now
    leaving giving making leaves leave remains remain equaling equalling being"""
)
"""Words that begin something new: what follows is no longer the name of the number before."""

NO_NAMES = CLAUSE_WORDS | MATH_WORDS | OPERATOR_WORDS
"""Words at which the name of what was counted ends."""

AREAS = _words(
    """foot feet ft inch inches in yard yards yd mile miles mi meter meters metre metres m cm mm km
    centimeter centimeters centimetre centimetres millimeter millimeters millimetre millimetres
    kilometer kilometers kilometre kilometres unit units"""
)
"""Words behind "square" that make it a unit: 360 square feet."""

LETTER_UNITS = _words(
    """m g h s l k mm cm km kg mg ml cl dl ft in lb lbs oz hr hrs mi min mins sec secs mph kph kmh
    am pm pa hz kw kwh mw gb mb kb tb usd eur gbp kcal cal ms us ns yd gal qt pt px em
    pts pcs cents cent dollars minutes hours days degrees euros euro bn kn cc psi rpm wpm mol mmol
    ohm ohms kj mj nm um mpa kpa N J V W L A K C F H T"""
)
"""Units that may be written right behind a number or that are a single letter ("5m", "3 h")."""

APPROXIMATE_WORDS = _words("about approximately around roughly nearly almost approx circa ca")
"""Words between a relation and its result that make it approximate."""

ORDINALS = _words("st nd rd th")
"""Endings of an ordinal: a result may be one ("6 - 2 = 4th place"), an operand may not."""
