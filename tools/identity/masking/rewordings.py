"""One message, worded otherwise by another version or another reporter of the same tool.

Rule of this module: a row may only join wordings that one and the same fault produces, so each
row names who says it which way. What a message is *about* (the module, the key, the host) is never
touched. Suggestions ("did you mean") go: they depend on what else is in scope, not on the fault.
"""

from reflection_mcp.tools.identity.rule import Match, Rule


def _killed(match: Match) -> str:
    return f"fatal error: Killed signal terminated program {match[1] or match[2]}"


def _property(match: Match) -> str:
    doing = "reading" if match[1] == "read" else "setting"
    return f"Cannot {match[1]} properties of {match[3]} ({doing} '{match[2]}')"


REWORDINGS: tuple[Rule, ...] = (
    Rule(
        "uncaught in the browser",
        "uncaught",
        r"(?im)^[ \t]*Uncaught (?:\(in promise\):? ?)?",
        "",
        "Uncaught TypeError: x is not a function",
        "TypeError: x is not a function",
        "the uncaught one",
    ),
    Rule(
        "thread that died",
        "exception in thread",
        r"(?im)^[ \t]*Exception in thread \"?[^\"\n]{1,120}?\"? (?=[\w.$]+(?:Exception|"
        r"Error|Throwable)\b)",
        "",
        'Exception in thread "pool-2-thread-7" java.lang.NullPointerException',
        "java.lang.NullPointerException",
        "Exception in thread",
    ),
    Rule(
        "module of an exception type",
        "error|exception|warning|timeout|violation|exit|interrupt|failure|refused|denied|: ",
        r"(?m)^([ \t]*(?:E[ \t]+)?(?:Caused by: |panicked: )?)(?:[A-Za-z_][\w$-]{0,60}\.){1,8}"
        r"(?=[A-Z]\w{0,60}(?:(?:Error|Exception|Warning|Timeout|Violation|Exit|Interrupt|"
        r"Failure|Refused|Denied)\b|: ))",
        r"\1",
        "requests.exceptions.SSLError: bad handshake",
        "SSLError: bad handshake",
        "app.errors: SSLError",
    ),
    Rule(
        "property of undefined, before Chrome 92",
        "of undefined|of null",
        r"Cannot (read|set) property '([^'\n]{1,120})' of (undefined|null)",
        _property,
        "Cannot read property 'map' of undefined",
        "Cannot read properties of undefined (reading 'map')",
        "Cannot read property map",
    ),
    Rule(
        "unbound local, before Python 3.11",
        "referenced before assignment",
        r"local variable '?(\w{1,120})'? referenced before assignment",
        r"cannot access local variable '\1' where it is not associated with a value",
        "local variable 'x' referenced before assignment",
        "cannot access local variable 'x' where it is not associated with a value",
        "free variable 'x' referenced before assignment in enclosing scope",
    ),
    Rule(
        "qualified function name, since Python 3.10",
        "() ",
        r"[\w.<>]{1,200}\.(\w{1,100})\(\)(?= (?:got|missing|takes|argument|keywords))",
        r"\1()",
        "Shop.add() missing 1 required positional argument: 'x'",
        "add() missing 1 required positional argument: 'x'",
        "Shop.add() is deprecated",
    ),
    Rule(
        "abstract class, before Python 3.12",
        "with abstract method",
        r"(abstract class \w{1,100}) with abstract methods? '?(\w{1,100})'?",
        r"\1 without an implementation for abstract method '\2'",
        "Can't instantiate abstract class A with abstract methods run",
        "Can't instantiate abstract class A without an implementation for abstract method 'run'",
        "class A with abstract base",
    ),
    Rule(
        "list indices, before Python 3.5",
        "indices must be integers",
        r"indices must be integers,? ?(?:or slices, )?not ",
        "indices must be integers or slices, not ",
        "list indices must be integers, not str",
        "list indices must be integers or slices, not str",
        "indices must be sorted",
    ),
    Rule(
        "unterminated string, before Python 3.10",
        "eol while scanning",
        r"EOL while scanning string literal",
        "unterminated string literal",
        "SyntaxError: EOL while scanning string literal",
        "SyntaxError: unterminated string literal",
        "EOF in multi-line statement",
    ),
    Rule(
        "where it was detected, since Python 3.10",
        "(detected at line",
        r" \(detected at line \d{1,7}\)",
        "",
        "unterminated string literal (detected at line 3)",
        "unterminated string literal",
        "detected at line 3",
    ),
    Rule(
        "a suggestion",
        "did you mean|you meant|did you forget",
        r"(?i)(?:[.;,:?]|[ \t]-)?[ \t]*\(?(?:did you mean|maybe you meant|"
        r"perhaps you meant|did you forget)"
        r"(?::|\b)[^\n]{0,300}",
        "",
        "name 'lenght' is not defined. Did you mean: 'length'?",
        "name 'lenght' is not defined",
        "this is what you mean",
    ),
    Rule(
        "function local to a function",
        "<locals>",
        r"(?:\w{1,100}\.)?<locals>\.",
        "",
        "make.<locals>.inner() missing 1 required argument",
        "inner() missing 1 required argument",
        "make.inner() missing 1 required argument",
    ),
    Rule(
        "compiler position, pretty form",
        " - error| - warning",
        r"(\.\w{1,5})(?::\d{1,7}:\d{1,7})? - (error|warning) ",
        r"\1: \2 ",
        "src/Home.tsx:17:45 - error TS2307: Cannot find module",
        "src/Home.tsx: error TS2307: Cannot find module",
        "Home - error page",
    ),
    Rule(
        "which driver calls the compiler",
        "++: |gcc|cc: |clang",
        r"(?im)^(?:[\w/.-]{0,80}/)?(?:c\+\+|g\+\+|gcc|cc|"
        r"clang\+?\+?)(?:-\d{1,2})?: (?=fatal|error|internal|warning)",
        "",
        "g++: fatal error: no input files",
        "fatal error: no input files",
        "the cc: list",
    ),
    Rule(
        "compiler killed, by version of gcc",
        "killed",
        r"(?i)(?:internal compiler error: Killed \(program (\w{1,40})\)|"
        r"fatal error: Killed signal terminated program (\w{1,40}))",
        _killed,
        "internal compiler error: Killed (program cc1plus)",
        "fatal error: Killed signal terminated program cc1plus",
        "Killed process 33",
    ),
    Rule(
        "error before the name of the exception",
        "error: ",
        r"(?m)^[ \t]*(?:ERROR|error|Error):[ \t]+(?=[A-Z]\w{1,60}(?:Error|Exception)\b)",
        "",
        "error: SyntaxError: bad input",
        "SyntaxError: bad input",
        "error: syntax of input",
    ),
    Rule(
        "unresolved crate, before Rust 1.85",
        "crate",
        r"(?i)(?:use of undeclared (?:crate or module|type or module)|"
        r"use of unresolved module or unlinked crate|"
        r"maybe a missing crate|can't find crate for) [`']?(\w{1,100})[`']?\??",
        r"use of unresolved module or unlinked crate '\1'",
        "maybe a missing crate `tokio`?",
        "use of unresolved module or unlinked crate 'tokio'",
        "the crate tokio",
    ),
    Rule(
        "unused in Go, before 1.20",
        "declared",
        r"(?m)(?<=[ \t:])(\w{1,100}) declared (?:but not used|and not used)",
        r"declared and not used: \1",
        "./a.go:3:2: total declared and not used",
        "./a.go:3:2: declared and not used: total",
        "total declared twice",
    ),
    Rule(
        "unused import in Go, before 1.20",
        "imported",
        r"(['\"][\w./-]{1,200}['\"]) imported (?:but not used|and not used)",
        r"imported and not used: \1",
        '"strings" imported and not used',
        'imported and not used: "strings"',
        '"strings" imported',
    ),
    Rule(
        "unhandled in .NET and PHP",
        "unhandled exception|uncaught",
        r"(?m)^[ \t]*(?:Unhandled exception[.:]|PHP Fatal error: {1,2}Uncaught|"
        r"Fatal error: Uncaught) (?=[A-Z])",
        "",
        "Unhandled exception. System.NullReferenceException: Object reference not set",
        "System.NullReferenceException: Object reference not set",
        "Unhandled exception",
    ),
    Rule(
        "memory of a graphics card, by version of PyTorch",
        "cuda out of memory",
        r"(?:\w{1,40}Error: )?CUDA (?:error: )?out of memory\b[^\n]*",
        "CUDA out of memory",
        "RuntimeError: CUDA out of memory. Tried to allocate 58.00 MiB",
        "CUDA out of memory",
        "CUDA is out",
    ),
    Rule(
        "heap of V8",
        "javascript heap out of memory",
        r"(?:[A-Z][\w ,'-]{0,80} )?Allocation failed - JavaScript heap out of memory",
        "Allocation failed - JavaScript heap out of memory",
        "Reached heap limit Allocation failed - JavaScript heap out of memory",
        "Allocation failed - JavaScript heap out of memory",
        "Allocation failed",
    ),
    Rule(
        "nil, before Ruby 3.4",
        ":nilclass|an instance of",
        r"\bnil:NilClass\b",
        "nil",
        "undefined method 'cents' for nil:NilClass",
        "undefined method 'cents' for nil",
        "NilClass",
    ),
    Rule(
        "expression of a format string, before Python 3.12",
        "f-string: ",
        r"(?<=SyntaxError: )f-string: ",
        "",
        "SyntaxError: f-string: invalid syntax",
        "SyntaxError: invalid syntax",
        "the f-string: x",
    ),
    Rule(
        "version in the name of an interpreter",
        "lua|python|ruby|perl|php|node",
        r"(?m)^[ \t]*(lua|python|ruby|perl|php|node|luajit)-?\d(?:\.\d{1,3}){0,2}: ",
        r"\1: ",
        "lua5.4: a.lua: attempt to index a nil value",
        "lua: a.lua: attempt to index a nil value",
        "python3 is missing",
    ),
    Rule(
        "object printed after an error by Node.js",
        "{",
        r"(?m)^\[([A-Z]\w{1,60}(?:Error|Rejection|Exception): [^\n]*)\](?: \{)?$|(?<=\S) \{$",
        r"\1",
        "[UnhandledPromiseRejection: it was rejected] {",
        "UnhandledPromiseRejection: it was rejected",
        "{a}",
    ),
    Rule(
        "root of Go, before 1.21",
        "is not in",
        r"is not in (?:GOROOT|std)\b(?: \([^)\n]{1,300}\))?",
        "is not in std",
        "package shop/cart is not in GOROOT (/usr/local/go/src/shop/cart)",
        "package shop/cart is not in std",
        "it is not in place",
    ),
)
