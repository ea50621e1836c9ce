"""Whether a context may write a forename in another form: C. S. for Clive Staples, Robert for Bob.

Rules of this module: an initial or a shorter form counts only right before a word of the name that
the context holds; a familiar form, or that of another language, wherever it stands. Either leaves
a name unchecked and proves nothing: many a Robert is no Bob.
"""

import re
from collections.abc import Iterator, Sequence

from reflection_mcp.tools.judging.texts.names import Name
from reflection_mcp.tools.judging.texts.source import Source
from reflection_mcp.tools.judging.texts.wording import STOP

PLACES = 40
"""Places of a word at which the words before it are looked at."""
BEFORE, REACH = 4, 60
"""Words before it that may be forenames, and the characters in which they stand."""

FAMILIAR = (
    "alexander alex alec sandy sasha aleksandr alexandre alejandro",
    "andrew andy drew andrei andrey andreas",
    "anthony tony antonio anton",
    "benjamin ben benny",
    "catherine katherine kathryn kate katie kathy cathy ekaterina yekaterina catarina caterina",
    "charles charlie chuck karl carl carlos",
    "christopher chris kit",
    "daniel dan danny",
    "david dave davy",
    "dorothy dot dolly",
    "edward ed eddie ted ned eduard",
    "eleanor nell ellie nora",
    "elizabeth liz beth betty lizzie eliza libby elisabeth yelizaveta",
    "eugene gene evgeny yevgeny",
    "francis frank francois francesco",
    "frederick fred freddie fritz friedrich",
    "george georg jorge georgy giorgio",
    "gregory greg grigory",
    "helen nell elena yelena helena",
    "henry harry hank heinrich henri enrique",
    "isabella bella isabel",
    "jacob jake yakov",
    "james jim jimmy jamie",
    "jennifer jenny jen",
    "john jack johnny jon ivan johann johannes juan giovanni jean",
    "joseph joe joey josef iosif giuseppe jose",
    "lawrence larry laurence",
    "leonard len lenny",
    "leo lev leon",
    "louis lou lewis ludwig luigi luis",
    "margaret maggie meg peggy greta",
    "mary molly polly maria marie",
    "matthew matt",
    "michael mike mick mickey mikhail michel miguel mikael",
    "nicholas nick nicky nikolai nikolay nicolas klaus",
    "patrick pat paddy",
    "paul pavel pablo paolo",
    "peter pete pyotr piotr petr pierre pietro pedro",
    "philip phil philippe felipe",
    "rebecca becky",
    "richard rick dick richie ricky",
    "robert bob rob bobby robbie bert",
    "samuel sam sammy",
    "sergei sergey serge sergio",
    "stephen steven steve stefan",
    "susan sue susie susanna",
    "theodore ted teddy theo fyodor",
    "thomas tom tommy",
    "timothy tim",
    "victoria vicky",
    "victor viktor vittorio",
    "vladimir volodymyr wladimir",
    "walter walt wally",
    "william bill will billy liam willie guillaume wilhelm willem guillermo",
)
"""Forms of one forename, familiar and in other languages, in small plain letters."""
_FORMS: dict[str, frozenset[str]] = {}
for _group in map(str.split, FAMILIAR):
    for _one in _group:
        _FORMS[_one] = _FORMS.get(_one, frozenset()) | (frozenset(_group) - {_one})


def may_be_called(name: Name, missing: Sequence[str], source: Source) -> bool:
    """Tell whether each word that a source lacks of a name may be a forename that it writes
    otherwise."""
    return all(
        not source.words.isdisjoint(_FORMS.get(word, ())) or _stands_shorter(word, name, source)
        for word in missing
    )


def _stands_shorter(word: str, name: Name, source: Source) -> bool:
    """Tell whether an initial or another length of a forename stands before the rest of a name."""
    behind = name.words[name.words.index(word) + 1 :]
    family = next((one for one in behind if one in source.words), "")
    return bool(family) and any(
        (one == word[0] and _is_initial(one, source)) or (one not in STOP and _begins(one, word))
        for one in _before(family, source)
    )


def _begins(one: str, word: str) -> bool:
    """Tell whether either of two different words begins with the other."""
    return len(one) > 1 and one != word and (word.startswith(one) or one.startswith(word))


def _is_initial(letter: str, source: Source) -> bool:
    return bool(re.search(rf"(?<![\w'\u2019]){letter.upper()}(?:\.|[ -](?=[A-Z]))", source.text))


def _before(word: str, source: Source) -> Iterator[str]:
    """Yield the words that stand shortly before another, wherever it stands."""
    text, sought = source.joined, f" {word} "
    place = text.find(sought)
    for _ in range(PLACES):
        if place < 0:
            return
        yield from text[max(0, place - REACH) : place].split()[-BEFORE:]
        place = text.find(sought, place + 1)
