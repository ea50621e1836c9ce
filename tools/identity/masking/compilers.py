"""One message of a compiler, worded otherwise by another version or another compiler.

Rule of this module: as in `rewordings`, a row may only join wordings that one and the same fault
produces; the name that it is about stays.
"""

from reflection_mcp.tools.identity.rule import Match, Rule


def _killed(match: Match) -> str:
    return f"fatal error: Killed signal terminated program {match[1] or match[2]}"


COMPILERS: tuple[Rule, ...] = (
    Rule(
        "compiler position, pretty form",
        " - error| - warning",
        r"(\.\w{1,5})(?::\d{1,7}:\d{1,7})? - (error|warning) ",
        r"\1: \2 ",
        "src/Home.tsx:17:45 - error TS2307: Cannot find module",
        "src/Home.tsx: error TS2307: Cannot find module",
        "Home - error page",
    ),
    Rule(
        "which driver calls the compiler",
        "++: |gcc|cc: |clang",
        r"(?im)^(?:[\w/.-]{0,80}/)?(?:c\+\+|g\+\+|gcc|cc|"
        r"clang\+?\+?)(?:-\d{1,2})?: (?=fatal|error|internal|warning)",
        "",
        "g++: fatal error: no input files",
        "fatal error: no input files",
        "the cc: list",
    ),
    Rule(
        "compiler killed, by version of gcc",
        "killed",
        r"(?i)(?:internal compiler error: Killed \(program (\w{1,40})\)|"
        r"fatal error: Killed signal terminated program (\w{1,40}))",
        _killed,
        "internal compiler error: Killed (program cc1plus)",
        "fatal error: Killed signal terminated program cc1plus",
        "Killed process 33",
    ),
    Rule(
        "unresolved crate, before Rust 1.85",
        "crate",
        r"(?i)(?:use of undeclared (?:crate or module|type or module)|"
        r"use of unresolved module or unlinked crate|"
        r"maybe a missing crate|can't find crate for) [`']?(\w{1,100})[`']?\??",
        r"use of unresolved module or unlinked crate '\1'",
        "maybe a missing crate `tokio`?",
        "use of unresolved module or unlinked crate 'tokio'",
        "the crate tokio",
    ),
    Rule(
        "unused in Go, before 1.20",
        "declared",
        r"(?m)(?<=[ \t:])(\w{1,100}) declared (?:but not used|and not used)",
        r"declared and not used: \1",
        "./a.go:3:2: total declared and not used",
        "./a.go:3:2: declared and not used: total",
        "total declared twice",
    ),
    Rule(
        "unused import in Go, before 1.20",
        "imported",
        r"(['\"][\w./-]{1,200}['\"]) imported (?:but not used|and not used)",
        r"imported and not used: \1",
        '"strings" imported and not used',
        'imported and not used: "strings"',
        '"strings" imported',
    ),
    Rule(
        "root of Go, before 1.21",
        "is not in",
        r"is not in (?:GOROOT|std)\b(?: \([^)\n]{1,300}\))?",
        "is not in std",
        "package shop/cart is not in GOROOT (/usr/local/go/src/shop/cart)",
        "package shop/cart is not in std",
        "it is not in place",
    ),
    Rule(
        "undeclared name, by clang",
        "undeclared identifier",
        r"use of undeclared identifier '([^'\n]{1,120})'",
        r"'\1' undeclared",
        "a.c:3:9: error: use of undeclared identifier 'size'",
        "a.c:3:9: error: 'size' undeclared",
        "undeclared identifier",
    ),
    Rule(
        "undeclared name, by gcc",
        "undeclared|not declared in this scope",
        r"'([^'\n]{1,120})' (?:undeclared \(first use in this function\)|"
        r"was not declared in this scope)",
        r"'\1' undeclared",
        "a.c:3:9: error: 'size' undeclared (first use in this function)",
        "a.c:3:9: error: 'size' undeclared",
        "'size' undeclared",
    ),
    Rule(
        "missing member, by gcc",
        "has no member named",
        r"'(?:(?:const |volatile )?(?:struct|class|union) )?([^'\n]{1,200})' has no member named "
        r"'([^'\n]{1,120})'",
        r"no member named '\2' in '\1'",
        "error: 'struct entity' has no member named 'position'",
        "error: no member named 'position' in 'entity'",
        "it has no member named so",
    ),
    Rule(
        "number of a message of Cabal, since version 3.10",
        "cabal",
        r"(?i)\berror: (?:cabal: |\[cabal-\d{1,6}\][ \t]*\n?)",
        "error: ",
        "Error: [Cabal-7107]\nCould not resolve dependencies:",
        "error: Could not resolve dependencies:",
        "the cabal: x",
    ),
    Rule(
        "code of GHC, since 9.6",
        "[ghc-",
        r"(?<=error: )\[GHC-\d{1,6}\]",
        "",
        "A.hs:3:9: error: [GHC-39999]",
        "A.hs:3:9: error: ",
        "see [GHC-39999]",
    ),
    Rule(
        "missing instance, by version of GHC",
        "no instance for",
        r"(?i)(?<=no instance for )\(([^()\n]{1,200})\)",
        r"'\1'",
        "No instance for (Show Invoice) arising from a use of 'print'",
        "No instance for 'Show Invoice' arising from a use of 'print'",
        "No instance for 'Show Invoice'",
    ),
    Rule(
        "optional type, by mypy before version 1.9",
        "optional[",
        r"\bOptional\[([\w.]{1,100})\]",
        r"\1 | None",
        "incompatible type 'Optional[str]'; expected 'str'",
        "incompatible type 'str | None'; expected 'str'",
        "Optional",
    ),
    Rule(
        "undefined symbol, by LLVM's linker",
        "undefined symbol: ",
        r"(?m)^[ \t]*ld(?:(?:64)?\.lld)?: error: undefined symbol: ([^\n]{1,300})$",
        r"undefined reference to '\1'",
        "ld.lld: error: undefined symbol: avcodec_open",
        "undefined reference to 'avcodec_open'",
        "undefined symbol: x",
    ),
)
