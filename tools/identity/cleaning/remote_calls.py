"""What the clients of gRPC say of a call that failed, as its client for Go says it, in one line.

Rule of this module: the status and the message stay, and so does the type that a client gives its
exception: a stack is read by it. What a client adds that says the same again goes.
"""

from reflection_mcp.tools.identity.rule import Match, Rule, Rules

_STATUS = r"[A-Z][A-Z_]{1,30}"
_AMERICAN = {"Cancelled": "Canceled"}
"""Go spells one status otherwise than the others."""


def _said(match: Match) -> str:
    head, status, message = match.groups()
    if status.isupper():
        status = "".join(part.capitalize() for part in status.split("_"))
    return f"{head}rpc error: code = {_AMERICAN.get(status, status)} desc = {message}"


CLIENTS: tuple[Rule, ...] = (
    Rule(
        "client of gRPC for Python",
        "of rpc that terminated with:",
        r"()<\w{1,60} of RPC that terminated with:[ \t]*\n[ \t]*status = StatusCode\.("
        + _STATUS
        + r")\n[ \t]*details = \"([^\n]*)\"(?:\n[ \t]*debug_error_string = [^\n]*)?"
        r"(?:\n[ \t]*>)?(?=\n|$)",
        _said,
        "E: <_InactiveRpcError of RPC that terminated with:\n\tstatus = StatusCode.NOT_FOUND\n\t"
        'details = "no seat 4"\n\tdebug_error_string = "{}"\n>',
        "E: rpc error: code = NotFound desc = no seat 4",
        "<_InactiveRpcError of RPC that terminated with: StatusCode.NOT_FOUND",
    ),
    Rule(
        "grpcurl",
        "code: ",
        r"(?m)^([ \t]*)ERROR:\n[ \t]*Code: ([A-Z][A-Za-z]{1,30})\n[ \t]*Message: ([^\n]*)",
        _said,
        "ERROR:\n  Code: NotFound\n  Message: no seat 4",
        "rpc error: code = NotFound desc = no seat 4",
        "ERROR:\n  Message: no seat 4",
    ),
    Rule(
        "client of gRPC for .NET",
        "status(statuscode=",
        r"()Status\(StatusCode=\"?([A-Z][A-Za-z]{1,30})\"?, Detail=\"([^\"\n]*)\"(?:, [^\n]*)?\)",
        _said,
        'Grpc.Core.RpcException: Status(StatusCode="NotFound", Detail="no seat 4")',
        "Grpc.Core.RpcException: rpc error: code = NotFound desc = no seat 4",
        'Status(StatusCode="NotFound")',
    ),
    Rule(
        "client of gRPC for Java",
        "statusruntimeexception: |statusexception: ",
        r"(?<=io\.grpc\.Status)((?:Runtime)?Exception: )(" + _STATUS + r"): (\S[^\n]*)",
        _said,
        "io.grpc.StatusRuntimeException: NOT_FOUND: no seat 4",
        "io.grpc.StatusRuntimeException: rpc error: code = NotFound desc = no seat 4",
        "io.grpc.StatusRuntimeException: NOT_FOUND",
    ),
)

_CLIENTS = Rules(CLIENTS)


def as_in_go(text: str) -> str:
    """The text with each report of a failed call of gRPC in one line."""
    return _CLIENTS.apply(text) if "Code" in text or "io.grpc" in text else text
