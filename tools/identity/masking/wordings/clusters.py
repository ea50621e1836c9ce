"""Messages of Docker, Kubernetes, Helm, Terraform and clouds that changed between versions.

Rule of this module: see the package; the name of each row says when the wording changed.
"""

from reflection_mcp.tools.identity.rule import Match, Rule


def _unknown_field(match: Match) -> str:
    if match[3]:
        return f'unknown field "{match[3]}"'
    below = match[1].partition(".")[2]
    return f'unknown field "{below}{"." if below else ""}{match[2]}"'


def _build_step(match: Match) -> str:
    command, code = match[1] or match[3] or match[5], match[2] or match[4] or match[6]
    return f'process "{command}" failed: exit {code}'


def _undefined_service(match: Match) -> str:
    return f"service '{match[1]}' depends on undefined '{match[2] or match[3]}'"


def _account(match: Match) -> str:
    return "PERMISSION_DENIED: " if match[0].startswith("[") else ""


CLUSTERS: tuple[Rule, ...] = (
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
        r"(?i)failed to connect to the docker API at (?:unix|npipe):\S{1,200}; check if [^\n]*",
        "Cannot connect to the Docker daemon. Is the docker daemon running?",
        "failed to connect to the docker API at unix:///var/run/docker.sock; check if the path is "
        "correct and if the daemon is running: dial unix: no such file",
        "Cannot connect to the Docker daemon. Is the docker daemon running?",
        "failed to connect to the docker API at tcp://localhost:2375; check if the host is right",
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
        "account that gcloud tells, since version 470",
        "does not have permission to access|this command is authenticated",
        r"\[[^\]\n]{1,120}\] does not have permission to access [^\n:]{1,160} "
        r"\(or it may not exist\): |\.? This command is authenticated as [^\n]{1,200}",
        _account,
        "[a@b.example] does not have permission to access namespaces instance [c] (or it may not "
        "exist): Permission 'run.get' denied",
        "PERMISSION_DENIED: Permission 'run.get' denied",
        "it does not have permission to access it",
    ),
)
