"""When are two errors the same?

Rule of this package: a wrong merge misleads, a miss costs one look-up; so `exact` and `same` are
proved by equal keys or by a shared headline that nothing contradicts, never by a degree of
likeness.

    clean      what hosts, loggers and people add to machine output goes
    extract    the headline, what belongs to it, the place
    mask       data goes, what names the fault stays
    compare    what two errors share and what contradicts
    rules      what only a table can know, as data
    recognise  the answer, from what the store found

A use case asks the store for the keys of a `fingerprint`, the exact ones first, and passes what it
found to `recognise_by_keys`; if that is None, it asks for a shortlist by features and passes that
to `recognise_by_likeness`. Everything is a pure function of its arguments, and total: any text has
a fingerprint, in time linear in its first 8,000 and last 12,000 characters.

A type that the caller names besides the text separates two errors only where the text names none.
"""

from reflection_mcp.tools.identity.compare.errors import compare
from reflection_mcp.tools.identity.fingerprints import Fingerprint, fingerprint, signature_of
from reflection_mcp.tools.identity.lessons import finding_signature, text_signature
from reflection_mcp.tools.identity.match_records import (
    Difference,
    Elsewhere,
    Match,
    Recognition,
    Similar,
)
from reflection_mcp.tools.identity.nearest import EXAMPLE, nearest
from reflection_mcp.tools.identity.pattern import SIGNATURE_VERSION
from reflection_mcp.tools.identity.recognise import (
    pattern_of_stored,
    recognise_by_keys,
    recognise_by_likeness,
)

__all__ = [
    "EXAMPLE",
    "SIGNATURE_VERSION",
    "Difference",
    "Elsewhere",
    "Fingerprint",
    "Match",
    "Recognition",
    "Similar",
    "compare",
    "finding_signature",
    "fingerprint",
    "nearest",
    "pattern_of_stored",
    "recognise_by_keys",
    "recognise_by_likeness",
    "signature_of",
    "text_signature",
]
