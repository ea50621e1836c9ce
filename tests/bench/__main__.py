"""What can be measured: `python -m tests.bench` names each module with the question it answers."""

import ast
from pathlib import Path


def questions() -> dict[str, str]:
    """The first line of every module here, by the name of the module."""
    folder = Path(__file__).parent
    told: dict[str, str] = {}
    for path in sorted(folder.glob("[!_]*.py")):
        said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        told[path.stem] = said.partition("\n")[0]
    return told


if __name__ == "__main__":
    for name, question in questions().items():
        print(f"{name:16} {question}")
