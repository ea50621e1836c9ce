"""The format, wording and language that a question asks for.

Rules of this module: the rows are the instructions of IFEval that can be verified without a judge
(arXiv 2311.07911, table 4), read from the usual wordings and not only from that benchmark's, plus
the demand for a language. Counts and lengths stand in `length`.
"""

import re
from collections.abc import Callable

from reflection_mcp.tools.judging.requests.demands import Demand, Rule, What, read
from reflection_mcp.tools.judging.requests.length import BOUNDS, NUMBER_WORDS, limits, number
from reflection_mcp.tools.judging.requests.nouns import TEXT_NOUN
from reflection_mcp.tools.judging.texts.languages import LANGUAGE_NAMES

Make = Callable[[re.Match[str]], Demand | None]


def _any(*choices: str) -> str:
    return f"(?:{'|'.join(choices)})"


# Building bricks of the patterns. Quotation marks are plain: `requests.clauses` made them so.
_N = r"(?P<n>\d{1,3}|" + "|".join(NUMBER_WORDS) + ")"
_BOUND = "(?:(?P<bound>" + "|".join(pattern for _, pattern in BOUNDS) + r")\s+)?"
_TIMES = rf"{_BOUND}{_N} times\b"
_ONE = r"(?:\"[^\"\n]{1,200}\"|'[^'\"\n]{1,200}?'(?!\w))"
_ANSWER = (
    r"(?:(?:your|the|this|its) )?(?:entire |whole |full |final )?(?:answer|response|reply|output|"
    r"text|story|poem|essay|letter|e-?mail|message|post|it)"
)
_NOT = _any(
    "not allowed to", "do not",
    "don't", "never", "must not", "should not", "shouldn't", "mustn't", "avoid",
    "without", "refrain from", "not",
)  # fmt: skip
_WORDS = _any("words?", "phrases?", "terms?", "keywords?", "key words?")
_THE = (
    r"(?:(?:all of|both|all|any of|either|(?:at least )?one of|the|these|this|following|exact) )"
    r"{0,3}"
)
_LIST = (
    rf"[(\[]?(?P<texts>{_ONE}(?:(?:\s*,)?(?:\s*/\s*|\s+(?:(?:and|or|and/or)\s+)?)"
    rf"(?:with )?(?:the )?(?:{_WORDS} )?{_ONE}){{0,19}})"
)
_AS_REQUEST = rf"(?:^|[,;:] |\b(?:and|please|should|must|to|{_ANSWER}) )"
_OUTPUTS = _any(
    "return", "respond", "reply", "answer", "output", "give", "provide", "format", "formatted",
    "write", "generate", "produce", "wrapped", "wrap", "present", "convert", "express", "list",
)  # fmt: skip
_CAPITALS = _any(
    "all capital letters", "capital letters only", "all caps", "only capital letters",
    "all uppercase(?: letters)?", "uppercase letters only", "uppercase only",
)  # fmt: skip
_SMALL = _any(
    "all lowercase(?: letters)?", "lowercase letters only", "only lowercase(?: letters)?",
    "all small letters", "lowercase only",
)  # fmt: skip
_WRITES = _any(_ANSWER, "write", "respond", "reply", "answer")
_PERSONAL = (
    r"(?:poem|story|song|letter|e-?mail|message|tweet|post|speech|haiku|joke|riddle|dialogue|sms|"
    r"greeting|caption|slogan|resume|cv|bio|toast|invitation|memo|rap|limerick|sonnet|fairy tale)"
)
# "Explain the cases in Polish" speaks of Polish; only an object that can be in no language at all
# ("it"), or is the text itself ("a poem about rain"), leaves "in Polish" to the answer.
_PURE_OBJECT = re.compile(
    rf"(?: (?:me|us|to me|back|only|everything|all|it|this|that|yourself)){{0,4}}|"
    rf"(?: (?:me|us))?(?: (?:your|the|an?|my|this))?(?: [\w-]{{1,20}}){{0,3}} {TEXT_NOUN}|"
    rf"(?: (?:me|us))? (?:an?|my|the)(?: [\w-]{{1,20}}){{0,3}} {_PERSONAL}"
    r" (?:to|for|from|about|with|of|that|inviting|asking|thanking)\b[^\n]*",
    re.IGNORECASE,
)
_SPEAKS = (
    r"(?:answer|respond|reply|speak)\b[^\n]{0,60}?|"
    r"(?:write|explain|give|provide|generate|compose|draft)\b(?P<of>[^\n]{0,60}?)|"
    rf"{_ANSWER}(?: \w{{1,20}}){{0,3}}"
)
_LANGUAGE = r"(?P<language>" + "|".join(LANGUAGE_NAMES) + ")"
# Before "cuisine" or "history" the name of a language names none.
_ALONE = r"(?= language\b| only\b|\s*(?:[.,;:!?)]|$)| (?:and|with|without|using|to|please)\b)"
_CODE = re.compile(
    r"\b(?:function|script|program|code|endpoint|api|class|method|library|parser?|regex)\b",
    re.IGNORECASE,
)

_WRITTEN_IN = rf"\b{_WRITES}\b[^\n]{{0,60}}\b(?P<at>in) (?:English,? and (?:in )?)?"
_WITH_ONE = rf"(?:{_ANSWER} )?(?:off )?with {_THE}(?:{_WORDS}|sentence|line)?:? ?{_LIST}"

# --------------------------------------------------------------------------- makers


def _form(what: What) -> Make:
    """Return the maker of a demand that names neither a figure nor a text."""
    return lambda match: Demand(what=what, said=match[0].strip())


_OR = re.compile(r"\bor\b|/")
_ONE_OF = re.compile(r"\b(?:any of|either|one of)\b", re.IGNORECASE)
_MORE = re.compile(r"\s*(?:,\s*)?(?:or\b|/)", re.IGNORECASE)
_BLANK = re.compile(r"\[[^\]\n]{1,80}\]|<[^>\n]{1,80}>|\{[^}\n]{1,80}\}|_{3,}")
"""What a demanded text leaves to the writer, as the name in "Dear [name]"."""


def _texts(what: What) -> Make:
    """Return the maker of a demand that names words or phrases in quotation marks.

    Of several that "or" joins one is enough, save that none of forbidden ones may stand.
    """

    def make(match: re.Match[str]) -> Demand | None:
        found = (one.strip("\"',.") for one in re.findall(_ONE, match["texts"]))
        texts = tuple(one for one in (_fixed(one, what) for one in found) if one)
        either = what in ("start", "end") or bool(
            _OR.search(re.sub(_ONE, " ", match["texts"])) or _ONE_OF.search(match[0])
        )
        unread = what != "forbidden" and _MORE.match(match.string, match.end())
        if not texts or unread:
            return None
        return Demand(
            what=what,
            said=match[0].strip(),
            texts=texts,
            either=either and what != "forbidden",
        )

    return make


def _fixed(text: str, what: What) -> str:
    """Return the part of a demanded text that is to stand as it is."""
    parts = _BLANK.split(text)
    if len(parts) == 1:
        return text
    return {"start": parts[0], "end": parts[-1]}.get(what, "").strip()


def _counted(what: What) -> Make:
    """Return the maker of a demand that says how often."""

    def make(match: re.Match[str]) -> Demand | None:
        said = match["bound"] or ""
        bounds = (name for name, pattern in BOUNDS if re.fullmatch(pattern, said, re.IGNORECASE))
        least, most, loose = limits(number(match["n"]), next(bounds, ""))
        named = match.groupdict().get("text")
        return Demand(
            what=what,
            said=match[0].strip(),
            least=least,
            most=most,
            loose=loose,
            texts=(named,) if named else (),
        )

    return make


def _json(match: re.Match[str]) -> Demand | None:
    if _CODE.search(match.string):
        return None
    return Demand(what="json", said=match[0].strip())


def _two_responses(match: re.Match[str]) -> Demand | None:
    return Demand(what="two responses", said=match[0].strip(), least=2)


def _language(match: re.Match[str]) -> Demand | None:
    if match["of"] and match["of"].strip() and not _PURE_OBJECT.fullmatch(match["of"]):
        return None
    return Demand(what="language", said=match[0].strip(), texts=(match["language"].lower(),))


# --------------------------------------------------------------------------- the table


def _rule(
    name: str, make: Make, *parts: str, example: str, counter_example: str, needs: str = ""
) -> Rule:
    pattern = re.compile("".join(parts), re.IGNORECASE)
    # Only a pattern that reads quotation marks may see what stands between them.
    quoted = _ONE in pattern.pattern or "(?P<text>" in pattern.pattern or "<<" in pattern.pattern
    return Rule(name, pattern, make, example, counter_example, quoted, tuple(needs.split()))


FORM_RULES = (
    _rule(
        "JSON", _json,
        rf"\b{_OUTPUTS}\b(?:[^\n]{{0,120}}?\b(?P<at>in|as|into|to|using|only|with))?",
        r"(?: me)?\s+(?:an?\s+)?",
        r"(?:(?:valid|well-formed|single|raw|strict)\s+)?JSON\b",
        r"(?! (?:file|parser|schema|library|web|is|are|was))",
        example="Return it as JSON.",
        counter_example="Write a function that reads a file and returns it as JSON.",
        needs="json",
    ),
    _rule(
        "title in double angular brackets", _form("title"),
        r"\btitle\b[^\n]{0,60}\b(?:double angular brackets|(?:in|as) <<[^>\n]{1,60}>>)",
        example="It must contain a title, wrapped in double angular brackets.",
        counter_example="Suggest a title for this poem.",
    ),
    _rule(
        "postscript", _form("postscript"),
        r"\b(?:add|include|end with)\b[^\n]{0,40}\b(?:postscript|post script|P\.\s?S\.)",
        example="At the end, please explicitly add a postscript starting with P.S.",
        counter_example="Explain what a postscript is.",
    ),
    _rule(
        "double quotation marks", _form("quotation"),
        r"\bwrap\b[^\n]{0,40}\b(?:in|with|inside) (?:double )?quotation marks",
        example="Wrap your entire response with double quotation marks.",
        counter_example="When do I use double quotation marks?",
    ),
    _rule(
        "no commas", _form("no commas"),
        rf"\b(?:{_NOT}|no)\b\s+(?:(?:the use of|using|use|include|including|any|contain)\s+)",
        r"{0,3}commas?\b",
        example="In your entire response, refrain from the use of any commas.",
        counter_example="Explain when to put a comma.",
        needs="comma",
    ),
    _rule(
        "capital letters only", _form("upper case"),
        rf"{_WRITTEN_IN}{_CAPITALS}",
        example="Your entire response should be in English, and in all capital letters.",
        counter_example="Words with all capital letters should appear at least 3 times.",
        needs="capital caps uppercase",
    ),
    _rule(
        "small letters only", _form("lower case"),
        rf"{_WRITTEN_IN}{_SMALL}",
        example="Your entire response should be in English, and in all lowercase letters.",
        counter_example="Convert the variable to lowercase.",
        needs="lowercase small",
    ),
    _rule(
        "words in capitals", _counted("capital words"),
        rf"\bwords (?:in|with) all capital letters[^\n]{{0,40}}?\b{_TIMES}",
        example="Words with all capital letters should appear at least 3 times.",
        counter_example="Words with all capital letters are loud.",
    ),
    _rule(
        "placeholders", _counted("placeholders"),
        rf"\b(?:contain|include|have|with|use)\s+{_BOUND}{_N}\s+placeholders?\b",
        example="The response must contain at least 3 placeholders in square brackets.",
        counter_example="What are placeholders?",
    ),
    _rule(
        "highlighted sections", _counted("highlights"),
        rf"\bhighlight\s+{_BOUND}{_N}\s+(?:text )?(?:sections|parts|phrases)",
        r"[^\n]{0,60}\bmarkdown\b",
        example="Highlight at least 3 sections in your answer with markdown.",
        counter_example="Highlight the differences between the two.",
    ),
    _rule(
        "start", _texts("start"),
        rf"{_AS_REQUEST}(?P<at>start|begin|open)s? {_WITH_ONE}",
        example='Begin your answer with the phrase "Dear diary".',
        counter_example='List words that start with "un".',
        needs="start begin open",
    ),
    _rule(
        "end", _texts("end"),
        rf"{_AS_REQUEST}(?P<at>end|finish|conclude|close)s? {_WITH_ONE}",
        example='Finish your response with this exact phrase "Is there anything else?".',
        counter_example='Find names that end with "son".',
        needs="end finish conclude close",
    ),
    _rule(
        "keywords", _texts("keyword"),
        r"(?<!not )(?<!n't )(?<!without )(?<!avoid )",
        r"\b(?:includ(?:e|es|ing)|contain(?:s|ing)?|us(?:e|es|ing)|mention(?:s|ing)?|incorporate|",
        rf"has|have) {_THE}{_WORDS}:? {_LIST}",
        example="Compose a poem that includes the words 'stars' and 'light'.",
        counter_example="What does the word 'light' mean?",
    ),
    _rule(
        "how often a word", _counted("keyword"),
        r"\bword [\"'](?P<text>[^\"'\n]{1,60})[\"'] (?:should |must |to )?",
        rf"(?:appear|be used|occur)s? {_TIMES}",
        example="In your response, the word 'river' should appear at least 3 times.",
        counter_example="The word 'river' has two syllables.",
    ),
    _rule(
        "how often a letter", _counted("letter"),
        r"\bletter [\"']?(?P<text>[a-z])[\"']? (?:should |must |to )?",
        rf"(?:appear|be used|occur)s? {_TIMES}",
        example="In your response, the letter q should appear at least 5 times.",
        counter_example="Which letter appears most often?",
    ),
    _rule(
        "forbidden words", _texts("forbidden"),
        rf"\b{_NOT}(?: to)?(?: ever)? (?:use|using|include|including|contain|containing|mention|",
        rf"mentioning|say|saying|the use of) {_THE}(?:{_WORDS}|letters?)?:? ?{_LIST}",
        example="Do not include the keywords 'very' and 'nice' in the response.",
        counter_example="Include the word 'very'.",
    ),
    _rule(
        "one of these answers", _texts("options"),
        r"\b(?:answer|respond|reply) (?:only )?with (?:exactly )?one of (?:the following|these)",
        rf"(?: options| phrases| words| answers)?:? ?{_LIST}",
        example="Answer with one of the following options: ('My answer is yes.', 'No.')",
        counter_example="Answer with one of your own ideas.",
    ),
    _rule(
        "two answers", _two_responses,
        r"\btwo different (?:responses|answers)\b[^\n]{0,120}\basterisk|\bseparated by 6 asterisk",
        example="Give two different responses, separated by 6 asterisk symbols: ******.",
        counter_example="What do two asterisks mean?",
    ),
    _rule(
        "language", _language,
        rf"\b(?:(?:{_SPEAKS})\s+(?:only )?(?P<at>in)(?: the)?|",
        rf"translate\b[^\n]{{0,160}}?\b(?:in)?to) {_LANGUAGE}{_ALONE}",
        example="Translate this sentence into French.",
        counter_example="Write about cooking in Thai cuisine.",
    ),
)  # fmt: skip

_JSON_ROW = tuple(rule for rule in FORM_RULES if rule.name == "JSON")


def asks_for_json(question: str) -> bool:
    """Tell whether the question asks for JSON as the answer."""
    return "json" in question.lower() and bool(read(question, _JSON_ROW))
