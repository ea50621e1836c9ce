"""The ways of not answering: phrases with which a refusal, a placeholder or a promise begins.

Rules of this module: a phrase is looked for only where an answer begins; typographic apostrophes
are made plain before. Each row has an example and a text that is close to it and none.
"""

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["refusal", "placeholder", "deferral"]


@dataclass(frozen=True, slots=True)
class Phrase:
    """One way of not answering. `certain` is False where the same words may be an answer."""

    kind: Kind
    name: str
    pattern: re.Pattern[str]
    example: str
    counter_example: str
    certain: bool = True


def _phrase(
    kind: Kind, name: str, *parts: str, example: str, counter_example: str, certain: bool = True
) -> Phrase:
    pattern = re.compile(r"[^\w\[<({]{0,6}" + "".join(parts), re.IGNORECASE)
    return Phrase(kind, name, pattern, example, counter_example, certain)


def _any(*choices: str) -> str:
    return f"(?:{'|'.join(choices)})"


_CANNOT = _any(
    "cannot", "can't", "can not", "could not", "couldn't", "won't", "will not", "am not able to",
    "'m not able to", "am unable to", "'m unable to", "do not", "don't",
)  # fmt: skip
_UNABLE = _any(
    "cannot", "can't", "can not", "am not able to", "'m not able to", "am unable to",
    "'m unable to", "won't be able to", "will not be able to",
)  # fmt: skip
_DO = _any(
    "help", "assist", "answer", "provide", "fulfil+", "comply", "complete", "generate", "create",
    "write", "discuss", "share", "support", "process", "access", "perform", "give", "offer",
    "do that", "do this", "respond", "determine", "engage", "produce", "continue", "carry out",
    "make", "browse", "view", "open", "see the", "read the", "translate", "summari[sz]e", "advise",
)  # fmt: skip
_SORRY = _any(
    r"(?:i'm|i am) (?:(?:very |so |really |terribly )?sorry|afraid)(?: that)?", "sorry",
    "(?:i |my )?apologi(?:[sz]e|es)", "unfortunately", "regrettably",
)  # fmt: skip
_LACKS = _any(
    "enough", "sufficient", "access", "any (?:information|data|details)",
    "the (?:information|context|ability|necessary)",
)  # fmt: skip
_MODEL = _any("ai", "artificial intelligence", "large language model", "language model")
_ASSENT = _any(
    "sure", "certainly", "of course", "okay", "ok", "absolutely", "got it", "no problem",
    "alright", "right",
)  # fmt: skip
_I_SHALL = _any(
    "let me", "i'll", "i will", "i am going to", "i'm going to", "(?:please )?allow me to"
)
_LATER = _any(
    "look", "check", "get (?:back|started|right|on)",
    "start(?! with| by)", "begin(?! with| by)", "think", "work on",
    "research", "investigate", "find out", "see what", "take a look", "do (?:that|this|it)",
    "analy[sz]e", "review", "prepare", "gather", "dig", "explore", "examine", "read", "search",
    "handle", "proceed", "help you with", "come back",
)  # fmt: skip
_BLANK = _any(
    "insert", "your", "add", "fill", "placeholder", "put", "enter", "write", "type", "answer",
    "response", "output", "content", "text",
)  # fmt: skip

PHRASES = (
    _phrase(
        "refusal", "sorry, I cannot",
        _SORRY, r"[,.!;:-]?\s+(?:(?:but|that|however,?|at this time,?)\s+){0,2}",
        r"(?:for [^.,\n]{1,60}[,.]\s+(?:but )?)?(?:i|we)\s?", _CANNOT, r"\b",
        example="I'm sorry, but I can't help with that.",
        counter_example="I'm sorry to hear that you are ill.",
    ),
    _phrase(
        "refusal", "as an AI",
        f"(?:{_SORRY}[,.]?\\s+(?:but\\s+)?)?as an? ", _MODEL,
        r"\b[^.\n]{0,80}?\bi\s?", f"(?:{_CANNOT}|have no)", r"\b",
        example="As an AI language model, I am unable to answer this question.",
        counter_example="As an AI engineer works, so does the machine.",
    ),
    _phrase(
        "refusal", "I cannot do it",
        r"i\s?", _UNABLE, r"\s+", _DO, r"\b(?! but\b)",
        example="I cannot provide that.", counter_example="I can't help but smile.",
    ),
    _phrase(
        "refusal", "I lack what I need",
        r"(?:sorry,? (?:but )?)?i (?:do not|don't) (?:currently )?have ", _LACKS, r"\b",
        example="I don't have enough information to answer that.",
        counter_example="I don't have a car.",
    ),
    _phrase(
        "refusal", "unable to",
        r"(?:unable|not able) to (?:answer|help|assist|provide|comply|process|complete)\b",
        example="Unable to process this request.",
        counter_example="Unable to sleep, he went for a walk.",
    ),
    _phrase(
        "refusal", "against the rules",
        r"(?:this|that|your) (?:request|question|content|prompt) ",
        r"(?:violates|goes against|is against|cannot be (?:answered|processed|completed))\b",
        example="This request violates our content policy.",
        counter_example="This request was filed in 1990.",
    ),
    _phrase(
        "refusal", "I do not know",
        r"(?:i(?:'m| am) not sure|i (?:do not|don't) know|i have no (?:idea|information))\b",
        example="I don't know.", counter_example="I know it.", certain=False,
    ),
    _phrase(
        "placeholder", "to be done",
        r"[\[<({]?(?:todo|tbd|tba|fixme|xxx|wip|coming soon|work in progress|"
        r"to be (?:determined|done|added|completed|written|filled in))\b(?:\W|$)",
        example="TODO: fill in the answer here.", counter_example="To do this well, start early.",
    ),
    _phrase(
        "placeholder", "not applicable",
        r"(?:n/a|not applicable|no (?:answer|output|response|content)|null|undefined|nan|"
        r"placeholder|answer|response)\W{0,4}$",
        example="N/A", counter_example="Not applicable to cars, only to bicycles.",
    ),
    _phrase(
        "placeholder", "brackets to be filled",
        r"[\[<({]{1,2}\s?", _BLANK, r"\b[^\]>)}\n]{0,120}[\]>)}]{1,2}\W{0,4}$",
        example="[insert answer here]",
        counter_example="(Your guess is as good as mine) said the man.",
    ),
    _phrase(
        "placeholder", "filler text",
        r"lorem ipsum dolor\b",
        example="Lorem ipsum dolor sit amet.", counter_example="Lorem is a word.",
    ),
    _phrase(
        "deferral", "let me do it later",
        f"(?:{_ASSENT}[,.!]?\\s+)?", _I_SHALL, "(?: just| quickly| first| now)? (?:to )?", _LATER,
        r"\b",
        example="Let me look into that and get back to you.",
        counter_example="Let me explain: it is blue.",
    ),
    _phrase(
        "deferral", "wait a moment",
        r"(?:please )?(?:one moment(?=\W|$)(?! of)|just a (?:moment|second|minute)|"
        r"give me (?:a|one) (?:moment|second|minute)|hold on|please wait|bear with me|stand by|"
        r"working on it)\b",
        example="One moment please.", counter_example="One moment of joy is enough.",
    ),
)  # fmt: skip

# Requests whose right answer may hold such words.
MEANT: dict[Kind, re.Pattern[str]] = {
    "refusal": re.compile(
        r"\b(?:refus\w{0,8}|declin\w{0,8}|reject\w{0,8}|apolog\w{0,8}|sorry|excuse|customer|"
        r"turn(?:ing)? down|role-?play|say no|translate|rewrite|rephrase|paraphrase|complaint|"
        r"resign\w{0,8}|disclaimer)\b",
        re.IGNORECASE,
    ),
    "placeholder": re.compile(
        r"\b(?:todo|to-do|tbd|n/a|lorem ipsum|placeholders?|dummy|filler|templates?|null|none|"
        r"not applicable|undefined|nan|insert)\b",
        re.IGNORECASE,
    ),
    "deferral": re.compile(
        r"\b(?:reply|respond|response|voicemail|messages?|e-?mails?(?! subject)|script|dialogue|"
        r"dialog|conversation|translate|rewrite|rephrase|promise|song|poem|quote|role-?play)\b",
        re.IGNORECASE,
    ),
}
