"""The folders in which programs keep what belongs to a user.

The rule: they are those of platformdirs. Where its answer is one variable, or one folder of the
home, it is not asked: its import takes a fifth of the time in which a list is answered.
"""

import os
import sys

APP = "reflection-mcp"

ON_LINUX = {
    "cache": ("XDG_CACHE_HOME", ".cache"),
    "config": ("XDG_CONFIG_HOME", ".config"),
    "data": ("XDG_DATA_HOME", ".local/share"),
}
"""For each kind the variable that names the folder, and where it is in the home without that."""


def user_folder(kind: str) -> str:
    """The folder of a kind for this program, which need not exist; relative for a user without a
    home."""
    if sys.platform == "linux":
        variable, below_home = ON_LINUX[kind]
        home = os.path.join(os.environ.get("HOME", ""), below_home)
        for folder in (os.environ.get(variable, ""), home):
            if os.path.isabs(folder):
                return os.path.join(folder, APP)
    import platformdirs

    asked = {
        "cache": platformdirs.user_cache_path,
        "config": platformdirs.user_config_path,
        "data": platformdirs.user_data_path,
    }
    return os.fspath(asked[kind](APP, appauthor=False))
