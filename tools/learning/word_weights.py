"""The weight of a word: how much it says about what a text is about.

Rules: a stop word counts nothing; an everyday word counts little, since it occurs in every other
text about programs; so does a word of trouble, since every lesson is about trouble; the name of a
technology says what a text is about and not what went wrong there, so that no such word alone makes
a match. Every other word counts fully. The words are in `word_weights.txt`.
"""

from functools import lru_cache

from reflection_mcp.tools.learning.words import stem

STOP = frozenset(
    """a about above after again all also always am an and another any anyone anything are as at be
    because been before being below best better between both but by can cannot could did do does
    doesn doing don done down each either else ever every everything few for from further get gets
    getting give given go goes going good got had has have having he her here him his how however i
    if in instead into is isn it its itself just let like ll lot made make makes making many may me
    might more most much must my myself need needed needs neither never no nobody nor not nothing
    now of off on once one only onto or other our out over own per please rather re really right
    same say see shall she should so some someone something still such take taken takes than that
    the their them themselves then there these they thing things this those though through thus to
    together too two under unless until up upon us use used useful uses using ve very via want wants
    was wasn way we well went were what when where whether which while who whole whom whose why will
    with within without won would yes yet you your yours
    although though despite during since ago among across along around behind beside beyond except
    toward towards via versus per off upon perhaps maybe quite rather almost already soon later
    yes yeah hi hello thanks thank ok okay
    fix fixed fixes help issue issues problem problems""".split()
)

EVERYDAY = frozenset(
    stem(word)
    for word in """able accept access action actual add address allow already answer app
    application apply argument around array available back base become begin behaviour block body
    box build bug button byte call case cause change character check child choose class clear client
    close code command compare complete contain content convert copy correct count create current
    data date day default define delete describe design detail difference different directory
    display document draw easy element empty end enough entry error event exact example exception
    exist expect explain explicit fail failure false fast field file find first follow form format
    found friend full function general generate group handle happen hold hour id idea image
    implement import improve include index information input inside item job keep key kind know
    language large last later learn leave left length less level library line link list little load
    local long look main manage map match mean message method minute missing mode model modify
    module move multiple name new newer next node normal number object old open operation option
    order original output outside package page parameter part pass path people piece place plan play
    point position possible prefer present press print process produce program project property
    provide put query quick range read ready real receive record remove repeat replace report
    request require resource response result return reuse row rule run running safe sample save
    screen search section seem select send sequence server service set several share short show side
    simple single site size small source special specific stack standard start state statement step
    stop store string structure style suggest support switch symbol system table tell test text
    three time title tool top true try turn type understand unit update user valid value variable
    version view wait website without word work world write wrong year add-on best-practice app
    everything people person second third half hundred thousand
    software computer machine feature task question
    api browser mail email script shell web container column branch commit database db""".split()
)

TROUBLE = frozenset(
    stem(word)
    for word in """appear bad block break broke broken correct crash deploy die disappear drop
    duplicate empty ignore incorrect kill killed lose lost refuse reject reached skip slow stuck
    twice vanish gone build executed ran sent saved written counted started ended looks huge big
    private public""".split()
)

TOPICS = frozenset(
    stem(word)
    for word in """airflow alembic android angular ansible apt asyncio aws azure bash cargo celery
    chrome cmake conda cpp csharp css csv dart database dataframe db debian django
    dns docker dotnet ec2 eclipse elastic elasticsearch emacs eslint excel express
    fastapi firebase firefox flask flutter gcc gcp git github gitlab go golang gpu
    gradle graphql grpc hadoop haskell helm hibernate html http https intellij ios
    java javascript jenkins jest jira jquery js json jupyter jvm kafka keras kotlin
    kubectl kubernetes lambda laravel latex linux llm lua mac macos make makefile
    markdown maven ml mongo mongodb mypy mysql nextjs nginx node nodejs npm numpy
    openai openssl oracle pandas pdf perl php pip poetry postgres postgresql
    powershell prettier prometheus pydantic pytest python pytorch r rabbitmq rails
    react redis redux regex rest ruby rust s3 sap scala scikit selenium slack spark
    spring sql sqlalchemy sqlite ssh svelte swift systemd tensorflow terraform toml
    ts typescript ubuntu unity unix uv vim vite vscode vue webpack websocket windows
    wordpress xcode xml yaml dictionary""".split()
)

_FAINT = EVERYDAY | TROUBLE

SILENT, FAINT, NAMING, FULL, NUMBERED = 0.0, 0.5, 0.9, 1.0, 1.5
CODE = 3  # digits from which a word is the number of an error or the like: 413, e0599, cp1252


@lru_cache(maxsize=16_384)
def weight(word: str) -> float:
    """Return the weight of a lower-case word or its stem: 0 for a stop word, 1 for most, more for a
    code."""
    if word in STOP or len(word) < 2:
        return SILENT
    if sum(map(str.isdigit, word)) >= CODE:
        return NUMBERED
    root = stem(word)
    if root in TOPICS or word in TOPICS:
        return NAMING
    return FAINT if root in _FAINT or word in _FAINT else FULL
