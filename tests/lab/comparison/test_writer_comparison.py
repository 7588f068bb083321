"""The same model in three ways: what it reads, cites and costs."""

from collections.abc import Iterator

import pytest

from document_views import document_of
from longsum.core.loading import load_model
from longsum.core.pipeline import Options
from longsum.core.summaries import Budget, Summary
from longsum.documents import Document
from longsum.evaluation.datasets import Example
from longsum.lab.comparison.comparison_results import Results
from longsum.lab.comparison.writer_comparison import INFO, citation_scores, compare_writers
from longsum.writers.summarizer import WriterSummarizer
from scripted_server import Answer, Body, Server, obedient, prompt_of, serving, shown

RIVERS = ("Delta", "Nile", "Tiber", "Rhone", "Tagus", "Loire")


def report() -> Document:
    said = "The {} carried {} barges of grain to its harbour.".format
    sections = (
        (f"# The {river}", *(said(river, 101 + 17 * barge + number) for barge in range(14)))
        for number, river in enumerate(RIVERS)
    )
    return document_of(*sections, title="Rivers")


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as made:
        made.pages["/v1/models"] = {"data": [{"id": "m", "max_model_len": 900}]}
        yield made


def compared(server: Server, **more: object) -> Results:
    system = load_model(server.address)
    assert isinstance(system, WriterSummarizer)
    options = Options(as_written=True, focus="grain")
    return compare_writers({"a": report()}, system, Budget(120), options, **more)


def scores(results: Results) -> dict[str, dict[str, float]]:
    return {
        each.system: {name: values[0] for name, values in each.scores.items()}
        for each in results.systems
    }


def test_reading_citing_and_cost_of_the_three_ways(server: Server) -> None:
    made: dict[str, Summary] = {}
    asked: list[str] = []

    def keep(example: Example, summary: Summary) -> None:
        made[summary.system] = summary
        asked.append(example.question)

    results = compared(server, keep=keep)
    assert asked == ["grain"] * 3
    found = scores(results)
    assert [*found] == ["bare", "hierarchical", "longsum"]
    assert found["longsum"].keys() <= {score.name for score in INFO.scores}
    assert found["bare"]["calls"] == 1
    assert 10 < found["bare"]["read"] < 60
    assert made["bare"].coverage.unread_sections[-1] == len(RIVERS) - 1
    # What was read is what the prompt had.
    text = prompt_of(server.calls[0])
    read = [sentence.text in text for sentence in report().sentences]
    assert 100 * sum(read) / len(read) == pytest.approx(found["bare"]["read"])
    for name in ("hierarchical", "longsum"):
        assert found[name]["read"] == 100
        assert found[name]["sections"] == 100
        assert found[name]["calls"] > 5
    assert found["longsum"]["recall"] == found["longsum"]["precision"] == 100
    assert (found["longsum"]["too_long"], found["longsum"]["flagged"]) == (0, 0)
    assert sum(each["calls"] for each in found.values()) == len(server.calls)
    assert all(each["tokens"] > 300 < each["tokens"] for each in found.values())
    assert not any(shown(body) for body in server.calls[: int(found["hierarchical"]["calls"])])


def test_invented_or_too_long_texts_show_in_the_scores(server: Server) -> None:
    def inventive(body: Body) -> Answer:
        answer = obedient(body)
        numbers = " [1]" if shown(body) else ""
        return Answer(f"Unicorns sing at dawn in Peru.{numbers}\n" * 30 + answer.said)

    server.answer = inventive
    found = scores(compared(server))
    assert found["bare"]["recall"] < 40
    assert found["bare"]["flagged"] == pytest.approx(100 - found["bare"]["recall"])
    assert found["bare"]["too_long"] > 50
    assert found["longsum"]["too_long"] == 0


def test_a_call_that_fails_writes_nothing(server: Server) -> None:
    server.answer = lambda body: (
        obedient(body) if shown(body) else Answer({"error": "maximum context length"}, 400)
    )
    found = scores(compared(server))
    assert found["bare"]["read"] == found["hierarchical"]["read"] == 0
    assert found["bare"]["length_error"] == 100
    assert found["longsum"]["read"] == 100


def test_a_judge_compares_claims_with_their_citations(server: Server) -> None:
    asked: list[tuple[str, str]] = []

    class Judge:
        sentences = None

        def consistency(self, claim: str, context: str) -> float:
            asked.append((claim, context))
            return float("Nile" in context)

    assert 0 < scores(compared(server, judge=Judge()))["longsum"]["judged_recall"] < 60
    texts = {sentence.text for sentence in report().sentences}
    assert {context for claim, context in asked if claim in texts} <= texts
    assert "judged_recall" not in scores(compared(server))["longsum"]


def test_recall_and_precision_are_those_of_alce() -> None:
    borne = {("a", (1,)), ("a", (1, 2)), ("b", (3, 4))}
    cited = [("a", (1, 2)), ("b", (3, 4)), ("c", (5,)), ("d", ())]
    # 2 of 4 sentences; 1 of a, since it bears a out alone and without 2; both of b; none of c.
    assert citation_scores(cited, lambda text, units: (text, tuple(units)) in borne) == (50, 60)
    assert citation_scores([], lambda *_: True) == (0, 0)
