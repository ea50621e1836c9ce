"""What the process that forks servers has imported: everything but what is heavy."""

import gc
from importlib import import_module
from pkgutil import walk_packages

import uvicorn
from jsonschema import validators

from reflection_mcp import server, store, tools

__all__ = ["uvicorn", "validators"]

RUN_BY_THEMSELVES = ("__main__", "trial_child")

for package in (server, store, tools):
    for found in walk_packages(package.__path__, f"{package.__name__}."):
        if not found.name.endswith(RUN_BY_THEMSELVES):
            import_module(found.name)

gc.freeze()  # so that no fork looks through all of it for garbage
