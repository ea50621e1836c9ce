"""The shipped look-up behind the interface of an error-recognition benchmark.

    add(key, text)                       stores one error
    query(text, exclude=None)            -> (key of the recognised error or None, score)

The flow is the one a use case runs: keys, then those that share features, then verification. The
dictionaries stand in for the two tables of a store.
"""

from collections import Counter, defaultdict
from datetime import UTC, datetime

from reflection_mcp.store.records import Hit, Key, Reflection, Scope
from reflection_mcp.store.terms import MOST_HITS
from reflection_mcp.tools.identity import (
    EXAMPLE,
    Fingerprint,
    Recognition,
    fingerprint,
    recognise_by_keys,
    recognise_by_likeness,
)

WHEN = datetime(2026, 1, 1, tzinfo=UTC)
SHORTLIST = 30
MOST_ROWS = 500
"""A feature that fits more rows than this tells nothing apart (as in the stores)."""


def as_reflection(key: str, seen: Fingerprint) -> Reflection:
    return Reflection(
        id=key,
        scope=Scope(),
        kind="reflection",
        signature=seen.signature,
        lesson="a lesson",
        first_seen=WHEN,
        last_seen=WHEN,
        error_type=seen.pattern.error_type,
        pattern=seen.pattern,
        example=seen.text[:EXAMPLE],
    )


class ShippedIndex:
    """An in-memory store of errors, asked the shipped way."""

    def __init__(self) -> None:
        self.by_digest: defaultdict[str, list[tuple[Key, str]]] = defaultdict(list)
        self.by_feature: defaultdict[int, list[str]] = defaultdict(list)
        self.stored: dict[str, Reflection] = {}

    def add(self, key: str, text: str) -> None:
        seen = fingerprint(text)
        self.stored[key] = as_reflection(key, seen)
        for one in seen.keys:
            self.by_digest[one.digest].append((one, key))
        for feature in seen.features:
            self.by_feature[feature].append(key)

    def find(self, seen: Fingerprint, exclude: str | None) -> list[Hit]:
        hits = [
            Hit(key=stored, reflection=self.stored[key])
            for one in seen.keys
            for stored, key in self.by_digest.get(one.digest, ())
            if key != exclude
        ][:MOST_HITS]
        shared = Counter(hit.reflection.id for hit in hits)
        chosen = {key for key, _ in shared.most_common(SHORTLIST)}
        hits.sort(key=lambda hit: -shared[hit.reflection.id])
        return [hit for hit in hits if hit.reflection.id in chosen]

    def shortlist(self, seen: Fingerprint, exclude: str | None) -> list[Reflection]:
        votes: Counter[str] = Counter()
        for feature in seen.features:
            rows = self.by_feature.get(feature, ())
            if len(rows) < MOST_ROWS:
                votes.update(key for key in rows if key != exclude)
        return [self.stored[key] for key, _ in votes.most_common(SHORTLIST)]

    def recognise(self, text: str, exclude: str | None = None) -> Recognition:
        seen = fingerprint(text)
        by_keys = recognise_by_keys(seen, self.find(seen, exclude))
        return by_keys or self.alike(seen, exclude)

    def alike(self, seen: Fingerprint, exclude: str | None) -> Recognition:
        """What an error is found to be that no key proves."""
        return recognise_by_likeness(seen, self.shortlist(seen, exclude))

    def query(self, text: str, exclude: str | None = None) -> tuple[str | None, float]:
        found = self.recognise(text, exclude)
        if found.match is None:
            return None, 0.0
        return found.match.id, 1.0 if found.verdict == "exact" else 0.9
