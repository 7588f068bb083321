from markdown_it import MarkdownIt

from longsum import summarize
from longsum.core.summaries.formats import to_markdown, to_text
from longsum.documents import Document, DocumentBuilder


def test_text_is_the_summary_alone(small: Document):
    summary = summarize(small, "4s", "lead")
    text = to_text(summary)
    assert text == summary.text + "\n"
    assert text.count("\n\n") == 0


def test_a_paragraph_for_each_section(small: Document):
    text = to_text(summarize(small, "100%", "lead"))
    assert [len(paragraph.split(". ")) for paragraph in text.split("\n\n")] == [4, 2, 3]


def test_explained_text_names_place_score_and_rival(small: Document):
    summary = summarize(small, "3s", "kernels")
    text = to_text(summary, explain=True)
    for sentence in summary.sentences:
        (source,) = sentence.sources
        assert f"characters {source.start}–{source.end}" in text
    assert "§1 Rivers" in text
    assert "score" in text
    assert "= topics" in text
    assert "chosen over:" in text
    assert "Topic 1:" in text
    assert "Keywords:" in text
    assert "Weights: topics 0.9" in text


def test_markdown_has_a_footnote_for_each_sentence(small: Document):
    summary = summarize(small, "4s")
    text = to_markdown(summary)
    assert text.startswith("# Summary of The valley\n")
    for number in range(1, 5):
        assert text.count(f"[^{number}]: §") == 1
        assert text.count(f"[^{number}]") == 2


def test_markdown_marks_in_a_document_stay_text():
    builder = DocumentBuilder()
    builder.paragraph("The *value* of a_b is <b>5</b> | `x` # [link](to) in this long sentence.")
    markdown = to_markdown(summarize(builder.build("A *title*"), "1s"))
    html = MarkdownIt().render(markdown.split("\n\n")[1])
    assert "<em>" not in html
    assert "<b>" not in html
    assert "<a " not in html
    assert "<code>" not in html
