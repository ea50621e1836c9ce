"""Lines of progress, of advice, and lines that many faults end in.

Rule of this module: a row names one kind of casefolded line that says nothing about what failed. A
row that could swallow the only line that names the fault is wrong; readers fall back to the
swallowed lines when nothing else is left.
"""

from functools import lru_cache

from reflection_mcp.tools.identity.rule import Shape, Shapes
from reflection_mcp.tools.identity.verdicts.trailers import TAG

NOISE: tuple[Shape, ...] = (
    Shape(
        "log line below a warning",
        r"\[?(?:info|debug|trace|verbose|notice)\b(?!['\"=]|\] (?:pmd|cpd) failure: )",
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
    Shape(
        "heading of a list of pods or containers",
        r"(?:namespace[ \t]+)?name[ \t]+ready[ \t]+status[ \t]|container id[ \t]+image[ \t]",
        "NAME    READY   STATUS             RESTARTS   AGE",
        "name is ready",
    ),
    Shape(
        "what pnpm and yarn note of their course",
        r"progress: resolved \d|packages: [+-]\d|packages are (?:hard linked|copied|cloned) from |"
        r"(?:content-addressable|virtual) store is at: |(?:dev|optional)?dependencies:$|"
        r"[+-] \S{1,100} v?\d{1,6}\.\d{1,6}\.\d[\w.+-]{0,40}$|"
        r"yarn (?:run|install|add|remove|upgrade|exec) v\d|warning \S{1,100}: no license field",
        "Progress: resolved 12, reused 9, downloaded 3, added 12",
        "progress: none",
    ),
    Shape(
        "count of a harness, or property that has no value, by Node",
        r"(?:[#\u2139] |<!-- )(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) "
        r"{1,2}\d|['\"]?[a-z_$][\w$-]{0,40}['\"]?: undefined,?$",
        "# fail 1",
        "# failed 1",
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
        "what was deprecated, by Node, Python or pip",
        r"\(node:\d{1,8}\) (?:\[\w{3,40}\] )?\w{0,40}warning: |\(use `?'?node --trace-\w+|"
        r"deprecation: |(?:user|deprecation|future)warning: |warnings\.warn\(",
        "(node:31) [DEP0040] DeprecationWarning: x",
        "(node) error: x",
    ),
    Shape(
        "warning of an installer",
        r"warning: (?:running pip as|the scripts? |you are using pip|apt does not have|"
        r"retrying \(retry|ignoring invalid distribution|package\.json)|debconf: |warn\[\d{1,6}\] |"
        r"warning (?:package\.json|\S{1,100} > )|browserslist: caniuse",
        "WARNING: Running pip as the 'root' user can result in broken permissions",
        "warning: unused variable: x",
    ),
    Shape(
        "warning of a terminal or of git about itself",
        r"warning: (?:setlocale|setting locale|in the working copy of |lf will be replaced|"
        r"crlf will be replaced)|mesg: ttyname|stdin: is not a tty|perl: warning: ",
        "perl: warning: Setting locale failed.",
        "perl: x: command not found",
    ),
    Shape(
        "warning of a program that names itself first",
        r"\S{1,40}: (?:warning: (?:setlocale|setting locale|here-document)|cannot set terminal "
        r"process group|no job control in this shell)|\S{1,300}\.py:\d{1,7}: "
        r"\w{0,40}(?:deprecation|dependency|future|user)warning: ",
        "bash: warning: setlocale: LC_ALL: cannot change locale (en_US.UTF-8)",
        "bash: x: command not found",
    ),
    Shape(
        "warning of a virtual machine about itself",
        r"picked up \w{0,20}java_\w{0,20}options:|openjdk .{0,20} vm warning:|"
        r"java hotspot.{0,30} warning:|slf4j: |log4j:warn |warning: (?:an illegal reflective|"
        r"illegal reflective|please consider reporting|use --illegal-access|all illegal access|"
        r"sun\.|the requested image's platform)|\[warning\] (?:using platform encoding|"
        r"some problems were)|some problems were encountered while building",
        "SLF4J: Defaulting to no-operation (NOP) logger implementation",
        "java.lang.Error: x",
    ),
    Shape(
        "server of a developer that is up",
        r"\[[\w-]{1,40}\] (?:project is running|content not from|(?:server )?(?:started|listening)|"
        r"watching|starting|restarting|compiled|on your network|loopback)|"
        r"debugger (?:attached|listening)|waiting for the debugger|vite v[\d.]{1,12} |"
        r"i\d{4} \d\d:\d\d:\d\d\.\d{1,9} ",
        "[webpack-dev-server] Project is running at: http://localhost:8080/",
        "[webpack-dev-server] Error: x",
    ),
    Shape(
        "time that a command took",
        r"(?:real|user|sys)[ \t]+(?:\d{1,5}m)?\d{1,5}[.,]\d{1,3}s?[ \t]*$|"
        r"[\d.]{1,12}user [\d.]{1,12}system [\d:.]{1,12}elapsed|"
        r"\(?[\d+]{1,20}(?:in|avg)puts\+|(?:done|finished|completed) in [\d.,]{1,8} ?m?s\b",
        "real\t0m12.331s",
        "real world: 12 s",
    ),
    Shape(
        "summary of Valgrind",
        r"(?:==\d{1,9}==)?[ \t]*(?:memcheck, a memory error|copyright \(c\) \d{4}-|using valgrind-|"
        r"command: \./|heap summary:|in use at exit: |total heap usage: |leak summary:|"
        r"(?:definitely|indirectly|possibly) lost: |still reachable: |suppressed: \d|"
        r"rerun with --|for lists of detected|use --track-origins|error summary: \d)",
        "==6749==   total heap usage: 1 allocs, 0 frees, 40 bytes allocated",
        "==6749== Invalid read of size 4",
    ),
    Shape(
        "where the whole of it was written",
        r"(?:an? |the )?(?:(?:full|complete|whole|detailed|saved|wrote|more|debug|entire) ){0,3}"
        r"(?:logs?|report|output|details|trace)(?: files?)?(?: of this run)?"
        r"(?: (?:can be|is|was|are|were|has been|have been))?"
        r"(?: (?:found|saved|written|stored|available|recorded|logged))? (?:in|at|to|under):? "
        r"['\"]?[~./\w]*[/\\]\S{1,300}$",
        "Saved full log to /tmp/log.txt",
        "logs in the queue",
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
        "cause that an operating system gives",
        r"(?:name or service not known|temporary failure in name resolution|no such host is known|"
        r"nodename nor servname provided, or not known|name does not resolve|permission denied|"
        r"no such file or directory|file exists|is a directory|not a directory|access is denied|"
        r"no space left on device|device or resource busy|operation not permitted|broken pipe|"
        r"input/output error|read-only file system|too many open files|cannot allocate memory|"
        r"resource temporarily unavailable|address already in use|network is unreachable|"
        r"no route to host|connection refused|connection reset by peer|invalid argument|"
        r"(?:connection|operation) timed out|text file busy|argument list too long|"
        r"exec format error|directory not empty|file name too long|function not implemented)",
        "name or service not known",
        "permission denied for table orders",
    ),
    Shape(
        "program that aborted itself, by a shell",
        r"aborted \.{0,2}/\S.*",
        "aborted ./indexer --all",
        "aborted connection 7 to db",
        "aborted ",
    ),
    Shape(
        "compilation that failed, for whatever cause",
        r"compilation failed; see the compiler .*",
        "compilation failed; see the compiler error output for details",
        "compilation failed for account a",
        "compilation failed",
    ),
    Shape(
        "memory that a virtual machine wrote down",
        r"dumping heap to .*|heap dump file created.*",
        "dumping heap to java_pid1.hprof <cut>",
        "dumping heap failed",
        "heap",
    ),
    Shape(
        "Playwright that wants its browsers",
        r"looks like playwright (?:test or playwright )?was just installed or updated|"
        r"please run the following command to download new browsers",
        "looks like playwright was just installed or updated",
        "looks like playwright is old",
        "browsers|playwright",
    ),
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
        r"npm error (?:code elifecycle|command failed)",
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
        "advice of Node and ESLint",
        r"instead (?:change|rename) |require\(\) of (?:es modules is not supported|\S{1,300} from "
        r"\S{1,300} is an es module file as it is )|oops! something went wrong|it's likely that |"
        r"the package ['\"].{1,120}['\"] was not found when loaded as a node module from ",
        "Oops! Something went wrong! :(",
        "require() of es module a.js not supported",
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


_GENERIC = Shapes(GENERIC, after="$")
_NOISE = Shapes(NOISE, before=r"[ \t]{0,80}+" + TAG)
_HINTS = Shapes(HINTS, before=r"[\W_]{0,20}+" + TAG)


@lru_cache(maxsize=512)  # the lines of a text are held against each of the candidates
def is_generic(line: str) -> bool:
    """Whether a masked line is one that many causes end in."""
    return _GENERIC.match(line) is not None


def is_noise(line: str) -> bool:
    """Whether a line is progress or a log line below a warning."""
    return _NOISE.match(line.casefold()) is not None


def is_hint(line: str) -> bool:
    """Whether a line is advice."""
    return _HINTS.match(line.casefold()) is not None
