"""A summary as text, as values, as a page and in a notebook."""

from dataclasses import replace
from html.parser import HTMLParser

import pytest

from document_views import build_tree
from longsum.core.pages.cell import MAX_SHOWN
from longsum.core.summaries import Budget, NestedSummaries, Notice, Summary, SummarySentence
from longsum.core.summaries.question_summary import (
    QuestionNode,
    QuestionSummary,
    questions_to_json,
    questions_to_text,
)
from longsum.core.summaries.result_file import levels_to_json, summary_to_json
from longsum.core.summaries.sentence import Doubt
from longsum.core.summaries.summary import Level, PartSummary
from longsum.documents import Document, DocumentBuilder, Source
from summary_views import summary_of


class Cell(HTMLParser):
    """Collects the elements and the texts of a piece of HTML, and checks that it is closed."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.attributes, self.texts = [], [], [], []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.append(tag)
        self.attributes.extend(attrs)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)

    @property
    def text(self):
        return "".join(self.texts)


@pytest.fixture
def summary(small: Document) -> Summary:
    return summary_of(small, 0, 1, 5)


@pytest.fixture
def tree(summary: Summary) -> QuestionSummary:
    below = QuestionNode("What of <dams>?", "question", 1, summary.sentences[2:])
    root = QuestionNode("The valley", "heading", None, summary.sentences[:1], (below,))
    return QuestionSummary(
        summary.document, root, Budget(50), "sections", summary.coverage, "stepwise"
    )


HOSTILE = [
    *("<script>alert(1)</script>", "</div></div><img src=x onerror=alert(1)>"),
    *('" style="position:fixed', "&lt;b&gt;", "$5 and $6", r"\(x\) and \[y\]", r"\begin{align} z"),
    "<!-- -->",
]


def test_it_prints_as_its_text_and_has_the_values_of_the_result_file(summary, tree):
    assert str(summary) == summary.text == f"{summary}"
    assert str(tree) == questions_to_text(tree)
    assert summary.to_dict() == summary_to_json(summary)
    assert tree.to_dict() == questions_to_json(tree)
    # The values of a summary include its levels, if it has any.
    level = Level((PartSummary("One", 300, 90, summary.sentences),))
    leveled = replace(summary, levels=(level,))
    written = levels_to_json([level], summary.document)
    assert leveled.to_dict() == summary_to_json(summary) | {"levels": written}
    assert "levels" not in summary.to_dict()
    assert summary_to_json(summary, levels=True)["levels"] == []
    # Each is described in a short line.
    part = PartSummary("y" * 10**5, 300, 90, summary.sentences)
    long = replace(tree, root=replace(tree.root, title="x" * 10**5))
    for each in (tree, long, long.root, part, Level((part,))):
        assert repr(each).startswith(f"<{type(each).__name__} ")
        assert len(repr(each)) < 200


def test_its_page_equals_that_of_reports(summary: Summary, tree: QuestionSummary):
    from longsum.core.pages import render_html
    from longsum.core.pages.question_page import render_questions

    ladder = NestedSummaries((summary_of(summary.document, 0), summary), 1)
    assert summary.to_html() == render_html(NestedSummaries((summary,), 0))
    assert ladder.to_html(shaded=True) == render_html(ladder, shaded=True)
    assert tree.to_html() == render_questions(tree)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_cell_shows_hostile_text_as_plain_text(text: str):
    builder = DocumentBuilder()
    builder.heading(1, f"On {text}")
    builder.sentences([f"Rivers say {text} to the sea."])
    notice = Notice("document", f"Warned of {text}.")
    summary = summary_of(builder.build(f"Of {text}", Source("a.txt")), 0, notices=(notice,))
    cell = Cell(summary._repr_html_())
    assert set(cell.tags) <= {"div", "span", "b", "bdi"}
    assert {name for name, _ in cell.attributes} <= {"class", "style"}
    for shown in (
        f"Of {text}",
        f"On {text}",
        f"Rivers say {text} to the sea.",
        f"Warned of {text}.",
    ):
        assert shown in cell.text
    # MathJax finds no formula: a mark that might open one is alone in its element.
    assert all(len(part) == 1 for part in cell.texts if "$" in part or "\\" in part)
    assert "tex2jax_ignore" in dict(cell.attributes)["class"]


def test_a_cell_shows_doubts_safely(small: Document):
    doubt = Doubt("number", "missing", "document", '"<9>"', 8, 11)
    doubted = SummarySentence("It cost <9>.", (), 0.0, {}, 0, doubts=(doubt,))
    unsure = replace(doubted, doubts=())
    cell = Cell(summary_of(small, sentences=(doubted, unsure))._repr_html_())
    titles = [value for name, value in cell.attributes if name == "title"]
    assert titles == ['the number "<9>" is nowhere in the document', "no sure source"]
    assert cell.text.count("It cost <9>.") == 2


def test_a_cell_mentions_what_it_does_not_show():
    document = build_tree([1] * (MAX_SHOWN + 3))
    full = summary_of(document, *range(MAX_SHOWN))
    assert "more" not in Cell(full._repr_html_()).text
    cell = Cell(summary_of(document, *range(MAX_SHOWN + 3))._repr_html_())
    assert "… and 3 more" in cell.text
    assert cell.text.count("Sentence of section") == MAX_SHOWN
    nothing = summary_of(document, notices=(Notice("length", "No sentence fits in 1w."),))
    assert "No sentence fits in 1w." in Cell(nothing._repr_html_()).text


def test_a_cell_of_a_tree(tree: QuestionSummary):
    cell = Cell(tree._repr_html_())
    assert set(cell.tags) <= {"div", "span", "b", "bdi"}
    assert "What of <dams>?" in cell.text
    assert all(sentence.text in cell.text for sentence in tree.as_summary().sentences)
    styles = [value for name, value in cell.attributes if name == "style"]
    assert any("0 1.5em" in style for style in styles)
