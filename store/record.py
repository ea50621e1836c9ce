"""A record: a dataclass that is frozen for type checkers.

Rule of this module: type checkers see a frozen dataclass, and both checkers refuse a line that
would change one. At run time it is not frozen, since a frozen one makes a call for each of its
fields: that took one part in fifteen of the time in which an error is recognised. Records are equal
and have one hash if their fields are equal. (The documentation of attrs shows the same way.)
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as record
else:
    from dataclasses import dataclass

    def record(*, frozen: bool, **options: Any) -> Any:
        """`dataclasses.dataclass`, frozen for type checkers only."""
        return dataclass(unsafe_hash=frozen, **options)


__all__ = ["record"]
