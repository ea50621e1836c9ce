"""A name that tells of a secret, what binds a value to it, and the value: in each form the value
goes under a telling name, and what identifies stays under the name of something public."""

import random
import string

from reflection_mcp.tools.redaction import redact
from tests.rows import each_row

DICE = random.Random(17)
HEX = "".join(DICE.choices("0123456789abcdef", k=32))
SMALL = "".join(DICE.choices(string.ascii_lowercase, k=18)) + "47"
MIXED = "".join(DICE.choices(string.ascii_letters + string.digits, k=20))
PHRASE = "blue Horse 7 runs fast!"

FORMS = (
    "{}={}", "export {}='{}'", '{} = "{}"', '{{"{}": "{}", "debug": true}}', '"{}":"{}"',
    '\\"{}\\":\\"{}\\"', "  {}: {}", "{} : {}", "<{}>{}</x>", '<add key="{}" value="{}"/>',
    'if ({} == "{}") {{', "if ({} === '{}')", 'if {} != "{}":', '{}.equals("{}")', '{} := "{}"',
    "X-{}: {}", "'{}' => '{}',", "run --{}={} --verbose", "run --{} {}", "[DEBUG] Using {}={}",
    'var {} = @"{}";', '{}("{}")', "https://h.example/a?{}={}&x=1", '("{}", "{}")',
)  # fmt: skip
QUOTED = tuple(form for form in FORMS if '"{}"' in form or "'{}'" in form or "</x>" in form)
NAMES = (
    "API_KEY", "access-token", "AZURE_OPENAI_KEY", "clientSecret", "x_api_token", "db_pass_main",
    "userpass", "OPENWEATHER_KEY", "SECRET_TOKEN",
)  # fmt: skip
PUBLIC = (
    "commit", "cache_key", "public_key", "etag", "idempotency-key", "checksum", "key_id",
    "token_hash", "password_sha", "object_key", "request_id",
)  # fmt: skip


@each_row("form", FORMS)
def test_in_each_form_a_secret_under_a_telling_name_is_found(form: str) -> None:
    texts = {form.format(name, value): value for name in NAMES for value in (HEX, SMALL, MIXED)}
    assert [text for text, value in texts.items() if value in redact(text)] == []


@each_row("form", QUOTED)
def test_a_phrase_with_blanks_is_found_where_its_end_is_seen(form: str) -> None:
    for name in ("DB_PASSWORD", "db_pass_main"):
        assert PHRASE not in redact(form.format(name, PHRASE))


@each_row("name", PUBLIC)
def test_a_digest_stays_under_the_name_of_something_public(name: str) -> None:
    texts = [form.format(name, HEX) for form in FORMS]
    assert list(map(redact, texts)) == texts


@each_row(
    "text",
    [
        'if token == "IDENTIFIER":',
        'if password == "":',
        'if (type === "password")',
        '"text" == passwordFieldType',
        'setError("password", "too short")',
        'password("Enter your password")',
        'setPassword(""); setPassword("password")',
        "db_password: SecretStr = Field(description='of the database')",
        "val signingPassword: String? by project",
        "$secPass = ConvertTo-SecureString $Password -AsPlainText -Force",
        "Connect-MgGraph -AccessToken ($token | ConvertTo-SecureString -AsPlainText)",
        "Authorization: Basic base64(<USERNAME>:<PASSWORD>)",
        'redis:8 --requirepass "yourpass"',
        'const char* password = "YourPassword1";',
        "jwt.secret=replace-with-strong-secret",
        '$PASSWORD = "change-me-please";',
        "SECRET_KEY = '___OBFUSCATED_FOR_MIRRORING___'",
        'SharedAccessKey=dummykey==",',
        "OPENAI_API_KEY=sk-xxxxxxxx",
        "STRIPE_SECRET_KEY=sk_test_...\nWEBHOOK_SECRET=whsec_…",
        "**Password:** E2EE using a password you choose",
        "a recording identified by 'front-camera' was lost",
        "errors.password = 'Senha não pode ser vazia!';",
        "//registry.npmjs.org/:_authToken=YYYYYYYYYYYYYYYY",
        '$env:ADMIN_PASSWORD = "choose-a-strong-private-password"',
        'Read-Host -Prompt "Password: " -AsSecureString',
        "document.cookie = `bearer=${authToken}; path=/`",
        "sshpass -p `knife node show $1` ssh",
        "postgresql://usuario:contraseña@host:5432/x",
        "password_field: required2go",
        "hook(webhook_secret=self.webhook_secret)",
        "token_usage=1234 and session_start=2026-01-02",
        "<token_count>12</token_count>",
        "compass=north12345",
        'x == y; z = "abc" if w else token',
        "monkey_business=fake1ab2",
        "cache key=" + HEX,
    ],
)
def test_code_that_only_names_a_secret_stays(text: str) -> None:
    assert redact(text) == text


@each_row(
    "text",
    [
        "- **Password:** `fake1234`",
        "**Admin Password**: fake@123\n",
        "CREATE USER 'app'@'localhost' IDENTIFIED BY 'fake';",
        'certificate.setPassword("fakeword");',
        "ConvertTo-SecureString -String 'fa$$w0rd' -AsPlainText",
        "The default password is Fake@1234 (if new).",
        "Admin: admin@shop.example / fake1234",
        'WiFi.begin("Home", "Fake12345");',
        "Authorization: Basic " + "ZmFrZTpmYWtl",
    ],
)
def test_secrets_in_statements_and_lists_of_logins_are_found(text: str) -> None:
    assert "[REDACTED:" in redact(text)
