"""Messages of the JVM, Kotlin, Maven, Gradle, Spring and .NET that changed between versions.

Rule of this module: see the package; the name of each row says when the wording changed.
"""

from reflection_mcp.tools.identity.rule import Match, Rule

_ARTIFACT = r"([\w.-]{1,120}(?::[\w.-]{1,120}){2,4})"


def _artifact(match: Match) -> str:
    return f"cannot find artifact {match[1] or match[2] or match[3]}"


def _mismatch(match: Match) -> str:
    expected, actual = match[2] or match[4] or match[5], match[1] or match[3] or match[6]
    return f"Type mismatch: expected '{expected}', actual '{actual}'"


def _index(match: Match) -> str:
    return f"Index {match[1] or match[2] or match[3]} out of bounds"


def _null(match: Match) -> str:
    return "" if "<local" in match[1] else f" (because {match[1]} is null)"


MANAGED: tuple[Rule, ...] = (
    Rule(
        "exception that only carries another one",
        "executionexception: |completionexception: |targetexception: |throwableexception: |"
        "runtimeexception: ",
        r"\b(?:java\.(?:util\.concurrent|lang(?:\.reflect)?)\.)?(?:ExecutionException|"
        r"CompletionException|InvocationTargetException|UndeclaredThrowableException|"
        r"RuntimeException): (?=(?:[a-z]\w{0,60}\.){1,10}[A-Z]\w{1,80}(?:Exception|Error)\b)",
        "",
        "java.util.concurrent.ExecutionException: java.io.IOException: disk full",
        "java.io.IOException: disk full",
        "RuntimeException: IOException",
    ),
    Rule(
        "exception that Spring named inside its own message, before version 6",
        "; nested exception is ",
        r"; nested exception is ([a-z][\w.$]{3,200}(?:Exception|Error))\b[^\n]*"
        r"(?=\n(?:[^\n]{0,400}\n){0,6}[ \t]*Caused by: \1\b)",
        "",
        "a.Failed: no; nested exception is java.io.IOException: x\nCaused by: java.io.IOException",
        "a.Failed: no\nCaused by: java.io.IOException",
        "a.Failed: no; nested exception is java.io.IOException: x",
    ),
    Rule(
        "reason that is told twice, before Java 11",
        " (connection | (read timed| (no route| (network is| (operation ",
        r"\b(Connection refused|Connection timed out|Connection reset|Read timed out|No route to "
        r"host|Network is unreachable|Operation timed out) \(\1\)",
        r"\1",
        "java.net.ConnectException: Connection refused (Connection refused)",
        "java.net.ConnectException: Connection refused",
        "Connection refused (Read timed out)",
    ),
    Rule(
        "why a host is not known, by system",
        "unknownhostexception: ",
        r"(?<=UnknownHostException: )([\w.-]{1,200}): (?:Name or service not known|nodename nor "
        r"servname provided, or not known|No address associated with hostname|No such host is "
        r"known)\b[^\n]{0,20}",
        r"\1",
        "java.net.UnknownHostException: db: Name or service not known",
        "java.net.UnknownHostException: db",
        "UnknownHostException: db: Temporary failure in name resolution",
    ),
    Rule(
        "certificate without a path, by version of Java",
        "pkix path",
        r"(?:(?:sun\.security\.validator\.)?ValidatorException: |\(certificate_unknown\) )"
        r"{1,2}(?=PKIX path)",
        "",
        "SSLHandshakeException: (certificate_unknown) PKIX path building failed",
        "SSLHandshakeException: PKIX path building failed",
        "ValidatorException: x",
    ),
    Rule(
        "what was null, by helpful messages since Java 14",
        " because ",
        r"(?<=\") because (\"[^\"\n]{1,200}\"|the return value of \"[^\"\n]{1,300}\") is null",
        _null,
        'Cannot invoke "String.length()" because "<local4>" is null',
        'Cannot invoke "String.length()"',
        "it failed because the name is null",
    ),
    Rule(
        "cast that failed, before Java 11",
        "cannot be cast to",
        r"(?:\bclass )?([\w.$]{1,200}) cannot be cast to (?:class )?([\w.$]{1,200})"
        r"(?: \([^\n]{1,600}\))?",
        r"\1 cannot be cast to \2",
        "class a.A cannot be cast to class a.B (a.A and a.B are in unnamed module of loader 'app')",
        "a.A cannot be cast to a.B",
        "it cannot be cast",
    ),
    Rule(
        "index out of bounds, by version of Java",
        "outofboundsexception",
        r"(?<=OutOfBoundsException: )(?:Index:? (-?\d{1,12})(?:, Size: \d{1,12}| out of bounds for "
        r"length \d{1,12})|String index out of range: (-?\d{1,12})|(-?\d{1,12})(?=\s|$))",
        _index,
        "IndexOutOfBoundsException: Index: 5, Size: 3",
        "IndexOutOfBoundsException: Index 5 out of bounds",
        "IndexOutOfBoundsException: toIndex = 5",
    ),
    Rule(
        "class file that is too new, before Java 8",
        "unsupported major.minor version",
        r"([\w/.$]{1,200}) : Unsupported major\.minor version ([\d.]{1,8})",
        r"\1 has been compiled by a more recent version of the Java Runtime (class file version "
        r"\2)",
        "com/acme/Main : Unsupported major.minor version 52.0",
        "com/acme/Main has been compiled by a more recent version of the Java Runtime (class file "
        "version 52.0)",
        "Unsupported major.minor version",
    ),
    Rule(
        "version that a runtime knows",
        "this version of the java runtime only",
        r", this version of the Java Runtime only recognizes (class file versions up to "
        r"[\d.]{1,8})",
        r" (\1)",
        "(class file version 61.0), this version of the Java Runtime only recognizes class file "
        "versions up to 55.0",
        "(class file version 61.0) (class file versions up to 55.0)",
        "this version of the Java Runtime only",
    ),
    Rule(
        "bean that is missing, before Spring 5",
        "no qualifying bean of type [",
        r"No qualifying bean of type \[([\w.$<>]{1,300})\] (?:is defined|found for dependency"
        r"(?: \[[\w.$<>]{1,300}\])?)",
        r"No qualifying bean of type '\1' available",
        "No qualifying bean of type [a.Repo] found for dependency: expected at least 1 bean",
        "No qualifying bean of type 'a.Repo' available: expected at least 1 bean",
        "No qualifying bean of type 'a.Repo'",
    ),
    Rule(
        "collection that is lazy, by version of Hibernate",
        "lazily initialize",
        r"(?i)(?:failed to|cannot) lazily initialize (?:a )?collection of role:? '?([\w.$]{1,200})"
        r"'?(?: with key '[^'\n]{1,80}')?[^\n]{0,80}?no session\)?",
        r"cannot lazily initialize collection of role '\1' (no session)",
        "failed to lazily initialize a collection of role: a.Order.lines, could not initialize "
        "proxy - no Session",
        "cannot lazily initialize collection of role 'a.Order.lines' (no session)",
        "lazily initialize it",
    ),
    Rule(
        "artifact that Maven did not find, at first and again",
        "could not find artifact|failure to find|during a previous attempt",
        r"(?:Could not find artifact " + _ARTIFACT + r" in [\w.-]{1,80} \([^)\n]{1,200}\)|"
        r"Failure to find " + _ARTIFACT + r" in \S{1,200} was cached in the local repository\b"
        r"[^\n]{0,300}|\b" + _ARTIFACT + r" was not found in \S{1,200} during a previous attempt\b"
        r"[^\n]{0,300})",
        _artifact,
        "Could not find artifact a.b:core:jar:1.2 in central (https://repo.example/maven2)",
        "cannot find artifact a.b:core:jar:1.2",
        "cannot find artifact a.b:core:jar:1.2",
    ),
    Rule(
        "what Gradle could not resolve all of, by version",
        "could not resolve all ",
        r"Could not resolve all (?:files|artifacts|dependencies|task dependencies) for (?="
        r"configuration)",
        "Could not resolve all of ",
        "Could not resolve all files for configuration ':app:debug'.",
        "Could not resolve all of configuration ':app:debug'.",
        "Could not resolve all names",
    ),
    Rule(
        "reference that is not resolved, before Kotlin 2",
        "unresolved reference: ",
        r"(?i)\b(unresolved reference): ([\w$]{1,100})",
        r"\1 '\2'",
        "error: unresolved reference: total",
        "error: unresolved reference 'total'",
        "unresolved reference 'a'",
    ),
    Rule(
        "types that do not match, by version of Kotlin",
        "mismatch: ",
        r"(?i)\b(?:type mismatch: inferred type is '?([\w<>?., ]{1,100}?)'? but '?"
        r"([\w<>?., ]{1,100}?)'? was expected|argument type mismatch: actual type is '([^'\n]"
        r"{1,100})', but '([^'\n]{1,100})' was expected|(?:initializer|return|assignment) type "
        r"mismatch: expected '([^'\n]{1,100})', actual '([^'\n]{1,100})')",
        _mismatch,
        "error: type mismatch: inferred type is String but Int was expected",
        "error: Type mismatch: expected 'Int', actual 'String'",
        "checksum mismatch: a",
    ),
    Rule(
        "package that Android cannot update, by version",
        "install_failed_update_incompatible",
        r"(INSTALL_FAILED_UPDATE_INCOMPATIBLE: )(?:Existing )?[Pp]ackage ([\w.]{1,200}) signatures "
        r"do not match[^\]\n]{0,120}",
        r"\1package \2",
        "INSTALL_FAILED_UPDATE_INCOMPATIBLE: Existing package a.b signatures do not match newer "
        "version; ignoring!",
        "INSTALL_FAILED_UPDATE_INCOMPATIBLE: package a.b",
        "INSTALL_FAILED_UPDATE_INCOMPATIBLE",
    ),
    Rule(
        "parameter of .NET, on a line of its own before .NET Core 3",
        "parameter name: ",
        r"\.?\n[ \t]*Parameter name: (\w{1,100})",
        r". (Parameter '\1')",
        "System.ArgumentNullException: Value cannot be null.\nParameter name: source",
        "System.ArgumentNullException: Value cannot be null. (Parameter 'source')",
        "the Parameter name: x",
    ),
    Rule(
        "key that is not in a dictionary, since .NET Core 2",
        "the given key '",
        r"(?<=The given key )('[^'\n]{1,200}')(?= was not present)",
        r"(\1)",
        "The given key 'total' was not present in the dictionary.",
        "The given key ('total') was not present in the dictionary.",
        "The given key was not present",
    ),
    Rule(
        "assembly that was not found, before .NET Core",
        "or one of its dependencies",
        r"(?<=') or one of its dependencies(?=\.)",
        "",
        "Could not load file or assembly 'Shop.Core' or one of its dependencies. It is missing.",
        "Could not load file or assembly 'Shop.Core'. It is missing.",
        "one of its dependencies",
    ),
    Rule(
        "number behind the type of an exception of .NET",
        "exception (0x",
        r"(?<=Exception)(?<!COMException)(?<!ExternalException) \(0x[0-9A-Fa-f]{8}\)(?=: )",
        "",
        "SqlException (0x80131904): Login failed for user 'shop'.",
        "SqlException: Login failed for user 'shop'.",
        "COMException (0x80070005): Access is denied.",
    ),
    Rule(
        "sources in which NuGet looked",
        "no packages exist with this id in source",
        r"(?<=No packages exist with this id) in source\(s\): [^\n]*",
        "",
        "Unable to find package A.B. No packages exist with this id in source(s): nuget.org",
        "Unable to find package A.B. No packages exist with this id",
        "No packages exist with this id",
    ),
    Rule(
        "cause of a class that is not there, which says the same",
        "noclassdeffounderror",
        r"(NoClassDefFoundError: [\w/$]{1,200})\n[ \t]*Caused by: java\.lang\."
        r"ClassNotFoundException: [\w.$]{1,200}$",
        r"\1",
        "java.lang.NoClassDefFoundError: a/B\nCaused by: java.lang.ClassNotFoundException: a.B",
        "java.lang.NoClassDefFoundError: a/B",
        "Caused by: java.lang.ClassNotFoundException: a.B",
    ),
    Rule(
        "end of a virtual machine that ran out of memory",
        "terminating due to",
        r"Terminating due to (?=java\.lang\.OutOfMemoryError)",
        "",
        "Terminating due to java.lang.OutOfMemoryError: Metaspace",
        "java.lang.OutOfMemoryError: Metaspace",
        "Terminating due to a signal",
    ),
    Rule(
        "message of its cause that an exception repeats, since Spring 6",
        "caused by: ",
        r"(?m)^([^\n]{10,400}?): ([^\n]{20,400})$(?=\n[ \t]*Caused by: [\w.$]{3,200}: \2$)",
        r"\1",
        "a.Failed: no bean 'cart': No bean of type 'a.Repo'\nCaused by: a.NoBean: No bean of type "
        "'a.Repo'",
        "a.Failed: no bean 'cart'\nCaused by: a.NoBean: No bean of type 'a.Repo'",
        "a.Failed: no bean 'cart': No bean of type 'a.Repo'",
    ),
)
