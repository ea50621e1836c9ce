"""Secrets found by the name before them: `password = ...`, `"api_key": "..."`.

Rules of this module:

- The name decides how much the value has to prove. The value of a password may look like anything;
  that of a `token` or a `key` may be a syntax token or a cache key, so it must look like a secret.
- Prose stays. After a colon and a space, words are prose; `password=password)` is code.

Names are searched in the folded text (lower case, same length), values read from the text.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from reflection_mcp.tools.redaction.labels import CONTINUING, IDENTIFYING, LABELS, Label
from reflection_mcp.tools.redaction.random_strings import is_hexadecimal
from reflection_mcp.tools.redaction.tokens import AFTER_A_SIGN
from reflection_mcp.tools.redaction.values import (
    Filter,
    is_code,
    is_secret,
    is_sentence,
    is_technical,
    is_wordlike,
)
from reflection_mcp.tools.regex import compiled

NESTED = 64
"""The length up to which a value is searched for names in it (`auth=token=...`); searching longer
ones would read a text of names alone again and again."""

_SUFFIX = (
    r"(?:[_-]?\d{1,2}|_(?:prod|production|dev|test|staging|live|ci|old|new|value|plain|b64|base)"
    r"| provided| value)?"
)
_MORE = r"(?P<more>(?:[_-][a-z]{2,12}){0,2})"
_ABOUT = frozenset(
    "id ids name names type kind file path dir url uri endpoint hash digest sha checksum length "
    "len fingerprint size count limit min max policy field label hint prompt placeholder page "
    "form reset expiry expires expire expiration ttl age time at date status state error errors "
    "message code format prefix suffix pattern regex class algorithm alg method scope scopes "
    "issuer audience header version ref reference index number usage rate validator validation "
    "strength rules bucket store manager provider arn cursor next prev public begin end map group "
    "set list".split()
)
"""Words behind a name that make it the name of something about the secret."""
_FAULTS = ("invalid", "incorrect", "wrong", "missing", "bad", "expired", "no")
_MESSAGES = ("error", "errors", "message", "messages", "label", "labels")
"""Objects that hold messages: `errors.password = 'Too short'`."""
_CLOSE = r"(?:\\{0,3}[\"'`]|%22|&quot;)?\]?"
_BETWEEN = (
    r"(?:(?::\*\*|\*\*:)[ \t]{1,4}"  # in bold
    r"|(?<=[\"'])[ \t]?:?[ \t]?\{[^{}]{0,160}?(?<=[{,\s\\])\\{0,3}[\"']?(?:value|default)"
    r"\\{0,3}[\"']?[ \t]{0,20}[:=][ \t]{0,20}(?=\\{0,3}[\"'])"  # a record of it
    r"|:[ \t]?[a-z_][\w.\[\] |]{0,40}?[ \t]?=[ \t]?(?=[\"'])"  # a typed default
    r"|(?:\)?[ \t]{0,4}(?:[=!]==?|\.equals\(|\()[ \t]{0,4}|[ \t]{1,4})"
    r"(?=[@bfnru]{0,2}\\{0,3}[\"'`])"
    # ^ what it is compared with, an argument, or the value itself
    r"|[ \t]{0,40}(?:=>|:=|=(?!=)|:(?!:)|%3d|%3a)[ \t]{0,40}"
    r"(?:[|>][+-]?[ \t]{0,4}\n[ \t]{1,40}|!!(?:str|binary)[ \t]{1,4})?"
    r"|>(?=[^<\s])"  # an element
    r"|(?<=[\"'])[ \t]{1,4}value=(?=[\"'])"  # an attribute
    r"|(?<=[\"'])\r?\n\r?\n(?=[^\s-])"  # a part of a form
    r"|(?:\n[ \t-]{1,40}|,[ \t]{1,4})value:[ \t]{1,4}"  # an environment entry
    r"|(?<=[\"'])(?:,\s{0,40}\\{0,3}[\"'][a-z]{1,20}\\{0,3}[\"'][ \t]?:[ \t]?(?:true|false|null))?"
    r",\s{0,40}\\{0,3}[\"'](?:parameter)?value\\{0,3}[\"'][ \t]?:[ \t]?"
    r"|(?<=[\"'`])[ \t]?,[ \t]?(?=b?\\{0,3}[\"']))"  # a pair
)
_PUBLIC = r"(?:(?<!\w)arn:[\w:/.-]{0,80}|public[_ -]?key(?:[_ -]?token)?)\Z"
_FLAG = r"(?<![\w-])--?[\w-]{0,60}\Z"
_AFTER_FLAG = r"(?:[ ]{1,4}(?:level \d{1,2} )?(?:\d )?|[\"'],\s{0,20}(?=[\"']))(?=[^\s-])"
_TELLING = r"(?=\S{0,40}?[0-9])\S{0,40}?[A-Za-z!@#$%^&*+~]"
"""A value after a sentence or a command holds a digit: words around it have none."""

_QUOTED = (
    r"(?i:some\(|string\(|secretstr\()?[@$bfnruN]{0,2}(?P<quote>\\{0,3}[\"'`]|%22|&quot;)"
    r"(?P<value>(?:(?!(?P=quote))(?:\\[^\n]|[^\n])){0,4096})"
)
_ELEMENT = r"(?P<value>[^<\n]{1,4096})(?=</)"
_BRACED = r"\{(?=[^}\n]{0,80}[^\w}\n])(?P<value>[^{}\n]{4,256})\}"
_WRITTEN = r"(?:Password|Pwd|PWD) ?= ?\Z"
_CONNECTION = r"(?P<value>[^\s;\"'`<>=]{1,64}(?:[ ][^\s;\"'`<>=]{1,64}){1,8}) ?;"
"""A value with spaces in a connection string (`Server=db;Password=two words;`), which writes its
names unlike a variable."""
_BARE = r"(?P<value>(?:[^\s\"'`<>&;,]|&(?![\w.\[\]-]{1,40}=)){1,4096})"
_ENCODED = r"(?P<value>(?:[^\s\"'`<>&;,%]|%(?!26|22|7[dD]|2[cC]|0[aA])){1,4096})"


class _Value(NamedTuple):  # one a name: a dataclass takes six times as long to make
    """A value in the text: `between` separates it from its name, `rest` follows it."""

    text: str
    start: int
    quoted: bool
    between: str
    rest: str

    @property
    def end(self) -> int:
        """The end of the value, as an offset into the text."""
        return self.start + len(self.text)

    @property
    def spaced(self) -> bool:
        """True if a space separates it from its name, as in prose and in source code."""
        return self.between[-1:] in " \t"


_OWN_NAME = r"\w*(?:[Pp]assw(?:or)?d|pwd|passphrase|[Ss]ecret|[Tt]oken|[Kk]ey)"
_MORE_RULE = r"[.)\]]{0,2}[ \t]+(?![\w.-]{1,40}[:=])[A-Za-z(\"']"


def labelled_values(text: str, folded: str) -> Iterator[tuple[str, int, int]]:
    """Yield kind, start and end of each value after the name of a secret."""
    for stem, rows in _stems().items():
        at = folded.find(stem)
        while at >= 0:
            after = at + len(stem)
            match, matched = None, None
            for label, name in rows:
                if name is not matched:
                    match, matched = name.match(folded, at), name
                if match is None or not _names(text, folded, match, label, stem):
                    continue
                value = _read(text, match.end(), match["between"] or " ")
                if value is not None:
                    if _convinces(value, label, text, match):
                        yield label.kind, value.start, value.end
                    if len(value.text) > NESTED:
                        after = value.end
                break
            at = folded.find(stem, after)


def _names(text: str, folded: str, match: re.Match[str], label: Label, stem: str) -> bool:
    """Return True if the label is here the name of a secret and a value follows."""
    at = match.start()
    if match["more"] and not _ABOUT.isdisjoint(re.split("[_-]", match["more"])):
        return False
    before = folded[max(0, at - 16) : at].rstrip("_ .-")
    if label.of and not before.endswith(label.of):
        return False
    if label.not_of and not _belongs_to_another(text, at, before, label.not_of):
        return False
    if before.endswith(_FAULTS) and text[at - 1 : at] == "_":  # INVALID_PASSWORD = "28P01"
        return False
    if before.endswith(_MESSAGES) and text[at - 1 : at] == ".":
        return False
    if label.kind == "token" and before.endswith(CONTINUING):
        return False
    if "::" in folded[max(0, at - 24) : at]:  # a type
        return False
    if label.bounded and not _is_word(text, at):
        return False
    told = match["flag"] is not None and not _is_flag(text, at)
    if told and ("," in match["flag"] or not compiled(_TELLING).match(text, match.end())):
        return False
    begin, end = max(0, at - 96), at + len(stem)
    near = folded[begin:end]  # an expression at each name of a long text is expensive
    if ("public" in near or "arn:" in near) and compiled(_PUBLIC).search(folded, begin, end):
        return False
    if match["flag"]:
        return label.demand is not Filter.RANDOM or not before.endswith(IDENTIFYING)
    if match["between"].startswith(">"):
        return compiled(r"<[\w:.-]{0,50}\Z").search(text, max(0, at - 60), at) is not None
    return True


def _is_flag(text: str, at: int) -> bool:
    """Return True if a name is the end of an option: `--db-password`."""
    begin = max(0, at - 64)
    return "-" in text[begin:at] and compiled(_FLAG).search(text, begin, at) is not None


def _belongs_to_another(text: str, at: int, before: str, not_of: tuple[str, ...]) -> bool:
    """Return True if the label is the last word of a longer name (`OPENWEATHER_KEY`), none of
    `not_of`."""
    joined = text[at - 1 : at] in ("_", "-") or (text[at].isupper() and text[at - 1 : at].islower())
    return joined and before[-1:].isalnum() and not before.endswith(not_of)


def _is_word(text: str, start: int) -> bool:
    """Return True if a word starts here: after a symbol or a digit, or as a hump of camelCase."""
    before = text[max(0, start - 1) : start]
    if not before.isalpha() or (before.islower() and text[start].isupper()):
        return True
    return compiled(AFTER_A_SIGN).match(text, start) is not None


def _read(text: str, at: int, between: str) -> _Value | None:
    match = compiled(_QUOTED).match(text, at)
    quoted = match is not None
    if match is None and between[0] == ">":
        match = compiled(_ELEMENT).match(text, at)
    if match is None and "=" in between:
        match = compiled(_BRACED).match(text, at)
        if match is None and compiled(_WRITTEN).search(text, max(0, at - 12), at):
            match = compiled(_CONNECTION).match(text, at)
    if match is None:
        match = (compiled(_ENCODED) if "%3" in between else compiled(_BARE)).match(text, at)
    if match is None:
        return None
    value = match["value"] if quoted else _unclosed(match["value"])
    end = match.start("value") + len(value)
    return _Value(value, match.start("value"), quoted, between, text[end : end + 40])


def _unclosed(value: str) -> str:
    """A bare value without what closes the text around it."""
    return value if value[0] in "([{<" else value.rstrip(").]}:")


def _convinces(value: _Value, label: Label, text: str, match: re.Match[str]) -> bool:
    demand, more, between = label.demand, match["more"] != "", value.between
    flag = between.isspace() and _is_flag(text, match.start())
    if flag and not value.quoted:
        mixed = not more and is_secret(value.text, Filter.MIXED)
        return not is_code(value.text) and (mixed or is_secret(value.text, Filter.CODE))
    if between.startswith(">") and not value.rest.startswith("</"):
        return False
    if value.rest.startswith(("...", "\u2026")):  # the beginning of one
        return False
    if "**" in between and not value.quoted:
        ends = compiled(r"[ \t]*(?:[\r\n]|\Z)").match(value.rest)
        return ends is not None and is_secret(value.text, Filter.MIXED)
    if not value.quoted and (_is_code(value) or _is_prose(value)):
        return False
    if value.quoted and demand is Filter.PASSWORD and _is_set(text, match):
        return is_secret(value.text, demand)
    if between.isspace() and not flag:  # password 7 0822455D0A16, token "0fa1ce2b..." expired
        before = text[max(0, match.start() - 4) : match.start()]
        return not more and " " not in value.text and _is_told(value, label, before)
    if more or between.lstrip().startswith(("(", ",", ".")):  # ("password", "email"): names
        phrase = (
            demand is Filter.PASSWORD and " " in value.text and any(map(str.isdigit, value.text))
        )
        return is_secret(
            value.text, demand if phrase else Filter.CODE if more else _stricter(demand)
        )
    connection = not value.quoted and value.rest.lstrip().startswith(";")
    closed = connection or (value.quoted and ("=" in between or flag))
    if demand is Filter.PASSWORD and " " in value.text and closed:
        first = value.text.split(" ")[0] if connection else value.text
        phrase = not is_sentence(value.text) and not is_code(first)
        return phrase and is_secret(first, Filter.ANYTHING)
    if value.quoted:
        return not value.text.endswith(":") and is_secret(value.text, demand)
    if demand is Filter.PASSWORD and label.bounded and ":" in between and value.spaced:
        if text[max(0, match.start() - 1) : match.start()] != "_":  # PASS: test_login
            result = label.names == "pass" and text[match.start()].isupper()
            demand = Filter.TOKEN if result else Filter.MIXED
        elif value.text[0].isdigit():  # SECOND_PASS: 1200ms
            demand = Filter.TOKEN
    elif demand is Filter.MIXED and between == "=":
        demand = Filter.PASSWORD  # an environment entry is no place for names
    return is_secret(value.text, demand)


def _is_set(text: str, match: re.Match[str]) -> bool:
    """Return True if a statement or a call sets it: IDENTIFIED BY 'x', setPassword("x")."""
    begin = max(0, match.start() - 96)
    if match["between"] == "(":
        return text[begin : match.start()].endswith("set")
    return (
        match["between"].isspace()
        and match[0].startswith("identified")
        and compiled(r"(?i:user|grant)\b[^\n]*\Z").search(text, begin, match.start()) is not None
    )


def _is_told(value: _Value, label: Label, before: str) -> bool:
    """Return True if a value that only a space separates from its name is no word."""
    if is_technical(value.text.casefold()) or compiled(r"\w+=").match(value.text):
        return False
    if label.demand is Filter.PASSWORD:
        return value.text[:1] not in "*(" and is_secret(value.text, Filter.MIXED)
    if is_hexadecimal(value.text):
        named = label.kind != "api-key" or "api" in before.lower()  # a signing key has such an id
        return named and len(value.text) >= 16 and value.text.isalnum() and "x" not in value.text
    return is_secret(value.text, Filter.RANDOM if value.quoted else _stricter(label.demand))


def _stricter(demand: Filter) -> Filter:
    return Filter.TOKEN if demand in (Filter.PASSWORD, Filter.MIXED) else demand


def _is_code(value: _Value) -> bool:
    own_name = "=" in value.between and value.spaced and compiled(_OWN_NAME).fullmatch(value.text)
    if is_code(value.text) or own_name:
        return True
    if ":" in value.between and value.rest.startswith(" = "):  # a type
        return True
    name = value.text.rstrip("!?").replace("_", "a").isalpha()  # `password!` is never null
    return name and (value.rest[:1] in (")", ",") or (value.spaced and "_" in value.text))


def _is_prose(value: _Value) -> bool:
    """Return True if the value starts a sentence: after a colon and a space, before another word
    that is not the next name of a listing."""
    if not (value.spaced and ":" in value.between) or not compiled(_MORE_RULE).match(value.rest):
        return False
    return is_wordlike(value.text)


@cache
def _stems() -> dict[str, list[tuple[Label, re.Pattern[str]]]]:
    """The labels by the literal beginnings of their names, each with the expression of the name."""
    stems: dict[str, list[tuple[Label, re.Pattern[str]]]] = {}
    for label in LABELS:
        for stem, name in label.stems.items():
            stems.setdefault(stem, []).append((label, _name(name)))
    return stems


@cache
def _name(name: str) -> re.Pattern[str]:
    return re.compile(
        rf"{name}{_SUFFIX}{_MORE}(?:{_CLOSE}(?P<between>{_BETWEEN})|(?P<flag>{_AFTER_FLAG}))"
    )
