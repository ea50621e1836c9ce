"""Text as a terminal would show it: without escape sequences, with one kind of quote and of space.

Rule of this module: what is removed here carries no meaning on any terminal.
"""

import html

from reflection_mcp.tools.identity.regex import compiled

_ESCAPES = (
    r"(?:\x1b|\^\[|\\u001b|\\x1b|\\033|\\e)\[[0-9;?]{0,20}[ -/]?[@-~]"
    r"|\x1b\][^\x07\x1b]{0,300}(?:\x07|\x1b\\)|\x1b[@-Z\\-_]"
)
_COLOURS = r"\[(?:\d{1,3};){0,4}\d{1,3}m"
_INVISIBLE = "[\u200b-\u200f\u2060\ufeff\u00ad\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]"
_ENTITY = r"&(?:quot|lt|gt|amp|apos|nbsp|#\d{1,5}|#x[0-9a-fA-F]{1,5});"
_SAME = str.maketrans(
    {
        "\u2018": "'",
        "\u2019": "'",
        "\u201c": '"',
        "\u201d": '"',
        "\u00b4": "'",
        "\u00ab": '"',
        "\u00bb": '"',
        "\u00a0": " ",
        "\u3000": " ",
        **dict.fromkeys("\u2502\u2503\u2577\u2575\u254e\u2506\u250a\u257f", "|"),
        **dict.fromkeys("\u2500\u2501\u2550\u23af", "-"),
        **dict.fromkeys(
            "\u256d\u256e\u2570\u256f\u250c\u2510\u2514\u2518\u251c\u2524\u2554\u2557\u255a\u255d\u2561\u255e",
            "+",
        ),
        "\u2026": "...",
        "\u2013": "-",
        "\u2014": "-",
        "\uff1a": ": ",
        "\uff0c": ", ",
        "\u3002": ". ",
    }
)


def shown(text: str) -> str:
    """The text without escape sequences and invisible characters, one quote, one line end."""
    if "[" in text:
        if "\x1b" in text or "^[" in text or "\\u001b" in text or "\\x1b" in text:
            text = compiled(_ESCAPES).sub("", text)
        if "m" in text and ("0m" in text or "[3" in text or "[9" in text):
            text = compiled(_COLOURS).sub("", text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "&" in text and compiled(_ENTITY).search(text):
        text = html.unescape(text)
    if not text.isprintable() or not text.isascii():
        text = compiled(_INVISIBLE).sub("", text)
        if not text.isascii():
            text = text.translate(_SAME)
    if "\t" in text:
        text = text.replace("\t", "    ")
    return text.replace("`", "'")
