"""Words by which a fresh answer says that it is none: a guess, a rough one, or no knowledge.

Rule of this module: better too wide than too narrow. What looks like a guess is not compared, and
that costs a comparison; a guess that is compared makes a fault of a right answer.
"""

import re

DOES_NOT_KNOW = re.compile(
    r"^\W*(?:i (?:do not|don't|don\u2019t) know|no idea|unknown|unclear|not sure|cannot tell|"
    r"n/?a)\b",
    re.IGNORECASE,
)
GUESSES = re.compile(
    r"\b(?:guess\w*|maybe|perhaps|possibl[ey]|probabl[ey]|presumabl[ey]|likely|seem\w*|assuming|"
    r"(?:may|might|could|would|should) (?:be|have)|uncertain|unsure|unknown|unclear|"
    r"not (?:sure|certain|clear|known)|speculat\w*|depends|know|tell|remember|recall|"
    r"(?:i|we)(?: \w{1,12}){0,2} (?:think|believe|suppose|assume|suspect|imagine|reckon|estimate))"
    r"\b",
    re.IGNORECASE,
)
"""What makes a text a guess, or says that its author does not know."""
ROUGH = re.compile(
    r"[~\u2248<>\u2264\u2265\u00b1?]|\d\+|n['\u2019]t\b|"
    r"\b(?:about|around|roughly|approx\w*|almost|nearly|circa|ca|some|over|under|above|below|"
    r"between|up to|at (?:least|most)|(?:more|less|fewer) than|or|not|never|neither|nor|without|"
    r"any|unless|if|either|think|believe|estimate\w*|ish)\b",
    re.IGNORECASE,
)
"""What makes an answer to a gap a rough one, one of several, or the denial of one."""
