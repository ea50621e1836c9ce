"""Messages of git, SSH, shells, curl, Ansible and Linux that changed between versions.

Rule of this module: see the package; the name of each row says when the wording changed.
"""

from reflection_mcp.tools.identity.rule import Match, Rule


def _interpreter(match: Match) -> str:
    script, program = match[1] or match[4], match[2] or match[3]
    return f"{script}: bad interpreter" + (f" ({program})" if program else "")


def _owner(match: Match) -> str:
    return f"dubious ownership of repository '{match[1] or match[2]}'"


def _line_ends(match: Match) -> str:
    return f"{match[1] or match[5]} becomes {match[2] or match[6]} in '{match[3] or match[4]}'"


OPERATIONS: tuple[Rule, ...] = (
    Rule(
        "repository of another owner, before Git 2.35.3",
        "unsafe repository|dubious ownership",
        r"unsafe repository \(['\"]?(\S{1,300}?)['\"]? is owned by someone else\)|"
        r"detected dubious ownership in repository at ['\"]?([^\s'\"]{1,300})['\"]?",
        _owner,
        "fatal: detected dubious ownership in repository at '/srv/shop'",
        "fatal: dubious ownership of repository '/srv/shop'",
        "fatal: dubious ownership",
    ),
    Rule(
        "ends of lines that Git changes, before version 2.37",
        "will be replaced by",
        r"(LF|CRLF) will be replaced by (LF|CRLF) in (\S{1,300}?)(?=\.?(?:\n|$))|"
        r"in the working copy of '([^'\n]{1,300})', (LF|CRLF) will be replaced by (LF|CRLF) the "
        r"next time Git touches it",
        _line_ends,
        "warning: LF will be replaced by CRLF in src/a.py.",
        "warning: LF becomes CRLF in 'src/a.py'.",
        "it will be replaced by a",
    ),
    Rule(
        "exchange of keys of SSH, before version 8.1",
        "ssh_exchange_identification",
        r"\bssh_exchange_identification\b",
        "kex_exchange_identification",
        "ssh_exchange_identification: Connection closed by remote host",
        "kex_exchange_identification: Connection closed by remote host",
        "kex_exchange_identification: x",
    ),
    Rule(
        "key that SSH cannot read, by version",
        "load key",
        r"(Load key ['\"][^'\"\n]{1,300}['\"]: )(?:invalid format|error in libcrypto)",
        r"\1invalid",
        'Load key "/home/a/.ssh/id": error in libcrypto',
        'Load key "/home/a/.ssh/id": invalid',
        "Load key a",
    ),
    Rule(
        "interpreter that is not there, by shell and version",
        "bad interpreter|required file not found",
        r"(?im)^(?:[\w./-]{0,60}?(?:ba|z|k|da)?sh: )?(?:line \d{1,7}: )?(?:(\S{1,300}?): "
        r"(?:(\S{1,200}): bad interpreter|bad interpreter: (\S{1,200})): no such file or directory|"
        r"(\S{1,300}?): cannot execute: required file not found)",
        _interpreter,
        "zsh: ./a.sh: bad interpreter: /bin/bash^M: no such file or directory",
        "./a.sh: bad interpreter (/bin/bash^M)",
        "a bad interpreter",
    ),
    Rule(
        "password that sudo cannot ask for, before version 1.9",
        "sudo: ",
        r"sudo: (?:no tty present and no askpass program specified|a terminal is required to read "
        r"the password[^\n]*)",
        "sudo: a terminal is required",
        "sudo: no tty present and no askpass program specified",
        "sudo: a terminal is required",
        "sudo: a",
    ),
    Rule(
        "connection that curl could not make, by version",
        "curl: (7)",
        r"(curl: \(7\) Failed to connect to \S{1,200} port \d{1,5})(?: after \d{1,9} ms)?: "
        r"(?:Connection refused|Could(?:n't| not) connect to server)",
        r"\1",
        "curl: (7) Failed to connect to db port 5432 after 3 ms: Couldn't connect to server",
        "curl: (7) Failed to connect to db port 5432",
        "curl: (7) Failed to connect to db port 5432",
    ),
    Rule(
        "library in front of an error of TLS, since curl 7.8",
        "tls connect error: |openssl/",
        r"(?<=\) )(?:TLS connect error|OpenSSL/[\w.]{1,20}): (?=error:)",
        "",
        "curl: (35) TLS connect error: error:0A00010B:SSL routines::wrong version number",
        "curl: (35) error:0A00010B:SSL routines::wrong version number",
        "TLS connect error: x",
    ),
    Rule(
        "values of a mapping in YAML, by library",
        "mapping values are not allowed",
        r"(?<=mapping values are not allowed) (?:in this context|here)",
        "",
        "yaml: line 5: mapping values are not allowed in this context",
        "yaml: line 5: mapping values are not allowed",
        "mapping values are not allowed",
    ),
    Rule(
        "tabulator in YAML, by library",
        "that cannot start any token",
        r"found character '\\t' that cannot start any token",
        "found character that cannot start any token",
        "found character '\\t' that cannot start any token",
        "found character that cannot start any token",
        "found character '@' that cannot start any token",
    ),
    Rule(
        "variable that Ansible does not know, since ansible-core 2.19",
        "error was: |error while resolving value",
        r"(?:The task includes an option with an undefined variable\.? ?The error was: |"
        r"Task failed: Finalization of task args for '[\w.]{1,100}' failed: Error while "
        r"resolving value for '\w{1,100}': )('[\w.]{1,100}' is undefined)(?:\. \1)*(?:\\n[^\n]*)?",
        r"\1",
        "The task includes an option with an undefined variable. The error was: 'db' is undefined."
        " 'db' is undefined",
        "'db' is undefined",
        "The error was: x",
    ),
    Rule(
        "who holds a lock of apt, since version 2",
        "could not get lock",
        r"(Could not get lock \S{1,200}?)(?:\. It is held by process [^\n]{1,80}| - open \([^)\n]"
        r"{1,80}\))",
        r"\1",
        "Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 4411 (apt-get)",
        "Could not get lock /var/lib/dpkg/lock-frontend",
        "Could not get lock a",
    ),
    Rule(
        "key that apt lacks, since version 3",
        "which is needed to verify signature",
        r"Missing key ([0-9A-F]{8,40}), which is needed to verify signature",
        r"the public key is not available: NO_PUBKEY \1",
        "Missing key 7EA0A9C3F273FCD8, which is needed to verify signature.",
        "the public key is not available: NO_PUBKEY 7EA0A9C3F273FCD8.",
        "Missing key a",
    ),
    Rule(
        "unit that failed, before systemd 236",
        "entered failed state",
        r"(?:Unit (\S{1,120}) |(\S{1,120}): Unit )entered failed state",
        r"\1\2: Failed with result 'exit-code'",
        "shop.service: Unit entered failed state.",
        "shop.service: Failed with result 'exit-code'.",
        "it entered failed state",
    ),
    Rule(
        "where Ansible met it, since ansible-core 2.19",
        "origin: ",
        r"(?m)^[ \t]*Origin: \S{1,300}:\d{1,7}:\d{1,7}$",
        "",
        "Origin: /srv/play/main.yml:12:7",
        "",
        "Origin: https://shop.example",
    ),
    Rule(
        "letters of apt that Ansible passes on in one line",
        "apt cache: ",
        r"(?:Failed to update apt cache: )[EWN]:(?=[A-Z])",
        "",
        "Failed to update apt cache: W:GPG error: https://apt.example jammy InRelease",
        "GPG error: https://apt.example jammy InRelease",
        "Failed to update apt cache: x",
    ),
    Rule(
        "next message of apt in one line",
        ", e:|, w:",
        r", [EW]:(?=[A-Z])",
        "\n",
        "NO_PUBKEY 7EA0, E:The repository is not signed.",
        "NO_PUBKEY 7EA0\nThe repository is not signed.",
        "a, E: x",
    ),
    Rule(
        "what curl says, passed on by a client that is built on it",
        "curl error ",
        r"(?m)(?:\b[\w.\\]{1,120}(?:Error|Exception): )?cURL error (\d{1,3}): ([^\n]{3,400}?)"
        r"(?: \(see https?://curl\.[\w.]{1,12}/\S{1,100}\))?(?: for https?://\S{1,600})?$",
        r"curl: (\1) \2",
        "cURL error 6: Could not resolve host: a.example (see "
        "https://curl.haxx.se/libcurl/c/libcurl-errors.html) for https://a.example/v1",
        "curl: (6) Could not resolve host: a.example",
        "cURL error: Could not resolve host: a.example",
    ),
    Rule(
        "why curl could not resolve a name, by system",
        "could not resolve host",
        r"(Could not resolve host: [\w.-]{1,200}); (?:Unknown error|Name or service not known|"
        r"nodename nor servname provided, or not known|No address associated with hostname)",
        r"\1",
        "Could not resolve host: mirror.example; Unknown error",
        "Could not resolve host: mirror.example",
        "Could not resolve host: a",
    ),
    Rule(
        "page from which nginx was asked",
        ", referrer: ",
        r", referrer: \"[^\"\n]{0,600}\"",
        "",
        'host: "shop.example", referrer: "https://shop.example/cart"',
        'host: "shop.example"',
        "the referrer: x",
    ),
)
