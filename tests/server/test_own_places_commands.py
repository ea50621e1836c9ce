"""Sub-commands beside what somebody keeps to themselves: they touch the place that is named."""

import json
from pathlib import Path

from reflection_mcp.store.contract import Store
from tests.contract.samples import learned
from tests.learning.test_consolidation import TWIN, row
from tests.requirements import requirement
from tests.server.test_commands import SHOP, Fill, Run, fill, keyed, location, run

__all__ = ["fill", "location", "run"]

MINE = SHOP.of("ann")
OWN = ("--project", MINE.project)


async def both(store: Store) -> None:
    """Two lessons that say the same in the project, and in ann's own place, and one more there."""
    for scope in (SHOP, MINE):
        await store.adopt(scope, [row("ref-1"), row("ref-2", TWIN)])
    alone = learned("own", lesson="The bakery opens at six.", scope=MINE)
    await store.record(MINE, keyed(alone))


def exported(run: Run, *place: str) -> dict[str, bool]:
    """The lessons of exactly this place, and whether each is retired."""
    _, *rows = run("export", *place).splitlines()
    bodies = [json.loads(each) for each in rows]
    return {each["id"]: each.get("retired", False) for each in bodies}


@requirement("team:own-lessons")
def test_what_is_done_to_a_project_leaves_what_is_somebodys_own(run: Run, fill: Fill) -> None:
    fill(both)
    before = run("export", *OWN)
    run("consolidate")
    assert sum(exported(run).values()) == 1
    run("consolidate", "--undo")
    assert sum(exported(run).values()) == 0
    run("prune", "--max-entries", "1", "--yes")
    assert len(exported(run)) == 1
    run("forget", "ref-own", "--yes", code=1)
    run("forget", "--all", "--yes")
    assert exported(run) == {}
    assert run("export", *OWN) == before


@requirement("team:own-lessons")
def test_what_is_done_to_somebodys_own_leaves_the_project(
    run: Run, fill: Fill, tmp_path: Path
) -> None:
    fill(both)
    before = run("export")
    run("consolidate", *OWN)
    assert sum(exported(run, *OWN).values()) == 1
    run("consolidate", "--undo", *OWN)
    assert sum(exported(run, *OWN).values()) == 0
    kept = tmp_path / "kept.jsonl"
    kept.write_text(run("export", *OWN))
    run("forget", "ref-own", "--yes", *OWN)
    run("prune", "--max-entries", "1", "--yes", *OWN)
    assert len(exported(run, *OWN)) == 1
    run("import", str(kept), *OWN)
    assert set(exported(run, *OWN)) == {"ref-1", "ref-2", "ref-own"}
    assert "ref-own" not in run("list") and "ref-own" in run("list", *OWN)
    assert run("export") == before
