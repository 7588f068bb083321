from dataclasses import replace

from markdown_it import MarkdownIt

from document_views import document_of
from longsum import read_bytes, summarize
from longsum.core.summaries.formats import footnote, section_place, to_markdown
from longsum.documents import DocumentTree
from longsum.documents.dossier import joined


def test_markdown_marks_in_a_document_stay_text():
    text = "The *value* of a_b is <b>5</b> | `x` # [link](to) in this long sentence."
    markdown = to_markdown(summarize(document_of(text, title="A *title*"), "1s"))
    html = MarkdownIt().render(markdown.split("\n\n")[1])
    assert "<em>" not in html
    assert "<b>" not in html
    assert "<a " not in html
    assert "<code>" not in html


def test_sections_of_a_dossier_have_the_numbers_of_their_documents():
    given = ("# Dam\n\n## Water\n\nIt is cold.\n\n## Ice\n\nIt is thin.", "Boats came.")
    tree = DocumentTree(joined([read_bytes(text.encode(), "a.md") for text in given]))
    found = [section_place(tree, number) for number in range(len(tree.sections))]
    assert found == ["Dam", "Dam, §1 Water", "Dam, §2 Ice", "a.md"]


def test_a_source_says_where_it_is_and_how_it_was_found(small, said):
    (sentence,) = said(small, 5)
    words = {"aligned": "its words", "attention": "the model's attention"}
    for method, told in {"copied": "", **words, "cited": "the model's citation"}.items():
        found = replace(sentence, sources=(replace(sentence.sources[0], method=method),))
        place = "§1.1 Floods, characters 365–429" + f" (by {told})" * bool(told)
        assert footnote(found, DocumentTree(small), small) == place
