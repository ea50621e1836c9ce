"""Everything that can be set: names, types, defaults, and one sentence for each.

The rule: this table is all there is to say about a setting. The command line, the environment, the
settings file, the README and `doctor` read it here, so that a new setting is one new line.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from reflection_mcp.server.project import NAME_RULE, place_name, project_name
from reflection_mcp.server.settings.places import printable
from reflection_mcp.tools.errors import InvalidInput

PREFIX = "REFLECTION_"
"""The beginning of the environment variable of every setting."""


class WrongValue(ValueError):
    """A value that cannot be used for the setting with this name; it is never repeated."""

    def __init__(self, setting: str) -> None:
        super().__init__(f"the setting {setting} cannot be used")
        self.setting = setting


class ApiKey:
    """A text that no view shows."""

    def __init__(self, text: str) -> None:
        self._text = text

    def get_secret_value(self) -> str:
        """The text itself."""
        return self._text

    def __repr__(self) -> str:
        """Stars."""
        return "ApiKey('**********')"


@dataclass(frozen=True, slots=True)
class _Kind:
    """What a person has to pass, and how that is read; reading raises ValueError or InvalidInput.

    Values arrive as text, from a variable or a flag, or as what TOML made of them.
    """

    expects: str
    read: Callable[[object], object]


def _switch(given: object) -> bool:
    said = str(given).lower()
    if said not in _YES | _NO:
        raise ValueError
    return said in _YES


_YES = frozenset(("1", "true", "yes", "on", "t", "y"))
_NO = frozenset(("0", "false", "no", "off", "f", "n"))


def _text(pattern: str) -> Callable[[object], str]:
    def read(given: object) -> str:
        if not isinstance(given, str) or not re.fullmatch(pattern, given):
            raise ValueError
        return given

    return read


def _number(
    low: float, high: float, expects: str, *, whole: bool = False, above: bool = False
) -> _Kind:
    """A number from `low`, which may itself be left out, to `high`."""

    def read(given: object) -> int | float:
        if not isinstance(given, int | float | str):
            raise ValueError
        number = float(given)
        if not (math.isfinite(number) and low <= number <= high) or (above and number == low):
            raise ValueError
        if not whole:
            return number
        if number != int(number):
            raise ValueError
        return int(number)

    return _Kind(expects, read)


def _one_of(*names: str) -> _Kind:
    return _Kind(" or ".join(names), _text("|".join(names)))


def _named(given: object) -> str:
    if not isinstance(given, str):
        raise ValueError
    return project_name(given)


def _project(given: object) -> str:
    if not isinstance(given, str):
        raise ValueError
    return place_name(given)


def _folder(given: object) -> Path:
    if not isinstance(given, str | Path):
        raise ValueError
    return Path(given)


_SWITCH = _Kind("1 or 0", _switch)
_SHARE = _number(0, 1, "a number from 0 to 1")
_SECONDS = _number(0, 3600, "seconds, up to 3600", above=True)
# Of one request, its retries included: a judge stays below 25 seconds.
_PATIENCE = _number(0, 24, "seconds, up to 24", above=True)
_DOLLARS = _number(0, 1000, "US dollars, from 0 to 1000")
_RATE = _number(0, 10_000, "a number from 0 to 10000")
_COUNT = _number(0, 10_000_000, "a whole number from 0 to 10000000", whole=True)
_RETRIES = _number(0, 10, "a whole number from 0 to 10", whole=True)
_TOKENS = _number(50, 10_000, "a whole number from 50 to 10000", whole=True)
_CHARACTERS = _number(500, 100_000, "a whole number from 500 to 100000", whole=True)
_NAME = _Kind(NAME_RULE, _named)
_PROJECT = _Kind(f"{NAME_RULE}; PROJECT@PERSON is that person's private place in it", _project)
_MODEL = _Kind("the name of a model", _text(r"[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}"))
# Upper case only, so that a key put here by mistake is refused instead of printed as a name.
_VARIABLE = _Kind("the name of an environment variable", _text(r"[A-Z_][A-Z0-9_]{0,63}"))
_FOLDER = _PATH = _Kind("an absolute path", _folder)
_PLACE = _Kind("an absolute path, a URL, or nothing", _text(r"(?s:.{0,4096})"))
_URL = _Kind(
    "an https URL, or nothing",
    _text(r"(?:https://[^\s?#]{1,500}|http://(?:localhost|127\.0\.0\.1|\[::1\])[^\s?#]{0,500})?"),
)
_WORD = _Kind("a text without spaces, or nothing", _text(r"[\w:/.~-]{0,500}"))
_EMBEDDER = _Kind("the name of a model, a folder, or nothing", _text(r"[\w./:\\ -]{0,300}"))


def _setting(kind: _Kind, *, default: Any, description: str, repr: bool = True) -> Any:
    said = {"kind": kind, "description": description}
    return field(default=default, repr=repr, metadata=said)


@dataclass(frozen=True, kw_only=True)
class Values:
    """Everything that can be set, in the order in which it is printed.

    Raises:
        WrongValue: a value cannot be used.
    """

    enabled: bool = _setting(
        _SWITCH,
        default=True,
        description="0 switches every tool off: each says so and stores nothing",
    )
    mode: Literal["lite", "full"] = _setting(
        _one_of("lite", "full"),
        default="lite",
        description="lite works only when a tool is called; full also consolidates lessons "
        "once a day, when idle",
    )
    store: str = _setting(
        _PLACE,
        default="",
        description="the file that holds everything; empty means a file in your user data folder",
        repr=False,
    )
    tenant: str = _setting(
        _NAME,
        default="default",
        description="tenant: users or teams in one store who never see each other's lessons",
    )
    project: str | None = _setting(
        _PROJECT,
        default=None,
        description="the project of lessons; empty means the repository the server starts in; "
        "`global` means lessons that every project sees",
    )
    evaluator: Literal["auto", "embedded", "anthropic", "sampling", "caller"] = _setting(
        _one_of("auto", "embedded", "anthropic", "sampling", "caller"),
        default="auto",
        description="who scores an answer; auto: the first available of anthropic, sampling (the "
        "client's model) and caller; embedded: nobody; the checks run in any case",
    )
    anthropic_model: str = _setting(
        _MODEL,
        default="claude-haiku-5-5",
        description="the model that judges if there is an API key",
    )
    anthropic_api_key_env: str = _setting(
        _VARIABLE,
        default="ANTHROPIC_API_KEY",
        description="the environment variable that holds the API key",
    )
    judge_timeout_s: float = _setting(
        _PATIENCE, default=20.0, description="timeout of one judgement"
    )
    judge_calls_per_process: int = _setting(
        _COUNT, default=500, description="maximum number of paid judgements in one server process"
    )
    judge_max_cost_usd: float = _setting(
        _DOLLARS,
        # 500 judgements at the $0.0002 of 900 tokens in and 250 out, with room for long contexts.
        default=0.25,
        description="maximum cost of paid judgements in one server process",
    )
    max_entries: int = _setting(
        _COUNT, default=1000, description="maximum number of lessons in a project; 0 means no limit"
    )
    retry_below: float = _setting(
        _SHARE, default=0.5, description="threshold: a judged quality below it asks for a retry"
    )
    good_enough: float = _setting(
        _SHARE,
        default=0.7,
        description="threshold: the loop stops above this quality if no fault was found",
    )
    max_retries: int = _setting(
        _RETRIES, default=2, description="maximum number of retries in the loop"
    )
    loop_deadline_s: float = _setting(
        _SECONDS,
        # Hosts give up on a call after about 60 seconds.
        default=45.0,
        description="time limit of one call of answer_with_reflection",
    )
    insight_tokens: int = _setting(
        _TOKENS, default=300, description="maximum tokens of a concise result of get_insights"
    )
    insight_tokens_detailed: int = _setting(
        _TOKENS, default=600, description="maximum tokens of a detailed result of get_insights"
    )
    response_chars: int = _setting(
        _CHARACTERS, default=6_000, description="maximum characters of a concise result of any tool"
    )
    response_chars_detailed: int = _setting(
        _CHARACTERS,
        default=20_000,
        description="maximum characters of a detailed result of any tool",
    )
    views: Literal["auto", "both", "text"] = _setting(
        _one_of("auto", "both", "text"),
        default="auto",
        description="send results as text and as structured data, or as text only; auto: text only "
        "to clients that are known to show a model both",
    )
    semantic_model: str = _setting(
        _EMBEDDER,
        default="",
        description="embedding model that helps to rank lessons by meaning; fetch it once with "
        "`reflection-mcp fetch-model`; empty means that lessons are ranked by words only",
    )
    prompts_folder: Path | None = _setting(
        _FOLDER,
        default=None,
        description="folder with prompts that replace the built-in ones",
    )
    project_names: bool = _setting(
        _SWITCH,
        default=True,
        description="1 checks paths in an answer against the names of files in the repository; "
        "their content is never read",
    )
    run_code: bool = _setting(
        _SWITCH,
        default=False,
        description="1 runs Python code of an answer (doctests, asserts, examples) and checks the "
        "syntax of its shell and JavaScript code, in child processes with limits",
    )
    tokens: Path | None = _setting(
        _PATH,
        default=None,
        description="the file with the digests of tokens for `serve --http`; empty means "
        "`tokens.toml` beside the store",
    )
    oauth_issuer: str = _setting(
        _URL, default="", description="the issuer whose tokens `serve --http --auth oauth` accepts"
    )
    oauth_audience: str = _setting(
        _WORD,
        default="",
        description="the audience that a token has to name; empty means the URL of the server, "
        "ending in /mcp",
    )
    oauth_jwks_url: str = _setting(
        _URL,
        default="",
        description="the URL of the issuer's keys; empty means the URL that its metadata gives",
    )
    oauth_scope: str = _setting(
        _WORD, default="", description="the scope that a token must have; empty means any"
    )
    oauth_tenant_claim: str = _setting(
        _WORD,
        default="",
        description="the claim of a token that names its tenant; empty means the setting tenant",
    )
    oauth_role_claim: str = _setting(
        _WORD,
        default="",
        description="the claim of a token that names its role (reader, writer or admin), such as "
        "scope with memory:reader; empty means that everybody is a writer",
    )
    share: Literal["project", "mine"] = _setting(
        _one_of("project", "mine"),
        default="project",
        description="who sees a new lesson of `serve --http`: everybody in the project, or only "
        "the person who learned it, until a review shares it",
    )
    requests_per_second: float = _setting(
        _RATE,
        default=20.0,
        description="requests per second that `serve --http` accepts from each principal; 0 means "
        "no limit",
    )
    request_burst: int = _setting(
        _COUNT,
        default=60,
        description="requests that `serve --http` accepts at once from each principal after a "
        "pause",
    )
    log_level: Literal["info", "warning", "error", "off"] = _setting(
        _one_of("info", "warning", "error", "off"),
        default="info",
        description="log level: the lowest level that is written to stderr",
    )
    log_format: Literal["json", "text"] = _setting(
        _one_of("json", "text"), default="json", description="log format of the lines on stderr"
    )

    def __post_init__(self) -> None:
        """Read each value that is not the default."""
        for row in setting_fields():
            given = getattr(self, row.name)
            if given is not row.default:
                try:
                    value = row.metadata["kind"].read(given)
                except (ValueError, OverflowError, InvalidInput):
                    raise WrongValue(row.name) from None
                object.__setattr__(self, row.name, value)

    def shown(self, name: str) -> str:
        """The value of a setting the way it is typed in, without credentials."""
        value = shown(getattr(self, name))
        return printable(value) if name == "store" else value


def setting_fields() -> "list[Field[Any]]":
    """The fields of all settings, in their order."""
    return list(fields(Values))


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingRow:
    """One line of the table of settings; `expects` says in words what may be passed."""

    name: str
    expects: str
    default: str
    description: str
    variable: str


def describe() -> Sequence[SettingRow]:
    """Every setting, for the README's table, the command line and `doctor`."""
    return [
        SettingRow(
            name=row.name,
            expects=row.metadata["kind"].expects,
            default=shown(row.default),
            description=row.metadata["description"],
            variable=PREFIX + row.name.upper(),
        )
        for row in setting_fields()
    ]


def shown(value: Any) -> str:
    """A value the way it is typed in."""
    if isinstance(value, bool):
        return "1" if value else "0"
    return "" if value is None else str(value).removesuffix(".0")
