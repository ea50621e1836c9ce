"""What a request is about: a text, the answer itself, code, or something that a tool does.

Rule of this module: only a text consists of words, so that a demand on its form can be one on the
answer. Of code and of what a tool makes the answer tells how; it does not itself have that form.
"""

from reflection_mcp.tools.judging.requests.wording import anywhere

TEXT_NOUN = (
    r"(?:answer|response|reply|output|essay|story|poem|summary|text|letter|e-?mail|article|post|"
    r"paragraph|rap|song|resume|riddle|description|explanation|proposal|ad|advert|advertisement|"
    r"tweet|review|speech|dialogue|report|message|bio|introduction|conclusion|caption|sentence|"
    r"haiku|limerick|sonnet|verse|line|headline|slogan|tagline|note|memo|template|abstract|"
    r"critique|analysis|overview|definition|blurb|joke|fable|tale|monologue|toast|itinerary|guide|"
    r"statement|announcement|invitation|sms|greeting|lyrics|ballad|ode|passage|biography)"
)
"""What consists of words, so that a demand on it is one on the answer that holds it."""
TEXT = anywhere(
    rf"\b{TEXT_NOUN}s?\b",
    example="a tale of at most 50 words",
    counter="a name of at most 50 characters",
)
OWN_ANSWER = anywhere(
    r"\byour (?:entire |whole |full |final )?(?:answer|response|reply|explanation)\b|"
    r"\b(?:answer|respond|reply|explain|describe|summari[sz]e)\b",
    example="Keep your final answer short",
    counter="Keep the output short",
)
CODE = anywhere(
    r"\b(?:regex|regexp|regular expression|function|script|program|code|quer(?:y|ies)|endpoint|api|"
    r"class|method|librar(?:y|ies)|parser?|rule|selector|command|macro|formula|test|loop|component|"
    r"css|html|sql|app|schema|validator|workflow|one-liner|snippet|passwords?|usernames?)\b"
    rf"(?! {TEXT_NOUN}\b)",
    example="a function that returns JSON",
    counter="an app review",
)
TOOL = anywhere(
    r"\b(?:in|with|using|via|by|from|through|on) (?:an? |the )?(?:\w{1,20} )?"
    r"(?:bash|shell|zsh|powershell|python|pandas|numpy|java|javascript|js|typescript|node|go|golang|"
    r"rust|ruby|php|perl|r|c|c\+\+|c#|kotlin|swift|scala|sql|postgres|postgresql|psql|mysql|sqlite|"
    r"oracle|mongodb|mongo|redis|excel|sheets|linux|unix|windows|docker|kubernetes|kubectl|git|"
    r"github|terraform|ansible|aws|azure|curl|jq|awk|sed|grep|vim|emacs|css|html|react|vue|django|"
    r"flask|express|rails|spring|laravel|matlab|latex|(?:microsoft|ms) word|jinja|yaml|regex|loop|"
    r"script|command)"
    r"(?![\w+#-])",
    example="the list of towns from a bash script",
    counter="a tale about Python",
)
"""By what a machine is made to do it: then the answer tells how, and does not itself have it."""


def by_a_tool(clause: str) -> bool:
    """Tell whether a tool is named by which something is to be done."""
    return bool(TOOL.found(clause)) and not OWN_ANSWER.found(clause)
