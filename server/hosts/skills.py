"""The skill `reflecting-on-failures`: one text, in the plugin and served by the Skills extension of
the protocol (SEP-2640): as a resource, listed with a digest.

Rule: what the entry says is made from the bytes that are served, so that a host which verifies
digest, size and frontmatter finds no difference.
"""

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.extension import Extension, MethodBinding, ResourceBinding
from mcp.server.mcpserver.resources import TextResource
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, PaginatedRequestParams, RequestParams

SKILL = "reflecting-on-failures"
SKILL_FILE = Path(__file__).parent / "claude_code" / "skills" / SKILL / "SKILL.md"
URI = f"skill://{SKILL}/SKILL.md"
HOUR_MS = 3_600_000
"""The time for which an entry may be cached: it changes only with a new version, in a new
process."""


@cache
def skill_bytes() -> bytes:
    """SKILL.md byte for byte: its digest is made of these."""
    return SKILL_FILE.read_bytes()


def frontmatter(text: str) -> Mapping[str, str]:
    """The fields before the text: `key: value` lines between two lines of dashes."""
    head = text.split("---\n", 2)[1]
    pairs = (line.partition(": ") for line in head.splitlines())
    return {key: value for key, _, value in pairs}


class GetSkillParams(RequestParams):
    """Parameters of `skills/get`."""

    uri: str


class SkillsExtension(Extension):
    """Serves the one skill there is."""

    identifier = "io.modelcontextprotocol/skills"

    def resources(self) -> Sequence[ResourceBinding]:
        """The skill's file."""
        fields = frontmatter(skill_bytes().decode("utf-8"))
        return (
            ResourceBinding(
                TextResource(
                    uri=URI,
                    name=SKILL,
                    description=fields["description"],
                    mime_type="text/markdown",
                    text=skill_bytes().decode("utf-8"),
                )
            ),
        )

    def methods(self) -> Sequence[MethodBinding]:
        """`skills/list` and `skills/get`."""
        return (
            MethodBinding("skills/list", PaginatedRequestParams, _list),
            MethodBinding("skills/get", GetSkillParams, _get),
        )


def entry() -> dict[str, Any]:
    """The skill's entry: its frontmatter as written, and every file with digest and size."""
    content = skill_bytes()
    file = {
        "uri": URI,
        "digest": f"sha256:{hashlib.sha256(content).hexdigest()}",
        "size": len(content),
    }
    fields = dict(frontmatter(content.decode("utf-8")))
    return {"uri": URI, "frontmatter": fields, "resources": [file]}


async def _list(_: ServerRequestContext[Any, Any], __: PaginatedRequestParams) -> dict[str, Any]:
    return _cacheable({"skills": [entry()]})


async def _get(_: ServerRequestContext[Any, Any], params: GetSkillParams) -> dict[str, Any]:
    if params.uri != URI:
        raise MCPError(INVALID_PARAMS, "no such skill; skills/list lists the skills")
    return _cacheable({"skill": entry()})


def _cacheable(result: dict[str, Any]) -> dict[str, Any]:
    return {"resultType": "complete", **result, "ttlMs": HOUR_MS, "cacheScope": "public"}
