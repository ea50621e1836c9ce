"""Secrets found by position: URLs, headers, blocks, command lines, call arguments.

Rule of this module: a row is data. A row applies where one of its `anchors` occurs (in lower case,
whatever the case of the text); its expression is matched right there, so that a row costs nothing
in a text without its anchor and no more than its bounds elsewhere. The group called `secret` is
replaced, or the whole match if there is none.

Text in a known position need not be a secret ("Authorization: required", "${PASSWORD}"): `test`
says what it must look like, in the terms of `values.Filter`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reflection_mcp.tools.redaction.tokens import AFTER_A_SIGN
from reflection_mcp.tools.redaction.values import Filter, is_secret
from reflection_mcp.tools.regex import compiled

NEAR = 240
"""The characters before an option in which the name of its command may occur."""


@dataclass(frozen=True, slots=True)
class Form:
    """One known position of secrets.

    `near` names commands, one of which must come before the anchor on the same line.
    """

    kind: str
    anchors: tuple[str, ...]
    pattern: str
    example: tuple[str, ...]
    counter_example: str
    test: Filter = Filter.ANYTHING
    near: tuple[str, ...] = ()


QUOTE = r"(?:\\{0,3}[\"'`])"
"""The quotation marks that may open or close a value, however often it is quoted again."""

FAKE = "0Fa1Ke2Te3St4Va5Lu6Eq7Xz8Yw9Vu" * 6
HEX = "0fa1ce2bad3dad4bed5fed6bee7dab8c" * 5
"""The characters of the examples, so that no scanner mistakes them for a leak."""

_QUOTED = r"[\"'][^\"'\n]{0,200}[\"']"
_LINE_END = r"(?:\\[rn]|\r?\n)"
_BASE64_LINE = r"[A-Za-z0-9+/=]{4,}+(?=[ \t]{0,8}(?:\\|[\r\n\"']|-----|\.\.\.|$))"
_KEY_HEADER = r"(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):[^\n\\]{0,80}"
_HEADER_VALUE = (
    rf"{QUOTE}?\]?\s{{0,4}}(?:[:=]|=>|,(?=\s{{0,4}}b?{QUOTE})|%3A)\s{{0,4}}(?:\[\s{{0,4}})?"
    rf"(?:b?{QUOTE})?"
)
_VALUE = r"[^\s\"'`\\,;<>()\[\]{}]"


def _option(option: str, commands: str, example: tuple[str, ...]) -> Form:
    """The row of an option that is a password after the names of some commands."""
    if "/user" in option:
        anchors: tuple[str, ...] = (" /user:",)
    else:
        users = (" -u", " --user", " --proxy-user", " -a ")
        anchors = users if "user" in option else (" -p", " -w ", " -a ")
    return Form(
        "cli-password",
        anchors,
        rf" {option}(?!`){QUOTE}?(?P<secret>[^\s\"'-][^\s\"']{{2,256}})",
        example,
        "psexec -u User -p $Password -i",
        Filter.PASSWORD,
        near=tuple(commands.split(",")),
    )


FORMS: tuple[Form, ...] = (
    # blocks
    Form(
        "private-key",
        ("----begin ", "---- begin "),
        r"----[- ]?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-?[- ]----"
        r"(?:[^-]{16,65536}+(?:-(?!---)[^-]{0,65536}+){0,64}----[- ]?END [^-\n]{0,60}-{0,5}"
        rf"|(?:{_LINE_END}[ \t>|]{{0,12}}(?:{_KEY_HEADER}|{_BASE64_LINE})?){{2,2000}})",
        ("-----BEG", "IN RSA PRIVATE KEY-----\n", FAKE[:64], "\n-----END RSA PRIVATE KEY-----"),
        "-----BEGIN CERTIFICATE-----\nMIIB0Fa1Ke2Te3St\n-----END CERTIFICATE-----",
    ),
    Form(
        "jwt",
        ("eyj",),
        AFTER_A_SIGN + r"eyJ[\w=-]{8,}+\.(?:[\w=-]{0,8192}\.?){1,4}"
        r"(?:\\?\r?\n[ \t]{0,12}(?=[\w-]{0,40}[0-9])[\w-]{16,}+)*",
        ("ey", "JhbGciOiJub25lIn0.", "eyJmYWtlIjoxfQ.", FAKE[:43]),
        "eyJhbGciOiJub25lIn0 is a header alone",
    ),
    Form(
        "azure-secret",
        ("q~",),
        r"(?<=[\w~.-]{3}\d)Q~[\w~.-]{28,40}",
        ("Fa1", "8Q~", FAKE[:34]),
        "8Q~ is the mark of a client secret",
    ),
    Form(
        "seed-phrase",
        ("mnemonic", "seed phrase", "recovery phrase"),
        r"(?i:mnemonic|seed phrase|recovery phrase)\W{1,8}"
        r"(?P<secret>(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})",
        ("seed phrase: ", "zoo " * 11, "wrong"),
        "mnemonic: a short word that helps",
    ),
    Form(
        "password-hash",
        ("$2a$", "$2b$", "$2x$", "$2y$", "$argon2", "$1$", "$5$", "$6$", "$y$", "$apr1$",
         "pbkdf2_sha256$", "scrypt:", "{ssha"),
        r"(?:\$(?:2[abxy]\$\d\d|argon2\w{1,2}|[156y]|apr1)\$|pbkdf2_sha256\$\d{3,8}\$"
        r"|scrypt:\d+:\d+:\d+\$|\{SSHA\d{0,3}\})[\w=,$+/.-]{22,}",
        ("$2", "b$12$", FAKE[:53]),
        "costs $1$ or $2a$, pbkdf2_sha256$ is the default hasher",
    ),
    # addresses
    Form(
        "url-password",
        ("://", "%3a%2f%2f"),
        r"(?:://|%3A%2F%2F)(?!\[?[\w.-]{1,100}\]?:\d{1,5}[/?#])[^\s/?#@:\"'<>\[\]]{0,128}(?::|%3A)"
        r"(?P<secret>[^\s/\"'<>]{1,256})(?:@|%40)(?=[\w\[.%])",
        ("postgres://app:", FAKE[:8], "@db:5432/x"),
        "http://127.0.0.1:8080/@scope/package and ssh://git@host:22/x",
    ),
    Form(
        "url-token",
        ("://",),
        r"://(?P<secret>[\w.~%+=-]{16,256})(?::(?:x-oauth-basic)?)?@(?=[\w\[])",
        ("https://", HEX[:32], "@o1.ingest.sentry.io/2"),
        "ssh://deployment-user-without-key@host",
        Filter.MIXED,
    ),
    Form(
        "url-signature",
        ("sig=", "signature=", "x-amz-signature=", "x-goog-signature=",
         "code=", "key=", "auth=", "hmac=", "hash="),
        r"(?<=[?&;6])(?i:sig|(?:x-amz-|x-goog-)?signature|code|key|auth|hmac|hash)="
        r"(?P<secret>[\w%+/=.~-]{16,512})",
        ("https://x.example/a?sv=1&", "sig=", FAKE[:43], "%3D"),
        "https://x.example/?code=invalid_request_uri&key=primary-access-key",
        Filter.MIXED,
    ),
    Form(
        "webhook",
        ("hooks.slack.com/", "discord.com/api/webhooks/", "discordapp.com/api/webhooks/",
         "webhook.office.com/", "hooks.zapier.com/hooks/", "hook.integromat.com/",
         "maker.ifttt.com/", "open.feishu.cn/open-apis/bot/", "outlook.office.com/webhook/"),
        r"[a-z.]{8,40}/(?P<secret>[\w/@.-]{20,512})",
        ("https://hooks.slack", ".com/services/T0FAKE/B0FAKE/", FAKE[:24]),
        "https://hooks.slack.com/services/ answered 404, hooks.slack.com/services/REAL/REAL/REAL",
        Filter.MIXED,
    ),
    Form(
        "connection-password",
        ("jdbc:oracle:", "sqlplus ", "userid="),
        r"(?i:jdbc:oracle:(?:thin|oci8?):|sqlplus (?:-\w{1,4} ){0,3}|userid=)[^\s/@:\"']{1,64}"
        r"/(?P<secret>[^\s@\"'/]{1,128})@",
        ("jdbc:oracle:thin:scott/", "t1ger", "@//db:1521/x"),
        "jdbc:oracle:thin:@//db:1521/orcl",
    ),
    # headers
    Form(
        "authorization",
        ("authorization",),
        rf"(?i:authorization){_HEADER_VALUE}"
        r"(?:[A-Za-z][\w-]{1,20}(?:%20|[ \t]){1,4})?"  # the scheme
        r"(?![\w.]{1,40}\()"  # a call
        rf"(?P<secret>{_VALUE}{{6,8192}}(?:,[ ]?[\w-]{{2,20}}=[^\s,]{{1,400}}){{0,10}})",
        ("Authorization: Bearer ", FAKE[:24]),
        "Authorization: required; authorization: denied by policy",
        Filter.MIXED,
    ),
    Form(
        "authorization",
        ("basic ",),
        r"(?i:basic) {1,2}(?=\S{0,40}?[a-z]\S{0,40}?[A-Z])"
        r"(?P<secret>(?:[A-Za-z0-9+/]{4}){2,512}(?:[A-Za-z0-9+/]{2,3}={1,2})?)(?![\w+/=.-])",
        ("Authorization: Basic ", "ZmFr", "ZTpm", "YWtl"),
        "Basic Authentication, basic auth, Basic UserName",
    ),
    Form(
        "login-password",
        ("@",),
        r"@[\w-]{1,63}(?:\.[a-zA-Z][\w-]{1,63}){1,4}[\"'`*]{0,3} / [\"'`*]{0,3}"
        r"(?P<secret>[^\s\"'`*<>|,;()/]{6,64}+)(?![^\s\"'`*<|,;)])",
        ("app@fake.example / ", "fake-Pa55"),
        "app@fake.example / 2024-01, b@fake.example / administrator",
        Filter.MIXED,
    ),
    Form(
        "cookie",
        ("cookie",),
        rf"(?i:cookies?2?){_HEADER_VALUE}"
        r"(?!(?i:samesite|path|domain|secure|expires|max-age|httponly)\b)"
        r"(?P<secret>\{[^{}\n]{4,2048}\}|[\w!#$%&*+.^|~-]{1,128}=(?!\.{3}|<|\$\{)[^\r\n\"']{3,8192})",
        ("Set-Cookie: sid=", FAKE[:24], "; Path=/; HttpOnly"),
        "Set-Cookie: SameSite=None needs Secure; cookie: not set",
    ),
    # command lines: an option means a secret only after the name of a command that takes one so
    _option(r"-p(?=\S)", "mysql,mariadb,7z ", ("mysql -u root -pFa", "ke1", " db")),
    _option(
        r"-(?:p|pw) {1,4}",
        "sshpass,docker login,podman login,az login,plink,pscp,psexec,helm registry login,twine"
        ",mongosh,mongodump,mongorestore,mongoexport,mongoimport",
        ("sshpass -p ", "swordfish", " ssh host"),
    ),
    _option(
        r"-P {0,4}",  # the small letter is a port or a packet size to these
        "sqlcmd,osql ,bcp ,tsql ,ipmitool,mosquitto_,zip ",
        ("sqlcmd -S db -U sa -P '", "swordfish", "' -Q x"),
    ),
    _option(
        r"-[wa] {1,4}",
        "redis-cli,ldapsearch,ldapadd,ldapmodify,ldapwhoami",
        ("redis-cli -h cache -a ", "fake-Pa55", " ping"),
    ),
    _option(
        rf"(?:-u|--user|--proxy-user|-a)[ =]{{0,2}}{QUOTE}?[^\s:\"'%/]{{1,128}}[:%]",
        "curl,http ,https ,smbclient,rpcclient,wget,httpie",
        ("curl -u app:", "fake-Pa55", " https://x.example"),
    ),
    _option(
        r"/user:\S{1,80} {1,4}", "net use", ("net use z: /user:corp\\app ", "fake-Pa55", "")
    ),
    # files and statements
    Form(
        "pgpass-password",
        (":5432:", ":5433:", ":6432:", ":*:"),
        r":(?:\d{4}|\*):(?:[\w-]{1,63}|\*):[\w.@+-]{1,63}:(?P<secret>[^\s:]{4,128})(?=\s|$|[\"'])",
        ("db.example:5432:app:app:", "fake-Pa55"),
        "db.example:5432:app:app:",
    ),
    Form(
        "call-password",
        ("getconnection(", "mysqli", "->__construct(", "new pdo(", "ldap_bind(", "pg_connect(",
         "directoryentry(", "auth(", "auth=(", "auth = (", "login(", "credential(", "credentials(",
         "wifi.begin("),
        r"[\w.>-]{3,14}[\w =]{0,10}"
        rf"\(\s?(?:(?:{_QUOTED}|[\w$.>#()-]{{1,80}})\s?,\s{{0,40}}){{0,3}}"
        rf"b?{_QUOTED}\s?,\s{{0,40}}(?:Some\()?b?[\"'](?P<secret>[^\"'\n]{{3,200}})[\"']",
        ("#0 PDO->__construct('mysql:host=db', 'app', '", "fake-Pa55", "')"),
        "login('form', 'submit') failed, mysqli_connect(): (HY000/1045): Access denied",
        Filter.MIXED,
    ),
)  # fmt: skip


def known_forms(text: str, folded: str) -> Iterator[tuple[str, int, int]]:
    """Kind, start and end of each secret in a known place; `folded` is the text in small letters,
    of the same length."""
    for form in FORMS:
        for anchor in form.anchors:
            if anchor not in folded:  # the common case, and three times as fast as to find it
                continue
            pattern = compiled(form.pattern)
            at = folded.find(anchor)
            while at >= 0:
                match = pattern.match(text, at)
                if match is None or not _holds(form, match, folded):
                    at = folded.find(anchor, at + len(anchor))
                    continue
                group = "secret" if "secret" in pattern.groupindex else 0
                yield form.kind, match.start(group), match.end(group)
                at = folded.find(anchor, match.end())


def _holds(form: Form, match: re.Match[str], folded: str) -> bool:
    if form.near:
        before = folded[max(0, match.start() - NEAR) : match.start() + 1].rpartition("\n")[2]
        if not any(command in before for command in form.near):
            return False
    if "secret" not in match.re.groupindex:
        return True
    return is_secret(match["secret"], form.test)
