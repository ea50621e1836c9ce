"""Names before a secret, and how much the value behind each has to prove.

Rule of this module: a name that says little (`key`, `token`) asks for a value that looks like a
secret; that of a password may look like anything. Each row has an example and a counter-example.
"""

import re
from dataclasses import dataclass

from reflection_mcp.tools.redaction.forms import HEX
from reflection_mcp.tools.redaction.values import Filter


@dataclass(frozen=True, slots=True, eq=False)  # a key of a cache at each name: hashed by identity
class Label:
    """Names for a secret of one kind: `names` are expressions, with spaces between them.

    A name that is also the end of other words (`bypass`, `monkey`) has to be a word of its own:
    `bounded`. One that says little (`key`) needs one of the words `of` before it.
    """

    kind: str
    names: str
    demand: Filter
    example: tuple[str, ...]
    counter_example: str
    bounded: bool = True
    of: tuple[str, ...] = ()
    not_of: tuple[str, ...] = ()

    @property
    def stems(self) -> dict[str, str]:
        """The names by their literal beginnings, which are searched first."""
        return {re.split(r"(?:[a-z]\?|[^a-z])", name)[0]: name for name in self.names.split()}


_KEY_OF = (
    "api", "app", "access", "account", "auth", "secret", "private", "encryption", "encrypt",
    "signing", "signature", "master", "shared", "sharedaccess", "subscription", "storage",
    "service", "license", "consumer", "function", "functions", "admin", "root", "hmac", "aes",
    "jwt", "sas", "integration", "deploy", "session", "cipher", "crypto", "host", "write",
    "ingest", "security", "server", "data", "webhook", "vault", "application", "client", "ssh",
    "wrapping", "recovery", "hash",
)  # fmt: skip

IDENTIFYING = tuple(
    "cache public pub primary foreign object idempotency partition sort dedup dedupe digest "
    "lookup item map dict index row build request trace group routing lock redis s3 bucket unique "
    "record entity document doc file image job task message event surrogate natural content state "
    "result query registry translation host name order artifact restore blob layer chunk store "
    "stored found missing config gpg".split()
)
"""Words for what a key identifies: its value may be a digest."""

CONTINUING = tuple(
    "next page pagination continuation continue start starting resume upload sequence import "
    "lock result marker idempotency request cursor skip delta first last class type "
    "kind node prev previous current this end begin syntax lexer parser tree sub public".split()
)
"""Words for a token that tells a place in a list or in a text, or a call."""

LABELS: tuple[Label, ...] = (
    Label("password", "pass(?:word|wd|phrase|code|wort)", Filter.PASSWORD,
          ("DB_PASSWORD=", "swordfish"), "password: authentication failed", bounded=False),
    Label("password", "pass", Filter.PASSWORD, ("pass=", "swordfish"),
          "bypass=fake1234, PASS: test_login"),
    Label("password", "pwd pw pswd? psk kennwort senha contrase[nñ]a identified\\sby "
          "securestring(?:\\s-string)?", Filter.PASSWORD,
          ("Uid=sa;Pwd=", "fake-Pa55", ";x"), "pwd=/home, pw: wrong, psk=None"),
    Label("password", "pass pw", Filter.PASSWORD, ("userpass=", "swordfish"), "compass=fake1234",
          bounded=False, of=("user", "db", "root", "admin", "sql", "smtp", "mail", "ftp", "login",
                             "store", "key", "require", "bind")),
    Label("secret", "secret", Filter.MIXED, ("client_secret: ", "fake-Pa55"),
          "secret: db-password, arn:aws:secretsmanager:eu-west-1:1:secret:db-AbC1dE",
          bounded=False),
    Label("api-key", "key", Filter.MIXED, ("x-api-key: ", "fake1234"), "api_key: missing",
          bounded=False, of=_KEY_OF),
    Label("api-key", "key", Filter.CODE, ("OPENWEATHER_KEY=", HEX[:32]),
          f"CACHE_KEY={HEX[:32]}, public_key={HEX[:32]}", not_of=IDENTIFYING),
    Label("api-key", "key", Filter.RANDOM, ("key=", "0Fa1Ke2Te3St4Va5"),
          "key=cache:user:42, public_key=0Fa1Ke2Te3St4Va5"),
    Label("token", "token", Filter.MIXED, ("api_token = ", "1234567fakevalue"),
          "next_token=1234567fakevalue, api_token = some_token", not_of=CONTINUING),
    Label("token", "token", Filter.TOKEN, ("accesstoken=", "fake1ab2"),
          "token: T_STRING, PublicKeyToken=b03f5f7f11d50a3a", bounded=False),
    Label("token", "jwt bearer pat", Filter.TOKEN, ("jwt=", "fake1ab2"),
          "jwt: malformed, pat=([a-z0-9]+), path=fake1ab2"),
    Label("credential", "cred(?:s|entials?)? auth otp dsn salt webhook(?:_?url)?", Filter.TOKEN,
          ("creds=", "fake1ab2"), "credentials: not found, auth: none, dsn: missing, salt: pepper"),
    Label("session", "sess(?:ion)?(?:[_-]?id|[_-]?key)?", Filter.TOKEN,
          ("PHPSESSID=", "fake1ab2"), "session: closed", bounded=False),
    Label("password", "community", Filter.MIXED, ("community: ", "fake-Pa55"),
          "community: general-2, the community edition 2024"),
    Label("session", "sid csrf crumb xsrf nonce", Filter.TOKEN, ("connect.sid=", "fake1ab2"),
          "sid: unknown, csrf: failed, nonce: stale"),
)  # fmt: skip
