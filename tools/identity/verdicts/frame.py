"""A stack frame, and whose code it is.

Rule of this module: a frame is a file's base name and a function, never a line number or an
absolute path. What is not known to be foreign is the user's own.
"""

import re
from typing import NamedTuple

from reflection_mcp.tools.identity.rule import compiled
from reflection_mcp.tools.identity.verdicts.marks import holds_any

_FOREIGN = (
    r"site-packages|dist-packages|[\\/](?:lib(?:64)?[\\/](?:python|pypy|ruby)[\\/\d]|"
    r"(?:vendor|gems|rustlib)[\\/]|(?:Cellar|hostedtoolcache|lib|share|snap|installs|versions|gos|"
    r"sdk|Program[ _]Files)[\\/]go(?:lang)?[-\d.]*[\\/])|/(?:rustc/|usr/(?:local/go|lib)|"
    r"go/pkg/mod)|(?:[Pp]ython|conda|forge|envs)[^\\/\n]{0,80}[\\/](?:[\w.-]{1,60}[\\/])?Lib[\\/]|"
    r"n(?:ode(?:_modules|:)|ative)|<(?:frozen|anonymous>)|importlib|"
    r"\.(?:(?:development|production)(?:\.min)?\.js|min\.js|cargo[\\/]registry)|"
    r"(?:^|/)(?:chunk-)?vendors?[\w.~-]*\.js|polyfills[\w.-]*\.js|esm-bundler"
)
_FOREIGN_MARKS = (
    "-packages", "node", "native", "lib", "<frozen", "<anonymous", "vendor", "/go", "\\go", "Lib",
    ".min.js", ".development", ".production", "rustc", "gems", ".cargo", "polyfills", "esm-bundler",
)  # fmt: skip
"""One of them stands in each place that is foreign for what it holds."""
_FOREIGN_BEGINS = (
    r"(?:(?:java|javax|jdk|sun|kotlin|scala|groovy|org\.junit|org\.springframework|org\.apache|"
    r"System|Microsoft|Npgsql|Newtonsoft|Serilog|AutoMapper|MediatR|Dapper|Grpc)\.|"
    r"(?:runtime|testing)[./]|(?:net|events|fs|timers|module|child_process|util|dns|_?https?\w*|"
    r"_?stream\w*|_tls\w*|dgram|domain|assert|buffer|vm)\.js|<(?:string|stdin|module|eval|"
    r"__array_function__|decorator-gen|(?:sqlalchemy|attrs) generated)|"
    r"(?:std|core|alloc|tokio)::|internal[/\\]|bootstrap_node|ext:|/_/)"
)

NATIVE_CODE = "native"
"""The origin of a frame without a path that is foreign by its form alone."""


class Frame(NamedTuple):
    """One line of a stack: path or name of the file, and function.

    `origin` is what tells whose code it is: a path or a qualified name, or one of each in lines
    of their own; empty is the user's own. `source` is the line of code shown under it. Of a path
    the base name counts; it is found, as is whose code it is, only for the frames asked about.
    """

    path: str
    function: str
    origin: str
    source: str = ""

    @property
    def file(self) -> str:
        """Base name of the file."""
        return base_name(self.path)

    @property
    def foreign(self) -> bool:
        """Whether it is code of the language, its library or an installed package."""
        return is_foreign(self.origin)


def base_name(path: str) -> str:
    """The last part of a path or address, without a query; `\\\\?\\` begins a path of Windows."""
    bare = path.removeprefix("\\\\?\\").split("?")[0]
    return bare.rstrip("/\\").replace("\\", "/").rsplit("/", 1)[-1]


def is_foreign(place: str) -> bool:
    """Whether a path or qualified name is of the language, its library or an installed package.

    Of several, one a line, any.
    """
    begins = compiled(_FOREIGN_BEGINS).match
    if any(map(begins, place.split("\n"))):
        return True
    marked = holds_any(place, _FOREIGN_MARKS)
    return marked and compiled(_FOREIGN, re.M).search(place) is not None
