"""The figures that redaction has to keep on a set written after its rules (see the benchmark)."""

from reflection_mcp.tools.redaction import redact
from tests.bench.redaction_bench import cases
from tests.rows import enough

CASES = tuple(cases())


def test_nine_of_ten_secrets_leave_no_trace() -> None:
    missed = [case.kind for case in CASES if case.secret and not case.found]
    secrets = sum(bool(case.secret) for case in CASES)
    assert secrets >= 120
    assert len(missed) <= secrets // 10, missed


def test_no_ordinary_text_is_changed() -> None:
    ordinary = [case for case in CASES if not case.secret]
    assert len(ordinary) >= 200
    assert [case.text for case in ordinary if case.changed] == []


def test_a_long_log_is_redacted_as_each_of_its_texts_is() -> None:
    texts = [case.text for case in CASES] * enough(1, 4)
    assert redact("\n".join(texts)) == "\n".join(map(redact, texts))
