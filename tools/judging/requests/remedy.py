"""What to do so that an answer has the form that was asked for.

Rule of this module: a remedy is an order that can be obeyed as it stands; whoever follows it does
what the question asks, and nothing more.
"""

from reflection_mcp.tools.judging.requests.demands import Demand, What

_PLAIN: dict[What, str] = {
    "json": "answer in JSON",
    "title": "add a title as <<title>>",
    "postscript": "add a postscript (P.S.)",
    "quotation": "put the whole answer in double quotation marks",
    "no commas": "use no commas",
    "upper case": "write it in capital letters only",
    "lower case": "write it in small letters only",
    "two responses": "give two answers with ****** between them",
}
_NAMED: dict[What, str] = {
    "start": "begin with",
    "end": "end with",
    "options": "answer with one of",
    "keyword": "use",
    "forbidden": "leave out",
    "letter": "use",
}
_UNITS: dict[What, str] = {
    "bullets": "bullet points",
    "placeholders": "placeholders in square brackets",
    "highlights": "highlighted sections",
    "capital words": "words in capitals",
}
_ONE = {"bullet points": "bullet point", "placeholders in square brackets": "placeholder in square "
        "brackets", "highlighted sections": "highlighted section",
        "words in capitals": "word in capitals"}  # fmt: skip


def remedy(demand: Demand) -> str:
    """Return what meets the demand, as an order: "write exactly 1 sentence"."""
    if demand.what in _PLAIN:
        return _PLAIN[demand.what]
    if demand.what == "language":
        return f"write it in {demand.texts[0].capitalize()}"
    if demand.what not in _NAMED:
        return f"write {_figure(demand)} {_unit(demand)}"
    joined = " or ".join if demand.either or demand.what == "options" else " and ".join
    order = f"{_NAMED[demand.what]} {joined(repr(text) for text in demand.texts)}"
    often = demand.least is not None or demand.most is not None
    return f"{order} {_figure(demand)} {'time' if _single(demand) else 'times'}" if often else order


def _figure(demand: Demand) -> str:
    least, most = demand.least, demand.most
    if most is None:
        return f"at least {least}"
    if least is None:
        return f"at most {most}"
    if least != most:
        return f"{least} to {most}"
    return f"about {least}" if demand.loose else f"exactly {least}"


def _single(demand: Demand) -> bool:
    return 1 in (demand.least, demand.most) and demand.least in (1, None, demand.most)


def _unit(demand: Demand) -> str:
    unit = _UNITS.get(demand.what, demand.what)
    return _ONE.get(unit, unit[:-1]) if _single(demand) else unit
