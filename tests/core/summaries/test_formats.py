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


def test_markdown_marks_in_a_document_stay_text():
    builder = DocumentBuilder()
    builder.paragraph("The *value* of a_b is <b>5</b> | `x` # [link](to) in this long sentence.")
    markdown = to_markdown(summarize(builder.build("A *title*"), "1s"))
    html = MarkdownIt().render(markdown.split("\n\n")[1])
    assert "<em>" not in html
    assert "<b>" not in html
    assert "<a " not in html
    assert "<code>" not in html
