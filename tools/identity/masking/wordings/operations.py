"""Messages of git, SSH, shells, curl, Docker, Kubernetes, Terraform and Linux that changed.

Rule of this module: see the package; the name of each row says when the wording changed.
"""

from reflection_mcp.tools.identity.rule import Match, Rule


def _interpreter(match: Match) -> str:
    script, program = match[1] or match[4], match[2] or match[3]
    return f"{script}: bad interpreter" + (f" ({program})" if program else "")


def _unknown_field(match: Match) -> str:
    if match[3]:
        return f'unknown field "{match[3]}"'
    below = match[1].partition(".")[2]
    return f'unknown field "{below}{"." if below else ""}{match[2]}"'


def _build_step(match: Match) -> str:
    command, code = match[1] or match[3] or match[5], match[2] or match[4] or match[6]
    return f'process "{command}" failed: exit {code}'


def _owner(match: Match) -> str:
    return f"dubious ownership of repository '{match[1] or match[2]}'"


def _line_ends(match: Match) -> str:
    return f"{match[1] or match[5]} becomes {match[2] or match[6]} in '{match[3] or match[4]}'"


def _undefined_service(match: Match) -> str:
    return f"service '{match[1]}' depends on undefined '{match[2] or match[3]}'"


OPERATIONS: tuple[Rule, ...] = (
    Rule(
        "repository of another owner, before Git 2.35.3",
        "unsafe repository|dubious ownership",
        r"unsafe repository \(['\"]?(\S{1,300}?)['\"]? is owned by someone else\)|"
        r"detected dubious ownership in repository at ['\"]?([^\s'\"]{1,300})['\"]?",
        _owner,
        "fatal: detected dubious ownership in repository at '/srv/shop'",
        "fatal: dubious ownership of repository '/srv/shop'",
        "fatal: dubious ownership",
    ),
    Rule(
        "ends of lines that Git changes, before version 2.37",
        "will be replaced by",
        r"(LF|CRLF) will be replaced by (LF|CRLF) in (\S{1,300}?)(?=\.?(?:\n|$))|"
        r"in the working copy of '([^'\n]{1,300})', (LF|CRLF) will be replaced by (LF|CRLF) the "
        r"next time Git touches it",
        _line_ends,
        "warning: LF will be replaced by CRLF in src/a.py.",
        "warning: LF becomes CRLF in 'src/a.py'.",
        "it will be replaced by a",
    ),
    Rule(
        "exchange of keys of SSH, before version 8.1",
        "ssh_exchange_identification",
        r"\bssh_exchange_identification\b",
        "kex_exchange_identification",
        "ssh_exchange_identification: Connection closed by remote host",
        "kex_exchange_identification: Connection closed by remote host",
        "kex_exchange_identification: x",
    ),
    Rule(
        "key that SSH cannot read, by version",
        "load key",
        r"(Load key ['\"][^'\"\n]{1,300}['\"]: )(?:invalid format|error in libcrypto)",
        r"\1invalid",
        'Load key "/home/a/.ssh/id": error in libcrypto',
        'Load key "/home/a/.ssh/id": invalid',
        "Load key a",
    ),
    Rule(
        "interpreter that is not there, by shell and version",
        "bad interpreter|required file not found",
        r"(?im)^(?:[\w./-]{0,60}?(?:ba|z|k|da)?sh: )?(?:line \d{1,7}: )?(?:(\S{1,300}?): "
        r"(?:(\S{1,200}): bad interpreter|bad interpreter: (\S{1,200})): no such file or directory|"
        r"(\S{1,300}?): cannot execute: required file not found)",
        _interpreter,
        "zsh: ./a.sh: bad interpreter: /bin/bash^M: no such file or directory",
        "./a.sh: bad interpreter (/bin/bash^M)",
        "a bad interpreter",
    ),
    Rule(
        "password that sudo cannot ask for, before version 1.9",
        "sudo: ",
        r"sudo: (?:no tty present and no askpass program specified|a terminal is required to read "
        r"the password[^\n]*)",
        "sudo: a terminal is required",
        "sudo: no tty present and no askpass program specified",
        "sudo: a terminal is required",
        "sudo: a",
    ),
    Rule(
        "connection that curl could not make, by version",
        "curl: (7)",
        r"(curl: \(7\) Failed to connect to \S{1,200} port \d{1,5})(?: after \d{1,9} ms)?: "
        r"(?:Connection refused|Could(?:n't| not) connect to server)",
        r"\1",
        "curl: (7) Failed to connect to db port 5432 after 3 ms: Couldn't connect to server",
        "curl: (7) Failed to connect to db port 5432",
        "curl: (7) Failed to connect to db port 5432",
    ),
    Rule(
        "library in front of an error of TLS, since curl 7.8",
        "tls connect error: |openssl/",
        r"(?<=\) )(?:TLS connect error|OpenSSL/[\w.]{1,20}): (?=error:)",
        "",
        "curl: (35) TLS connect error: error:0A00010B:SSL routines::wrong version number",
        "curl: (35) error:0A00010B:SSL routines::wrong version number",
        "TLS connect error: x",
    ),
    Rule(
        "layers around what a container could not run, by version of runc",
        "oci runtime ",
        r"(?i)(?:failed to create (?:shim task|task for container): ){0,2}OCI runtime "
        r"(?:create|exec) failed: (?:runc (?:create|exec) failed: )?(?:\w{1,40}\.go:\d{1,6}: )?"
        r"(?:unable to start container process|starting container process caused|exec failed): "
        r"(?:error during "
        r"container init: )?(?:process_linux\.go:\d{1,6}: [^\n:]{1,60}: )?(?=exec|error|\")",
        "OCI runtime: ",
        "OCI runtime create failed: container_linux.go:380: starting container process caused: "
        'exec: "x": not found',
        'OCI runtime: exec: "x": not found',
        "OCI runtime create failed: a",
    ),
    Rule(
        "networking around what Docker could not do, since version 28",
        "container networking",
        r"failed to set up container networking: ",
        "",
        "failed to set up container networking: driver failed programming external connectivity",
        "driver failed programming external connectivity",
        "container networking",
    ),
    Rule(
        "manifest that is not known, told again",
        ": manifest unknown",
        r"(?<=not found): manifest unknown(?:: manifest unknown)?",
        "",
        "manifest for a:1 not found: manifest unknown: manifest unknown",
        "manifest for a:1 not found",
        "manifest unknown",
    ),
    Rule(
        "daemon of Docker that refuses, by version",
        "permission denied while trying to connect to the docker",
        r"(?i)(?:got )?permission denied while trying to connect to the docker (?:daemon socket|"
        r"API) at [^\n]*",
        "permission denied while trying to connect to the docker API",
        "Got permission denied while trying to connect to the Docker daemon socket at unix:///a: x",
        "permission denied while trying to connect to the docker API",
        "permission denied",
    ),
    Rule(
        "daemon of Docker that is away, since version 29",
        "failed to connect to the docker api",
        r"(?i)failed to connect to the docker API at \S{1,200}; check if [^\n]*",
        "Cannot connect to the Docker daemon. Is the docker daemon running?",
        "failed to connect to the docker API at unix:///var/run/docker.sock; check if the path is "
        "correct and if the daemon is running: dial unix: no such file",
        "Cannot connect to the Docker daemon. Is the docker daemon running?",
        "failed to connect to the docker API",
    ),
    Rule(
        "step of an image that failed, by builder",
        "executor failed running|did not complete successfully|returned a non-zero code",
        r"(?:failed to solve[^\n]{0,80}?: )?(?:failed to build LLB: )?(?:executor failed running "
        r"\[([^\]\n]{1,600})\]: exit code: (\d{1,3})|process \"([^\n]{1,600}?)\" did not complete "
        r"successfully: exit code: (\d{1,3}))|The command '([^\n]{1,600}?)' returned a non-zero "
        r"code: (\d{1,3})",
        _build_step,
        "The command '/bin/sh -c make' returned a non-zero code: 2",
        'process "/bin/sh -c make" failed: exit 2',
        "it returned a non-zero code",
    ),
    Rule(
        "service that is not defined, by version of Compose",
        "which is undefined|depends on undefined service",
        r"(?i)service ['\"]([\w.-]{1,100})['\"] depends on (?:service ['\"]([\w.-]{1,100})['\"] "
        r"which is undefined|undefined service ['\"]?([\w.-]{1,100})['\"]?)"
        r"(?:: invalid compose project)?",
        _undefined_service,
        'service "web" depends on undefined service "db": invalid compose project',
        "service 'web' depends on undefined 'db'",
        "it depends on a service",
    ),
    Rule(
        "values of a mapping in YAML, by library",
        "mapping values are not allowed",
        r"(?<=mapping values are not allowed) (?:in this context|here)",
        "",
        "yaml: line 5: mapping values are not allowed in this context",
        "yaml: line 5: mapping values are not allowed",
        "mapping values are not allowed",
    ),
    Rule(
        "tabulator in YAML, by library",
        "that cannot start any token",
        r"found character '\\t' that cannot start any token",
        "found character that cannot start any token",
        "found character '\\t' that cannot start any token",
        "found character that cannot start any token",
        "found character '@' that cannot start any token",
    ),
    Rule(
        "room that no other pod makes, since Kubernetes 1.20",
        "preemption: ",
        r"\.? preemption: 0/\d{1,5} nodes are available:[^\n]*",
        "",
        "0/3 nodes are available: 3 Insufficient memory. preemption: 0/3 nodes are available: 3 No "
        "preemption victims found for incoming pod.",
        "0/3 nodes are available: 3 Insufficient memory",
        "preemption: none",
    ),
    Rule(
        "taint that is not tolerated, before Kubernetes 1.24",
        "had taint ",
        r"(?:node\(s\) )?had taint (\{[^}\n]{1,200}\}), that the pod didn't tolerate",
        r"node(s) had untolerated taint \1",
        "1 node(s) had taint {gpu: true}, that the pod didn't tolerate",
        "1 node(s) had untolerated taint {gpu: true}",
        "it had taint a",
    ),
    Rule(
        "affinity that does not match, by version of Kubernetes",
        "didn't match ",
        r"didn't match (?:Pod's node affinity/selector|Pod's node affinity|pod affinity/selector|"
        r"node selector)",
        "matched no selector",
        "3 node(s) didn't match Pod's node affinity/selector.",
        "3 node(s) matched no selector.",
        "it didn't match",
    ),
    Rule(
        "kind that a cluster does not have, by version of kubectl",
        "no matches for kind",
        r"(?:unable to recognize \"[^\"\n]{0,200}\"|resource mapping not found for name: \"[^\"\n]"
        r"{0,200}\" namespace: \"[^\"\n]{0,100}\" from \"[^\"\n]{0,200}\"): "
        r"(?=no matches for kind)",
        "",
        'unable to recognize "a.yaml": no matches for kind "Ingress" in version "v1beta1"',
        'no matches for kind "Ingress" in version "v1beta1"',
        "no matches for kind",
    ),
    Rule(
        "field that a cluster does not know, before Kubernetes 1.25",
        "unknown field",
        r"(?m)^[^\n]{0,400}?ValidationError\(([\w.\[\]]{1,200})\): unknown field "
        r"\"([\w.-]{1,100})\""
        r"[^\n]*|^[^\n]{0,400}?strict decoding error: unknown field \"([\w.\[\]-]{1,300})\"[^\n]*",
        _unknown_field,
        'error: error validating "a.yaml": error validating data: '
        "ValidationError(Deployment.spec): "
        'unknown field "replica" in io.k8s.api.apps.v1.DeploymentSpec',
        'unknown field "spec.replica"',
        'unknown field "replica"',
    ),
    Rule(
        "name of a release that is used, by version of Helm",
        "name that is still in use",
        r"cannot re-?use a name that is still in use",
        "cannot reuse a name that is still in use",
        "Error: INSTALLATION FAILED: cannot re-use a name that is still in use",
        "Error: INSTALLATION FAILED: cannot reuse a name that is still in use",
        "a name that is still in use",
    ),
    Rule(
        "program that took over from Terraform",
        "opentofu",
        r"\bOpenTofu\b",
        "Terraform",
        "OpenTofu planned the following actions",
        "Terraform planned the following actions",
        "tofu",
    ),
    Rule(
        "lock of a state, before Terraform 0.12",
        "error locking state",
        r"Error locking state: (?=Error acquiring)",
        "",
        "Error: Error locking state: Error acquiring the state lock",
        "Error: Error acquiring the state lock",
        "Error locking state: x",
    ),
    Rule(
        "credentials that Terraform lacks, by version of its provider",
        "credential",
        r"(?i)(?:error configuring (?:Terraform )?AWS Provider: )?no valid credential sources "
        r"(?:for (?:Terraform )?AWS Provider )?found|NoCredentialProviders: no valid providers in "
        r"chain\b[^\n]{0,60}",
        "no valid credential sources found",
        "Error: error configuring Terraform AWS Provider: no valid credential sources for "
        "Terraform AWS Provider found.",
        "Error: no valid credential sources found.",
        "no credentials",
    ),
    Rule(
        "variable that Ansible does not know, since ansible-core 2.19",
        "error was: |error while resolving value",
        r"(?:The task includes an option with an undefined variable\.? ?The error was: |"
        r"Task failed: Finalization of task args for '[\w.]{1,100}' failed: Error while "
        r"resolving value for '\w{1,100}': )('[\w.]{1,100}' is undefined)(?:\. \1)*(?:\\n[^\n]*)?",
        r"\1",
        "The task includes an option with an undefined variable. The error was: 'db' is undefined."
        " 'db' is undefined",
        "'db' is undefined",
        "The error was: x",
    ),
    Rule(
        "who holds a lock of apt, since version 2",
        "could not get lock",
        r"(Could not get lock \S{1,200}?)(?:\. It is held by process [^\n]{1,80}| - open \([^)\n]"
        r"{1,80}\))",
        r"\1",
        "Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 4411 (apt-get)",
        "Could not get lock /var/lib/dpkg/lock-frontend",
        "Could not get lock a",
    ),
    Rule(
        "key that apt lacks, since version 3",
        "which is needed to verify signature",
        r"Missing key ([0-9A-F]{8,40}), which is needed to verify signature",
        r"the public key is not available: NO_PUBKEY \1",
        "Missing key 7EA0A9C3F273FCD8, which is needed to verify signature.",
        "the public key is not available: NO_PUBKEY 7EA0A9C3F273FCD8.",
        "Missing key a",
    ),
    Rule(
        "unit that failed, before systemd 236",
        "entered failed state",
        r"(?:Unit (\S{1,120}) |(\S{1,120}): Unit )entered failed state",
        r"\1\2: Failed with result 'exit-code'",
        "shop.service: Unit entered failed state.",
        "shop.service: Failed with result 'exit-code'.",
        "it entered failed state",
    ),
)
