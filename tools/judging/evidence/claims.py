"""The sentences of an answer that may claim something of a run, and what they claim.

Rule of this module: a question, a quotation, a box to be ticked and a list of what is to be done
claim nothing, in whatever language.
"""

import re
from collections.abc import Iterator

from reflection_mcp.tools.judging.case import Case, Piece
from reflection_mcp.tools.judging.evidence import english_claims, foreign_claims
from reflection_mcp.tools.judging.evidence.claim import Claim
from reflection_mcp.tools.judging.evidence.lexicon import lexicon, words

LONGEST = 600
"""Characters of a sentence that are read; nobody claims in longer ones."""
SENTENCE, CHARACTER = 60, 2
"""Work to read a sentence, and a character of it."""
_ITEM = re.compile(r"\s{0,12}(?:[-*+]|\d{1,3}[.)])\s")


def claims_of(case: Case) -> Iterator[Claim]:
    """Yield what the prose of the answer claims."""
    listed = False
    for sentence in case.budget.afford(case.sentences, _cost):
        line_start = case.prose.rfind("\n", 0, sentence.start) + 1
        line = case.prose[line_start : sentence.end]
        if not _ITEM.match(line):
            listed = line.rstrip("* _").endswith(":") and lexicon("void", "above").anywhere(
                words(line)
            )
        elif listed or "[ ]" in line[:12]:
            continue
        is_claim = not line.lstrip().startswith(">") and sentence.text[-1] not in "?\uff1f"
        if is_claim and len(sentence.text) <= LONGEST:
            yield from english_claims.of_sentence(sentence)
            yield from foreign_claims.of_sentence(sentence)


def _cost(sentence: Piece) -> int:
    return SENTENCE + CHARACTER * min(len(sentence.text), LONGEST)
