import pytest

from document_views import texts
from longsum.common.errors import LongsumError
from longsum.documents.readers import read_bytes
from tables import rows

_FRONT = """<front><article-meta><title-group><article-title>Rivers<xref ref-type="fn">*</xref> of
<italic>the</italic> hills</article-title><subtitle>A survey</subtitle></title-group>
<abstract><p>We measured rivers.</p></abstract>
<abstract abstract-type="summary"><title>Plain summary</title><p>Rivers flow.</p></abstract>
<trans-abstract xml:lang="fr"><p>Nous avons mesuré.</p></trans-abstract></article-meta></front>"""
_TEXT = "<p>The river rises in the hills and flows for a hundred miles.</p>"


def _article(body: str, back: str = "", front: str = _FRONT) -> bytes:
    return (
        '<?xml version="1.0"?><!DOCTYPE article PUBLIC "-//NLM//DTD JATS v1.2//EN" "JATS.dtd">'
        f'<article article-type="research-article" xml:lang="en">{front}'
        f"<body>{body}</body><back>{back}</back></article>"
    ).encode()


def test_loose_text_comes_before_the_part_that_follows_it() -> None:
    back = "Here is a loose line.<ack><p>We thank the rangers.</p></ack>"
    document = read_bytes(_article(_TEXT, back), "a.xml")
    assert [section.title for section in document.walk()][-1] == "Acknowledgments"
    assert texts(document)[-2:] == ["Here is a loose line.", "We thank the rangers."]
    assert document.section_of(len(document.sentences) - 2).title != "Acknowledgments"


@pytest.mark.parametrize(
    ("inner", "text"),
    rows(__file__, "what_a_paragraph_says")
)  # fmt: skip
def test_text_of_paragraphs(inner: str, text: str) -> None:
    document = read_bytes(_article(f"<p>{inner}</p>{_TEXT}", front="<front/>"), "a.xml")
    assert texts(document)[0].endswith(text)


def test_an_article_of_html_is_no_journal_article() -> None:
    page = "<article><h1>Rivers</h1><p>The river rises in the hills.</p></article>"
    assert read_bytes(page.encode(), "a.html").source.format == "html"


@pytest.mark.parametrize(
    "data",
    [
        b"<pmc-articleset><article/><article/></pmc-articleset>",
        _article(_TEXT)[:-30],
        _article("<sec>" * 300 + "</sec>" * 300),
    ],
)
def test_unreadable_files_are_refused(data: bytes) -> None:
    with pytest.raises(LongsumError, match=r"^a\.xml (contains 2 articles|is not well-formed)"):
        read_bytes(data, "a.xml")


def test_nothing_of_this_machine_and_no_bomb_enters_a_document() -> None:
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 9))
    declared = (
        '<?xml version="1.0"?><!DOCTYPE article [<!ENTITY a0 "lol">'
        f'{entities}<!ENTITY x SYSTEM "file:///etc/hostname">]>'
    )
    body = f'<article article-type="x"><body><p>Before &x;&a8; it all.</p>{_TEXT}</body></article>'
    assert texts(read_bytes((declared + body).encode(), "a.xml"))[0] == "Before it all."


LEFT_OUT = {
    **dict.fromkeys(("fig", "fig-group"), "figure"),
    **dict.fromkeys(("graphic", "inline-graphic", "media"), "picture"),
    **dict.fromkeys(("table-wrap", "table-wrap-group", "array"), "table"),
    **dict.fromkeys(("disp-formula", "disp-formula-group"), "formula"),
    **dict.fromkeys(("code", "preformat"), "code block"),
    **{"fn": "footnote", "supplementary-material": "supplement", "bio": "biography"},
    "trans-abstract": "translated abstract",
    **dict.fromkeys(("sub-article", "response"), "reply to the article"),
    **dict.fromkeys(("tex-math", "object-id", "permissions", "sec-meta", "kwd-group"), ""),
    **dict.fromkeys(("copyright-statement", "processing-meta"), ""),
}


@pytest.mark.parametrize(("name", "kind"), LEFT_OUT.items())
def test_elements_that_are_not_text_are_left_out_by_name(name: str, kind: str) -> None:
    inner = f"<p>One.</p><{name}>Hidden words stand here.</{name}><p>Two.</p>"
    document = read_bytes(_article(f"<sec>{inner}</sec>", front="<front/>"), "a.xml")
    assert texts(document) == ["One.", "Two."]
    assert [part.kind for part in document.omitted] == [kind] * bool(kind)


@pytest.mark.parametrize(
    "name", ["sec", "app", "abstract", "ack", "glossary", "notes", "boxed-text"]
)
def test_parts_with_a_title_are_sections(name: str) -> None:
    body = f"{_TEXT}<{name}><title>Of it</title>{_TEXT}</{name}>"
    document = read_bytes(_article(body, front="<front/>"), "a.xml")
    assert [section.title for section in document.walk()] == ["", "Of it"]
