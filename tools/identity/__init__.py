"""When are two errors the same?

Rule of this package: a wrong merge misleads, a miss costs one look-up; so `exact` and `same` are
proved by equal keys or by differences that cannot carry meaning, never by a degree of likeness.

    cleaning     what was added on the way goes
    verdicts     the lines that say what failed, and where
    masking      what is incidental goes, what names the fault stays
    keys         how a stored error is found again
    comparing    what tells two errors apart, by its kind
    recognise    the answer, from what the store found

`fingerprints` runs the first four. A use case asks the store for the keys, the exact ones first,
and passes what it found to `recognise_by_keys`; if that is None, it asks for a shortlist by
features and passes that to `recognise_by_likeness`. Everything is a pure function of its arguments,
and total: any text has a fingerprint, in time linear in its first 8,000 and last 12,000 characters.

A type that the caller names besides the text separates two errors only where the text does not name
it: `KeyError: 'a'` is the same error with and without the argument `KeyError`, another one with
`TypeError`; a text without any type is `same` with a type and without, and another with another.
"""

from reflection_mcp.tools.identity.comparing.nearness import EXAMPLE, nearest
from reflection_mcp.tools.identity.fingerprints import fingerprint, signature_of
from reflection_mcp.tools.identity.lessons import finding_signature, text_signature
from reflection_mcp.tools.identity.recognise import recognise_by_keys, recognise_by_likeness
from reflection_mcp.tools.identity.recognition import (
    SIGNATURE_VERSION,
    Difference,
    Elsewhere,
    Fingerprint,
    Recognition,
    Similar,
)

__all__ = [
    "EXAMPLE",
    "SIGNATURE_VERSION",
    "Difference",
    "Elsewhere",
    "Fingerprint",
    "Recognition",
    "Similar",
    "finding_signature",
    "fingerprint",
    "nearest",
    "recognise_by_keys",
    "recognise_by_likeness",
    "signature_of",
    "text_signature",
]
