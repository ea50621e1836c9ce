"""Messages of libraries of Python that changed between versions.

Rule of this module: see the package; the name of each row says when the wording changed.
"""

from reflection_mcp.tools.identity.rule import Match, Rule

_OPENAI = {
    "InvalidRequest": "BadRequestError: 400 ",
    "Authentication": "AuthenticationError: 401 ",
    "Permission": "PermissionDeniedError: 403 ",
    "RateLimit": "RateLimitError: 429 ",
    "ServiceUnavailable": "InternalServerError: 503 ",
}


def _connection(match: Match) -> str:
    """Who is connected to is said in front of it, or here alone."""
    return match[0] if "host=" in match[0] and "Pool(host=" not in match.string else ""


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


def _input_type(match: Match) -> str:
    return f" ({match[1]})" if match[1] else ""


def _openai(match: Match) -> str:
    return _OPENAI[match[1]]


def _google(match: Match) -> str:
    return f"GoogleError: {match[1] or match[2] or match[3]} "


LIBRARIES: tuple[Rule, ...] = (
    Rule(
        "connection that urllib3 could not make, by version",
        "urllib3.connection.http|connection(host=",
        r"(?:<urllib3\.connection\.HTTPS?Connection object at 0x[0-9a-fA-F]{1,16}>|"
        r"HTTPS?Connection\(host=['\"][^'\"\n]{1,200}['\"], port=\d{1,5}\)): (?=Failed to)",
        _connection,
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
        r"extra))\)|\[type=(?:\w{1,20}_(?:type|parsing)), input_value=<data>, (input_type="
        r"\w{1,60})\]|\[type=extra_forbidden, [^\]\n]{1,200}\])",
        _input_type,
        "valid integer [type=int_parsing, input_value=<data>, input_type=str]",
        "valid integer (input_type=str)",
        "[type=enum, input_value=<data>]",
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
    Rule(
        "type and status of the client of OpenAI, before version 1",
        "openai.error.",
        r"\bopenai\.error\.(InvalidRequest|Authentication|Permission|RateLimit|ServiceUnavailable)"
        r"Error: ",
        _openai,
        "openai.error.RateLimitError: You exceeded your current quota",
        "RateLimitError: 429 You exceeded your current quota",
        "openai.RateLimitError: a",
    ),
    Rule(
        "type of an overloaded API, by version of its client",
        "apistatuserror: 529|error code: 529",
        r"\bAPIStatusError: (?=(?:Error code: )?529\b)",
        "OverloadedError: ",
        "anthropic.APIStatusError: Error code: 529 - Overloaded",
        "anthropic.OverloadedError: Error code: 529 - Overloaded",
        "APIStatusError: 413",
    ),
    Rule(
        "status of an API of Google, by client",
        "400|401|403|404|409|429|500|503|504",
        r"\b(?:(?:Client|Server|API)Error: (\d{3}) [A-Z_]{5,30}\.|"
        r"(?:(?:InvalidArgument|BadRequest)(?=: 400)|Unauth(?:enticated|orized)(?=: 401)|"
        r"(?:PermissionDenied|Forbidden)(?=: 403)|"
        r"NotFound(?=: 404)|(?:ResourceExhausted|TooManyRequests)(?=: 429)|InternalServerError(?="
        r": 500)|ServiceUnavailable(?=: 503)|(?:DeadlineExceeded|GatewayTimeout)(?=: 504)"
        r"): (\d{3})|GoogleGenerativeAI(?:Fetch)?Error: "
        r"\[GoogleGenerativeAI Error\]: Error fetching from \S{1,300}: \[(\d{3}) "
        r"[A-Z][\w ]{1,40}\]) (?=\S)",
        _google,
        "google.api_core.exceptions.InvalidArgument: 400 API key not valid.",
        "google.api_core.exceptions.GoogleError: 400 API key not valid.",
        "NotFoundError: 404 a",
    ),
)
