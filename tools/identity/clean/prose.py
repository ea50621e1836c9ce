"""Lines that a machine printed, apart from the sentences that people write around them.

Rule of this module: a person's sentence neither joins nor separates two errors. What it quotes of a
machine, between quotation marks or behind a colon, stays; the rest of it goes.
"""

from reflection_mcp.tools.identity.regex import compiled

_PERSON = (
    r"(?<![\w'\"./@:-])(?:I|I'm|I've|I'd|I'll|i(?= (?:am|get|got|have|had|tried|run|ran"
    r"|use|used|changed)\b)|[Mm]y|me|[Ww]e|[Oo]ur|anyone|[Aa]nybody|somebody|someone|"
    r"[Tt]hanks?|[Hh]ello|[Hh]i|[Hh]ey|btw|pls|[Gg]uys|[Ff]olks|imho|[Ss]orry|colleague"
    r"|you guys)(?![\w'\"./@:=-])"
)
_ASKING = (
    r"\W*(?:when(?:ever)?|while|after|before|once|upon|however|how|why|what|where|does"
    r"|is there|any(?:one| idea)|if you|but|so|then|also|as soon|it (?:is|says|resulted"
    r"|fails|dies|ends|shows|crashes)|"
    r"(?:the|this|that|these|those|following|below|here|same|get|gets|got|getting"
    r"|gives?|seeing|see|saw)\b|running|trying|tried|facing|fix|in case|in order"
    r"|on (?:windows|linux|mac|ubuntu)|with (?:the|this|a)|for (?:me|us)|"
    r"(?:and|or|now|today|yesterday|recently|this morning)\b|steps to|expected|actual"
    r"|describe|to reproduce|environment|what happen|current behaviou?r"
    r"|additional context|system info|logs?:?$)\b"
)
_TELLING = (
    r"(?i)\b(?:get|got|getting|see|saw|seeing|gives?|following|error message|this error"
    r"|the error|errors?|below|says?|shows?|throws?|same|issue|problem|facing"
    r"|occurr?(?:s|ed)|happens?|bug|fails?|message|"
    r"describe|reproduce|behaviou?r|idea|upgrad\w+|updat\w+|install\w*|version)\b"
)
_ASIDE = (
    r"(?i)(?:(?-i:because)|me too|same here|no idea|none of|otherwise|either you|meant to"
    r"|as you can|this helps|so far|it turns out|changing the|fixed (?:by|it)|solved)\b"
)
"""Begins what people say and machines do not."""
_MACHINE = (
    r"\W{0,4}(?:(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Warning|Exit)\b"
    r"|[\w./\\:~-]+[:(]\d+|(?:npm|error|fatal|panic|warning|traceback|caused by|failed"
    r"|failure|e|err|exception)\b\s?[:!\[]|"
    r"[\w.+/-]{1,40}: (?:\w+: )?(?:error|fatal|warning|cannot|command|unrecognized"
    r"|no such)|thread '|at |file \"|\[?[A-Z_]{3,30}\]?:? |Error\b)"
)
_YOU = " did you "
"""Asks whoever reads the error; what stands before it tells who wrote the line."""
_NAMING = r"[\"'\[({]\S|\w[/\\]\w|\w_\w|\w=\w|\d{4,}|: \S"
"""Names things as machines do; a sentence that does is read as a person's only by its pronouns."""
_WORDY = r"[\W_]{0,6}[A-Za-z'][a-z']{0,30}(?:,? [A-Za-z'][a-z']{0,30}){2}"
_ANNOUNCED = (
    r"(?i)\W{0,4}(?:[\w']+[ ,]+){0,8}(?:following|this|the|same"
    r"|an?)\s(?:\w+ ){0,3}(?:error|errors|message|exception|issue|output"
    r"|log)(?:[ ,]\w+){0,5}\s?[:.]?\W*$"
)
_LABELLED = (
    r"(?i)\s*[*_#\s]{0,6}(?:os|system|python|node|version|platform|environment"
    r"|describe the bug|steps to reproduce|expected behaviou?r|actual behaviou?r"
    r"|to reproduce|additional context|what happen(?:s|ed)|browser|model"
    r"|hardware)\b[*_\s]{0,4}:?[*_\s]{0,4}(?:[\w.\s()-]{0,60})$"
)
_QUOTED = r"(?<![\w'])(['\"])((?:(?!\1).|(?<=\w)\1(?=\w)){12,2000})\1(?![\w'])"
_INNER = r"(?<![\w'\"])'((?:[^'\n]|(?<=\w)'(?=\w)|(?<=[ (\[])'[\w./@$:-]{1,80}'){12,2000})'(?!\w)"
_SAID = (
    r"(?:[A-Za-z_]\w{0,60}\.){0,6}[A-Z]\w{0,60}(?:Error|Exception)\b\s?:\s.*|\b(?:ERROR"
    r"|[Ee]rror|[Ff]atal|FATAL|panic|ImportError): .*|\[SSL: .*|E[A-Z]{4,14}: .*"
)
_REPEATED = (
    r"(?:(?<=rror )|(?<=rror: )|(?<=ssage )|(?<=ption ))(?:that |is )?[A-Z\[]\S*(?: \S+){3,}"
    r"|(?:(?<=\bget )|(?<=\bgot ))[A-Z]{3}\S*(?: \S+){3,}"
)
"""What a person repeats behind "the error" or "I get"."""
_BLAMES = (
    r"(?i)error|exception|fail|no module|cannot|can't|could not|denied|not found"
    r"|no such|refus|invalid|unable|has no|undefined|expected|missing|must|unsupported"
    r"|conflict|timed? ?out|unknown|not \w+ed\b|panic|already|out of memory|killed"
    r"|(?:is|are|was|were|do|does|did|wo|could|has|have)(?: not|n't)\b|\btoo \w+|has been \w+ed\b"
    r"|changed since|significantly|exists?\b|not in\b"
)
_LANGUAGE = r"[\w+.-]{0,20}[ ]*\n"
_SPAN = (
    r"`(?![^`'\n]{1,200}'(?!\w))([^`\n]{1,2000})`|(?<!\*)\*\*(?![*\s])([^*\n]{1,2000})\*\*(?!\*)"
)
"""Not between the opening quotation marks of two words, as GNU writes them: `main' and `sqrt'."""
_THROWN = (
    r"\W{0,4}(?:(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception)\b"
    r"|(?i:error|fatal|panic|npm err!))\s?: "
)
_FOREIGN = "[\u0370-\u1fff\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]+"


def is_prose(line: str) -> bool:
    """Whether a person wrote the line: first person, a greeting, a question, an announcement."""
    body = line.strip(" *_#>-").partition(_YOU)[0]
    if not body or body.isupper() or not (body[0].isalnum() or body[0] in "'\"(["):
        return False
    if " " not in body:
        return compiled(_PERSON).search(body) is not None
    if compiled(_MACHINE).match(body):
        return False
    if compiled(_LABELLED).match(line) or compiled(_ANNOUNCED).match(body):
        return True
    if compiled(_ASIDE).match(body):
        return True
    wordy = compiled(_WORDY).match(body) is not None
    if wordy and compiled(_PERSON).search(body):
        return True
    lowered = body.casefold()
    if not wordy or compiled(_ASKING).match(lowered) is None:
        return False
    if body.endswith("?"):
        return True
    return compiled(_TELLING).search(body) is not None and compiled(_NAMING).search(body) is None


def quoted(line: str) -> str:
    """What a person's sentence repeats of a machine; empty if nothing."""
    spans = [match[1] for match in compiled(_INNER).finditer(line)]
    spans += [match[2] for match in compiled(_QUOTED).finditer(line)]
    spans = [span for span in spans if len(span.split()) > 2 and compiled(_BLAMES).search(span)]
    if spans:
        return max(spans, key=len)
    match = compiled(_SAID).search(line) or compiled(_REPEATED).search(line)
    return match[0] if match else ""


def unfenced(text: str) -> str:
    """What a person marked as output of a machine and that blames something, else the text."""
    if "```" in text:
        pieces = text.split("```")
        blocks = [
            block.partition("\n")[2] if compiled(_LANGUAGE).match(block) else block
            for block in pieces[1::2]
        ]
        if any(map(compiled(_BLAMES).search, blocks)):
            said = "\n".join(pieces[::2]).split("\n")
            beside = [line for line in said if compiled(_THROWN).match(line)]
            return "\n".join(
                [*beside, *(block for block in blocks if compiled(_BLAMES).search(block))]
            )
    return "\n".join(_span(line) for line in text.split("\n"))


def _span(line: str) -> str:
    """The longest piece of a line that a person marked and that blames something, else the line."""
    spans = [match[1] or match[2] for match in compiled(_SPAN).finditer(line)]
    spans = [each for each in spans if len(each.split()) > 3 and compiled(_BLAMES).search(each)]
    return max(spans, key=len) if spans else line


def _latin(line: str) -> list[str]:
    """The parts of a line in another script that are in this one."""
    return [part for part in compiled(_FOREIGN).split(line) if len(part.split()) > 2]


def machine_lines(lines: list[str]) -> list[str]:
    """The lines without the sentences of people; all of them when nothing else is left."""
    out: list[str] = []
    machine = compiled(_MACHINE).match
    for line in lines:
        if not line.isascii() and compiled(_FOREIGN).search(line) and not machine(line):
            parts = _latin(line)
            if parts and any(compiled(_BLAMES).search(part) for part in parts):
                out += parts
                continue
        out.append(quoted(line) if is_prose(line) else line)
    return out if any(line.strip() for line in out) else lines
