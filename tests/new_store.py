"""A new store, copied from one that was made before.

Making one waits for the disk a dozen times, which only the tests of that have to see.
"""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from reflection_mcp.store.sqlite import file
from tests.bench.store_bench import opened


def placed(path: Path) -> str:
    """Put a new store there if there is none; returns its location."""
    if not path.exists():
        file.make_folder(path.parent)
        file.make_file(path)
        path.write_bytes(_made())
    return str(path)


@cache
def _made() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "store.db"
        opened(path).close()
        return path.read_bytes()
