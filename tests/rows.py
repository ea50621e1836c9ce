"""A table of rows as one test, which tries every row and names each that fails.

pytest spends milliseconds on every test, however short it is. `each_row` is for tables of plain
values; `pytest.mark.parametrize` is for rows that need a fixture of their own.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from inspect import iscoroutinefunction, signature
from typing import Any, TypeVar, cast

import pytest
from hypothesis import settings

_T = TypeVar("_T")
_Test = TypeVar("_Test", bound=Callable[..., object])


def is_thorough() -> bool:
    """Whether `.ci/run` runs the tests, which takes more examples and larger numbers."""
    return settings.get_current_profile_name() == "thorough"


def enough(quick: int, thorough: int) -> int:
    """A number that says as much for the quick tests, and a larger one for `.ci/run`."""
    return thorough if is_thorough() else quick


def sample(rows: Iterable[_T], every: int) -> list[_T]:
    """One row in so many for the quick tests, all of them for `.ci/run`."""
    return list(rows)[:: enough(every, 1)]


def each_row(
    names: str | Sequence[str],
    table: Iterable[Any],
    ids: Iterable[str] | Callable[[Any], object] | None = None,
) -> Callable[[_Test], _Test]:
    """Run a test for each row of a table; the arguments are those of `pytest.mark.parametrize`.

    A test that fails raises a group of the exceptions of all rows that failed, each with the name
    of its row as a note. Fixtures are made once for all rows.
    """
    columns = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
    rows = list(_rows(columns, table, ids))
    assert rows, "a table without a row tests nothing"

    def decorate(test: _Test) -> _Test:
        @wraps(test)
        def tried(**fixtures: object) -> None:
            failures = _Failures(len(rows))
            for name, values in rows:
                with failures.of(name):
                    test(**values, **fixtures)
            failures.tell()

        @wraps(test)
        async def awaited(**fixtures: object) -> None:
            failures = _Failures(len(rows))
            for name, values in rows:
                with failures.of(name):
                    await cast("Any", test(**values, **fixtures))
            failures.tell()

        wrapper: Any = awaited if iscoroutinefunction(test) else tried
        asked = signature(test)
        wrapper.__signature__ = asked.replace(
            parameters=[asked.parameters[name] for name in asked.parameters if name not in columns]
        )
        return cast("_Test", wrapper)

    return decorate


def _rows(
    columns: Sequence[str],
    table: Iterable[Any],
    ids: Iterable[str] | Callable[[Any], object] | None,
) -> Iterator[tuple[str, dict[str, Any]]]:
    given = iter(ids) if ids is not None and not callable(ids) else None
    for row in table:
        name = None
        if isinstance(row, type(pytest.param())):
            assert not row.marks, "a row with a mark is a test of its own"
            name, values = row.id, row.values
        else:
            values = (row,) if len(columns) == 1 else row
        if callable(ids):
            name = "-".join(str(ids(value)) for value in values)
        elif given is not None:
            name = next(given)
        yield (
            str(name or "-".join(map(repr, values))),
            dict(zip(columns, values, strict=True)),
        )


class _Failures:
    """The exceptions of the rows that failed."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.errors: list[BaseException] = []

    @contextmanager
    def of(self, row: str) -> Generator[None]:
        try:
            yield
        except (Exception, pytest.fail.Exception) as error:
            error.add_note(f"row: {row}")
            self.errors.append(error)

    def tell(self) -> None:
        if self.errors:
            raise BaseExceptionGroup(f"{len(self.errors)} of {self.rows} rows fail", self.errors)
