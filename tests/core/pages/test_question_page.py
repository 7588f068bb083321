"""The page of a tree: its nodes, its links, and the guarantees of the summary's page."""

import pytest

from longsum.core.pages.question_page import render_questions
from longsum.core.summaries import Budget, Coverage
from longsum.core.summaries.question_summary import (
    QuestionNode,
    QuestionSummary,
    questions_to_json,
    questions_to_markdown,
    questions_to_text,
)
from longsum.core.summaries.result_file import dump_json
from summary_views import sentences_of


@pytest.fixture
def tree(document) -> QuestionSummary:
    costs = QuestionNode("What did it cost?", "question", 2, sentences_of(document, 83))
    findings = QuestionNode(
        document.walk()[1].title, "heading", 1, sentences_of(document, 2), (costs,)
    )
    advice = QuestionNode("3.2 Advice", "heading", 3, (), cut=1)
    root = QuestionNode(
        document.title, "heading", None, sentences_of(document, 0), (findings, advice)
    )
    coverage = Coverage(85, 86, (3,))
    return QuestionSummary(document, root, Budget(50), "sections", coverage, "by hand")


@pytest.mark.browser
@pytest.mark.slow
def test_nodes_open_by_keys_and_when_a_link_leads_into_them(visit, tree, tmp_path) -> None:
    path = tmp_path / "tree.html"
    path.write_text(render_questions(tree), encoding="utf-8")
    page = visit(path.as_uri())
    assert not page.locator("#k-2").is_visible()
    page.locator("details.node > summary").nth(1).focus()
    page.keyboard.press("Enter")
    assert page.locator("#k-1").is_visible()
    page.locator("#close-all").click()
    assert page.locator("#k-0").is_visible()
    page.locator(".badge[data-k='2']").click()
    assert page.locator("#k-2").is_visible()
    assert page.locator(":focus").get_attribute("class") == "say"
    page.locator("#close-all").click()
    page.keyboard.press("p")
    assert page.locator("#k-1").is_visible()
    page.keyboard.press("Enter")
    assert page.locator(".source.current").get_attribute("id") == "s-2"


def test_the_page_is_the_same_as_before(tree: QuestionSummary, as_before) -> None:
    as_before("questions", render_questions(tree))
    as_before("questions-text", questions_to_text(tree))
    as_before("questions-markdown", questions_to_markdown(tree))
    as_before("questions-json", dump_json(questions_to_json(tree)))
