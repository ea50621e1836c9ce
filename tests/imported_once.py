"""What the process that forks servers has imported: everything but what is heavy."""

import gc
from importlib import import_module
from pkgutil import walk_packages

from reflection_mcp import server, store, tools

RUN_BY_THEMSELVES = ("__main__", "trial_child")

for package in (server, store, tools):
    for found in walk_packages(package.__path__, f"{package.__name__}."):
        if not found.name.endswith(RUN_BY_THEMSELVES):
            import_module(found.name)
for name in ("uvicorn", "jsonschema.validators"):  # which a server imports when it is asked
    import_module(name)

gc.freeze()  # so that no fork looks through all of it for garbage
