"""Two places tell two errors apart only if they are of one sort, and differ."""

from typing import NamedTuple

import pytest

from reflection_mcp.tools.identity.comparing.place import is_one_place


class Pair(NamedTuple):
    """Two places, how many words their message tells, and whether they are one place."""

    why: str
    one: str
    other: str
    one_place: bool
    told: int = 3


PAIRS = (
    Pair("another function", "cart.py:total", "cart.py:add", False),
    Pair("another file", "cart.py:total", "order.py:total", False),
    Pair("only one names the file", ":total", "cart.py:total", True),
    Pair("only one names a file, of another function", ":total", "cart.py:add", False),
    Pair("no file at all", ":total", ":add", False),
    Pair("only one names the function", "cart.py:", "cart.py:total", True),
    Pair("class of a method in Python", "cart.py:total", "cart.py:cart.total", True),
    Pair("class of a method in Ruby", "cart.rb:total", "cart.rb:cart#total", True),
    Pair("class of a method in C++", "cart.cc:total", "cart.cc:cart::total", True),
    Pair("class of a method in PHP", "cart.php:total", "cart.php:cart->total", True),
    Pair("a longer name", "cart.py:total", "cart.py:subtotal", False),
    Pair("comprehension of an older Python", "cart.py:<listcomp>", "cart.py:total", True),
    Pair("file without its extension", "basket:total", "basket.cs:total", True),
    Pair("file with another extension", "basket.vb:total", "basket.cs:total", False),
    Pair("title of a test", ":cart adds up", "cart.js:total", True),
    Pair("two titles", ":cart adds up", "cart.js:cart is empty", False),
    Pair("two titles in a file", "cart.test.js:adds up", "cart.test.js:is empty", False),
    Pair("two titles, of a test and of what it calls", "cart.test.js:a b", "cart.js:c d", False),
    Pair("title of a test and its function", "a.test.js:adds up", "a.test.js:<anonymous>", True),
    Pair("test of a class, without its file", ":tests\\carttest::testtotal", "a.php:run", True),
    Pair("two tests without a file", ":tests\\a::testtotal", ":tests\\a::testsum", False),
    Pair("test of the same file", "test_cart.py:test_empty", "cart.py:total", True),
    Pair("test of the same function", "test_all.py:test_total", "cart.py:total", True),
    Pair("test in Java", "carttest:empty", "cart:total", True),
    Pair("test of something else", "test_order.py:test_empty", "cart.py:total", False),
    Pair("test that tells much", "test_order.py:test_empty", "cart.py:total", True, told=8),
    Pair("two tests", "test_cart.py:test_a", "test_order.py:test_b", False, told=20),
    Pair("names that all tests share", "test_main.py:test_init", "main.py:run", False),
    Pair("bundle of a source", "page.js:useviewport", "useviewport.ts:useviewport", True),
    Pair("source of a bundle", "cart.vue:addline", "index-bx91.js:addline", True),
    Pair("script in a bundle with a hash", "cart.js:total", "index-bx91aa.js:total", True),
    Pair("script in a chunk", "cart.js:total", "main.chunk.js:total", True),
    Pair("file of another kind and a bundle", "cart.py:total", "main.chunk.js:total", False),
    Pair("another function in a bundle", "cart.js:total", "index-bx91aa.js:weight", False),
    Pair("bundle with a short name", "index.js:t", "cart.tsx:t", False),
    Pair("bundle of another function", "page.js:useviewport", "cart.ts:usestorage", False),
    Pair("two scripts", "page.js:useviewport", "cart.js:useviewport", False),
)


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.why for pair in PAIRS])
def test_two_places_are_one_or_two_whichever_comes_first(pair: Pair) -> None:
    assert is_one_place(pair.one, pair.other, pair.told) is pair.one_place
    assert is_one_place(pair.other, pair.one, pair.told) is pair.one_place
