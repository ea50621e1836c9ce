"""Synonyms: words of the field that mean the same to somebody who looks for help.

Rules: a group holds what one person writes where another writes something else about the same
trouble: abbreviations, British and American spelling, irregular forms, names of one thing. A group
is no dictionary: words that only go together (`docker`, `kubernetes`) are not in one. Synonyms
count less than the word itself. The groups are in `synonyms.txt`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from reflection_mcp.tools.learning.words import stem


@dataclass(frozen=True, slots=True)
class Synonyms:
    """Words that stand for one another; `asked` and `told` share one of them each, nothing else."""

    words: str
    asked: str
    told: str


SYNONYMS: tuple[Synonyms, ...] = (
    Synonyms("delete remove drop erase purge discard destroy", "remove rows", "dropped"),
    Synonyms("rename renamed alias", "rename it", "an alias"),
    Synonyms("hang hung freeze froze frozen stuck stall endless forever block", "hangs", "stuck"),
    Synonyms("deadlock standstill lock", "deadlock", "a standstill"),
    Synonyms("slow sluggish performance latency speed fast bottleneck", "slow", "latency"),
    Synonyms("crash segfault abort terminate die killed kill exit", "crashes", "segfault"),
    Synonyms("twice double duplicate repeat redeliver again repeated", "ran twice", "duplicates"),
    Synonyms("stale outdated old cached previous obsolete", "stale", "outdated"),
    Synonyms("password passwd credential secret token", "password", "token"),
    Synonyms("login signin logon authentication auth authenticate unauthorized", "login", "auth"),
    Synonyms("permission denied forbidden privilege rights chmod access", "denied", "privileges"),
    Synonyms("config configuration setting settings option preference", "config", "settings"),
    Synonyms("env environment dotenv", "env", "environment"),
    Synonyms("dependency dependencies package library requirement", "dependency", "requirement"),
    Synonyms("database db", "db", "database"),
    Synonyms("postgres postgresql psql psycopg", "psql", "postgres"),
    Synonyms("kubernetes k8s kubectl", "k8s", "kubernetes"),
    Synonyms("javascript js", "js", "javascript"),
    Synonyms("typescript ts", "ts", "typescript"),
    Synonyms("golang go", "golang", "go"),
    Synonyms("repository repo", "repo", "repository"),
    Synonyms("directory folder dir", "folder", "directory"),
    Synonyms("certificate cert tls ssl https", "ssl", "certificate"),
    Synonyms("csv spreadsheet excel xlsx sheet", "spreadsheet", "csv"),
    Synonyms("money price currency cost payment amount paid pay charge charged", "price", "money"),
    Synonyms("average mean median", "average", "mean"),
    Synonyms("percent percentage rate", "percent", "rates"),
    Synonyms("discount reduction rebate", "discount", "reductions"),
    Synonyms("rounding precision decimal float floating", "rounding", "floating"),
    Synonyms("timezone tz utc", "timezone", "utc"),
    Synonyms("daylight dst summertime", "dst", "daylight"),
    Synonyms("memory ram heap oom oomkilled", "ram", "heap"),
    Synonyms("cpu processor core", "cpu", "processor"),
    Synonyms("disk storage space volume filesystem", "disk", "storage"),
    Synonyms("cron crontab scheduled schedule scheduler", "cron", "scheduled"),
    Synonyms("reject refuse refused rejected denied decline", "rejected", "refused"),
    Synonyms("parse parser read decode malformed", "parse", "decoded"),
    Synonyms("upload push pushed publish", "upload", "pushed"),
    Synonyms("download fetch pull pulled", "download", "fetched"),
    Synonyms("undo revert rollback restore", "undo", "rolled: rollback"),
    Synonyms("concurrent concurrency parallel simultaneous race thread", "parallel", "concurrent"),
    Synonyms("async asynchronous asyncio await awaited coroutine promise", "coroutine", "awaited"),
    Synonyms("loop iterate iteration iterating iterator walk walked", "iterating", "loop"),
    Synonyms("list array vector collection sequence", "array", "vector"),
    Synonyms("shape dimension dimensions", "dimensions", "shape"),
    Synonyms("null none nil undefined nullpointer npe", "null", "none"),
    Synonyms("test tests testing spec pytest unittest", "spec", "tests"),
    Synonyms("flaky intermittent sporadic unstable unreliable", "flaky", "intermittent"),
    Synonyms("sleep sleeps wait waited waiting", "sleeps", "waited"),
    Synonyms("mock stub patch patched fake", "mock", "patched"),
    Synonyms("ci pipeline workflow jenkins action", "pipeline", "ci"),
    Synonyms("deploy deployment release rollout ship", "deploy", "released"),
    Synonyms("container docker image pod", "container", "docker"),
    Synonyms("timeout timed deadline expire expired", "timed", "timeout"),
    Synonyms("limit maximum max quota cap", "quota", "limit"),
    Synonyms("big large huge bigger larger size", "big", "large"),
    Synonyms("small smaller shrink reduce", "smaller", "shrink"),
    Synonyms("throttle throttled ratelimit 429", "throttled", "429"),
    Synonyms("proxy gateway", "proxy", "gateway"),
    Synonyms("network internet connection connectivity socket", "network", "connection"),
    Synonyms("port ports listen", "port", "listen"),
    Synonyms("host hostname server domain", "host", "domain"),
    Synonyms("url uri link address endpoint", "url", "uri"),
    Synonyms("log logs logging logger stdout stderr", "logs", "stdout"),
    Synonyms("utf unicode encoding charset codec utf8 utf8mb4", "unicode", "utf8mb4"),
    Synonyms("emoji smiley", "smiley", "emoji"),
    Synonyms("accent accented umlaut diacritic", "accented", "umlaut"),
    Synonyms("sort sorted order ordering collation alphabetical", "alphabetical", "sorted"),
    Synonyms("quote quotes quotation apostrophe", "quotes", "apostrophe"),
    Synonyms("space spaces blank blanks whitespace", "blanks", "spaces"),
    Synonyms("backslash escape escaped escaping", "backslash", "escaped"),
    Synonyms("truncate truncated cut clipped shortened", "truncated", "cut"),
    Synonyms("tidy cleanup clean leftover leftovers temporary tmp temp", "leftovers", "temporary"),
    Synonyms("invent invented fabricate hallucinate hallucinated fake", "invented", "fabricated"),
    Synonyms(
        "source sources reference references citation cite cited bibliography study",
        "cite",
        "sources",
    ),
    Synonyms("language translate translation translated", "translate", "language"),
    Synonyms("tone style formal wording", "tone", "formal"),
    Synonyms("unit units conversion convert imperial metric", "metric", "units"),
    Synonyms("mile miles kilometre kilometer km distance", "distance", "miles"),
    Synonyms("split divide partition", "split", "partition"),
    Synonyms("train training fit fitted", "training", "fitted"),
    Synonyms("leak leakage leaked leaking exposed expose", "leaks", "exposed"),
    Synonyms("compile compiler compilation gcc clang", "compiling", "clang"),
    Synonyms("indent indentation indented tab tabs", "indentation", "tabs"),
    Synonyms("comma punctuation separator delimiter semicolon", "separator", "semicolon"),
    Synonyms("photo picture image pictures thumbnail", "photo", "picture"),
    Synonyms("rotate rotated sideways orientation", "sideways", "rotated"),
    Synonyms("mail email newsletter message inbox", "email", "mail"),
    Synonyms("customer client user buyer", "customer", "client"),
    Synonyms("request call query http", "request", "call"),
    Synonyms("retry retries reattempt resend", "retry", "resend"),
    Synonyms("merge conflict conflicts rebase", "merge", "conflicts"),
    Synonyms("lockfile lock pin pinned", "lockfile", "pinned"),
    Synonyms("interpreter venv virtualenv", "virtualenv", "interpreter"),
    Synonyms("ui interface view screen gui widget", "ui", "interface"),
    Synonyms("render rerender rendering redraw", "rerender", "rendered"),
    Synonyms("bundle bundler webpack vite", "bundle", "webpack"),
    Synonyms("lint linter eslint formatter prettier", "linter", "eslint"),
    Synonyms("type types typing typed mypy pyright", "typing", "mypy"),
    Synonyms("phone telephone mobile", "phone", "telephone"),
    Synonyms("postal zip postcode", "zip", "postal"),
    Synonyms("tax vat", "tax", "vat"),
    Synonyms("invoice bill billing", "bill", "invoice"),
    Synonyms("survey questionnaire interview respondent poll", "survey", "questionnaire"),
    Synonyms("chart graph plot figure diagram", "plot", "figure"),
    Synonyms("axis scale range", "axis", "scale"),
    Synonyms("imbalanced unbalanced skewed rare", "imbalanced", "unbalanced"),
    Synonyms("nan diverge infinite explode exploding", "diverges", "nan"),
    Synonyms("gpu cuda", "gpu", "cuda"),
    Synonyms("prompt context instructions", "prompt", "context"),
    Synonyms("session cookie", "session", "cookie"),
    Synonyms("iframe frame embed embedded", "embedded", "iframe"),
    Synonyms("xss innerhtml sanitise sanitize script", "xss", "sanitise"),
    Synonyms("injection parameterized parameters placeholder", "injection", "parameters"),
    Synonyms("traversal outside escape sandbox", "traversal", "outside"),
    Synonyms("transaction commit committed", "transaction", "commit"),
    Synonyms("index indexes indices indexed", "indexed", "indices"),
    Synonyms("migration migrate schema ddl", "schema", "migration"),
    Synonyms("replace recreate", "replace", "recreate"),
    Synonyms("lose lost vanish vanished disappear gone missing", "lost", "vanished"),
    Synonyms("send sent sends", "send", "sent"),
    Synonyms("break broke broken breaks fail fails failed failure failing", "broken", "failed"),
    Synonyms("write wrote written save saved store stored", "wrote", "saved"),
    Synonyms("run ran running execute executed start started", "ran", "execute"),
    Synonyms("find found search locate lookup", "find", "locate"),
    Synonyms("forget forgot forgotten left omitted", "forgot", "omitted"),
    Synonyms("choose chose chosen pick", "chosen", "pick"),
    Synonyms("begin began beginning first leading start", "beginning", "leading"),
    Synonyms("idle silence inactive inactivity", "idle", "silence"),
    Synonyms("expose recipient recipients cc bcc", "recipients", "bcc"),
    Synonyms("responsible owner assignee", "responsible", "owner"),
    Synonyms("meeting minutes agenda", "meeting", "agenda"),
    Synonyms("clear readable plain readability understandable", "readable", "plain"),
    Synonyms("wrong incorrect mistake mistaken false", "wrong", "incorrect"),
    Synonyms("visible invisible hidden shown show display", "hidden", "invisible"),
    Synonyms("jumbled scrambled mixed order", "jumbled", "scrambled"),
    Synonyms("safe safely secure security", "safe", "secure"),
    Synonyms("boot reboot startup", "boot", "startup"),
    Synonyms("root owner owned uid", "root", "owned"),
    Synonyms("mount mounted volume", "mount", "volume"),
    Synonyms("regex regexp regular expression pattern", "regex", "expressions"),
    Synonyms("backtracking quantifier nested catastrophic", "backtracking", "quantifiers"),
    Synonyms("trust trusted authority signed issuer ca", "trusted", "signed"),
    Synonyms("internal intranet corporate company private", "intranet", "internal"),
    Synonyms("origin cors preflight", "origin", "cors"),
    Synonyms("frontend browser web page site", "frontend", "browser"),
    Synonyms("backend server api service", "backend", "api"),
    Synonyms("process processes worker workers writer writers job", "workers", "processes"),
    Synonyms("dataframe frame pandas", "dataframe", "pandas"),
    Synonyms("websocket ws socket", "ws", "websocket"),
    Synonyms("disconnect disconnected drop dropped cut close closed", "disconnects", "dropped"),
    Synonyms("serverless lambda faas", "serverless", "lambda"),
    Synonyms("reactive reactivity observe observed", "reactivity", "observed"),
    Synonyms("property attribute field key member", "attribute", "property"),
    Synonyms("component template widget", "component", "template"),
    Synonyms("jdk jre java jvm", "jdk", "java"),
    Synonyms("s3 bucket blob objectstore", "blob", "bucket"),
    Synonyms("reply answer response respond answered replied", "reply", "answered"),
    Synonyms("english german french spanish italian chinese language", "german", "language"),
    Synonyms("half partial partially incomplete part", "partial", "incomplete"),
    Synonyms("recipe target makefile make", "recipe", "target"),
    Synonyms("oversample oversampling undersample smote resample", "smote", "resample"),
    Synonyms("validation holdout evaluation evaluate eval test", "holdout", "evaluation"),
    Synonyms("daemon service systemd unit", "daemon", "systemd"),
    Synonyms("dns resolve nameserver resolver lookup", "dns", "resolve"),
    Synonyms("integer int number numeric numbers digit digits", "int", "digits"),
    Synonyms("identifier id ids", "identifier", "ids"),
    Synonyms("sql statement statements query queries", "statements", "queries"),
    Synonyms("pay book booking order purchase", "booking", "purchase"),
    Synonyms("continue continues proceed proceeds went", "continues", "proceeds"),
    Synonyms("swap swapped exchange reversed transposed", "swapped", "transposed"),
    Synonyms("ambiguous unclear confuse confused", "ambiguous", "unclear"),
    Synonyms("capture captured closure", "closure", "captured"),
    Synonyms("variable var value", "var", "variable"),
    Synonyms("modify mutate change changed update updated edit alter", "modify", "mutated"),
    Synonyms("page pagination paginate paginator", "pages", "paginator"),
    Synonyms("privacy private gdpr", "privacy", "gdpr"),
    Synonyms("traffic route routing reach", "traffic", "reach"),
    Synonyms("key identity keypair", "identity", "key"),
    Synonyms("insert inserted add added append", "insert", "added"),
    Synonyms("column field", "column", "field"),
    Synonyms("subtract difference minus elapsed", "subtract", "minus"),
    Synonyms("time timestamp datetime date clock", "timestamp", "datetime"),
    Synonyms("equal equality compare compared comparison", "equal", "compared"),
    Synonyms("nginx proxy reverse apache", "proxy", "nginx"),
    Synonyms("enumeration enum literal union", "enumeration", "enum"),
    Synonyms("exhausted exhaust exceeded exceed exceeds overrun", "exhausted", "exceeded"),
    Synonyms("secret apikey credential key token", "apikey", "token"),
)
"""The table. Written from knowledge of the field; tuned on the first half of the questions only."""

SYNONYM_WEIGHT = 0.8
"""The weight of a synonym relative to the word itself."""


@cache
def related() -> Mapping[str, frozenset[str]]:
    """Return for each stem the stems that may replace it, itself left out."""
    found: dict[str, set[str]] = {}
    for row in SYNONYMS:
        group = {stem(word) for word in row.words.split()}
        for member in group:
            found.setdefault(member, set()).update(group - {member})
    return {member: frozenset(others) for member, others in found.items()}


@cache
def _spelled() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for word in (word for row in SYNONYMS for word in row.words.split()):
        found.setdefault(stem(word), set()).add(word)
    return {root: frozenset(words) for root, words in found.items()}


def spellings(root: str) -> frozenset[str]:
    """Return the words of the table that have this stem."""
    return _spelled()[root]
