"""Lines that are printed around an error and are not the error.

Rule of this module: a row names one kind of casefolded line that says nothing about what failed:
how a process ended, where the log is, what to try next. A row that could swallow the only line that
names the fault is wrong; readers fall back to the swallowed lines when nothing else is left.
"""

from reflection_mcp.tools.identity.rule import Shape, any_of

TRAILERS: tuple[Shape, ...] = (
    Shape(
        "exit status",
        r"(?:exit (?:status|code):? \d{1,5}|\[?exit code: \d{1,5}\]?)",
        "exit status 2",
        "exit status of ls",
    ),
    Shape(
        "end of a process",
        r"process (?:exited|finished|completed).*",
        "Process finished with exit code 1",
        "processing",
    ),
    Shape(
        "end of a CI step",
        r"error: process completed.*",
        "Error: Process completed with exit code 1.",
        "error: process lost",
    ),
    Shape(
        "make's folders",
        r"g?make(?:\[\d{1,3}\])?: (?:entering|leaving) .*",
        "make[1]: Entering directory 'x'",
        "make: *** No rule",
    ),
    Shape(
        "make's error count",
        r"g?make(?:\[\d{1,3}\])?: \*\*\* .{0,300}error \d{1,3}(?: \(ignored\))?",
        "make[2]: *** [all] Error 2",
        "make: *** No rule to make target 'a'",
    ),
    Shape(
        "compiler's farewell",
        r"(?:.{0,40}aborting due to|.{0,40}could not compile).*|compilation terminated|"
        r"collect2: error.*",
        "error: aborting due to 2 previous errors",
        "aborting",
    ),
    Shape(
        "count of findings",
        r"(?:found )?\d{1,6} (?:failed|passed|error|warning|problem|issue|"
        r"actionable task)s?\b.*|\d{1,6} \S{0,3}(?:\u9519\u8bef|fehler|erreurs?)",
        "2 errors generated.",
        "2 fails",
    ),
    Shape("rule of signs", r"[=_-]{2,} .{0,200} [=_-]{2,}", "==== ERRORS ====", "a == b"),
    Shape(
        "pointer to more",
        r"(?:for (?:more|further) information|see (?:also|logs?|https?)|more (?:info|"
        r"details)).*|.{0,60}more information\b.*",
        "See logs for details.",
        "no more",
    ),
    Shape(
        "pytest's summary",
        r"(?:failed|error) \S{1,200}::\S{1,300}.*",
        "FAILED tests/test_a.py::test_b - assert 1",
        "FAILED to start",
    ),
    Shape(
        "runtime's version",
        r"node\.js v\d.*|python \d\.\d{1,2}\.\d{1,2}.*",
        "Node.js v20.11.0",
        "node.js is old",
    ),
    Shape(
        "cut off",
        r"(?:\.{3}|\u2026)\W*(?:\(?(?:output )?truncated\)?\W*.*)?|\[?(?:output )?truncated\]?",
        "[output truncated]",
        "truncated file",
    ),
    Shape(
        "name of a stream",
        r"(?:stderr|stdout|error output|output|traceback|stack trace|stack traceback|call stack)",
        "STDERR:",
        "stderr is closed",
    ),
    Shape(
        "a person's words",
        r"(?:i (?:got|get|see) this|any (?:idea|help).*|help|tool call failed)",
        "I got this:",
        "i got lost",
    ),
    Shape(
        "command typed",
        r"\+{1,3} ?(?:\./)?\w.*|\$ .*|> \S{1,80}@\S{1,80} .*|> run .*|.{0,60}\$ \./.*|"
        r"running command.*",
        "+ ./ci/test.sh",
        "- x",
    ),
    Shape(
        "step failed",
        r"step failed.*|build failed in .*|done in .*|cleanup done|info shutting.*",
        "Done in 3.41s.",
        "done",
    ),
    Shape(
        "chained exceptions",
        r"(?:the above exception was|during handling of the above).*",
        "During handling of the above exception, another exception occurred",
        "during handling",
    ),
    Shape(
        "where webpack is",
        r"error in \./\S{1,200}(?: [\d:-]{1,40})?|webpack \S{1,40} compiled .*",
        "ERROR in ./src/a.js 3:11-24",
        "error in a",
    ),
    Shape(
        "log of npm",
        r"npm (?:err!|error).{0,60}(?:complete log|_logs|full report|eresolve-report).*",
        "npm ERR! A complete log of this run can be found in:",
        "npm ERR! code 1",
    ),
    Shape(
        "git's last line, whatever the cause",
        r"fatal: (?:could not read from remote repository|"
        r"the remote end hung up unexpectedly)",
        "fatal: Could not read from remote repository.",
        "fatal: could not read from remote helper",
    ),
    Shape("core dump", r".{0,60}\(core dumped\)", "Aborted (core dumped)", "core"),
    Shape(
        "background on an error",
        r"background on this error.*",
        "(Background on this error at: https://x.example)",
        "background",
    ),
    Shape(
        "go test's result",
        r"fail|ok|--- (?:pass|skip).*|=== (?:run|pause|cont) .*|"
        r"fail[ \t]+\S{1,200}(?:[ \t]+[\d.]{1,10}s|[ \t]+\[.*\])",
        "FAIL\texample.com/shop\t0.004s",
        "FAIL: x",
    ),
    Shape(
        "thrown in",
        r"thrown in \S{1,300} on line \d{1,7}",
        "thrown in /app/a.php on line 3",
        "thrown",
    ),
    Shape(
        "progress of pytest",
        r"(?:[.fesx]{0,200}[ \t]{1,200})?\[ {0,3}\d{1,3}%\]",
        "E      [100%]",
        "[100]",
    ),
    Shape(
        "state of the garbage collector",
        r"<--- .{0,60} --->|\[\d{1,9}:0x[0-9a-f]{1,16}\].*",
        "<--- Last few GCs --->",
        "<---",
    ),
    Shape(
        "legend of a sanitizer",
        r"shadow (?:bytes|byte legend).*|(?:=>|  )?0x[0-9a-f]{6,16}: .*|"
        r"[a-z][a-z '()-]{2,40}:[ \t]+[0-9a-f]{2}(?: [0-9a-f]{2}){0,12}|"
        r"==\d{1,9}==(?:aborting|hint.*)|0x[0-9a-f]{6,16} is located .*|"
        r"summary: \w{1,40}sanitizer.*",
        "Shadow bytes around the buggy address:",
        "Shadow copy failed",
    ),
    Shape(
        "head of an HTTP reply",
        r"(?:date|server|content-(?:type|length|encoding)|connection|vary|etag|"
        r"cache-control|x-[\w-]{2,40}|via|age|keep-alive|transfer-encoding|set-cookie|"
        r"strict-transport-security|cf-ray): .*",
        "Content-Type: application/json",
        "server is down",
    ),
    Shape(
        "totals of jest",
        r"(?:test suites|tests|snapshots|time): .*|ran all test suites.*|"
        r"fail {1,3}\S{1,200}\.\w{1,4}(?: \([\d.]{1,8} m?s\))?",
        "Tests:       1 failed, 3 total",
        "tests failed",
    ),
    Shape(
        "execution halted",
        r"execution halted|build stopped|aborted",
        "Execution halted",
        "aborted by user",
    ),
)
"""Whole lines, tested without case, leading and trailing punctuation."""

NOISE: tuple[Shape, ...] = (
    Shape(
        "log line below a warning",
        r"\[?(?:info|debug|trace|verbose|notice)\b(?!['\"=])",
        "INFO starting",
        "information",
    ),
    Shape(
        "progress",
        r"\[\d{1,6}/\d{1,6}\]|\d{1,3}% |(?:collecting|using cached|downloading|downloaded|"
        r"resolving|fetching|installing|updating|compiling|checking|locking|building|"
        r"sending build context|gathering|unpacking) .{0,200}(?:\d|\.\.\.|[a-z]$)|"
        r"step \d{1,3}/\d{1,3} :",
        "[1/4] Resolving packages...",
        "collecting: failed",
    ),
    Shape(
        "stack line of any kind", r"at (?:[\w$.<>/]{1,200}(?:\(|$)|<)", "at <App>", "at least one"
    ),
    Shape(
        "pip's notes",
        r"looking in links|requirement already|looking in indexes|defaulting to user",
        "Requirement already satisfied: x",
        "requirement",
    ),
    Shape("npm's warnings", r"npm (?:warn|notice)\b", "npm WARN deprecated x", "npm error"),
    Shape(
        "git's transfer",
        r"remote: (?:counting|compressing|enumerating|total)|cloning into|"
        r"receiving objects|(?:enumerating|counting|compressing|writing|resolving|"
        r"unpacking) (?:objects|deltas)|total \d|reading package lists|"
        r"building dependency tree|reading state information|from [\w.:/@-]{3,200}$|"
        r"to [\w.:/@-]{3,200}$",
        "Cloning into 'shop'...",
        "clone failed",
    ),
    Shape(
        "listening",
        r"listening\b(?! on .{0,80}(?:fail|error))",
        "Listening on 3000",
        "listen failed",
    ),
)
"""Beginnings of lines, tested without case."""

GENERIC: tuple[Shape, ...] = (
    Shape(
        "push that failed, for whatever cause",
        r"error: failed to push some refs\b.*",
        "error: failed to push some refs to '<url github.com shop>'",
        "error: src refspec main does not match any",
    ),
    Shape(
        "step of pip that failed, for whatever cause",
        r"(?:error: |[^\w\n]{1,4})?(?:subprocess-exited-with-error|metadata-generation-failed)",
        "error: subprocess-exited-with-error",
        "error: failed building wheel for shop",
    ),
    Shape(
        "script of npm that failed, for whatever cause",
        r"npm error code elifecycle",
        "npm error code elifecycle",
        "npm error code e404",
    ),
)
"""Whole masked lines that many causes end in: sharing one proves nothing."""

HINTS: tuple[Shape, ...] = (
    Shape(
        "advice",
        r"(?:hint|help|tip|note)\b ?:(?! updates were rejected because )|please |try |consider |"
        r"make sure|if (?:you|this|"
        r"that|not)\b|you (?:can|may|might|need|should|must)\b|are you sure|"
        r"use (?:the )?['\"-]|run ['\"`]",
        "hint: Updates were rejected",
        "helper: x",
    ),
    Shape(
        "question back",
        r"are you missing|do you have|did you forget",
        "Are you missing a using directive?",
        "you are",
    ),
    Shape(
        "how to go on",
        r"to (?:install|fix|resolve|see|accept|add|replace|override|ignore|make|support|"
        r"address|suppress)\b|in order to |for example",
        "To install packages system-wide, try apt",
        "to: x",
    ),
)
"""Beginnings of lines that tell what to do; kept only when nothing else is said."""

_TAG = r"(?:\[?(?:error|fatal)\]:?[ \t]{1,4})?"
"""What Maven puts in front of every line of an error."""


def is_trailer(line: str) -> bool:
    """Whether a stripped line is one that is printed after an error, and says nothing of it."""
    return (
        any_of(TRAILERS, r"[^\w\[<>$+.\u2026=-]{0,20}" + _TAG, r"[ \t.:!)\]]{0,20}$").match(
            line.casefold()
        )
        is not None
    )


def is_generic(line: str) -> bool:
    """Whether a masked line is one that many causes end in."""
    return any_of(GENERIC, after="$").match(line) is not None


def is_noise(line: str) -> bool:
    """Whether a line is progress or a log line below a warning."""
    return any_of(NOISE, r"[ \t]{0,80}" + _TAG).match(line.casefold()) is not None


def is_hint(line: str) -> bool:
    """Whether a line is advice."""
    return any_of(HINTS, r"[\W_]{0,20}" + _TAG).match(line.casefold()) is not None
