"""Everything that can be set: names, types, defaults, and one sentence for each.

The rule: this table is all there is to say about a setting. The command line, the environment, the
settings file, the README and `doctor` read it here, so that a new setting is one new line.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_serializer
from pydantic.fields import FieldInfo

from reflection_mcp.server.places import printable
from reflection_mcp.server.project import NAME_RULE, project_name
from reflection_mcp.tools.errors import InvalidInput

PREFIX = "REFLECTION_"
"""The beginning of the environment variable of every setting."""


def _valid_name(name: str) -> str:
    try:
        return project_name(name)
    except InvalidInput as refused:
        raise ValueError(refused.message) from refused


# A type and, in its title, what a person has to pass for it.
_Switch = Annotated[bool, Field(title="1 or 0")]
_Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False, title="a number from 0 to 1")]
_Seconds = Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False, title="seconds, up to 3600")]
# Of one request, its retries included: a judge stays below 25 seconds.
_Patience = Annotated[float, Field(gt=0, le=24, allow_inf_nan=False, title="seconds, up to 24")]
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
_Folder = Annotated[Path, Field(title="an absolute path")]
_Place = Annotated[str, Field(max_length=4096, title="an absolute path, a URL, or nothing")]


class Values(BaseModel):
    """Everything that can be set, in the order in which it is printed."""

    # Deferred, because only the subclass is ever built, and building costs 4 ms.
    model_config = ConfigDict(
        frozen=True, extra="forbid", hide_input_in_errors=True, defer_build=True
    )

    enabled: _Switch = Field(
        default=True, description="0 switches every tool off: each says so and stores nothing"
    )
    mode: Literal["lite", "full"] = Field(
        default="lite",
        description="lite works only when a tool is called; full also consolidates lessons "
        "once a day, when idle",
    )
    store: _Place = Field(
        default="",
        description="the file that holds everything; empty means a file in your user data folder",
        repr=False,
    )
    tenant: _Name = Field(
        default="default",
        description="tenant: users or teams in one store who never see each other's lessons",
    )
    project: _Name | None = Field(
        default=None,
        title=NAME_RULE,
        description="the project of lessons; empty means the repository the server starts in; "
        "`global` means lessons that every project sees",
    )
    evaluator: Literal["auto", "embedded", "anthropic", "sampling", "caller"] = Field(
        default="auto",
        description="who scores an answer; auto takes the first that is available of anthropic, "
        "sampling (the client's model) and caller; the embedded checks always run",
    )
    anthropic_model: _Model = Field(
        default="claude-haiku-5-5", description="the model that judges if there is an API key"
    )
    anthropic_api_key_env: _Variable = Field(
        default="ANTHROPIC_API_KEY", description="the environment variable that holds the API key"
    )
    judge_timeout_s: _Patience = Field(default=20.0, description="timeout of one judgement")
    judge_calls_per_process: _Count = Field(
        default=500, description="maximum number of paid judgements in one server process"
    )
    judge_max_cost_usd: _Dollars = Field(
        # 500 judgements at the $0.0002 of 900 tokens in and 250 out, with room for long contexts.
        default=0.25,
        description="maximum cost of paid judgements in one server process",
    )
    max_entries: _Count = Field(
        default=1000, description="maximum number of lessons in a project; 0 means no limit"
    )
    retry_below: _Share = Field(
        default=0.5, description="threshold: a judged quality below it asks for a retry"
    )
    good_enough: _Share = Field(
        default=0.7,
        description="threshold: the loop stops above this quality if no fault was found",
    )
    max_retries: _Retries = Field(default=2, description="maximum number of retries in the loop")
    loop_deadline_s: _Seconds = Field(
        # Hosts give up on a call after about 60 seconds.
        default=45.0,
        description="time limit of one call of answer_with_reflection",
    )
    insight_tokens: _Tokens = Field(
        default=300, description="maximum tokens of a concise result of get_insights"
    )
    insight_tokens_detailed: _Tokens = Field(
        default=600, description="maximum tokens of a detailed result of get_insights"
    )
    response_chars: _Characters = Field(
        default=6_000, description="maximum characters of a concise result of any tool"
    )
    response_chars_detailed: _Characters = Field(
        default=20_000, description="maximum characters of a detailed result of any tool"
    )
    semantic_model: str = Field(
        default="",
        max_length=300,
        pattern=r"^[\w./:\\ -]*$",
        title="the name of a model, a folder, or nothing",
        description="embedding model that helps to rank lessons by meaning; fetch it once with "
        "`reflection-mcp fetch-model`; empty means that lessons are ranked by words only",
    )
    prompts_folder: _Folder | None = Field(
        default=None,
        title="an absolute path",
        description="folder with prompts that replace the built-in ones",
    )
    project_names: _Switch = Field(
        default=True,
        description="1 checks paths in an answer against the names of files in the repository; "
        "their content is never read",
    )
    run_code: _Switch = Field(
        default=False,
        description="1 runs the doctests, asserts and examples of Python code in an answer, and "
        "`bash -n` and `node --check`, in child processes with limits",
    )
    log_level: Literal["info", "warning", "error", "off"] = Field(
        default="info", description="log level: the lowest level that is written to stderr"
    )
    log_format: Literal["json", "text"] = Field(
        default="json", description="log format of the lines on stderr"
    )

    @field_serializer("store")
    def _without_credentials(self, store: str) -> str:
        return printable(store)


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
            default=shown(field.default),
            description=field.description or "",
            variable=PREFIX + name.upper(),
            flag="--" + name.replace("_", "-"),
        )
        for name, field in Values.model_fields.items()
    ]


def _expects(field: FieldInfo) -> str:
    return field.title or " or ".join(get_args(field.annotation))


def shown(value: Any) -> str:
    """A value the way it is typed in."""
    if isinstance(value, bool):
        return "1" if value else "0"
    return "" if value is None else str(value).removesuffix(".0")
