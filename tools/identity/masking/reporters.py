"""How anybody who passes a message on dresses it up.

Rule of this module: a row takes off what the reporter put around the message, or brings the
wordings of several clients of one service to one form. The message and its code stay.
"""

from reflection_mcp.tools.identity.rule import Match, Rule, compiled

_BODY = r"\{ ?['\"](?:error|type|message|code|status|detail|errors)['\"] ?: ?[^\n]{2,4000}\}"
_BODY_MESSAGE = (
    r"['\"](?:message|detail|msg|error_description)['\"] ?: ?(?:\"((?:[^\"\\\\]|"
    r"\\\\.){1,2000})\"|'((?:[^'\\\\]|\\\\.|'(?! ?[,}\]])){1,2000})')"
)
_BODY_CODE = r"['\"](?:type|code|status|reason)['\"] ?: ?['\"]?([\w.-]{1,80})"
_STATUS = r"[45]\d\d"
"""A bare number in brackets would be taken for any number."""
_BODY_SUBJECT = (
    r"['\"](?:loc|field|param|path|pointer)['\"] ?: ?"
    r"(?:[\[(]([^\])\n]{1,200})[\])]|['\"]([^'\"\n]{1,120})['\"])"
)
"""What a reply says it is about."""


def _body(match: Match) -> str:
    """The message of a JSON body inside a line, and its codes in brackets."""
    message = compiled(_BODY_MESSAGE).search(match[0])
    if message is None:
        return match[0]
    codes = dict.fromkeys(
        f"status {code}" if compiled(_STATUS).fullmatch(code) else code
        for code in compiled(_BODY_CODE).findall(match[0])
        if code != "error"
    )
    for listed, named in compiled(_BODY_SUBJECT).findall(match[0]):
        codes[named or listed.rpartition(",")[2].strip(" '\"")] = None
    return f"{message[1] or message[2]} ({', '.join(codes)})" if codes else message[1] or message[2]


REPORTERS: tuple[Rule, ...] = (
    Rule(
        "body of a reply inside a line",
        "message|detail|msg",
        _BODY,
        _body,
        'Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
        "Error: 529 Overloaded (overloaded_error)",
        '{"id": 3}',
    ),
    Rule(
        "body of a reply that was cut",
        "message",
        r"(?m)\{ ?(['\"])error\1 ?: ?\{ ?\1message\1 ?: ?\1([^\n{}'\"]{20,2000})"
        r"(?:\1[^\n{}]{0,1000})?$",
        r"\2",
        "Error: 429 {'error': {'message': 'You exceeded your current quota, please check', 'ty",
        "Error: 429 You exceeded your current quota, please check",
        "Error: 429 {'error': {'message': 'You exceeded your current quota'}}",
    ),
    Rule(
        "announcement of a retry",
        "retry|attempt|try again|trying again",
        r"(?im)[ \t]*[\u00b7|,;.-]?[ \t]*\(?(?:retrying|will retry|retry|trying again|"
        r"please (?:try|retry) again)\b[^\n:]{0,60}?\b(?:in|after|later)\b[^\n:]{0,80}$|"
        r"[ \t]*[\[(](?:attempt|retry|try) #?\d{1,4}(?:(?:/| of )\d{1,4})?"
        r"(?:[,;:] [\w. ]{1,40})?[\])]",
        "",
        "Overloaded, retrying in 2 seconds",
        "Overloaded",
        "retry failed",
    ),
    Rule(
        "where to read on",
        "for more information|for further|read the docs|see documentation|see "
        "http|documentation for|for details|troubleshoot",
        r"(?i)[ \t]*[;,.]?[ \t]*\(?(?:for (?:more|further) (?:information|details|help)|"
        r"(?:please )?(?:read|see|check|consult|refer to) (?:the |our )?"
        r"(?:docs?|documentation|manual|log|http\S{0,300})|for documentation)\b[^\n)]{0,400}\)?",
        "",
        "quota exceeded. For more information on this error, read the docs: "
        "https://x.example/errors",
        "quota exceeded",
        "information",
    ),
    Rule(
        "self-signed",
        "self signed",
        r"(?i)\bself signed\b",
        "self-signed",
        "certificate verify failed: self signed certificate",
        "certificate verify failed: self-signed certificate",
        "signed by itself",
    ),
    Rule(
        "word of the log level",
        "",
        r"(?m)^[ \t]*(?:\[?(?:ERROR|FATAL|CRITICAL|SEVERE)\]?[:|]?|\u2716|\u00d7|\u274c|"
        r"\u25cf|\u2502)[ \t]{1,20}(?=[^\s\d(])",
        "",
        "ERROR: No matching distribution found",
        "No matching distribution found",
        "FATAL",
    ),
    Rule(
        "advice behind a message",
        ". |! |; ",
        r"(?m) (?<=[^\n]{20}[.!;] )(?:You (?:can|may|might|should|need)|Please|Try|"
        r"Consider|Make sure|"
        r"Use|Run|If (?:you|an?|the|this|your)|Did you|Is the)\b[^\n]{3,400}$",
        "",
        "Unable to locate credentials. You can configure credentials by running 'aws configure'",
        "Unable to locate credentials.",
        "It failed. You can run",
    ),
    Rule(
        "text an editing tool could not find",
        "to replace not found|did not appear verbatim",
        r"(?i)(?:String to replace not found in file\b[^\n]*(?:\nString:[^\n]*)?|"
        r"No replacement was performed, old_str [^\n]{0,600}"
        r" did not appear verbatim in [^\n]*)",
        "string to replace not found in file",
        "No replacement was performed, old_str 'a' did not appear verbatim in /app/cart.py.",
        "string to replace not found in file",
        "String not found",
    ),
    Rule(
        "reason of a status in the name of a reply",
        "<response [",
        r"(?<=<Response \[\d{3}) [A-Z][\w' -]{1,60}(?=\]>)",
        "",
        "where 422 = <Response [422 Unprocessable Entity]>.status_code",
        "where 422 = <Response [422]>.status_code",
        "<Response [422]>",
    ),
    Rule(
        "code of gRPC that says nothing",
        "code = unknown desc = ",
        r"(?i)(?:rpc error: )?code = Unknown desc = ",
        "",
        "failed to solve: rpc error: code = Unknown desc = no such file",
        "failed to solve: no such file",
        "rpc error: code = NotFound desc = no such file",
    ),
    Rule(
        "empty value in a report",
        ": [|: {|: null|: none|: ''|:[|:{|:null",
        r"(?i),?[ \t]?['\"]\w{1,60}['\"][ \t]?:[ \t]?(?:\[\]|\{\}|null\b|None\b|''|\"\")",
        "",
        '"rc": 126, "results": []',
        '"rc": 126',
        '"results": [1]',
    ),
)
