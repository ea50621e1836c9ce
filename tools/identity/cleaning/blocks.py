"""Takes the message out of YAML, XML or a mail that somebody wrote around it.

Rule of this module: only a field whose name says that it is the message is taken out, and only
where all around it is of the same notation; else the text stays as it is.
"""

import html
import json
import re
from textwrap import dedent

from reflection_mcp.tools.identity.expression import Expression
from reflection_mcp.tools.identity.rule import compiled

_NAMES = (
    r"(?:message|msg|error|err|errors|error_message|stack|stack_trace|stacktrace|traceback|stderr|"
    r"stdout|output|log|logs|detail|details|description|reason|exception|text|body|diag|diagnostic|"
    r"failure)"
)
_YAML = (
    r"(?im)^([ \t]*)(?:- )?"
    + _NAMES
    + r":[ \t]*(?:[|>][+-]?\d?[ \t]*\n((?:\1[ \t]+[^\n]*\n?|[ \t]*\n)+)|"
    r"(\"(?:[^\"\\\n]|\\.){1,8000}\")[ \t]*$|'((?:[^'\n]|''){1,8000})'[ \t]*$)"
)
_AROUND_YAML = (
    r"[ \t]*(?:(?:- )?[\w.@/-]{1,60}:(?: .{0,300})?|---.{0,60}|\.\.\.|(?:not )?ok \d.{0,300}|"
    r"TAP version \d{1,3}|\d{1,7}\.\.\d{1,7}|#.{0,300}|(?:TASK|PLAY|RUNNING) .{0,200}|"
    r"(?:fatal|failed): \[.{1,200}|\S{1,100}[ \t]+: ok=.{0,300}|- \S{1,200})?"
)
"""Lines of YAML, and of the reports that carry it: of TAP and of Ansible."""

_FIRST_OF_YAML = Expression(r"(?:---[ \t]*|[a-z_]\w{0,30}+:(?: \S{1,60}+)?)\n")
"""How YAML begins that has no block in it."""

_XML_FIELD = (
    r"(?is)<((?:\w{1,20}:)?(?:message|msg|error|errormessage|exception|detail|description|text|"
    r"entry|"
    r"body|reason|throwable|stacktrace))(?:\s[^<>]{0,400})?>"
    r"(?:\s{0,20}<!\[CDATA\[(.{1,8000}?)\]\]>\s{0,20}|([^<]{1,8000}))</\1>"
)
_XML_ATTRIBUTE = r"(?i)\s(?:message|msg|error|description)=\"([^\"<>]{1,8000})\""
_INLINE = (
    r"<(b|i|u|em|strong|span|font|code|mark|kbd|samp|"
    r"tt)((?:\s[^<>\n]{0,200})?)>([^<>]{0,1000})</\1>"
)
_MAIL = (
    r"(?:-{2,30} ?(?:Forwarded|Original) [Mm]essage ?-{2,30}\n)?"
    r"(?:(?:From|To|Cc|Subject|Date|Sent|Reply-To|Message-ID|Importance|"
    r"Attachments): ?[^\n]{0,400}\n){3,12}\n*"
)
_SIGNATURE = r"\n-- \n[^\n]{0,80}(?:\n[^\n]{0,80}){0,4}\n*$"
_EMPHASIS = r"\s*(\*\*|__|~~|\*|`)(?=\S)([^*`]+)(?<=\S)\1\s*"


_GRADLE = "* What went wrong:\n"
_NESTED = (
    r"(?m)^\* What went wrong:\n(?:Execution failed [^\n]*\n)?> ([^\n]*\n)"
    r"((?:  (?![ \t]*>|Required by)[^\n]*\n|\n(?=  )){1,400})(?=\n\*|$)"
)
"""What a program printed, in Gradle's report: the first line, and those below it, further in."""


_UNIT = (
    r"(?m)^[\u25cf\u00d7\u25cb\u21bb*] ?[\w@.\\:-]{1,100}\.service - "
    r"[^\n]{0,200}\n"
)
"""How `systemctl status` begins; the sign in front is that of other reports, too."""
_TEAMCITY = "##teamcity["
_MESSAGE = (
    r"##teamcity\[\w{1,40}(?: \w{1,40}='(?:[^'|\n]|\|.){0,400}')*? (?:text|details|message|"
    r"description)="
    r"'((?:[^|\n]|\|.){0,8000}?)'(?: \w{1,40}='[^\]\n]{0,400})?\]"
)
_BARRED = {"n": "\n", "r": ""}


def _of_yaml(text: str) -> str:
    found = list(compiled(_YAML).finditer(text))
    around = compiled(_YAML).sub("", text).split("\n") if found else []
    if not found or not all(compiled(_AROUND_YAML).fullmatch(line) for line in around):
        return text
    said = [dedent(one[2]) if one[2] else _scalar(one) for one in found]
    return "\n".join(dict.fromkeys(one.strip("\n") for one in said if one.strip()))


def _scalar(found: re.Match[str]) -> str:
    if found[4]:
        return found[4].replace("''", "'")
    try:
        return str(json.loads(found[3]))
    except ValueError:
        return found[3][1:-1]


def _of_xml(text: str) -> str:
    """The fields of a document of XML, or its one attribute, that are the message."""
    said = [cdata or html.unescape(plain) for _, cdata, plain in compiled(_XML_FIELD).findall(text)]
    if not said and text.rstrip().endswith("/>"):
        said = [html.unescape(one) for one in compiled(_XML_ATTRIBUTE).findall(text)[:1]]
    return "\n".join(one.strip("\n") for one in said if one.strip()) or text


def _without_tags(text: str) -> str:
    """Without the tags that mark words, where they have attributes or other escapes of HTML."""
    if compiled(_INLINE).search(text) is None:
        return text
    text = compiled(r"(</\w{1,10}>)(?=<\w)").sub(r"\1 ", text)
    styled = any(one[2] for one in compiled(_INLINE).finditer(text)) or "&" in text
    return compiled(_INLINE).sub(r"\3", text) if styled else text


def _told_by_gradle(text: str) -> str:
    found = compiled(_NESTED).search(text)
    return found[1] + compiled(r"(?m)^  ").sub("", found[2]) if found else text


def _of_teamcity(text: str) -> str:
    """The text of the messages that a build sends to TeamCity, whose escapes begin with a bar."""

    def said(found: re.Match[str]) -> str:
        return compiled(r"\|(.)").sub(lambda one: _BARRED.get(one[1], one[1]), found[1])

    return compiled(_MESSAGE).sub(said, text)


def taken_out(text: str) -> str:
    """The message of a text that carries it as a field; the text itself of any other."""
    if "<" in text and "</" in text:
        text = _without_tags(text)
    if ".service - " in text:
        text = compiled(_UNIT).sub("", text)
    if "#" in text and _TEAMCITY in text:
        text = _of_teamcity(text)
    if "Subject: " in text and (found := compiled(_MAIL).match(text)):
        text = compiled(_SIGNATURE).sub("", text[found.end() :])
    if "*" in text and _GRADLE in text:
        return _told_by_gradle(text)
    stripped = text.strip()
    if stripped[:1] == "<" and stripped[-1:] == ">" and ("</" in text or "/>" in text):
        return _of_xml(text)
    marked = stripped[:1] in "*_~`" and stripped[:1] == stripped[-1:]
    if marked and (found := compiled(_EMPHASIS).fullmatch(text)):
        return found[2]
    block = ("|" in text and ": |" in text) or (">" in text and ": >" in text)
    return _of_yaml(text) if block or _FIRST_OF_YAML.match(text) else text
