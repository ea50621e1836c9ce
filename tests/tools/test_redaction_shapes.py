"""Tokens of providers that no row knows have a shape; names and ids of that shape stay."""

import random
import string

from reflection_mcp.tools.redaction import redact
from reflection_mcp.tools.redaction.letter_pairs import odd_share
from reflection_mcp.tools.redaction.tokens import provider_rows
from tests.rows import each_row

DICE = random.Random(23)
BASE36 = string.ascii_lowercase + string.digits
BASE32 = string.ascii_uppercase + "234567"
BASE62 = string.ascii_letters + string.digits
BECH32 = "023456789acdefghjklmnpqrstuvwxyz"
HEX = "0123456789abcdef"


def body(alphabet: str, length: int) -> str:
    return "".join(DICE.choices(alphabet, k=length))


UUID = "-".join(body(HEX, length) for length in (8, 4, 4, 4, 12))


@each_row(
    "token",
    [
        f"acme_live_{body(BASE36, 32)}",
        f"da9-{body(BASE36, 26)}",
        f"q.{body(BASE62, 24)}",
        f"zt0c01.{body(BASE32, 24)}.{body(BASE32, 64)}",
        f"ACMTKN-1-{body(BASE36, 50)}-{body(BASE36, 25)}",
        f"acme.mws.{'-'.join(body(BASE36, length) for length in (8, 4, 4, 4, 12))}",
        f"acme_key_{body(HEX, 40)}",
        f"acme-token-{UUID}",
        f"acme_live_{body(string.ascii_lowercase, 32)}",
        f"{body(BASE62, 24)}.{body(BASE62, 40)}",
        f"{body(BASE62, 40)}={body(BASE62, 40)}",
        body(BASE36, 64),
        "-".join(body(BASE36.upper(), 5) for _ in range(5)),
        body(BASE36.upper(), 48),
        f"{body(BASE62, 24)}.{body(BASE62, 6)}.{body(string.ascii_letters, 27)}",
    ],
)
def test_a_token_of_an_unknown_provider_is_found(token: str) -> None:
    left = redact(f"the log says {token} today")
    assert not any(token[at : at + 12] in left for at in range(len(token) - 11))


@each_row(
    "text",
    [
        f"build-{body(HEX, 40)} failed",
        f"acme_{body(HEX, 32)} not found",
        f"web.1.{body(BASE36, 25)} stopped",
        f"ocid1.instance.oc1.iad.{body(BASE36, 60)}",
        f"assets/main-{body(BASE36, 24)}.js 404",
        f"main-{body(BASE36, 24)}.js 404",
        f"img_{UUID} is gone",
        f"bafybei{body(BASE32.lower(), 52)} is not pinned",
        f"http://{body(BASE32.lower(), 56)}.onion",
        f"bc1q{body(BECH32, 58)} was paid",
        f"the checksum of it is {body(HEX, 64).upper()}",
        f"pod {body(BASE36, 30)} restarted",
        "THIRD-PARTY-GROUP-HOUSE-OTHER was not found",
        "internationalization0123456789localization was called",
        f"v0.0.0-20190308221718-{body(HEX, 12)}",
        "numpy-2.1.0-cp312-cp312-manylinux_2_17_x86_64.manylinux2014_x86_64",
        "reflection-packages.module.and-another-long-name-of-a-file",
        f"|1|{body(BASE62, 27)}=|{body(BASE62, 27)}= ssh-rsa",
        f"Offending key |1|{body(BASE62, 27)}=|{body(BASE62, 27)}= in known_hosts:3",
        "73be32e7f5340662af32eb3211545215  usr/share/X11/locale/zh_HK.big5hkscs/XLC_LOCALE",
        "acme-scnsyhivsqapcnpfhvljlukp",
    ],
)
def test_names_and_ids_of_that_shape_stay(text: str) -> None:
    assert redact(text) == text


def test_words_have_few_odd_pairs_and_random_letters_many() -> None:
    words = "authentication configuration repository environment certificate httpServerFactory2"
    assert all(odd_share(word) <= 0.2 for word in words.split())
    assert all(odd_share(body(BASE36, 32)) >= 0.4 for _ in range(50))
    assert odd_share("2026") == odd_share("") == 0


def test_each_row_of_a_provider_says_where_it_was_met_and_no_two_have_a_prefix_in_common() -> None:
    rows = provider_rows()
    known = {"provider", "credsweeper", "detect-secrets", "secretlint", "gitleaks", "trufflehog"}
    assert all(row.met_in and known.issuperset(row.met_in) for row in rows)
    pairs = [(prefix, row.characters) for row in rows for prefix in row.prefixes]
    assert len(pairs) == len(set(pairs)) > 150
