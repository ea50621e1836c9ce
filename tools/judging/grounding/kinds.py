"""Whether an answer says another one of a kind than the context does: a lawyer for a psychiatrist.

Rules of this module: only words of small closed kinds are looked at, each with all words that may
stand for it or lead to it. One is wrong where the source holds none of these, and names another of
the same kind instead; where it names none of the kind, what is absent may just be known.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.finding import at
from reflection_mcp.tools.judging.texts.wording import letters

KIND = "grounding:kind"
CLAIMS = 200
"""Findings on one answer."""


class Kind(NamedTuple):
    """A closed kind of things.

    `words` maps each word an answer may use to the beginnings of words that let a source hold it.
    `example` is an answer that is wrong by `context`, `counter_example` one that is not.
    """

    name: str
    words: dict[str, tuple[str, ...]]
    context: str
    example: str
    counter_example: str


def _rows(rows: str) -> dict[str, tuple[str, ...]]:
    """Read rows of "word other-word: beginning beginning"; a word is its own beginning as well."""
    found: dict[str, tuple[str, ...]] = {}
    for row in rows.strip().splitlines():
        words, _, beginnings = row.partition(":")
        for word in words.split():
            found[word] = (*words.split(), *beginnings.split())
    return found


KINDS = (
    Kind(
        "occupation",
        _rows(
            """
            lawyer attorney barrister solicitor: law legal jurist advocate counsel court judge
            judge: justice court judicial jurist magistrate law
            psychiatrist psychologist: psych therap
            physician surgeon: doctor medic hospital surg clinic physic
            dentist: dent orthodont
            nurse: nurs midwi hospital
            musician: music singer sing song band vocal guitar drum pian bass violin
                compos rapp album
            singer vocalist: sing sang sung vocal song music rapp band album record
            guitarist: guitar music band instrument
            drummer: drum percuss music band instrument
            pianist: pian keyboard music organ instrument
            composer: compos music score song symphon opera
            rapper: rap hip music
            painter: paint art canvas portrait
            sculptor: sculpt statue art
            photographer: photo camera
            architect: architect design building
            engineer: engineer
            chemist: chemi
            physicist: physic
            mathematician: math statistic
            biologist: biolog botan zoolog natural
            economist: econom
            historian: histor
            philosopher: philosoph
            journalist reporter: journal report newspaper correspond editor column press
                writ broadcast
            novelist: novel writ author fiction book
            poet: poe verse writ
            playwright dramatist: play dram theat writ stage
            actor actress: act film movie play star role television tv stage theat cast perform
            comedian: comed comic humor humour stand
            dancer: danc ballet choreograph
            wrestler: wrestl grappl ufc martial
            boxer: box heavyweight fight
            swimmer: swim swam
            golfer: golf
            cyclist: cycl bicy bike
            footballer: football soccer midfield striker defender goalkeep winger player
            politician: politic senat congress govern minist mayor president parliament party elect
                republican democrat mp
            soldier: soldier army militar war officer general sergeant
            priest: priest church catholic clerg bishop reverend
            chef: chef cook restaurant cuisine
            pilot: pilot fly flew flight air aviat
            astronaut: astronaut cosmonaut space nasa
            farmer: farm agricult
            teacher: teach taught school educat instruct professor tutor
            coach: coach manage train
        """.replace("\n                ", " ")
        ),
        "Park Dietz is a forensic psychiatrist.",
        "Park Dietz was a lawyer.",
        "Park Dietz is a psychologist.",
    ),
    Kind(
        "sport",
        _rows("""
            football: foot soccer fifa nfl uefa
            soccer: foot fifa uefa
            basketball: basketball nba wnba hoops
            baseball: baseball mlb pitcher inning
            tennis: tennis wimbledon atp wta
            golf: golf pga
            rugby: rugby
            cricket: cricket wicket odi
            hockey: hockey nhl
            volleyball: volley
            handball: handball
            badminton: badminton
            boxing: box heavyweight
            wrestling: wrestl wwe grappl
            swimming: swim swam aquatic
            skiing: ski slalom
        """),
        "She plays basketball in Lyon.",
        "She plays volleyball.",
        "She plays in the NBA of women's basketball.",
    ),
    Kind(
        "position",
        _rows("""
            goalkeeper goalie: goal keeper
            defender: defen back centre-back fullback
            midfielder: midfield
            striker: strik forward attack
            pitcher: pitch
            quarterback: quarterback qb
        """),
        "He plays as an attacking midfielder.",
        "He is a goalkeeper.",
        "He is a midfielder.",
    ),
    Kind(
        "instrument",
        _rows("""
            guitar: guitar
            violin: violin fiddl strings
            cello: cell strings
            piano: pian keyboard grand upright
            drums: drum percuss
            trumpet: trumpet brass cornet
            saxophone: sax
            flute: flut woodwind
            harp: harp
            trombone: trombon brass
            clarinet: clarinet woodwind
            accordion: accordion
        """),
        "She studied the cello in Riga.",
        "She studied the trumpet.",
        "She studied the cello with a cellist.",
    ),
    Kind(
        "direction",
        _rows("""
            north northern: north arctic upper
            south southern: south antarctic lower
            east eastern: east orient
            west western: west occident
        """),
        "It is a city in the northern region.",
        "It is a city in the southern region.",
        "It lies in the north.",
    ),
    Kind(
        "landscape",
        _rows("""
            desert: desert arid sahara dune
            rainforest jungle: rain jungl tropic forest
            swamp marsh: swamp marsh wetland bog fen
            tundra: tundra arctic
            savanna savannah: savann grass
            prairie steppe: prairie stepp grass plain
            woodland: wood forest tree
        """),
        "The genus is native to swamps.",
        "It grows in the desert.",
        "It grows in marshes.",
    ),
    Kind(
        "life",
        _rows(
            """
            insect: insect beetle moth butterfl bee ant wasp fly flies bug
                mosquito cricket aphid larva
            bird: bird avian owl eagle duck finch parrot gull hawk penguin crow songbird
            fish: fish shark salmon trout tuna perch carp eel ray
            mammal: mammal whale bat rodent primate cat dog deer marsupial dolphin ape monkey bear
            reptile: reptil snake lizard turtle tortoise crocod gecko dinosaur
            plant: plant flower tree shrub herb vine perennial grass fern moss orchid cactus botan
                bloom weed crop seed leaf leaves legume
            fungus mushroom: fung mushroom yeast mold mould
        """.replace("\n                ", " ")
        ),
        "Both are genera of flowering plants.",
        "Both are insect species.",
        "Both are herbs.",
    ),
    Kind(
        "forces",
        _rows("""
            army: army armies militar soldier infantr troop
            navy: nav ship fleet admiral
            marines: marin
        """),
        "He served in the Navy.",
        "He served in the army.",
        "He served on a ship of the fleet.",
    ),
)
_KIND_OF = {word: kind for kind in KINDS for word in kind.words}
_FORMS = {form: word for word in _KIND_OF for form in (f"{word}s", word)}
_WORD = re.compile(r"(?<![\w-])[a-z]{4,}(?![\w-])")


# Said of two by name: "his wife", "the uncle of Anna"; not "sister ship".
_KINSHIP = (
    r"(?P<kin>mother|father|brother|sister|son|daughter|wife|husband|uncle|aunt|nephew|niece|cousin|"
    r"grandson|granddaughter|grandfather|grandmother)"
)
_RELATED = re.compile(
    rf"(?:\b(?:his|her)|\w['\u2019]s?) (?:[a-z]{{1,12}} )?{_KINSHIP}\b(?! [a-z]{{3,}}ship)"
)
_FAMILY = """mother father brother sister son sons daughter wife husband uncle aunt nephew niece
    cousin grand parent child married marri divorc widow spouse sibling twin famil born heir niece
    kin relat bride half-brother step dynast descend couple engaged partner baby pregnan mom dad
    mum""".split()


def check(case: Case) -> Iterator[Check]:
    """Yield a finding for each word of a closed kind of which the context holds another."""
    yield from islice(_kinds(case), CLAIMS)
    related = _RELATED.search(case.prose)
    if related and not case.source.begins_any(_FAMILY):
        why = "The context tells of no kinship."
        yield at(case, *related.span("kin"), KIND, "wrong", why, stated=related["kin"])


def _kinds(case: Case) -> Iterator[Check]:
    held: dict[str, str] = {}
    if _FORMS.keys().isdisjoint(letters(case.prose)):
        return
    for found in _WORD.finditer(case.prose):
        word = _FORMS.get(found[0], "")
        kind = _KIND_OF.get(word)
        if kind is None or case.source.begins_any(kind.words[word]):
            continue
        if kind.name not in held:
            held[kind.name] = _other(case, kind)
        if other := held[kind.name]:
            why = f"The context does not say {word!r} but {other!r}."
            yield at(case, *found.span(), KIND, "wrong", why, stated=word, expected=other)


def _other(case: Case, kind: Kind) -> str:
    """Return a word of the kind that the context holds."""
    return next((word for word in kind.words if case.source.has_noun(word)), "")
