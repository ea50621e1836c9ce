"""Masks the lines of a verdict.

Rule of this module: masking is a pure function of the lines, it never joins or drops words of two
lines, and masking what is masked changes nothing.
"""

from collections.abc import Sequence

from reflection_mcp.tools.identity.masking.compilers import COMPILERS
from reflection_mcp.tools.identity.masking.data_slots import DATA_SLOTS
from reflection_mcp.tools.identity.masking.drawn import DRAWN
from reflection_mcp.tools.identity.masking.hosts import HOSTS
from reflection_mcp.tools.identity.masking.identifiers import IDENTIFIERS
from reflection_mcp.tools.identity.masking.moments import MOMENTS
from reflection_mcp.tools.identity.masking.numbers import NUMBERS
from reflection_mcp.tools.identity.masking.paths import PATHS
from reflection_mcp.tools.identity.masking.positions import POSITIONS
from reflection_mcp.tools.identity.masking.programs import PROGRAMS
from reflection_mcp.tools.identity.masking.reporters import REPORTERS
from reflection_mcp.tools.identity.masking.rewordings import REWORDINGS
from reflection_mcp.tools.identity.masking.services import SERVICES
from reflection_mcp.tools.identity.masking.system_errors import SYSTEM_ERRORS
from reflection_mcp.tools.identity.masking.web_addresses import WEB_ADDRESSES
from reflection_mcp.tools.identity.masking.wordings.clusters import CLUSTERS
from reflection_mcp.tools.identity.masking.wordings.databases import DATABASES
from reflection_mcp.tools.identity.masking.wordings.javascript import JAVASCRIPT
from reflection_mcp.tools.identity.masking.wordings.libraries import LIBRARIES
from reflection_mcp.tools.identity.masking.wordings.managed import MANAGED
from reflection_mcp.tools.identity.masking.wordings.native import NATIVE
from reflection_mcp.tools.identity.masking.wordings.operations import OPERATIONS
from reflection_mcp.tools.identity.masking.wordings.postgres import DIVISION, POSTGRES
from reflection_mcp.tools.identity.masking.wordings.python import PYTHON
from reflection_mcp.tools.identity.masking.wordings.scripts import SCRIPTS
from reflection_mcp.tools.identity.masking.wordings.systems import SPELLINGS, SYSTEMS
from reflection_mcp.tools.identity.rule import Rules, compiled

RULES = (
    *DIVISION, *DATA_SLOTS, *REPORTERS, *SYSTEMS, *SYSTEM_ERRORS, *POSTGRES, *DATABASES,
    *OPERATIONS, *CLUSTERS, *MANAGED, *SERVICES, *PROGRAMS, *PYTHON, *LIBRARIES, *JAVASCRIPT,
    *NATIVE, *SCRIPTS, *REWORDINGS, *COMPILERS, *SPELLINGS, *WEB_ADDRESSES, *MOMENTS, *IDENTIFIERS,
    *DRAWN, *HOSTS, *POSITIONS, *PATHS, *NUMBERS,
)  # fmt: skip
"""All rows in the order they are applied: each sees the work of those before it."""

_RULES = Rules(RULES)
_MARGIN = " \u2570\u2500\u25b6>|\u2502\u2551\u2022\u00b7\u25cf\u25aa*"
"""What tools draw in front of a line, and bullets."""


def masked(lines: Sequence[str]) -> list[str]:
    """The lines with what is incidental replaced, casefolded, white space and quotes unified.

    Lines of which nothing is left are dropped.
    """
    text = _RULES.apply("\n".join(lines))
    if "<" in text:
        if compiled("[-+]<").search(text):
            text = compiled(r"[-+](?<![\w>][-+])(?=<(?:n|quantity)>)").sub("", text)
        if "> <" in text or ">, <" in text:
            text = compiled(r"<(?:quantity|n|version)>(?:,? <(?:quantity|n|version)>)+").sub(
                "<n>", text
            )
    if "..." in text:
        text = compiled(r"(?m)(?<=\w)(?:[ \t]?\.\.\.)[ \t]*$").sub(" <cut>", text)
    text = text.casefold().replace('"', "'")
    return [left for line in text.split("\n") if (left := _told(line))]


def _told(line: str) -> str:
    """A line without what stands around it, or nothing if no letter and no digit is left of it."""
    told = " ".join(line.split()).lstrip(_MARGIN).rstrip(" .:\u2551")
    return told if told[:1].isalnum() or any(map(str.isalnum, told)) else ""
