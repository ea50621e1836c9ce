"""The form of an action that stays when it is worded anew."""

import json

from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.tools.learning.action_forms import MOST_COMMANDS, forms
from tests.rows import each_row


def key(tool: str, content: str) -> list[tuple[str, frozenset[str]]]:
    return [(form.heading, form.operands) for form in forms(tool, content)]


@each_row(
    ("one", "other"),
    [
        ("npm test", "cd web && npm test"),
        ("npm test", "CI=1 FORCE_COLOR=0 npm test"),
        ("npm install", "npm i"),
        ("npm test", "env CI=1 npm test"),
        ("npm test", "npm --silent test"),
        ("createdb shop", "sudo -u postgres createdb 'shop'"),
        ("make all", "timeout 60 make all"),
        ("make all", "pushd app; make all; popd"),
        ("python3 manage.py migrate", "python ./backend/manage.py migrate"),
        ("cat a/b.txt", 'cat "/srv/x/b.txt"'),
        ("pip freeze", "pip3 freeze > requirements.txt"),
        ("pip freeze", "pip freeze 2> errors.txt"),
        ("./scripts/release.sh 1.2.0", "bash scripts/release.sh 1.2.0"),
        ("docker push acme/web:1.2", "docker push acme/web:latest"),
        ("go get example.org/lib@v1.2.3", "go get example.org/lib@latest"),
        ("./gradlew :app:lint", "./gradlew lint"),
        ("go test ./...", "go test ."),
        ("git commit -m 'a message'", "git commit -m 'another one'"),
        ("git log -- src", "git log src"),
    ],
)
def test_what_a_wording_adds_is_left_out(one: str, other: str) -> None:
    assert key("Bash", one) == key("Bash", other) != []


@each_row(
    ("one", "other"),
    [
        ("npm test", "npm run"),
        ("git push origin main", "git push origin fix"),
        ("pip install a", "pip install b"),
        ("rails db:drop", "rails db:seed"),
    ],
)
def test_other_words_are_another_action(one: str, other: str) -> None:
    assert key("Bash", one) != key("Bash", other)


def test_each_command_of_a_line_is_an_action() -> None:
    assert [form.heading for form in forms("Bash", "npm ci && npm test | tail -5; make")] == [
        "npm",
        "npm",
        "tail",
        "make",
    ]
    assert len(forms("Bash", "; ".join(["make"] * 40))) == MOST_COMMANDS


def test_a_text_that_a_shell_is_given_is_read_and_no_deeper() -> None:
    (form,) = forms("Bash", "bash -lc 'cd app && npm install'")
    assert (form.heading, form.sure) == ("npm", ("install",))
    (form,) = forms("Bash", "sh -c \"sh -c 'npm install'\"")
    assert form.heading == "npm install"
    assert [form.heading for form in forms("Bash", "bash; bash -x")] == ["bash", "bash"]


@each_row("content", ["", "cd app", "export A=1", "A=1", "echo hello", "echo 'open", "if true\nfi"])
def test_what_does_nothing_or_cannot_be_read_is_no_action(content: str) -> None:
    assert forms("Bash", content) == ()


def test_a_flag_stands_apart_from_its_value() -> None:
    (form,) = forms("Bash", "cargo run pack --level=22 -f 3 --out x.bin")
    assert form.flags == {"--level", "-f", "--out"}
    assert form.loose == ("22", "3", "x.bin")
    assert (form.sure, form.verb) == (("run", "pack"), "run")


def test_the_first_operand_is_no_verb_when_it_is_a_value() -> None:
    assert [form.verb for form in forms("Bash", "pytest tests/test_a.py; make")] == ["", ""]


def test_an_edit_is_its_file() -> None:
    (form,) = forms("Edit", "/home/ann/shop/src/gen/api.ts")
    assert (form.heading, form.kind, form.sure) == ("api.ts", "edit", ("gen", "api.ts"))
    assert forms("Write", " / ") == ()


def test_a_call_is_its_arguments_in_any_order() -> None:
    one = {"repo": "shop", "labels": ["a", {"b": 1}], "draft": True, "body": "two words", "x": None}
    other = dict(reversed(one.items()))
    assert key("mcp__hub__open", json.dumps(one)) == key("mcp__hub__open", json.dumps(other))
    (form,) = forms("mcp__hub__open", json.dumps(one))
    assert form.sure == ("b=1", "body=*", "labels=a", "repo=shop")
    (form,) = forms("mcp__hub__open", "not json")
    assert form.sure == ("=*",)
    assert forms("mcp__hub__open", "{}") == ()


def test_a_call_of_any_length_is_read() -> None:
    assert [form.heading for form in forms("Bash", f"make {'x' * 1_000_000}")] == ["make"]
    (form,) = forms("mcp__hub__open", json.dumps({"body": "word " * 200_000, "repo": "shop"}))
    assert form.sure == ("body=*", "repo=shop")


def test_a_call_of_any_depth_is_read() -> None:
    assert forms("mcp__hub__open", "[" * 900 + "]" * 900) == ()
    assert len(forms("mcp__hub__open", '{"a": ' * 5 + "0" + "}" * 5)) == 1
    assert len(forms("mcp__hub__open", "[" * 100_000)) == 1


@given(st.text(max_size=80))
def test_any_text_is_taken(content: str) -> None:
    for tool in ("Bash", "Edit", "mcp__x__y"):
        for form in forms(tool, content):
            assert form.heading
