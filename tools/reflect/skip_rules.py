"""When is there anything to reflect on?

A greeting or a plain look-up is not worth a reflection (seed rules select:greeting and
select:lookup): the result says so in one line and no model is called. Everything else is, and so is
anything that comes with an outcome, an error, events or a lesson. In doubt: reflect.
"""

import re

GREETINGS = frozenset(
    """hi hello hey hallo hola bonjour ciao salut moin servus namaste
    thanks thank thx danke merci gracias grazie obrigado arigatou
    ok okay yes no yep nope sure great cool nice perfect bye goodbye
    你好 谢谢 こんにちは ありがとう 안녕하세요 привет спасибо สวัสดี ขอบคุณ مرحبا""".split()
)
"""First words of messages that greet, thank or agree, in the languages users are likely to type."""

FILLERS = frozenset(
    "you there all everyone again so much very good morning afternoon evening day and the for that "
    "it how are is going claude assistant please lot a to team".split()
)

# Not `\w`: the vowel signs of Thai and other scripts are marks, no word characters.
_WORD = re.compile(r"[^\s\d.,;:!?()\"'\u3001\u3002\uff01\uff0c\uff1f]+")
_LOOK_UP = re.compile(
    r"(?:who|what|when|where|which)(?:['\u2019]s|\s+(?:is|was|are|were|year|day))\b", re.IGNORECASE
)
_NEEDS_THOUGHT = re.compile(
    r"\d|\b(?:why|how|compare|explain|best|should|difference|cause|fix|error|wrong|fail\w*|bug|code)"
    r"\b",
    re.IGNORECASE,
)
LOOK_UP_WORDS = 12
LOOK_UP_ANSWER_WORDS = 40


def is_greeting(question: str) -> bool:
    """Whether a message only greets, thanks or agrees.

    >>> is_greeting("Hello there!"), is_greeting("Hello, why does this loop never end?")
    (True, False)
    """
    words = [word.casefold() for word in _WORD.findall(question[:200])]
    if not words or len(question) > 200 or words[0] not in GREETINGS:
        return False
    return all(word in GREETINGS or word in FILLERS for word in words)


def is_look_up(question: str, answer: str) -> bool:
    """Whether a question only looks one fact up, and the answer is as short as that.

    >>> is_look_up("What is the capital of France?", "Paris.")
    True
    >>> is_look_up("What is 15 x 12.99?", "195.00"), is_look_up("Why is the sky blue?", "Rayleigh.")
    (False, False)
    """
    asked = question.strip()
    return (
        _LOOK_UP.match(asked) is not None
        and _NEEDS_THOUGHT.search(asked) is None
        and len(asked[:500].split()) <= LOOK_UP_WORDS
        and len(answer[:2000].split()) <= LOOK_UP_ANSWER_WORDS
        and "\n" not in asked
    )
