"""Messages of Python, its tools and its libraries that changed between versions.

Rule of this module: see the package; the name of each row says when the wording changed.
"""

from reflection_mcp.tools.identity.rule import Match, Rule

_TYPE_OF_ERRNO = {
    "enoent": "FileNotFoundError",
    "eacces": "PermissionError",
    "econnrefused": "ConnectionRefusedError",
    "econnreset": "ConnectionResetError",
    "etimedout": "TimeoutError",
}


def _typed(match: Match) -> str:
    return f"{_TYPE_OF_ERRNO[match[1]]}: [Errno {match[1]}]"


def _mapper(match: Match) -> str:
    return f"Mapper '{match[1] or match[2] or match[3]}'"


_PYDANTIC = {
    "value is not a valid integer": "Input should be a valid integer",
    "value is not a valid float": "Input should be a valid number",
    "str type expected": "Input should be a valid string",
    "value could not be parsed to a boolean": "Input should be a valid boolean",
    "value is not a valid dict": "Input should be a valid dictionary",
    "value is not a valid list": "Input should be a valid list",
    "extra fields not permitted": "Extra inputs are not permitted",
}


def _pydantic(match: Match) -> str:
    return _PYDANTIC[match[0]]


PYTHON: tuple[Rule, ...] = (
    Rule(
        "module that was not found, before Python 3.6",
        "importerror: no module named",
        r"\bImportError: (?=No module named )",
        "ModuleNotFoundError: ",
        "ImportError: No module named yaml",
        "ModuleNotFoundError: No module named yaml",
        "ImportError: cannot import name 'a'",
    ),
    Rule(
        "type of an operating system's error, before Python 3.3",
        "ioerror: [|oserror: [|socket.error: [|\nerror: [",
        r"(?m)(?:\b(?:IOError|OSError|EnvironmentError|socket\.error)|^error): "
        r"\[Errno (enoent|eacces|econnrefused|econnreset|etimedout)\]",
        _typed,
        "IOError: [Errno enoent] No such file or directory: 'a.txt'",
        "FileNotFoundError: [Errno enoent] No such file or directory: 'a.txt'",
        "OSError: [Errno 28] No space left on device",
    ),
    Rule(
        "sum of a text and a number, before Python 3.7",
        "must be str, not |cannot concatenate",
        r"(?<=TypeError: )(?:must be str, not (\w{1,60})|cannot concatenate 'str' and '"
        r"(\w{1,60})' objects)",
        lambda found: f'can only concatenate str (not "{found[1] or found[2]}") to str',
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
        r"(?<=expected an indented block) (after [^\n()]{1,80}?)(?: on line \d{1,7})?(?=\n|$)",
        r" (\1)",
        "IndentationError: expected an indented block after 'if' statement on line 3",
        "IndentationError: expected an indented block (after 'if' statement)",
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
        lambda found: (
            f"property '{found[1] or found[2]}'{f' (of {found[3]})' if found[3] else ''} without "
            "a setter"
        ),
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
        "what went on when the recursion was too deep",
        "maximum recursion depth exceeded",
        r"(?:Runtime|Recursion)Error: maximum recursion depth exceeded(?: (?:while|in) [^\n]{1,80})"
        r"?$|(?<=maximum recursion depth exceeded) (?:while|in) [^\n]{1,80}",
        lambda found: (
            "RecursionError: maximum recursion depth exceeded" if "Error" in found[0] else ""
        ),
        "RecursionError: maximum recursion depth exceeded while calling a Python object",
        "RecursionError: maximum recursion depth exceeded",
        "maximum recursion depth exceeded",
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
        "connection that urllib3 could not make, by version",
        "urllib3.connection.http|connection(host=",
        r"(?:<urllib3\.connection\.HTTPS?Connection object at 0x[0-9a-fA-F]{1,16}>|"
        r"HTTPS?Connection\(host=['\"][^'\"\n]{1,200}['\"], port=\d{1,5}\)): (?=Failed to)",
        "",
        "NewConnectionError('<urllib3.connection.HTTPConnection object at 0x7f3a>: Failed to",
        "NewConnectionError('Failed to",
        "HTTPConnection(host='a', port=80) is open",
    ),
    Rule(
        "name that urllib3 could not resolve, since version 2",
        "nameresolutionerror",
        r"NameResolutionError\((['\"])Failed to resolve '[^'\n]{1,200}' "
        r"\((\[Errno [^\n)]{1,120})\)",
        r"NewConnectionError(\1Failed to establish a new connection: \2",
        "NameResolutionError(\"Failed to resolve 'db' ([Errno -2] Name or service not known)\")",
        'NewConnectionError("Failed to establish a new connection: [Errno -2] Name or service not '
        'known")',
        "NameResolutionError: a",
    ),
    Rule(
        "array that is no number, by version of NumPy",
        "can be converted to python scalars",
        r"only (?:size-1|length-1|0-dimensional) (?=arrays can be converted to Python scalars)",
        "only single ",
        "TypeError: only size-1 arrays can be converted to Python scalars",
        "TypeError: only single arrays can be converted to Python scalars",
        "arrays can be converted to Python scalars",
    ),
    Rule(
        "duplicates on an axis, before pandas 1.4",
        "cannot reindex from a duplicate axis",
        r"cannot reindex from a duplicate axis",
        "cannot reindex on an axis with duplicate labels",
        "ValueError: cannot reindex from a duplicate axis",
        "ValueError: cannot reindex on an axis with duplicate labels",
        "cannot reindex",
    ),
    Rule(
        "column that holds no texts, by version of pandas",
        ".str accessor with",
        r"(?<=Can only use \.str accessor with string values)[^\n]{1,80}",
        "",
        "Can only use .str accessor with string values, which use np.object_ dtype in pandas",
        "Can only use .str accessor with string values",
        "Can only use .str accessor",
    ),
    Rule(
        "time that pandas could not read, by version",
        "time data",
        r"(?<=time data <data> )(?:does not|doesn't) match format (['\"][^'\"\n]{1,80}['\"])"
        r"(?: \(match\)|, at position \d{1,9}\b)?",
        r"does not match format \1",
        'time data <data> doesn\'t match format "%d/%m", at position 3',
        'time data <data> does not match format "%d/%m"',
        "time data <data> is late",
    ),
    Rule(
        "name of a mapper, by version of SQLAlchemy",
        "mapper",
        r"\bMapper ?(?:['\"]?mapped class (\w{1,100})->\w{1,100}['\"]?|"
        r"['\"]?Mapper\[(\w{1,100})\(\w{1,100}\)\]['\"]?|\|(\w{1,100})\|\w{1,100})",
        _mapper,
        "Mapper 'mapped class Order->orders' has no property 'total'",
        "Mapper 'Order' has no property 'total'",
        "Mapper 'Order' has no property 'total'",
    ),
    Rule(
        "where PyTorch checked an argument, by version",
        "in method wrapper",
        r"\(when checking (?:the )?argument [^\n()]{1,120} in method wrapper[^\n()]{0,80}\)",
        "",
        "found at least two devices, cuda:0 and cpu! (when checking argument for argument mat1 in "
        "method wrapper_CUDA_addmm)",
        "found at least two devices, cuda:0 and cpu! ",
        "(when checking argument a)",
    ),
    Rule(
        "types of two matrices, before PyTorch 2.1",
        "to have the same dtype, but got",
        r"expected m(?:at)?1 and m(?:at)?2 to have the same dtype, but got: (\w{1,40}) != "
        r"(?:c10::)?(\w{1,40})",
        r"mat1 and mat2 must have the same dtype, but got \1 and \2",
        "expected m1 and m2 to have the same dtype, but got: float != c10::Half",
        "mat1 and mat2 must have the same dtype, but got float and Half",
        "mat1 and mat2 must have the same dtype, but got Float and Half",
    ),
    Rule(
        "how aiohttp secured a connection, by version",
        " ssl:",
        r"(Cannot connect to host [^\s\n]{1,200}) ssl:(?:default|None|True|False|<[^>\n]{1,100}>)",
        r"\1",
        "Cannot connect to host api.example:443 ssl:default [Connect call failed]",
        "Cannot connect to host api.example:443 [Connect call failed]",
        "Cannot connect to host a",
    ),
    Rule(
        "field that is missing, by version of pydantic",
        "field required",
        r"(?i)(?<=field required) (?:\(type=value_error\.missing\)|"
        r"\[type=missing\b[^\]\n]{0,200}\])",
        "",
        "field required (type=value_error.missing)",
        "field required",
        "field required (type=str)",
    ),
    Rule(
        "code of a field that is missing, before pydantic 2",
        "value_error.missing",
        r"\bvalue_error\.missing\b",
        "missing",
        '"type": "value_error.missing"',
        '"type": "missing"',
        "value_error.any",
    ),
    Rule(
        "value of another type, before pydantic 2",
        "value is not a valid|str type expected|could not be parsed to a boolean|extra fields not",
        r"\b(?:" + "|".join(_PYDANTIC) + r")\b",
        _pydantic,
        "value is not a valid integer (type=type_error.integer)",
        "Input should be a valid integer (type=type_error.integer)",
        "value is not a valid enumeration member",
    ),
    Rule(
        "how pydantic tried to read a value, since version 2",
        "input should be a valid",
        r"(?<=Input should be a valid )(integer|number|boolean), unable to (?:parse string as an? "
        r"(?:integer|number)|interpret input)",
        r"\1",
        "Input should be a valid integer, unable to parse string as an integer [type=int_parsing]",
        "Input should be a valid integer [type=int_parsing]",
        "Input should be a valid integer, got a number with a fractional part",
    ),
    Rule(
        "code of a value of another type, by version of pydantic",
        "(type=type_error.|[type=",
        r" (?:\(type=(?:type_error\.(?:integer|float|str|dict|list)|value_error\.(?:strictbool|"
        r"extra))\)|\[type=(?:\w{1,20}_(?:type|parsing)|extra_forbidden), input_value=<data>, "
        r"(input_type=\w{1,60})\])",
        lambda found: f" ({found[1]})" if found[1] else "",
        "valid integer [type=int_parsing, input_value=<data>, input_type=str]",
        "valid integer (input_type=str)",
        "[type=enum, input_value=<data>]",
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
        lambda found: f"Cannot access attribute {found[1]} for class " if found[1] else "attribute",
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
        "types of the client of OpenAI, before version 1",
        "invalidrequesterror: |serviceunavailableerror: ",
        r"\bInvalidRequestError: (?=(?:This model|The model|Invalid|Unrecognized request|"
        r"Unsupported|['\"]?\w{1,40}['\"]? is (?:not|a required)|\d{1,6} is)\b)",
        "BadRequestError: 400 ",
        "InvalidRequestError: This model's maximum context length is 4097 tokens",
        "BadRequestError: 400 This model's maximum context length is 4097 tokens",
        "InvalidRequestError: Can't reconnect until invalid transaction is rolled back",
    ),
    Rule(
        "word for the status in the error of an API, by language of its client",
        "error: error code: 4|error: error code: 5",
        r"(?<=Error: )Error code: ([45]\d\d) - ",
        r"\1 ",
        "RateLimitError: Error code: 429 - too fast",
        "RateLimitError: 429 too fast",
        "Error code: 429",
    ),
)
