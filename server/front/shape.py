"""Whether a message has exactly the shape of a request that may be answered without the SDK.

The rule: in doubt it has not. What is refused here is not wrong, it is left to the SDK, which
validates everything and words every refusal.
"""

from collections.abc import Mapping

TYPE_CHECKING = False  # importing `typing` takes a tenth of what a list is waited for
if TYPE_CHECKING:
    from typing import Any
    from typing import cast as cast

    Json = dict[str, Any]
else:
    Json = dict

    def cast(_: object, value: object) -> object:
        """`typing.cast`."""
        return value


VERSION = "io.modelcontextprotocol/protocolVersion"
CLIENT = "io.modelcontextprotocol/clientInfo"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
ENVELOPE: frozenset[str] = frozenset((VERSION, CLIENT, CAPABILITIES))
"""What every request of the modern era carries in its `_meta`."""

LOG_LEVEL = "io.modelcontextprotocol/logLevel"
LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
"""How much a client wants to be notified of; a list notifies it of nothing."""
_PROTOCOLS = "io.modelcontextprotocol/"
_REQUEST = frozenset(("jsonrpc", "id", "method", "params"))
_CHANGES = frozenset(("toolsListChanged", "promptsListChanged", "resourcesListChanged"))


def is_request(message: object) -> bool:
    """Return True for a request with params that are an object, or without any."""
    if not isinstance(message, dict):
        return False
    given = cast(Json, message)
    return (
        given.keys() <= _REQUEST
        and given.get("jsonrpc") == "2.0"
        and is_id(given.get("id"))
        and isinstance(given.get("method"), str)
        and isinstance(given.get("params", {}), dict)
    )


def is_notification(message: object) -> bool:
    """Return True for a notification, whatever it is about."""
    if not isinstance(message, dict):
        return False
    given = cast(Json, message)
    method = given.get("method")
    return "id" not in given and isinstance(method, str) and method.startswith("notifications/")


def is_id(value: object) -> bool:
    """Return True for the id of a request."""
    return isinstance(value, int | str) and not isinstance(value, bool)


def is_greeting(params: Json) -> bool:
    """Return True for the parameters of `initialize`."""
    known = {"protocolVersion", "capabilities", "clientInfo", "_meta"}
    return (
        params.keys() <= known
        and isinstance(params.get("protocolVersion"), str)
        and _is_client(params.get("clientInfo"))
        and _are_capabilities(params.get("capabilities"))
        and is_plain_meta(params.get("_meta", {}))
    )


def is_plain_meta(meta: object) -> bool:
    """Return True for the `_meta` of a request of the handshake era."""
    if not isinstance(meta, dict):
        return False
    given = cast(Json, meta)
    return VERSION not in given and is_id(given.get("progressToken", ""))


def is_envelope(meta: object) -> bool:
    """Return True for the `_meta` of a request of the modern era."""
    if not isinstance(meta, dict):
        return False
    given = cast(Json, meta)
    return (
        frozenset(name for name in given if name.startswith(_PROTOCOLS)) - {LOG_LEVEL} == ENVELOPE
        and given.get(LOG_LEVEL, "debug") in LEVELS
        and isinstance(given[VERSION], str)
        and _is_client(given[CLIENT])
        and _are_capabilities(given[CAPABILITIES])
        and is_id(given.get("progressToken", ""))
    )


def is_wish(wished: object) -> bool:
    """Return True for what a client may ask `subscriptions/listen` to be notified of."""
    if not isinstance(wished, dict):
        return False
    given = cast(Json, wished)
    uris = given.get("resourceSubscriptions", [])
    return (
        given.keys() <= _CHANGES | {"resourceSubscriptions"}
        and all(isinstance(given.get(name, True), bool) for name in _CHANGES)
        and isinstance(uris, list)
        and all(isinstance(uri, str) for uri in cast(list[object], uris))
    )


def granted(wished: Mapping[str, object]) -> Json:
    """What is acknowledged of it: all that says anything."""
    order = ("toolsListChanged", "promptsListChanged", "resourcesListChanged")
    return {name: wished[name] for name in (*order, "resourceSubscriptions") if wished.get(name)}


def _is_client(client: object) -> bool:
    """Name and version, and what else a client may say of itself."""
    if not isinstance(client, dict):
        return False
    given = cast(Json, client)
    words = {name: value for name, value in given.items() if name != "icons"}
    return (
        {"name", "version"} <= words.keys()
        and all(isinstance(value, str) for value in words.values())
        and _are_icons(given.get("icons", []))
    )


def _are_icons(icons: object) -> bool:
    if not isinstance(icons, list):
        return False
    return all(
        isinstance(icon, dict)
        and isinstance(cast(Json, icon).get("src"), str)
        and cast(Json, icon).keys() <= {"src"}
        for icon in cast(list[object], icons)
    )


def _are_capabilities(capabilities: object) -> bool:
    """Objects within objects, in which only something small is said."""
    if not isinstance(capabilities, dict):
        return False
    for name, said in cast(Json, capabilities).items():
        if not isinstance(said, dict):
            return False
        for inner, value in cast(Json, said).items():
            is_flag = (name, inner) == ("roots", "listChanged") and isinstance(value, bool)
            if not (is_flag or _are_flags(value)):
                return False
    return True


def _are_flags(value: object) -> bool:
    """An object in which everything is a flag, or an object of the same kind."""
    return isinstance(value, dict) and all(
        isinstance(inner, bool) or _are_flags(inner) for inner in cast(Json, value).values()
    )
