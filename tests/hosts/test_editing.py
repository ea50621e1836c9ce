"""Our entry goes in and comes out; everything else in the text stays as it was."""

import json
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.server.hosts import config_formats, entry_edit, json_edit
from reflection_mcp.server.hosts.config_formats import Format
from reflection_mcp.tools.errors import InvalidInput
from tests.rows import each_row

IN_JSON = ("mcpServers", "reflection")
IN_TOML = ("mcp_servers", "reflection")
IN_YAML = ("extensions", "reflection")
ENTRY = {"command": "/opt/my tools/reflection-mcp", "args": ["-m", 'ä\\b"c']}

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
scalars = st.none() | st.booleans() | st.integers(-(2**40), 2**40) | words
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=12,
)
servers = st.dictionaries(
    words.filter(lambda name: name != "reflection"),
    st.fixed_dictionaries({"command": words}),
    max_size=3,
)


def _document(rest: dict[str, Any], mine: dict[str, dict[str, str]], has: bool) -> dict[str, Any]:
    return {**rest, "mcpServers": mine} if has else rest


documents = st.builds(
    _document,
    st.dictionaries(words.filter(lambda name: name != "mcpServers"), values, max_size=4),
    servers,
    st.booleans(),
)
looks = st.sampled_from([None, 2, 4, "\t", 0])


def install(text: str, form: Format = "json") -> str:
    return entry_edit.with_server(form, text, PATHS[form], ENTRY)


def uninstall(text: str, form: Format = "json") -> str:
    return entry_edit.without_server(form, text, PATHS[form])


PATHS: dict[Format, tuple[str, str]] = {"json": IN_JSON, "toml": IN_TOML, "yaml": IN_YAML}


# --------------------------------------------------------------------------- JSON


@given(documents, looks, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_whatever_stands_in_a_json_file_stays_and_comes_back(
    document: dict[str, Any], indent: int | str | None, newline: str, ascii_only: bool
) -> None:
    text = json.dumps(document, indent=indent, ensure_ascii=ascii_only).replace("\n", newline)
    after = install(text)
    expected = {**document, "mcpServers": {**document.get("mcpServers", {}), "reflection": ENTRY}}
    assert json.loads(after) == expected
    assert install(after) == after
    left = json.loads(uninstall(after))
    assert left == document or left == {**document, "mcpServers": {}}
    if document.get("mcpServers"):
        assert uninstall(after) == text


JSONC = [
    # a comment behind the last member, and one on a line of its own
    '{\n  // ours\n  "mcpServers": {\n    "a": {"b": "x"} // keep "me"\n    /* , } */\n  }\n}\n',
    # trailing commas
    '{\n\t"mcpServers": {\n\t\t"a": {"command": "x",},\n\t},\n}\n',
    # on one line
    '{"mcpServers": {"a": {"command": "x"}}, "b": [1, 2,]}',
    # a byte order mark, Windows lines, a comment as the last thing
    '\ufeff{\r\n  "mcpServers": {\r\n    "a": {}\r\n  } // end\r\n}\r\n// bye',
    # ours would not be the last one in the file
    '{\n  "mcpServers": {\n    "z": {}\n  },\n  "after": "}"\n}',
    # strings that look like syntax
    '{\n  "mcpServers": {\n    "a\\"//{": "/* \\\\"\n  }\n}',
    # a first key on the line of the brace
    '{ "mcpServers": { "a": {},\n    "b": {} } }',
    # tabs, signs beyond ASCII, escaped and not, numbers that lose something when written anew
    '{\r\n\t"mcpServers": {\r\n\t\t"ä": {"x": "é\\u00e4"}\r\n\t}\r\n}',
    '{"mcpServers":{"a":{"n":1.0,"m":1e400,"k":-0}}}',
    '// top\n{\n  "mcpServers": { // c\n    /* x */ "a": {},\n  },\n} // end',
    '\ufeff{"mcpServers": {"a": {}}}\n',
]


@each_row("text", JSONC)
def test_comments_commas_and_line_ends_of_hand_written_json_survive(text: str) -> None:
    after = install(text)
    assert entry_edit.server_in("json", after, IN_JSON) == ENTRY
    assert install(after) == after
    assert uninstall(after) == text


def test_a_new_entry_looks_like_its_neighbours_and_stands_before_them() -> None:
    text = '{\n    "mcpServers": {\n        "a": {"command": "x"}\n    }\n}\n'
    entry = {"command": "r", "args": ["1"]}
    assert entry_edit.with_server("json", text, IN_JSON, entry) == (
        '{\n    "mcpServers": {\n'
        '        "reflection": {\n            "command": "r",\n            "args": [\n'
        '                "1"\n            ]\n        },\n'
        '        "a": {"command": "x"}\n    }\n}\n'
    )


@each_row("text", ["", "\n", "// nothing yet\n", "{}", "{\n}\n", '{"a": 1}'])
def test_a_file_without_servers_gets_its_first_one(text: str) -> None:
    after = install(text)
    assert json_edit.value_of(after)["mcpServers"] == {"reflection": ENTRY}
    assert json_edit.value_of(uninstall(after)) in ({"mcpServers": {}}, {"a": 1, "mcpServers": {}})


def test_an_entry_that_is_not_the_last_one_can_be_taken_out() -> None:
    text = '{"mcpServers": {\n  "reflection": {"command": "x"}, // old\n  "b": {}\n}}'
    assert uninstall(text) == '{"mcpServers": { // old\n  "b": {}\n}}'


def test_a_comment_beside_the_only_entry_stays() -> None:
    text = '{"mcpServers": {\n  "reflection": {} // mine\n}}'
    assert uninstall(text) == '{"mcpServers": { // mine\n}}'


@each_row(
    ("text", "left"),
    [
        ('{"mcpServers": {"a": {}, "reflection": {}}}', '{"mcpServers": {"a": {}}}'),
        ('{"mcpServers": {"a": {}, "reflection": {}, }}', '{"mcpServers": {"a": {}, }}'),
        ('{"mcpServers": {"reflection": {} /* x */ , }}', '{"mcpServers": { }}'),
    ],
)
def test_no_comma_is_left_without_a_neighbour(text: str, left: str) -> None:
    assert uninstall(text) == left


def test_a_new_command_keeps_what_the_user_added_to_the_entry() -> None:
    entry = '{"command": "reflection-mcp", "env": {"REFLECTION_MODE": "full"}}'
    text = f'{{"mcpServers": {{"reflection": {entry}}}}}'
    after = json.loads(install(text))
    assert after["mcpServers"]["reflection"] == {
        "command": ENTRY["command"],
        "env": {"REFLECTION_MODE": "full"},
        "args": ENTRY["args"],
    }


@each_row(
    ("text", "why"),
    [
        ("{", "line 1 cannot be parsed"),
        ('{\n"a": nope}', "line 2"),
        ('{"a": "\\q"}', "line 1"),
        ('{"a" 1}', "line 1"),
        ('{"a": 1 "b": 2}', "line 1"),
        ("{'a': 1}", "line 1"),
        ('{"a": }', "line 1"),
        ("{} {}", "line 1"),
        ("/* never closed", "line 1"),
        ('{"a": [1 2]}', "line 1"),
        ("[" * 50_000, "nested too deeply"),
        ("[1]", "does not hold settings"),
        ('{"mcpServers": null}', "not a table of servers"),
        ('{"mcpServers": {"reflection": 1}}', "is not a server"),
        ('{"mcpServers": {}, "mcpServers": []}', "not a table of servers"),
    ],
)
def test_json_that_cannot_be_changed_safely_is_refused_in_one_line(text: str, why: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        install(text)
    assert why in refused.value.message
    assert "\n" not in refused.value.message + refused.value.hint


def test_an_entry_that_is_there_twice_is_not_taken_out_by_half() -> None:
    with pytest.raises(InvalidInput, match="too unusual"):
        uninstall('{"mcpServers": {"reflection": {}, "reflection": {}}}')


# --------------------------------------------------------------------------- TOML

TOML = [
    "",
    'model = "x"\n',
    'model = "x"',
    'model = "x"\n\n[mcp_servers.a]\ncommand = "a"\n',
    'a = """\n[b.c]\n"""\n[b]\nc = [\n  ["mcp_servers"],\n]\n',
    "# only a comment\r\n[mcp_servers]\r\n",
    "\ufeff[[list]]\nx = 1\n[[list]]\nx = 2\n",
    '[mcp_servers]\n[mcp_servers.a]\r\ncommand = "x"\r\n',
    "a=1 # c\n\t[x]\n\tb = [1,\n 2, # two\n]\n",
    "[mcp_servers.a]\ncommand = 'C:\\x'\n[other]\nk=1",
    'd = 1979-05-27T07:32:00Z\n[a."b c"]\nx = {y = 1}\n',
]


@each_row("text", TOML)
def test_whatever_stands_in_a_toml_file_stays_and_comes_back(text: str) -> None:
    after = install(text, "toml")
    assert entry_edit.server_in("toml", after, IN_TOML) == ENTRY
    assert [line for line in text.splitlines() if line not in after.splitlines()] == []
    assert install(after, "toml") == after
    # Empty lines may stay, and a table without servers may go.
    left = [line for line in uninstall(after, "toml").split() if line != "[mcp_servers]"]
    assert left == [line for line in text.split() if line != "[mcp_servers]"]


def test_a_table_in_the_middle_goes_with_its_own_tables() -> None:
    text = (
        'a = 1\n\n[mcp_servers."reflection"] # ours\ncommand = "x"\n\n'
        '[mcp_servers.reflection.env]\nA = "b"\n\n[mcp_servers.c]\ncommand = "c"\n'
    )
    assert uninstall(text, "toml") == 'a = 1\n\n[mcp_servers.c]\ncommand = "c"\n'


def test_a_text_that_only_quotes_our_table_is_not_cut() -> None:
    quoted = 'a = """\n[mcp_servers.reflection]\n"""\n'
    assert uninstall(install(quoted, "toml"), "toml").startswith(quoted)


@each_row(
    "text",
    [
        "mcp_servers = {}\n",
        'mcp_servers.a.command = "x"\n',
        'mcp_servers.reflection.command = "reflection-mcp"\n',
        "[mcp_servers.a]\nx = 1\n[other]\ny = 1\n[mcp_servers.b]\nx = 1\n",
    ],
)
def test_every_way_to_write_a_table_in_toml_can_be_added_to(text: str) -> None:
    after = install(text, "toml")
    assert entry_edit.server_in("toml", after, IN_TOML) == ENTRY
    assert entry_edit.server_in("toml", uninstall(after, "toml"), IN_TOML) is None


def test_a_new_command_in_toml_keeps_the_variables_of_the_entry() -> None:
    text = (
        '[mcp_servers.reflection]\ncommand = "/old/reflection-mcp"\n'
        '[mcp_servers.reflection.env]\nA = "b"\n'
    )
    after = tomllib.loads(install(text, "toml"))
    assert after["mcp_servers"]["reflection"] == {**ENTRY, "env": {"A": "b"}}


def test_what_starts_a_server_goes_from_toml_when_the_server_is_elsewhere() -> None:
    text = '[mcp_servers.reflection]\ncommand = "reflection-mcp" # old\nenabled = true # mine\n'
    after = entry_edit.with_server("toml", text, IN_TOML, {"url": "https://x.example/mcp"})
    assert after == (
        '[mcp_servers.reflection]\nenabled = true # mine\nurl = "https://x.example/mcp"\n'
    )


def test_every_kind_of_value_can_stand_in_a_new_table() -> None:
    entry = {"on": True, "n": 3, "odd key": '\x7f\t"\\', "d": {"x.y": [1]}}
    text = entry_edit.with_server("toml", "", IN_TOML, entry)
    assert tomllib.loads(text)["mcp_servers"]["reflection"] == entry


@each_row(
    ("text", "why"),
    [
        ("a = ", "it is not TOML"),
        ("mcp_servers = 1\n", "not a table of servers"),
        ("mcp_servers = { reflection = 1 }\n", "is not a server"),
    ],
)
def test_toml_that_cannot_be_changed_safely_is_refused_in_one_line(text: str, why: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        install(text, "toml")
    assert why in refused.value.message


# --------------------------------------------------------------------------- YAML

YAML = [
    "",
    "GOOSE_MODEL: x\n",
    "extensions:\n  a:\n    cmd: x\n    args:\n    - b\n",
    "# top\nextensions: # mine\n    a:\n        enabled: true\n\n        # inside\n\nafter: 1\n",
    "extensions:\n  # none yet\n\nlast: 1\n",
    "extensions:\r\n  a:\r\n    cmd: x\r\n",
    "---\nextensions:\n  a:\n    description: |\n      reflection: no\n      more\nz: 1\n",
    "extensions:\n  a:\n    x: 'q'   # c\n    y: \"1\"\n",
    "extensions:\n    a:\n        args:\n        - x\n        -   y\n    b: {cmd: x}\n",
    "\ufeffextensions:\n  a: {}\n",
    "k: yes\nn: 0o7\nd: 2020-01-01\nextensions:\n  a: ~\n",
    "a: >-\n  folded\n  text\n\nextensions:\n\n  a:\n    b: 1\n\n\n# end\n",
]


@each_row("text", YAML)
def test_whatever_stands_in_a_yaml_file_stays_and_comes_back(text: str) -> None:
    before = config_formats.EDITORS["yaml"].value_of(text)
    after = install(text, "yaml")
    assert entry_edit.server_in("yaml", after, IN_YAML) == ENTRY
    assert install(after, "yaml") == after
    comments = [line.partition("#")[2] for line in text.splitlines() if "#" in line]
    assert [comment for comment in comments if comment not in after] == []
    left = config_formats.EDITORS["yaml"].value_of(uninstall(after, "yaml"))
    assert {**left, "extensions": left.get("extensions", {})} == {
        **before,
        "extensions": before.get("extensions", {}),
    }


def test_the_entry_takes_the_indentation_of_the_others() -> None:
    after = install("extensions:\n    a:\n        cmd: x", "yaml")
    assert after.startswith(
        "extensions:\n    a:\n        cmd: x\n    reflection:\n        command: "
    )


def test_an_entry_between_others_is_taken_out_alone() -> None:
    text = "extensions:\n  reflection:\n    cmd: x\n    args:\n    - y\n  b:\n    cmd: z\n"
    assert uninstall(text, "yaml") == "extensions:\n  b:\n    cmd: z\n"


@each_row(
    ("text", "why"),
    [
        ("extensions:\n\ta: 1\n", "it is not YAML"),
        ("extensions:\n  a: 1\nextensions:\n  b: 1\n", "it is not YAML"),
        ("a: 1\n---\nb: 2\n", "it is not YAML"),
        ("- extensions\n", "does not hold settings"),
        ("extensions: 1\n", "not a table of servers"),
    ],
)
def test_yaml_that_cannot_be_changed_is_refused_in_one_line(text: str, why: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        install(text, "yaml")
    assert why in refused.value.message


def test_another_server_of_our_name_in_yaml_is_not_overwritten() -> None:
    with pytest.raises(InvalidInput, match=r"its entry extensions\.reflection") as refused:
        install("extensions:\n  reflection:\n    cmd: other\n", "yaml")
    assert "rename that entry" in refused.value.hint


def test_an_older_entry_of_ours_in_yaml_is_brought_up_to_date() -> None:
    text = "extensions:\n  reflection:\n    cmd: /old/reflection-mcp\n    envs: {A: b}\n  z: {}\n"
    path, entry = IN_YAML, {"cmd": "/new/reflection-mcp"}
    after = entry_edit.with_server("yaml", text, path, entry)
    assert after == text.replace("/old/", "/new/")


def test_a_change_that_a_library_gets_wrong_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> str:
        raise KeyError("a table that is not there")

    def wrong(*_: object) -> str:
        return "extensions: {}\n"

    for edited in (broken, wrong):
        editor = config_formats.Editor(config_formats.EDITORS["yaml"].value_of, edited)
        monkeypatch.setattr(entry_edit, "EDITORS", {"yaml": editor})
        with pytest.raises(InvalidInput, match="too unusual"):
            install("a: 1\n", "yaml")


OF_OTHERS: list[dict[str, Any]] = [
    {"type": "remote", "url": "https://x.example/mcp"},
    {"command": "npx", "args": ["-y", "reflection-mcp"]},
    {"command": ["node", "/srv/reflection-mcp/server.js"]},
    {"command": "uvx", "args": ["reflection-mcp-pro"]},
    {"command": "python", "args": ["-m", "reflection_mcp_server"]},
    {"command": {"path": "/usr/bin/mirror", "args": ["--deep"]}},
    {"command": 1, "url": "https://x.example/reflection-mcp"},
    {},
]
OURS: list[dict[str, Any]] = [
    {"command": "/opt/x/bin/reflection-mcp"},
    {"command": "C:\\\\Program Files\\\\reflection-mcp.exe", "args": ["--project", "shop"]},
    {"command": "uvx", "args": ["reflection-mcp"]},
    {"command": ["/home/me/.local/bin/uvx", "--python", "3.12", "reflection-mcp[semantic]==1.2"]},
    {"command": "cmd", "args": ["/c", "uvx", "reflection-mcp@latest"]},
    {"command": "uv", "args": ["tool", "run", "reflection-mcp"], "env": {"A": "b"}},
    {"command": "/venv/bin/python", "args": ["-I", "-m", "reflection_mcp.server"]},
    {"command": {"path": "/opt/x/bin/reflection-mcp", "args": []}, "source": "custom"},
]


@each_row("entry", OF_OTHERS, ids=str)
def test_another_server_of_our_name_is_neither_changed_nor_mixed_with_ours(
    entry: dict[str, Any],
) -> None:
    text = json.dumps({"mcpServers": {"reflection": entry}})
    with pytest.raises(InvalidInput, match=r"its entry mcpServers\.reflection"):
        install(text)
    with pytest.raises(InvalidInput, match="starts another program"):
        entry_edit.see_that_it_is_ours(entry, IN_JSON, {})


@each_row("entry", OURS, ids=str)
def test_an_entry_that_starts_this_program_is_brought_up_to_date(entry: dict[str, Any]) -> None:
    text = json.dumps({"mcpServers": {"reflection": entry}})
    assert json.loads(install(text))["mcpServers"]["reflection"] == {**entry, **ENTRY}


@each_row(
    ("lines", "ours"),
    [
        ("cmd: /opt/reflection-mcp", True),
        ("cmd: uvx\n    args:\n    - reflection-mcp", True),
        ("cmd: uvx\n    args: ['reflection-mcp', --http]", True),
        ('cmd: "python3"\n    args:\n    - "-m"\n    - "reflection_mcp.server"', True),
        ("cmd: npx\n    args:\n    - reflection-mcp", False),
        ("type: sse\n    uri: https://x.example/reflection-mcp", False),
        ("description: uvx reflection-mcp\n    cmd: mirror", False),
    ],
)
def test_whose_entry_it_is_shows_in_yaml_too(lines: str, ours: bool) -> None:
    text = f"extensions:\n  reflection:\n    {lines}\n"
    if ours:
        install(text, "yaml")
        return
    with pytest.raises(InvalidInput, match="starts another program"):
        install(text, "yaml")


@each_row("form", PATHS)
def test_taking_out_what_is_not_there_changes_nothing(form: Format) -> None:
    assert uninstall("", form) == ""
