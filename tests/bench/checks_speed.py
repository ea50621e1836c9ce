"""What checking an answer costs: `python -m tests.bench.checks_speed [--rounds 3] [--number 40]`.

Cases are made from a seed: an answer of 300 words that rests on a context of 2,000, of four kinds
(plain prose, dense with figures and names, worked arithmetic, a mix with lists and code); then
answers of 100 kB, and hostile strings of 100 kB, each as question, as answer and as context. Times
are CPU time of this process, the best of some rounds for each case. What families share is charged
to the first that asks for it.

`--large` and `--hostile` measure only these; without either everything is measured.
"""

import argparse
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module

from reflection_mcp.tools.judging import FAMILIES, check_answer
from reflection_mcp.tools.judging.case import Case
from tests.hostile import CHECKED, repeated

ANSWER_WORDS, CONTEXT_WORDS, LARGE = 300, 2_000, 100_000
MONTHS = ("January", "March", "April", "June", "July", "September", "October", "December")
FIRST = ("Ann", "Olof", "Maria", "John", "Keiko", "Pedro", "Lena", "Samuel", "Ines", "Tariq")
LAST = ("Lindqvist", "Moreau", "Okafor", "Tanaka", "Costa", "Weber", "Hughes", "Novak", "Silva")
TOWNS = ("Varberg", "Halifax", "Lyon", "Nagoya", "Porto", "Leeds", "Graz", "Tampere", "Cork")
THINGS = ("bridge", "museum", "harbour", "library", "station", "dam", "school", "factory", "park")
UNITS = ("metres", "visitors a year", "tonnes", "kilometres", "square metres", "employees", "beds")
FACTS = (
    "The {thing} of {town} was opened on {day} {month} {year} by {first} {last}.",
    "It cost ${money:,} and is {count} {unit} in size.",
    "In {year}, {first} {last} moved from {town} to {town2}, where the {thing} stood.",
    "About {share}% of the {count:,} {unit} were counted in {year}.",
    "{last} said that the work in {town} took {small} years and {money:,} hours.",
)
PLAIN = (
    "The people of the region have long been known for the care with which they keep the place.",
    "Many of those who came later found that little had changed since the first years.",
    "It is often said that nothing of the kind had been built there before.",
    "A second part was added when it turned out that there was not enough room for everyone.",
    "As {first} {last} wrote, the {thing} was the pride of {town}.",
    "However, the committee decided to wait, because the cost was higher than expected.",
)
STEPS = (
    "{first} buys {small} boxes of {two} pens, so there are {small} * {two} = {product} pens.",
    "The total is ${money:,} + ${count:,} = ${sum:,}.",
    "Therefore {share}% of {count} is {part:.2f}.",
    "Subtracting, {count} - {small} = {rest}, which leaves {rest} for the {thing}.",
    "If x + {small} = {two}, then x = {least}.",
)
LIST = (
    "- **{town}:** {count:,} {unit}, see [{small}]",
    "{small}. `{thing}_{small}` holds {count} items",
    "```python\ndef {thing}(n):\n    return n * {small} + {count}\n```",
    '```json\n{{"name": "{last}", "year": {year}}}\n```',
    "| {town} | {count} | {share}% |",
)
# One number in 20 words, as in pages of an encyclopedia.
PAGE = (*PLAIN, *PLAIN, *FACTS)
KINDS: Mapping[str, tuple[str, ...]] = {
    "prose": (*PLAIN, *PLAIN, *FACTS[:2]),
    "figures": FACTS,
    "worked": STEPS,
    "mixed": (*PLAIN, *FACTS, *STEPS, *LIST, *LIST),
}
QUESTION = "When was the {thing} of {town} opened, who opened it, and how many {unit} does it have?"
LARGE_KINDS: Mapping[str, tuple[str, ...]] = {
    **KINDS,
    "claims": (
        "{first} {last} was born in {year} in {town}. ",
        "{small} km is {count} m. {share}% of {count} = {part}. ",
        "In {year} {town} had {count:,} people, {small} more than {town2}.",
    ),
    "numbers": (
        "{count} {money} {small}.{two} {year}",
        "{money:,} {count}, {share}% {small}/{two}",
    ),
}
Made = tuple[str, str, str]
"""Question, answer, context."""


def _filled(template: str, chance: random.Random) -> str:
    small, two = chance.randint(2, 40), chance.randint(2, 60)
    money, count, share = (
        chance.randint(100, 90_000),
        chance.randint(41, 9_000),
        chance.randint(1, 99),
    )
    return template.format(
        thing=chance.choice(THINGS), town=chance.choice(TOWNS), town2=chance.choice(TOWNS),
        day=chance.randint(1, 28), month=chance.choice(MONTHS), year=chance.randint(1700, 2024),
        first=chance.choice(FIRST), last=chance.choice(LAST), unit=chance.choice(UNITS),
        small=small, two=two, money=money, count=count, share=share, product=small * two,
        sum=money + count, part=share * count / 100, rest=count - small, least=two - small,
    )  # fmt: skip


def written(templates: Sequence[str], chance: random.Random, words: int) -> str:
    """Sentences from templates until there are so many words."""
    sentences: list[str] = []
    while words > 0:
        sentences.append(_filled(chance.choice(templates), chance))
        words -= len(sentences[-1].split())
    separator = "\n" if templates in (KINDS["worked"], KINDS["mixed"]) else " "
    return separator.join(sentences)


def usual(kind: str, number: int, seed: int) -> Iterator[Made]:
    """Answers of one kind, half of whose sentences come from their context."""
    chance = random.Random(f"{seed}/{kind}")
    for _ in range(number):
        context = written(FACTS if kind == "figures" else PAGE, chance, CONTEXT_WORDS)
        taken = chance.sample(context.split(". "), 12)
        own = written(KINDS[kind], chance, ANSWER_WORDS - len(" ".join(taken).split()))
        answer = own if kind == "worked" else f"{'. '.join(taken)}. {own}"
        yield _filled(QUESTION, chance), answer, context


def large(kind: str, seed: int) -> Made:
    """An answer of 100 kB with a context of 2,000 words."""
    chance = random.Random(f"{seed}/large/{kind}")
    context = written(PAGE, chance, CONTEXT_WORDS)
    answer = ""
    while len(answer) < LARGE:
        answer += written(LARGE_KINDS[kind], chance, 2_000) + "\n"
    return _filled(QUESTION, chance), answer[:LARGE], context


def hostile(unit: str) -> Iterator[tuple[str, Made]]:
    """A string in each of the places where text comes in."""
    text = repeated(unit, LARGE)
    answer, context = (
        "In 1932, 3 + 4 = 7 and 5 km are 5,000 m. Ann Lee came.",
        "It was 12 May 1932.",
    )
    yield "question", (text, answer, context)
    yield "answer", ("How many are there?", text, context)
    yield "context", ("How many are there?", answer, text)
    yield "all", (text, text, text)


def milliseconds(work: Callable[[], object], rounds: int) -> float:
    """CPU time of the best of some rounds."""
    times: list[int] = []
    for _ in range(rounds):
        begin = time.process_time_ns()
        work()
        times.append(time.process_time_ns() - begin)
    return min(times) / 1e6


def shares(made: Made, rounds: int) -> dict[str, float]:
    """Milliseconds of each family, what they share charged to the first that asks for it."""
    best: dict[str, float] = {}
    for _ in range(rounds):
        case = Case(*made)
        for family, place in FAMILIES.items():
            module = import_module(f"reflection_mcp.tools.judging.{place}")
            begin = time.process_time_ns()
            list(module.check(case))
            spent = (time.process_time_ns() - begin) / 1e6
            best[family] = min(spent, best.get(family, spent))
    return best


def _checked(made: Made) -> Callable[[], object]:
    return lambda: check_answer(*made)


def _line(name: str, times: Sequence[float]) -> str:
    ordered = sorted(times)
    return (
        f"{name:10s} n {len(ordered):4d}  p50 {statistics.median(ordered):8.2f}  "
        f"p95 {ordered[int(0.95 * len(ordered))]:8.2f}  max {ordered[-1]:8.2f} ms"
    )


def report_usual(number: int, rounds: int, seed: int) -> None:
    """300 words that rest on 2,000: each kind, all of them, and the share of each family."""
    every: list[float] = []
    by_family: dict[str, list[float]] = defaultdict(list)
    for kind in KINDS:
        made = list(usual(kind, number, seed))
        check_answer(*made[0])  # imports and compiles
        times = [milliseconds(_checked(one), rounds) for one in made]
        print(_line(kind, times))
        every += times
        for one in made:
            for family, spent in shares(one, rounds).items():
                by_family[family].append(spent)
    print(_line("all", every))
    for family, each in sorted(by_family.items(), key=lambda item: -statistics.mean(item[1])):
        print(
            f"  {family:16s} mean {statistics.mean(each):6.3f}  "
            f"p50 {statistics.median(each):6.3f}  max {max(each):7.3f} ms"
        )


def report_large(rounds: int, seed: int) -> None:
    """100 kB of each kind, with the three dearest families."""
    for kind in LARGE_KINDS:
        made = large(kind, seed)
        spent = shares(made, rounds)
        dearest = sorted(spent, key=lambda family: -spent[family])[:3]
        print(
            f"100 kB {kind:10s} {milliseconds(_checked(made), rounds):8.2f} ms  "
            + "  ".join(f"{family} {spent[family]:.1f}" for family in dearest)
        )


def report_hostile() -> None:
    """Hostile strings in each place: how many, and the five that cost most."""
    times: list[tuple[float, str, str]] = []
    for unit in CHECKED:
        for place, made in hostile(unit):
            times.append((milliseconds(_checked(made), 1), place, unit))
    print(f"hostile    n {len(times)} ({len(CHECKED)} strings of 100 kB)")
    for spent, place, unit in sorted(times, reverse=True)[:5]:
        print(f"  {spent:8.2f} ms as {place}: {unit!r}")


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--number", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--hostile", action="store_true")
    asked = parser.parse_args()
    if not (asked.large or asked.hostile):
        report_usual(asked.number, asked.rounds, asked.seed)
    if asked.large or not asked.hostile:
        report_large(asked.rounds, asked.seed)
    if asked.hostile or not asked.large:
        report_hostile()


if __name__ == "__main__":
    main()
