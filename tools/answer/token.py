"""The loop token: the state of a loop between two calls, as a small signed text.

Rules of this module: nothing is kept in the server; a token is believed only when its signature
holds, and used only for the question and context it was made for; what does not fit is refused with
a line that says what to do; it is read in the project, and for the tenant and principal, that it
was written for. The format has a number, and no other number is read.

Layout, before base64url: loop id, subject (8 bytes), retries, whether it always reflects, then per
attempt a digest of the answer (6 bytes), quality, number of faults and up to three digests of them,
then a signature (16 bytes of HMAC-SHA256). Ten attempts stay under 400 characters, one takes 73:
a model has to copy each of them.
"""

import hashlib
import hmac
import struct
import unicodedata
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass

from reflection_mcp.store.records import Scope
from reflection_mcp.tools.answer.draft import Draft, Flaws
from reflection_mcp.tools.answer.plan import MOST
from reflection_mcp.tools.answer.state import LoopState
from reflection_mcp.tools.errors import InvalidInput

PREFIX = "loop2."
LONGEST = 800  # characters that are looked at; ten attempts need fewer than 400

_SIGNATURE = 16
_HEADER = struct.Struct(">6s8sBBB")  # loop id, subject, retries, always, attempts
_ATTEMPT = struct.Struct(">6sBBB")  # digest of the answer, quality, faults, digests that follow
_FLAW = 4
_NO_QUALITY = 255

_HINT = "pass the token of the last result as it was, or leave it out to start again"


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """What a token held. `loop_id` is 12 hex digits and stays the same through a loop."""

    loop_id: str
    retries: int
    always: bool
    drafts: tuple[Draft, ...]


def key_of(secret: bytes, scope: Scope, principal: str = "") -> bytes:
    """The key for the loops of one principal in one project: no other reads their tokens."""
    whose = f"{scope.tenant}\0{scope.project}" + (f"\0{principal}" if principal else "")
    return hmac.digest(secret, whose.encode(), "sha256")


def write_token(secret: bytes, loop_id: str, state: LoopState) -> str:
    """The token for a state that waits for the caller's next draft."""
    plan, subject = state.plan, _subject(state.question, state.context)
    head = (bytes.fromhex(loop_id), subject, plan.retries, plan.always, len(state.drafts))
    body = _HEADER.pack(*head) + b"".join(map(_pack, state.drafts))
    return PREFIX + urlsafe_b64encode(body + _sign(secret, body)).decode().rstrip("=")


def read_token(secret: bytes, token: str, question: str, context: str) -> Carried:
    """What a token holds, for the same question and context.

    Raises:
        InvalidInput: it was altered, made by another version or installation, or belongs to
            another question or context.
    """
    token = token.strip()
    if not token.startswith(PREFIX):
        if token[:4] == "loop" and token[4:5].isdigit():
            raise InvalidInput("this loop token was made by another version", _HINT)
        raise InvalidInput("this is not a loop token", _HINT)
    body = _verified(secret, token)
    loop_id, subject, retries, always, count = _HEADER.unpack_from(body)
    if subject != _subject(question, context):
        raise InvalidInput(
            "this loop token belongs to another question or context",
            "pass the same question and context as before, or leave the token out to start again",
        )
    return Carried(
        loop_id=loop_id.hex(),
        retries=min(retries, MOST - 1),
        always=bool(always),
        drafts=_unpack(body, count),
    )


def loop_id_from(seed: str) -> str:
    """A loop id, 12 hex digits, from any text that is new each time."""
    return hashlib.sha256(seed.encode()).hexdigest()[:12]


def _verified(secret: bytes, token: str) -> bytes:
    refused = InvalidInput("this loop token was altered or made elsewhere", _HINT)
    packed = token[len(PREFIX) : LONGEST]
    try:
        raw = urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
    except ValueError:
        raise refused from None
    body, signature = raw[:-_SIGNATURE], raw[-_SIGNATURE:]
    # The re-encoding is compared too: base64 lets the last character vary without a trace.
    exact = hmac.compare_digest(
        urlsafe_b64encode(raw).decode().rstrip("=").encode(), packed.encode()
    )
    if not (exact and hmac.compare_digest(signature, _sign(secret, body))):
        raise refused
    return body


def _sign(secret: bytes, body: bytes) -> bytes:
    return hmac.digest(secret, PREFIX.encode() + body, "sha256")[:_SIGNATURE]


def _subject(question: str, context: str) -> bytes:
    parts = (" ".join(unicodedata.normalize("NFC", text).split()) for text in (question, context))
    return hashlib.sha256("\x1f".join(parts).encode()).digest()[:8]


def _pack(one: Draft) -> bytes:
    quality = _NO_QUALITY if one.quality is None else round(one.quality * 200)
    flaws = [bytes.fromhex(digest) for digest in one.flaws.sample]
    head = _ATTEMPT.pack(bytes.fromhex(one.digest), quality, min(one.flaws.count, 255), len(flaws))
    return head + b"".join(flaws)


def _unpack(body: bytes, count: int) -> tuple[Draft, ...]:
    drafts: list[Draft] = []
    at = _HEADER.size
    for number in range(count):
        digest, quality, faults, known = _ATTEMPT.unpack_from(body, at)
        at += _ATTEMPT.size
        sample = tuple(body[at + i * _FLAW : at + (i + 1) * _FLAW].hex() for i in range(known))
        at += known * _FLAW
        drafts.append(
            Draft(
                iteration=number,
                digest=digest.hex(),
                flaws=Flaws(count=faults, sample=sample),
                quality=None if quality == _NO_QUALITY else quality / 200,
            )
        )
    return tuple(drafts)
