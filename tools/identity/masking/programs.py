"""How shells, package managers and build tools dress up one and the same message.

Rule of this module: as in `reporters`, a row takes off what was put around the message; the name of
the program or package it is about stays.
"""

from reflection_mcp.tools.identity.rule import Match, Rule

_SHELL = r"(?im)^(?:[\w./-]{0,60}/)?-?(?:ba|z|da|k|a|fi)?sh(?:\.exe)?: (?:(?:line )?\d{1,7}: )?"

_NOT_FOUND = (
    "kommando nicht gefunden|commande introuvable|orden no encontrada|comando non trovato|"
    "comando n\u00e3o encontrado|nie znaleziono polecenia|"
    "\u043a\u043e\u043c\u0430\u043d\u0434\u0430 \u043d\u0435 "
    "\u043d\u0430\u0439\u0434\u0435\u043d\u0430|"
    "\u043a\u043e\u043c\u0430\u043d\u0434\u0443 \u043d\u0435 "
    "\u0437\u043d\u0430\u0439\u0434\u0435\u043d\u043e|"
    "p\u0159\u00edkaz nenalezen|opdracht niet gevonden|kommandot finns inte|"
    "\u672a\u627e\u5230\u547d\u4ee4|"
    "\u30b3\u30de\u30f3\u30c9\u304c\u898b\u3064\u304b\u308a\u307e\u305b\u3093|"
    "\uba85\ub839\uc5b4\ub97c \ucc3e\uc744 \uc218 \uc5c6\uc74c"
)
"""What bash says of a command that it does not find, as it is translated."""

_LIES = r"(?:[A-Za-z]:)?(?:[\\/]|\.{0,2}[\w-]{1,60}[\\/])(?:[^\s:'\"\\/]{1,120}[\\/]{1,2}){0,30}"
"""Where a program lies."""
_TARGET = (
    r"[a-z0-9_]{2,12}-(?:[a-z0-9_]{2,12}-){0,2}(?:gnu\w{0,8}|musl\w{0,8}|mingw32|elf|eabi\w{0,4}|"
    r"android\w{0,8}|darwin[\d.]{0,8}|msvc|freebsd[\d.]{0,6}|uclibc\w{0,8}|linux)-"
)
"""A machine in front of the name of a tool that builds for it."""


def _command(match: Match) -> str:
    return f"command not found: {match[1] or match[2]}"


def _run(match: Match) -> str:
    message, name = (match[1], match[2]) if match[1] else (match[4], match[3])
    return f"{message}: {name}"


def _in_script(match: Match) -> str:
    return f"{match[1]}: command not found: {match[2] or match[3]}"


def _linker(match: Match) -> str:
    return "ld: " if match[1] is None else f"{match[1]}: "


PROGRAMS: tuple[Rule, ...] = (
    Rule(
        "where the program that speaks lies",
        "bin/|bin\\|libexec/|scripts\\|lib/gcc|.exe: ",
        r"(?m)^[ \t]*(?:"
        + _LIES
        + r"(?:\.?s?bin|libexec|Scripts|(?:lib|libexec)/gcc(?:-cross)?/[\w.+-]{1,60}/"
        r"[\d.]{1,12})[\\/]{1,2}|(?:"
        + _LIES
        + r")?(?=[\w.+-]{1,60}\.exe: ))([\w.+-]{1,60}?)(?:\.exe)?: (?=\S)",
        r"\1: ",
        "/opt/rh/gcc-toolset-12/root/usr/bin/ld: cannot find -lssl",
        "ld: cannot find -lssl",
        "/srv/shop/cart: cannot open",
    ),
    Rule(
        "target and version of a tool that builds",
        "-ld: |-ld.|lld|ld.bfd: |ld.gold: |ld64: |ld-|mold: |gcc-|-gcc|g++-|-g++|-c++|-cc: |clang-|"
        "-clang|-as: |-ar: |-nm: |-objcopy|-objdump|-strip|-ranlib|-windres|-cpp|cpp-",
        r"(?m)^[ \t]*(?:" + _TARGET + r")?(?:(?:(?:ld64|ld|rust)[.-])?lld|(?:wasm-)?ld(?:64)?"
        r"(?:\.(?:bfd|gold|mold))?|mold|(g\+\+|c\+\+|gcc|cc|clang(?:\+\+)?|cpp|as|ar|nm|objcopy|"
        r"objdump|strip|ranlib|windres))(?:-\d{1,2}(?:\.\d{1,2}){0,2})?: (?=\S)",
        _linker,
        "x86_64-w64-mingw32-gcc-12: fatal error: no input files",
        "gcc: fatal error: no input files",
        "world: all is well",
    ),
    Rule(
        "linker that rustc calls",
        "linking with ",
        r"(?<=error: linking with )['`][^'`\n]{1,300}['`](?= failed)",
        "'ld'",
        "error: linking with `x86_64-linux-gnu-gcc` failed: exit status: 1",
        "error: linking with 'ld' failed: exit status: 1",
        "linking with `cc`",
    ),
    Rule(
        "npm, before and after version 10",
        "npm",
        r"(?im)^[ \t]*npm (?:err!|error)(?=[ \t]|$)",
        "npm error",
        "npm ERR! code E404",
        "npm error code E404",
        "npm warn error",
    ),
    Rule(
        "yarn's and pnpm's sign",
        "err_pnpm",
        r"(?m)^[ \t\u2009]*(?:ERR_PNPM_(?=\w))",
        "ERR_PNPM_",
        " ERR_PNPM_NO_MATCHING_VERSION  No matching version",
        "ERR_PNPM_NO_MATCHING_VERSION  No matching version",
        "code ERR_PNPM_FETCH_404",
    ),
    Rule(
        "command not found, by shell",
        "not found",
        _SHELL + r"(?:command not found: ([^\s:]{1,200})|([^\s:]{1,200}): (?:command )?not found)$",
        _command,
        "bash: line 3: kubectl: command not found",
        "command not found: kubectl",
        "bash: package not found",
    ),
    Rule(
        "program that did not start, by shell",
        "sh: ",
        _SHELL + r"(?:(permission denied|no such file or directory|is a directory): (\S{1,300})|"
        r"(\S{1,300}): (permission denied|no such file or directory|is a directory))$",
        _run,
        "bash: line 3: ./deploy.sh: Permission denied",
        "Permission denied: ./deploy.sh",
        "ssh: Permission denied",
    ),
    Rule(
        "dependency tree of npm, by version",
        "eresolve",
        r"ERESOLVE (?:unable to resolve dependency tree|could not resolve)",
        "ERESOLVE could not resolve",
        "npm error ERESOLVE unable to resolve dependency tree",
        "npm error ERESOLVE could not resolve",
        "code ERESOLVE",
    ),
    Rule(
        "npm passing on what gyp says",
        "gyp err!",
        r"(?im)^[ \t]*(?:npm (?:err!|error) )?gyp (?:err!|error)[ \t]+(?:stack[ \t]+at [^\n]*)?",
        "gyp: ",
        "npm error gyp ERR! find Python",
        "gyp: find Python",
        "gyp: find Python",
    ),
    Rule(
        "name under which a program of the same kind is installed",
        "awk: |gsed: |gtar: |gmake: |ggrep: |gfind: |gxargs: |gcp: |gmv: |grm: |gls: |gdate: ",
        r"(?m)^[ \t]*(?:/\S{1,200}/)?"
        r"(?:(?:[gmn]|original-)(awk)|g(sed|tar|make|grep|find|xargs|cp|mv|rm|ls|date))(?=: )",
        r"\1\2",
        "mawk: cannot open orders.csv (No such file or directory)",
        "awk: cannot open orders.csv (No such file or directory)",
        "gcc: error",
    ),
    Rule(
        "depth of make",
        "make[",
        r"(?m)^([ \t]*g?make)\[\d{1,3}\]:",
        r"\1:",
        "make[2]: *** No rule to make target 'a'",
        "make: *** No rule to make target 'a'",
        "make: [2]",
    ),
    Rule(
        "process id of a sanitizer",
        "==",
        r"(?m)^[ \t]*==\d{1,9}==[ \t]?(?:ERROR: )?",
        "",
        "==4411==ERROR: AddressSanitizer: heap-use-after-free",
        "AddressSanitizer: heap-use-after-free",
        "a == b",
    ),
    Rule(
        "side of rsync that met it, since version 3.2",
        "rsync: [",
        r"rsync: \[(?:sender|receiver|generator|Receiver|client|server)\] ",
        "rsync: ",
        'rsync: [receiver] mkstemp "a" failed: Permission denied (13)',
        'rsync: mkstemp "a" failed: Permission denied (13)',
        "rsync: [x] failed",
    ),
    Rule(
        "login shell and make of GNU, by name",
        "-bash: |-zsh: |-sh: |gmake: ",
        r"(?m)^[ \t]*(?:-(?=(?:ba|z)?sh: )|g(?=make: ))",
        "",
        "gmake: *** No rule to make target 'a'",
        "make: *** No rule to make target 'a'",
        "a-bash: x",
    ),
    Rule(
        "letter of apt",
        "e: |n: |w: ",
        r"(?m)^[EWN]: (?=[A-Z])",
        "",
        "E: Unable to locate package curl-dev",
        "Unable to locate package curl-dev",
        "e: a.kt: x",
    ),
    Rule(
        "command not found, in a script",
        "not found",
        r"(?m)^([ \t]*[\w./-]{1,200}): (?:line )?\d{1,7}: (?:command not found: ([^\s:]{1,200})|"
        r"([^\s:]{1,200}): (?:command )?not found)$",
        _in_script,
        "deploy.sh: line 3: jq: command not found",
        "deploy.sh: command not found: jq",
        "deploy.sh: jq not found",
    ),
    Rule(
        "command not found, without the shell",
        ": command not found",
        r"(?m)^([^\s:'\"]{1,200}): command not found$",
        r"command not found: \1",
        "kubectl: command not found",
        "command not found: kubectl",
        "sudo: kubectl: command not found",
    ),
    Rule(
        "command not found, by a shell that speaks another language",
        "sh: ",
        r"(?im)^(?:[\w./-]{0,60}/)?-?(?:ba|z|da|k|a|fi)?sh: [^\W\d_]{1,12} \d{1,7}: "
        r"(?=[^\s:]{1,200} ?: (?:" + _NOT_FOUND + r")[.]?$)",
        "",
        "bash: Zeile 1: kubectl: Kommando nicht gefunden.",
        "kubectl: Kommando nicht gefunden.",
        "bash: Zeile 1: kubectl: Datei oder Verzeichnis nicht gefunden",
    ),
    Rule(
        "variable that is not set, in a script",
        "unbound variable|parameter not set",
        r"(?m)(?:line )?\d{1,7}: (\w{1,100}): (?:unbound variable|parameter not set)$",
        r"\1: unbound variable",
        "a.sh: 3: TAG: parameter not set",
        "a.sh: TAG: unbound variable",
        "a.sh: unbound variable",
    ),
    Rule(
        "project in which MSBuild met it",
        "proj]|proj::",
        r"[ \t]\[[^\]\n]{1,300}\.\w{2,3}proj(?:::[^\]\n]{1,100})?\]",
        "",
        "a.cs(3,9): error CS0103: The name 'x' does not exist [/src/shop/shop.csproj]",
        "a.cs(3,9): error CS0103: The name 'x' does not exist",
        "cannot open [shop.csproj",
    ),
    Rule(
        "word of RuboCop that it can mend it",
        "[correctable]",
        r"(?<=: )\[Correctable\] ",
        "",
        "a.rb:3:5: W: [Correctable] Lint/Useless: x",
        "a.rb:3:5: W: Lint/Useless: x",
        "[Correctable]",
    ),
    Rule(
        "what Helm was doing",
        " failed: template",
        r"(?i)(?:installation|upgrade) failed: (?=template)",
        "",
        "Error: UPGRADE FAILED: template: a.yaml:3:5: nil pointer",
        "Error: template: a.yaml:3:5: nil pointer",
        "UPGRADE FAILED: timed out",
    ),
    Rule(
        "ways to log in that SSH offered",
        "permission denied (publickey",
        r"(?i)(permission denied \(publickey)[\w,-]{1,80}\)",
        r"\1)",
        "git@a.example: Permission denied (publickey,keyboard-interactive).",
        "git@a.example: Permission denied (publickey).",
        "Permission denied (password).",
    ),
    Rule(
        "sign that a linter can mend it",
        "[*]",
        r"(?<=[A-Z]\d{3} )\[\*\] ",
        "",
        "a.py:3:8: F401 [*] 'os' imported but unused",
        "a.py:3:8: F401 'os' imported but unused",
        "list [*] is empty",
    ),
    Rule(
        "depth of the solver of Cabal",
        "[__",
        r"(?m)^[ \t]*\[__\d{1,3}\] ",
        "",
        "[__0] rejecting: aeson-2.1.0.0",
        "rejecting: aeson-2.1.0.0",
        "see [__0]",
    ),
    Rule(
        "package of a workspace whose lock file is old",
        "date with ",
        r"(?<=date with )(?:<ROOT>[/\\])?([\w@.-]{1,60}(?:[/\\][\w@.-]{1,60}){0,4})[/\\]"
        r"(package\.json)\b",
        r"\2 in \1",
        "not up to date with <ROOT>/packages/api/package.json",
        "not up to date with package.json in packages/api",
        "not up to date with /srv/shop/package.json",
    ),
    Rule(
        "root of a workspace of pnpm",
        "<root>",
        r"<ROOT>[/\\]",
        "",
        "not up to date with <ROOT>/package.json",
        "not up to date with package.json",
        "<ROOT>",
    ),
)
