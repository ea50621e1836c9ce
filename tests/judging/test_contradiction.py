"""Values, states, sizes and directions of an answer with which its context disagrees."""

from reflection_mcp.tools.judging import check_answer
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.grounding.contradiction import check
from reflection_mcp.tools.judging.grounding.stated_values import values
from tests.rows import each_row

CONFIG = """\
# behaves by default as if this were your configuration
line-length = 88  # as in Black
proxy_read_timeout 60s;
"max_entries": 10000,
retries: 3
port: 80
port: 443
"""


def faults(answer: str, context: str = CONFIG) -> list[str]:
    return [one.stated for one in check(Case("What is it?", answer, context))]


@each_row(
    ("answer", "stated"),
    [
        ("Ruff's default line length is 79, as in PEP 8.", "79"),
        ("`proxy_read_timeout` is 30s, so long exports are cut off.", "30"),
        ("The cache is small. `max_entries` is 1000 there.", "1000"),
        ("At the moment `retries` is set to 5.", "5"),
    ],
)
def test_another_value_of_a_setting_is_a_contradiction(answer: str, stated: str) -> None:
    assert faults(answer) == [stated]


@each_row(
    "answer",
    [
        "`proxy_read_timeout` is 60s.",
        "`proxy_read_timeout` is 1 minute.",
        "`proxy_read_timeout` should be enough if `proxy_read_timeout` is 300s.",
        "Set it so that `retries` is 5.",
        "`port` is 8080.",
        "The `timeout` is 30.",
        "Before the change `retries` was 5.",
        "`max_entries` is 10000.",
        "`retries` is 3.5.1 in the lock file.",
    ],
)
def test_what_agrees_or_is_no_plain_statement_is_none(answer: str) -> None:
    assert faults(answer) == []


def test_a_default_is_compared_only_with_a_context_that_speaks_of_defaults() -> None:
    assert faults("The default `retries` is 10.", "retries: 3") == []
    assert faults("`retries` is 10.", "retries: 3") == ["10"]
    assert faults("`retries` is 10.", "nothing of that kind") == []


def test_it_is_a_fault_in_an_open_world_and_told_once() -> None:
    found = check_answer("What is it?", "`retries` is 50 and nothing else.", CONFIG)
    assert [(one.kind, one.status) for one in found if one.kind.startswith("grounding")] == [
        ("grounding:contradiction", "wrong")
    ]
    closed = check_answer("What is it?", "The retries is 50.", CONFIG, closed_world=True)
    assert [one.kind for one in closed if one.status == "wrong"] == ["grounding:contradiction"]


LOG = """\
10:02:48 WARN  pool exhausted, waited 3400 ms
10:03:02 INFO  pool resized to 20 connections

Workers Planned: 2
Heap limit reached at 1438.2 MB
"""
LIMITS = """\
// 100 by default
MaxHeaders int
// how often in all; retries 3 times
Client.fetch
note VARCHAR(500),
backup: builds are stopped after 20 minutes
/dev/sda1  98G  91G  2.1G  98% /
38G  /var/log
"""
CHANGES = """\
-  ttl: 300
+  ttl: 900
instance "t3.small" -> "t3.large"
The timeout rises from 5 to 10 seconds.
- targets: deprecated, its place is taken by includes
"""


@each_row(
    ("answer", "context", "stated"),
    [
        ("The pool had 40 connections.", LOG, "40"),
        ("It ran with 4 workers.", LOG, "4"),
        ("The pool was exhausted and waited 9000 ms.", LOG, "9000"),
        ("The heap has 1538.2 MB and stays around it.", LOG, "1538.2"),
        ("\u4e0a\u9650\u306f1348.2 MB", LOG, "1348.2"),
        ("`MaxHeaders` is 1000 by default, and it may grow.", LIMITS, "1000"),
        ("`Client.fetch` retries 5 times.", LIMITS, "5"),
        ("`note` is a VARCHAR(255).", "note VARCHAR(500),\nkey TEXT", "255"),
        ("The `note` column holds VARCHAR(255).", LIMITS, "255"),
        ("Builds are stopped after 60 minutes.", LIMITS, "60"),
        ("`/` is 89 % full.", LIMITS, "89"),
        ("`/var/log` holds 83 GB.", LIMITS, "83"),
        ("It lowers ttl from 900 to 300.", CHANGES, "from 900 to 300"),
        ("The timeout falls from 10 to 5 seconds.", CHANGES, "from 10 to 5"),
        ("Replace `includes` with `targets`.", CHANGES, "Replace `includes` with `targets`"),
        ("It goes from t3.large to t3.small.", CHANGES, "from t3.large to t3.small"),
    ],
)
def test_another_value_or_the_other_direction_is_found(
    answer: str, context: str, stated: str
) -> None:
    assert faults(answer, context) == [stated]


@each_row(
    ("answer", "context"),
    [
        ("The pool was resized to 20 connections after 3.4 s.", LOG),
        ("The pool was exhausted and waited 3.4 s.", LOG),
        ("Use a pool of 40 connections.", LOG),
        ("The pool had 12 connections.", LOG),  # some of those that are counted
        ("The heap limit is 1.4 GB.", LOG),
        ("The heap has 1438.20 MB.", LOG),
        ("The heap has 99999 objects.", LOG),
        ("It took 5000 s.", LOG),
        ("`MaxHeaders` is 100.", LIMITS),
        ("`MaxHeaders` is 1000 if you set it.", LIMITS),
        ("`MaxBody` is 1000.", LIMITS),
        ("`MaxHeaders` of the (new) server were 1000.", LIMITS),
        ("It goes from 5 to 10 seconds.", CHANGES),
        ("It goes from 6 to 12 seconds.", CHANGES),
        ("It has 3 things.", "a: 1 thing\nb: 2 things\nc: 4 things\nd: 5 things"),
        ("It went from 1 to 2.", "from 1 to 2, then from 2 to 1"),
    ],
)
def test_a_value_that_agrees_or_is_no_plain_statement_is_none(answer: str, context: str) -> None:
    assert faults(answer, context) == []


def test_the_word_of_a_unit_says_nothing_of_what_is_measured() -> None:
    page = "The buffer before a token is refreshed is by default 20 minutes."
    assert faults("By default requests time out after 10 minutes.", page) == []
    assert faults("By default the refresh buffer of a token is 10 minutes.", page) == ["10"]


def test_of_a_long_number_only_one_near_one_can_be_meant() -> None:
    assert faults("It has 52345 rows.", "12345 and 92345") == []
    assert faults("It has 52345 rows.", "12345 lines\nother") == ["52345"]


@each_row(
    ("text", "kind"),
    [
        ("on 2024-05-06", "date"),
        ("in 2024-05", "date"),
        ("at 10:02", "clock"),
        ("10.0.0.1", "version"),
        ("v1.2.3", "version"),
    ],
)
def test_dates_versions_and_addresses_are_values_as_they_are_written(text: str, kind: str) -> None:
    assert [one.kind for one in values(text)] == [kind]


@each_row("text", ["10:02:48", "a1", "1.2.3.4.5", "/v1.2.3/", "#50187"])
def test_parts_of_longer_ones_and_of_names_are_none(text: str) -> None:
    assert values(text) == []


NOTICE = """\
Doors: from 18:30, Begin: 20:00
maxDelay: 10s
timeout: 30s
engine: "postgres"
"""
DIFF = """\
-    memory: 512Mi
-    cpu: 500m
+    memory: 1Gi
+    cpu: 750m
"""


@each_row(
    ("answer", "context", "stated"),
    [
        ("`maxDelay` is 30s and `timeout` is 10s.", NOTICE, "30"),
        ("`engine` is `mysql`.", NOTICE, "mysql"),
        ("Memory goes to 2Gi.", DIFF, "2"),
        ("La mémoire passe de 1Gi à 512Mi.", DIFF, "de 1Gi à 512Mi"),
        ("Der Speicher sinkt von 1Gi auf 512Mi.", DIFF, "von 1Gi auf 512Mi"),
        ("Die Schlange wuchs auf 890 Nachrichten.", "depth=980 consumers=4", "890"),
    ],
)
def test_a_pair_and_a_diff_hold_what_is_said_of_their_subject(
    answer: str, context: str, stated: str
) -> None:
    assert stated in faults(answer, context)


@each_row(
    ("answer", "context"),
    [
        ("`engine` is `postgresql`.", NOTICE),
        ("It goes from 5 to 10.", "- : 5\n+ = 6"),
        ("`maxDelay` is 10 s.", NOTICE),
        ("`memory` is 1024Mi.", "memory: 1024Mi"),
        ("`memory` is `high`.", "memory: 1024Mi"),
        ("It has 4 of 890 things.", " ".join(f"x={n}" for n in range(900, 999))),
        ("It is one|two.", "a | b\nc | d\n\n1 | 2\n3 | 4\n5 | 6"),
    ],
)
def test_what_a_pair_says_or_does_not_speak_of_is_none(answer: str, context: str) -> None:
    assert faults(answer, context) == []


def test_long_lines_and_sentences_are_data() -> None:
    assert faults(f"The port is 5 {'and so on ' * 100}.", "port: 7") == []
    assert faults("The pool had 40 connections.", f"{'x = 9 ' * 300}\n{LOG}") == ["40"]


PODS = """\
NAME      READY   STATUS             RESTARTS   IMAGE TAG
api-0     1/1     Running            0          1.30.2
api-1     0/1     CrashLoopBackOff   17         1.29.6
Total     1/2                        17
"""
PLANS = """\
| Plan     | Price/month | p99 ms |
|----------|-------------|--------|
| Basic    | $12         | 41     |
| Business | $45         | 14     |
"""
NESTED = """\
app:
  limits:
    memory: 256Mi
  requests:
    memory: 128Mi
other:
  port: 80
"""


@each_row(
    ("answer", "context", "stated"),
    [
        ("`api-0` is in CrashLoopBackOff.", PODS, "CrashLoopBackOff."),
        ("api-1 runs 1.30.2 now.", PODS, "1.30.2"),
        ("api-0 restarted 17 times.", PODS, "17"),
        ("Basic costs $45 a month, and Business is the same.", PLANS, "$45"),
        ("It went over its memory limit of 512Mi.", NESTED, "512"),
    ],
)  # fmt: skip
def test_what_stands_in_another_row_or_under_another_head_is_found(
    answer: str, context: str, stated: str
) -> None:
    assert faults(answer, context) == [stated]


@each_row(
    ("answer", "context"),
    [
        ("`api-0` is Running, `api-1` is in CrashLoopBackOff.", PODS),
        ("`api-0` and `api-1` together restarted 17 times.", PODS),
        ("`api-1` has 17 of 17 restarts.", PODS),
        ("`api-0` is fine; the other one is in CrashLoopBackOff.", PODS),
        ("`api-0` should be at 1.29.6.", PODS),
        ("Basic has a p99 of 41 ms; basically Business/Basic costs $45.", PLANS),
        ("It requests 128Mi of memory.", NESTED),
        ("On March 1, 2017 the queue depth reached 1200.", "By W. on March 2, 2017: depth 1200"),
        ("The threshold 800 is ours.", "queue depth 1200 (threshold 500)"),
        ("a b c", "x  y  z\nx  y  z\nx  y  z"),
    ],
)
def test_what_is_of_the_same_row_or_of_several_is_none(answer: str, context: str) -> None:
    assert faults(answer, context) == []


@each_row(
    ("question", "answer", "stated"),
    [
        ("Which Node?", "Node 20.9 or later.", ["Node 20.9"]),
        ("Which Node?", "Node 18.17.", []),
        ("Which Node should we take?", "Node 20.9.", []),
        ("Which database?", "Node 20.9.", []),
    ],
)
def test_the_version_that_a_question_asks_for_is_held_against_the_context(
    question: str, answer: str, stated: list[str]
) -> None:
    context = '{"engines": {"node": ">=18.17"}, "dependencies": {"vite": "^5.2.1"}}'
    assert [one.stated for one in check(Case(question, answer, context))] == stated
