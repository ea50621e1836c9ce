"""The parts of a result, each as one line of text that says all of its fields.

One function a part. A line begins with what the reader looks for and ends with what is only needed
to look further, such as ids and counts. What others wrote is a `StoredText`, which is a quotation
as soon as it stands in a line; never join such texts without `str`.
"""

from functools import singledispatch

from reflection_mcp.server.mcp.results import (
    AdviceView,
    AlsoSaidView,
    CandidateView,
    Finding,
    IssueView,
    LookAlikeView,
    NeighbourView,
    QuestionView,
    Result,
    SavedView,
    ScoreView,
    StepView,
    TriedView,
    UnresolvedView,
    UsageView,
    WithheldView,
)
from reflection_mcp.server.mcp.visitor import reading
from reflection_mcp.server.wording import counted, times
from reflection_mcp.store.person import another_than, client_of
from reflection_mcp.tools.untrusted import StoredText


@singledispatch
def line(part: Result) -> str:
    """The part as one line.

    Raises:
        TypeError: there is no line for this kind of part, which is a bug.
    """
    raise TypeError(f"no line for {type(part).__name__}")


@line.register
def _(part: ScoreView) -> str:
    said = part.basis if part.value is None else f"{part.value}, {part.basis}"
    return f"{said} ({part.source})" if part.source else said


@line.register
def _(part: Finding) -> str:
    hint = "hint: " if part.severity == "hint" else ""
    about = part.quote or part.stated
    quote = f"{about}: " if about else ""
    expected = f"expected {part.expected}" if part.expected else ""
    disputed = f"disputed: {part.disputed}" if part.disputed else ""
    return f"{hint}{quote}{_joined(part.why.rstrip('.'), expected, disputed)} [{part.id}]"


@line.register
def _(part: QuestionView) -> str:
    return f"{part.id}: {part.question}"


@line.register
def _(part: SavedView) -> str:
    met = "" if part.new else f", met {times(part.occurrences)}"
    mark = ", withheld: it looks like prompt injection" if part.marked else ""
    return f"{part.kind} {part.id}{met}{mark}"


def _usage(part: UsageView) -> tuple[str, ...]:
    return (
        f"{part.ms} ms" if part.ms else "",
        f"{part.input_tokens} tokens in" if part.input_tokens else "",
        f"{part.output_tokens} tokens out" if part.output_tokens else "",
        f"${part.cost_usd}" if part.cost_usd else "",
    )


@line.register
def _(part: TriedView) -> str:
    went = "answered" if part.ok else "failed"
    return f"{part.name} {went}: {_joined(part.reason, *_usage(part))}".rstrip(": ")


@line.register
def _(part: StepView) -> str:
    begins = f" (begins {part.begins})" if part.begins else ""
    found = counted(part.fault_count, "fault")
    faults = f"{found}: {'; '.join(part.faults)}" if part.faults else found
    scored = _joined(
        f"quality {part.quality}" if part.quality is not None else "",
        f"severity {part.severity}" if part.severity is not None else "",
        *_usage(part),
    )
    told = _joined(faults, *map(str, part.objections), scored, part.then)
    return f"attempt {part.attempt}{begins}: {told}"


@line.register
def _(part: CandidateView) -> str:
    steps = "; ".join(map(str, part.steps))
    marked = f", {part.mark}" if part.mark else ""
    return f"not confirmed: worked once after {steps} ({part.id}{marked}, {part.trust} text)"


@line.register
def _(part: AdviceView) -> str:
    words = " Next time: ".join(str(said) for said in (part.lesson, part.strategy) if said)
    evidence = f" Evidence: {part.evidence}." if part.evidence else ""
    origin = _joined(
        _told(part.source) if part.source else "",
        f"learned {part.learned:%Y-%m-%d}" if part.learned else "",
        f"last seen {part.last_seen:%Y-%m-%d}" if part.last_seen else "",
        f"tags {', '.join(map(str, part.tags))}" if part.tags else "",
        f"project {part.project}" if part.project else "",
        f"{part.trust} text",
    )
    marked = f", {part.mark}" if part.mark else ""
    return f"{part.id} ({part.track_record}{marked}): {words}{evidence} ({origin})"


@line.register
def _(part: AlsoSaidView) -> str:
    words = " Next time: ".join(str(said) for said in (part.lesson, part.strategy) if said)
    more = f" and {counted(part.sources - 1, 'other')}" if part.sources > 1 else ""
    said = f"{_told(part.source)}{more}, last said {part.said:%Y-%m-%d}"
    marked = f", {part.mark}" if part.mark else ""
    return f"{part.id} ({part.track_record}{marked}): {words} ({part.trust} text; {said})"


@line.register
def _(part: WithheldView) -> str:
    return f"{part.id}: {part.reason}"


@line.register
def _(part: LookAlikeView) -> str:
    differs = f"; it differs in {'; '.join(part.differences)}" if part.differences else ""
    return f"{part.id} {part.summary}{differs}"


@line.register
def _(part: NeighbourView) -> str:
    words = " Next time: ".join(str(said) for said in (part.lesson, part.strategy) if said)
    places = f"same failure in {part.there}, not in {part.here}"
    origin = f"{_told(part.source)}; last seen {part.last_seen:%Y-%m-%d}"
    marked = f", {part.mark}" if part.mark else ""
    told = f"{part.lesson_of}{marked}, {part.trust} text; {origin}"
    return f"{places}; there it was: {words} ({told})"


@line.register
def _(part: IssueView) -> str:
    others = f", and {part.others} like it" if part.others else ""
    return f"{part.text} ({times(part.times)}{others})"


@line.register
def _(part: UnresolvedView) -> str:
    met = f"met {times(part.times)}, last {part.last_seen:%Y-%m-%d}"
    return f"{part.summary} ({met}; {part.signature})"


def _told(source: str) -> str:
    """The client of a source, without its conversation, which no reader can use, and the person
    behind it, unless it is the one who reads."""
    whole = str.__str__(source)
    person = another_than(reading(), whole)
    from reflection_mcp.tools.learning.user_words import said_by_user  # advice only

    if said_by_user(whole):
        return f"said by {StoredText(person) if person else 'the user'}"
    by = f" by {StoredText(person)}" if person else ""
    return f"from {StoredText(client_of(whole))}{by}"


def _joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)
