"""What a lesson warns of, and what it recommends."""

from reflection_mcp.tools.learning.action_forms import forms
from reflection_mcp.tools.learning.lesson_warnings import warns_of
from tests.rows import each_row


def warned(action: str, lesson: str, strategy: str = "", tool: str = "Bash") -> bool:
    (form,) = forms(tool, action)
    return warns_of(lesson, strategy, form)


@each_row(
    ("lesson", "action"),
    [
        ("Never run `cargo update` here.", "cargo update"),
        ("Do not use `git commit --no-verify`: the release fails.", "git commit --no-verify -m x"),
        ("Don\u2019t use `pip freeze > requirements.txt`.", "pip freeze > /tmp/r.txt"),
        ("Instead of `git merge develop`, rebase.", "git merge --no-ff develop"),
        ("`pnpm dev` starts nine apps and runs out of memory.", "cd /x && pnpm dev"),
        ("The host is slow; avoid `make -j8`.", "make -j8"),
        ("The cluster has no metrics, so never call `kubectl top`.", "kubectl top nodes"),
        ("Never run cargo update here.", "cargo update"),
        ("Never run terraform apply from a laptop.", "cd infra && terraform apply -auto-approve"),
        ("Do not use git push --force on main.", "git push --force origin main"),
        ("The lock is shared; avoid running npm install by hand.", "npm i"),
        ("You must not run sudo pip install.", "sudo pip install requests"),
    ],
)
def test_a_command_that_a_lesson_speaks_against_is_warned_of(lesson: str, action: str) -> None:
    assert warned(action, lesson)


@each_row(
    ("lesson", "strategy", "action"),
    [
        ("Only the plugin is installed.", "Use `docker compose`.", "docker compose up"),
        ("If yaml is not installed, run `pip install pyyaml`.", "", "pip install pyyaml"),
        ("`make codegen` has to run before the build.", "", "make codegen"),
        ("`make codegen` needs to be run first.", "", "make codegen"),
        ("`make codegen`", "", "make codegen"),
        ("It works after `make codegen`.", "", "make codegen"),
        ("Never run `cargo update`.", "Use `cargo update -p NAME`.", "cargo update -p serde"),
        ("`pnpm dev` eats memory.", "Use `pnpm --filter @shop/web dev`.", "pnpm --filter x dev"),
        ("The tests fail outside UTC.", "`make test` sets it.", "make test"),
        ("Never run `cargo update`.", "", "cargo build"),
        ("Never run `cargo update -w`.", "", "cargo update"),
        ("Never run cargo update -w.", "", "cargo update"),
        ("Never run cargo update here.", "", "cargo build"),
        ("Never run terraform apply from a laptop.", "", "terraform plan"),
        ("Do not use git push --force on main.", "", "git push origin main"),
        ("Never run npm install lodash here.", "", "npm install react"),
        ("Never run pytest tests without -x.", "", "pytest tests -x"),
        ("Never run cargo update.", "Use cargo update -p NAME.", "cargo update -p serde"),
        ("Never run sudo pip install.", "", "pip install requests"),
        ("If you do not run npm install, the build fails.", "", "npm install"),
        ("The build fails when we do not run npm install.", "", "npm install"),
        ("It broke: I did not run npm install.", "", "npm install"),
        ("You do not need to run npm install.", "", "npm install"),
        ("Never make install scripts executable.", "", "make install"),
        ("Never run make by hand.", "", "make"),
    ],
)
def test_what_a_lesson_recommends_or_does_not_name_is_not_warned_of(
    lesson: str, strategy: str, action: str
) -> None:
    assert not warned(action, lesson, strategy)


@each_row(
    ("lesson", "file", "expected"),
    [
        ("Never edit src/gen/api.ts by hand.", "/home/a/src/gen/api.ts", True),
        ("Do not change api.ts, codegen writes it.", "src/gen/api.ts", True),
        ("Never edit src/gen/api.ts by hand.", "src/other/api.ts", False),
        ("Never run the tests of src/gen/api.ts alone.", "src/gen/api.ts", False),
        ("Change api.ts and run codegen.", "src/gen/api.ts", False),
        ("Never edit api.ts; change schema.yaml.", "schema.yaml", False),
    ],
)
def test_a_file_is_warned_of_where_a_lesson_says_not_to_change_it(
    lesson: str, file: str, expected: bool
) -> None:
    assert warned(file, lesson, tool="Edit") is expected
