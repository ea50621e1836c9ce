"""An id that a machine drew goes, a name that a person gave stays, however odd it looks."""

import pytest

from reflection_mcp.tools.identity.masking.drawn import without_drawn
from reflection_mcp.tools.identity.masking.masks import masked


@pytest.mark.parametrize(
    "drawn",
    [
        "01HZXW3V8K2M4N6P8QRSTVWXYZ", "2gFqT1mZ0aWcXr7LkPd9sBvNyHe", "665f1c2e9b3d4a7f8c0e1d2b",
        "uQ3_xT9vLk2-mN7pRz4Wb", "clx3k9v2p0001mf08z7q5h2td", "cq8n1r3j2k4s9f6v0t5g",
        "order_01hzxw3v8k2m4n6p8qrstvwxyz", "cus_Nf4kQ9tZ1xW7pL2vB8rY6mJ3",
        "7f3e9a10-5b2c-7d4e-8f60-1a2b3c4d5e6f", "1-6650f1a2-9c3e4b5d6f7a8091b2c3d4e5",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "Zk3xQ9bT7mW1rY5uC8vN2a==", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x9Jk-2_Qw",
        "0e:81:0e:3a:5d:a4", "0E-81-0E-3A-5D-A4", "0e81.0e3a.5da4",
    ],
)  # fmt: skip
def test_an_id_that_was_drawn_goes(drawn: str) -> None:
    assert masked([f"depot {drawn}: no stock"]) == ["depot <id>: no stock"]


@pytest.mark.parametrize(
    "name",
    [
        "OAuth2TokenV2ApiHandler4Test", "AWS_S3_Bucket-V2_EuWest1", "x86_64-unknown-linux-gnu",
        "TestStep1Part2Case3Item4Round5", "EC2InstanceNotFoundException",
        "a1_b2_c3_d4_e5_f6_g7_h8_i9",
        "_ZN5depot5stock4sell17h3f9a51c07be2d846E", "sha256withrsaencryption",
        "Utf8ToBase64Converter2",
        "the-third-of-the-2-depots", "ERR_OSSL_EVP_UNSUPPORTED",
    ],
)  # fmt: skip
def test_a_name_stays(name: str) -> None:
    assert without_drawn(name) == name


@pytest.mark.parametrize(
    "line",
    [
        "stock of 10:11:12:13:14:15", "no key= x", "price_of_apples_and_pears= x",
        "abcdefghijklmnopqrst= x", "at 1-2-3", "eyj.x",
    ],
)  # fmt: skip
def test_what_only_looks_like_one_is_none(line: str) -> None:
    assert "<id>" not in masked([line])[0]


def test_what_was_hashed_keeps_its_name() -> None:
    assert masked(["boot_c8429a430278283c0e571baebca3d139.img is bad"]) == ["boot_<id>.img is bad"]


@pytest.mark.parametrize(
    ("line", "mask"),
    [
        ("no route to fd12:3456::7", "no route to <ip>"),
        ("no route to fe80::1ff:fe23:4567:890a%en0", "no route to <ip>"),
        ("no route to ::ffff:10.1.2.3", "no route to <ip>"),
        ("no route to 2001:db8:1::", "no route to <ip>"),
        ("fade::into::b64", "fade::into::b64"),
        ("mail of eva.lind+x@depot.example", "mail of <user>@depot.example"),
        ("sell@stock.js is gone", "sell@stock.js is gone"),
        ("eva@depot", "eva@depot"),
        ("until Feb 16, 2024", "until <time>"),
        ("until 16-Feb-2024 10:11:12", "until <time>"),
        ("until 20240216T101112Z", "until <time>"),
        ("after 3h5m10.5s", "after <quantity>"),
        ("after 4 minutes and 20 seconds", "after <quantity>"),
        ("after 750 milliseconds", "after <quantity>"),
        ("after 9.7e+01s", "after <quantity>"),
        ("after PT1M30.5S", "after <quantity>"),
        ("P2D and PDS", "<quantity> and pds"),
        ("6.491.991 Bytes", "<quantity>"),
        ("9_328 rows", "<n> rows"),
        ("3m5x", "3m5x"),
        ("refused (traceparent 9c3e4b5d6f7a8091)", "refused ()"),
        ("correlation id 9c3e4b5d6f: refused", "refused"),
        ("the session id is missing", "the session id is missing"),
    ],
)
def test_a_value_goes_in_any_notation(line: str, mask: str) -> None:
    assert masked([line]) == [mask]
