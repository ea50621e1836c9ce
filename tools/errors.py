"""The errors that use cases raise.

    ReflectionError             anticipated; `message` says what was wrong, `hint` what to do
    ├── InvalidInput            an argument cannot be used; nothing was done
    ├── NotFound                an id names nothing that this scope can see
    └── Disabled                reflection is switched off by a setting

Everything else that leaves a use case is a bug and keeps its traceback. Trouble with the store is a
`reflection_mcp.store.errors.StoreError`, which has the same two fields.
"""


class ReflectionError(Exception):
    """An anticipated failure, reported to the caller in one line: `message: hint`.

    Args:
        message: what was wrong, without echoing the input.
        hint: what to pass or do instead.
    """

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class InvalidInput(ReflectionError):
    """An argument is empty, too long, of the wrong kind, or contradicts another one."""


class NotFound(ReflectionError):
    """An id names nothing that can be seen from here."""


class Disabled(ReflectionError):
    """Reflection is switched off."""
