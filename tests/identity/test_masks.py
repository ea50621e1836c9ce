"""What is incidental in a message goes, what names the fault stays."""

import pytest

from reflection_mcp.tools.identity.keys import bare
from reflection_mcp.tools.identity.masking.masks import masked
from reflection_mcp.tools.identity.verdicts.frames import location_of, stack_of


@pytest.mark.parametrize(
    ("line", "mask"),
    [
        ("/usr/bin/ld: /tmp/ccQw1ZrT.o: bad", "ld: <tmp>: bad"),
        ("cannot open /home/bo/shop", "cannot open shop"),
        ("no plugin in /home/bo/shop", "no plugin in <path>"),
        ("cannot open /app", "cannot open <path>"),
        ("upstream refused [req: a81f3c]", "upstream refused"),
        ("invalid upstream [request-id: abcdef]", "invalid upstream"),
        ("invalid upstream (request: timeout)", "invalid upstream (request: timeout)"),
        ("cannot open /orders", "cannot open /orders"),
        ("cannot open C:\\shop\\a.txt", "cannot open a.txt"),
        ("GET https://github.com/acme/shop.git failed", "get <url github.com shop> failed"),
        ("GET https://10.0.0.1:9200/a/b failed", "get <url <ip>:9200> failed"),
        ("GET http://[::1]:5432/a failed", "get <url <loopback>:5432> failed"),
        ("dial db:5432 and db:5433", "dial db:5432 and db:<n>"),
        ("port 5432, port 41233", "port 5432, port <n>"),
        ("exit code 137", "exit code 137"),
        ("HTTP 404, 404 Not Found, 404 rows", "http 404, 404 not found, <n> rows"),
        ("RateLimitError: 429 slow down", "ratelimiterror: 429 slow down"),
        ("MCP error -32601: x", "mcp error -32601: x"),
        ("error TS2304, ORA-00942, utf-8, sha256", "error ts2304, ora-00942, utf-8, sha256"),
        ("worker-17 lost blk_123456 and job 42", "worker-<n> lost blk_<n> and job <n>"),
        ("offset -5 of -3.5 s", "offset <n> of <quantity>"),
        ("after 1h 2m and 3.5 GiB", "after <quantity> and <quantity>"),
        ("Fehlercode 5, \u9519\u8bef 5, 5", "fehlercode 5, \u9519\u8bef 5, <n>"),
        ("bar 1.2.3, bar v2, bar>=3", "bar <version>, bar <version>, bar>=<n>"),
        ("cannot save because...", "cannot save because <cut>"),
        ("at 2025-06-01T08:00:11Z, 08:00:11", "at <time>, <time>"),
        ("[Errno 61] Connection refused", "[errno econnrefused] connection refused"),
        ("key [REDACTED:token] is bad", "key <id> is bad"),
        ("Cannot set property 'a' of null", "cannot set properties of null (setting 'a')"),
        ("-----", ""),
    ],
)
def test_a_line_is_masked(line: str, mask: str) -> None:
    assert masked([line]) == ([mask] if mask else [])


_CODES = (
    "error,hresult,ntstatus,nt_status,status,code,bugcheck was,failed with,exit,exited,errno,rc,"
    "ret,result,exception,error: code"
)
_USES = (
    "open,stat,lstat,access,unlink,rmdir,mkdir,scandir,copyfile,rename,spawn,spawning,exec,execve,"
    "execute,executable,module,file,directory,dir,folder,lock,find,read,load,remove,create,write,"
    "locate,chdir,No such file or directory,Permission denied,is a directory,not a directory,"
    "exists,exist at"
)


def test_a_code_in_the_notation_of_an_address_stays_behind_each_word_for_one() -> None:
    for word in _CODES.split(","):
        for sign in (" ", ": ", "=", " ("):
            assert masked([f"met {word}{sign}0x1F"]) == [f"met {word}{sign}0x1f"]
    assert masked(["met thing 0x1F"]) == ["met thing <hex>"]


def test_a_directory_keeps_its_name_behind_each_word_for_what_failed_with_it() -> None:
    for word in _USES.split(","):
        for sign in (" ", ": ", ", '", " (", " <"):
            assert masked([f"met {word}{sign}/home/bo/shop/data"])[0].endswith("data")
    assert masked(["met thing /home/bo/shop/data"]) == ["met thing <path>"]


def test_quotes_around_a_sign_that_stands_alone_are_part_of_what_is_said() -> None:
    assert bare("expected '}' in 'cart'") == "expected '}' in cart"
    assert bare("expected a'}' or '}'b, 'a' '") == "expected a} or }b, a "


def test_masking_keeps_lines_apart() -> None:
    assert masked(["error at line", "3 is bad"]) == ["error at line", "<n> is bad"]


@pytest.mark.parametrize(
    ("text", "location"),
    [
        ("    at Shop.run (C:\\shop\\a.js:3:9)", "a.js:run"),
        ("    at new Promise (<anonymous>)", None),
        ("   at Shop.Basket.Total(Int32 id)", "basket:total"),
        ("    at x.js (a.js:3:9)", "a.js:js"),
        ("    at TestState.f (index.js:(node:internal/loader:1048:15))", None),
        ("    at once it failed", None),
        ("main.run(0x1)", None),
        ("   4: shop::total", None),
        ("   4: shop total", None),
        ("   4: shop total\n             at ./src/cart.rs:3:9", "cart.rs:shop total"),
        ("#0 {main}", None),
        ("\tcart.lua:3: in main chunk", "cart.lua:main chunk"),
        ("someone@shop.example: hello", None),
    ],
)
def test_a_stack_has_a_location(text: str, location: str | None) -> None:
    assert location_of(stack_of(text.split("\n"))) == location
