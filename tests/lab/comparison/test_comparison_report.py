"""A report shows what was compared."""

from dataclasses import replace

import pytest

from longsum.core.loading import load_system
from longsum.core.summaries import Budget, Coverage, SummarySentence
from longsum.core.summaries.question_summary import QuestionNode, QuestionSummary
from longsum.documents import Document
from longsum.documents.model import Source
from longsum.evaluation.datasets import Example
from longsum.lab.comparison import comparison_report
from longsum.lab.comparison.comparison import compare
from longsum.lab.comparison.comparison_metrics import metric_infos
from longsum.lab.comparison.comparison_report import Gathered, comparison_view
from longsum.lab.pages.comparison_view import ComparisonView

REFERENCE = "Floods of the river damaged bridges.\nTrains carry coal along the railway."


def examples(document: Document) -> list[Example]:
    titled = replace(document, title="The valley")
    return [
        Example(id, titled, (REFERENCE,), "test", "CC0-1.0", {}) for id in ("one", "two", "three")
    ]


def view_of(document: Document) -> ComparisonView:
    gathered = Gathered()
    systems = [load_system(name) for name in ("lead", "systematic", "lead")]
    results = compare(
        examples(document), systems, Budget(30), metrics=("rouge", "copying"), keep=gathered.add
    )
    return comparison_view(
        results,
        gathered,
        title="a set, test",
        unit="document",
        infos=metric_infos(),
        card={"Command": "longsum evaluate"},
        analyses=results.analyses(),
    )


def test_scores_have_means_leads_and_directions(small: Document) -> None:
    view = view_of(small)
    # Systems of the same name stay apart.
    assert view.systems == ["lead", "systematic", "lead (2)"]
    rouge = view.scores[0]
    assert (rouge.name, rouge.metric, rouge.better) == ("rouge1", "rouge", "higher")
    first, other, same = rouge.leads
    assert first is None
    assert other is not None
    assert other.difference == pytest.approx(
        rouge.estimates[1].mean - rouge.estimates[0].mean, abs=1e-9
    )
    assert same is not None
    assert (same.difference, same.p_value) == (0, 1)
    assert [len(set(each)) for each in rouge.letters] == [1, 1, 1]
    captions = ("One-way analyses of variance", "Tukey's test of every pair")
    last = view.tests[-1].caption
    assert [grid.caption for grid in view.tests] == [*captions, last]
    assert last.startswith("Differences from lead (Paired tests on fewer than 10 (here 3)")
    for grid in view.tests:
        assert grid.rows
        assert {len(row) for row in grid.rows} == {len(grid.head)}
    assert {score.metric for score in view.scores} == {"rouge", "copying"}
    assert all(len(values) == 3 for score in view.scores for values in score.values)


def test_examples_have_references_line_by_line_and_every_summary(small: Document) -> None:
    view = view_of(small)
    example = view.examples[2]
    assert example.title == "The valley"
    assert [passage.sentences for passage in example.references[0]] == [
        [line] for line in REFERENCE.splitlines()
    ]
    assert len(example.summaries) == 3
    assert example.summaries[0][0].sentences[0] == small.sentences[0].text
    assert view.lengths[0] == view.lengths[2] > 60


def test_the_content_of_lead_is_at_the_beginning(small: Document) -> None:
    shares = view_of(small).positions
    assert set(shares) == {"references", "lead", "systematic", "lead (2)"}
    assert shares["lead"][4].mean == 1
    assert shares["references"][4].mean < shares["references"][9].mean == 1
    # Words of two sentences stand apart: "river carries" is said.
    gathered = Gathered()
    said = [SummarySentence(text, (), 1.0, {}, 0) for text in ("The river", "carries water")]
    root = QuestionNode("What?", "question", None, tuple(said))
    (example, *_) = examples(small)
    whole = Coverage.whole(small)
    gathered.add(example, QuestionSummary(small, root, Budget(9), "sections", whole, "stub"))
    assert gathered.positions(["stub"])["stub"][0].mean == 1


def test_the_card_records_how_to_reproduce_it(small: Document) -> None:
    card = dict(view_of(small).card)
    assert card["Command"] == "longsum evaluate"
    assert card["Sample"] == "3 documents, one to three"
    assert "longsum " in card["Versions"]


def test_texts_are_kept_only_of_the_first_documents(small, monkeypatch) -> None:
    monkeypatch.setattr(comparison_report, "MOST_EXAMPLES", 2)
    view = view_of(small)
    assert (len(view.examples), len(view.lengths)) == (2, 3)


def test_trees_are_shown_level_by_level(small: Document) -> None:
    child = {"question": "Why?", "answer": "Age.", "children": []}
    stored = {"question": "What closed?", "answer": "The port.", "children": [child]}
    document = replace(small, source=Source("port.txt", "govreport_qs"))
    example = Example("one", document, ("All.",), "test", "", {"questions": [stored]})
    below = QuestionNode("Why?", "question", None, ())
    root = QuestionNode("What closed?", "question", None, (), (below,))
    made = QuestionSummary(small, root, Budget(9), "sections", Coverage.whole(document), "stub")
    gathered = Gathered(trees=True)
    gathered.add(example, made)
    shown = gathered.examples[0]
    expected = [(1, "What closed?"), (2, "Why?")]
    assert [(each.level, each.title) for each in shown.references[0]] == expected
    assert [(each.level, each.title) for each in shown.summaries[0]] == expected
