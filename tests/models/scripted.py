"""A model that says what it was told to say, for tests.

Rule of this module: a script fits exactly. A prompt that the script does not foresee and a reply
that nobody asked for are both faults of whoever wrote it.
"""

from collections.abc import Sequence
from types import TracebackType
from typing import Self

from reflection_mcp.tools.ports import ModelFailed, Prompt, Reply

Line = tuple[str, str | Reply | ModelFailed]
"""The role that is expected to be asked, and what it says or how it fails."""


class ScriptedModel:
    """A `Model` with a script, as a context manager that checks that all of it was used."""

    def __init__(self, script: Sequence[Line], name: str = "scripted") -> None:
        """Take a script: lines in the order in which they will be asked for."""
        self.name = name
        self.prompts: list[Prompt] = []
        self._left = list(script)

    async def complete(self, prompt: Prompt) -> Reply:
        """The next line.

        Raises:
            ModelFailed: the script says so.
            AssertionError: the script has ended, or foresees another role here.
        """
        self.prompts.append(prompt)
        if not self._left:
            raise AssertionError(f"the script has ended, and {prompt.role} is asked")
        role, said = self._left.pop(0)
        if role != prompt.role:
            raise AssertionError(f"the script foresees {role} here, and {prompt.role} is asked")
        if isinstance(said, ModelFailed):
            raise said
        return said if isinstance(said, Reply) else Reply(text=said, model=self.name)

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Check that every line was used, unless something else went wrong already."""
        if error is None and self._left:
            unused = ", ".join(role for role, _ in self._left)
            raise AssertionError(f"nobody asked for these lines of the script: {unused}")
