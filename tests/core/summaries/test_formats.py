from markdown_it import MarkdownIt

from longsum import summarize
from longsum.core.summaries.formats import to_markdown
from longsum.documents import DocumentBuilder


def test_markdown_marks_in_a_document_stay_text():
    builder = DocumentBuilder()
    builder.paragraph("The *value* of a_b is <b>5</b> | `x` # [link](to) in this long sentence.")
    markdown = to_markdown(summarize(builder.build("A *title*"), "1s"))
    html = MarkdownIt().render(markdown.split("\n\n")[1])
    assert "<em>" not in html
    assert "<b>" not in html
    assert "<a " not in html
    assert "<code>" not in html
