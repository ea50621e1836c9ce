"""Errors met again, errors that only look alike, and the formats in which any of them may arrive.

The texts lie in five files in `data/`, one block an error:

    @@ name of the error
    --- stored                 what a store holds
    --- same: how it differs   another text of the same error
    --- other: what differs    a look-alike, which is another error
    --- elsewhere: place       the same failure in another place, which has a row of its own

`families.txt` was written before the rules were tuned on it; `fresh.txt` and `versions.txt` (one
error in the words of other versions and reporters) after that, and each was measured before
anything was changed for it; `attacks.txt` holds wrong answers that somebody went looking for, and
their siblings in other tools; `elsewhere.txt` what differs in its place alone. All
texts are our own wording of public message formats.
"""

import html
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """One error: the text a store holds, other texts of it, look-alikes, and the same elsewhere."""

    name: str
    stored: str
    same: Mapping[str, str]
    other: Mapping[str, str]
    elsewhere: Mapping[str, str]


def read(name: str) -> list[Family]:
    """The families of a data file, in its order."""
    families: list[Family] = []
    for block in ("\n" + (DATA / name).read_text(encoding="utf-8")).split("\n@@ ")[1:]:
        head, *parts = re.split(r"\n--- (?=stored\n|same: |other: |elsewhere: )", block)
        texts: dict[str, dict[str, str]] = {
            "stored": {}, "same": {}, "other": {}, "elsewhere": {}
        }  # fmt: skip
        for part in parts:
            title, text = part.split("\n", 1)
            role, _, what = title.partition(": ")
            texts[role][what] = text
        families.append(
            Family(
                name=head.strip(),
                stored=texts["stored"][""],
                same=texts["same"],
                other=texts["other"],
                elsewhere=texts["elsewhere"],
            )
        )
    return families


Format = Callable[[str], str]


def _each_line(prefix: Callable[[int], str]) -> Format:
    def written(text: str) -> str:
        return "\n".join(prefix(at) + line for at, line in enumerate(text.split("\n")))

    return written


def _wrapped(width: int) -> Format:
    def written(text: str) -> str:
        return "\n".join(
            line[at : at + width]
            for line in text.split("\n")
            for at in range(0, max(len(line), 1), width)
        )

    return written


def _joined(mark: str) -> Format:
    def written(text: str) -> str:
        return mark.join(line.strip() for line in text.split("\n") if line.strip())

    return written


def _docker(text: str) -> str:
    return "\n".join(
        json.dumps({"log": line + "\n", "stream": "stderr", "time": "2025-06-01T08:00:11.11Z"})
        for line in text.split("\n")
    )


def _boxed(text: str) -> str:
    lines = text.split("\n")
    width = max(map(len, lines))
    rows = [f"\u2502 {line.ljust(width)} \u2502" for line in lines]
    bar = "\u2500" * (width + 2)
    return "\n".join((f"\u256d{bar}\u256e", *rows, f"\u2570{bar}\u256f"))


def _beheaded(text: str) -> str:
    return "[...]\n" + text.split("\n", 1)[1] if text.count("\n") > 6 else text


FORMATS: Mapping[str, Format] = {
    "cat -n": _each_line(lambda at: f"{at + 1:6d}\t"),
    "arrows": _each_line(lambda at: f"{at + 1:5d}\u2192"),
    "numbered with spaces": _each_line(lambda at: f"{at + 1:4d}  "),
    "numbered with a bar": _each_line(lambda at: f"{at + 1:4d} | "),
    "grep -n": _each_line(lambda at: f"{at + 1}:"),
    "quoted reply": _each_line(lambda at: "> "),
    "collapsed": _joined(" "),
    "collapsed by arrows": _joined(" \u23ce "),
    "collapsed by bars": _joined(" | "),
    "escaped": lambda text: json.dumps(text)[1:-1],
    "structured log": lambda text: json.dumps(
        {"level": "error", "ts": "2025-06-01T08:00:11Z", "logger": "app", "msg": text, "pid": 4411}
    ),
    "structured log with a stack": lambda text: json.dumps(
        {"severity": "ERROR", "message": "job failed", "exception": text, "request_id": "req_9f3kd"}
    ),
    "docker json": _docker,
    "tool result": lambda text: json.dumps({"exit_code": 1, "stderr": text, "stdout": ""}),
    "syslog": _each_line(lambda at: "Jun  1 08:00:11 web1 shop-api[4411]: "),
    "journal, ISO": _each_line(lambda at: "2025-06-01T08:00:11+0200 web1 shop-api[4411]: "),
    "pods": _each_line(lambda at: "[pod/shop-6f7c9d5b8d-x2x7k/api] "),
    "github actions": _each_line(lambda at: f"2025-06-01T08:00:1{at % 10}.1132220Z "),
    "compose": _each_line(lambda at: "shop-api-1  | "),
    "buildkit": _each_line(lambda at: f"#14 {at}.332 "),
    "python logging": _each_line(lambda at: "2025-06-01 08:00:11,113 ERROR [app.main] "),
    "bracketed time": _each_line(lambda at: "[08:00:11] "),
    "logback": _each_line(lambda at: "2025-06-01 08:00:11.113 ERROR 4411 --- [main] "),
    "html": html.escape,
    "html in a page": lambda text: f"<pre><code>{html.escape(text)}</code></pre>",
    "fenced": lambda text: f"I get this:\n\n```text\n{text}\n```\nany idea?",
    "coloured": lambda text: f"\x1b[1m\x1b[31m{text}\x1b[0m",
    "colours without escape": lambda text: f"[31m{text}[0m",
    "windows line ends": lambda text: text.replace("\n", "\r\n"),
    "indented": _each_line(lambda at: "        "),
    "upper margin": lambda text: "\n\n\n   \n" + text + "\n\n  \n",
    "wrapped at 80": _wrapped(80),
    "wrapped at 100": _wrapped(100),
    "head cut off": _beheaded,
    "quoted twice": _each_line(lambda at: ">> "),
    "added in a diff": _each_line(lambda at: "+"),
    "package of a monorepo": _each_line(lambda at: "packages/web build: "),
    "gunicorn": _each_line(lambda at: "[2025-06-01 08:00:11 +0000] [4411] [ERROR] "),
    "loguru": _each_line(lambda at: "2025-06-01 08:00:11.113 | ERROR    | app.main:run:42 - "),
    "airflow": _each_line(lambda at: "[2025-06-01, 08:00:11 UTC] {task.py:1824} ERROR - "),
    "log4j": _each_line(lambda at: "08:00:11.113 [exec-3] ERROR c.a.s.OrderService - "),
    "spring": _each_line(
        lambda at: "2025-06-01T08:00:11.113+02:00 ERROR 4411 --- [shop] [exec-1] o.a.C.[.[/]    : "
    ),
    "lambda's request": _each_line(
        lambda at: "2025-06-01T08:00:11.113Z\t3f2b8c1e-1a2b-4c3d-9e8f-001122334455\tERROR\t"
    ),
    "in a box": _boxed,
    "report of JUnit": lambda text: (
        f'<testcase name="a"><failure message="x" type="E">{html.escape(text)}</failure></testcase>'
    ),
    "character data": lambda text: f'<failure message="x"><![CDATA[{text}]]></failure>',
    "task of Ansible": lambda text: (
        "fatal: [web1]: FAILED! => "
        + json.dumps(
            {"changed": False, "cmd": "make", "msg": "non-zero return code", "stderr": text}
        )
    ),
    "bytes of Python": lambda text: repr(text.encode()),
    "JSON in JSON": lambda text: json.dumps(json.dumps({"msg": text})),
    "block of YAML": lambda text: (
        "error: |\n" + "\n".join("  " + line for line in text.split("\n"))
    ),
    "told in a chat": lambda text: (
        f"When I run it I get the following error and do not know why:\n\n{text}\n\n"
        "Can you fix this please?"
    ),
    "reported as a bug": lambda text: (
        f"### Describe the bug\nIt fails.\n\n### Logs\n```shell\n{text}\n```\n\n"
        "### System info\n- OS: Ubuntu 22.04"
    ),
    "noise around": lambda text: (
        f"$ make check\nCollecting data...\nINFO starting 4 workers\n{text}\n[exit code: 1]\n"
        "Done in 3.41s."
    ),
}
"""Ways in which a text reaches whoever asks about it."""
