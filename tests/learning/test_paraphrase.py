"""Paraphrases become one lesson; what only looks alike stays two.

The data in tests/learning/data were written before any result was looked at: three wordings of one
lesson as three people would say it (`paraphrases_*`), and two lessons that differ in what decides
(`look_alikes_*`). An earlier mechanism was made on them; of this one, which replaced it, 20 more
pairs of each kind were written first: it recognised 9 of the paraphrases and merged 0 of the
look-alikes and 0 of 20 opposites; the earlier one 9, 0 and 1.
"""

import json
from itertools import combinations
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.tools.data_files import table
from reflection_mcp.tools.learning.duplicates import duplicate_groups
from reflection_mcp.tools.learning.paraphrase import same_advice, subject
from tests.learning.test_consolidation import row
from tests.requirements import requirement
from tests.rows import each_row

DATA = Path(__file__).parent / "data"
SUBJECT = "In the importer of the warehouse that serves northern harbours this holds: "
"""Without it a short pair would stay apart for being short."""
WORDINGS = table("reflection_mcp.tools.learning", "wordings.txt")


def lessons(name: str) -> list[list[str]]:
    lines = (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["lessons"] for line in lines]


@requirement("learning:paraphrases")
@each_row(
    ("part", "pairs", "merged"),
    [
        ("first", 4, 4),
        ("later", 4, 3),
        ("third", 14, 12),
        ("fourth", 14, 14),
        ("fifth", 18, 15),
        ("sixth", 9, 7),
    ],
)
def test_paraphrases_that_three_people_wrote_are_recognised(
    part: str, pairs: int, merged: int
) -> None:
    triples = lessons(f"paraphrases_{part}")
    found = [same_advice(*pair) for triple in triples for pair in combinations(triple, 2)]
    assert sum(found) == pairs
    gone = 0
    for triple in triples:
        rows = [row(f"ref-{place}", text).reflection for place, text in enumerate(triple)]
        gone += sum(len(group) - 1 for group in duplicate_groups(rows))
    assert gone == merged


@requirement("learning:paraphrases")
@each_row(
    ("one", "other"),
    [
        pair
        for part in ("first", "later", "third", "fourth", "fifth", "sixth")
        for pair in lessons(f"look_alikes_{part}")
    ],
)
def test_what_differs_in_what_decides_stays_two_lessons(one: str, other: str) -> None:
    assert not same_advice(SUBJECT + one, SUBJECT + other)


@each_row(("wordings", "one", "same", "another"), WORDINGS)
def test_each_row_of_equal_wordings_is_needed_and_goes_no_further(
    wordings: str, one: str, same: str, another: str
) -> None:
    assert same_advice(SUBJECT + one, SUBJECT + same), wordings
    assert not same_advice(SUBJECT + one, SUBJECT + another), wordings


@each_row(
    ("one", "other"),
    [
        ("Copy the table from a.db to b.db.", "Copy the table from b.db to a.db."),
        ("Prefer the CLI for big imports, the form for small ones.",
         "Prefer the form for big imports, the CLI for small ones."),
        ("Cache the user but not the session.", "Cache the session but not the user."),
        ("Do not retry the payment, retry the mail.", "Do not retry the mail, retry the payment."),
        ("Admins can delete users but users cannot delete admins.",
         "Users can delete admins but admins cannot delete users."),
        ("The reply promised a refund that the policy does not allow.",
         "The policy promised a refund that the reply does not allow."),
        ("Show the total with tax for guests and without tax for dealers.",
         "Show the total without tax for guests and with tax for dealers."),
        ("The disk is full because the job fails.", "The job fails because the disk is full."),
        ("If the importer stops, the queue is full.", "If the queue is full, the importer stops."),
        ("The owner and the admin approve the release.",
         "The owner or the admin approve the release."),
        ("Keep the temp folder of the importer after the nightly run.",
         "Delete the temp folder of the importer after the nightly run."),
        ("Use the legacy token of the account in the nightly job.",
         "Revoke the legacy token of the account in the nightly job."),
        ("Restart the test server after each deploy of the shop app.",
         "Restart the server after each deploy of the shop app."),
        ("Flush the cache, otherwise the values are old.",
         "Flush the cache unless the values are old."),
        ("Delete the old index after creating the new index.",
         "Create the old index after deleting the new index."),
        ("Copy the rows of the shop from staging.", "Copy the rows of the shop to staging."),
        ("Prefer the token to the cookie.", "Prefer the cookie to the token."),
        ("The endpoint needs a session key for uploads.",
         "The endpoint returns a session key for uploads."),
        ("Validate the object before the save.", "Validate the value before the save."),
        ("Legal asks marketing before a launch.", "Marketing asks legal before a launch."),
        ("Retry if the server does not answer.", "Retry if the server answers."),
        ("If the disk is full do not start the job.", "If the disk is not full start the job."),
        ("Start the job when the disk is not full.", "Start the job when the disk is full."),
        ("Stop the job if the disk is not full.", "Do not stop the job if the disk is full."),
        ("Ask for the owner, or the admin.", "Ask for the owner and the admin."),
        ("Run at least 3 readers and at most 5 writers.",
         "Run at most 3 readers and at least 5 writers."),
        ("Ask for two reviewers and three testers.", "Ask for three reviewers and two testers."),
        ("Only admins delete a project.", "Admins only delete a project."),
        ("Use more replicas and fewer threads.", "Use fewer replicas and more threads."),
        ("Turn the cache on and the proxy off.", "Turn the proxy on and the cache off."),
        (f"Pin the yaml of the shop {'there ' * 200} today.",
         f"Pin the yaml of the shop {'there ' * 200} tomorrow."),
    ],
)  # fmt: skip
def test_words_that_change_places_sides_or_kinds_keep_two_lessons_apart(
    one: str, other: str
) -> None:
    assert not same_advice(SUBJECT + one, SUBJECT + other)


@each_row(
    ("one", "other"),
    [
        ("The values are stale unless the cache is flushed.",
         "Unless the cache is flushed, the values are outdated."),
        ("NEVER put the logs on the RAM disk.", "Don't put the logs on the RAM disk!"),
        ("The worker won't start if its lease can't be read.",
         "If its lease cannot be read, the worker will not start."),
    ],
)  # fmt: skip
def test_order_voice_and_conjunction_make_no_other_lesson(one: str, other: str) -> None:
    assert same_advice(SUBJECT + one, SUBJECT + other)


def test_short_lessons_and_other_languages_are_not_compared() -> None:
    assert not same_advice("Close the file.", "The file must be closed.")
    german = "Kopiere Rechnung Kunde nach Archiv Lager Halle Tor."
    assert not same_advice(german, german.replace("Rechnung Kunde", "Kunde Rechnung"))


WORDS = st.sampled_from(
    "the a not never before after if unless until otherwise, because from to in with without use "
    "copy cache token shop live staging proxy 3 .env only two, or than . , fails is be that".split()
)
TEXTS = st.lists(WORDS, max_size=14).map(" ".join)


@given(TEXTS, TEXTS)
def test_the_order_of_two_lessons_does_not_matter(one: str, other: str) -> None:
    assert same_advice(one, other) == same_advice(other, one)


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    assert not {"", " "} & subject(text)


def test_strategies_that_differ_keep_paraphrases_apart() -> None:
    one, other = (SUBJECT + text for text in WORDINGS[0][1:3])
    rules = [
        "Rebuild the search index of the shop after an import.",
        "After an import rebuild the search index of the shop.",
        "Wait.",
    ]

    def together(first: str, second: str) -> bool:
        rows = [row("ref-1", one, strategy=first), row("ref-2", other, strategy=second)]
        return bool(duplicate_groups([each.reflection for each in rows]))

    assert together(rules[0], rules[1])
    assert together(rules[0], "")
    assert not together(rules[0], rules[2])
