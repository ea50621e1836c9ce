"""Ids that a machine drew: of a request, an object in memory, a commit, a key.

Rule of this module: a row names what such an id looks like; a name that a person gave stays.
"""

from reflection_mcp.tools.identity.rule import ANY_DIGIT, Match, Rule, compiled, in_base_16
from reflection_mcp.tools.identity.sieve import DIGIT

_SAYS_CODE = (
    r"(?i)(?:error|hresult|nt_?status|status|code|bugcheck was|failed with|exit(?:ed)?|errno|rc|"
    r"ret|result|exception)['\"]?[ \t]?[:=#]?[ \t]?['\"]?[\[(]?(?:code[ :]*)?$"
)
_LAST_OF_CODES = tuple(
    "error hresult ntstatus nt_status status code was with exit exited errno rc ret result "
    "exception".split()
)
"""Ends, its signs aside, what says that a code follows."""
_WINDOW = 40
_KINDS = (
    "req org msg toolu run job cus sess call resp chatcmpl thread asst proj evt pi ch in sub acct "
    "price prod plan seti cs pm txn po arn sha256 sha1 md5".split()
)
"""What services write in front of an id that they drew."""


def _address(match: Match) -> str:
    """An address goes; a number in the same notation that is a code stays."""
    before = match.string[max(0, match.start() - _WINDOW) : match.start()]
    told = before.rstrip(" \t\n'\":=#[(").casefold().endswith(_LAST_OF_CODES)
    return match[0].lower() if told and compiled(_SAYS_CODE).search(before) else "<hex>"


def _hash(match: Match) -> str:
    """A hash has digits and letters; a number or a word that letters of hex digits make has not."""
    begins = match[0][:41]
    mixed = any(map(str.isdigit, begins)) and any(map(str.isalpha, begins))
    return "<id>" if mixed else match[0]


IDENTIFIERS: tuple[Rule, ...] = (
    Rule(
        "secret that was taken out",
        "[redacted",
        r"\[REDACTED(?::[\w -]{1,40})?\]",
        "<id>",
        "Incorrect API key provided: [REDACTED:api-key]",
        "Incorrect API key provided: <id>",
        "REDACTED",
    ),
    Rule(
        "uuid",
        f"{ANY_DIGIT} {in_base_16('-')}",
        r"[0-9a-fA-F][0-9a-fA-F]{7}-(?<!\w.{8}-)(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b",
        "<id>",
        "order 1a9f0d5e-7b1c-91f4-3f0e-2a5b8c7d9e10 is gone",
        "order <id> is gone",
        "1a9f0d5e-7b1c",
    ),
    Rule(
        "memory address",
        "0x",
        r"\b0[xX][0-9a-fA-F]{1,32}\b(?:[ \t]*<n>)?",
        _address,
        "<Test object at 0x7f3b09a0>",
        "<Test object at <hex>>",
        "0xyz",
    ),
    Rule(
        "id with its kind in front",
        f"{ANY_DIGIT} " + "|".join(f"{kind}{sign}" for kind in _KINDS for sign in "_-:"),
        r"\b(?:" + "|".join(_KINDS) + r")[_:-](?=[A-Za-z_-]{0,40}\d)"
        r"[A-Za-z0-9_-]{6,}\b",
        "<id>",
        "in organization org-9fK2abcd on tokens",
        "in organization <id> on tokens",
        "org-unit",
    ),
    Rule(
        "record of Android in memory",
        "record{",
        r"(?<=Record\{)[0-9a-f]{5,8}(?= )",
        "<id>",
        "from ProcessRecord{a1b2c3 4121:com.acme.app/u0a77}",
        "from ProcessRecord{<id> 4121:com.acme.app/u0a77}",
        "Record{total}",
    ),
    Rule(
        "key of an API, its middle hidden",
        "sk-",
        r"\bsk-[\w*-]{3,}",
        "<id>",
        "Incorrect API key provided: sk-proj-****abcd",
        "Incorrect API key provided: <id>",
        "the task-runner",
    ),
    Rule(
        "principal of AWS that asked",
        "arn:aws",
        r"\barn:aws[\w-]{0,10}:(?:iam|sts)::(?:\d{1,14}|<n>)?:(?:user|assumed-role|role|root)"
        r"[\w./@+=,-]{0,300}",
        "<id>",
        "User: arn:aws:iam::123456789012:user/ana is not authorized",
        "User: <id> is not authorized",
        "arn:aws:s3:::bucket/key",
    ),
    Rule(
        "resource of AWS",
        "arn:aws",
        r"\barn:aws[\w-]{0,10}:([\w-]{1,40}):[\w-]{0,30}:\d{0,14}:([\w.:*+=@-]{1,200})"
        r"(?:/[\w./*+=@-]{0,300})?",
        r"<arn \1 \2>",
        "not authorized on resource arn:aws:s3:::releases/app/7.zip",
        "not authorized on resource <arn s3 releases>",
        "arn:aws",
    ),
    Rule(
        "file that rsync writes before it is renamed",
        "mkstemp",
        r"(mkstemp ['\"](?:[^'\"\n]{0,300}/)?)\.([\w.-]{1,100})\.\w{6}(?=['\"])",
        r"\1\2",
        'rsync: mkstemp "/srv/.index.html.Xa8kQ2" failed',
        'rsync: mkstemp "/srv/index.html" failed',
        'mkstemp "x" failed',
    ),
    Rule(
        "hash",
        "|".join(f"{letter}{DIGIT}|{DIGIT}{letter}" for letter in "abcdef"),
        r"[0-9a-fA-F][0-9a-fA-F]{6}(?<![\w.-].{7})(?<!error:.{7})[0-9a-fA-F]{0,121}(?!\w)",
        _hash,
        "FROM foo/bar:fdb7c6d",
        "FROM foo/bar:<id>",
        "deadbeef",
    ),
)
