"""What those who run a program note for themselves: queues, orchestrators, build services, guards.

Rule of this module: a row names a record that would be written whatever the program had said, and
that names no cause. Such a line is never the message while anything else is told; readers fall
back to it when nothing else is left.
"""

from reflection_mcp.tools.identity.rule import Shape

_NAME = r"['\"]?[\w.:\\/@-]{1,120}['\"]?"
_OF_RUN = r"(?:[a-z]{2,12} run ['\"][\w.:-]{1,80}['\"] - )?"
_STATE = (
    r"(?:pending|queued|scheduled|starting|started|running|up|down|idle|retry(?:ing)?|"
    r"up_for_retry|awaiting_?retry|failed|failure|crashed|stopped|stopping|exited|terminated|"
    r"errored|error|fatal|backoff|dead|canceled|cancelled|completed|complete|success|succeeded|"
    r"finished|offline|online|unhealthy|skipped|upstream_failed)"
)

_FIELDS = r"[.,;]?(?:[ ,;]{1,3}\w{1,40}=[^\s,;]{1,200}){0,20}"
"""What is told of it by names; a sentence may be the reason."""

BOOKKEEPING: tuple[Shape, ...] = (
    Shape(
        "change of a state",
        r"(?:[\w ./-]{1,80} )?(?:state|status) (?:has )?(?:changed|transition(?:ed|ing)?|moved|"
        r"went)(?: state)?(?: from ['\"]?"
        + _STATE
        + r"['\"]?)? (?:to|->|=>) ['\"]?"
        + _STATE
        + r"['\"]?|"
        + _OF_RUN
        + r"(?:finished|ended|entered|completed) in state ['\"]?"
        + _STATE
        + r"(?:\('(?:task|flow) run encountered an exception\.?'\)?)?['\")(]{0,4}|"
        r"(?:[\w .-]{1,60}: )?" + _NAME + r" entered " + _STATE + r" state\b.{0,100}",
        "State changed from up to crashed",
        "state changed from up to 'no such slot'",
        "state |status | entered ",
    ),
    Shape(
        "mark that was put on a task",
        r"(?:marking|marked|setting|set) (?:the )?(?:task|job|run|step|flow|dag|instance|message)"
        r"(?: run)?(?: instance)?(?: " + _NAME + r")? (?:as|to) " + _STATE + _FIELDS,
        "Marking task as UP_FOR_RETRY. dag_id=nightly, task_id=load",
        "marking task as unreachable: timed out",
        "marking |marked |setting |set ",
    ),
    Shape(
        "move of a job to another queue",
        r"(?:moving|moved|adding|added|sending|sent|pushing|pushed)(?: (?:job|message|task))?"
        r"(?: "
        + _NAME
        + r")? to (?:the )?(?:dead[ -]?(?:letter|set|jobs?)?|failed[ -]?(?:queue|jobs?|"
        r"set|registry)?|failedjobregistry|retry)(?: (?:queue|set|exchange|registry))?"
        r"(?: \(.{1,120}\))?(?: after .{1,60})?",
        "Moving job to FailedJobRegistry (work-horse terminated)",
        "moved to a host that refused",
        " to dead| to failed| to retry| to the ",
    ),
    Shape(
        "that a task met an exception",
        r"(?:the )?(?:task|job|step|flow|activity|worker|workflow|handler|consumer|dag)(?: run)?"
        r"(?: " + _NAME + r")? (?:(?:has |was )?(?:failed|raised|threw|met|encountered|aborted)"
        r"(?: with| due to| because of)? an? (?:unhandled |unexpected )?(?:exception|error)|"
        r"failed with (?:exception|error))(?: during execution)?",
        "Task failed with exception",
        "task failed with exception: no such table",
        "task |job |step |flow |activity |worker |handler |consumer |dag ",
    ),
    Shape(
        "exception that was met while a task ran",
        _OF_RUN + r"(?:encountered|caught|got|met|raised) (?:an? )?(?:unhandled |unexpected )?"
        r"(?:exception|error) (?:during|while|when|in) (?:the )?"
        r"(?:execution|executing|running|processing|performing)(?: (?:of )?[\w ]{1,40})?|"
        r"(?:task|future) exception was never retrieved",
        "Encountered an exception during execution:",
        "encountered an exception during execution: no such table",
        "encountered |caught |got |met |raised |exception was never",
    ),
    Shape(
        "retry that is planned",
        r"(?:will )?(?:retry|retries|next retry|next attempt)(?: #?\d{1,4})?(?:/\d{1,4})?"
        r"(?: (?:will )?(?:start|be performed|begin|run|scheduled))? (?:in|at|after) \d.{0,80}|"
        + _OF_RUN
        + r"(?:task|flow|job)(?: run)? (?:(?:encountered|met) an|failed with) exception(?: -|\.)? "
        r"retry \d.{0,120}|"
        r"(?:scheduling|scheduled)(?: a| for)? retry\b[^:'\"]{0,80}|no more retries(?: left)?|"
        r"(?:retries|attempts) exhausted",
        "retry in 3.0s",
        "retry in vain: no route",
        "retry|retries|next attempt|attempts",
    ),
    Shape(
        "course of a task",
        r"(?:task|job|step) (?:" + _NAME + r" )?exited with (?:return )?code -?\d{1,5}|"
        r"\d{1,6} downstream tasks? scheduled .{1,100}|"
        r"dependencies (?:all|not) met for .{1,400}|executing <task.{1,400}|"
        r"(?:created|executing|beginning) (?:task run|flow run|subflow run|op|step) .{1,200}|"
        r"(?:step|run|asset|engine|pipeline)_(?:start|success|event|up_for_retry|"
        r"restarted|canceled|worker_\w{1,20})\b.{0,300}|"
        r"(?:step|run|asset|engine|pipeline)_failure(?: - execution of \w{3,8} .{1,120} failed)?|"
        r"(?:starting|started) (?:attempt|process) \d{1,8}\b.{0,40}|"
        r"task [\w.]{1,200}\[[\w-]{8,40}\] (?:received|succeeded in .{1,200})|"
        r"result is kept for \d{1,9} seconds|sent heartbeat to prevent worker timeout\b.*|"
        r"context['\"]: ?['\"]job raised exception\b.*|adding dead \S{1,120} job \S{1,120}|"
        + _OF_RUN
        + r"(?:created|executing|beginning) (?:task|flow|subflow) run .{1,200}|"
        + _OF_RUN
        + r"executing ['\"].{1,120}['\"] immediately",
        'STEP_FAILURE - Execution of step "load" failed.',
        "step failure",
        "exited with |downstream |dependencies |executing |created |beginning |step_|run_|asset_|"
        "engine_|pipeline_|starting |started |task |result is|heartbeat|job raised|adding dead",
    ),
    Shape(
        "record of a guard of processes",
        r"(?:spawned|exited|stopped|waiting for|success|gave up): "
        + _NAME
        + r"(?: (?:\(.{1,80}\)|with pid \d{1,9}|entered .{1,120}|to die))|gave up: "
        + _NAME
        + r" .{1,120}|supervisor is running as root\b.{0,300}|supervisord started .{1,60}|"
        r"included extra file .{1,300} during parsing|rpc interface ['\"].{1,60}['\"] initialized|"
        r"server ['\"].{1,60}['\"] running without any http authentication checking|"
        r"spawned: .{1,120} with pid \d{1,9}",
        "exited: web (exit status 1; not expected)",
        "exited: no such slot",
        "spawned: |exited: |stopped: |waiting for: |success: |gave up: |supervisor|extra file |"
        "rpc interface |authentication checking",
    ),
    Shape(
        "record of a router of requests",
        r"at=info (?:code=\w{1,8} )?.{0,400}\bmethod=.*|at=error code=h10 .*|"
        r"source=\w{1,60}(?: addon=\S{1,80})? sample#.*|"
        r"starting process with command .{1,400}|process running mem=.{1,60}|"
        r"(?:build|release|deploy) \w{1,20} (?:by|created by) (?:user )?\S{1,100}",
        'at=info method=GET path="/" host=a.example fwd="192.0.2.1" status=200',
        'at=error code=H12 desc="Request timeout" method=GET path="/"',
        "at=info |at=error |source=|starting process |process running | by ",
    ),
    Shape(
        "request that failed, by a framework",
        r"internal server error: /\S{0,400}|(?:bad request|not found|forbidden): /\S{0,400}|"
        r"['\"]?(?:get|head|post|put|patch|delete|options) \S{1,400} http/\d(?:\.\d)?['\"]? "
        r"\d{3}(?: (?:\d{1,12}|-).{0,200})?|"
        r"exception on /\S{0,400} \[[a-z]{3,7}\]|exception in asgi application|"
        r"error handling request(?: /\S{0,400}| \(no uri read\))?|"
        r"unhandled exception in request\b.{0,100}",
        "Internal Server Error: /cart/",
        "internal server error: no worker",
        "internal server error: /|bad request: /|not found: /|forbidden: /| http/|exception |"
        "error handling",
    ),
    Shape(
        "checks of Django before it starts",
        r"(?:[\w.]{1,120}: )?\([\w.]{1,60}\.w\d{3}\) .*|system check identified .*|"
        r"performing system checks.*|watching for file changes with .*|"
        r"starting (?:development|asgi\S{0,40}) .{0,60}server at .*|quit the server with .*|"
        r"django version [\d.]{1,12}, using settings .*",
        "shop.Order: (models.W042) Auto-created primary key used",
        "shop.Order: (models.E042) no such field",
        ".w|system check|watching for |server at |quit the server|django version",
    ),
    Shape(
        "step of GitHub's runner",
        r"(?:post job cleanup|prepare workflow directory|prepare all required actions|"
        r"run (?:\.?/|(?:ba|z|pw)?sh |npm |yarn |pnpm |npx |python3? |pip3? |make\b|cargo |go |"
        r"docker |git |pytest\b|[\w.-]{1,60}/[\w.-]{1,60}@).{0,300}|"
        r"getting action download info|cleaning up orphan processes|current runner version: .*|"
        r"download action repository .*|syncing repository: .*|complete job name: .*|"
        r"terminate orphan process: .*|temporarily overriding home=.*|"
        r"adding repository directory to the temporary git global config .*|"
        r"cache (?:restored from|saved with|not found for|hit for).*|received \d{1,12} of .*|"
        r"(?:/usr/bin/)?git (?:version|config|submodule|sparse-checkout|rev-parse|remote|fetch|"
        r"checkout|branch|log|clean|reset|init|ls-remote) ?(?:-|/|\d|https?:)(?!.*: ).*)",
        "Download action repository 'actions/checkout@v4' (SHA:692973e3d937)",
        "git config: no such section",
        "post job|prepare |run |action|orphan|runner version|syncing |job name|overriding |safe|"
        "cache |received |git ",
    ),
    Shape(
        "step of Jenkins",
        r"started by (?:user|timer|an scm change|upstream project|remote host) ?.*|"
        r"obtained \S{1,120} from .{1,300}|the recommended git tool is: .*|"
        r"using credential \S{1,100}|> ?git .{1,600}|"
        r"checking out (?:revision|branch) .{1,300}|commit message: .{1,400}|"
        r"fetching (?:upstream )?changes from .*|no credentials specified|"
        r"selected git installation does not exist\. using default|"
        r"first time build\. skipping changelog|lightweight checkout support not available.*|"
        r"\[checks api\] no suitable checks publisher found|"
        r"running (?:on|in) \S{1,120} in \S{1,300}",
        " > git rev-parse --resolve-git-dir /w/portal/.git # timeout=10",
        "git: 'pus' is not a git command",
        "started by |obtained |git |credential|checking out |commit message|fetching |first time |"
        "lightweight |checks api|running ",
    ),
    Shape(
        "state of pods",
        r"[\w.-]{1,253} {2,}\d{1,4}/\d{1,4} {2,}(?:running|completed|pending|terminating|"
        r"containercreating|crashloopbackoff|error) {2,}\d{1,6}\b.{0,120}|"
        r"container image .{1,300} already present on machine|"
        r"back-off restarting failed.{0,400}|"
        r"(?:created|started|killing) container:? .{1,120}|"
        r"successfully (?:assigned|pulled|created) .{1,400}|"
        r"type {2,}reason {2,}age {2,}from {2,}message|"
        r"pod\S{0,253} (?:created|deleted|configured|condition met)",
        "shop-7bef8c4d5-991f6   0/1   CrashLoopBackOff   5 (16s ago)   17m",
        "shop-7bef8c4d5-991f6   0/1   ImagePullBackOff   5 (16s ago)   17m",
        "\\d/\\d|container|back-off |successfully |reason |pod",
    ),
    Shape(
        "step of CMake and make",
        r"\[ {0,2}\d{1,3}%\] (?:built|building|linking|generating|automatic|running|scanning) "
        r".{1,400}|g?make(?:\[\d{1,3}\])?: \*\*\* waiting for unfinished jobs"
        r"\W{0,6}|-- (?:detecting|looking for|check for|found|configuring|generating|build files|"
        r"performing test|the \w{1,10} compiler identification) "
        r"(?!.{0,300}\b(?:no|not|failed|errors?)\b).{0,300}|"
        r"(?:consolidate compiler generated|scanning) dependencies of target .{1,120}",
        "gmake: *** Waiting for unfinished jobs....",
        "make: *** No rule to make target 'docs'.  Stop.",
        "%] |unfinished jobs|-- |dependencies of ",
    ),
    Shape(
        "head of a step of Ansible",
        r"(?:task|play|running handler|handler|play recap)(?: \[.{1,200}\])? \*{3,}|"
        r"(?:fatal|failed|unreachable|ok|changed|skipping|included): \[[^\]\n]{1,200}\]: "
        r"(?:failed|unreachable|ignored)! => ?(?:\{|changed=(?:true|false))?|"
        r"(?:ok|changed|skipping): \[[^\]\n]{1,200}\](?: => .*)?|no more hosts left \*{3,}|"
        r"(?:delta|start|end): ['\"]?[\d:. -]{5,40}['\"]?|cmd: .*|rc: \d{1,3}|"
        r"msg: non-zero return code|task failed|"
        r"finalization of task args for '[\w.]{1,100}' failed|"
        r"(?:stdout|stderr)(?:_lines)?: ?(?:<omitted>|''|\"\"|\[\]|"
        r"[|>][+-]?)?",
        "fatal: [web01]: FAILED! => changed=true",
        "fatal: [web01] is not a repository",
        "task |play |handler|fatal: [|failed: [|unreachable: [|ok: [|changed: [|skipping: [|"
        "included: [|no more hosts|finalization of task args|delta: |start: |end: |cmd: |rc: |"
        "msg: |stdout|stderr",
    ),
    Shape(
        "step of Terraform",
        r"[\w.\[\]\"'-]{1,200}: (?:creating|creation complete .*|destroying.*|modifying.*|"
        r"refreshing state.*|still (?:creating|destroying|modifying).*|"
        r"provisioning with .*|reading|read complete .*)|"
        r"(?:executing: \[.*)|error: (?:local|remote)-exec provisioner error|"
        r"\d{1,6}: {1,20}provisioner \"(?:local|remote)-exec\" \{|"
        r"plan: \d{1,6} to add, .*|terraform used the selected providers .*",
        "Error: local-exec provisioner error",
        "Error: no provisioner",
        ": creating|: creation |: destroying|: modifying|: refreshing |: still |: provisioning |"
        ": reading|: read complete |-exec|executing: [|to add, |terraform used the ",
    ),
    Shape(
        "step of cargo that ran a build script",
        r"error: failed to run custom build command for .{1,300}|--- (?:stdout|stderr)|"
        r"cargo:(?:rerun-if|rustc)\S{0,40}=.*|cargo:warning=(?!.{0,400}\berror: ).*|"
        r"warning: build failed, waiting for other jobs to finish|caused by|"
        r"\d{1,2}: while (?:running|executing|calling) .{1,300}",
        "error: failed to run custom build command for 'zlib-sys v0.3.1'",
        "error: failed to run 'rustc' to learn about target-specific information",
        "custom build command|--- std|cargo:|waiting for other jobs|caused by|: while ",
    ),
    Shape(
        "property of a process that ended, by Node",
        r"(?:signal|timedout|is\w{5,24}|killed|failed|exitcode|code|status|stdio|all|cwd|pid|"
        r"durationms|stdout|stderr): (?:undefined|null|true|false|''),?|"
        r"(?:pid|durationms): \d{1,12}(?:\.\d{1,12})?,?",
        "  timedOut: false,",
        "  code: 'ENOENT',",
        ": undefined|: null|: true|: false|: ''|pid: |durationms: ",
    ),
    Shape(
        "property of a message of PostgreSQL, by its client for Node",
        r"(?:detail|hint|position|internal(?:position|query)|where|schema|table|column|datatype|"
        r"constraint|file|line|routine): undefined,?|severity: '(?:error|fatal|panic)',?|"
        r"length: \d{1,7},|routine: '\w{1,60}',?|(?:position|line): '\d{1,7}',?|"
        r"file: '\w{1,60}\.[ch]',?",
        "  severity: 'ERROR',",
        "  severity: 'high',",
        ": undefined|severity: '|length: |routine: '|position: '|line: '|file: '",
    ),
)
"""Whole lines, casefolded, without leading and trailing punctuation."""
