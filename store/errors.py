"""The errors of a store, by name.

    StoreError                  anything below; carries `message` and `hint`
    ├── StoreBusy               another process holds the file; try again
    ├── StoreReadOnly           the file or its folder cannot be written
    ├── StoreFull               no space left; what was there stays readable
    ├── StoreCorrupt            damaged, or its recent part has vanished; never silently emptied
    ├── StoreTooNew             written by a later version of this program
    └── StoreUnavailable        cannot be opened at all: no such host, no permission, not a store

A store raises these and nothing else for trouble of its own; any other exception is a bug.
"""


class StoreError(Exception):
    """Base of all trouble with a store.

    Args:
        message: what happened, one line, without a path of the user's machine unless it helps.
        hint: what the reader can do about it, one line.
    """

    retryable = False

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class StoreBusy(StoreError):
    """Another process held the file for longer than the deadline."""

    retryable = True


class StoreReadOnly(StoreError):
    """The file, or the folder it lies in, cannot be written."""


class StoreFull(StoreError):
    """The disk, a quota or a size limit is exhausted; the failed write left nothing behind."""


class StoreCorrupt(StoreError):
    """The file is damaged, or acknowledged writes are missing from it."""


class StoreTooNew(StoreError):
    """The file was written by a later version of this program; reading still works."""


class StoreUnavailable(StoreError):
    """The store cannot be opened."""
