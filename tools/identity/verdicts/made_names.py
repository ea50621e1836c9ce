"""Names that compilers make for a piece of a function.

Rule of this module: the piece is a place in that function, so that its name is that of the
function; a number in it changes with every edit.
"""

from reflection_mcp.tools.identity.rule import Rule, Rules

_MADE_BY_COMPILER: tuple[Rule, ...] = (
    Rule(
        "state machine or lambda of C#",
        ">b__|>d__|>g__",
        r"(?:\.?<>c(?:__DisplayClass\d{1,5}_\d{1,5})?)?(\.?)<(\w{1,120})>[bdg]__[\w|]{0,80}"
        r"(?:\.MoveNext)?",
        r"\1\2",
        "Shop.Basket.<Total>d__5.MoveNext",
        "Shop.Basket.Total",
        "Shop.Basket.MoveNext",
    ),
    Rule(
        "lambda of Java",
        "lambda$",
        r"\blambda\$(\w{1,120})\$\d{1,5}\b",
        r"\1",
        "lambda$total$0",
        "total",
        "lambda",
    ),
    Rule(
        "closure of Go, and what wraps one",
        ".func|wrap",
        r"(?<=\w)(?:\.(?:func|gowrap|deferwrap)?\d{1,4}){1,6}$",
        "",
        "main.run.func1.2",
        "main.run",
        "main.function",
    ),
    Rule(
        "block of Ruby",
        " in ",
        r"^(?:(?:block|rescue|ensure)(?: \(\d{1,3} levels\))? in ){1,4}",
        "",
        "block (2 levels) in total",
        "total",
        "put in total",
    ),
    Rule(
        "closure of PHP, since version 8.4",
        "{closure:",
        r"\{closure:[^}]{1,200}\}",
        "{closure}",
        "{closure:App\\Cart::total():12}",
        "{closure}",
        "{closure}",
    ),
)
"""How compilers name a piece of a function; it is a place in that function."""
MADE_BY_COMPILER = Rules(_MADE_BY_COMPILER)
