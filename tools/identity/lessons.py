"""Signatures of what was learned, so that a rule learned twice is one rule.

Rule of this module: a lesson is its words and the signs that compare, calculate or count, not
their case, white space or punctuation; a finding is its kind and what it is about, not its numbers.
"""

import unicodedata

from reflection_mcp.store.records import Check
from reflection_mcp.tools.identity.keys import digest
from reflection_mcp.tools.identity.masking.masks import masked
from reflection_mcp.tools.identity.recognition import SIGNATURE_VERSION
from reflection_mcp.tools.identity.rule import compiled

_NUMBER = r"[-+]?(?:<n>|<quantity>|<version>|\d[\d.,]*)%?"
_WORD = r"[^\W_]+|!=|[<>=+*/%^~|&$\u20ac\u00a3\u00a5#@\\]+|(?<!\w)-(?=\d)"


def text_signature(text: str) -> str:
    """The signature of a lesson or strategy."""
    plain = unicodedata.normalize("NFKC", text[:20_000]).casefold()
    words = compiled(_WORD).findall(plain) or [plain.strip()]
    return f"{SIGNATURE_VERSION}:{digest(SIGNATURE_VERSION, 'text', *words)}"


def finding_signature(check: Check) -> str:
    """The signature of the pattern of a machine finding."""
    lines = masked([check.why or check.stated])
    pattern = (compiled(_NUMBER).sub("<n>", line) for line in lines)
    return f"{SIGNATURE_VERSION}:{digest(SIGNATURE_VERSION, 'finding', check.kind, *pattern)}"
