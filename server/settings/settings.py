"""Settings: the value of each, and its origin.

The rule: a flag beats a `REFLECTION_*` variable, that beats the settings file, that beats the
default; a value that cannot be used stops the start with one line that names the setting, its
origin and what to pass; an unknown name gives a warning and does no harm. Values are never repeated
in a message, because one of them may be a secret in the wrong place. Secrets come from the
environment alone: a command line is visible to every user of the machine, and a file gets copied.

Nothing is read when this module is imported; the caller of `load` passes what it reads.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from reflection_mcp.server.settings.options import (
    PREFIX,
    ApiKey,
    SettingRow,
    Values,
    WrongValue,
    describe,
    setting_fields,
)
from reflection_mcp.server.settings.places import (
    config_folder,
    data_folder,
    expanded,
    has_password,
    located,
    working_folder,
)
from reflection_mcp.tools.errors import InvalidInput

__all__ = ["CONFIG_VARIABLE", "SettingRow", "Settings", "describe", "load"]

CONFIG_VARIABLE = "REFLECTION_CONFIG"
TOKEN_VARIABLE = "REFLECTION_TOKEN"
"""What documents call the variable in which a host finds its token; it is no setting of ours."""
_FILE_BYTES = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Settings(Values):
    """The values in force, and `provenance`: for each name where its value came from.

    An origin reads `flag`, `environment REFLECTION_X`, `file PATH` or `default`. `warnings` are
    sentences for a person. `anthropic_api_key` is None when its variable is not set.
    """

    provenance: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    warnings: tuple[str, ...] = field(default=(), repr=False)
    anthropic_api_key: ApiKey | None = None

    def report(self) -> Sequence[tuple[str, str, str]]:
        """Name, printable value and origin of every setting; no secret is among them."""
        return [(name, self.shown(name), self.provenance.get(name, "default")) for name in _names()]


# ------------------------------------------------------------------------- loading

_Given = dict[str, tuple[object, str]]
"""For each setting with a value: the value and its origin."""


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
    values: dict[str, Any] = {name: value for name, (value, _) in given.items()}
    for name in _PLACES & given.keys():
        values[name] = _place(name, *given[name])
    if "store" not in values:
        values["store"] = str(data_folder() / "reflections.db")
    origins = {name: origin for name, (_, origin) in given.items()}
    settings = _validated(values, origins)
    key = _from_variable(env, settings.anthropic_api_key_env, warnings)
    return replace(
        settings,
        provenance={name: origins.get(name, "default") for name in _names()},
        warnings=tuple(warnings),
        anthropic_api_key=ApiKey(key) if key else None,
    )


def _place(name: str, value: object, origin: str) -> object:
    if not isinstance(value, str):
        return value
    kind, _, source = origin.partition(" ")
    # The folder means nothing in the environment of a host: hosts start us anywhere.
    base: Path | None = None
    if kind == "file":
        base = Path(source).parent
    elif kind == "flag":
        base = working_folder()
    if base is not None and has_password(value):
        raise _unusable(name, origin, f"pass a URL with a password in {PREFIX}{name.upper()} only")
    place = located(value, base, url_allowed=name == "store")
    if place is None:
        raise _unusable(name, origin, "pass an absolute path")
    return place


_PLACES = {"store", "prompts_folder", "tokens"}


def _validated(values: Mapping[str, Any], origins: Mapping[str, str]) -> Settings:
    try:
        settings = Settings(**values)
    except WrongValue as wrong:
        name = wrong.setting
        row = next(row for row in describe() if row.name == name)
        raise _unusable(name, origins[name], f"pass {row.expects}") from None
    for low, high in _ORDERED:
        if getattr(settings, low) > getattr(settings, high):
            name, other = (low, high) if low in origins else (high, low)
            limit = f"{settings.shown(other)}, the value of {other}"
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
    """Return True if a value counts as not given; hosts pass an empty text for an empty form
    field."""
    return value is None or (isinstance(value, str) and not value.strip())


def _from_flags(overrides: Mapping[str, object]) -> _Given:
    for name in overrides:
        if name not in _names():
            raise InvalidInput(
                f"there is no setting {_quoted(name)}", _did_you_mean(name, _names())
            )
    given = {name: value for name, value in overrides.items() if value is not None}
    for name, value in given.items():
        if _is_blank(value):  # `--store "$UNSET"` must not mean the store of the user
            raise _unusable(name, "flag", "pass a value, or leave the flag out")
    return {name: (value, "flag") for name, value in given.items()}


def _from_environment(env: Mapping[str, str], warnings: list[str]) -> _Given:
    given: _Given = {}
    variables = {PREFIX + name.upper(): name for name in _names()}
    for variable in sorted(env):
        if not variable.startswith(PREFIX) or variable in (CONFIG_VARIABLE, TOKEN_VARIABLE):
            continue
        if variable not in variables:
            hint = _did_you_mean(variable, variables)
            warnings.append(f"the environment variable {_quoted(variable)} is not known: {hint}")
        elif value := _from_variable(env, variable, warnings):
            given[variables[variable]] = (value, f"environment {variable}")
    return given


def _from_variable(env: Mapping[str, str], variable: str, warnings: list[str]) -> str:
    """Return the value of a variable, empty when it was not set.

    Hosts pass `${user_config.store}` itself when their user left that option empty.
    """
    value = env.get(variable, "").strip()
    if value.startswith("${") and value.endswith("}"):
        warnings.append(
            f"the environment variable {variable} still holds a placeholder and is ignored"
        )
        return ""
    return value


def _from_file(file: Path | None, env: Mapping[str, str], warnings: list[str]) -> _Given:
    path, required = _which_file(file, env, warnings)
    given: _Given = {}
    for name, value in _read_toml(path, required).items():
        if name in _names():
            # As text, because a number must not be true; text is what the other sources have.
            value = str(value).lower() if isinstance(value, bool) else value
            if not _is_blank(value):
                given[name] = (value, f"file {path}")
        elif name == "anthropic_api_key":
            warnings.append(
                f"anthropic_api_key in {path} is ignored: secrets come only from the environment"
            )
        else:
            hint = _did_you_mean(name, _names())
            warnings.append(f"the setting {_quoted(name)} in {path} is not known: {hint}")
    return given


def _which_file(
    file: Path | None, env: Mapping[str, str], warnings: list[str]
) -> tuple[Path, bool]:
    """Return the settings file, and True if it has to exist because somebody named it."""
    named = str(file) if file is not None else _from_variable(env, CONFIG_VARIABLE, warnings)
    if named:
        return expanded(named).absolute(), True
    return config_folder() / "config.toml", False


def _read_toml(path: Path, required: bool) -> dict[str, Any]:
    hint = f"pass a readable TOML file in --config or {CONFIG_VARIABLE}"
    try:
        if not path.is_file():
            if not required:
                return {}
            raise InvalidInput(f"there is no settings file {path}", hint)
        with path.open("rb") as file:
            content = file.read(_FILE_BYTES + 1)
    except OSError as trouble:
        reason = trouble.strerror or type(trouble).__name__
        raise InvalidInput(f"the settings file {path} cannot be read: {reason}", hint) from None
    if len(content) > _FILE_BYTES:
        raise InvalidInput(f"the settings file {path} is larger than 1 MB", hint)
    import tomllib  # only those who have a file pay for reading it

    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InvalidInput(f"the settings file {path} is not UTF-8", hint) from None
    except (ValueError, RecursionError) as trouble:  # a number or a nesting without end, too
        raise InvalidInput(f"the settings file {path} is not TOML: {trouble}", hint) from None


# ------------------------------------------------------------------------- words


def _names() -> Sequence[str]:
    return [row.name for row in setting_fields()]


def _quoted(name: str) -> str:
    """Return a name from outside as it may appear in one line."""
    return ascii(name[:64])


def _did_you_mean(name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    nearest = get_close_matches(name, list(known), 1)
    return f"did you mean {nearest[0]}?" if nearest else "`reflection-mcp doctor` lists them all"
