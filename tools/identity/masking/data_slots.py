"""Slots of known messages that hold data, and never what the error is about.

Rule of this module: a row names one message (or one field) and the slot in it whose content is
whatever was being worked on: `int('abc')` and `int('xyz')` fail the same way. A slot that can hold
a name somebody chose (a key, a column, a module) has no row here.
"""

from reflection_mcp.tools.identity.rule import Match, Rule


def _second_or_first(match: Match) -> str:
    return f"{match[1] or match[2]}<data>"


def _refused(match: Match) -> str:
    return f"{match[2] or ''}<data>"


DATA_SLOTS: tuple[Rule, ...] = (
    Rule(
        "value that is no number",
        "invalid literal for|could not convert|invalid value for",
        r"(?i)(invalid literal for (?:\w{1,20}\(\)|Fraction)(?: with base \d{1,2})?: |"
        r"could not convert string to \w{1,20}: |"
        r"invalid value for \w{1,20}\(\): )[^\n]*",
        r"\1<data>",
        "invalid literal for int() with base 10: 'abc'",
        "invalid literal for int() with base 10: <data>",
        "invalid literal: 'abc'",
    ),
    Rule(
        "text that is no time",
        "time data|isoformat|unconverted data|could not be parsed|parsing time",
        r"(?i)((?:time data|invalid isoformat string:|unconverted data remains:|"
        r"parsing time|\bText) )"
        r"(?:'[^'\n]*'|\"[^\"\n]*\"|\S{1,200})",
        r"\1<data>",
        "time data '2024-13-01' does not match format '%Y-%m-%d'",
        "time data <data> does not match format '%Y-%m-%d'",
        "the time data",
    ),
    Rule(
        "text that Java, Go or .NET could not read as a number",
        "for input string|parsing |cannot parse|the input string",
        r"(?i)(For input string: |strconv\.\w{1,20}: parsing |cannot parse |"
        r"The input string )(?:'[^'\n]*'|\"[^\"\n]*\")",
        r"\1<data>",
        'java.lang.NumberFormatException: For input string: "12a"',
        "java.lang.NumberFormatException: For input string: <data>",
        "For input file: x",
    ),
    Rule(
        "size of a batch in the shape of a matrix",
        "shapes cannot be multiplied",
        r"(shapes cannot be multiplied \()\d{1,12}(?=x\d)",
        r"\1<data>",
        "mat1 and mat2 shapes cannot be multiplied (32x784 and 512x10)",
        "mat1 and mat2 shapes cannot be multiplied (<data>x784 and 512x10)",
        "shapes cannot be multiplied",
    ),
    Rule(
        "document that was to be stored",
        "with id '",
        r"(?<=with id )'[^'\n]{1,200}'(?:\. Preview of field's value: '[^'\n]{0,400}')?",
        "<data>",
        "failed to parse field [price] of type [float] in document with id 'a81'",
        "failed to parse field [price] of type [float] in document with id <data>",
        "with id a81",
    ),
    Rule(
        "message that a process of Erlang was handling",
        "last message in was",
        r"(?m)(?<=Last message in was )[^\n]{1,1000}$",
        "<data>",
        "** Last message in was {get,key1}",
        "** Last message in was <data>",
        "the last message in",
    ),
    Rule(
        "row that a constraint refused",
        "key (",
        r"(Key \([\w, \"]{1,200}\)=)\([^\n]{0,300}?\)(?= |$)",
        r"\1<data>",
        "Key (email)=(a@b.example) already exists.",
        "Key (email)=<data> already exists.",
        "Key (email) is missing",
    ),
    Rule(
        "duplicate entry",
        "duplicate",
        r"(?i)(Duplicate entry )(?:'[^'\n]*'|\"[^\"\n]*\")(?= for key)|"
        r"(dup key: \{ ?[\w.]{1,80}: )[^\n}]{1,200}",
        _second_or_first,
        "Duplicate entry '77' for key 'users.PRIMARY'",
        "Duplicate entry <data> for key 'users.PRIMARY'",
        "Duplicate entry for key 'users.PRIMARY'",
    ),
    Rule(
        "token that is no JSON",
        "json",
        r"Unexpected (?:token|non-whitespace character|string|number|"
        r"end of JSON input)?[^\n]{0,300}?(?:in JSON|is not valid JSON|after JSON)"
        r"(?: at position \d{1,9})?(?: \(line \d{1,7} column \d{1,7}\))?",
        "Unexpected token <data> in JSON",
        "Unexpected token < in JSON at position 0",
        "Unexpected token <data> in JSON",
        "Unexpected token } in template",
    ),
    Rule(
        "value in a validation report",
        "input_value=",
        r"input_value=[^\n]{0,600}?(?=, input_type=|\]|$)",
        "input_value=<data>",
        "[type=int_parsing, input_value='qty-3', input_type=str]",
        "[type=int_parsing, input_value=<data>, input_type=str]",
        "input_type=str",
    ),
    Rule(
        "value refused by a type",
        "is not a valid|for type",
        r"(?i)('|\")[^'\"\n]{0,300}\1(?= is not a valid )|"
        r"(?<=for type )(\w{1,30}: )(?:'[^'\n]*'|\"[^\"\n]*\")",
        _refused,
        "'abc' is not a valid UUID",
        "<data> is not a valid UUID",
        "abc is not valid",
    ),
    Rule(
        "address that is no URL",
        "invalid url",
        r"(?i)(invalid url:? )\S{1,300}",
        r"\1<data>",
        "TypeError: Invalid URL 'www.example'",
        "TypeError: Invalid URL <data>",
        "Invalid URLs",
    ),
    Rule(
        "file of many that could not be watched",
        "watch",
        r"(?i)(file watchers reached, watch |too many open files, watch )(?:'[^'\n]*'|"
        r"\"[^\"\n]*\")",
        r"\1<data>",
        "ENOSPC: System limit for number of file watchers reached, watch '/app/a.js'",
        "ENOSPC: System limit for number of file watchers reached, watch <data>",
        "cannot watch 'a'",
    ),
    Rule(
        "input shown after the message",
        "input: ",
        r"(\binput: )(?:'[^'\n]*'|\"[^\"\n]*\")",
        r"\1<data>",
        "Invalid URL, input: 'x'",
        "Invalid URL, input: <data>",
        "input: <stdin>",
    ),
    Rule(
        "account at a database",
        "user ",
        r"(user )(?:'[^'\n]{0,100}'@'[^'\n]{0,100}'|\"[^\"\n]{0,100}\"@\"[^\"\n]{0,100}\")",
        r"\1<user>",
        "Access denied for user 'app'@'172.18.0.5' (using password: YES)",
        "Access denied for user <user> (using password: YES)",
        "Access denied for user 'app'",
    ),
    Rule(
        "file that asked for a package",
        "(from -r|(line",
        r" \((?:from|from -r|in) [^()\n]{1,200}(?: \(line \d{1,7}\))\)",
        "",
        "torch==1.7.1 (from -r requirements.txt (line 14))",
        "torch==1.7.1",
        "torch (from pip)",
    ),
    Rule(
        "account that was not let in",
        "authentication failed for user",
        r"(?i)(authentication failed for user )(?:'[^'\n]{0,100}'|\"[^\"\n]{0,100}\")",
        r"\1<user>",
        'FATAL: password authentication failed for user "app"',
        "FATAL: password authentication failed for user <user>",
        'role "app" does not exist',
    ),
    Rule(
        "versions on offer",
        "from versions:",
        r"\(from versions: [^)\n]{0,4000}\)?",
        "(from versions: <v>)",
        "torch==1.7.1 (from versions: 1.11.0, 1.12.0)",
        "torch==1.7.1 (from versions: <v>)",
        "from version 1",
    ),
    Rule(
        "id of a request, named",
        "id:|id=|id :|id =|id\t:|id\t=|id'|id\"|id |traceparent|ray|"
        "req:|req=|request:|request=|trace:|trace=|correlation:|correlation=",
        r"(?i)(?!\B\w)(?=[ \t\[(,;'\"acehijrstx])(?:"  # not inside a word, as most is
        r"[ \t]*+[\[(](?:(?:(?:req|request|trace|correlation)[-_ ]?id|rid)[=:] ?[\w-]{3,60}|"
        r"(?:req|request|trace|correlation)[=:] ?(?=[\w-]{0,59}\d)[\w-]{6,60})[\])]$|"
        r"[,;]?+[ \t]*+['\"]?+\b(?:x-)?(?=[acehijrst][aefmnopruvx])(?:(?:request|trace|"
        r"correlation|span|session|amzn-trace|ray|invocation|event|job|run|execution|transaction|"
        r"host)[-_ ]?id|traceparent|cf-ray)"
        r"['\"]?(?:[ \t]?[:=]|(?=[ \t]['\"]?(?=[\w-]{0,60}\d)[\w-]{8}))[ \t]?['\"]?"
        r"[\w./+=:-]{3,120}['\"]?)",
        "",
        'Overloaded, "request_id":"req_011CZq7H2Kd9"',
        "Overloaded",
        "request id missing",
    ),
    Rule(
        "target of a makefile",
        "make",
        r"\[[\w./-]{0,200}(?:[Mm]akefile(?:\.\w{1,10})?|build\.make|\.mk):\d{1,7}: ",
        "[",
        "make: *** [CMakeFiles/app.dir/build.make:97: app] Error 1",
        "make: *** [app] Error 1",
        "make: *** [app] Error 1",
    ),
)
