"""One finding of a linter or type checker, in whatever order its reporter writes it.

Rule of this module: a row turns one reporter's form into `file:line:column: CODE message`, or
`message (name-of-a-rule)` where the code is a word. Not one word of the message is lost; what goes
is how grave the reporter finds it, and its headings and totals.
"""

import html
from typing import cast
from urllib.parse import unquote

from reflection_mcp.tools.identity.cleaning.listings import behind_a_bar
from reflection_mcp.tools.identity.expression import Expression
from reflection_mcp.tools.identity.rule import Match, Rule, Rules, compiled

_FILE = r"(?:[A-Za-z]:)?[\w./\\@+-]{1,300}"
_RULE = r"[a-z@][\w@/-]{2,80}"
_NUMBERED = r"[A-Z]{1,6}\d{2,5}"
_COP = r"(?:[A-Z]\w{1,40}/){1,3}[A-Z]\w{1,80}"
"""A rule of RuboCop."""
_OF_TITLE = (
    rf"\(?({_NUMBERED}|[a-z]{{2,20}}/[\w/]{{2,60}}|"
    r"[a-z@][\w@/]{0,60}(?:-[\w/]{1,60}){1,8})\)?$"
)
_IN_GROUP = (
    r"[ \t]+(\d{1,7}:\d{1,7}):?[ \t]+(?:(error|warning|info|\u2716|\u00d7|\u26a0|\u2139)[ \t]+)?"
    rf"([^\n]*?)(?:[ \t]{{2,}}\(?({_RULE})\)?)?[ \t]*$"
)
_ATTRIBUTE = r'\b(\w{1,20})="([^"]*)"'
_CELL = r"L:[ \t]*(\d{1,7}) \| P:[ \t]*(\d{1,7}) \|[ \t]*(\w{2,8}) \|[ \t]?"


def finding(place: str, message: str, code: str = "", level: str = "") -> str:
    """A finding as one line, its code in front if it has a number or is a cop, else behind."""
    grave = "error: " if level.casefold() in ("error", "fatal", "\u2716", "\u00d7") else ""
    if not code or code in message:
        return f"{place}: {grave}{message}"
    if compiled(_NUMBERED + "|[A-Z]{3}").fullmatch(code):
        return f"{place}: {grave}{code} {message}"
    if compiled(_COP).fullmatch(code):
        return f"{place}: {code}: {message}"
    return f"{place}: {grave}{message} ({code})"


def _annotated(fields: dict[str, str], message: str) -> str:
    """What a runner was told to show beside a line of a file."""
    file = fields.get("file") or fields.get("sourcepath") or ""
    message = compiled(r"(?i)%0[ad]").sub("\n", message).replace("%25", "%").strip()
    if not file or compiled(rf"(?!\d{{1,7}}:){_FILE}[:(]\d").match(message):
        return message
    message = compiled(r"^\d{1,7}:\d{1,7}:? ").sub("", message)
    named = compiled(rf"\[({_RULE})\] (.+)$").match(message)
    titled = compiled(_OF_TITLE).search(fields.get("title", ""))
    code = fields.get("code") or (named[1] if named else titled[1] if titled else "")
    line = fields.get("line") or fields.get("linenumber") or "1"
    return finding(f"{file}:{line}", named[2] if named else message, code)


def _github(match: Match) -> str:
    fields = (field.partition("=") for field in match[1].split(","))
    return _annotated({key.strip(): unquote(value) for key, _, value in fields}, match[2])


def _azure(match: Match) -> str:
    fields = (field.partition("=") for field in match[1].split(";"))
    return _annotated({key.strip(): value for key, _, value in fields}, match[2])


def _checkstyle(match: Match) -> str:
    found: list[str] = []
    for one in compiled(r"<error ([^<>]{1,2000}?)/?>").findall(match[2]):
        fields = dict(cast("list[tuple[str, str]]", compiled(_ATTRIBUTE).findall(one)))
        code = fields.get("source", "").rsplit(".", 1)[-1]
        place = f"{html.unescape(match[1])}:{fields.get('line', '1')}"
        message = html.unescape(fields.get("message", ""))
        found.append(finding(place, message, code, fields.get("severity", "")))
    return "\n".join(found)


ANNOTATIONS: tuple[Rule, ...] = (
    Rule(
        "annotation of GitHub",
        "::error |::warning ",
        r"(?m)(?<![^\s])::(?:error|warning)[ \t]+(?=[^\n]{0,300}\bfile=)([^\n]{1,600}?)::([^\n]*)$",
        _github,
        "::error title=Ruff (F821),file=lib/a.py,line=3,col=12::Undefined name `x`",
        "lib/a.py:3: F821 Undefined name `x`",
        "::error::Undefined name `x`",
    ),
    Rule(
        "issue of Azure Pipelines",
        "##vso[task.logissue ",
        r"(?m)##vso\[task\.logissue (?=[^\]\n]{0,300}\bsourcepath=)([^\]\n]{1,600})\]([^\n]*)$",
        _azure,
        "##vso[task.logissue type=error;sourcepath=lib/a.py;linenumber=3;code=F821;]Undefined x",
        "lib/a.py:3: F821 Undefined x",
        "##vso[task.logissue type=error]Undefined x",
    ),
    Rule(
        "report in the form of Checkstyle",
        "<file name=",
        r"(?:<\?xml[^<>]{0,100}\?>\s{0,4})?(?:<checkstyle[^<>]{0,100}>\s{0,4})?"
        r'<file name="([^"\n]{1,300})">((?:\s{0,20}<error [^<>]{1,2000}>(?:</error>)?){1,40})'
        r"\s{0,4}</file>(?:\s{0,4}</checkstyle>)?",
        _checkstyle,
        '<file name="a.js"><error line="3" message="x &lt; y" source="rules.no-undef" /></file>',
        "a.js:3: x < y (no-undef)",
        '<file name="a.js"></file>',
    ),
)
"""Read before prefixes of a runner are taken off, since that is what they look like."""


def _grouped(match: Match) -> str:
    lines = match[2].rstrip("\n").split("\n")
    met = filter(None, map(compiled(_IN_GROUP).match, lines))
    return "\n".join(
        finding(f"{match[1]}:{one[1]}", one[3], one[4] or "", one[2] or "") for one in met
    ) + ("\n" if match[2].endswith("\n") else "")


def _compact(match: Match) -> str:
    return finding(f"{match[1]}:{match[2]}:{match[3]}", match[5], match[6] or "", match[4])


def _by_rule(match: Match) -> str:
    return finding(f"{match[1]}:{match[2]}", match[5], match[4], match[3])


def _unix(match: Match) -> str:
    return finding(match[1], match[2], match[4], match[3])


def _pylint(match: Match) -> str:
    code, symbol = match[4] or match[7], match[5] or match[8]
    if code is None:
        return match[0]
    return f"{match[1]}:{match[2] or match[3]}: {code}: {match[6]} ({symbol})"


def _rustc(match: Match) -> str:
    label = f"  | ^^ {match[3]}\n" if match[3] else ""
    return f"{match[2]}\n --> {match[1]}\n  |\n{label}"


def _headed(match: Match) -> str:
    return finding(match[1], match[3], match[2], "error")


def _tabled(match: Match) -> str:
    told = compiled(r"\n[ \t]*\|[ \t]*\|[ \t]*").sub(" ", match[2])
    rows = compiled(r"(?m)^[ \t]*(\d{1,7}) \| (\w{4,8}) *\| (?:\[.\] )?(.*)").findall(told)
    return "".join(f"{finding(f'{match[1]}:{at}', said, '', level)}\n" for at, level, said in rows)


def _cells(match: Match) -> str:
    told = compiled(r"\n[ \t]+\|[ \t]*").sub(" ", match[2])
    lines = (compiled(_CELL + r"(.*)").match(line) for line in told.split("\n"))
    found = [f"{match[1]}:{one[1]}:{one[2]}: error: {one[3]} {one[4]}" for one in lines if one]
    return "".join(f"{line}\n" for line in found)


FINDINGS: tuple[Rule, ...] = (
    Rule(
        "findings under the name of their file",
        r":\d",
        rf"(?m)^({_FILE}\.\w{{1,6}}):?\n"
        r"((?:[ \t]+\d{1,7}:\d{1,7}:?[ \t]+[^\n]{3,600}(?:\n|\Z)){1,40})",
        _grouped,
        "src/cart.js\n  12:9  error  'total' is not defined  no-undef\n",
        "src/cart.js:12:9: error: 'total' is not defined (no-undef)\n",
        "src/cart.js\n  12 lines\n",
    ),
    Rule(
        "finding with the words line and column",
        ", error - |, warning - ",
        rf"(?m)^({_FILE}): line (\d{{1,7}}), col(?:umn)? (\d{{1,7}}), (\w{{4,8}}) - ([^\n]*?)"
        rf"(?: \(({_RULE})\))?$",
        _compact,
        "src/cart.js: line 12, col 9, Error - 'total' is not defined. (no-undef)",
        "src/cart.js:12:9: error: 'total' is not defined. (no-undef)",
        "line 12, Error - 'total' is not defined.",
    ),
    Rule(
        "finding for Visual Studio, its rule in front",
        " : ",
        rf"(?m)^({_FILE})\((\d{{1,7}})(?:,\d{{1,7}})?\): (error|warning) ({_RULE}) : ([^\n]*)$",
        _by_rule,
        "src/cart.js(12,9): error no-undef : 'total' is not defined.",
        "src/cart.js:12: error: 'total' is not defined. (no-undef)",
        "src/cart.cs(12,9): error CS0103: 'total' is not there",
    ),
    Rule(
        "finding with its level and rule behind",
        "[error/|[warning/|[error]|[warning]",
        rf"(?m)^({_FILE}:\d{{1,7}}:\d{{1,7}}): ([^\n]*) \[(?i:(Error|Warning)(?:/({_RULE}))?)\]$",
        _unix,
        "src/cart.js:12:9: 'total' is not defined. [Error/no-undef]",
        "src/cart.js:12:9: error: 'total' is not defined. (no-undef)",
        "'total' is not defined. [Error/no-undef]",
    ),
    Rule(
        "finding of pylint for another reader",
        ": [",
        rf"(?m)^({_FILE}?)(?::(\d{{1,7}}):|\((\d{{1,7}})\):) \[(?:([A-Z]\d{{4}})\(([\w-]{{2,60}})\)"
        rf"[^\]\n]{{0,200}}|[A-Z])\] ([^\n]*?)(?: \(([A-Z]\d{{4}}):([\w-]{{2,60}})\))?$",
        _pylint,
        "shop/cart.py:3: [E0401(import-error), ] Unable to import 'x'",
        "shop/cart.py:3: E0401: Unable to import 'x' (import-error)",
        "shop/cart.py:3: [E] Unable to import 'x'",
    ),
    Rule(
        "code in brackets in front of a finding",
        "[",
        rf"(?m)^({_FILE}:\d{{1,7}}):[ ]?\[({_NUMBERED})\] ",
        r"\1: \2 ",
        "core/utils.py:9: [F811] redefinition of unused 'load'",
        "core/utils.py:9: F811 redefinition of unused 'load'",
        "core/utils.py:9: [0] redefinition",
    ),
    Rule(
        "code in brackets behind a finding",
        "]",
        rf"(?m)^({_FILE}:\d{{1,7}}(?::\d{{1,7}})?): (?:error|warning|note|info|style): "
        r"([^\n]*) \[(SC\d{4}|DL\d{4})\]$",
        r"\1: \3 \2",
        "build.sh:3:4: note: Double quote to prevent globbing. [SC2086]",
        "build.sh:3:4: SC2086 Double quote to prevent globbing.",
        "a.c:3:4: note: Double quote [C4]",
    ),
    Rule(
        "progress of RuboCop",
        "inspecting ",
        r"(?m)^Inspecting \d{1,6} files?\n{1,3}[.CWEFR]{1,4000}\n{1,3}(?:Offenses:\n{1,3})?",
        "",
        "Inspecting 1 file\nW\n\nOffenses:\n\na.rb:2:3: W: Lint/Useless: x",
        "a.rb:2:3: W: Lint/Useless: x",
        "Inspecting 1 file",
    ),
    Rule(
        "letter for the level of a finding of RuboCop",
        ": c: |: w: |: e: |: f: |: r: ",
        rf"(?m)^({_FILE}:\d{{1,7}}:\d{{1,7}}): [CWEFR]: (?:\[\w{{1,20}}\] )?(?=[A-Z]\w{{1,40}}/\w)",
        r"\1: ",
        "app/cart.rb:3:5: E: Lint/Syntax: unexpected token",
        "app/cart.rb:3:5: Lint/Syntax: unexpected token",
        "app/cart.rb:3:5: E: syntax",
    ),
    Rule(
        "level behind the code of a finding",
        " error: | warning: | info: | style: ",
        rf"(?m)^({_FILE}:\d{{1,7}}(?::\d{{1,7}})?) ([A-Z]{{2}}\d{{4}}) "
        r"(?:error|warning|info|style): ",
        r"\1: \2 ",
        "Dockerfile:3 DL3006 warning: Always tag the version",
        "Dockerfile:3: DL3006 Always tag the version",
        "Dockerfile:3 DL3006 tag",
    ),
    Rule(
        "finding of ShellCheck under its line of source",
        "^-- sc|^ sc",
        rf"(?m)^In ({_FILE}) line (\d{{1,7}}):\n[^\n]*\n"
        r"[ \t]*\^-{0,200}\^? (SC\d{4})(?: \(\w{4,8}\))?: "
        r"([^\n]*)(?:\n{1,2}For more information:(?:\n[ \t]+https[^\n]*){1,8})?",
        r"\1:\2: \3 \4",
        "In build.sh line 3:\nrm $dir/x\n   ^--^ SC2086 (info): Double quote to prevent globbing.",
        "build.sh:3: SC2086 Double quote to prevent globbing.",
        "In build.sh line 3:\nrm $dir/x",
    ),
    Rule(
        "finding of ruff over its place",
        "--> ",
        rf"(?m)^({_NUMBERED}) (?:\[\*\] )?([^\n]{{3,400}})\n"
        rf"[ \t]*--> ({_FILE}:\d{{1,7}}:\d{{1,7}})$",
        r"\3: \1 \2",
        "F821 Undefined name `x`\n --> lib/a.py:2:12",
        "lib/a.py:2:12: F821 Undefined name `x`",
        "error: Undefined name `x`\n --> lib/a.py:2:12",
    ),
    Rule(
        "error of rustc in one line",
        ": error",
        r"(?m)^([\w./\\-]{1,300}\.rs:\d{1,7}:\d{1,7}): (error(?:\[E\d{4}\])?: [^\n]*?)"
        r"(?:: (help: [^\n]*))?$",
        _rustc,
        "src/main.rs:3:20: error[E0425]: cannot find value `x` in this scope",
        "error[E0425]: cannot find value `x` in this scope\n --> src/main.rs:3:20\n  |\n",
        "src/main.rs:3:20: warning: unused",
    ),
    Rule(
        "finding of Bandit",
        ">> issue: [",
        r"(?m)^>> Issue: \[(B\d{3})[^\]\n]{0,80}\] ([^\n]*)\n"
        r"(?:[ \t]+[^\n]*\n){0,5}?[ \t]+Location: "
        rf"({_FILE}:\d{{1,7}})[^\n]*(?:\n\d{{1,7}}\t[^\n]*){{0,12}}",
        r"\3: \1 \2",
        ">> Issue: [B324:hashlib] Use of weak MD5\n   Severity: High   Confidence: High\n"
        "   Location: auth/token.py:5:11\n4\tdef sign(x):",
        "auth/token.py:5: B324 Use of weak MD5",
        ">> Issue: [12] Use of weak MD5",
    ),
    Rule(
        "finding of Bandit in one line",
        "[bandit]: ",
        r"(?m)(?<=: )(B\d{3})\[bandit\]: [A-Z]{3,9}: ",
        r"\1 ",
        "auth/token.py:9: B324[bandit]: HIGH: Use of weak MD5",
        "auth/token.py:9: B324 Use of weak MD5",
        "bandit: HIGH",
    ),
    Rule(
        "headings and totals of Bandit",
        "test results:|code scanned:",
        r"(?m)^(?:Run started:[^\n]*\n\s{0,4})?Test results:\n|"
        r"^-{20,80}\n\s{0,4}(?=Code scanned:)|"
        r"^Code scanned:\n(?:[^\n]*\n){1,40}?Files skipped \(\d{1,6}\):[^\n]*\n?",
        "",
        "Test results:\nauth/token.py:9: B324 Use of weak MD5",
        "auth/token.py:9: B324 Use of weak MD5",
        "results: 3",
    ),
    Rule(
        "finding of Biome below its place and its rule",
        "\u2501\u2501\u2501",
        rf"(?m)^({_FILE}(?::\d{{1,7}}:\d{{1,7}})?) ([a-z]\w{{1,30}}(?:/\w{{1,60}}){{0,3}})"
        r"(?: {1,3}FIXABLE)? {1,3}\u2501{3,300}\n\n?[ \t]{0,8}[\u2716\u00d7] ([^\n]+)",
        _headed,
        "src/a.ts:3:9 lint/style/useConst  FIXABLE  \u2501\u2501\u2501\n\n"
        "  \u2716 This let is never changed.",
        "src/a.ts:3:9: error: This let is never changed. (lint/style/useConst)",
        "ci \u2501\u2501\u2501\u2501\n\n  \u2716 Some errors were emitted.",
    ),
    Rule(
        "table of PHP_CodeSniffer",
        "file: ",
        rf"(?m)^FILE: ({_FILE})\n-{{20,200}}\nFOUND \d[^\n]*\n-{{20,200}}\n"
        r"((?:[ \t]*(?:\d{1,7}[ \t])?\|[^\n]*\n){1,80})-{20,200}(?:\n|\Z)",
        _tabled,
        f"FILE: a.php\n{'-' * 40}\nFOUND 1 ERROR AFFECTING 1 LINE\n{'-' * 40}\n"
        f" 12 | ERROR | [x] Missing file\n    |       |     doc comment\n{'-' * 40}\n",
        "a.php:12: error: Missing file doc comment\n",
        "FILE: a.php\nFOUND 1 ERROR",
    ),
    Rule(
        "table of SQLFluff",
        "] fail",
        r"(?m)^== \[([^\]\n]{1,300})\] FAIL[^\n]*\n((?:(?:L:|[ \t]+\|)[^\n]*(?:\n|\Z)){1,40})"
        r"(?:All Finished[^\n]*)?",
        _cells,
        "== [a.sql] FAIL\nL:   6 | P:   7 |  PRS | Found unparsable section: 'order'.\n",
        "a.sql:6:7: error: PRS Found unparsable section: 'order'.\n",
        "== [a.sql] PASS\n",
    ),
)
_AT_A_COLON = Expression(
    r":(?: (?:[ew](?<=\): .)(?:rror|arning) [a-z@]|\[(?:(?<=[\d)]: \[)|(?<=>> Issue: \[))|"
    r"line \d{1,7}, col|[CWEFR]: |(?<=[rgoe\]]: )(?:(?<=\d error: )|(?<=\d warning: )|"
    r"(?<=\d info: )|(?<=\d style: )|(?<=\[bandit\]: )))|"
    r"\[(?<=\d:\[)|\d(?<=\.rs:\d)\d{0,6}:\d{1,7}: error|"
    r"(?<=[sd]:)(?:(?<=Test results:)|(?<=Code scanned:)))"
)
"""By the sign behind the colon first: most stand before a blank, and few before what is meant."""
_IN_BRACKETS = r"\[(?:Error/|Warning/|SC\d|DL\d|(?<=== \[))"
_BELOW_A_NAME = r"\n[ \t]*+\d{1,7}:\d"
_OVER_A_PLACE = r"\n[A-Z]{1,6}\d{2,5} [^\n]{3,404}\n[ \t]*--> "
"""One of the four, a caret before a code of ShellCheck, or what a row for Biome or PHP_CodeSniffer
begins with, is in every text that a row of the
findings applies to, the last with a line break before it, and in few others. Each begins with one
sign: to look for all takes less than for one row."""
_NUMBERED_BELOW = Expression(r"\n[ \t>]*+\d{1,7}:")
"""Begins the second line of a listing, and of findings below the name of their file."""
_ANNOTATIONS = Rules(ANNOTATIONS)
_FINDINGS = Rules(FINDINGS)


def without_annotations(text: str) -> str:
    """The text with what a runner was told to show beside a file as findings of that file."""
    if "::error" in text or "::warning" in text or "##vso[" in text or "<file name=" in text:
        return _ANNOTATIONS.apply(text)
    return text


def in_one_form(text: str) -> str:
    """The text with the findings of linters and type checkers in one form."""
    numbered = _NUMBERED_BELOW.search(text) is not None
    if numbered:
        text = behind_a_bar(text)
    may_hold_one = (
        _AT_A_COLON.search(text)
        or ("[" in text and compiled(_IN_BRACKETS).search(text))
        or (numbered and compiled(_BELOW_A_NAME).search(text))
        or ("^" in text and ("^ SC" in text or "^-- SC" in text))
        or "\u2501\u2501\u2501" in text
        or "\nFOUND " in text
        or ("--> " in text and compiled(_OVER_A_PLACE).search(f"\n{text}"))
    )
    return _FINDINGS.apply(text) if may_hold_one else text
