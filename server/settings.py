"""What can be set, and where each value came from.

The rule: a flag beats a `REFLECTION_*` variable, that beats the settings file, that beats the
default; a value that cannot be used stops the start with one line that names the setting, its
origin and what to pass; a name that nobody knows is warned about and does no harm. Values are never
repeated in a message, because one of them may be a secret in the wrong place. Secrets come from the
environment alone: a command line is seen by every user of the machine, and a file gets copied.

Nothing is read when this module is imported; `load` is handed what it looks at.
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    field_serializer,
)
from pydantic.fields import FieldInfo

from reflection_mcp.server.places import (
    config_folder,
    data_folder,
    expanded,
    has_password,
    located,
    printable,
)
from reflection_mcp.server.project import NAME_RULE, project_name
from reflection_mcp.tools.errors import InvalidInput

PREFIX = "REFLECTION_"
CONFIG_VARIABLE = "REFLECTION_CONFIG"
_FILE_BYTES = 1_000_000


def _valid_name(name: str) -> str:
    try:
        return project_name(name)
    except InvalidInput as refused:
        raise ValueError(refused.message) from refused


# A type and, in its title, what a person has to pass for it.
_Switch = Annotated[bool, Field(title="1 or 0")]
_Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False, title="a number from 0 to 1")]
_Seconds = Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False, title="seconds, up to 3600")]
_Dollars = Annotated[
    float, Field(ge=0, le=1000, allow_inf_nan=False, title="US dollars, from 0 to 1000")
]
_Count = Annotated[int, Field(ge=0, le=10_000_000, title="a whole number from 0 to 10000000")]
_Retries = Annotated[int, Field(ge=0, le=10, title="a whole number from 0 to 10")]
_Tokens = Annotated[int, Field(ge=50, le=10_000, title="a whole number from 50 to 10000")]
_Characters = Annotated[int, Field(ge=500, le=100_000, title="a whole number from 500 to 100000")]
_Name = Annotated[
    str,
    AfterValidator(_valid_name),
    Field(title=NAME_RULE),
]
_Model = Annotated[
    str,
    Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}$", title="the name of a model"),
]
# Upper case only, so that a key put here by mistake is refused instead of printed as a name.
_Variable = Annotated[
    str, Field(pattern=r"^[A-Z_][A-Z0-9_]{0,63}$", title="the name of an environment variable")
]
_Place = Annotated[str, Field(max_length=4096, title="an absolute path, a URL, or nothing")]


class Values(BaseModel):
    """Everything that can be set, in the order in which it is printed."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    enabled: _Switch = Field(
        default=True, description="0 switches every tool off; each says so and keeps nothing"
    )
    mode: Literal["lite", "full"] = Field(
        default="lite",
        description="lite reflects on demand only; full also consolidates when idle, once a day",
    )
    store: _Place = Field(
        default="",
        description="where everything is kept; empty means a file in the user's data folder",
        repr=False,
    )
    tenant: _Name = Field(default="default", description="whose memory this is")
    project: _Name | None = Field(
        default=None,
        title=NAME_RULE,
        description="which part of the memory; empty means the repository the server starts in, "
        "`global` the part that every project sees",
    )
    evaluator: Literal["auto", "embedded", "anthropic", "sampling", "caller"] = Field(
        default="auto",
        description="who scores an answer; auto takes the first that is there of anthropic, "
        "sampling, caller; the embedded checks always run",
    )
    anthropic_model: _Model = Field(
        default="claude-haiku-5-5", description="the model that judges when there is a key"
    )
    anthropic_api_key_env: _Variable = Field(
        default="ANTHROPIC_API_KEY", description="the environment variable that holds the key"
    )
    judge_timeout_s: _Seconds = Field(default=20, description="how long one judgement may take")
    judge_calls_per_process: _Count = Field(
        default=500, description="how many paid judgements one server process may ask for"
    )
    judge_max_cost_usd: _Dollars = Field(
        # 500 judgements at the $0.0002 of 900 tokens in and 250 out, with room for long contexts.
        default=0.25,
        description="how much one server process may spend on judgements",
    )
    max_entries: _Count = Field(
        default=1000, description="how many reflections are kept; 0 means no limit"
    )
    retry_below: _Share = Field(
        default=0.5, description="a judged quality below this asks for a retry"
    )
    good_enough: _Share = Field(
        default=0.7, description="the loop stops above this quality when nothing is found wrong"
    )
    max_retries: _Retries = Field(default=2, description="how often the loop tries again")
    loop_deadline_s: _Seconds = Field(
        # Hosts give up on a call after about 60 seconds.
        default=45,
        description="how long answer_with_reflection may run inside one call",
    )
    insight_tokens: _Tokens = Field(
        default=300, description="the budget of get_insights when the answer is concise"
    )
    insight_tokens_detailed: _Tokens = Field(
        default=600, description="the budget of get_insights when the answer is detailed"
    )
    response_chars: _Characters = Field(
        default=6_000, description="the longest concise result of a tool"
    )
    response_chars_detailed: _Characters = Field(
        default=20_000, description="the longest detailed result of a tool"
    )
    prompts_folder: _Place = Field(
        default="", description="a folder whose prompts replace the built-in ones"
    )
    log_level: Literal["info", "warning", "error", "off"] = Field(
        default="info", description="the least that is written to stderr"
    )
    log_format: Literal["json", "text"] = Field(
        default="json", description="how a line on stderr looks"
    )
    durable: Literal["full", "normal"] = Field(
        default="full",
        description="full survives a power cut; normal is faster and may lose the newest writes",
    )

    @field_serializer("store")
    def _without_credentials(self, store: str) -> str:
        return printable(store)


class Settings(Values):
    """The values in force, and `provenance`: for each name where its value came from.

    An origin reads `flag`, `environment REFLECTION_X`, `file PATH` or `default`. `warnings` are
    sentences for a person. `anthropic_api_key` is None when its variable is not set.
    """

    provenance: Mapping[str, str] = Field(default_factory=dict[str, str], repr=False)
    warnings: tuple[str, ...] = Field(default=(), repr=False)
    anthropic_api_key: SecretStr | None = None

    def report(self) -> Sequence[tuple[str, str, str]]:
        """Name, printable value and origin of every setting; no secret is among them."""
        values = self.model_dump(mode="json")
        return [
            (row.name, _shown(values[row.name]), self.provenance.get(row.name, "default"))
            for row in describe()
        ]


# ------------------------------------------------------------------------- the table


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingRow:
    """One line of the table of settings; `expects` says in words what may be passed."""

    name: str
    expects: str
    default: str
    description: str
    variable: str
    flag: str


def describe() -> Sequence[SettingRow]:
    """Every setting, for the README's table, the command line and `doctor`."""
    return [
        SettingRow(
            name=name,
            expects=_expects(field),
            default=_shown(field.default),
            description=field.description or "",
            variable=PREFIX + name.upper(),
            flag="--" + name.replace("_", "-"),
        )
        for name, field in Values.model_fields.items()
    ]


def _expects(field: FieldInfo) -> str:
    return field.title or " or ".join(get_args(field.annotation))


def _shown(value: Any) -> str:
    """A value the way it is typed in."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, float):
        return f"{value:g}"
    return "" if value is None else str(value)


# ------------------------------------------------------------------------- loading

_Given = dict[str, tuple[object, str]]
"""For each setting that somebody gave a value: the value and its origin."""


def load(
    argv_overrides: Mapping[str, object], env: Mapping[str, str], file: Path | None
) -> Settings:
    """The settings in force.

    Args:
        argv_overrides: values of flags by the name of the setting; None was not given.
        env: the environment.
        file: the file named by `--config`; without it `REFLECTION_CONFIG`, else `config.toml` in
            the user's configuration folder, which need not exist.

    Raises:
        InvalidInput: a value, or the file, cannot be used.
    """
    warnings: list[str] = []
    given = (
        _from_file(file, env, warnings)
        | _from_environment(env, warnings)
        | _from_flags(argv_overrides)
    )
    values: dict[str, object] = {name: value for name, (value, _) in given.items()}
    for name in _PLACES & given.keys():
        values[name] = _place(name, *given[name])
    if "store" not in values:
        values["store"] = str(data_folder() / "reflections.db")
    origins = {name: origin for name, (_, origin) in given.items()}
    settings = _validated(values, origins)
    key = env.get(settings.anthropic_api_key_env, "").strip()
    return settings.model_copy(
        update={
            "provenance": {row.name: origins.get(row.name, "default") for row in describe()},
            "warnings": tuple(warnings),
            "anthropic_api_key": SecretStr(key) if key else None,
        }
    )


def _place(name: str, value: object, origin: str) -> object:
    if not isinstance(value, str):
        return value
    kind, _, source = origin.partition(" ")
    if kind != "environment" and has_password(value):
        raise _unusable(name, origin, f"pass a URL with a password in {PREFIX}{name.upper()} only")
    # In the environment of a host nobody stands in any folder: hosts start us anywhere.
    base = {"file": Path(source).parent, "flag": Path.cwd()}.get(kind)
    place = located(value, base)
    if place is None:
        raise _unusable(name, origin, "pass an absolute path")
    return place


_PLACES = {"store", "prompts_folder"}


def _validated(values: Mapping[str, object], origins: Mapping[str, str]) -> Settings:
    try:
        settings = Settings.model_validate(values)
    except ValidationError as wrong:
        name = str(wrong.errors(include_input=False, include_url=False)[0]["loc"][0])
        row = next(row for row in describe() if row.name == name)
        raise _unusable(name, origins[name], f"pass {row.expects}") from None
    for low, high in _ORDERED:
        if getattr(settings, low) > getattr(settings, high):
            name, other = (low, high) if low in origins else (high, low)
            limit = f"{_shown(getattr(settings, other))}, the value of {other}"
            wanted = f"at most {limit}" if name == low else f"at least {limit}"
            raise _unusable(name, origins[name], f"pass {wanted}")
    return settings


_ORDERED = (
    ("retry_below", "good_enough"),
    ("insight_tokens", "insight_tokens_detailed"),
    ("response_chars", "response_chars_detailed"),
)
"""Pairs of settings of which the first may not be larger than the second."""


def _unusable(name: str, origin: str, hint: str) -> InvalidInput:
    return InvalidInput(f"the setting {name} ({origin}) cannot be used", hint)


def _is_blank(value: object) -> bool:
    """Whether a value counts as not given; hosts pass an empty text for an empty form field."""
    return value is None or (isinstance(value, str) and not value.strip())


def _from_flags(overrides: Mapping[str, object]) -> _Given:
    for name in overrides:
        if name not in Values.model_fields:
            raise InvalidInput(
                f"there is no setting {_quoted(name)}", _did_you_mean(name, _names())
            )
    return {name: (value, "flag") for name, value in overrides.items() if not _is_blank(value)}


def _from_environment(env: Mapping[str, str], warnings: list[str]) -> _Given:
    given: _Given = {}
    variables = {PREFIX + name.upper(): name for name in _names()}
    for variable in sorted(env):
        if not variable.startswith(PREFIX) or variable == CONFIG_VARIABLE:
            continue
        value = env[variable].strip()
        if variable not in variables:
            hint = _did_you_mean(variable, variables)
            warnings.append(f"the environment variable {_quoted(variable)} is not known: {hint}")
        elif value.startswith("${") and value.endswith("}"):
            # Hosts pass the placeholder itself when their user left the option empty.
            warnings.append(f"the environment variable {variable} was never filled in: ignored")
        elif not _is_blank(value):
            given[variables[variable]] = (value, f"environment {variable}")
    return given


def _from_file(file: Path | None, env: Mapping[str, str], warnings: list[str]) -> _Given:
    path, required = _which_file(file, env)
    if path is None or not (required or path.is_file()):
        return {}
    given: _Given = {}
    for name, value in _read_toml(path).items():
        if name in Values.model_fields:
            # As text, because a number must not be true; text is what the other sources have.
            value = str(value).lower() if isinstance(value, bool) else value
            if not _is_blank(value):
                given[name] = (value, f"file {path}")
        elif name == "anthropic_api_key":
            warnings.append(
                f"anthropic_api_key in {path} is ignored: secrets come from the environment alone"
            )
        else:
            hint = _did_you_mean(name, _names())
            warnings.append(f"the setting {_quoted(name)} in {path} is not known: {hint}")
    return given


def _which_file(file: Path | None, env: Mapping[str, str]) -> tuple[Path | None, bool]:
    """The settings file, and whether it has to exist because somebody named it."""
    named = env.get(CONFIG_VARIABLE, "").strip()
    if file is not None:
        return expanded(str(file)).absolute(), True
    if named:
        return expanded(named).absolute(), True
    folder = config_folder()
    return (None, False) if folder is None else (folder / "config.toml", False)


def _read_toml(path: Path) -> dict[str, Any]:
    hint = f"pass a readable TOML file in --config or {CONFIG_VARIABLE}"
    try:
        if not path.is_file():
            raise InvalidInput(f"there is no settings file {path}", hint)
        with path.open("rb") as file:
            content = file.read(_FILE_BYTES + 1)
    except OSError as trouble:
        reason = trouble.strerror or type(trouble).__name__
        raise InvalidInput(f"the settings file {path} cannot be read: {reason}", hint) from None
    if len(content) > _FILE_BYTES:
        raise InvalidInput(f"the settings file {path} is larger than 1 MB", hint)
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InvalidInput(f"the settings file {path} is not UTF-8", hint) from None
    except tomllib.TOMLDecodeError as trouble:
        raise InvalidInput(f"the settings file {path} is not TOML: {trouble}", hint) from None


# ------------------------------------------------------------------------- words


def _names() -> Sequence[str]:
    return list(Values.model_fields)


def _quoted(name: str) -> str:
    """A name that somebody made up, fit for one line."""
    return ascii(name[:64])


def _did_you_mean(name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    nearest = get_close_matches(name, list(known), 1)
    return f"did you mean {nearest[0]}?" if nearest else "`reflection-mcp doctor` lists them all"
