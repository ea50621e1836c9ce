"""What can be set, which source wins, and what a person is told about a value that is wrong."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import FrozenInstanceError, asdict, fields, replace
from pathlib import Path

import platformdirs
import pytest

from reflection_mcp.server.settings.settings import SettingRow, Settings, describe, load
from reflection_mcp.tools.errors import InvalidInput
from tests.requirements import requirement
from tests.rows import each_row

KEY = "sk-ant-api03-" + "x" * 40


@pytest.fixture(autouse=True)
def a_home_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps the settings and the data of whoever runs the tests out of them."""
    for variable in ("HOME", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(variable, str(tmp_path / "home"))


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "settings.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refusal(
    flags: Mapping[str, object] | None = None,
    env: Mapping[str, str] | None = None,
    file: Path | None = None,
) -> InvalidInput:
    with pytest.raises(InvalidInput) as refused:
        load(flags or {}, env or {}, file)
    told = refused.value
    assert "\n" not in told.message + told.hint
    assert told.__cause__ is None
    return told


# ------------------------------------------------------------------------- which source wins


def test_the_variable_in_which_a_host_finds_its_token_is_no_mistyped_setting() -> None:
    assert load({}, {"REFLECTION_TOKEN": "rmt_x"}, None).warnings == ()


def test_without_anything_set_every_value_is_the_default() -> None:
    settings = load({}, {}, None)
    assert set(settings.provenance.values()) == {"default"}
    assert set(settings.provenance) == {row.name for row in describe()}
    assert settings.warnings == ()
    assert settings.anthropic_api_key is None


def test_a_flag_beats_the_environment_beats_the_file_beats_the_default(tmp_path: Path) -> None:
    file = written(tmp_path, "max_retries = 3\nmax_entries = 30\nretry_below = 0.3\n")
    env = {"REFLECTION_MAX_RETRIES": "4", "REFLECTION_MAX_ENTRIES": "40"}
    settings = load({"max_retries": 5, "mode": None}, env, file)
    assert (settings.max_retries, settings.max_entries, settings.retry_below) == (5, 40, 0.3)
    assert settings.provenance["max_retries"] == "flag"
    assert settings.provenance["max_entries"] == "environment REFLECTION_MAX_ENTRIES"
    assert settings.provenance["retry_below"] == f"file {file}"
    assert settings.provenance["mode"] == "default"


def test_the_file_is_looked_for_in_the_users_configuration(tmp_path: Path) -> None:
    folder = platformdirs.user_config_path("reflection-mcp", appauthor=False)
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text('mode = "full"\n')
    assert load({}, {}, None).mode == "full"


def test_the_environment_may_name_the_file_and_a_flag_another(tmp_path: Path) -> None:
    named = written(tmp_path, 'mode = "full"\n')
    env = {"REFLECTION_CONFIG": str(named)}
    assert load({}, env, None).mode == "full"
    other = tmp_path / "other.toml"
    other.write_text('log_format = "text"\n')
    assert load({}, env, other).mode == "lite"
    assert load({}, env, other).warnings == ()


@pytest.mark.parametrize("blank", ["", "  "])
def test_a_blank_value_counts_as_not_given(blank: str, tmp_path: Path) -> None:
    file = written(tmp_path, f'store = "{blank}"\nmode = "{blank}"\n')
    env = {"REFLECTION_STORE": blank, "REFLECTION_CONFIG": blank, "REFLECTION_MAX_RETRIES": blank}
    settings = load({"store": None}, env, file)
    assert set(settings.provenance.values()) == {"default"}
    assert settings.store == load({}, {}, None).store


@each_row("blank", ["", "  "])
def test_a_blank_flag_is_refused_since_a_variable_was_probably_not_set(blank: str) -> None:
    with pytest.raises(InvalidInput, match=r"the setting store \(flag\) cannot be used"):
        load({"store": blank}, {}, None)


def test_a_placeholder_that_a_host_left_in_is_ignored_with_a_warning() -> None:
    env = {
        "REFLECTION_STORE": "${user_config.store}",
        "ANTHROPIC_API_KEY": "${user_config.key}",
        "REFLECTION_CONFIG": "${user_config.file}",
    }
    settings = load({}, env, None)
    assert settings.provenance["store"] == "default"
    assert settings.anthropic_api_key is None
    assert [name for name in env if name not in "".join(settings.warnings)] == []


@requirement("trace:modes")
@each_row(
    ("text", "enabled"),
    [("0", False), ("1", True), ("off", False), ("TRUE", True), (" no ", False)],
)
def test_one_variable_switches_everything_off(text: str, enabled: bool) -> None:
    assert load({}, {"REFLECTION_ENABLED": text}, None).enabled is enabled


@requirement("trace:modes")
def test_reflection_is_on_demand_unless_full_is_asked_for() -> None:
    assert load({}, {}, None).mode == "lite"
    assert load({}, {"REFLECTION_MODE": "full"}, None).mode == "full"


@requirement(
    "loop:retry-below-half", "loop:max-two-retries", "loop:good-enough", "memory:max-entries"
)
def test_the_defaults_are_the_ones_that_were_asked_for() -> None:
    settings = load({}, {}, None)
    assert settings.retry_below == 0.5
    assert settings.max_retries == 2
    assert settings.good_enough == 0.7
    assert settings.max_entries == 1000


@requirement("loop:cheap-judge")
def test_the_judge_is_a_small_model_by_default_with_a_limit_on_what_it_costs() -> None:
    settings = load({}, {}, None)
    assert settings.anthropic_model == "claude-haiku-5-5"
    assert settings.judge_max_cost_usd < 1


def test_settings_do_not_change() -> None:
    settings = load({}, {}, None)
    for field in fields(settings):
        with pytest.raises(FrozenInstanceError):
            setattr(settings, field.name, None)


# ------------------------------------------------------------------------- wrong values

WRONG = (
    ("enabled", "perhaps", "1 or 0"),
    ("mode", "medium", "lite or full"),
    ("tenant", "a b", "1 to 64"),
    ("project", "../x", "1 to 64"),
    ("evaluator", "gpt", "auto or embedded or anthropic or sampling or caller"),
    ("anthropic_model", "a model", "name of a model"),
    ("anthropic_api_key_env", KEY, "name of an environment variable"),
    ("judge_timeout_s", "0", "seconds"),
    ("judge_timeout_s", "nan", "seconds"),
    ("judge_timeout_s", "25", "up to 24"),
    ("judge_calls_per_process", "-1", "whole number"),
    ("judge_max_cost_usd", "inf", "US dollars"),
    ("max_entries", "1.5", "whole number"),
    ("retry_below", "50%", "0 to 1"),
    ("good_enough", "1.1", "0 to 1"),
    ("max_retries", "11", "0 to 10"),
    ("loop_deadline_s", "1e9", "seconds"),
    ("insight_tokens", "0", "50 to 10000"),
    ("response_chars", "1", "500 to 100000"),
    ("prompts_folder", "prompts", "an absolute path"),
    ("prompts_folder", "https://example.org/prompts", "an absolute path"),
    ("store", "here.db", "an absolute path"),
    ("store", "/" + "a" * 5000, "an absolute path"),
    ("log_level", "loud", "info or warning or error or off"),
    ("log_format", "xml", "json or text"),
)


@each_row(("name", "value", "wanted"), WRONG, ids=lambda value: str(value)[:20])
def test_a_wrong_value_is_one_line_with_its_name_its_origin_and_what_to_pass(
    name: str, value: str, wanted: str
) -> None:
    variable = f"REFLECTION_{name.upper()}"
    told = refusal(env={variable: value})
    assert told.message == f"the setting {name} (environment {variable}) cannot be used"
    assert wanted in told.hint


@each_row("row", describe(), ids=lambda row: row.name)
def test_a_wrong_value_is_never_repeated(row: SettingRow) -> None:
    told = refusal(env={row.variable: "zq7!"})
    assert row.name in told.message
    assert "zq7" not in told.message + told.hint


@pytest.mark.parametrize(
    "line",
    [
        "max_retries = true",
        "max_retries = [1]",
        "retry_below = false",
        "store = 3",
        "project = 3",
        "tenant = 3",
        "prompts_folder = 3",
        "enabled = 2",
    ],
)
def test_a_value_of_the_wrong_type_in_the_file_is_refused(line: str, tmp_path: Path) -> None:
    file = written(tmp_path, line)
    assert f"(file {file})" in refusal(file=file).message


def test_a_wrong_flag_is_named_as_one() -> None:
    assert "mode (flag)" in refusal({"mode": "medium"}).message


@each_row(
    ("given", "named", "wanted"),
    [
        ({"retry_below": 0.9}, "retry_below", "at most 0.7"),
        ({"good_enough": 0.4}, "good_enough", "at least 0.5"),
        ({"retry_below": 0.9, "good_enough": 0.8}, "retry_below", "at most 0.8"),
        ({"insight_tokens": 700}, "insight_tokens", "at most 600"),
        ({"response_chars_detailed": 5000}, "response_chars_detailed", "at least 6000"),
    ],
)
def test_two_values_that_contradict_each_other_are_refused(
    given: dict[str, object], named: str, wanted: str
) -> None:
    told = refusal(given)
    assert f"{named} (flag)" in told.message
    assert wanted in told.hint


# ------------------------------------------------------------------------- names nobody knows


def test_an_unknown_variable_is_warned_about_with_a_suggestion() -> None:
    settings = load({}, {"REFLECTION_MAX_ENTRY": "5", "REFLECTIONS": "x", "PATH": "/bin"}, None)
    assert len(settings.warnings) == 1
    assert "'REFLECTION_MAX_ENTRY'" in settings.warnings[0]
    assert "did you mean REFLECTION_MAX_ENTRIES?" in settings.warnings[0]


def test_an_unknown_key_of_the_file_is_warned_about_with_a_suggestion(tmp_path: Path) -> None:
    file = written(tmp_path, 'evalutor = "auto"\n"\\u001b[2J" = 1\n[server]\nx = 1\n')
    warnings = load({}, {}, file).warnings
    assert len(warnings) == 3
    assert "did you mean evaluator?" in warnings[0]
    assert "\\x1b[2J" in warnings[1]
    assert "doctor" in warnings[1]


def test_an_unknown_flag_is_refused_with_a_suggestion() -> None:
    told = refusal({"max_retrys": 1})
    assert "max_retrys" in told.message
    assert told.hint == "did you mean max_retries?"


# ------------------------------------------------------------------------- the file


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("mode = \n", "line 1"),
        (b"mode = '\xff'\n", "not UTF-8"),
        (b"#" * 1_000_001, "larger than 1 MB"),
        ("max_entries = " + "9" * 5000, "not TOML"),
        ("x = " + "[" * 20_000, "not TOML"),
    ],
)
def test_a_file_that_is_no_settings_file_is_refused(
    content: str | bytes, said: str, tmp_path: Path
) -> None:
    told = refusal(file=written(tmp_path, content))
    assert said in told.message
    assert "--config" in told.hint


def test_a_file_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    assert load({}, {}, written(tmp_path, b"\xef\xbb\xbfmode = 'full'\n")).mode == "full"


def test_a_file_that_was_named_must_be_there(tmp_path: Path) -> None:
    assert "there is no settings file" in refusal(file=tmp_path / "gone.toml").message
    gone = {"REFLECTION_CONFIG": str(tmp_path / "gone.toml")}
    assert "there is no settings file" in refusal(env=gone).message


def test_a_folder_that_may_not_be_looked_into_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(path: Path) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "is_file", denied)
    assert "Permission denied" in refusal().message


def test_a_file_that_cannot_be_opened_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(tmp_path, "")

    def denied(path: Path, mode: str = "r") -> object:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", denied)
    assert "Permission denied" in refusal(file=file).message


# ------------------------------------------------------------------------- places


def test_the_default_store_is_an_absolute_path_in_the_users_data_folder(tmp_path: Path) -> None:
    store = Path(load({}, {}, None).store)
    assert store.is_absolute()
    assert store.name == "reflections.db"
    assert store.is_relative_to(tmp_path)


def test_a_relative_data_folder_is_refused_because_every_folder_would_have_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def relative(app: str, *, appauthor: bool) -> Path:
        return Path("~", app)

    for name in ("user_data_path", "user_config_path"):
        monkeypatch.setattr(platformdirs, name, relative)
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert "REFLECTION_STORE" in refusal().hint
    assert load({"store": "/data/r.db"}, {}, None).store == str(Path("/data/r.db"))


def test_a_relative_path_is_relative_to_where_it_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert load({"store": "x/../r.db"}, {}, None).store == str(tmp_path / "r.db")
    (tmp_path / "etc").mkdir()
    file = written(tmp_path / "etc", 'store = "r.db"\nprompts_folder = "prompts"\n')
    settings = load({}, {}, file)
    assert settings.store == str(tmp_path / "etc" / "r.db")
    assert settings.prompts_folder == tmp_path / "etc" / "prompts"
    monkeypatch.chdir("/")
    assert load({}, {}, Path(os.path.relpath(file))).store == str(tmp_path / "etc" / "r.db")


def test_a_tilde_is_the_users_home(tmp_path: Path) -> None:
    settings = load({}, {"REFLECTION_STORE": "~/r.db"}, None)
    assert settings.store == str(tmp_path / "home" / "r.db")


def test_the_home_of_a_user_that_does_not_exist_is_no_absolute_path() -> None:
    told = refusal(env={"REFLECTION_STORE": "~nobody-has-this-name/r.db"})
    assert told.hint == "pass an absolute path"


def test_a_path_written_as_a_url_is_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load({"store": "sqlite:////data/my%20r.db"}, {}, None).store == "/data/my r.db"
    assert load({"store": "sqlite:///r.db"}, {}, None).store == str(tmp_path / "r.db")
    told = refusal(env={"REFLECTION_STORE": "sqlite:///r.db"})
    assert told.hint == "pass an absolute path"


@pytest.mark.parametrize("url", ["memory:", "postgresql://team@db.example.org/reflections"])
def test_a_url_is_passed_on_as_it_is(url: str, tmp_path: Path) -> None:
    assert load({"store": url}, {}, None).store == url
    assert load({}, {}, written(tmp_path, f'store = "{url}"\n')).store == url


# ------------------------------------------------------------------------- secrets


@pytest.mark.parametrize(
    "url",
    ["postgresql://team:hunter2@db/r", "postgresql://db/r?user=team&password=hunter2"],
)
def test_a_password_may_stand_in_the_environment_only(url: str, tmp_path: Path) -> None:
    file = written(tmp_path, f'store = "{url}"\n')
    for told in (refusal({"store": url}), refusal(file=file)):
        assert "REFLECTION_STORE" in told.hint
        assert "hunter2" not in told.message + told.hint
    assert load({}, {"REFLECTION_STORE": url}, None).store == url


def every_view(settings: Settings) -> str:
    return "\n".join(
        [
            repr(settings),
            str(settings),
            repr(asdict(settings)["anthropic_api_key"]),
            json.dumps(settings.report()),
            json.dumps(settings.warnings),
        ]
    )


def test_no_view_of_the_settings_shows_a_secret(tmp_path: Path) -> None:
    env = {
        "ANTHROPIC_API_KEY": KEY,
        "REFLECTION_STORE": "postgresql://team:hun@ter2@db.example.org/r?sslpassword=hunter3",
    }
    file = written(tmp_path, f'anthropic_api_key = "{KEY}"\n')
    settings = load({}, env, file)
    assert settings.anthropic_api_key is not None
    assert settings.anthropic_api_key.get_secret_value() == KEY
    shown = every_view(settings)
    assert not [secret for secret in (KEY, "ter2", "hunter3") if secret in shown]
    assert "postgresql://***@db.example.org/r" in shown
    assert "only from the environment" in settings.warnings[0]


def test_the_variable_that_holds_the_key_can_be_another_one() -> None:
    env = {"REFLECTION_ANTHROPIC_API_KEY_ENV": "WORK_KEY", "WORK_KEY": KEY}
    settings = load({}, env, None)
    assert settings.anthropic_api_key is not None
    assert load({}, {"WORK_KEY": KEY}, None).anthropic_api_key is None
    assert load({}, {"ANTHROPIC_API_KEY": "  "}, None).anthropic_api_key is None


# ------------------------------------------------------------------------- the table


def test_the_report_gives_each_value_the_way_it_is_typed_in_and_its_origin() -> None:
    settings = load({"enabled": False, "project": "shop"}, {"REFLECTION_RETRY_BELOW": "0.25"}, None)
    report = {name: (value, origin) for name, value, origin in settings.report()}
    assert report["enabled"] == ("0", "flag")
    assert report["project"] == ("shop", "flag")
    assert report["retry_below"] == ("0.25", "environment REFLECTION_RETRY_BELOW")
    assert report["judge_timeout_s"] == ("20", "default")
    assert list(report) == [row.name for row in describe()]


def test_a_local_store_is_reported_as_it_is() -> None:
    report = {name: value for name, value, _ in load({}, {}, None).report()}
    assert report["store"].endswith("reflections.db")
    assert report["project"] == ""


def test_a_url_without_credentials_is_reported_as_it_is() -> None:
    settings = load({"store": "postgresql://db.example.org/r"}, {}, None)
    assert ("store", "postgresql://db.example.org/r", "flag") in settings.report()


@each_row("row", describe(), ids=lambda row: row.name)
def test_every_setting_has_a_line_that_a_stranger_can_use(row: SettingRow) -> None:
    assert row.expects
    assert row.description
    assert row.description[0] != " "
    assert row.variable == f"REFLECTION_{row.name.upper()}"


@each_row("row", describe(), ids=lambda row: row.name)
def test_a_default_passed_by_hand_changes_nothing(row: SettingRow) -> None:
    settings = load({}, {row.variable: row.default}, None)
    assert replace(settings, provenance={}) == replace(load({}, {}, None), provenance={})


def test_importing_the_settings_loads_nothing_heavy() -> None:
    code = (
        "import sys; import reflection_mcp.server.settings.settings;"
        "print([m for m in ('anthropic', 'platformdirs', 'mcp', 'pydantic', 'difflib')"
        " if m in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert run.stdout.strip() == "[]"
