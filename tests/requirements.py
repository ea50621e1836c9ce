"""Every behaviour that was asked for, with an id and its source.

A test says which promise it keeps with `@requirement("loop:score-three")`. `test_requirements.py`
checks both ways: a promise without a test fails, and so does a test for a promise that is not here.

A seed rule is a rule that the product was asked for before any of it was built. Where a decision in
`docs/decisions` is stricter, both hold: the rule is the frame, the decision says what may count.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

_Test = TypeVar("_Test", bound=Callable[..., object])


def requirement(*ids: str) -> Callable[[_Test], _Test]:
    """Tie a test to the promises it keeps; ids are those of `REQUIREMENTS`."""

    def tie(test: _Test) -> _Test:
        named = vars(test)
        named["requirement_ids"] = (*named.get("requirement_ids", ()), *ids)
        return test

    return tie


@dataclass(frozen=True)
class Requirement:
    """One promise: its id, what it says, and who asked for it."""

    id: str
    says: str
    source: str = "seed rule"


REQUIREMENTS = (
    # -------------------------------------------------- loop: answer, judge, retry
    Requirement(
        "loop:score-three",
        "an answer is scored 0..1 on confidence, relevance, completeness; quality is their "
        "mean (of those that exist)",
    ),
    Requirement("loop:issues", "a judgement lists issues and improvements"),
    Requirement(
        "loop:retry-below-half",
        "quality below 0.5 asks for a retry with a different approach",
    ),
    Requirement("loop:max-two-retries", "at most 2 retries by default"),
    Requirement("loop:good-enough", "stops above 0.7, or when no retry is asked for"),
    Requirement("loop:issues-fed-back", "the issues of the last attempt are given to the next"),
    Requirement("loop:approach-varies", "the prompt strategy differs per attempt"),
    Requirement("loop:best-kept", "the best attempt is returned, not the last"),
    Requirement(
        "loop:attempts-stored",
        "every attempt's judgement is stored: conversation, question, answer hash, quality, "
        "the three scores, issues, improvements, time; queryable by quality and by time",
    ),
    Requirement("loop:cheap-judge", "the judge uses a small model by default"),
    Requirement(
        "loop:critique-revise",
        "generate, critique, revise as separable roles, each replaceable",
    ),
    Requirement("loop:max-iterations", "1 to 10, default 3; out of range is refused"),
    Requirement("loop:converge-severity", "converges when the critique's severity is below 0.3"),
    Requirement("loop:converge-plateau", "converges when the score changes by less than 0.1"),
    Requirement(
        "loop:converge-small-change",
        "converges when the revision barely changes the text",
    ),
    Requirement(
        "loop:history",
        "every iteration keeps candidate, critique, score; the result says why it stopped: "
        "converged, max_iterations, error",
    ),
    Requirement(
        "loop:needs-a-start",
        "no draft and no way to generate one is a clear error, not a guess",
    ),
    Requirement(
        "loop:critic-fails",
        "a failing critic or reviser ends the loop with the best so far and the reason",
    ),
    Requirement(
        "loop:memory-in",
        "up to 3 similar past mistakes go into the context of the first attempt",
    ),
    Requirement("loop:memory-out", "critiques of severity above 0.3 are kept for later"),
    Requirement(
        "loop:verify-first",
        "failed verification triggers critique, then correction of only the failing steps, "
        "then verification again",
    ),
    Requirement("loop:early-stop", "no issue found: stop at once"),
    Requirement(
        "loop:triggers",
        "verification failure, confidence below a threshold, or always-on",
    ),
    Requirement("loop:depth", "presets: none 0, balanced 2, deep 3 iterations"),
    Requirement("loop:progress", "live progress of reason, verify, reflect, answer"),
    Requirement("loop:callbacks", "start and completion of each iteration can be observed"),
    Requirement("loop:custom-prompts", "critique and improvement prompts can be replaced"),
    Requirement("loop:cost-known", "latency, tokens and cost per iteration are reported"),
    Requirement(
        "loop:arithmetic",
        "arithmetic in steps is checked symbolically, the failing step named with the right "
        "value (15 x 12.99 is 194.85, not 195.00; the steps that reuse it follow)",
    ),
    # -------------------------------------------------- select: when to reflect
    Requirement("select:greeting", "a greeting or inline question triggers no reflection"),
    Requirement("select:lookup", "a plain look-up triggers none"),
    Requirement("select:complex", "a complex question, or importance above 0.7, does"),
    # -------------------------------------------------- adapt: what comes back
    Requirement(
        "adapt:common-issues",
        "the 10 newest attempts with quality below 0.6: their issues, merged by likeness, "
        "become lines of advice in the prompt; none, and there is no text",
    ),
    Requirement(
        "adapt:few-shot",
        "past mistakes and corrections can be formatted as examples for a prompt; none gives "
        "an empty text",
    ),
    # -------------------------------------------------- feedback: what people say
    Requirement("feedback:negative", "quality becomes at most 0.3 for the conversation's attempts"),
    Requirement("feedback:positive", "quality becomes at least 0.7"),
    Requirement("feedback:overrides", "people outrank the judge, for good"),
    # -------------------------------------------------- memory: memory of mistakes
    Requirement(
        "memory:store",
        "prompt (and its hash), mistake, correction, severity, time (set when missing); "
        "without a prompt it is refused",
    ),
    Requirement(
        "memory:similar",
        "retrieval above a similarity threshold (0.7), best first, at most k; no overlap "
        "gives nothing; stop words do not count, numbers and symbols do",
    ),
    Requirement("memory:max-entries", "1000 by default; the limit holds"),
    Requirement("memory:clear-count-list", "clear, count and list"),
    Requirement(
        "memory:cross-episode",
        "what one run learned reaches the next, also after a restart",
    ),
    # -------------------------------------------------- evidence: what tools said
    Requirement("evidence:tools", "what tools print of success and failure is read", "product"),
    Requirement("evidence:claims", "a claim is held against the newest run", "product"),
    Requirement("artefacts:listing", "a name that a whole listing lacks is found", "product"),
    Requirement("artefacts:project", "so is one that the project has not", "product"),
    Requirement("run:asked", "code of answers is run where that is asked for", "product"),
    Requirement("run:limits", "in a child with limits that ends with the call", "product"),
    Requirement("evidence:honest", "an honest report of a failure is no fault", "product"),
    # -------------------------------------------------- trace: learning from an episode
    Requirement("trace:events", "id, type, time, content, metadata, tool name, error"),
    Requirement("trace:outcomes", "success, failure, partial, timeout, error"),
    Requirement(
        "trace:failure",
        "a failure gives root cause, lesson and, if there is one, a strategy",
    ),
    Requirement("trace:success", "a success gives what worked and whether it is reusable"),
    Requirement(
        "trace:scores",
        "importance and confidence 0..1, tags, error category, source events",
    ),
    Requirement(
        "trace:dual",
        "reflection and strategy are kept separately; the strategy is tagged and weighs 10 % more",
    ),
    Requirement(
        "lesson:one-version",
        "lesson, strategy and outcome are one version, replaced, refuted and judged together",
        "product",
    ),
    Requirement(
        "lesson:user",
        "a comment is a lesson in the user's words, shown when it fits",
        "product",
    ),
    Requirement(
        "lesson:author",
        "a lesson belongs to its client and user in every conversation; of a vague error only in "
        "its task",
        "issue 21",
    ),
    Requirement(
        "lesson:contradictions",
        "lessons that say the opposite are marked, lessons of different cases are not",
        "issue 21",
    ),
    Requirement("trace:scope", "tenant and project separate everything"),
    Requirement("trace:query", "by text, k, minimum importance, tags"),
    Requirement("trace:criteria", "correctness, helpfulness, safety, completeness, efficiency"),
    Requirement(
        "learning:paraphrases",
        "lessons that say the same in other words are merged, others never; that can be undone",
        "issue 21",
    ),
    Requirement(
        "review:queue",
        "what waits for a person's word is in one list, the most useful first, each with its "
        "reason; each word is the use case that exists already",
        "issue 21",
    ),
    Requirement(
        "hosts:process-per-call",
        "where a library starts a process for each call, feedback without an id is on the last "
        "answer of this client, project and hour, and a revision follows that answer; the result "
        "says which one was meant",
        "issue 22",
    ),
    Requirement(
        "hosts:one-view",
        "a host that shows a model both views of a result gets one, by its name or by a setting",
        "issue 22",
    ),
    Requirement(
        "hosts:remote",
        "a host is given the URL of a team's server with the name of a variable in place of the "
        "token; one that cannot be is refused by name",
        "issue 23",
    ),
    Requirement(
        "access:doctor",
        "`doctor --url` says in one line why a server cannot be used from here: name, connection, "
        "TLS, path, token, audience, version",
        "issue 23",
    ),
    Requirement("trace:modes", "disabled; lite (on demand); full (also consolidation)"),
    Requirement(
        "trace:logged",
        "each stage is a structured log line; a failure is logged and raised, not hidden",
    ),
    Requirement("trace:extend", "prompts, scoring, storage and model can be replaced"),
    Requirement(
        "trace:later",
        "clustering of like reflections, links between them and what they mention, versions "
        "of a wording",
    ),
    # -------------------------------------------------- errors: have I seen this before
    Requirement(
        "errors:signature",
        "stable, 16 hex digits, depends on error type and normalised content; case and white "
        "space do not matter; another type is another signature",
    ),
    Requirement(
        "errors:changed-behaviour",
        "only reflections that changed behaviour are kept; the others are skipped with a reason",
    ),
    Requirement("errors:deduplicated", "the same again raises a counter and adds no row"),
    Requirement(
        "errors:indexed",
        "found by signature, by type and by context; original query, iteration and quality "
        "gain are kept with it",
    ),
    Requirement("errors:seen", "yes or no, and the lessons; filter by type; limit"),
    Requirement(
        "errors:elsewhere",
        "the same failure in another place brings that place's lesson, marked as the neighbour's; "
        "any other look-alike brings none",
        "product.md",
    ),
    Requirement(
        "errors:renewed",
        "what an earlier version has signed is found through its stored text and signed anew; "
        "nothing is lost, counters stay",
        "product.md",
    ),
    Requirement(
        "errors:asked-once",
        "of a close look-alike the caller is asked whether it is the same; the answer holds for "
        "good",
        "product.md",
    ),
    Requirement(
        "errors:from-evaluation",
        "conflict before unverified_claim before factual_error before quality_improvement "
        "(gain above 0.1); nothing worth keeping gives nothing",
    ),
    Requirement(
        "errors:store-fails",
        "when the store fails, the answer still comes, and says that nothing was kept",
    ),
    Requirement(
        "hooks:once",
        "in ten equal failures of one conversation a hook shows a lesson once in full and names it "
        "once in a line, whether a briefing, a warning or a failure showed it first",
        source="field report",
    ),
    Requirement(
        "hooks:hosts",
        "each host whose hooks can put a text before the model is told what is known of a failure, "
        "once in full, in the form that its documentation asks for; no answer allows or forbids",
        source="field report",
    ),
    Requirement(
        "hooks:before",
        "a command that failed in this project brings its lesson before it is run in other words, "
        "once in a conversation",
        source="field report",
    ),
    Requirement(
        "learn:transcripts",
        "a session file proposes candidates for review, and nothing unconfirmed is a lesson",
        source="field report",
    ),
    # -------------------------------------------------- overview: what a person looks at
    Requirement(
        "overview:days",
        "a store tells for each day what was looked up, shown, came back, helped and was judged",
        source="product",
    ),
    Requirement(
        "overview:came-back",
        "an error came back when it was met again after a lesson for it had been shown, and every "
        "place that says so counts the same look-ups",
        source="field report",
    ),
    Requirement(
        "overview:pages",
        "page after page shows each row once, and costs the same far behind and in a large store",
        source="product",
    ),
    Requirement(
        "overview:states", "each reflection has one state, the same in every list", "product"
    ),
    Requirement(
        "overview:errors",
        "errors are listed with their last days and what became of the advice on each",
        source="product",
    ),
    Requirement(
        "overview:progress",
        "a command that may take longer than a second says on a terminal how far it is",
        source="product",
    ),
    Requirement(
        "app:page",
        "a host that shows pages has one with lessons in its colours, stored text as text, and "
        "buttons for feedback",
        source="product",
    ),
    Requirement(
        "app:same-result",
        "a result is the same in both views whether a host shows pages or not",
        source="product",
    ),
    # -------------------------------------------------- trust: nothing that is tried first breaks
    Requirement(
        "trust:no-waiting",
        "a look-up, a hook and get_insights answer while another process is writing",
        source="field report",
    ),
    Requirement(
        "trust:at-once",
        "a host that lists or runs hooks is answered before the SDK is loaded, with the same words",
        source="field report",
    ),
    Requirement(
        "trust:long-line",
        "a line of any length is answered, and nothing else waits for it to be read",
        source="field report",
    ),
    Requirement(
        "trust:whole-calls",
        "a call of reflect is kept whole or not at all, whenever the server is killed",
        source="field report",
    ),
    # -------------------------------------------------- access: who may do what over HTTP
    Requirement(
        "access:own-answers",
        "feedback of one caller never changes the answer of another, with or without an id",
        source="team scale",
    ),
    Requirement(
        "access:tenant-of-token",
        "a caller over HTTP reads and writes in the tenant of its token alone, whatever it says",
        source="team scale",
    ),
    Requirement(
        "team:people-count",
        "influence follows people: all clients of a person count as one source, and vote as one",
        source="team scale",
    ),
    Requirement(
        "team:who-said-it",
        "a lesson names the person of a team who said it, but to that person and where none is "
        "known",
        source="team scale",
    ),
    Requirement(
        "access:project",
        "over HTTP a project is the argument, else the header, else global; never a folder of the "
        "server",
        source="team scale",
    ),
    Requirement(
        "access:reader",
        "a reader looks errors, insights and resources up, and every other tool refuses in a line",
        source="team scale",
    ),
    Requirement(
        "access:no-token",
        "no request without a good token reaches a tool: missing, wrong, expired, revoked, foreign",
        source="team scale",
    ),
    Requirement(
        "access:by-name",
        "what could let a stranger in is asked for by name, else the server does not start",
        source="team scale",
    ),
    Requirement(
        "access:token-file",
        "a token is shown once and kept as a digest, in a file that nobody else may read; adding "
        "at once loses nothing",
        source="team scale",
    ),
    # -------------------------------------------------- team: lessons of one's own
    Requirement(
        "team:own-lessons",
        "what is somebody's own is recalled for that person beside the project's, and nobody else "
        "reads, counts, rates or deletes it",
    ),
    Requirement(
        "team:shared-by-review",
        "a lesson of one's own is shared by its person, and keeps id, versions, votes and author; "
        "what is known already stays, and the words become an opinion beside it",
    ),
    Requirement(
        "team:two-people",
        "all else equal, what two people say ranks above what one says, and the project's own "
        "above the tenant's",
    ),
    # -------------------------------------------------- team: the memory of many machines
    Requirement(
        "team:sealed",
        "nothing of another tenant is visible or changed: every statement names its tenant, and "
        "row level security alone holds, too",
        source="team scale",
    ),
    Requirement(
        "team:shards",
        "the tenant leads every key, and each statement can be answered where one tenant lies",
        source="team scale",
    ),
    Requirement(
        "team:migrations",
        "the tables are made and upgraded by one command, once, however many run it",
        source="team scale",
    ),
    Requirement(
        "team:trouble",
        "whatever the database refuses has a name; after a restart of it the next call works",
        source="team scale",
    ),
    Requirement(
        "team:exact",
        "counters are exact with many writers at once, and what was acknowledged outlives a crash",
        source="team scale",
    ),
    Requirement(
        "access:hardened",
        "a request that names another host, comes too fast, is too large or never ends is turned "
        "away",
        source="team scale",
    ),
    # -------------------------------------------------- dashboard
    Requirement(
        "dashboard:one-command",
        "one command prints an address and serves it until it is stopped; a second start prints "
        "where the first one is",
        source="dashboard",
    ),
    Requirement(
        "dashboard:six-figures",
        "the first page says in six figures how the memory does, and what changed since the last "
        "visit",
        source="dashboard",
    ),
    Requirement(
        "dashboard:found-at-once",
        "a newcomer finds on the first page the lesson that failed most, the candidate to confirm "
        "and the error that came back, and no way leads to a dead end",
        source="field report",
    ),
    Requirement(
        "dashboard:list",
        "every error with its state, its look-ups and what became of its advice in a period; "
        "filtered, sorted, searched, read page by page",
        source="dashboard",
    ),
    Requirement(
        "dashboard:one-error",
        "one error with its lesson, versions, pattern, and who said what when",
        source="dashboard",
    ),
    Requirement(
        "dashboard:same-rows",
        "what is done on a page leaves the store as the tool or command leaves it",
        source="dashboard",
    ),
    Requirement(
        "dashboard:both-texts",
        "an edit of what somebody else has changed is refused, with both texts",
        source="dashboard",
    ),
    Requirement(
        "dashboard:undo",
        "an edit, a retirement, a vote with its comment, a written lesson, a wrong match, a "
        "confirmation, a rejection and a merger can be undone for an hour, the later one first",
        source="dashboard",
    ),
    Requirement(
        "dashboard:closed",
        "without its ticket, cookie, name, origin and token nothing is seen, and nothing changed",
        source="dashboard",
    ),
    Requirement(
        "dashboard:text-is-text",
        "no stored text is ever more than text on a page",
        source="dashboard",
    ),
    Requirement("dashboard:read-only", "it can be started to change nothing", source="dashboard"),
    Requirement(
        "dashboard:in-a-browser",
        "a person gets everything done in a real browser: by mouse, by keys, without script, on a "
        "narrow screen",
        source="dashboard",
    ),
    Requirement(
        "dashboard:team",
        "on a team's server who logs in with a token sees the tenant of the token alone, and a "
        "reader cannot act",
        source="dashboard",
    ),
    Requirement(
        "dashboard:for-everybody",
        "axe finds no fault; a page is at most 60 kB in 4 requests, and nothing from outside",
        source="dashboard",
    ),
    Requirement(
        "store:copy",
        "a store copied to another kind of store and back exports the same bytes",
        source="team scale",
    ),
    Requirement(
        "store:postgres-commands",
        "the commands work on a store in PostgreSQL as on a file, as its owner and as the role of "
        "the application; what only a file can do is refused by name",
        source="team scale",
    ),
    Requirement(
        "store:copy-resumed",
        "a copy that was killed at any moment goes on when it is made again, and loses nothing",
        source="team scale",
    ),
    Requirement(
        "store:failover",
        "when PostgreSQL fails over to a standby, every acknowledged write is there, and "
        "writers go on after one named error",
        source="team scale",
    ),
    Requirement(
        "access:monitored",
        "a monitor learns how many calls there were, how long they took and what look-ups found, "
        "and no name and no text",
        source="team scale",
    ),
    Requirement(
        "access:audited",
        "every write over HTTP leaves one line with principal, tool and ids, and no text",
        source="team scale",
    ),
    Requirement(
        "access:traced",
        "where the variables of OpenTelemetry ask for it a call over HTTP is a span with its "
        "stages, and no text of a caller leaves with it; nowhere else is anything imported for it",
        source="team scale",
    ),
)

AWAITED: frozenset[str] = frozenset()
"""Promises that have no test yet. It may only shrink: whoever ties the first test takes the id out.
"""

SLOW = frozenset(
    {"app:page", "dashboard:for-everybody", "dashboard:in-a-browser", "store:failover"}
)
"""Promises that only `.ci/run` tests: they need a browser, or two PostgreSQL servers."""
