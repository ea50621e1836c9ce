"""A secret becomes `[REDACTED:kind]`; everything that identifies an error stays."""

from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.tools.data_files import DataRow, rules
from reflection_mcp.tools.redaction import find_secrets, redact
from reflection_mcp.tools.redaction.forms import FAKE, FORMS, HEX, Form
from reflection_mcp.tools.redaction.labels import LABELS, Label
from reflection_mcp.tools.redaction.redact import PASSES
from reflection_mcp.tools.redaction.tokens import TokenShape, provider_rows
from tests.hostile import example_of, pieces_of, repeated, token_of
from tests.rows import each_row, sample

TOKENS = provider_rows()
ROWS: tuple[TokenShape | Form | Label, ...] = (*TOKENS, *FORMS, *LABELS)
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=120)
TOKEN = token_of(TOKENS[0])


def named(row: TokenShape | Form | Label) -> str:
    return f"{row.kind}:{example_of(row)[:10]}"


def test_each_row_finds_its_example() -> None:
    missed = [
        named(row)
        for row in ROWS
        if f"[REDACTED:{row.kind}]" not in redact(f"failed: {example_of(row)}\nsee above")
    ]
    assert missed == []


def test_each_row_leaves_its_counter_example() -> None:
    assert [redact(row.counter_example) for row in ROWS] == [row.counter_example for row in ROWS]


STAND_INS = rules("reflection_mcp.tools.redaction", "stand_ins.rules")


@each_row("row", STAND_INS, ids=lambda row: row.name)
def test_what_stands_in_for_a_secret_stays(row: DataRow) -> None:
    for text in (f"password={row['from']}", f'"password": "{row["from"]}"'):
        assert redact(text) == text


@given(row=st.sampled_from(TOKENS), before=ANY_TEXT, after=ANY_TEXT)
def test_no_text_around_a_token_hides_it(row: TokenShape, before: str, after: str) -> None:
    token = token_of(row)
    assert token not in redact(f"{before} {token}\n{after}")


@each_row(
    "sign",
    ["\\n", "\\r\\n", "\\\\t", "\\u0026", "\\x3d", "%20", "%3D", "%0A", "\x1b[m", "\x1b[0m",
     "\x1b[31m", "\\u001b[1;32m", "\x1b[38;5;9m"],
)  # fmt: skip
def test_a_sign_that_is_written_with_letters_hides_no_token_behind_it(sign: str) -> None:
    tokens = [example_of(row) for row in ROWS if not isinstance(row, Label)]
    shown = [each for each in tokens if each in redact(f"a line{sign}{each} and more")]
    assert shown == []


def test_within_a_word_no_token_begins() -> None:
    for text in (f"B{TOKEN}", "Aghp_" + HEX[:20], "task-" + FAKE[:12]):
        assert redact(text) == text


@given(
    st.lists(
        st.one_of(
            ANY_TEXT,
            st.sampled_from([piece for row in ROWS for piece in pieces_of(row)]),
            st.sampled_from(["=", ": ", '"', "'", "\n", " ", "&", "@", "://", "[REDACTED:x]", "{"]),
        ),
        max_size=12,
    )
)
def test_redacting_again_changes_nothing_and_adds_little(parts: list[str]) -> None:
    check_redaction("".join(parts))


@each_row("row", sample(ROWS, 4), ids=named)
def test_a_hostile_text_is_redacted_like_any_other(row: TokenShape | Form | Label) -> None:
    for piece in pieces_of(row):
        check_redaction(f"before {piece * 3 * PASSES} after")
        check_apart(repeated(piece, 1_000))


def test_keys_that_are_glued_to_each_other_are_hidden() -> None:
    key = "SK" + "0a1e2e3t4a5u6q7z8w9u0a1e2e3t4a5u"
    check_redaction(f"got {key * 20} and more")
    assert key not in redact(f"got {key * 20} and more")


def check_redaction(text: str) -> None:
    once = redact(text)
    assert redact(once) == once
    assert len(once) <= len(text) + 32 * once.count("[REDACTED:")
    check_apart(text)


def check_apart(text: str) -> None:
    last = 0
    for secret in find_secrets(text):
        assert last <= secret.start < secret.end <= len(text)
        last = secret.end


@each_row(
    "text",
    [
        *(f"got {FAKE[:27]}{end}" for end in ("", ".", ")", '"', "\n", " and")),
        f"{HEX[:32]} is not {FAKE[:40]}",
        f"bot {FAKE[:24]}.GFaKe1.{FAKE[:27]}",
        f"{HEX[:32]}-us11 or {HEX[:32]}-0fa1ce2b-ad3d4bed {FAKE[:24]}",
        "auth: dXNlcjpmYWtlLXBhc3N3b3Jk",
        "the config said dXNlcjpmYWtlLXBhc3N3b3Jk twice",
        f"SECRET_KEY = 'django-insecure-{FAKE[:40]}'",
        'Some("password": Some("fake-Pa55"))',
        "env:\n  - name: DB_PASSWORD\n    value: fake-Pa55\n",
        '[{"name": "DB_PASSWORD", "value": "fake-Pa55"}]',
        "env: [{name: DB_PASSWORD, value: fake-Pa55}]",
        '{"name":"DB_PASSWORD","slotSetting":false,"value":"fake-Pa55"}',
        '{"ParameterKey": "DBPassword", "ParameterValue": "fake-Pa55"}',
        '{"log": "env:\\npwd=fake-Pa55\\nHOME=/"}',
        '{\\"password\\":\\"fake-Pa55\\"}',
        "q=%7B%22password%22%3A%22fake-Pa55%22%7D",
        "body: user=app&password=fake-Pa55&next=/",
        "password%3Dfake-Pa55%26user%3Dapp",
        "<password>fake-Pa55</password>",
        '<add name="ApiKey" value="fake-Pa55"/>',
        'form-data; name="password"\r\n\r\nfake-Pa55\r\n--x',
        "Driver={ODBC};Server=db;UID=sa;PWD={fake-Pa55;};",
        "config['password'] = 'fake-Pa55'",
        "('password', 'fake-Pa55')",
        '["--password", "fake-Pa55"]',
        "tool --db-password fake-Pa55 --verbose",
        "password: >-\n  fake-Pa55\n",
        'password: str = "fake-Pa55"',
        '"password": "fake-Pa55',
        "password = 'open fake-Pa55'",
        "PSEXEC.EXE -u DOMAIN\\app -p fake-Pa55 CMD",
        "Authorization: SSWS fake-Pa55x",
        'network={\n  psk="fake-Pa55"\n}',
        f"got Bearer {FAKE[:20]}",
        "DB_PASSWORD=data-fake-Pa55",
        "ASANA_TOKEN: 1029384756102938 and fake_key = 'DjayBeny2fakevydF4zAphcqc'",
        "DB_PASSWORD=(9fake-Pa55",
        '"passphrase": "correct fake-Pa55 battery staple"',
        "User(name=app, password=fake-Pa55)",
        "Password: fake-Pa55 Port: 5432",
        ":password=>fake-Pa55",
        f"https://x.example/cb?code={FAKE[:30]}&state=1",
        "Cookie: a=1; sid=fake-Pa55",
        "cookies={'sid': 'fake-Pa55'}",
        "redis://:fake-Pa55@cache:6379/0",
        "postgres://app:fake-P@55@db/x",
        "-----BEG" + f"IN PRIVATE KEY-----\\n{FAKE[:64]}\\n{FAKE[:20]}fake-Pa55"[:110] + "\\n",
    ],
)
def test_a_secret_is_found_in_the_forms_that_tools_print(text: str) -> None:
    assert "[REDACTED:" in redact(text)
    assert not any(part in redact(text) for part in ("fake-Pa55", FAKE[:20], "dXNlcjpm"))


@each_row(
    "text",
    [
        "password=${DB_PASSWORD}",
        "password: <your password>",
        "password=****",
        'password = "<first> <second>"',
        'password="the old one"',
        '"password:", "repeat password:"',
        'String password = "application:" + appKey',
        "password: {{ .Values.password }}",
        'password = os.environ["DB_PASSWORD"]',
        "connect(host=host, password=password)",
        "password = get_password(user)",
        "Password: required",
        'password: "too short, use at least 8 characters"',
        '"password": "PASSWORD_AND_KEY"',
        "['username', 'password', 'email']",
        "<password>",
        "if token>limit: raise",
        "secret: tls-secret-v2",
        "token: 102938, token='[a-f0-9]{8,}x1'",
        "token=IDENTIFIER_12 or token=2026-01-02T03:04:05Z",
        "reflection-packages.module.and-another-long-name-of-a-file",
        "api_key: missing or invalid",
        "key: 550e8400-e29b-41d4-a716-446655440000",
        "the token is wrong, pass --token once",
        "x-amz-id-2: " + FAKE[:70],
        "sha512-" + FAKE[:86] + "==",
        "SHA256:" + FAKE[:43],
        "request id " + FAKE[:26],
        "/var/cache/" + FAKE[:30] + "/index",
        "X509V3_EXT_d2i and test_iso8601_UTC_parse_2024T10Z",
        "Http2ServerResponseV1Impl$$Lambda$14/0x0000000800c03000",
        "data:application/json;base64," + FAKE[:120],
        "A" * 5 + FAKE * 3,
        "VGhpcyBpcyBhIHNlbnRlbmNlIGFuZCBubyBzZWNyZXQ=",
        "-----BEGIN CERTIFICATE-----\n" + FAKE[:64] + "\n-----END CERTIFICATE-----",
        "_ZN4core3fmt9Formatter3pad17h0Fa1Ke2Te3St4Va5E",
        "AWS::SecretsManager::Secret: c85175a4ebcce361",
    ],
)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert redact(text) == text


def test_a_token_that_a_terminal_wrapped_is_found_whole() -> None:
    token = "".join(("gh", "p_", "0Fa1Ke2Te3St\n    4Va5Lu6Eq7Xz8Yw9VuAbCd"))
    assert redact(f"remote: {token} refused") == "remote: [REDACTED:github-token] refused"


def test_an_unknown_token_under_a_known_prefix_is_found_too() -> None:
    text = "sk-" + "or-" + "1029384756"
    assert redact(text) == text  # too short for any of the three prefixes it begins with
    assert redact("sk-" + FAKE[:40]) == "[REDACTED:openai-key]"


def test_two_rules_that_meet_leave_nothing_between_them() -> None:
    assert redact(f"postgres://app:a{TOKEN}@db/x") == "postgres://app:[REDACTED:url-password]@db/x"


def test_what_was_found_is_told_by_kind_and_place() -> None:
    found = find_secrets(f"{TOKEN} and {TOKEN}")
    places = [(0, len(TOKEN)), (len(TOKEN) + 5, 2 * len(TOKEN) + 5)]
    assert [(secret.start, secret.end) for secret in found] == places
    assert [secret.kind for secret in found] == ["aws-key", "aws-key"]


def test_offsets_hold_when_small_letters_are_longer() -> None:
    assert redact("İİİ password=fake-Pa55 İ") == "İİİ password=[REDACTED:password] İ"


@each_row(
    ("text", "left"),
    [
        ("mysql --password=hunter2-Very!Secret\nAccess denied using hunter2-Very!Secret", 0),
        ("DB_PASSWORD=s3cr3tPa55word psql; echo s3cr3tPa55word", 0),
        ("PASSWORD=s3cr3tPa55word; ls s3cr3tPa55words", 1),
        ("PGPASSWORD=postgres psql -h postgres", 1),
        ("self.p4passwd = 'p4passwd'", 1),
    ],
)
def test_a_secret_that_stands_there_again_is_hidden_there_too(text: str, left: int) -> None:
    words = ("hunter2", "s3cr3t", "postgres", "p4passwd")
    assert sum(redact(text).count(word) for word in words) == left
