"""When are two errors the same?

clean -> verdict -> masks -> keys          fingerprint(text)
keys of the store                          recognise_by_keys
shared features -> differences, vetoes     recognise_by_likeness
"""

from reflection_mcp.tools.identity.fingerprints import fingerprint, signature_of
from reflection_mcp.tools.identity.lessons import finding_signature, text_signature
from reflection_mcp.tools.identity.recognise import recognise_by_keys, recognise_by_likeness
from reflection_mcp.tools.identity.recognition import (
    SIGNATURE_VERSION,
    Difference,
    Fingerprint,
    Recognition,
    Similar,
)

__all__ = [
    "SIGNATURE_VERSION",
    "Difference",
    "Fingerprint",
    "Recognition",
    "Similar",
    "finding_signature",
    "fingerprint",
    "recognise_by_keys",
    "recognise_by_likeness",
    "signature_of",
    "text_signature",
]
