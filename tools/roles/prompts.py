"""Prompts as files: a version, the instructions of the role, and the named placeholders.

    ---
    version: critic-2
    ---
    You find what is wrong with one answer. ...
    ## Material
    <answer>
    $answer
    </answer>

Rules of this module: a folder of own prompts replaces the packaged ones file by file, with the same
placeholders, and a file that does not fit is refused when it is read, not when it is needed.
Placeholders stand below `## Material` only, so that what others wrote never gets among the
instructions.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from string import Template

from reflection_mcp.tools.errors import ReflectionError

ROLES = (
    "evaluator", "critic", "reviser", "answerer", "reflector_failure", "reflector_success",
)  # fmt: skip
"""The prompts there are; the placeholders of a packaged one are those of its role."""

MATERIAL = "## Material"
LARGEST = 40_000  # characters; a longer file is not a prompt


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptText:
    """One prompt as written. `system` has no placeholders, `material` has all of them."""

    version: str
    system: str
    material: str


Prompts = Mapping[str, PromptText]
"""Prompts by the name of their file without `.md`."""


@cache
def packaged_prompts() -> Prompts:
    """The prompts that come with the program."""
    folder = resources.files("reflection_mcp.tools") / "prompts"
    return {
        name: read_prompt(f"{name}.md", (folder / f"{name}.md").read_text("utf-8"))
        for name in ROLES
    }


def prompts_with(folder: Path) -> Prompts:
    """The packaged prompts, replaced by the `.md` files of a folder where it has them.

    Raises:
        ReflectionError: the folder cannot be read, or a file in it does not fit; the message names
            the file and the placeholder.
    """
    try:
        files = [(p.name, p.read_text(encoding="utf-8")) for p in sorted(folder.glob("*.md"))]
        is_folder = folder.is_dir()
    except (OSError, UnicodeDecodeError) as trouble:
        raise ReflectionError(
            f"the prompts folder cannot be read: {type(trouble).__name__}",
            "check that it holds readable UTF-8 files",
        ) from trouble
    if not is_folder:
        raise ReflectionError(
            "the prompts folder does not exist", "create it, or remove the setting"
        )
    packaged = packaged_prompts()
    own = {
        name.removesuffix(".md"): read_prompt(name, text, packaged)
        for name, text in files
        if name.lower() != "readme.md"
    }
    return {**packaged, **own}


def read_prompt(file: str, text: str, packaged: Prompts | None = None) -> PromptText:
    """Read one prompt and check its placeholders against those of the packaged prompt of its role.

    Raises:
        ReflectionError: see `prompts_with`.
    """
    name = file.removesuffix(".md")
    if name not in ROLES:
        raise ReflectionError(
            f"prompt {file}: no role has this name", f"use one of {', '.join(ROLES)}"
        )
    if len(text) > LARGEST:
        raise ReflectionError(f"prompt {file} is too long", f"keep it under {LARGEST:,} characters")
    version, body = _front_matter(file, text)
    system, found, material = body.partition(f"{MATERIAL}\n")
    if not found:
        raise ReflectionError(
            f"prompt {file}: the line `{MATERIAL}` is missing",
            "put it between the instructions and the placeholders",
        )
    _check(file, system, set(), f"move it below `{MATERIAL}`")
    if packaged is not None:
        wanted = set(Template(packaged[name].material).get_identifiers())
        _check(file, material, wanted, f"the placeholders are {', '.join(sorted(wanted))}")
    plain = Template(system).substitute()  # turns $$ into a single $, as below the line
    return PromptText(version=version, system=plain.strip(), material=material.strip())


def _front_matter(file: str, text: str) -> tuple[str, str]:
    lines = text.replace("\r\n", "\n").removeprefix("\ufeff").split("\n")
    if lines[0].strip() == "---" and "---" in lines[1:]:
        end = lines.index("---", 1)
        for line in lines[1:end]:
            key, _, value = line.partition(":")
            if key.strip() == "version" and value.strip():
                return value.strip(), "\n".join(lines[end + 1 :])
    raise ReflectionError(
        f"prompt {file} has no version", "begin it with a line ---, a line version: NAME, and ---"
    )


def _check(file: str, text: str, wanted: set[str], hint: str) -> None:
    template = Template(text)
    if not template.is_valid():
        raise ReflectionError(f"prompt {file}: a lone $ sign", "write $$ for a plain dollar sign")
    named = set(template.get_identifiers())
    for unknown in sorted(named - wanted):
        raise ReflectionError(f"prompt {file}: ${unknown} cannot stand here", hint)
    for missing in sorted(wanted - named):
        raise ReflectionError(f"prompt {file}: ${missing} is missing", hint)
