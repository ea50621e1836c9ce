"""Secrets that a sentence tells: `the password is ...`, `mot de passe : ...`, `login as a / ...`.

Rules of this module:

- A row is data: how one language names a secret and says that it is the next word. The expressions
  are matched where an anchor stands (in small letters) and are bounded, so that they cost no more
  than the length of the text.
- Sentences about passwords are far commoner than sentences that hold one ("the password is
  required", "is MD5-hashed"). So the next word has to be no word at all, or, where the sentence
  ends with it or it stands in quotes, to hold a digit or a sign that names do not hold.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from reflection_mcp.tools.redaction.random_strings import WORDLESS, piece_length
from reflection_mcp.tools.redaction.values import Demand, is_secret

LONGEST = 128
"""Characters of a secret that somebody types."""
NO_NAME = 10
"""Letters from which on a word in changing case is judged: `KeePassXC` has nine."""


@dataclass(frozen=True, slots=True)
class Saying:
    """How a language tells a secret: one of the `names`, then one of the `links`, then the secret.

    Both are expressions for small letters; `anchors` are literal beginnings of the names.
    """

    kind: str
    anchors: tuple[str, ...]
    names: str
    links: str
    example: tuple[str, ...]
    counter_example: str


_FOR = (
    r"(?: (?:for|of|to|für|von|pour|de|du|del|para|do|da|per|di|voor|van) [^\s:=]{1,40}"
    r"(?: [^\s:=]{1,40})?){0,2}"
)
_SIGNS = r"[ \t]{0,4}(?:[:=\uff1a]|->|\u2192)"

SAYINGS: tuple[Saying, ...] = (
    Saying("password", ("passw", "passp", "passc", "passkey"), "pass(?:word|wd|phrase|code|key)",
           "(?:is|was|becomes)(?: now| still)?|(?:is |was |has been )?(?:set|changed|reset) to",
           ("the password is ", "Zfa0XjxZbbqJ"), "the password is required"),
    Saying("password", ("pin",), r"(?<![\w-])pin(?: code)?", "is|was|ist|lautet|est|es|é|è",
           ("the PIN is ", "482913"), "the PIN is locked; spin is 482913"),
    Saying("password", ("passwort", "kennwort"), "(?:pass|kenn)wort", "ist|lautet|war",
           ("Das Passwort ist ", "Zfa0XjxZbbqJ9"), "Das Passwort ist abgelaufen"),
    Saying("password", ("mot de passe",), "mot de passe", "est|était",
           ("mot de passe : ", "Zfa0XjxZbbqJ9"), "Mot de passe : obligatoire"),
    Saying("password", ("contraseñ", "contrasen", "clave"), r"contrase[ñn]a|(?<!\w)clave", "es|era",
           ("la contraseña es ", "Zfa0XjxZbbqJ9"), "la contraseña es incorrecta"),
    Saying("password", ("senha",), r"(?<!\w)senha", "é|e|era",
           ("a senha é ", "Zfa0XjxZbbqJ9"), "a senha é inválida"),
    Saying("password", ("password", "parola"), r"password|(?<!\w)parola d'ordine", "è|e'|era",
           ("la password è ", "Zfa0XjxZbbqJ9"), "la password è scaduta"),
    Saying("password", ("wachtwoord",), "wachtwoord", "is|was",
           ("het wachtwoord is ", "Zfa0XjxZbbqJ9"), "het wachtwoord is ongeldig"),
    Saying("password", ("hasło", "haslo"), r"(?<!\w)has[łl]o", "to|jest|brzmi|było",
           ("hasło to ", "Zfa0XjxZbbqJ9"), "hasło to pole wymagane"),
    Saying("password", ("парол",), r"(?<!\w)пароль", "-|\u2013|\u2014|это|был",
           ("пароль — ", "Zfa0XjxZbbqJ9"), "пароль — обязательное поле"),
    Saying("password", ("密码", "密碼", "口令"), "密码|密碼|口令", "是|为|為",
           ("密码是", "Zfa0XjxZbbqJ9"), "密码是必填项"),
    Saying("password", ("パスワード", "暗証番号"), "パスワード|暗証番号", "は",
           ("パスワードは", "Zfa0XjxZbbqJ9"), "パスワードは必須です"),
    Saying("password", ("log in ", "login ", "logged in ", "logging in ", "sign in ", "signed in ",
                        "anmeld", "connexion "),
           r"log(?:ged|ging)?[ -]?in|sign(?:ed)? in|anmeld(?:en|ung)|connexion",
           r"(?:as|with|als|mit|avec|using) [^\s/]{1,64} /",
           ("login as admin / ", "Zfa0XjxZbbqJ9"), "login as admin / user was refused"),
)  # fmt: skip

_QUOTE = "[\"'`\u201c\u201d\u201e\u2018\u00ab]"
_STOPS = r"\u3002\u3001\uff0c\uff1b"
_VALUE = rf"(?P<secret>[^\s\"'`\u201c\u201d\u2018\u2019\u00ab\u00bb<>,;{_STOPS}]{{6,{LONGEST}}}+)"
_ENDS = rf"[.)\]]{{0,3}}(?:[\"'`,;\u201c\u201d\u2019\u00bb{_STOPS}]|[ \t]*(?:$|[\r\n]))"
_TECHNICAL = (
    r"(?:md|sha|s?crypt|bcrypt|yescrypt|pbkdf|argon|blake|utf|base|oauth|ssh|ntlmv?|kerberos|krb"
    r"|latin|ascii|ldapv?|smbv?|tlsv?|ipv|httpv?|python|windows|version|field|line|arg|param|group"
    r"|column|step|option|user|row|part|level|type|test|value|item|key|slot|index|node"
    r"|[a-z]?aes|rsa|e?[cd]?dsa|des|chacha|rc|gpio)[-_]?\d.*|x509.*|v\d{1,4}\..*"
)


def spoken_secrets(text: str, folded: str) -> Iterator[tuple[str, int, int]]:
    """Kind, start and end of each secret that a sentence tells."""
    rules = _rules()
    for saying, pattern in rules.sayings:
        if not any(anchor in folded for anchor in saying.anchors):
            continue
        for match in pattern.finditer(folded):
            start, end = match.span("secret")
            value = text[start:end].rstrip(".)]:?")
            end = start + len(value)
            ends = rules.ends.match(text, end) is not None
            if _convinces(value, ends=ends):
                yield saying.kind, start, end


def _convinces(value: str, *, ends: bool) -> bool:
    """Whether the next word is no word: `ends` says that a sentence or a quotation ends with it."""
    rules, plain = _rules(), value.casefold()
    if rules.known.fullmatch(plain) or rules.joined.fullmatch(value):
        return False
    if not is_secret(value, Demand.PASSWORD):
        return False
    if is_secret(value, Demand.TOKEN) or _changes_case(value):
        return True
    return ends and len(value) >= 6 and rules.typed.fullmatch(value) is not None


def _changes_case(value: str) -> bool:
    """Whether letters alone change between small and capital too often for a name of words."""
    return (
        len(value) >= NO_NAME
        and value.isascii()
        and value.isalpha()
        and piece_length(value) <= WORDLESS
    )


class _Rules:
    """The expressions of this module, compiled at first use."""

    def __init__(self) -> None:
        self.sayings = tuple((saying, self._expression(saying)) for saying in SAYINGS)
        self.ends = re.compile(_ENDS)
        self.known = re.compile(
            rf"{_TECHNICAL}|[a-z]+\d{{0,3}}(?:[-._/:][a-z]+\d{{0,3}})+|[a-z_]+[-_]\d{{1,4}}"
            r"|\d{1,4}[-./:]\d.*|\d+[-_]?[a-z]+|.*[/\\(].*|[^@]+@[\w-]+\.[\w.-]+|.*\.[a-z]{1,4}\d?"
        )
        self.joined = re.compile(r"[a-z]{3,}\d[a-z]{3,}")  # expire2days
        self.typed = re.compile(  # a digit among letters, digits alone, a sign within
            r"(?=.*[0-9])(?=.*[A-Za-z])[!-~]+|\d{6,12}"
            r"|(?=.*[A-Za-z])[!-~]{1,128}?[#%&+@^~$!][0-9A-Za-z][!-~]*"
        )

    @staticmethod
    def _expression(saying: Saying) -> re.Pattern[str]:
        # Chinese and Japanese write no blanks between words.
        some = "0" if saying.names[0] > "\u3000" else "1"
        link = rf"(?:{_SIGNS}[ \t]{{0,4}}|[ \t]{{{some},4}}(?:{saying.links})[ \t]{{{some},4}})"
        return re.compile(rf"(?:{saying.names}){_FOR}{link}{_QUOTE}?{_VALUE}")


@cache
def _rules() -> _Rules:
    return _Rules()
