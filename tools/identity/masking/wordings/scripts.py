"""Messages of Ruby, PHP and R, and of what is written in them, that changed between versions.

Rule of this module: see the package; the name of each row says when the wording changed.
"""

from reflection_mcp.tools.identity.rule import Match, Rule

_BUILT_IN = "String|Integer|Float|Symbol|Array|Hash|Object|Range|TrueClass|FalseClass"


def _argument(match: Match) -> str:
    return f"{match[1]}: argument {match[2]} must be {match[3]}, {match[4]} given"


def _receiver(match: Match) -> str:
    return f"an instance of {match[1] or match[2]}"


def _class(match: Match) -> str:
    return match[3] or f"{match[2].lower()} {match[1]}"


def _conversion(match: Match) -> str:
    return f"no implicit conversion of {match[1] or match[3]} into {match[2] or match[4]}"


def _no_object(match: Match) -> str:
    return f"Attempt to read property of '{match[1] or match[2]}'" + (
        f" (on {match[3]})" if match[3] else ""
    )


def _loop(match: Match) -> str:
    return "foreach() needs a list" + (f" ({match[1]} given)" if match[1] else "")


_TOKENS = {"STRING": "identifier ", "VARIABLE": "variable ", "token": ""}


def _unexpected(match: Match) -> str:
    kind, name = match["old"] or match["kind"], match["value"] or match["name"]
    return f"unexpected {_TOKENS.get(kind, f'{kind} ')}'{name}'"


SCRIPTS: tuple[Rule, ...] = (
    Rule(
        "receiver of a method, before Ruby 3.4",
        "undefined method|undefined local variable|private method",
        r"(?<= for )(?:#<([A-Z]\w{0,60}(?:::\w{1,60}){0,6}):0x[0-9a-f]{1,16}[^\n]{0,600}>|"
        r"(?:\"[^\"\n]{0,300}\"|"
        r":\w{1,60}|-?[\d.]{1,30}|\[[^\n]{0,300}\]|\{[^\n]{0,300}\}):(" + _BUILT_IN + r")\b)",
        _receiver,
        "undefined method 'total' for #<Cart:0x00007f3a @lines=[]>",
        "undefined method 'total' for an instance of Cart",
        "undefined method 'total' for an instance of Cart",
    ),
    Rule(
        "class as the receiver of a method, before Ruby 3.4",
        ":class|:module|main:object",
        r"(?<= for )(?:([A-Z][\w:]{0,100}):(Class|Module)\b|(main):Object\b)",
        _class,
        "undefined method 'total' for Cart:Class",
        "undefined method 'total' for class Cart",
        "a Cart:Class",
    ),
    Rule(
        "number of arguments, before Ruby 2.3",
        "wrong number of arguments (",
        r"wrong number of arguments \((\d{1,3}) for (\d{1,3}[+.]{0,2}\d{0,3})\)",
        r"wrong number of arguments (given \1, expected \2)",
        "ArgumentError: wrong number of arguments (1 for 2)",
        "ArgumentError: wrong number of arguments (given 1, expected 2)",
        "wrong number of arguments",
    ),
    Rule(
        "conversion that does not exist, before Ruby 2",
        "can't convert",
        r"(?<=TypeError: )can't convert (\w{1,60}) into (\w{1,60})\b|"
        r"can't convert (\w{1,60}) into (\w{1,60})(?= \(TypeError\))",
        _conversion,
        "TypeError: can't convert nil into String",
        "TypeError: no implicit conversion of nil into String",
        "can't convert it",
    ),
    Rule(
        "constant of no module, by version of Ruby",
        "uninitialized constant object::",
        r"(?<=uninitialized constant )Object::",
        "",
        "NameError: uninitialized constant Object::Cart",
        "NameError: uninitialized constant Cart",
        "uninitialized constant Cart",
    ),
    Rule(
        "file that cannot be loaded, in Ruby 1.8",
        "no such file to load -- ",
        r"no such file to load -- ",
        "cannot load such file -- ",
        "no such file to load -- nokogiri",
        "cannot load such file -- nokogiri",
        "no such file to load",
    ),
    Rule(
        "where Bundler looked for a gem, by version",
        "could not find",
        r"(Could not find (?:gem )?['\"]?[\w.() ~>=<,-]{1,120}?['\"]?) in (?:any of the (?:gem )?"
        r"sources|locally installed gems|rubygems repository)\b[^\n(]{0,200}",
        r"\1 among the gems",
        "Could not find nokogiri-1.15.4 in locally installed gems",
        "Could not find nokogiri-1.15.4 among the gems",
        "Could not find it in any of them",
    ),
    Rule(
        "value of a key that Rails looked for, since version 7.1",
        "'id'=",
        r"(?<='id'=)['\"]([\w-]{1,60})['\"]",
        r"\1",
        "Couldn't find User with 'id'=\"42\"",
        "Couldn't find User with 'id'=42",
        "Couldn't find User with 'id'=42",
    ),
    Rule(
        "symbol as a key, before Ruby 3.4",
        "=>",
        r"(?<=[{ ,\[]):(\w{1,100}) ?=> ?",
        r"\1: ",
        "no pattern matches {:total=>1}",
        "no pattern matches {total: 1}",
        "a => b",
    ),
    Rule(
        "server that runs already, by version of Rails",
        "a server is already running",
        r"(?<=A server is already running)(?:\. Check \S{1,200}|\s\(pid: \d{1,9}, file: [^)\n]"
        r"{1,200}\))",
        "",
        "A server is already running. Check /app/tmp/pids/server.pid.",
        "A server is already running",
        "A server is already running",
    ),
    Rule(
        "key that an array lacks, before PHP 8",
        "undefined index: |undefined offset: |undefined array key ",
        r"(?i)(?:\b(?:PHP )?(?:Notice|Warning): {1,2}|\bErrorException: )?Undefined "
        r"(?:index: |offset: |array key )['\"]?([^\s'\"]{1,100})['\"]?",
        r"Undefined array key '\1'",
        "PHP Notice:  Undefined index: sku in /app/a.php on line 3",
        "Undefined array key 'sku' in /app/a.php on line 3",
        "Undefined index",
    ),
    Rule(
        "script that PowerShell may not run, by version",
        " cannot be loaded",
        r"(?m)^[ \t]*(?:[^:\n]{0,2}:?[^:\n]{1,300}?[ ]?: )?File (?=\S[^\n]{0,300}\.psm?1 cannot be "
        r"loaded)",
        "",
        r".\a.ps1 : File C:\src\a.ps1 cannot be loaded because running scripts is disabled",
        r"C:\src\a.ps1 cannot be loaded because running scripts is disabled",
        "File a.dll cannot be loaded",
    ),
    Rule(
        "variable that is not defined, before PHP 8",
        "undefined variable",
        r"(?i)(?:\b(?:PHP )?(?:Notice|Warning): {1,2}|\bErrorException: )?Undefined variable"
        r"(?:: \$?| \$)(\w{1,100})",
        r"Undefined variable '\1'",
        "PHP Notice:  Undefined variable: total in /app/a.php on line 3",
        "Undefined variable 'total' in /app/a.php on line 3",
        "Undefined variable",
    ),
    Rule(
        "property of what is no object, before PHP 8",
        "of non-object|attempt to read property",
        r"(?i)(?:\b(?:PHP )?(?:Notice|Warning): {1,2}|\bErrorException: )?(?:Trying to get "
        r"property ['\"](\w{1,100})['\"] of non-object|Attempt to read property ['\"](\w{1,100})"
        r"['\"] on (\w{1,20}))",
        _no_object,
        'Warning: Attempt to read property "total" on null',
        "Attempt to read property of 'total' (on null)",
        "Trying to get property",
    ),
    Rule(
        "element of what is no array, before PHP 8.3",
        "access array offset",
        r"(Trying to access array offset on )(?:value of type )?",
        r"\1",
        "Trying to access array offset on value of type null",
        "Trying to access array offset on null",
        "access array offset",
    ),
    Rule(
        "argument of another type, before PHP 8",
        " expects parameter | must be of type ",
        r"\b([\w\\:]{1,200}\(\))(?: expects parameter |: Argument #)(\d{1,3})(?: \(\$\w{1,100}\))?"
        r"(?: to be | must be of type )([\w|?\\]{1,200}), (\w{1,60}) given",
        _argument,
        "strlen() expects parameter 1 to be string, array given",
        "strlen(): argument 1 must be string, array given",
        "it expects parameter 1",
    ),
    Rule(
        "loop over what is no list, before PHP 8",
        "foreach()",
        r"Invalid argument supplied for foreach\(\)|foreach\(\) argument must be of type "
        r"array\|object, (\w{1,60}) given",
        _loop,
        "foreach() argument must be of type array|object, null given",
        "foreach() needs a list (null given)",
        "foreach() of a list",
    ),
    Rule(
        "token that PHP did not expect, before version 8",
        "syntax error, unexpected",
        r"(?<=syntax error, )unexpected (?:'(?P<value>[^'\n]{1,80})' "
        r"\(T_(?P<old>STRING|VARIABLE)\)|"
        r"(?P<kind>identifier|variable|token) \"(?P<name>[^\"\n]{1,80})\")",
        _unexpected,
        "syntax error, unexpected 'total' (T_STRING), expecting ')'",
        "syntax error, unexpected identifier 'total', expecting ')'",
        "syntax error, unexpected end of file",
    ),
    Rule(
        "class that Laravel cannot build, before version 7",
        "target class [",
        r"(?i)\bTarget class \[([\w\\.]{1,200})\] does not exist",
        r"Class '\1' does not exist",
        "Target class [App\\Cart] does not exist.",
        "Class 'App\\Cart' does not exist.",
        "Target class [a b]",
    ),
    Rule(
        "function that is declared again, since PHP 8.4",
        "cannot redeclare",
        r"(?<=Cannot redeclare )function (?=\w)",
        "",
        "Cannot redeclare function total() (previously declared in /app/a.php:3)",
        "Cannot redeclare total() (previously declared in /app/a.php:3)",
        "Cannot redeclare total()",
    ),
    Rule(
        "function of R that sought a package",
        "error in ",
        r"\bError in (?:library|loadNamespace|requireNamespace|getNamespace)\([^\n]{1,200}?\) ?: "
        r"(?=there is no package)",
        "Error: ",
        "Error in library(sf) : there is no package called 'sf'",
        "Error: there is no package called 'sf'",
        "Error in f(sf) : there is no package called 'sf'",
    ),
    Rule(
        "class in front of a method, since Ruby 3.4",
        ":in '",
        r"(?<=:in ')[A-Z]\w{0,60}(?:::\w{1,60}){0,6}[#.](?=[a-z_])",
        "",
        "cart.rb:9:in 'Cart#total': no price (PriceError)",
        "cart.rb:9:in 'total': no price (PriceError)",
        "it is in 'Cart#total'",
    ),
    Rule(
        "caller that PHP names",
        ", called in ",
        r", called in \S{1,300}(?: on line \d{1,7})?"
        r"(?: and defined in \S{1,300}(?: on line \d{1,7})?)?",
        "",
        "total() must be array, null given, called in /a.php on line 9 and defined in /b.php:12",
        "total() must be array, null given",
        "it was called in time",
    ),
    Rule(
        "type of an exception in a line of its own, by RSpec",
        "error:\n|exception:\n",
        r"(?m)^[ \t]*([A-Z]\w{0,60}(?:::\w{1,60}){0,6}(?:Error|Exception)):\n[ \t]{2,40}(?=\S)",
        r"\1: ",
        "     NoMethodError:\n       undefined method 'price' for nil",
        "NoMethodError: undefined method 'price' for nil",
        "NoMethodError:\nundefined method",
    ),
)
