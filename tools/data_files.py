r"""Reader of the product's data files: rules in blocks, words in sections, tables in columns.

A file of rules (`.rules`) has one block a row:

    # A comment begins in the first column.
    @@ $orders
    pattern: (?:instructions?|rules)
    @@ displaces instructions
    pattern: \b(?:ignore|forget)\b[^.\n]{0,30}
             \b$orders\b
    from:    Ignore the instructions.
    keeps:   Ignore the warning.

`from` is an example that the row matches, `keeps` one that it does not. Indented lines continue a
field without anything between. A row whose name begins with `$` is no rule but a fragment that the
patterns after it may use by its name.

A file of words (`.words`) has sections that begin with `== name`; a table (`.txt`) has one row a
line, its columns separated by ` | `.

Rule of this module: a file is read when it is first needed, and never written.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path


@dataclass(frozen=True, slots=True)
class DataRow:
    """A named row of a file of rules; a field may have several values."""

    name: str
    fields: Mapping[str, tuple[str, ...]]

    def __getitem__(self, field: str) -> str:
        """Return the first value of a field, or an empty text."""
        return next(iter(self.fields.get(field, ())), "")

    @property
    def matches(self) -> tuple[str, ...]:
        """The examples that the row matches."""
        return self.fields.get("from", ())

    @property
    def keeps(self) -> tuple[str, ...]:
        """The examples that the row does not match."""
        return self.fields.get("keeps", ())


@cache
def rules(package: str, name: str) -> tuple[DataRow, ...]:
    """Return the rows of a file of rules, fragments put into the patterns that use them.

    Args:
        package: the package of the file, usually `__package__` of the module that needs it.
        name: the name of the file.
    """
    fragments: dict[str, str] = {}
    found: list[DataRow] = []
    for block in ("\n" + _text(package, name)).split("\n@@ ")[1:]:
        title, *lines = block.split("\n")
        fields: dict[str, list[str]] = {}
        for field, value in _fields(lines):
            fields.setdefault(field, []).append(_filled(value, fragments))
        if title.startswith("$"):
            fragments[title] = fields["pattern"][0]
        else:
            found.append(DataRow(title, {key: tuple(value) for key, value in fields.items()}))
    return tuple(found)


def _fields(lines: list[str]) -> Iterator[tuple[str, str]]:
    field, value = "", ""
    for line in lines:
        if line[:1].isspace():
            value += line.strip()
        elif line:
            if field:
                yield field, value
            field, _, value = line.partition(":")
            value = value.strip()
    yield field, value


def _filled(value: str, fragments: Mapping[str, str]) -> str:
    for name, text in fragments.items():
        value = value.replace(name, text)
    return value


@cache
def words(package: str, name: str) -> Mapping[str, frozenset[str]]:
    """Return the words of a file by the names of their sections."""
    blocks = (each.partition("\n") for each in f"\n{_text(package, name)}".split("\n== ")[1:])
    return {title: frozenset(body.split()) for title, _, body in blocks}


@cache
def table(package: str, name: str) -> tuple[tuple[str, ...], ...]:
    """Return the rows of a table as tuples of their columns."""
    return tuple(tuple(line.split(" | ")) for line in _text(package, name).split("\n") if line)


def _text(package: str, name: str) -> str:
    """Return the text of a file without its comments."""
    lines = data_text(package, name).split("\n")
    return "\n".join(line for line in lines if not line.startswith("#"))


def data_text(package: str, name: str) -> str:
    """Return the text of a file that lies beside the modules of a package.

    `importlib.resources` would read it from an archive, too, and takes longer to import than most
    of what a host waits for.
    """
    return Path(import_module(package).__path__[0], name).read_text("utf-8")
