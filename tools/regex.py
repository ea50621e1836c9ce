"""Regular expressions, compiled when first needed: most texts need few of them."""

import re
from functools import cache


@cache
def compiled(pattern: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """The compiled pattern; each is compiled once in the life of the process."""
    return re.compile(pattern, flags)
