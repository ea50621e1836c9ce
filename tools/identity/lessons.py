"""Signatures of what was learned, so that a rule learned twice is one rule.

Rule of this module: a lesson is its words and the signs that compare, calculate or count, not its
case, white space or punctuation; a finding is its kind and what it is about, not its numbers.
"""

import unicodedata

from reflection_mcp.store.records import Check
from reflection_mcp.tools.identity.keys import digest
from reflection_mcp.tools.identity.mask.line import masked
from reflection_mcp.tools.identity.pattern import SIGNATURE_VERSION
from reflection_mcp.tools.identity.regex import compiled

LESSON_VERSION = "sig1"
"""Lessons are signed as ever: new rules for errors do not change what a lesson says."""
_NUMBER = r"[-+]?(?:<\*>|\d[\d.,]*)%?"
_WORD = r"[^\W_]+|!=|[<>=+*/%^~|&$\u20ac\u00a3\u00a5#@\\]+|(?<!\w)-(?=\d)"


def text_signature(text: str) -> str:
    """The signature of a lesson or strategy."""
    plain = unicodedata.normalize("NFKC", text[:20_000]).casefold()
    words = compiled(_WORD).findall(plain) or [plain.strip()]
    return f"{LESSON_VERSION}:{digest(LESSON_VERSION, 'text', *words)}"


def finding_signature(check: Check) -> str:
    """The signature of the pattern of a machine finding."""
    pattern = compiled(_NUMBER).sub("<n>", masked(check.why or check.stated))
    return f"{SIGNATURE_VERSION}:{digest(SIGNATURE_VERSION, 'finding', check.kind, pattern)}"
