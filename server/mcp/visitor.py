"""The principal whose HTTP request is being answered."""

from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """Who sends a request over HTTP: its principal and tenant, empty where nobody has to prove who
    it is, and the project that it names for all its calls."""

    principal: str = ""
    tenant: str = ""
    project: str = ""


visitor: ContextVar[Visitor | None] = ContextVar("visitor", default=None)
"""Whose request is being answered; None on stdio."""


def reading() -> str:
    """The principal who is answered, or an empty text."""
    guest = visitor.get()
    return guest.principal if guest else ""
