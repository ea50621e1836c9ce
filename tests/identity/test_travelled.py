"""An error is the same whatever carried it, and a look-alike is another one in the same carrier.

The three errors and the carriers are our own; each carrier is the public form of a tool, written
down before it was known whether it is read. What no rule reads yet is not listed.
"""

import json
import quopri
import textwrap
from collections.abc import Callable, Mapping
from typing import NamedTuple

import pytest

from reflection_mcp.tools.identity.cleaning.clean import clean
from tests.bench.identity_index import ShippedIndex

Carrier = Callable[[str], str]


class Case(NamedTuple):
    """An error that a store holds, and one that looks like it."""

    stored: str
    other: str


CASES: Mapping[str, Case] = {
    "trace": Case(
        'Traceback (most recent call last):\n  File "/srv/till/pay.py", line 8, in charge\n'
        "    raise Declined(\u2018card\u2019)\npay.Declined: the bank said \u201cno\u201d to card",
        'Traceback (most recent call last):\n  File "/srv/till/pay.py", line 8, in charge\n'
        "    raise Declined(\u2018card\u2019)\npay.Declined: the bank said \u201cno\u201d to cash",
    ),
    "compiler": Case(
        "till.c: In function \u2018charge\u2019:\ntill.c:8:9: error: \u2018amount\u2019 undeclared"
        " (first use in this function)\n    8 |   pay(amount);\n      |       ^~~~~~",
        "till.c: In function \u2018charge\u2019:\ntill.c:8:9: error: \u2018account\u2019 undeclared"
        " (first use in this function)\n    8 |   pay(account);\n      |       ^~~~~~~",
    ),
    "one line": Case(
        "till: cannot open drawer \u2018left\u2019: Device or resource busy",
        "till: cannot open drawer \u2018right\u2019: Device or resource busy",
    ),
}


def _read_as(encoding: str) -> Carrier:
    signs = {byte: bytes((byte,)).decode(encoding, "ignore") or chr(byte) for byte in range(256)}
    return lambda text: "".join(signs[byte] for byte in text.encode())


def _before_each(tag: str) -> Carrier:
    return lambda text: "\n".join(f"{tag}{line}" for line in text.split("\n"))


def _before_several(tag: str) -> Carrier:
    return lambda text: _before_each(tag)(text) if "\n" in text else text


def _joined(mark: str) -> Carrier:
    return lambda text: mark.join(text.split("\n"))


def _written(sign: Callable[[str], str]) -> Carrier:
    return lambda text: "".join(one if one.isascii() else sign(one) for one in text)


def _bytes_as(form: str) -> Carrier:
    return _written(lambda sign: "".join(form % byte for byte in sign.encode()))


def _coloured(escape: str) -> Carrier:
    def carried(text: str) -> str:
        word, rest = text.split(" ", 1)
        return f"{escape}[1;31m{word}{escape}[0m {rest}"

    return carried


def _in_csv(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _by_powershell(text: str) -> str:
    first, *rest = text.split("\n")
    return "\n".join(
        (
            f"till.exe : {first}",
            "At C:\\till\\run.ps1:3 char:1",
            "+ & till.exe 2>&1 | Tee-Object out.log",
            "+ ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~",
            f"    + CategoryInfo : NotSpecified: ({first[:30]}:String) [], RemoteException",
            "    + FullyQualifiedErrorId : NativeCommandError",
            " ",
            *rest,
        )
    )


CARRIERS: Mapping[str, Carrier] = {
    **{
        f"UTF-8 read as {name}": _read_as(name)
        for name in ("cp1252", "latin-1", "cp437", "cp850", "mac_roman", "cp866")
    },
    "read wrong twice": lambda text: _read_as("cp1252")(_read_as("cp1252")(text)),
    "bytes in octal": _bytes_as("\\%o"),
    "bytes of journald": _bytes_as("#%o"),
    "bytes in hexadecimal": _bytes_as("\\x%02x"),
    "bytes as less shows them": _bytes_as("<%02X>"),
    "numbers of signs": _written(lambda sign: f"\\u{ord(sign):04x}"),
    "numbers of signs, by R": _written(lambda sign: f"<U+{ord(sign):04X}>"),
    "references of HTML": _written(lambda sign: f"&#{ord(sign)};"),
    "quoted-printable": lambda text: quopri.encodestring(text.encode()).decode().strip(),
    "cat -A": lambda text: "\n".join(f"{line}$" for line in text.split("\n"))
    if "\n" in text
    else text,
    "carriage returns written out": lambda text: text.replace("\n", "^M\n"),
    **{
        f"colours with {escape!r}": _coloured(escape)
        for escape in ("\\x1b", "\\033", "\\e", "^[", "\\u001b", "#033", "\u241b", "<ESC>", "")
    },
    "a sign taken back": lambda text: f"x\b{text}",
    "marks of Buildkite": lambda text: (
        "~~~ Running tests\n"
        + "\n".join(f"\x1b_bk;t=1738{at}\x07{line}" for at, line in enumerate(text.split("\n")))
        + "\n\x1b_bk;t=0\x07^^^ +++"
    ),
    **{
        f"joined by {mark!r}": _joined(mark)
        for mark in (
            "#012", "\\n", "\\\\n", " \u23ce ", "\u240a", "&#10;", "%0A", "<LF>", "^J", "\\x0a",
            " | ", " || ", " / ", " \u2192 ", " ; ", "<br/>",
        )
    },
    **{
        f"record {head!r}": _before_each(head)
        for head in (
            "<27>1 2031-05-04T03:02:01.123456+02:00 till-3 till 4411 - - ",
            '<27>1 2031-05-04T03:02:01Z till-3 till 4411 ID7 [meta@1 seq="3"][origin ip="::1"] ',
            "May 04 03:02:01 till-3 till: ",
            "Sun 2031-05-04 03:02:01 CEST till-3 till[4411]: ",
            "[E 310504 03:02:01 web:1789] ",
            "ERROR [main] 2031-05-04 03:02:01,123 Pay.java:12 - ",
            "2031-05-04T03:02:01.123Z pid=4411 tid=ab class=Pay jid=9f ERROR: ",
            "2031-05-04T03:02:01.123Z ERROR charge{id=7}: ThreadId(01) ",
            "[2031-05-04 03:02:01] production.ERROR: ",
            "2031-05-04 03:02:01,123 ERROR till.pay: ",
            "4411:M 04 May 2031 03:02:01.123 # ",
            '2031-05-04T03:02:01+02:00 {app="till", pod="a-1"} ',
            "2031-05-04T03:02:01.123000+00:00 ecs/till/9a8b7c6d5e4f ",
            "[E 2031-05-04 03:02:01.123 TillApp] ",
            "[2031-05-04, 03:02:01 UTC] {subprocess.py:93} INFO - ",
            "[03:02:01][Step 1/2] ",
            "error: May-04-2031 03:02:01: ",
            "8:02AM ERR ",
            "##vso[task.logissue type=error]",
            "apps/till build$ ",
        )
    },
    **{
        f"tag {tag!r}": _before_several(tag)
        for tag in ("[rank0]: ", "(pay pid=4411) ", "[till : unit-test] ", "web-3 > ")
    },
    **{
        f"sign {sign!r}": _before_each(sign)
        for sign in ("- ", "* ", "\u2022 ", "# ", "; ", "-- ", "\u258c ")
    },
    "CSV with a head": lambda text: (
        f"time,host,level,message\n2031-05-04 03:02:00,a,INFO,start\n"
        f"2031-05-04 03:02:01,a,ERROR,{_in_csv(text)}"
    ),
    "CSV with a head, nothing fails": lambda text: f"id,message,host\n7,{_in_csv(text)},a",
    "CSV, one row": lambda text: f"2031-05-04 03:02:01;till-3;ERROR;{_in_csv(text)}",
    "record with fields behind it": lambda text: "\n".join(
        f"2031-05-04 03:02:01 [error    ] {line}   [till.pay] queue=q job_id=5" if line else line
        for line in text.split("\n")
    ),
    "message of TeamCity": lambda text: (
        "##teamcity[message text='"
        + text.replace("|", "||").replace("'", "|'").replace("[", "|[").replace("]", "|]")
        .replace("\n", "|n")
        + "' status='ERROR']"
    ),
    "JSON behind a tag": lambda text: (
        "2031-05-04 03:02:01.123000000 +0000 kube.till: " + json.dumps({"log": text})
    ),
    "JSON of lines": lambda text: json.dumps(text.split("\n")) if "\n" in text else text,
    "error of zerolog": lambda text: f"8:02AM ERR charge failed error={json.dumps(text)}"
    if "\n" in text
    else text,
    "grep -n": lambda text: "\n".join(
        f"logs/till.log{':' if at == 98 else '-'}{at}{':' if at == 98 else '-'}{line}"
        for at, line in enumerate(text.split("\n"), start=98)
    )
    if text.count("\n") > 1
    else text,
    "systemctl status": lambda text: (
        "\u25cf till.service - Till\n"
        "     Loaded: loaded (/etc/systemd/system/till.service; enabled)\n"
        "     Active: failed (Result: exit-code) since Sun 2031-05-04 03:02:01 CEST; 3s ago\n"
        "    Process: 4411 ExecStart=/usr/bin/till (code=exited, status=1/FAILURE)\n\n"
        + _before_each("May 04 03:02:01 till-3 till[4411]: ")(text)
    ),
    "page of HTML": lambda text: (
        "<html><body>\n<pre>"
        + text.replace("<", "&lt;").replace(">", "&gt;")
        + "</pre>\n</body></html>"
    ),
    "list of lines": lambda text: json.dumps({"level": "error", "lines": text.split("\n")}),
    "block of YAML": lambda text: (
        "level: error\nmessage: |\n" + textwrap.indent(text, "  ") + "\nhost: a"
    ),
    "text of YAML": lambda text: f"level: error\nmessage: {json.dumps(text)}\nhost: a",
    "TAP": lambda text: (
        "TAP version 13\nok 1 - opens\nnot ok 2 - pays\n  ---\n  error: |-\n"
        + textwrap.indent(text, "    ")
        + "\n  ...\n1..2"
    ),
    "XML": lambda text: (
        "<event><time>2031-05-04T03:02:01Z</time><message>"
        + text.replace("<", "&lt;").replace(">", "&gt;")
        + "</message></event>"
    ),
    "XML, verbatim": lambda text: (
        f'<log:event level="ERROR">\n<log:message><![CDATA[{text}]]></log:message>\n</log:event>'
    ),
    "XML, attribute": lambda text: (
        '<error line="3" message="'
        + _written(lambda sign: f"&#{ord(sign)};")(text)
        .replace("<", "&lt;").replace('"', "&quot;").replace("\n", "&#10;")
        + '"/>'
    ),
    "words in bold": lambda text: text.replace("the", '<b class="x">the</b>').replace(
        "error", "<b style='x'>error</b>"
    ),
    "emphasis": lambda text: f"**{text}**",
    "mail": lambda text: (
        f"From: Ann <ann@till.example>\nTo: ops@till.example\nSubject: Help\n\n{text}\n\n-- \nAnn"
    ),
    "Gradle": lambda text: (
        "FAILURE: Build failed with an exception.\n\n* What went wrong:\n"
        "Execution failed for task ':pay'.\n> " + text.replace("\n", "\n  ") + "\n\n* Try:\n> x"
    )
    if "\n" in text
    else text,
    "PowerShell": _by_powershell,
    "warnings of other tools": lambda text: (
        "(node:31) [DEP0040] DeprecationWarning: x is deprecated.\n"
        "bash: warning: setlocale: LC_ALL: cannot change locale (en_US.UTF-8)\n"
        "WARNING: Running pip as the 'root' user can break permissions\n"
        f"{text}\nSLF4J: Defaulting to no-operation (NOP) logger implementation"
    ),
    "attempts": lambda text: f"WARN attempt 1/3 failed, retrying in 2s\n{text}",
}  # fmt: skip


@pytest.fixture(scope="module")
def index() -> ShippedIndex:
    """The three errors, stored."""
    filled = ShippedIndex()
    for name, case in CASES.items():
        filled.add(name, case.stored)
    return filled


@pytest.mark.parametrize("carrier", CARRIERS)
def test_an_error_is_recognised_in_its_carrier_and_a_look_alike_is_not(
    index: ShippedIndex, carrier: str
) -> None:
    carried = CARRIERS[carrier]
    found = {name: index.query(carried(case.stored))[0] for name, case in CASES.items()}
    assert found == {name: name for name in CASES}
    assert {index.query(carried(case.other))[0] for case in CASES.values()} == {None}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("\b\nx\b\bKeyError: 1", ["", "KeyError: 1"]),
        ("---\nlevel: error\nmsg: 'it''s gone'\n", ["it's gone"]),
        ('level: error\nmsg: "a\\x"\n', ["a\\x"]),
        ("m: \u00f0\u20ac\u20ac\u20ac \u00e2\u20ac\u2122", ["m: \u00f0\u20ac\u20ac\u20ac '"]),
        ("\u9225\u6993\u9225? is gone", ["'a' is gone"]),
        ("\u7ab6\u874b\u7ab6? is gone", ["'X' is gone"]),
        ("[a] one\n[a] one\n[a] one", ["[a] one"] * 3),
        ("total; 1 KiB free; 2 KiB used", ["total; 1 KiB free; 2 KiB used"]),
        ("size=20 and rest=20=3D", ["size=20 and rest=20=3D"]),
        ("C:\\2018\\new is gone", ["C:\\2018\\new is gone"]),
        ("found: '\\u201c'\nnot: '\\u201d'", ["found: '\\u201c'", "not: '\\u201d'"]),
        ("assert '\\x1b[31ma' == 'a'", ["assert '\\x1b[31ma' == 'a'"]),
        ("unknown token \\xe2\\x80\\x9c", ["unknown token \\xe2\\x80\\x9c"]),
        ("bytes \\xff\\xff and \\xfe\\xfe", ["bytes \\xff\\xff and \\xfe\\xfe"]),
        ('a, b, "c', ['a, b, "c']),
        ('one, two, "three"\nfour', ['one, two, "three"', "four"]),
        ('one, two, "three"', ['one, two, "three"']),
        ("cost\n5$\n6$", ["cost", "5$", "6$"]),
        ("<div>\n<p>x</p>\n</div>", ["", "x", ""]),
        ("JSX: <b>x</b>\nis open", ["JSX: <b>x</b>", "is open"]),
        (
            "* What went wrong:\nExecution failed for task ':a'.\n> one\n   > two\n",
            ["* What went wrong:", "Execution failed for task ':a'.", "> one", "   > two", ""],
        ),
        (
            "03:02:01 it failed  exit=3 code=4\n03:02:01 no  a=b",
            ["it failed  exit=3 code=4", "no"],
        ),
        ("it is\nerror: |\n  one\nand two", ["it is", "error: |", "  one", "and two"]),
    ],
)  # fmt: skip
def test_what_only_looks_like_a_carrier_is_left_alone_and_what_cannot_be_read_stays(
    text: str, lines: list[str]
) -> None:
    assert clean(text) == lines
