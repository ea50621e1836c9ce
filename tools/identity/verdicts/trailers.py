"""Lines that are printed after an error and say nothing of it.

Rule of this module: a row names one kind of whole line, casefolded: how a process ended, who called
it and gave up as well, where the log is. A row that could swallow the only line that names the
fault is wrong; readers fall back to the swallowed lines when nothing else is left.
"""

from reflection_mcp.tools.identity.rule import Shape, Shapes

_PIECES = r"(?:lines?|frames?|rows?|bytes|char(?:acter)?s|entries|messages|calls|levels)"
"""What is left out of a text, and counted."""

TRAILERS: tuple[Shape, ...] = (
    Shape(
        "exit status",
        r"(?:exit (?:status|code):? \d{1,5}|\[?exit code: \d{1,5}\]?)",
        "exit status 2",
        "exit status of ls",
    ),
    Shape(
        "end of a process, or of a CI step",
        r"process (?:exited|finished|completed).*|error: process completed.*",
        "Error: Process completed with exit code 1.",
        "error: process lost",
    ),
    Shape(
        "make's folders",
        r"g?make(?:\[\d{1,3}\])?: (?:(?:entering|leaving) .*|"
        r"(?!.{0,40}fail)[^*:'\"\n]{0,40}['\"]/[^:'\"\n]{1,300}['\"][^:'\"\n]{0,30})",
        "make[1]: Verzeichnis '/srv/shop' wird betreten",
        "make: *** No rule",
    ),
    Shape(
        "make's error count",
        r"g?make(?:\[\d{1,3}\])?: \*\*\* (?:.{0,300}(?:error|erreur|fehler|errore|erro)|"
        r"\[.{1,300}\] [^\W\d_]{2,12}) \d{1,3}(?: \([^()\n]{1,40}\))?",
        "make[2]: *** [all] \u041e\u0448\u0438\u0431\u043a\u0430 2",
        "make: *** No rule to make target 'a'",
    ),
    Shape(
        "compiler's farewell",
        r"(?:.{0,40}aborting due to|.{0,40}could not compile).*|compilation termin(?:ated|\u00e9e)|"
        r"collect2: error.*",
        "error: aborting due to 2 previous errors",
        "aborting",
        "aborting due to|could not compile|compilation termin|collect2: ",
    ),
    Shape(
        "count of findings",
        r"(?:found |\[\*\] )?\d{1,6} (?:failed|passed|error|warning|problem|issue|"
        r"actionable task|fixable)s?\b.*|\d{1,6} \S{0,3}(?:\u9519\u8bef|fehler|erreurs?)",
        "2 errors generated.",
        "2 fails",
    ),
    Shape("rule of signs", r"[=_-]{2,} .{0,200} [=_-]{2,}", "==== ERRORS ====", "a == b"),
    Shape(
        "pointer to more",
        r"(?:for (?:more|further) information|see (?:also|logs?|https?)|more (?:info|"
        r"details)).*|.{0,60}more information\b.*|"
        r"(?:references?|guide|docs|documentation|learn more): https?://\S*",
        "See logs for details.",
        "no more",
        "information|see |more |details|: http",
    ),
    Shape(
        "pytest's summary",
        r"(?:failed|error) \S{1,200}::\S{1,300}.*",
        "FAILED tests/test_a.py::test_b - assert 1",
        "FAILED to start",
    ),
    Shape(
        "runtime's version",
        r"(?:node\.js|bun|deno) v?\d.*|python \d\.\d{1,2}\.\d{1,2}.*",
        "Node.js v20.11.0",
        "node.js is old",
    ),
    Shape(
        "cut off",
        r"(?:\.{3}|\u2026)\W*(?:\(?(?:output )?truncated\)?\W*.*)?|\[?(?:output )?truncated\]?|"
        r"[\W_]{0,8}(?:snip(?:ped)?|cut|skipp(?:ed|ing)|omitt(?:ed|ing)|elided|truncated|hid(?:den|ing))"
        r"(?: \d{1,7} (?:\w{1,12} )?" + _PIECES + r")?[\W_]{0,8}|"
        r"[\W_]{0,8}\d{1,7} (?:\w{1,12} )?" + _PIECES + r" (?:were )?"
        r"(?:snipped|cut|skipped|omitted|elided|truncated|hidden|collapsed|not shown)[\W_]{0,8}",
        "[output truncated]",
        "truncated file",
        "...|\u2026|snip|cut|skipp|omitt|elided|truncated|hid|collapsed|not shown",
    ),
    Shape(
        "name of a stream",
        r"(?:stderr|stdout|error output|output|traceback|stack trace|\[stacktrace\]|"
        r"stack traceback|call stack)",
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
        r"\+{1,3} ?(?:\./)?\w.*|\$ .*|> \S{1,80}@\S{1,80} .*|> run .*|"
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
        "mark of Buildkite",
        r"\^{3} \+{3}|(?:-{3}|\+{3})? ?:[a-z][\w-]{0,30}: \w.*",
        "--- :hammer: build",
        ":x",
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
        "npm ERR! code E404",
    ),
    Shape(
        "git's last line, whatever the cause",
        r"fatal: (?:could not read from remote repository|"
        r"the remote end hung up unexpectedly)",
        "fatal: Could not read from remote repository.",
        "fatal: could not read from remote helper",
    ),
    Shape("core dump", r".{0,60}\(core dumped\)", "Aborted (core dumped)", "core", "core dumped"),
    Shape(
        "background on an error",
        r"background on this error.*",
        "(Background on this error at: https://x.example)",
        "background",
    ),
    Shape(
        "go test's result",
        r"fail|ok|--- (?:pass|skip).*|=== (?:run|pause|cont) .*|"
        r"fail[ \t]+\S{1,200}(?:[ \t]+[\d.]{1,10}s|[ \t]+\[.*\])|"
        r"coverage: (?:[\d.]{1,6}% of statements.*|\[no statements\])",
        "FAIL\texample.com/shop\t0.004s",
        "FAIL: x",
    ),
    Shape(
        "thrown in",
        r"thrown in \S{1,300} on line \d{1,7}(?:['\"] while reading .*)?",
        "thrown in /app/a.php on line 3",
        "thrown",
    ),
    Shape(
        "progress of pytest",
        r"(?:[.fesx]{0,200}[ \t]{1,200})?\[ {0,3}\d{1,3}%\]",
        "E      [100%]",
        "[100]",
        "%]",
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
        r"fail {1,3}\S{1,200}\.\w{1,4}(?: \([\d.]{1,8} m?s\)| > .{1,400})?",
        "Tests:       1 failed, 3 total",
        "tests failed",
    ),
    Shape(
        "totals of surefire and vitest",
        r"tests run: \d{1,7}, failures: .*|.{1,200} <<< (?:failure|error)!.*|"
        r"test files {1,4}\d{1,6} (?:failed|passed)\b.*|tests {1,4}\d{1,6} (?:failed|passed)\b.*",
        "Tests run: 3, Failures: 1, Errors: 0, Skipped: 0 <<< FAILURE! - in TaxTest",
        "tests failed",
        "tests |<<< |test files",
    ),
    Shape(
        "execution halted",
        r"execution halted|build stopped|aborted",
        "Execution halted",
        "aborted by user",
    ),
    Shape(
        "script of a package manager",
        r"(?:error:? )?command failed with exit code \d{1,5}|"
        r"(?:err_pnpm_recursive_run_first_fail )?elifecycle\b.*|"
        r"(?:error: )?(?:script|recipe|task|command) ['\"]?[\w:.@/ -]{1,80}['\"]? "
        r"(?:exited|failed|was terminated)\b.{0,60}(?:code|status|signal)\b.{0,20}|"
        r"std(?:out|err): already printed|npm (?:err!|error)|"
        r"npm (?:err!|error)[ \t]{1,4}(?:code (?:elifecycle|\d{1,3})|errno \d{1,5}|"
        r"lifecycle script .*|error: command failed|(?:path|workspace|location|signal) .*|"
        r"command failed\b.*|test failed\b.*|"
        r"command (?:sh|bash|cmd|[a-z]:\\|/)\S* .*|in workspace: .*|at location: .*|"
        r"failed at the .*|this is probably not .*|exit status \d{1,5}|\S{1,120}@\S{1,60} "
        r"[\w:.-]{1,60}: .*)",
        'error: script "start" exited with code 1',
        "error: script is missing",
        "elifecycle|script |recipe |task |command |npm err|: already printed",
    ),
    Shape(
        "task of Rake, React Native or Valgrind that gives up",
        r"rake aborted!|command failed with status \(\d{1,3}\).*|tasks: top => .*|"
        r"error failed to (?:install|build|launch) the app\b.*|"
        r"error summary: \d{1,9} errors from .*|"
        r"(?:nx|turbo)\b.{0,40} running target .*|application bundle generation failed\b.*",
        "rake aborted!",
        "rake is missing",
    ),
    Shape(
        "CI job",
        r"(?:error: )?job failed(?: \(system failure\))?: (?:exit|command terminated)\b.*|"
        r"(?:error: )?script returned exit code \d{1,5}|"
        r"finished: (?:failure|success|aborted|unstable)|"
        r"build step .{1,80} marked build as failure|cleaning up (?:project|file) .*|"
        r"exited with code exit status \d{1,5}|the command .{1,200} exited with \d{1,5}|"
        r"(?:bash|cmd|powershell|script) (?:exited|failed) with (?:exit )?code '?\d{1,5}'?|"
        r"(?:the )?process '.{1,200}' (?:failed|exited) with (?:exit )?code \d{1,5}|"
        r"(?:uploading|downloading) (?:artifacts|cache)\b.*|##\[(?:end)?group\].*",
        "ERROR: Job failed: exit code 1",
        "ERROR: Job failed: no runner has the tag gpu",
        "job failed|script returned|finished: |marked build as|cleaning up |exited with|"
        "failed with|loading artifacts|loading cache|##[",
    ),
    Shape(
        "build tool's last word",
        r"ninja: build stopped\b.*|(?:\*\* )?(?:build|archive|test|analyze|clean) "
        r"(?:failed|failure|succeeded)(?: in .{1,20})?(?: \*\*)?|"
        r"the following build commands failed|\(\d{1,4} failures?\)|"
        r"(?:x |\u2717 )?build failed in .*|error during build|(?:one|\w{1,8}) errors? found|"
        r"\(\S{1,60}(?: / \S{1,60})? ?/? ?compile\w{0,40}\) compilation failed|total time: .*|"
        r"finished at: .*|(?:clang|ld|clang\+\+): error: linker command failed\b.*|"
        r"(?:error: )?linker command failed\b.*|"
        r"task: failed to run task .*|"
        r"husky - .{1,80}(?:exited|failed)\b.*|"
        r"lerna err! .{1,120} (?:exited \d{1,3}\b|std(?:out|err)).*|"
        r"(?:error: )?command finished with error: command .*|"
        r"(?:error: )?failed to solve: process .{1,1000} did not complete successfully\b.*|"
        r"dockerfile:\d{1,5}|> ?\[[\w /.-]{1,60}\] run .*|"
        r"compilation error\. see log for more details|"
        r"compilation failed; see the compiler (?:error )?output for details",
        "ninja: build stopped: subcommand failed.",
        "ninja: error: loading 'build.ninja': no such file",
        "build stopped|build fail|archive fail|test fail|analyze fail|clean fail| succeeded|"
        "build commands failed|failure)|failures)|error during build|error found|errors found|"
        "compilation failed|total time: |finished at: |linker command failed|failed to run task |"
        "husky - |lerna err! |command finished with error|failed to solve: |dockerfile:|] run |"
        "compilation error.",
    ),
    Shape(
        "what Gradle says of every failure",
        r"failure: build failed with an exception|\* (?:what went wrong|try|get more help at .*)|"
        r"(?:> )?a failure occurred while executing [\w.$]{1,300}",
        "FAILURE: Build failed with an exception.",
        "Execution failed for task ':app:test'.",
    ),
    Shape(
        "count of errors, by MSBuild",
        r"[\w.-]{1,80} failed with \d{1,6} (?:errors?|warnings?)(?:\(s\))?\b.*",
        "Build failed with 1 error(s) in 2.1s",
        "api failed with code 1",
        " failed with ",
    ),
    Shape(
        "how a tool asks for help to be read",
        r"see '[\w ./-]{1,80} --help'|"
        r"[^:'\"\n]{0,40}['\"][\w./-]{1,80} --help['\"][^:'\"\n]{0,60}",
        "Saisissez 'timeout --help' pour plus de d\u00e9tails.",
        "see the manual",
    ),
    Shape(
        "recap of Ansible",
        r"play recap \*+|(?:\S{1,200}[ \t]+: )?ok=\d{1,6}[ \t]+changed=\d{1,6}[ \t].*",
        "ok=0    changed=0    unreachable=0    failed=1",
        "play recap",
        "play recap|ok=",
    ),
    Shape("calls of R", r"calls: .{1,400} -> .*", "Calls: report -> plot", "calls: 3"),
    Shape(
        "tar's last word",
        r"tar: (?:child returned status \d{1,3}|error is not recoverable: exiting now|"
        r"beende mit fehlerstatus aufgrund vorheriger fehler|"
        r"arr\u00eat avec code d'\u00e9chec \u00e0 cause des erreurs pr\u00e9c\u00e9dentes|"
        r"se sale con estado de fallo debido a errores anteriores)",
        "tar: Error is not recoverable: exiting now",
        "tar: a: Cannot open",
    ),
    Shape(
        "end of a process of Phoenix",
        r"(?:\[error\] )?#pid<[\d.]{1,20}> running .{1,200} terminated|"
        r"\*\* \(exit\) an exception was raised",
        "** (exit) an exception was raised:",
        "** (exit) killed",
        "#pid<|(exit)",
    ),
    Shape(
        "heads and ends of test runners and hooks",
        r"(?:fail|error): test\w* \([\w.]{1,200}\)|failed \((?:failures|errors)=\d.*|offenses|"
        r"failed to compile|- (?:hook id|exit code|duration): .{1,60}|"
        r"- files were modified by this hook|"
        r"a javascript error occurred in the main process|uncaught exception",
        "FAIL: test_total (tests.test_cart.CartTests)",
        "FAIL: the total is wrong",
    ),
    Shape(
        "result of a hook",
        r".{1,80}\.{5,200}(?:\(no files to check\))?(?:failed|passed|skipped)",
        "ruff.....................................................................Failed",
        "it failed",
        ".....",
    ),
    Shape(
        "prompt in the middle of a line",
        r".{0,60}\$ \./.*",
        "ci@build:~/shop$ ./test.sh",
        "cost: $ 5",
        "$ ./",
    ),
    Shape(
        "last word of Microsoft's linker",
        r"\S{1,80} ?: fatal error lnk1120: .*",
        "main.exe : fatal error LNK1120: 1 unresolved externals",
        "main.obj : error LNK2019: x",
        "lnk1120",
    ),
    Shape(
        "level of a log, alone",
        r"\[?(?:error|fatal|warning|warn)\]?",
        "[ERROR]",
        "error 5",
    ),
    Shape(
        "note of gcc that explains its rule",
        r"\S{1,300}: note: each undeclared identifier is reported only once.*",
        "a.c:3:9: note: each undeclared identifier is reported only once for each function",
        "a.c:3:9: note: declared here",
        "each undeclared identifier",
    ),
    Shape(
        "table of Django's debug page",
        r"(?:request (?:method|url)|django version|exception (?:type|value|location)|"
        r"python (?:executable|version|path)|server time):.*",
        "Exception Type:\tOperationalError",
        "exception: type",
    ),
    Shape(
        "details of gRPC that say the same again",
        r"debug_error_string = .*",
        'debug_error_string = "UNKNOWN:Error received from peer"',
        "details = 'x'",
    ),
    Shape(
        "docker info that tells no more",
        r"errors pretty printing info",
        "errors pretty printing info",
        "errors printing info",
    ),
)
"""Whole lines, tested without case, leading and trailing punctuation."""

TAG = r"(?:\[?(?:error|fatal)\]:?[ \t]{1,4})?"
"""What Maven puts in front of every line of an error."""

BEFORE = r"(?:==\d{1,9}==)?[^\w\[<>$+.\u2026=-]{0,20}" + TAG
AFTER = r"[ \t.:!)\]]{0,20}$"
"""What may stand around a trailer."""

_TRAILERS = Shapes(TRAILERS, BEFORE, AFTER)


def is_trailer(line: str) -> bool:
    """Whether a stripped line is one that is printed after an error, and says nothing of it."""
    return _TRAILERS.match(line.casefold()) is not None
