"""Messages of Python and of its tools that changed between versions.

Rule of this module: see the package; the name of each row says when the wording changed.
"""

from reflection_mcp.tools.identity.rule import Match, Rule


def _sum(match: Match) -> str:
    return f'can only concatenate str (not "{match[1] or match[2]}") to str'


def _setter(match: Match) -> str:
    return (
        f"property '{match[1] or match[2]}'{f' (of {match[3]})' if match[3] else ''} without "
        "a setter"
    )


def _member(match: Match) -> str:
    return f"Cannot access attribute {match[1]} for class " if match[1] else "attribute"


PYTHON: tuple[Rule, ...] = (
    Rule(
        "sum of a text and a number, before Python 3.7",
        "must be str, not |cannot concatenate",
        r"(?<=TypeError: )(?:must be str, not (\w{1,60})|cannot concatenate 'str' and '"
        r"(\w{1,60})' objects)",
        _sum,
        "TypeError: must be str, not int",
        'TypeError: can only concatenate str (not "int") to str',
        "write() argument must be str, not bytes",
    ),
    Rule(
        "number that is no integer, before Python 3.10",
        "integer argument expected, got",
        r"integer argument expected, got (\w{1,60})",
        r"'\1' object cannot be interpreted as an integer",
        "TypeError: integer argument expected, got float",
        "TypeError: 'float' object cannot be interpreted as an integer",
        "integer argument expected",
    ),
    Rule(
        "index into None, in Python 2",
        "__getitem__",
        r"'(\w{1,100})' object has no attribute '__getitem__'",
        r"'\1' object is not subscriptable",
        "TypeError: 'NoneType' object has no attribute '__getitem__'",
        "TypeError: 'NoneType' object is not subscriptable",
        "the attribute '__getitem__'",
    ),
    Rule(
        "what an unhashable value was for, since Python 3.14",
        "(unhashable type",
        r"cannot use '[^'\n]{1,100}' as an? (?:dict key|set element) \((unhashable type: '"
        r"[^'\n]{1,100}')\)",
        r"\1",
        "TypeError: cannot use 'list' as a dict key (unhashable type: 'list')",
        "TypeError: unhashable type: 'list'",
        "cannot use it (unhashable type)",
    ),
    Rule(
        "how many values there were to unpack, since Python 3.14",
        "too many values to unpack",
        r"(too many values to unpack \(expected \d{1,6}), got \d{1,6}\)",
        r"\1)",
        "ValueError: too many values to unpack (expected 2, got 3)",
        "ValueError: too many values to unpack (expected 2)",
        "too many values to unpack",
    ),
    Rule(
        "assignment to what cannot be assigned to, by version of Python",
        "assign to ",
        r"\b(?:can't|cannot) (assign to [\w -]{2,60}?)( here)?(?=\.|$|\n)",
        r"cannot \1",
        "SyntaxError: can't assign to function call",
        "SyntaxError: cannot assign to function call",
        "it can assign to function calls",
    ),
    Rule(
        "assignment in an argument, before Python 3.8",
        "keyword can't be an expression",
        r"keyword can't be an expression",
        "expression cannot contain assignment",
        "SyntaxError: keyword can't be an expression",
        "SyntaxError: expression cannot contain assignment",
        "keyword can't be used",
    ),
    Rule(
        "advice about an assignment in an argument, since Python 3.8",
        "expression cannot contain assignment, perhaps",
        r"(?<=expression cannot contain assignment), perhaps [^\n]{1,80}",
        "",
        'expression cannot contain assignment, perhaps you meant "=="?',
        "expression cannot contain assignment",
        "expression cannot contain assignment",
    ),
    Rule(
        "unterminated text of several lines, before Python 3.10",
        "eof while scanning",
        r"EOF while scanning triple-quoted string literal",
        "unterminated triple-quoted string literal",
        "SyntaxError: EOF while scanning triple-quoted string literal",
        "SyntaxError: unterminated triple-quoted string literal",
        "EOF while reading",
    ),
    Rule(
        "what a block was expected after, since Python 3.10",
        "expected an indented block after",
        r"(?<=expected an indented block) after ([^\n()]{1,80}?)(?: on line \d{1,7})?(?=\n|$)",
        r" (of \1)",
        "IndentationError: expected an indented block after 'if' statement on line 3",
        "IndentationError: expected an indented block (of 'if' statement)",
        "expected an indented block",
    ),
    Rule(
        "attribute of an object without a dictionary, since Python 3.13",
        "for setting new attributes",
        r" and no __dict__ for setting new attributes",
        "",
        "'A' object has no attribute 'x' and no __dict__ for setting new attributes",
        "'A' object has no attribute 'x'",
        "no __dict__ to see",
    ),
    Rule(
        "property without a setter, by version of Python",
        "can't set attribute '|has no setter",
        r"can't set attribute '(\w{1,100})'|property '(\w{1,100})' of '(\w{1,100})' object has no "
        r"setter",
        _setter,
        "AttributeError: property 'total' of 'Cart' object has no setter",
        "AttributeError: property 'total' (of Cart) without a setter",
        "can't set attribute",
    ),
    Rule(
        "constructor without parameters, before Python 3.7",
        "() takes no parameters",
        r"(?<=\(\) takes no )parameters\b",
        "arguments",
        "TypeError: object() takes no parameters",
        "TypeError: object() takes no arguments",
        "it takes no parameters",
    ),
    Rule(
        "global name, in Python 2",
        "global name '",
        r"\bglobal name (?='\w{1,100}' is not defined)",
        "name ",
        "NameError: global name 'total' is not defined",
        "NameError: name 'total' is not defined",
        "the global name 'a' is used",
    ),
    Rule(
        "free variable, before Python 3.11",
        "free variable",
        r"free variable '(\w{1,100})' referenced before assignment in enclosing scope",
        r"cannot access free variable '\1' where it is not associated with a value in enclosing "
        r"scope",
        "free variable 'x' referenced before assignment in enclosing scope",
        "cannot access free variable 'x' where it is not associated with a value in enclosing "
        "scope",
        "the free variable 'x'",
    ),
    Rule(
        "recursion that is too deep, before Python 3.5",
        "runtimeerror: maximum recursion",
        r"\bRuntimeError(?=: maximum recursion depth exceeded)",
        "RecursionError",
        "RuntimeError: maximum recursion depth exceeded",
        "RecursionError: maximum recursion depth exceeded",
        "RuntimeError: maximum recursion",
    ),
    Rule(
        "what went on when the recursion was too deep",
        "maximum recursion depth exceeded",
        r"(?<=maximum recursion depth exceeded) (?:while|in) [^\n]{1,80}",
        "",
        "RecursionError: maximum recursion depth exceeded while calling a Python object",
        "RecursionError: maximum recursion depth exceeded",
        "maximum recursion depth exceeded",
    ),
    Rule(
        "local object that cannot be pickled, since Python 3.13",
        "get local object",
        r"\bCan't get local object(?= ')",
        "Can't pickle local object",
        "AttributeError: Can't get local object 'save.step'",
        "AttributeError: Can't pickle local object 'save.step'",
        "Can't get local objects",
    ),
    Rule(
        "advice of pytest about a comparison, before version 8",
        "use -v to get the full diff",
        r"(?m)^([ \t]*Use -v to get )the full(?= diff$)",
        r"\1more",
        "Use -v to get the full diff",
        "Use -v to get more diff",
        "Use -v to get the full log",
    ),
    Rule(
        "wheel that was not built, by version of pip",
        "could not build wheels for|failed to build installable wheels",
        r"(?:Could not build wheels for|Failed to build installable wheels for some pyproject\.toml"
        r" based projects) \(?([\w., -]{1,200}?)\)?(?:,? which (?:is required|use PEP)[^\n]"
        r"{1,120})?(?=\n|$)",
        r"Failed to build wheels: \1",
        "Could not build wheels for lxml, which is required to install pyproject.toml-based "
        "projects",
        "Failed to build wheels: lxml",
        "Could not build wheels",
    ),
    Rule(
        "range of Python that a project supports, by version of Poetry",
        "the current project's",
        r"(?<=[Tt]he current project's )(?:Python requirement|supported Python range)",
        "Python range",
        "The current project's Python requirement (>=3.8) is not compatible with some of",
        "The current project's Python range (>=3.8) is not compatible with some of",
        "The current project's name",
    ),
    Rule(
        "lock file of Poetry that is behind, by version",
        "poetry.lock",
        r"(?i)(?:pyproject\.toml changed significantly since poetry\.lock was last generated|"
        r"poetry\.lock is not up to date with pyproject\.toml)\b[^\n]{0,200}",
        "poetry.lock is not up to date",
        "pyproject.toml changed significantly since poetry.lock was last generated. Run `poetry "
        "lock` to fix the lock file.",
        "poetry.lock is not up to date",
        "poetry.lock is missing",
    ),
    Rule(
        "split of a resolution that uv tells",
        "when resolving dependencies for split",
        r"(?<=when resolving dependencies) for split \([^\n]{1,200}\)(?=:?\n|:?$)",
        "",
        "No solution found when resolving dependencies for split (python_full_version == '3.8.*'):",
        "No solution found when resolving dependencies:",
        "when resolving dependencies for a",
    ),
    Rule(
        "module without stubs, before mypy 0.780",
        "cannot find module named",
        r"Cannot find module named (?=['\"])",
        "Cannot find implementation or library stub for module named ",
        "error: Cannot find module named 'yaml'",
        "error: Cannot find implementation or library stub for module named 'yaml'",
        "Cannot find module 'a'",
    ),
    Rule(
        "member that Pyright does not know, before version 1.1.339",
        "cannot access member|known member of",
        r"\bCannot access member (\"[^\"\n]{1,100}\") for type |(?<=is not a known )member(?= of)",
        _member,
        'error: Cannot access member "total" for type "Cart"',
        'error: Cannot access attribute "total" for class "Cart"',
        "a member of the class",
    ),
    Rule(
        "types that do not fit, before Pyright 1.1.387",
        "is incompatible with|cannot be assigned to",
        r"(?<=\" )(?:is incompatible with|cannot be assigned to)(?= (?:parameter |type |declared "
        r"type )?\")",
        "is not assignable to",
        '"Literal[\'a\']" is incompatible with "int"',
        '"Literal[\'a\']" is not assignable to "int"',
        "a is incompatible with b",
    ),
    Rule(
        "what wakes a task of asyncio, by version of Python",
        "taskwakeupmethwrapper",
        r"(?<=cb=\[)<TaskWakeupMethWrapper object at 0x[0-9a-f]{1,16}>\(\)",
        "Task.task_wakeup()",
        "wait_for=<Future pending cb=[<TaskWakeupMethWrapper object at 0x7f3a>()]>",
        "wait_for=<Future pending cb=[Task.task_wakeup()]>",
        "a TaskWakeupMethWrapper",
    ),
    Rule(
        "code behind a message of mypy, since version 0.990",
        "  [",
        r"(?m)  \[(?<=\S  \[)([a-z]{2,20}(?:-[a-z]{2,20}){0,5})\]$",
        r" (\1)",
        'a.py:9: error: Cannot find implementation or library stub for "yaml"  [import-not-found]',
        'a.py:9: error: Cannot find implementation or library stub for "yaml" (import-not-found)',
        "a list [import-not-found]",
    ),
)
