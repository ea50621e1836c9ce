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
from reflection_mcp.tools.redaction.values import Demand, is_secret, is_technical

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
    key: bool = False
    """Whether the name may be a key of JSON. `labels` reads the keys that it knows, and `clave` is
    a key of any kind."""
    code: bool = False
    """Whether the name is also that of a code: capitals and digits alone are no password then."""


_FOR = (
    r"(?: (?:for|of|to|für|von|pour|de|du|del|para|do|da|per|di|voor|van) [^\s:=]{1,40}"
    r"(?: [^\s:=]{1,40})?){0,2}"
)
_SIGNS = r"[ \t]{0,4}(?:[:=\uff1a]|->|\u2192)"

_APART = r"(?<![^\W_])"
"""Not within a word; `DB_` may stand before a name."""

SAYINGS: tuple[Saying, ...] = (
    Saying("password", ("passw", "passp", "passc", "passkey"), "pass(?:word|wd|phrase|code|key)",
           "(?:is|was|becomes)(?: now| still)?|(?:is |was |has been )?(?:set|changed|reset) to",
           ("the password is ", "Zfa0XjxZbbqJ"), "the password is required"),
    Saying("password", ("pin",), r"(?<![\w-])pin(?: code)?", "is|was|ist|lautet|est|es|é|è",
           ("the PIN is ", "482913"), "the PIN is locked; spin is 482913"),
    Saying("password", ("passwort", "kennwort"), "(?:pass|kenn)wort", "ist|lautet|war",
           ("Das Passwort ist ", "Zfa0XjxZbbqJ9"), "Das Passwort ist abgelaufen"),
    Saying("password", ("mot de passe",), "mot de passe", "est|était",
           ("mot de passe : ", "Zfa0XjxZbbqJ9"), "Mot de passe : obligatoire", key=True),
    Saying("password", ("contraseñ", "contrasen"), "contrase[ñn]a", "es|era",
           ("la contraseña es ", "Zfa0XjxZbbqJ9"), "la contraseña es incorrecta"),
    Saying("password", ("clave",), r"(?<!\w)clave", "es|era",
           ("la clave es ", "Zfa0XjxZbbqJ9"), '"clave": "12345678"'),
    Saying("password", ("senha",), r"(?<!\w)senha", "é|e|era",
           ("a senha é ", "Zfa0XjxZbbqJ9"), "a senha é inválida"),
    Saying("password", ("password", "parola"), r"password|(?<!\w)parola d'ordine", "è|e'|era",
           ("la password è ", "Zfa0XjxZbbqJ9"), "la password è scaduta"),
    Saying("password", ("wachtwoord",), "wachtwoord", "is|was",
           ("het wachtwoord is ", "Zfa0XjxZbbqJ9"), "het wachtwoord is ongeldig", key=True),
    Saying("password", ("hasło", "haslo"), rf"{_APART}has[łl]o", "to|jest|brzmi|było",
           ("hasło to ", "Zfa0XjxZbbqJ9"), "hasło to pole wymagane", key=True),
    Saying("password", ("парол",), rf"{_APART}парол(?:ь|я|ата?)",
           "-|\u2013|\u2014|это|был|це|був|є",
           ("пароль — ", "Zfa0XjxZbbqJ9"), "пароль — обязательное поле", key=True),
    Saying("password", ("heslo",), rf"{_APART}heslo", "je|bylo|bolo|zní|znie",
           ("heslo je ", "Zfa0XjxZbbqJ9"), "heslo je nesprávné; heslo: min8znaku", key=True),
    Saying("password", ("şifre", "sifre", "parol"),
           rf"{_APART}(?:[şs]ifre|parol[aă])(?:n|m|s[i\u0131]|[nm][i\u0131uü]z)?",
           "şu|şudur|este|era",
           ("şifreniz: ", "Gizli123"), "şifreniz: en az 8 karakter; şifreleme: algoritma12",
           key=True),
    Saying("password", ("jelsz",), rf"{_APART}jelsz(?:ó|o|ava|avam)", "az|ez",
           ("a jelszó: ", "Titok123"), "a jelszó: legalább 8 karakter", key=True),
    Saying("password", ("lösenord", "losenord"), "l[öo]senord(?:et)?", "är|ar|var",
           ("lösenordet är ", "Hemlig123"), "lösenordet är fel", key=True),
    Saying("password", ("adgangskode", "kodeord", "passord"),
           "(?:adgangskode|kodeord|passord)(?:n|en|et)?", "er|var",
           ("adgangskoden er ", "Hemmelig12"), "passordet er feil; adgangskode: mindst 8 tegn",
           key=True),
    Saying("password", ("salasana",), "salasana(?:si|ni|nne)?", "on|oli",
           ("salasana on ", "Salainen99"), "salasana on väärä", key=True),
    Saying("password", ("mật khẩu", "mat khau"), "mật khẩu|mat khau", "là|la",
           ("mật khẩu là ", "BiMat2024"), "mật khẩu phải có 8 ký tự", key=True),
    Saying("password", ("kata sandi", "kata laluan"), "kata (?:sandi|laluan)", "adalah|ialah",
           ("kata sandi: ", "Rahasia123"), "kata sandi: minimal 8 karakter", key=True),
    Saying("password", ("lozink", "zapork", "лозинк"), rf"{_APART}(?:lozink|zapork|лозинк)\w",
           "je|\u0458\u0435",
           ("lozinka je ", "Tajna1234"), "lozinka je pogrešna", key=True),
    Saying("password", ("κωδικ", "συνθηματικ"),
           "κωδικ[όο]ς (?:πρόσβασης|χρήστη|ασφαλείας)|συνθηματικ[όο]", "είναι|ήταν",
           ("κωδικός πρόσβασης: ", "Mystiko123"), "κωδικός πρόσβασης: λανθασμένος", key=True),
    Saying("password", ("κωδικ",), "(?<!ταχυδρομικός )κωδικ[όο]ς", "είναι|ήταν",
           ("Κωδικός: ", "Mystiko123"), "κωδικός: ERR40412, κωδικός: 10431234",
           code=True),
    Saying("password", ("סיסמ",), r"סיסמ[האת]\w{0,2}", "היא|הייתה",
           ("הסיסמה היא ", "Sodi1234"), "הסיסמה שגויה", key=True),
    Saying("password", ("كلمة", "رمز عبور", "گذرواژه"),
           "كلمة (?:ال)?(?:مرور|سر)(?: الخاصة بك)?|رمز عبور|گذرواژه", "هي|هو|كانت",
           ("كلمة المرور هي ", "Sirri1234"), "كلمة المرور غير صحيحة", key=True),
    Saying("password", ("पासवर्ड", "कूटशब्द"), "पासवर्ड|कूटशब्द", "है|था",
           ("पासवर्ड: ", "Gupt1234"), "पासवर्ड: 8अक्षर", key=True),
    Saying("password", ("รหัสผ่าน",), "รหัสผ่าน", "คือ|เป็น",
           ("รหัสผ่านคือ ", "Khwamlap12"), "รหัสผ่าน: ต้องมีอย่างน้อย8ตัวอักษร", key=True),
    Saying("password", ("비밀번호", "암호", "패스워드"), "비밀번호|패스워드|암호(?![화학])",
           "는|은|가", ("비밀번호는 ", "Bimil2024"), "비밀번호: 8자이상입니다", key=True),
    Saying("password", ("密码", "密碼", "口令"), "密码|密碼|口令", "是|为|為",
           ("密码是", "Zfa0XjxZbbqJ9"), "密码是必填项", key=True),
    Saying("password", ("パスワード", "暗証番号"), "パスワード|暗証番号", "は",
           ("パスワードは", "Zfa0XjxZbbqJ9"), "パスワードは必須です", key=True),
    Saying("password", ("log in ", "login ", "logged in ", "logging in ", "sign in ", "signed in ",
                        "anmeld", "connexion "),
           r"log(?:ged|ging)?[ -]?in|sign(?:ed)? in|anmeld(?:en|ung)|connexion",
           r"(?:as|with|als|mit|avec|using) [^\s/]{1,64} /",
           ("login as admin / ", "Zfa0XjxZbbqJ9"),
           'login as admin / user, "#login": "web-api#login"'),
)  # fmt: skip

_QUOTE = "[\"'`\u201c\u201d\u201e\u2018\u00ab]"
_CLOSED = "[\"'`\u201d\u00bb]"
_STOPS = r"\u3002\u3001\uff0c\uff1b\u0964\u060c\u061b"
_VALUE = rf"(?P<secret>[^\s\"'`\u201c\u201d\u2018\u2019\u00ab\u00bb<>,;{_STOPS}]{{6,{LONGEST}}}+)"
_TWO_DIGITS = "(?=[^0-9]*[0-9][^0-9]*[0-9])"  # "8 signs" in one word has one
_LETTERS = (
    "\u00c0-\u024f\u1e00-\u1eff\u0370-\u03ff\u1f00-\u1fff\u0400-\u052f"
    "\u0590-\u05ff\u0600-\u065f\u066a-\u06ff\u0900-\u0963\u0970-\u097f"
)
"""Latin, Greek, Cyrillic, Hebrew, Arabic, Devanagari: where blanks are written, letters and digits
in one word are no prose; Chinese, Japanese and Thai write prose so, and Korean counts."""
_ENDS = rf"[.)\]]{{0,3}}(?:[\"'`,;\u201c\u201d\u2019\u00bb{_STOPS}]|[ \t]*(?:$|[\r\n]))"


def spoken_secrets(text: str, folded: str) -> Iterator[tuple[str, int, int]]:
    """Kind, start and end of each secret that a sentence tells."""
    rules = _rules()
    for saying, pattern in rules.sayings:
        for anchor in saying.anchors:
            if anchor in folded:
                break
        else:
            continue
        for match in pattern.finditer(folded):
            start, end = match.span("secret")
            value = text[start:end].rstrip(".)]:?")
            end = start + len(value)
            ends = rules.ends.match(text, end) is not None
            if _convinces(value, ends=ends) and not (saying.code and value == value.upper()):
                yield saying.kind, start, end


def _convinces(value: str, *, ends: bool) -> bool:
    """Whether the next word is no word: `ends` says that a sentence or a quotation ends with it."""
    rules, plain = _rules(), value.casefold()
    if is_technical(plain) or rules.known.fullmatch(plain) or rules.joined.fullmatch(value):
        return False
    if not is_secret(value, Demand.PASSWORD):
        return False
    if is_secret(value, Demand.TOKEN) and (value.isascii() or rules.digits.match(value)):
        return True
    if _changes_case(value):
        return True
    if not ends or len(value) < 6:
        return False
    return rules.typed.fullmatch(value) is not None or rules.written.fullmatch(value) is not None


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
            r"[a-z]+\d{0,3}(?:[-._/:][a-z]+\d{0,3})+|[a-z_]+[-_]\d{1,4}"
            r"|\d{1,4}[-./:]\d.*|\d+[-_]?[a-z]+|\d+[-_]?[^\x00-\x7f]+|.*[/\\(].*|[^@]+@[\w-]+\.[\w.-]+|.*\.[a-z]{1,4}\d?"
        )
        self.joined = re.compile(  # expire2days
            r"[a-z]{3,}\d[a-z]{3,}|[^\x00-\x7f]{3,}\d{1,2}[^\x00-\x7f]{3,}"
        )
        self.typed = re.compile(  # a digit among letters, digits alone, a sign within
            r"(?=.*[0-9])(?=.*[A-Za-z])[!-~]+|\d{6,12}"
            r"|(?=.*[A-Za-z])[!-~]{1,128}?[#%&+@^~$!][0-9A-Za-z][!-~]*"
        )

        self.digits = re.compile(_TWO_DIGITS)
        self.written = re.compile(rf"{_TWO_DIGITS}(?=.*[A-Za-z{_LETTERS}])[!-~{_LETTERS}]+")

    @staticmethod
    def _expression(saying: Saying) -> re.Pattern[str]:
        # Chinese, Japanese and Thai write no blanks between words, Korean none before a particle.
        some = "0" if saying.names[0] >= "\u0e00" else "1"
        told = rf"{_SIGNS}[ \t]{{0,4}}|[ \t]{{{some},4}}(?:{saying.links})[ \t]{{{some},4}}"
        key = rf"{_CLOSED}{_SIGNS}[ \t]{{0,4}}{_QUOTE}|" if saying.key else ""
        return re.compile(rf"(?:{saying.names}){_FOR}(?:{key}(?:{told}){_QUOTE}?){_VALUE}")


@cache
def _rules() -> _Rules:
    return _Rules()
