"""Recognition of actions that failed before, in whatever wording.

Rules. An action is a known mistake when it differs from a failed one only in its wording; or when
it has all the words of it that the error names. It is none when it follows the lesson, or when it
has worked since as often as it failed.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b

from reflection_mcp.store.interactions import FailedAction
from reflection_mcp.tools.learning.action_forms import SOME_TEXT, ActionForm, forms, is_data

ERROR_LENGTH = 2_000


# --------------------------------------------------------------------------- what failed


def failed_form(tool: str, content: str, error: str) -> ActionForm | None:
    """Return the action of a call that has failed, None for one that cannot be read.

    Of several commands it is the one that the error names most, the last of equals.
    """
    found = enumerate(forms(tool, content))
    chosen = max(found, key=lambda each: (_naming(each[1], error), each[0]), default=None)
    return chosen[1] if chosen else None


def action_id(form: ActionForm) -> str:
    """Return what names an action whatever its wording."""
    parts = (form.kind, form.heading, *sorted(form.sure), "", *sorted(form.loose), "")
    return blake2b("\0".join((*parts, *sorted(form.flags))).encode(), digest_size=8).hexdigest()


def _naming(form: ActionForm, error: str) -> int:
    named = sum(_names(error, word) for word in (*form.operands, *form.flags))
    return named + _names(error, form.heading)


def _names(error: str, word: str) -> bool:
    """Return True if an error names a word, by itself and not as a piece of another one."""
    bare = word.lstrip("+-")
    if bare in ("", SOME_TEXT) or (len(bare) < 2 and word == bare):
        return False
    searched = word if len(bare) < 2 else bare
    return re.search(rf"(?<!\w){re.escape(searched)}(?!\w)", error) is not None


@lru_cache(maxsize=2_000)
def _culprits(form: ActionForm, error: str) -> frozenset[str]:
    """The words of an action that its error names, but not what it is to do."""
    if form.kind == "call":
        pairs = ((leaf, *leaf.partition("=")[::2]) for leaf in form.sure)
        return frozenset(
            leaf for leaf, name, value in pairs if _names(error, value) or _names(error, name)
        )
    named = {word for word in form.operands if word != form.verb and _names(error, word)}
    return frozenset(named | {flag for flag in form.flags if _names(error, flag)})


def _is_missing(form: ActionForm, error: str) -> bool:
    """Return True if the error says that there is no such program."""
    gone = rf"(?<![\w-]){re.escape(form.heading)}(?![\w-])"
    said = "|".join((rf"{gone}: (?:command )?not found", rf"command not found: {gone}",
                     rf"{gone}.? is not recognized"))  # fmt: skip
    return form.kind == "command" and re.search(said, error) is not None


# --------------------------------------------------------------------------- the same again


def is_same(failed: FailedAction, action: ActionForm) -> bool:
    """Return True if an action is one that has failed, in whatever wording."""
    form = failed_form(failed.tool, failed.told, failed.error)
    if form is None or (form.kind, form.heading) != (action.kind, action.heading):
        return False
    if _is_missing(form, failed.error):
        return True
    culprits = _culprits(form, failed.error)
    if culprits and form.kind != "edit":
        return culprits <= (action.operands | action.flags) and form.verb in ("", *action.operands)
    return _has_words(form, action)


def _has_words(form: ActionForm, action: ActionForm) -> bool:
    """Return True if two actions have the same operands.

    What may be the value of a flag may be absent, unless it is data.
    """
    if form.kind != "command":
        return form.sure == action.sure
    needed = {word for word in form.loose if is_data(word)}
    return (
        set(form.sure) | needed <= action.operands
        and set(action.sure) <= form.operands
        and (bool(form.sure or needed) or not action.sure)
    )


def is_usual(failed: FailedAction) -> bool:
    """Return True if an action has failed more often than it has worked since."""
    return failed.failed > failed.worked


def repeated(
    stored: Iterable[FailedAction], actions: Iterable[ActionForm]
) -> Iterator[tuple[FailedAction, ActionForm]]:
    """Yield the failed actions that are done again, each with the action."""
    wanted = tuple(actions)
    for row in stored:
        again = next((action for action in wanted if is_same(row, action)), None)
        if again is not None:
            yield row, again
