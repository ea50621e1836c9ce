"""Messages of Go, Rust, C, C++ and their linkers that differ by version or by compiler.

Rule of this module: see the package; the name of each row says who words it which way.
"""

from reflection_mcp.tools.identity.rule import Match, Rule


def _header(match: Match) -> str:
    return f"fatal error: {match[1] or match[2] or match[3]}: No such file or directory"


def _library(match: Match) -> str:
    return f"cannot find -l{match[1] or match[2] or match[3] or match[4]}"


def _borrowed(match: Match) -> str:
    return f"RefCell already {match[1] or ''}borrowed"


_SIGNALS = {
    "abort": "Aborted",
    "sigabrt": "Aborted",
    "sigsegv": "Segmentation fault",
    "sigbus": "Bus error",
    "sigill": "Illegal instruction",
    "sigfpe": "Floating point exception",
    "sigkill": "Killed",
    "sigterm": "Terminated",
}
_ENDS = (
    r"Abort(?:ed)?|Segmentation fault|Bus error|Illegal (?:hardware )?instruction|"
    r"Floating point exception|Killed|Terminated|Trace/breakpoint trap"
)


def _ended(match: Match) -> str:
    """How a program ended, and which, as bash words it."""
    end = match[1] or match[4]
    return f"{_SIGNALS.get(end.casefold(), end)} {match[2] or match[3]}"


NATIVE: tuple[Rule, ...] = (
    Rule(
        "how a program ended, by the shell under which it ran",
        "abort|segmentation fault|bus error|instruction|floating point|killed|terminated|trap",
        r"(?im)^[ \t]*(?:(?:[^\s:]{1,200}:[ \t]{1,2})?(?:line )?\d{1,7}:[ \t]{1,8}\d{1,8}"
        r"[ \t]{1,4}|zsh: (?:\d{1,8} )?|\[\d{1,4}\][ \t]{1,4}[+-]?[ \t]{0,4}\d{1,8}[ \t]{1,4})"
        r"(" + _ENDS + r")(?:[ \t]{1,60}\(core dumped\)[ \t]{1,80}|[ \t]{2,80})(?!\(core dumped)"
        r"(\S[^\n]{0,400})$|"
        r"^fish: Job \d{1,4}, '([^'\n]{1,400})' terminated by signal (SIG[A-Z]{3,5})\b[^\n]*$",
        _ended,
        "ci/step.sh: line 3:  2338 Aborted                 (core dumped) ./pool -n 4",
        "Aborted ./pool -n 4",
        "line 3: 2338 Aborted by the user",
    ),
    Rule(
        "missing return, before Go 1.18",
        "missing return at end",
        r"(?<=missing return) at end of function",
        "",
        "./a.go:9:1: missing return at end of function",
        "./a.go:9:1: missing return",
        "missing return",
    ),
    Rule(
        "value used as another type, by version of Go",
        "cannot use ",
        r"(cannot use [^\n]{1,120}?) \((?:(?:variable|value|constant|untyped \w{1,20} constant)"
        r"(?: \"[^\"\n]{0,80}\"| \S{1,40})? )?(?:of )?(?:\w{1,20} )?type (\S{1,120})\) as "
        r"(?:type )?(\S{1,120}?)(?: value)? in (?=argument|assignment|return|field|array|struct|"
        r"map|variable)",
        r"\1 (type \2) as \3 in ",
        "cannot use total (variable of type string) as int value in argument to pay",
        "cannot use total (type string) as int in argument to pay",
        "cannot use it in argument",
    ),
    Rule(
        "method that an interface asks for, before Go 1.18",
        "does not implement",
        r"\(missing (?!method )(\w{1,100}) method\)",
        r"(missing method \1)",
        "*Repo does not implement Store (missing Save method)",
        "*Repo does not implement Store (missing method Save)",
        "(missing method Save)",
    ),
    Rule(
        "number of values that are returned, before Go 1.18",
        "arguments to return",
        r"\b(too many|not enough) arguments to return",
        r"\1 return values",
        "./a.go:9:2: too many arguments to return",
        "./a.go:9:2: too many return values",
        "arguments to return",
    ),
    Rule(
        "number of variables and values, by version of Go",
        "assignment mismatch: ",
        r"(assignment mismatch: \d{1,4}) variables? but ([^\s()]{1,100})(?:\(\))? returns? "
        r"(\d{1,4}) values?",
        r"\1 targets but \2 gives \3 results",
        "assignment mismatch: 2 variables but load returns 1 values",
        "assignment mismatch: 2 targets but load gives 1 results",
        "assignment mismatch: x",
    ),
    Rule(
        "package that no module provides, before Go 1.16",
        "cannot find module providing package",
        r"cannot find module providing package ([\w./-]{1,200}\w)",
        r"no required module provides package \1",
        "a.go:3:2: cannot find module providing package github.com/acme/cart",
        "a.go:3:2: no required module provides package github.com/acme/cart",
        "cannot find module",
    ),
    Rule(
        "directory without a module, before Go 1.16",
        "cannot find main module",
        r"cannot find main module(?=;)",
        "go.mod file not found in current directory or any parent directory",
        "go: cannot find main module; see 'go help modules'",
        "go: go.mod file not found in current directory or any parent directory; see 'go help "
        "modules'",
        "cannot find main module",
    ),
    Rule(
        "length beside an index, since Go 1.13",
        "out of range [",
        r"(?<=out of range) \[[\d:-]{1,40}\](?: with (?:length|capacity) \d{1,12})?",
        "",
        "runtime error: index out of range [5] with length 3",
        "runtime error: index out of range",
        "out of range [a]",
    ),
    Rule(
        "panic that a server of Go serves",
        "http: panic serving",
        r"http: panic serving \S{1,100}: ",
        "panic: ",
        "http: panic serving 10.0.0.7:51123: runtime error: invalid memory address",
        "panic: runtime error: invalid memory address",
        "http: panic",
    ),
    Rule(
        "check of a certificate that failed, since Go 1.20",
        "tls: failed to verify certificate",
        r"tls: failed to verify certificate: (?=x509)",
        "",
        "tls: failed to verify certificate: x509: certificate signed by unknown authority",
        "x509: certificate signed by unknown authority",
        "tls: failed to verify certificate",
    ),
    Rule(
        "server of names that Go asked",
        "lookup ",
        r"(\blookup [\w.-]{1,200}) on \[?[0-9a-fA-F.:]{3,45}\]?:53(?=: )",
        r"\1",
        "dial tcp: lookup db.internal on 10.96.0.10:53: no such host",
        "dial tcp: lookup db.internal: no such host",
        "lookup on a",
    ),
    Rule(
        "request that a client of Go gave up, by version",
        "client.timeout",
        r"(?:context deadline exceeded|net/http: request canceled(?: while waiting for "
        r"connection)?) \((Client\.Timeout [^\n)]{1,80})\)",
        r"\1",
        "net/http: request canceled (Client.Timeout exceeded while awaiting headers)",
        "Client.Timeout exceeded while awaiting headers",
        "request canceled (by Client.Timeout)",
    ),
    Rule(
        "name in a certificate, before Go 1.17",
        "legacy common name field",
        r"(?<=use SANs) (?:or temporarily enable Common Name matching with \S{1,60}|instead)",
        "",
        "x509: certificate relies on legacy Common Name field, use SANs instead",
        "x509: certificate relies on legacy Common Name field, use SANs",
        "use SANs",
    ),
    Rule(
        "assertion of two values, before Rust 1.73",
        "assertion failed: ",
        r"assertion failed: ['`]\(left (==|!=) right\)['`]",
        r"assertion 'left \1 right' failed",
        "panicked: assertion failed: '(left == right)'",
        "panicked: assertion 'left == right' failed",
        "assertion failed: left",
    ),
    Rule(
        "value that is borrowed, by version of Rust",
        "already ",
        r"\b(?:RefCell )?already (mutably )?borrowed(?:: Borrow(?:Mut)?Error)?",
        _borrowed,
        "panicked: already borrowed: BorrowMutError",
        "panicked: RefCell already borrowed",
        "it is already there",
    ),
    Rule(
        "kind of an error without a name, before Rust 1.55",
        "kind: other",
        r"(?<=kind: )Other(?=, message)",
        "Uncategorized",
        'Os { code: 28, kind: Other, message: "No space left on device" }',
        'Os { code: 28, kind: Uncategorized, message: "No space left on device" }',
        "kind: Other",
    ),
    Rule(
        "status of a program that Rust ran, before version 1.56",
        "exit code: ",
        r"(?<=[ (])exit code: (?=\d)",
        "exit status: ",
        "error: linking with 'cc' failed: exit code: 1",
        "error: linking with 'cc' failed: exit status: 1",
        "an exit code: x",
    ),
    Rule(
        "macro that is not in scope, by version of Rust",
        "cannot find macro",
        r"(?<=cannot find macro )['`](\w{1,100})!['`]",
        r"'\1'",
        "error: cannot find macro 'printn!' in this scope",
        "error: cannot find macro 'printn' in this scope",
        "cannot find macro 'a'",
    ),
    Rule(
        "kind of the type that lacks a method, by version of Rust",
        " found for ",
        r"(?<=['`] found for )(?:struct|enum|reference|union|opaque type|trait object|array|"
        r"tuple|closure|mutable reference|type parameter|associated type|fn item) (?=['`])",
        "type ",
        "no method named 'total' found for struct 'Cart' in the current scope",
        "no method named 'total' found for type 'Cart' in the current scope",
        "it was found for type 'a'",
    ),
    Rule(
        "resolution that failed, before Rust 1.90",
        "failed to resolve: ",
        r"(?<=: )failed to resolve: (?=use of |could not find |maybe )",
        "",
        "error[E0433]: failed to resolve: use of undeclared type 'HashMap'",
        "error[E0433]: use of undeclared type 'HashMap'",
        "failed to resolve: a",
    ),
    Rule(
        "runtime of Tokio, by version",
        "tokio 1.x runtime",
        r"\ba Tokio 1\.x runtime",
        "a Tokio runtime",
        "there is no reactor running, must be called from the context of a Tokio 1.x runtime",
        "there is no reactor running, must be called from the context of a Tokio runtime",
        "a Tokio 1.x",
    ),
    Rule(
        "header that is missing, by compiler",
        "file not found|cannot open include file|no such file or directory",
        r"fatal error: ['\"]([\w./+-]{1,200})['\"] file not found|fatal error C1083: Cannot open "
        r"include file: ['\"]([\w./+\\-]{1,200})['\"]: No such file or directory|fatal error: "
        r"([\w./+-]{1,200}\.(?:h|hh|hpp|hxx)): No such file or directory",
        _header,
        "a.c:3:10: fatal error: 'zlib.h' file not found",
        "a.c:3:10: fatal error: zlib.h: No such file or directory",
        "fatal error: x",
    ),
    Rule(
        "function without a declaration, by compiler",
        "implicit declaration of function|call to undeclared function",
        r"(?:implicit declaration of function|call to undeclared (?:library )?function) ['\"]"
        r"(\w{1,120})['\"](?: is invalid in C99|; [^\n\[]{1,120}?)?(?= \[|\n|$)",
        r"undeclared function '\1'",
        "call to undeclared function 'pay'; ISO C99 and later do not support implicit function "
        "declarations",
        "undeclared function 'pay'",
        "implicit declaration",
    ),
    Rule(
        "library that is missing, by linker",
        "cannot find -l|library -l|library not found for -l|ld: library '",
        r"(?:\bld(?:64|\.lld|\.gold|\.bfd)?: )?(?:(?:error: )?cannot find -l([\w.+-]{1,100})"
        r"(?:: No "
        r"such file or directory)?|error: unable to find library -l([\w.+-]{1,100})|library not "
        r"found for -l([\w.+-]{1,100})|library '([\w.+-]{1,100})' not found)",
        _library,
        "ld: library not found for -lssl",
        "cannot find -lssl",
        "the library -lssl",
    ),
    Rule(
        "undefined symbol, by Apple's linker",
        ", referenced from:",
        r"(?m)^[ \t]*\"_?([^\"\n]{1,300})\", referenced from:(?:\n[ \t]+[^\n]{1,200} in [^\s()]"
        r"{1,100}(?:\([^)\n]{1,100}\))?$){0,20}",
        r"undefined reference to '\1'",
        '  "_avcodec_open", referenced from:\n      _main in main.o',
        "undefined reference to 'avcodec_open'",
        "a, referenced from: b",
    ),
    Rule(
        "head and end of an undefined symbol, by Apple's linker",
        "for architecture ",
        r"(?m)^[ \t]*(?:Undefined symbols for architecture \w{1,20}:|ld: symbol\(s\) not found for "
        r"architecture \w{1,20})$",
        "",
        "Undefined symbols for architecture arm64:",
        "",
        "for architecture arm64",
    ),
    Rule(
        "thread that a sanitizer names",
        "thread t",
        r"\b(thread )T\d{1,5}\b",
        r"\1<n>",
        "WRITE of size 4 at 0x61 thread T0",
        "WRITE of size 4 at 0x61 thread <n>",
        "thread Total",
    ),
    Rule(
        "line in front of a target of make, since version 4",
        "*** [",
        r"(\*\*\* \[)[\w./-]{1,200} ?:\d{1,7} ?: (?=\S)",
        r"\1",
        "make: *** [Makefile:12: compress.o] Error 1",
        "make: *** [compress.o] Error 1",
        "make: *** [a.o] Error 1",
    ),
    Rule(
        "version that CMake was asked for",
        "(requested",
        r"[ \n][ \t]*\(requested\s[ \t]*version [\d.]{1,20}\)",
        "",
        'configuration file provided by "Eigen3" (requested\n  version 3.4) with any of',
        'configuration file provided by "Eigen3" with any of',
        "(requested a version)",
    ),
    Rule(
        "routine of OpenSSL, before version 3",
        " routines:",
        r"\berror:[0-9A-Fa-f]{8}:([\w ./]{1,40} routines):\w{0,80}:",
        r"error:\1:",
        "error:14094410:SSL routines:ssl3_read_bytes:sslv3 alert handshake failure",
        "error:SSL routines:sslv3 alert handshake failure",
        "its routines: a",
    ),
    Rule(
        "alert of TLS, before OpenSSL 3.2",
        "sslv3 alert|ssl/tls alert|ssl/tls_alert|sslv3_alert",
        r"(?i)\b(?:sslv3|ssl/tls)(?=[ _]alert)",
        "tls",
        "sslv3 alert handshake failure",
        "tls alert handshake failure",
        "the sslv3 protocol",
    ),
    Rule(
        "names that CMake looked for",
        "with any of the following names",
        r"(?<=with any of) the following names",
        "",
        'configuration file provided by "Eigen3" with any of the following names:',
        'configuration file provided by "Eigen3" with any of:',
        "any of the following names",
    ),
    Rule(
        "type that is not declared, before Rust 1.54",
        "use of undeclared type or module",
        r"use of undeclared type or module (?=['`][A-Z])",
        "use of undeclared type ",
        "error[E0433]: failed to resolve: use of undeclared type or module 'HashMap'",
        "error[E0433]: failed to resolve: use of undeclared type 'HashMap'",
        "use of undeclared type or module 'rand'",
    ),
)
