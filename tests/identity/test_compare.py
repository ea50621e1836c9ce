"""What two errors share and what contradicts, whoever is asked about first."""

from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.tools.identity import compare, fingerprint
from tests.identity.families import read
from tests.rows import each_row

TEXTS = [
    text
    for file in ("families.txt", "fresh.txt", "versions.txt")
    for family in read(file)
    for text in (family.stored, *family.same.values(), *family.other.values())
]


def level(one: str, other: str) -> str:
    return compare(fingerprint(one).pattern, fingerprint(other).pattern).level


@given(st.sampled_from(TEXTS), st.sampled_from(TEXTS))
def test_the_answer_does_not_depend_on_the_order(one: str, other: str) -> None:
    here, there = fingerprint(one).pattern, fingerprint(other).pattern
    found, turned = compare(here, there), compare(there, here)
    assert (found.level, found.shared) == (turned.level, turned.shared)
    assert [(d.here, d.there) for d in found.differences] == [
        (d.there, d.here) for d in turned.differences
    ]


@each_row(
    ("one", "other"),
    [
        (
            "npm ERR! xcrun: error: invalid active developer path",
            "xcrun: error: invalid active developer path",
        ),
        (
            "go: errors parsing go.mod:\ngo.mod:7: unknown directive: toolchain",
            "/srv/go.mod:9: unknown directive: toolchain",
        ),
        (
            "fatal: refusing to merge unrelated histories",
            "I ran git pull and got `fatal: refusing to merge unrelated histories`, why?",
        ),
        (
            "Error: P1001: Can't reach database server",
            "Error: P1001: Can't reach database server. Please make sure it is running.",
        ),
        (
            '{"code": 500, "msg": "MISCONF Redis is configured to save RDB snapshots"}',
            "MISCONF Redis is configured to save RDB snapshots",
        ),
        (
            "ModuleNotFoundError: No module named 'pkg_resources'",
            "menu.py:3: in <module>\nE   ModuleNotFoundError: No module named 'pkg_resources'",
        ),
        (
            "cannot read tea.yaml: asking for leaves: exec: pot-filler-plugin: file not found",
            "cannot reach a shelf: asking for leaves: exec: pot-filler-plugin: file not found",
        ),
        (
            "error: cannot apply pot.yaml: no kettle for kind GreenTea in version shelf/two",
            "error: cannot apply cup.yaml: no kettle for kind GreenTea in version shelf/two",
        ),
        (
            "panic: the tea_leaf registry could not be read twice (asked by the cook)",
            "worker 3: the tea_leaf registry could not be read twice",
        ),
        (
            "TeaError: the tea_leaf registry cannot be read, since no cook has a key\n"
            "error: kettle stopped",
            "shop.TeaError: the tea_leaf registry cannot be read, since no cook has a key\n"
            "error: lid missing",
        ),
        (
            "By not bringing leaf_tea this shelf asks the cook for a green box by leaf, but\n"
            "  the cook did not find one\n"
            "  Could not find a green box that was brought by leaf with any of these names:\n"
            "    leafBox.tea",
            "Could not find a green box that was brought by leaf with any\n"
            "  of these names:\n    leafBox.tea",
        ),
        (
            "System.TeaException: no pot: This lid of the green kettle only fits pots of 85 (lid)",
            "org.shop.PotException: not begun. message: no pot: This lid of the green kettle only "
            "fits pots of 115",
        ),
        (
            "TeaError: kettle.exe: cannot boil water without any green leaves in it",
            "TeaError: kettle: cannot boil water without any green leaves in it",
        ),
        (
            "RegisterTea failed with error: 0x80370102\nError: 0x80370102 the lid is stuck",
            "RegisterTea failed with error: 0x80370102\nError: 0x80370102 ????????",
        ),
        (
            "error: 0x80131040 TeaPot or KettleHost was not loaded",
            "error: 0x80131040 TeaPot \u304b\u3089 KettleHost \u305f\u3002",
        ),
        (
            'OperationalError: (1045, "Access denied for user")',
            "ERROR 1045 (28000): Access denied for user",
        ),
        (
            "TeaError: pot.Kettle cannot boil water without any green leaves",
            "TeaError: Kettle cannot boil water without any green leaves",
        ),
        (
            "Error: listen EADDRINUSE: address already in use :::3000",
            "Error: listen EADDRINUSE: address already in use 0.0.0.0:3000",
        ),
        (  # npm 8 and npm 10
            "npm ERR! ERESOLVE unable to resolve dependency tree\n"
            'npm ERR! peer cup@"^1.0.0" from tea-pot@3.1.0',
            "npm error ERESOLVE could not resolve\n"
            'npm error peer cup@"^1.0.0" from tea-pot@3.1.1\n'
            "npm error Fix the upstream dependency conflict, or retry",
        ),
        (  # pip before 22 and since
            "ERROR: Could not build wheels for teapot, which is required to install "
            "pyproject.toml-based projects\n  Error: tea_config executable not found.",
            "  Error: tea_config executable not found.\nerror: metadata-generation-failed",
        ),
        (
            "RuntimeError: There is no current event loop in thread 'Thread-1'.",
            "RuntimeError: There is no current event loop in thread 'Thread-77'.",
        ),
        (
            "src/tea.ts:2:43 - error TS18048: 'u' is possibly 'undefined'.",
            "src/tea.ts(1,43): error TS18048: 'u' is possibly 'undefined'.",
        ),
        (
            "pot ERR! stack Error: no kettle was found\npot ERR! stack     at a (b.js:3:4)\n"
            "pot ERR! cwd /srv/tea",
            "pot ERR! stack Error: no kettle was found\npot ERR! stack     at a (b.js:9:4)\n"
            "pot ERR! node -v v9",
        ),
        (
            "The connection to the server localhost:8080 was refused - did you specify the right"
            " host or port?",
            "E1127 09:12:44.123456   12345 memcache.go:265] couldn't get current server API group"
            ' list: Get "http://localhost:8080/api?timeout=32s": dial tcp 127.0.0.1:8080: connect:'
            " connection refused\nThe connection to the server localhost:8080 was refused - did"
            " you specify the right host or port?",
        ),
        (
            "sqlite3.OperationalError: database is locked",
            "(sqlite3.OperationalError) database is locked\n[SQL: UPDATE jobs SET state=?]",
        ),
        (
            "thread 'main' panicked at src/main.rs:12:30:\nindex out of bounds: the len is 3 but"
            " the index is 7",
            "thread 'tokio-runtime-worker' panicked at src/main.rs:14:9:\nindex out of bounds: the"
            " len is 5 but the index is 5",
        ),
        (
            "error: linking with `cc` failed: exit code: 1\n  = note: /usr/bin/ld: cannot find"
            " -lkettle\n          collect2: error: ld returned 1 exit status",
            "error: linking with `cc` failed: exit status: 1\n  = note: /sbin/ld: cannot find"
            " -lkettle: No such file or directory\n          collect2: error: ld returned 1 exit"
            ' status\n\nerror: could not compile `tea` (bin "tea") due to 1 previous error',
        ),
    ],
)
def test_a_message_inside_another_line_is_the_same_error(one: str, other: str) -> None:
    assert level(one, other) in ("exact", "same")


@each_row(
    ("one", "other"),
    [
        (
            "TypeError: Cannot read properties of undefined (reading 'id')",
            "TypeError: Cannot read properties of undefined (reading 'name')",
        ),
        (
            "NoSuchModuleError: Can't load plugin: dialects:postgres",
            "NoSuchModuleError: Can't load plugin: dialects:postgresql",
        ),
        ("MCP error -32001: Request timed out", "MCP error -32602: Invalid request parameters"),
        (
            "WslRegisterDistribution failed with error: 0x80370102",
            "WslRegisterDistribution failed with error: 0x8004030b",
        ),
        ("SyntaxError: unexpected token ')'", "SyntaxError: unexpected token '}'"),
        (
            "collect2: error: ld returned 1 exit status\nmake: *** [tank] Error 1",
            "collect2: error: ld returned 1 exit status\nmake: *** [pump] Error 1",
        ),
        (
            "fatal: bad revision\nerror: disk is full of logs",
            "fatal: bad revision\nerror: network is down since noon",
        ),
        (
            "error[E0308]: `match` arms have incompatible types\n |\n |  ^^ arms of a match",
            "error[E0308]: `match` arms have deprecated types\n |\n |  ^^ arms of a match",
        ),
        (
            "thread 'main' panicked at 'no tea left in the whole big pot', src/pot.rs:4:8",
            "thread 'main' panicked at 'no tea left in the whole big pot', src/cup.rs:4:8",
        ),
        (
            "Error: Incompatible cup\n\nThe maker of cups has no cup for tea on this shelf.",
            "Error: Incompatible cup\n\nThe maker of cups has no mug for ale on this shelf.",
        ),
        (
            "$ brew tea\n| Error: Incompatible pot\n|\n| Kettle green cannot heat this pot.\n|",
            "$ brew tea\n| Error: Incompatible pot\n|\n| Stove yellow cannot heat this pot.\n|",
        ),
        (
            "ERROR 7: cannot reach the local tea server through\n socket '/tmp/tea.sock' (2)",
            "ERROR 7: cannot reach the local tea server through socket '/run/ale.sock' (2)",
        ),
        (
            "Stderr: teapot: error: the lid is stuck\nteapot: error: Details: code E_FAIL",
            "Stderr: teapot: error: the spout is blocked\nteapot: error: Details: code E_FAIL",
        ),
        (
            "Error: Error brewing tea\n\nPotLimitExceeded: You have asked for more pots",
            "Error: Error brewing tea\n\nLeafLimitExceeded: You have asked for more leaves",
        ),
        (
            "bind() to 0.0.0.0:1935 failed\nbind() to 0.0.0.0:8080 failed\nstill could not bind",
            "bind() to 0.0.0.0:80 failed\nstill could not bind",
        ),
        (
            '[{"code": "too_big", "path": ["pot"], "message": "Required"}]',
            '[{"code": "too_big", "path": ["cup"], "message": "Required"}]',
        ),
        (
            '{"type": "parse_fault", "reason": "failed to parse field [pot] of type [float]"}',
            '{"type": "parse_fault", "reason": "failed to parse field [cup] of type [float]"}',
        ),
        ("AssertionError: 17 != 21", "AssertionError: 21 != 17"),
        (
            "Tea\\Pot::fill(): Argument #1 ($leaves) must be of type array, null given",
            "Tea\\Pot::boil(): Argument #1 ($leaves) must be of type array, null given",
        ),
        (
            "the cook failed (StaleLeaf) when calling brew: the tea_leaf cannot be used any more",
            "the cook failed (WrongLeaf) when calling brew: the tea_leaf cannot be used any more",
        ),
        (
            "sh: line 1: green.log: Datei oder Verzeichnis nicht gefunden",
            "cat: black.log: Datei oder Verzeichnis nicht gefunden",
        ),
        (
            "Failed asserting that 500 matches expected 200.",
            "Failed asserting that 401 matches 200.",
        ),
        (
            '{"status": 404, "message": "no tea by this name"}',
            '{"status": 410, "message": "no tea by this name"}',
        ),
        (
            ">       assert is_open\nE       AssertionError",
            ">       assert is_full\nE       AssertionError",
        ),
        (
            "baker: the tea_leaf registry could not be read by the cook",
            "worker: the tea_leaf registry could not be read by the cook today or tomorrow",
        ),
        ("OAuthException: (#190) request failed", "OAuthException: (#100) request failed"),
        (  # two values that differ say nothing without the test they are of
            "AssertionError: assert 3 == 4",
            "FAILED tests/test_tea.py::test_total - AssertionError: assert 17 == 12",
        ),
        (
            "AssertionError: expected 200 to equal 404",
            "AssertionError: expected 302 to equal 500",
        ),
        (
            "TeaError: [{'loc': ('body', 'pot'), 'msg': 'Field required', 'input': {}}]",
            "TeaError: [{'loc': ('body', 'cup'), 'msg': 'Field required', 'input': {}}]",
        ),
        (
            "no match for tea (from versions: none)",
            "no match for tea (from versions: 1.0, 1.1)",
        ),
        (
            "TeaError at https://shelf.example/@tea%2fpot: gone for good",
            "TeaError at https://shelf.example/@tea%2fcup: gone for good",
        ),
        (
            "error: linking with `cc` failed: exit status: 1\n  = note: /usr/bin/ld: cannot find"
            " -lkettle\n          collect2: error: ld returned 1 exit status",
            "error: linking with `cc` failed: exit status: 1\n  = note: /usr/bin/ld: cannot find"
            " -lteapot\n          collect2: error: ld returned 1 exit status",
        ),
        (
            "tea.o: In function `main': undefined reference to `boil'",
            "tea.o: In function `main': undefined reference to `pour'",
        ),
    ],
)
def test_another_name_code_or_cause_is_another_error(one: str, other: str) -> None:
    assert level(one, other) in ("similar", "different")


@each_row(
    ("one", "other"),
    [
        (
            "java.lang.IllegalArgumentException: Unsupported class file major version 65",
            "java.lang.IllegalArgumentException: Unsupported class file major version 72",
        ),
        (
            "CMake 3.20 or higher is required.  You are running version 3.16.3",
            "CMake 3.30 or higher is required.  You are running version 3.16.3",
        ),
        (
            "The pot supports only leaf 1.5.2 and higher.",
            "The pot supports only leaf 1.3.1 and higher.",
        ),
        ("ValueError: unsupported leaf protocol: 5", "ValueError: unsupported leaf protocol: 4"),
        (
            "Module compiled with Swift 4.1 cannot be imported by the Swift 5.1.3 compiler",
            "Module compiled with Swift 5.0 cannot be imported by the Swift 5.1.3 compiler",
        ),
        (
            "Incompatible targets of 'compileJava' (11) and 'compileKotlin' (21).",
            "Incompatible targets of 'compileJava' (11) and 'compileKotlin' (17).",
        ),
        (
            "go: download go1.22 for linux/amd64: toolchain not available",
            "go: download go1.23 for linux/amd64: toolchain not available",
        ),
        (
            "Your Ruby version is 3.1.2, but your Gemfile specified 2.5.1",
            "Your Ruby version is 3.1.2, but your Gemfile specified 3.0.4",
        ),
        (
            "E11000 duplicate key error collection: shop.users index: _id_ dup key: { _id: 1 }",
            "E11000 duplicate key error collection: shop.orders index: _id_ dup key: { _id: 1 }",
        ),
        (
            "FileNotFoundError: [WinError 2] Das System kann die Datei nicht finden: 'pot.exe'",
            "FileNotFoundError: [WinError 2] The system cannot find the file: 'cup.exe'",
        ),
        (
            "PermissionError: [WinError 5] Zugriff verweigert: 'leaf.mobi'",
            "PermissionError: [WinError 32] The file is being used: 'leaf.mobi'",
        ),
        (
            "brew.c(3): error C2065: 'leaf': undeclared identifier",
            "brew.c(3): error C2065: 'root': undeclared identifier",
        ),
        (
            "brew.obj : error LNK2019: unresolved external symbol leaf referenced in main",
            "brew.obj : error LNK2019: unresolved external symbol root referenced in main",
        ),
        (
            "OSError: [Errno 2] no port leaf: not there",
            "OSError: [Errno 2] no port root: not there",
        ),
        (
            "Project with path ':leaf' could not be found in project ':app'.",
            "Project with path ':root' could not be found in project ':app'.",
        ),
    ],
)
def test_another_required_version_or_subject_is_another_error(one: str, other: str) -> None:
    assert level(one, other) == "similar"


@each_row(
    ("one", "other"),
    [
        (
            "CMake 3.20 or higher is required.  You are running version 3.16.3",
            "CMake 3.20 or higher is required.  You are running version 3.19.7",
        ),
        (
            "leaf 2.1 requires pot ^8.2 but your pot version (8.1.33) does not fit",
            "leaf 2.4 requires pot ^8.2 but your pot version (8.0.2) does not fit",
        ),
        (
            "unsupported releases: 1.1, 1.2, 1.3, 1.4, 1.5 and no leaf to brew",
            "unsupported releases: 2.1, 2.2, 2.3, 2.4, 2.5 and no leaf to brew",
        ),
        (
            "the pot requires 12.5 GB of leaves",
            "the pot requires 14.1 GB of leaves",
        ),
        (
            "the pot is not supported: brew() takes 3 leaves (2 given)",
            "the pot is not supported: brew() takes 3 leaves (1 given)",
        ),
        (
            "brew: leaf.c:9: pour: Assertion `cups > 0' failed.\nAborted (core dumped)",
            "brew: leaf.c:12: pour: Assertion `cups > 0' failed.\nAborted (core dumped)",
        ),
        (
            "Could not resolve all files for configuration ':app:debugCompileClasspath'.\n"
            "   > Could not find com.leaf:pot:1.99.0.\n     Required by:\n         project :app",
            "Could not resolve all files for configuration ':tea:debugCompileClasspath'.\n"
            "   > Could not find com.leaf:pot:1.99.0.\n     Required by:\n         project :tea",
        ),
        (
            'container "pot" in pod "pot-868271406-p7v7q" is waiting to start: no such leaf',
            'container "pot" in pod "pot-5d9c7b8f4d-x2k9z" is waiting to start: no such leaf',
        ),
        (
            "FileNotFoundError: [WinError 2] Das System kann die Datei nicht finden: 'pot.exe'",
            "FileNotFoundError: [WinError 2] The system cannot find the file: 'pot.exe'",
        ),
        (
            'brew.c(5,10): fatal error C1083: Datei kann nicht geöffnet werden: "leaf.h": '
            "No such file or directory [C:\\t\\brew.vcxproj]",
            "steep.c(7): fatal error C1083: Cannot open include file: 'leaf.h': "
            "No such file or directory",
        ),
        (
            "ImportError: libstdc++.so.6: version `GLIBCXX_3.4.29' not found (required by /a/b.so)",
            "ImportError: libstdc++.so.6: version `GLIBCXX_3.4.29' not found (required by /c/d.so)",
        ),
        (
            "@tea/pot:dist: src/pot.ts(3,20): error TS2307: Cannot find module '@tea/leaf'.",
            "@tea/cup:dist: src/cup.ts(3,20): error TS2307: Cannot find module '@tea/leaf'.",
        ),
    ],
)
def test_another_requirer_or_installed_version_is_the_same_error(one: str, other: str) -> None:
    assert level(one, other) in ("exact", "same")


@each_row(
    ("one", "other"),
    [
        ("Segmentation fault (core dumped)", "Segmentation fault (core dumped)"),
        (
            "all 12 leaves passed\nSegmentation fault (core dumped)",
            "$ brew tea\nSegmentation fault (core dumped)",
        ),
        (
            "Execution failed for task ':a:brew'.\n> Compilation error. See log for more details",
            "Execution failed for task ':b:brew'.\n> Compilation error. See log for more details",
        ),
    ],
)
def test_errors_that_say_only_that_something_failed_are_similar_and_asked_about(
    one: str, other: str
) -> None:
    found = compare(fingerprint(one).pattern, fingerprint(other).pattern)
    assert (found.level, found.close) == ("similar", True)
    assert found.reason == "both say only that something failed, and not why or where"


def test_the_same_end_beside_the_same_output_is_the_same_error() -> None:
    told = "brewing the green leaf of tray nine\nSegmentation fault (core dumped)"
    assert level(told, told) == "exact"


def test_what_holds_no_words_of_its_own_is_like_nothing() -> None:
    bare = fingerprint("(/srv/tea/pot.py:3)")
    assert [key.kind for key in bare.keys] == ["strict", "located"]
    assert compare(bare.pattern, bare.pattern).level == "different"


@each_row(
    ("one", "other", "shown"),
    [
        (
            "ModuleNotFoundError: No module named 'yaml'",
            "ModuleNotFoundError: No module named 'requests'",
            ["module: “yaml” here, “requests” there"],
        ),
        (
            "TeaError: the shelf answered with status 401 for every leaf",
            "TeaError: the shelf answered with status 403 for every leaf",
            ["status: “401” here, “403” there"],
        ),
        (
            "connect to the tea shelf at localhost:5432 failed again",
            "connect to the tea shelf at localhost:6379 failed again",
            ["port: “5432” here, “6379” there"],
        ),
        (
            "error: the cook of tea has left with exit code 3",
            "error: the cook of tea has left with exit code 4",
            ["exit code: “3” here, “4” there"],
        ),
        (
            "TeaError: the kettle failed with errno 111 in the kitchen",
            "TeaError: the kettle failed with errno 2 in the kitchen",
            ["code: “111” here, “2” there"],
        ),
        (
            "RegisterTea failed with error: 0x80370102",
            "RegisterTea failed with error: 0x8004030b",
            ["code: “0x80370102” here, “0x8004030b” there"],
        ),
        (
            "error: version 'GLIBC_2.34' not found by the tea pot",
            "error: version 'GLIBC_2.38' not found by the tea pot",
            ["version: “glibc_2.34” here, “glibc_2.38” there"],
        ),
        (
            "fatal error: pot.h: no such leaf on this shelf",
            "fatal error: cup.h: no such leaf on this shelf",
            ["file: “pot.h” here, “cup.h” there"],
        ),
        (
            "fatal: a leaf of green/tea cannot be brewed any more",
            "fatal: a leaf of black/tea cannot be brewed any more",
            ["name: “green/tea” here, “black/tea” there"],
        ),
        (
            "fatal: a leaf of greentea cannot be brewed any more",
            "fatal: a leaf of blacktea cannot be brewed any more",
            ["word: “greentea” here, “blacktea” there"],
        ),
        (
            "fatal: the cook raised LeafError while the water was still cold",
            "fatal: the cook raised PotError while the water was still cold",
            ["exception type: “leaferror” here, “poterror” there"],
        ),
        (
            "KeyError: 'pot'",
            "LeafError: 'pot'",
            ["exception type: “keyerror” here, “leaferror” there"],
        ),
        (
            "fatal: the green kettle cannot boil today",
            "fatal: the kettle was sold and cannot boil today",
            [],
        ),
    ],
)
def test_what_differs_is_shown_by_its_kind(one: str, other: str, shown: list[str]) -> None:
    found = compare(fingerprint(one).pattern, fingerprint(other).pattern)
    assert found.level == "similar"
    assert [str(each) for each in found.differences] == shown
    assert found.close is bool(shown and shown[0].startswith("word"))


@each_row(
    "text",
    [
        "docker: command not found",
        "zsh: command not found: pnpm",
        "bash: java: command not found",
        "no tests found",
        "python not installed",
    ],
)
def test_that_a_tool_is_not_there_is_a_cause(text: str) -> None:
    seen = fingerprint(text)
    assert compare(seen.pattern, seen.pattern).level == "exact"
