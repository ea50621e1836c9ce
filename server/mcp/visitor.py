"""The principal whose HTTP request is being answered."""

from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """Who sends a request over HTTP: its principal and tenant, empty where nobody has to prove who
    it is, the project that it names for all its calls, and whether it may only look things up."""

    principal: str = ""
    tenant: str = ""
    project: str = ""
    only_reads: bool = False


visitor: ContextVar[Visitor | None] = ContextVar("visitor", default=None)
"""Whose request is being answered; None on stdio."""


def reading() -> str:
    """The principal who is answered, or an empty text."""
    guest = visitor.get()
    return guest.principal if guest else ""


def only_reads() -> bool:
    """Whether who is answered may only look things up."""
    guest = visitor.get()
    return guest is not None and guest.only_reads
