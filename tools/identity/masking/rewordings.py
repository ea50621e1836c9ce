"""One message, worded otherwise by another version or another reporter of the same tool.

Rule of this module: a row may only join wordings that one and the same fault produces, so each
row names who says it which way. What a message is *about* (the module, the key, the host) is never
touched. Suggestions ("did you mean") go: they depend on what else is in scope, not on the fault.
"""

from string import ascii_lowercase

from reflection_mcp.tools.identity.rule import Match, Rule


def _property(match: Match) -> str:
    doing = "reading" if match[1] == "read" else "setting"
    return f"Cannot {match[1]} properties of {match[3]} ({doing} '{match[2]}')"


def _graphics_memory(match: Match) -> str:
    return f"{'OutOfMemoryError: ' if match[1] else ''}CUDA out of memory"


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
        "module of an exception type",
        "|".join(f".{letter}" for letter in ascii_lowercase),
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
        "error before the name of the exception",
        "error: ",
        r"(?m)^[ \t]*(?:ERROR|error|Error):[ \t]+(?=[A-Z]\w{1,60}(?:Error|Exception)\b)",
        "",
        "error: SyntaxError: bad input",
        "SyntaxError: bad input",
        "error: syntax of input",
    ),
    Rule(
        "memory of a graphics card, by version of PyTorch",
        "cuda out of memory",
        r"(?:\b(Runtime|OutOfMemory)Error: )?CUDA (?:error: )?out of memory\b[^\n]*",
        _graphics_memory,
        "RuntimeError: CUDA out of memory. Tried to allocate 58.00 MiB",
        "OutOfMemoryError: CUDA out of memory",
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
        "name of the Lua that runs it",
        "lua",
        r"(?m)^[ \t]*lua(?:jit)?(?:\.exe)?: (?=\S{1,200}:\d{1,7}: )",
        "",
        "luajit: a.lua:3: bad argument",
        "a.lua:3: bad argument",
        "lua: a.lua is missing",
    ),
    Rule(
        "what was nil, before Lua 5.3",
        "attempt to ",
        r"(attempt to (?:index|call|concatenate|perform arithmetic on|compare)) "
        r"((?:local|global|field|upvalue|method) '[^'\n]{1,100}') \((an? \w{1,20} value)\)",
        r"\1 \3 (\2)",
        "attempt to index field 'player' (a nil value)",
        "attempt to index a nil value (field 'player')",
        "attempt to index a nil value (field 'player')",
    ),
    Rule(
        "artifacts that Maven lists, since version 3.9",
        "could not be resolved: ",
        r"The following artifacts could not be resolved: [^\n]{1,1000}? \(absent\): (?=Could not)",
        "",
        "The following artifacts could not be resolved: a:b:1 (absent): Could not find a:b:1",
        "Could not find a:b:1",
        "The following artifacts could not be resolved: a:b:jar:1",
    ),
    Rule(
        "where Perl looked",
        "(@inc",
        r" \(@INC [^)\n]{1,2000}\)",
        "",
        "Can't locate PG.pm in @INC (@INC contains: /etc/perl /usr/lib/perl5) at a.pl",
        "Can't locate PG.pm in @INC at a.pl",
        "@INC is empty",
    ),
    Rule(
        "panic that the runner of Go's tests passed on",
        "[recovered",
        r"[ \t]\[recovered(?:, repanicked)?\]",
        "",
        "panic: assignment to entry in nil map [recovered, repanicked]",
        "panic: assignment to entry in nil map",
        "[recovered]",
    ),
    Rule(
        "reason of a status that curl repeats",
        "returned error: ",
        r"(?m)(?<=returned error: )(\d{3}) [A-Z][\w ']{1,60}$",
        r"\1",
        "curl: (22) The requested URL returned error: 404 Not Found",
        "curl: (22) The requested URL returned error: 404",
        "it returned error: 404",
    ),
    Rule(
        "title of Django's debug page",
        " at /",
        r"(?m)^([A-Z]\w{1,80}(?:Error|Exception|DoesNotExist|NotFound|Denied)) at /\S{0,300}\n"
        r"(?=\S)",
        r"\1: ",
        "OperationalError at /orders/\nno such table: orders",
        "OperationalError: no such table: orders",
        "Error at /orders",
    ),
    Rule(
        "object printed after an error by Node.js",
        "{",
        r"(?m)(?<=\S) \{$|^\[([A-Z]\w{1,60}(?:Error|Rejection|Exception): [^\n]*)\](?: \{)?$",
        r"\1",
        "[UnhandledPromiseRejection: it was rejected] {",
        "UnhandledPromiseRejection: it was rejected",
        "{a}",
    ),
)
