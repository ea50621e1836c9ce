"""What the runner of a program says when the program has failed.

Rule of this module: a row names how an outer process reports an end (a container, a service, a job,
a step), whatever ended and why. Such a line is never the message while anything else is told;
readers fall back to it when nothing else is left.
"""

from reflection_mcp.tools.identity.rule import Shape, Shapes
from reflection_mcp.tools.identity.verdicts.bookkeeping import BOOKKEEPING

_ENDED = (
    r"(?:exit(?:s|ed)?|terminated|ended|finished|completed|failed|quit|died|crashed|stopped|"
    r"returned|killed)"
)
_STATUS = (
    r"(?:\w{1,20}[ -])?(?:code|status|signal)[:=]? {0,2}[\[('\"]?(?:-\d{1,10}|\d{4,10}|25[0-5]|"
    r"2[0-4]\d|1\d\d|\d{1,2}(?!\d)|0x[0-9a-f]{1,16}|sig[a-z]{2,10})(?:/[\w/]{1,20})?[\])'\"]?"
    r"(?:,? (?:via|by|and|with) signal.{0,20})?"
)
"""A code from 256 to 999 is no exit code but the status of a reply."""

_RUN = r"(?:build|job|step|stage|task|pipeline|workflow|deploy(?:ment)?|check|run|test|ci)"

ENDINGS: tuple[Shape, ...] = (
    Shape(
        "program that ended with a code",
        r"(?:error: )?[^:\n]{1,160}? (?:has |was |had )?" + _ENDED + r",?:? (?:with |by |on |via )?"
        r"(?:an? )?(?:(?:non-?zero )?" + _STATUS + r"|(?<=exited with )-?\d{1,5})",
        "proxy-1 exited with code 1",
        "proxy-1 exited",
        " code|-code| status|-status| signal|-signal|exited with ",
    ),
    Shape(
        "process of a process manager",
        r"[\w.@/-]{1,60} (?:started|stopped|terminated|killed) \((?:pid|rc|code|signal)[=: ]{1,2}"
        r"-?\w{1,10}\)|sending sig[a-z]{3,6} to .{1,80}",
        "worker.1 stopped (rc=-15)",
        "worker.1 stopped (out of memory)",
        "started (|stopped (|terminated (|killed (|sending sig",
    ),
    Shape(
        "record that tells of no failure",
        r"(?:time|ts)=\S{1,60} level=(?:info|debug|trace) .*|error: exit (?:status|code) \d{1,5}",
        'time="2026-03-01T12:00:00Z" level=info msg="sub-process exited"',
        'time="2026-03-01T12:00:00Z" level=error msg="exited"',
        " level=|exit status |exit code ",
    ),
    Shape(
        "pm2's guard of a program",
        r"(?:pm2 {0,12}\| )?(?:app|script) .{1,300} (?:exited with code \[.*|had too many unstable "
        r"restarts\b.*|starting in -?\w{1,12} mode-?|online)",
        'Script /srv/server.js had too many unstable restarts (16). Stopped. "errored"',
        "Script server.js is missing",
        "exited with code [|unstable restarts| mode| online",
    ),
    Shape(
        "unit of systemd",
        r"[\w@.\\:-]{1,100}\.(?:service|scope|mount|socket|timer|slice): (?:(?:main|control) "
        r"process exited, .*|failed with result .*|unit entered failed state|scheduled restart "
        r"job.*|start request repeated too quickly|consumed .*|deactivated successfully|"
        r"service (?:hold-off|restartsec).*|triggering onfailure.*|succeeded)",
        "maze.service: Main process exited, code=exited, status=101/n/a",
        "maze.service: Failed to execute command: No such file or directory",
        ".service: |.scope: |.mount: |.socket: |.timer: |.slice: ",
    ),
    Shape(
        "state of a unit of systemd",
        r"loaded: (?:loaded|not-found|masked|error|bad-setting)\b.*|"
        r"active: (?:failed|inactive|active|activating)\b.*|"
        r"process: \d{1,9} exec\w{1,20}=.*|main pid: \d{1,9} \(.*",
        "Active: failed (Result: exit-code) since Sun 2031-05-04 03:02:01 CEST; 3s ago",
        "active: no such unit",
        "loaded: |active: |process: |main pid: ",
    ),
    Shape(
        "frame of a call of a Lambda",
        r"(?:start|end|report)(?: requestid: \S{1,60})?"
        r"(?: version: .{1,60}|[ \t]+duration: .{1,300})?|xray traceid: .*|"
        r"init_start runtime version: .*",
        "REPORT RequestId: 4f1c\tDuration: 344.50 ms\tBilled Duration: 896 ms",
        "start version 2",
        "start|end|report|xray|init_start",
    ),
    Shape(
        "frame of a pipeline",
        r"\[pipeline\] .*|\[(?:section|command|debug|(?:end)?group)\].*|"
        r"stage ['\"].{1,120}['\"] skipped due to .*|(?:starting|finishing|finished|already have|"
        r"pulling|pushing)[: ](?:step|job|task|stage|image|phase)\b.*|"
        r"section_(?:start|end):.*|::(?:end)?group(?:::.*)?|"
        r"(?:error: )?build step \d{1,4} .* failed: .*|"
        r"(?:error: )?phase (?:context status code|complete): .*",
        "[Pipeline] // stage",
        "pipeline is missing",
        "[pipeline|[section|section_|[command|[debug|group]|::group|::endgroup|stage|step|job|"
        "task|phase|image",
    ),
    Shape(
        "command to a runner, in the output",
        r"(?:(?:end)?group|debug|notice|add-mask|set-output|save-state|(?:add|remove)-matcher|"
        r"stop-commands)(?: [^:\n]{1,200})?::.*|travis_(?:fold|time):(?:start|end):.*|"
        r"##teamcity\[(?:block(?:opened|closed)|progress\w{5,7}|flow\w{7,8}|"
        r"test\w{0,10}(?:started|finished))\b.*",
        "::group::output of the failed step",
        "group: not found",
        "::|travis_|teamcity[",
    ),
    Shape(
        "result of a run, in a word",
        r"(?:[\w-]{1,30} ){0,2}" + _RUN + r"(?: [\w-]{1,30})? ?(?:status|result|outcome|conclusion|"
        r"state) ?(?::|=|is|->)? {0,4}['\"]?(?:failed|failure|error(?:ed)?|unsuccessful|aborted|"
        r"cancel+ed|unstable|broken)['\"]?(?: \(-?\d{1,6}\))?",
        "pipeline status: failed (1)",
        "order status: failed",
        "status|result|outcome|conclusion|state",
    ),
    Shape(
        "report of it that was sent",
        r"(?:\[[\w-]{1,30}\]:? {0,4}|[\w-]{1,30}: )?(?:posted|sent|sending|posting|notified|"
        r"notifying|delivered|e?-?mailed|reported|reporting)\b[^:'\"\n]{0,80} (?:to|via|on|in|by) "
        r"(?:#[\w-]{1,60}|@[\w-]{1,60}|(?:the )?(?:slack|teams|discord|telegram|mattermost|"
        r"pagerduty|opsgenie|sentry|e?-?mail|webhook|github|gitlab)(?: (?:channel|webhook|api))?)|"
        r"(?:slack |e?-?mail |status )?(?:notification|alert|e?-?mail)s? (?:was |were |has been )?"
        r"(?:posted|sent|delivered)"
        r"(?: to \S{1,80})?|(?:uploaded|downloaded|saved|archived|restored|cached) \d{1,6} "
        r"(?:files?|artifacts?|objects?|items?)",
        "[notify] posted status=failure to #builds",
        "sent an invalid request to the billing service",
        "posted|posting|sent|sending|notif|deliver|mail|report|loaded |saved |archived |restored |"
        "cached ",
    ),
    Shape(
        "stage of a runner of GitLab",
        r"running with gitlab-runner .*|preparing (?:the ['\"].{1,40}['\"] executor|environment)|"
        r"executing ['\"].{1,60}['\"] stage of the job script|getting source from git repository|"
        r"(?:running on|using) .{1,100} via .{1,100}",
        'Preparing the "shell" executor',
        'preparing the "shell"',
        "gitlab-runner| executor|environment|of the job script|getting source| via ",
    ),
    Shape(
        "head of a session of pytest",
        r"platform \w{3,10} -- python .*|(?:plugins|rootdir|configfile|testpaths|cachedir|"
        r"metadata|inifile): \S.*|asyncio: mode=.*|hypothesis profile ['\"].*|"
        r"using --randomly-seed=.*|collect(?:ing \.\.\. collected|ed) \d{1,6} items?\b.*|"
        r"\d{1,4} workers? \[.*|created: \d{1,4}/\d{1,4} workers?",
        "plugins: timeout-2.4.0, xdist-3.8.0",
        "plugins failed to load",
        "platform |plugins: |rootdir: |configfile: |testpaths: |cachedir: |metadata: |inifile: |"
        "asyncio: |hypothesis |randomly|collect|worker",
    ),
    Shape(
        "next thing that a runner does",
        r"(?:now |will be )?(?:rolling back|roll(?:ed|s) back|cleaning up|shutting down|restarting|"
        r"retrying|trying again|tearing down|giving up|backing off|back-off|reconnecting|"
        r"gracefully stopping|aborting on container exit|attaching to|booting worker|"
        r"worker exiting)\b[^:'\"=]{0,60}(?:\(pid: \d{1,8}\)|with pid: \d{1,8})?",
        "Retrying in 5 seconds (attempt 2 of 3)",
        "Retrying failed: connection refused",
        "ing |ing.|back|restarting|retrying|reconnecting|gracefully stopping|exiting",
    ),
    Shape(
        "attempt that failed",
        r"(?:(?:warn(?:ing)?|error|info):? )?(?:attempt|retry|retrying)[ #:(]{0,3}\d{1,4}"
        r"(?: ?/ ?\d{1,4}| of \d{1,4})?\)?(?: (?:has )?(?:failed|in|after|of)\b[^:'\"]{0,60})?",
        "WARN attempt 1/3 failed, retrying in 2s",
        "attempt 1 failed: connection refused",
        "attempt|retry",
    ),
    Shape(
        "frame of BuildKit",
        r"#\d{1,4} (?:\[[^\]\n]{1,80}\] .*|done\b.*|cached|canceled|sha256:.*|transferring .*|"
        r"(?:error: )?process .*)",
        "#16 [builder 5/7] RUN poetry install",
        "#16 is open",
        "#",
    ),
    Shape(
        "record of an access",
        r"(?:[\w.:-]{1,80} )?\S{1,60} \S{1,60} \S{1,60} \[\d{1,2}/\w{3}/\d{4}[ :][\d:]{8}"
        r"[^\]]{0,8}\] \"[^\n]{1,2000}|\[pid: \d{1,8}\|app: .*|"
        r"[\d.]{7,15}:\d{1,5} - \"[a-z]{3,7} \S{1,800} "
        r"http/[\d.]{1,4}\" \d{3}\b.*|(?:completed \d{3} \D{2,40} in|started [a-z]{3,7} "
        r"\"\S{1,800}\" for|processing by \w{1,80}#\w{1,80} as) ?.*",
        '127.0.0.1 - - [04/Feb/2026 09:12:20] "GET /cart HTTP/1.1" 500 -',
        'cannot parse "GET /cart HTTP/1.1"',
        "/\\d\\d\\d\\d|[pid: |http/|completed |started |processing by ",
    ),
    Shape(
        "test in a list of tests",
        r"(?:\d{1,5}\)? {1,3})?\[\w[\w .-]{0,40}\] [\u203a'>] .{1,400}|"
        r"(?:[\w./-]{1,200}\.\w{1,5} {1,3})?\(\d{1,6} tests?(?: \| \d{1,6} \w{4,8}){1,3}\).{0,20}|"
        r"[\u2716-\u2718\u00d7\u2713-\u2715] {1,4}.{1,300} \(?\d{1,7}(?:\.\d{1,9})? ?m?s\)?|"
        r"\d{1,6}/\d{1,6} test {1,3}#\d{1,6}: .*|test \S{1,200} \.\.\. (?:failed|ok|ignored)|"
        r"\d{1,6} - \S{1,200} \((?:failed|timeout|not run|subprocess aborted|segfault)\)|"
        r"\u23af{3,} failed tests \d{1,6} \u23af{3,}|"
        r"\[(?: {2,}(?:failed|ok|passed)| *(?:-{2,10}|={2,10})) *\].*",
        "\u2718  1 [chromium] \u203a login.spec.ts:5:5 \u203a user can log in (12ms)",
        "login.spec.ts failed after 12ms",
        "] \u203a |] ' |] > |tests |\u2716|\u2718|\u2717|\u00d7|\u2713|\u2714|\u2715|test |"
        "(failed)|(timeout)|(not run)|(subprocess aborted)|(segfault)|[  |[ -|[ =|[-|[=",
    ),
    Shape(
        "what Vagrant, Capistrano and Ruby add",
        r"the ssh command responded with a non-?zero exit status.*|assumes that this means the "
        r"command failed.*|should be in the log above.*|"
        r"\d\d:\d\d [a-z_]{2,40}(?::[a-z_]{2,40}){1,4}|"
        r"[\u2714\u2718] 0\d \S{1,100}@\S{1,100} .*|#<thread:.{1,200}> terminated with exception "
        r"\(report_on_exception .*",
        "assumes that this means the command failed. The output for this command",
        "the ssh command failed",
        "ssh command responded|assumes that this|in the log above|\\d:\\d\\d |#<thread:|"
        "\u2714 0|\u2718 0",
    ),
    Shape(
        "what ssh and docker say of themselves",
        r"warning: permanently added .{1,200} to the list of known hosts|(?:shared )?connection to "
        r"\S{1,100} closed|unable to find image '[^'\n]{1,200}' locally|digest: sha256:.*|"
        r"status: (?:downloaded newer image|image is up to date) .*|\S{1,100}: pulling from .*|"
        r"debug[123]: .*|pseudo-terminal will not be allocated .*",
        "Unable to find image 'shop:1' locally",
        "unable to find image shop",
        "permanently added|connection to |unable to find image |sha256:|status: |pulling from|"
        "debug1|debug2|debug3|pseudo-terminal",
    ),
    Shape(
        "what Bazel, tox and nox add",
        r"(?:error: )?\S{1,300}/build(?:\.bazel)?:\d{1,6}:\d{1,6}: .{1,300} failed: "
        r"\(exit \d{1,4}\): .*|"
        r"target \S{1,300} failed to build|use --(?:verbose_failures|sandbox_debug) .*|"
        r"(?:failed: |error: )?build did not complete successfully.*|nox > .*|"
        r"\S{1,60}: (?:exit -?\d{1,5} \([\d.]{1,12} seconds\).*|fail code \d{1,5} .*|"
        r"commands(?:_pre|_post)?\[\d{1,4}\]> .*)|evaluation failed :\(.*",
        "py311: exit 1 (0.52 seconds) /w> pytest -q pid=4411",
        "py311: exit is missing",
        "failed: (exit|failed to build|use --|build did not|nox > |: exit |: fail code|: commands|"
        "evaluation failed",
    ),
    Shape(
        "task of Ansible and its result",
        r"\{'action': '.{1,4000}|[\w.@-]{1,100} \| (?:failed!?|unreachable!?|changed|success)"
        r"(?: \| rc=\d{1,4})? (?:>>|=> ?\{?)|origin: <adhoc .{1,60}> task",
        "localhost | FAILED | rc=2 >>",
        "localhost | failed to connect",
        "{'action': '| >>| =>|origin: <adhoc",
    ),
    Shape(
        "what a debugger says before it shows the stack",
        r"(?:program|thread \S{1,60}(?: \S{1,80})?) received signal sigabrt, aborted|"
        r"\d{1,7}\t(?:in \S{1,200}\.\w{1,3}|\S{1,200}\.\w{1,3}: no such file or directory)|"
        r"\[(?:thread debugging using|inferior \d|new thread |switching to thread |"
        r"current thread is ).*|using host libthread_db library .*|(?:warning: )?"
        r"(?:missing|unable to find) (?:separate debuginfo|dynamic linker breakpoint).*|"
        r"(?:==\d{1,9}==[ \t]*)?process terminating with default action of signal 6 \(sigabrt\).*|"
        r"\((?:gdb|lldb)\) .*|"
        r"__\w{1,80} \(.{0,300}\) at \S{1,200}",
        "Program received signal SIGABRT, Aborted.",
        "program received signal sigsegv, segmentation fault",
        "received signal|\\d\t|[thread|[inferior|[new thread|[switching|[current thread|"
        "libthread_db|separate debuginfo|linker breakpoint|sigabrt|(gdb) |(lldb) |__",
    ),
    Shape(
        "where Ansible looks",
        r"the error appears to (?:be|have been) in .*|be elsewhere in the file depending on .*|"
        r"the offending line appears to be|\^ here|no config file found; using defaults|"
        r"skipping callback '\w{1,40}', as .*|configured module search path = .*",
        "The offending line appears to be:",
        "the offending line",
        "error appears to|depending on|offending line|^ here|no config file|skipping callback|"
        "module search path",
    ),
    Shape(
        "last word of Stack and rsync",
        r"error: \[s-\d{3,5}\]|stack failed to execute the build plan|"
        r"rsync error: .{1,120} \(code \d{1,3}\) at \S{1,80}\(\d{1,6}\) \[.*",
        "Stack failed to execute the build plan.",
        "stack failed",
        "[s-|execute the build plan|rsync ",
    ),
)
"""Whole lines, casefolded, without leading and trailing punctuation."""

_WORK = (
    r"(?:build|job|step|stage|task|pipeline|workflow|deploy(?:ment)?|compilation|compile|"
    r"install(?:ation)?|tests?|test run|run|script|restore|execution|operation|migration|"
    r"upload|download|release|import|process|start-?up|initiali[sz]ation|following tests|boot|"
    r"request|command|application|app|program|server|service|publish|provisioning|update|upgrade|"
    r"sync|checks?|"
    r"validation|lint(?:ing)?|type ?check(?:ing)?|plan|apply)"
)
EMPTY: tuple[Shape, ...] = (
    Shape(
        "that something failed",
        r"(?:the |your |a )?(?:\w{1,20} )?" + _WORK + r"(?: run)? (?:has |was |is |did |had )?"
        r"(?:failed|failure|error|errors?|aborted|cancell?ed|unsuccessful|not succeed|"
        r"completed unsuccessfully|crashed|stopped|failed to (?:start|run|complete|build))",
        "COMPILATION ERROR :",
        "test_total failed",
        "fail|error|abort|cancel|success|succeed|crash|stopped",
    ),
    Shape(
        "that one of several steps failed, by its name",
        r"(?:[\w./-]{1,60} - )?(?:step|job|stage|pipeline|workflow) ['\"]?[\w./:-]{1,60}['\"]? "
        r"(?:has |was |did )?(?:failed|not finish|not succeed|aborted|cancell?ed)",
        "step 'stage-2' failed",
        "step 'stage-2' failed: no such file",
        "step|job|stage|pipeline|workflow",
    ),
    Shape(
        "that something could not be done, without a word why",
        r"(?:an |one or more )?(?:unhandled |unexpected |unknown |fatal |internal |critical |"
        r"uncaught |following ){0,2}"
        r"(?:error|exception|errors|problem)s?(?: was| were| has)?(?: occurred| happened|"
        r" thrown| detected| found| encountered| raised| (?:been )?caught| been thrown)?"
        r"(?: (?:in|while|during|when) [\w /.,:<>'\"()-]{1,120})?",
        "An error occurred while processing the request",
        "error: no such file",
        "error|exception|problem",
    ),
    Shape(
        "count of modules, by GHC",
        r"failed, (?:\w{1,12}|\d{1,5}) modules? (?:loaded|reloaded).*",
        "Failed, two modules loaded.",
        "failed, no module a",
        "failed, ",
    ),
    Shape(
        "restore of NuGet that failed, for whatever cause",
        r"failed to restore \S{1,300}\.\w{1,8}proj\b.*",
        "Failed to restore /src/Shop.csproj (in 412 ms).",
        "failed to restore the backup",
        "failed to restore",
    ),
    Shape(
        "task of Gradle that failed",
        r"(?:> )?task :\S{1,200} failed",
        "> Task :app:compileJava FAILED",
        "Execution failed for task ':app:test'.",
        "task :",
    ),
    Shape(
        "help of Maven",
        r"(?:\[error\] )?-> \[help \d{1,2}\]|\[help \d{1,2}\] https?:.*",
        "[ERROR] -> [Help 1]",
        "[ERROR] no pom",
        "[help ",
    ),
)
"""Lines that tell of a failure and nothing of it: no headline while another line is one."""

ALL_ENDINGS = (*ENDINGS, *BOOKKEEPING)
BEFORE = r"[^\w\[<>$+.\u2026=-]{0,20}"
AFTER = r"[ \t.:!)\]]{0,20}$"
"""What may stand around an ending."""

_EMPTY = Shapes(EMPTY, before=r"[^\w\[-]{0,20}(?:\[?(?:error|fatal)\]?:?[ \t]{1,4})?", after=AFTER)


def is_empty(line: str) -> bool:
    """Whether a stripped line says that something failed, and not what."""
    return _EMPTY.match(line.casefold()) is not None
