"""What the page says about lengths and where sentences came from."""

import lxml.html

from longsum import load_system
from longsum.core.pages import render_html
from longsum.core.summaries import Budget

LENGTHS = [Budget(words) for words in (60, 150, 600)]


def test_each_row_counts_the_sentences_that_a_length_adds_and_drops(brief) -> None:
    magnified = load_system("mls-plus").at_lengths(brief, LENGTHS, start=1)
    tree = lxml.html.document_fromstring(render_html(magnified))
    rows = [[cell.text_content() for cell in row] for row in tree.xpath("//tbody/tr")]
    former: set[str] = set()
    for row, rung in zip(rows, magnified.summaries, strict=True):
        held = {sentence.text for sentence in rung.sentences}
        gone = len(former - held)
        assert row[0] == f"{rung.budget.amount:g} words"
        assert row[2:4] == [f"+{len(held - former)}", f"−{gone}" if gone else ""]
        expanded = sum(sentence.origin == "expanded" for sentence in rung.sentences)
        assert (f"{expanded} expanded" in row[1]) is bool(expanded)
        former = held
    bars = tree.xpath("//tbody//*[local-name()='svg']/@aria-label")
    assert all("topics" in bar and "redundancy −" in bar for bar in bars)
    # Expanded sentences are marked as such.
    marked = tree.xpath("//li[.//small[@class='origin']]//*[@class='text']")
    expected = {
        sentence.text
        for rung in magnified.summaries
        for sentence in rung.sentences
        if sentence.origin == "expanded"
    }
    assert expected
    assert {mark.text_content() for mark in marked} == expected
