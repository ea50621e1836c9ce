"""Closed kinds of things, of which somebody or something is one and not another.

Rules of this module: a table and nothing else. Each word has all words beside it that may stand for
it or lead to it, by their beginnings: it is better to name too many. What has another meaning as
well (to bear, to train, an orange jacket) is in no kind.
"""

from typing import NamedTuple


class Kind(NamedTuple):
    """A closed kind of things.

    `words` maps each word an answer may use to the beginnings of words that let a source hold it.
    What is written with a capital in them is looked for with one.
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
            found[word] = (*words.lower().split(), *beginnings.split())
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
        "animal",
        _rows(
            """
            dog: dog pupp hound terrier spaniel canine
            cat: cat kitten feline
            horse: horse pony mare stallion equine
            cow: cow cattle bull calf calves dairy beef ox
            sheep: sheep lamb ewe ram wool
            goat: goat
            donkey: donkey mule ass
            camel: camel dromedar
            elephant: elephant
            lion: lion
            tiger: tiger
            wolf: wolf wolves
            rabbit: rabbit hare bunn
        """.replace("\n                ", " ")
        ),
        "The farm keeps goats for their milk.",
        "The farm keeps donkeys.",
        "The farm keeps a goat.",
    ),
    Kind(
        "fruit",
        _rows("""
            apple: apple cider
            pear: pear
            plum: plum prune zwetschg
            cherry cherries: cherr
            apricot: apricot
            lemon: lemon citrus
            banana: banana plantain
            strawberry strawberries: strawberr berr
            raspberry raspberries: raspberr berr
            blueberry blueberries: blueberr bilberr berr
            grape: grape wine vine raisin
            pineapple: pineapple ananas
            mango mangoes: mango
        """),
        "Cover the dough with plums.",
        "Cover the dough with apricots.",
        "Cover the dough with prunes.",
    ),
    Kind(
        "vehicle",
        _rows("""
            tram: tram streetcar light
            bus buses: bus coach
            ferry: ferr boat ship vessel
            bicycle bike: bicy bike cycl
            motorcycle motorbike: motor bike
            helicopter: helicopter chopper rotor
            airplane aeroplane: plane airplane aeroplane aircraft air jet fl
            truck lorry: truck lorr
        """),
        "The ferry from Piraeus takes five hours.",
        "The helicopter takes five hours.",
        "The ferries take five hours.",
    ),
    Kind(
        "disaster",
        _rows("""
            wildfire: wildfire fire blaze burn flame
            flood: flood inundat
            earthquake: earthquake quake seism tremor
            hurricane typhoon cyclone: hurricane typhoon cyclon storm
            tornado: tornado twister storm
            avalanche: avalanche snow
            landslide: landslide mudslide slide
            drought: drought dry
            tsunami: tsunami wave
        """),
        "The earthquake destroyed the bridge.",
        "The flood destroyed the bridge.",
        "The quake, an earthquake of magnitude six, destroyed it.",
    ),
    Kind(
        "injury",
        _rows("""
            knee: knee cruciate acl meniscus patella
            ankle: ankle achilles
            elbow: elbow
            wrist: wrist hand
            hamstring: hamstring thigh
        """),
        "She left the field with a knee injury.",
        "She left the field with an ankle injury.",
        "She had torn a cruciate ligament of her knee.",
    ),
    Kind(
        "party",
        _rows("""
            Democrat: democrat
            Republican: republic gop
        """),
        "A Democrat from Texas, he served in the Senate.",
        "He was a Republican.",
        "He was a Democratic senator.",
    ),
    Kind(
        "faith",
        _rows("""
            Catholic: cathol pope papal vatican christian jesuit
            Protestant: protest christian lutheran calvin reformed anglican method baptist presbyter
            Jewish: jew judai hebrew israel synagog
            Muslim: muslim islam mosque sunni shia quran koran
            Hindu: hindu brahmin temple
            Buddhist: buddh zen temple
            Methodist: method protestant christian
            Baptist: baptis protestant christian
            Lutheran: luther protestant christian
            Anglican: anglican episcop england protestant christian
        """),
        "She was raised in a Lutheran family.",
        "She was raised as a Buddhist.",
        "She was raised as a Protestant.",
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
