"""Projections to corpora, and the comparison on corpora, at toy size."""

import pytest

import scale
import scale_rates

ROWS = [
    {"words": 100.0, "stepwise": 1.0, "both encoders": 0.5, "reading": 0.25},
    {"words": 300.0, "stepwise": 5.0, "both encoders": 2.5, "reading": 0.75},
]
RATES = {
    "documents": ROWS,
    "block": {"rows": 64, "commit": 0.0, "listing": 0.001, "bytes_a_row": 1000},
    "plan": {"seconds": 1e-6, "bytes": 80, "memory": 100},
    "pdf": {"words_a_page": 50, "seconds_a_page": 0.5},
}


def project(*arguments: str) -> dict[str, float]:
    return scale.project(RATES, scale.parse(["rates.json", *arguments]))


@pytest.mark.parametrize(
    ("words", "expected"), [(50, 0.5), (100, 1.0), (200, 3.0), (300, 5.0), (900, 15.0)]
)
def test_seconds_between_and_beyond_measured_lengths(words: float, expected: float) -> None:
    assert scale.between(ROWS, "stepwise", words) == pytest.approx(expected)


def test_hours_and_cost_of_a_corpus() -> None:
    found = project(
        *("--documents", "7200", "--mix", "100:3", "300:1", "--cores", "2", "--busy", "0.5"),
        *("--core-hour", "2"),
    )
    # (3 · 1 s + 5 s) / 4 = 2 s a document, and so 4 core-hours.
    assert found["CPU seconds a document"] == pytest.approx(2)
    assert found["core-hours"] == pytest.approx(4)
    assert found["hours on 2 cores"] == pytest.approx(4)
    assert found["cost"] == pytest.approx(16)


def test_a_gpu_takes_the_encoders_from_the_cores() -> None:
    found = project("--documents", "3600", "--mix", "100:1", "--gpu-words", "1000")
    assert found["CPU seconds a document"] == pytest.approx(0.5)
    assert found["GPU-hours"] == pytest.approx(0.1)
    assert found["cores that keep a GPU busy"] == pytest.approx(5)


def test_pages_of_pdf_files_are_read_in_place_of_plain_text() -> None:
    plain, half = (project("--mix", "100:1", "--pdf", share) for share in ("0", "0.5"))
    name = "CPU seconds a document"
    assert half[name] - plain[name] == pytest.approx(0.5 * (2 * 0.5 - 0.25))


def test_a_plan_costs_memory_for_its_ids() -> None:
    found = scale_rates.plan_rates(2000)
    assert found["memory"] > len("part-000/document-000000000.txt")
    assert found["bytes"] > 31
