"""Every row of every rule table proves itself: by an example, and by something it must leave."""

from collections.abc import Callable

import pytest

from reflection_mcp.tools.identity.cleaning import (
    encodings,
    heads,
    joins,
    log_records,
    majorities,
    narration,
    prefixes,
    remote_calls,
)
from reflection_mcp.tools.identity.cleaning.findings import ANNOTATIONS, FINDINGS
from reflection_mcp.tools.identity.cleaning.listings import LISTINGS
from reflection_mcp.tools.identity.comparing import differences
from reflection_mcp.tools.identity.masking.kept_numbers import KEPT, KeptNumber
from reflection_mcp.tools.identity.masking.masks import RULES, masked
from reflection_mcp.tools.identity.ports import ROUND_PORTS, WELL_KNOWN_PORTS
from reflection_mcp.tools.identity.rule import ANY_DIGIT, Rule, Rules, Shape, any_of, compiled
from reflection_mcp.tools.identity.tokens import tokens
from reflection_mcp.tools.identity.verdicts import (
    asides,
    endings,
    gists,
    noise,
    runners,
    symptoms,
    trailers,
    warnings,
    wrappers,
)
from reflection_mcp.tools.identity.verdicts.frame_forms import FORMS, Form
from reflection_mcp.tools.identity.verdicts.made_names import MADE_BY_COMPILER


def _name(row: Rule | Shape | symptoms.Symptom | differences.Kind | KeptNumber) -> str:
    return row.name


ALL_RULES = (
    *RULES,
    *ANNOTATIONS,
    *FINDINGS,
    *LISTINGS,
    *remote_calls.CLIENTS,
    *MADE_BY_COMPILER.rows,
)


def test_a_rule_turns_its_example_into_what_it_says() -> None:
    made = {rule.name: Rules((rule,)).apply(rule.example) for rule in ALL_RULES}
    assert made == {rule.name: rule.becomes for rule in ALL_RULES}
    assert [rule.name for rule in ALL_RULES if rule.example == rule.becomes] == [
        "port after a host"
    ]


def test_a_rule_changes_neither_its_counter_example_nor_what_became_of_its_example() -> None:
    left = [text for rule in ALL_RULES for text in (rule.keeps, rule.becomes)]
    assert [
        compiled(rule.pattern).sub(rule.replacement, text)
        for rule in ALL_RULES
        for text in (rule.keeps, rule.becomes)
    ] == left


def test_names_of_rules_are_unique() -> None:
    names = [rule.name for rule in ALL_RULES]
    assert len(names) == len(set(names))


def test_what_a_rule_needs_is_written_casefolded() -> None:
    assert [
        rule.name for rule in RULES if rule.needs not in ("", ANY_DIGIT, rule.needs.casefold())
    ] == []


def test_a_rule_is_skipped_when_the_text_lacks_what_it_needs() -> None:
    rule = Rule("x", "needed|wanted", "a", "b", "", "", "")
    assert Rules((rule,)).apply("a") == "a"
    assert Rules((rule,)).apply("a wanted") == "b wbnted"
    assert Rules((rule._replace(needs=ANY_DIGIT),)).apply("a") == "a"
    assert Rules((rule._replace(needs=ANY_DIGIT),)).apply("a 1") == "b 1"
    assert Rules((rule._replace(needs=""),)).apply("a") == "b"


SHAPES: list[tuple[Callable[[str], bool], Shape]] = [
    *((trailers.is_trailer, shape) for shape in trailers.TRAILERS),
    *((asides.is_aside, shape) for shape in runners.ALL_ENDINGS),
    *((endings.only_ended, shape) for shape in endings.ENDED),
    *((runners.is_empty, shape) for shape in runners.EMPTY),
    *((warnings.is_warning, shape) for shape in warnings.WARNINGS),
    *((wrappers.is_wrapper, shape) for shape in wrappers.COMMANDS),
    *((noise.is_noise, shape) for shape in noise.NOISE),
    *((noise.is_hint, shape) for shape in noise.HINTS),
    *((noise.is_generic, shape) for shape in noise.GENERIC),
]


@pytest.mark.parametrize(("recognise", "shape"), SHAPES, ids=[shape.name for _, shape in SHAPES])
def test_a_shape_of_line_is_recognised_and_its_counter_example_is_not(
    recognise: Callable[[str], bool], shape: Shape
) -> None:
    assert recognise(shape.example)
    assert not recognise(shape.other)


IN_FRONT = (
    *prefixes.PREFIXES,
    *majorities.MAJORITY,
    *heads.MORE_MOMENTS,
    *log_records.FIELDS,
)


@pytest.mark.parametrize("aside", (*narration.ASIDES, *narration.NAMING), ids=_name)
def test_talk_is_known_by_its_own_row_and_what_a_tool_says_is_not(aside: Shape) -> None:
    talk = any_of((aside,), after="$")
    assert talk.match(aside.example.casefold())
    assert not talk.match(aside.other.casefold())
    assert narration.without_asides([aside.example, "KeyError: 'a'"]) == ["KeyError: 'a'"]
    assert narration.without_asides([aside.other, "KeyError: 'a'"])[0] == aside.other


@pytest.mark.parametrize("talk", gists.TALK, ids=_name)
def test_what_a_person_says_before_an_error_is_known_by_its_own_row(talk: Shape) -> None:
    words = any_of((talk,), before="(?i)")
    found = words.match(f"{talk.example} KeyError: 'a'")
    assert found is not None
    assert found[0].startswith(talk.example)
    assert not words.match(talk.other)
    gist = gists.gist_of([f"{talk.example} KeyError: 'a'"])
    assert gist is not None
    assert gist.lines == ["KeyError: 'a'"]


@pytest.mark.parametrize("clause", gists.CLAUSES, ids=_name)
def test_what_a_person_says_after_an_error_is_known_by_its_own_row(clause: Shape) -> None:
    for said, left in ((clause.example, ""), (clause.other, clause.other)):
        gist = gists.gist_of([f"we see KeyError: 'a'{said}"])
        assert gist is not None
        assert gist.lines == [f"KeyError: 'a'{left}"]


@pytest.mark.parametrize("shape", IN_FRONT, ids=_name)
def test_a_prefix_matches_its_example_and_not_its_counter_example(shape: Shape) -> None:
    assert any_of((shape,)).match(shape.example)
    assert not any_of((shape,)).match(shape.other)


@pytest.mark.parametrize("field", heads.HEAD_FIELDS, ids=_name)
def test_a_field_goes_with_the_head_of_a_record_and_its_counter_example_stays(field: Shape) -> None:
    moment = "08:00:11 "
    line = moment + field.example
    assert line[heads.end_of_head(line) :] in ("x", '{"x')
    line = moment + field.other
    assert heads.end_of_head(line) == len(moment)


@pytest.mark.parametrize("mark", (*joins.MARKS, *joins.ONE_LINE_MARKS), ids=_name)
def test_a_mark_parts_its_example_and_not_its_counter_example(mark: Shape) -> None:
    assert joins.parted(mark.example) == "a\nb"
    assert joins.parted(mark.other) == mark.other


@pytest.mark.parametrize("reading", encodings.READINGS, ids=lambda reading: reading.encoding)
def test_a_text_that_was_read_in_a_wrong_encoding_is_read_again(
    reading: encodings.Reading,
) -> None:
    assert encodings.in_utf8(reading.example) == reading.becomes
    assert encodings.in_utf8(reading.other) == reading.other
    assert encodings.in_utf8(reading.becomes) == reading.becomes


@pytest.mark.parametrize("symptom", symptoms.SYMPTOMS, ids=_name)
def test_a_symptom_is_heard_by_its_own_row(symptom: symptoms.Symptom) -> None:
    lowered = symptom.example.casefold()
    assert compiled(symptom.pattern).search(lowered)
    assert any(stem in lowered for stem in symptom.stems.split("|"))
    assert symptoms.tells_of_failure(symptom.example)
    assert not symptoms.tells_of_failure(symptom.other)


@pytest.mark.parametrize("kind", differences.KINDS, ids=_name)
def test_a_kind_of_difference_names_its_example(kind: differences.Kind) -> None:
    before, _, rest = kind.example.partition("{")
    value = rest.partition("}")[0]
    assert differences.kind_of(value, value, tokens(before)) == kind.name


@pytest.mark.parametrize("form", FORMS, ids=lambda form: f"{form.language} {form.found}")
def test_a_form_of_frame_reads_its_example(form: Form) -> None:
    lines = form.example.split("\n")
    met = form.read(lines, 0)
    assert met is not None
    assert f"{met.frame.file}:{met.frame.function}" == form.found
    assert any(mark in lines[0] for mark in form.marks)
    assert lines[0].strip().startswith(form.begins)
    assert form.below in lines[-1]
    assert form.read(["an ordinary message: it failed"], 0) is None


def _around_braces(text: str) -> tuple[str, str, str]:
    before, _, rest = text.partition("{")
    number, _, after = rest.partition("}")
    return before, number, after


@pytest.mark.parametrize("kept", KEPT, ids=_name)
def test_a_number_stays_in_the_example_of_its_row_and_goes_in_the_counter_example(
    kept: KeptNumber,
) -> None:
    before, number, after = _around_braces(kept.example)
    assert kept.keeps(before, number, after)
    assert number in masked([before + number + after])[0]
    before, number, after = _around_braces(kept.other)
    assert not kept.keeps(before, number, after)
    assert number not in masked([before + number + after])[0]


def test_well_known_ports_are_numbers() -> None:
    assert all(port.isdigit() and 0 < int(port) < 65_536 for port in WELL_KNOWN_PORTS | ROUND_PORTS)
    assert not WELL_KNOWN_PORTS & ROUND_PORTS
