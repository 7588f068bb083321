"""XML of unknown vocabularies is read by how its elements are used."""

import pytest

from linear_time import assert_linear
from longsum.common.errors import LongsumError
from longsum.documents import Document
from longsum.documents.readers.detect import parse
from longsum.documents.readers.xml.xml_tree import _numbered

_SAID = "The river rose in the night and took the bridge of the mill away."


def _read(body: str) -> Document:
    return parse(f'<?xml version="1.0"?>\n{body}'.encode(), "a.xml")


def test_titles_make_sections_and_other_elements_paragraphs_whatever_they_are_called() -> None:
    nested = (
        f"<part><head>Banks</head><t>{_SAID} It was <b>cold</b>, of <x>all</x> nights.</t></part>"
    )
    wide = f'<note topic="Dams"><c>{_SAID}</c><listitem><c>One dam held.</c></listitem></note>'
    document = _read(
        f"<z><chap><title>Rivers</title>{nested}</chap>{wide}<o><!-- A --><?a b?>{_SAID}</o></z>"
    )
    told = [(section.level, section.title) for section in document.walk()]
    assert told == [(1, "Rivers"), (2, "Banks"), (1, "Dams")]
    texts = [sentence.text for sentence in document.sentences]
    assert texts == [_SAID, "It was cold, of all nights.", _SAID, "One dam held.", _SAID]
    assert "this kind of XML (z)" in document.warnings[0]
    assert not document.omitted


def test_statutes_have_sections_with_their_numbers_and_text_with_those_of_its_parts() -> None:
    part = f"<subsection><num>(a)</num><heading>Floods.—</heading><text>{_SAID}</text></subsection>"
    note = "<authorialNote><p>Spent.</p></authorialNote>"
    section = (
        "<section><num>SEC. 2.</num><citation>[9 U.S.C.]</citation><heading>RIVERS.</heading>"
        f"{part}<para><num>(1)</num><p>{_SAID}{note}</p></para></section>"
    )
    body = f"<meta><b>Draft.</b></meta><Title><num>I</num><header>Waters</header>{section}</Title>"
    body = f"{body}<Title><header>Dams</header><p>{_SAID}</p></Title><toc><p>Rivers</p></toc>"
    document = parse(f"<act xmlns='urn:law'>{body}</act>".encode())
    told = [(section.level, section.title) for section in document.walk()]
    assert told == [(1, "I Waters"), (2, "SEC. 2. RIVERS"), (1, "Dams")]
    assert "\n\n(a) Floods.—\n\n" in document.text
    assert f"\n\n(1) {_SAID}" in document.text
    texts = [sentence.text for sentence in document.sentences]
    assert texts == ["[9 U.S.C.]", "Floods.—", _SAID, _SAID, _SAID]
    left_out = [(each.kind, each.text) for each in document.omitted]
    assert left_out == [
        ("front matter", "Draft."),
        ("footnote", "Spent."),
        ("contents or index line", "Rivers"),
    ]


def test_a_heading_in_a_separate_element_belongs_to_what_follows() -> None:
    heading = "<Heading><Label>Part I</Label><TitleText>Waters</TitleText></Heading>"
    note = f"<MarginalNote>Rivers</MarginalNote><Label>1</Label><Text>{_SAID}</Text>"
    section = f"<Section>{note}<Note>{_SAID}</Note></Section>"
    document = _read(f"<a><Body>{heading}{section}{heading.replace('Waters', 'Air')}</Body></a>")
    told = [(section.level, section.title) for section in document.walk()]
    assert told == [(1, "Part I Waters"), (2, "1 Rivers"), (1, "Part I Air")]
    assert [sentence.text for sentence in document.sentences] == [_SAID, _SAID]


@pytest.mark.parametrize("name", ["html", "svg"])
def test_pages_and_pictures_with_a_vocabulary_are_no_other_xml(name: str) -> None:
    text = f"<{name} xmlns='urn:x'><p>{_SAID}</p></{name}>"
    assert parse(text.encode()).source.format in ("html", "text")


def test_code_and_tables_are_left_out_of_other_xml() -> None:
    code = "<screen>$ make\n$ make install</screen>"
    document = _read(f"<z lang='en'><s>{_SAID}</s>{code}<table><tr><td>1</td></tr></table></z>")
    assert document.language == "en"
    assert [part.kind for part in document.omitted] == ["code block", "table"]
    assert [sentence.text for sentence in document.sentences] == [_SAID]


def test_docbook_and_dita_mark_parts_beside_the_text() -> None:
    table = (
        "<table><title>Dams</title><tgroup><row><entry><b>A</b></entry><entry>1</entry></row>"
        "</tgroup></table>"
    )
    listed = (
        "<variablelist><varlistentry><term>weir</term><listitem><para>A low dam.</para></listitem>"
        "</varlistentry></variablelist>"
    )
    document = _read(
        "<article><articleinfo><title>Rivers</title></articleinfo><prolog><w>dams</w></prolog>"
        f"<remark>{_SAID}</remark><prolog><p>{_SAID}</p></prolog><sect1><title>Banks</title>{table}{listed}"
        "<label><b>2</b></label><para>It was<indexterm><primary>cold</primary></indexterm> cold"
        f"<footnote><para>{_SAID}</para></footnote>, of all nights.</para></sect1></article>"
    )
    assert document.title == "Rivers"
    assert [section.title for section in document.walk()] == ["", "Banks"]
    told = ["weir: A low dam.", "2 It was cold, of all nights."]
    assert [sentence.text for sentence in document.sentences] == [_SAID, *told]
    assert [(part.kind, part.text) for part in document.omitted] == [
        ("front matter", "dams"),
        ("comment", _SAID),
        ("table", "Dams\nA\t1"),
        ("index entry", "cold"),
        ("footnote", _SAID),
    ]


def test_pages_that_a_feed_has_as_text_are_pages() -> None:
    page = f"<p><a>The river</a> rose.</p><h2>Banks</h2><div><p>{_SAID}</p></div>"
    escaped = page.replace("<", "&lt;")
    item = f"<item><title>Floods</title><description>{escaped}</description></item>"
    document = _read(f"<rss><channel><title>Rivers</title>{item}</channel></rss>")
    assert document.title == "Rivers"
    assert [each.title for each in document.walk()] == ["Floods", "Banks"]
    assert [each.text for each in document.sentences] == ["The river rose.", _SAID]
    with pytest.raises(LongsumError):
        _read("<rss><description>&lt;p>None.&lt;/p></description></rss>")


def test_one_element_from_end_to_end_is_xml_that_need_not_say_so() -> None:
    inner = f"<title>Rivers</title><sect2><title>Banks</title><para>{_SAID}</para></sect2>"
    for root, name, kind in (
        ("sect1", "a.sgml", "xml"),
        ("section", "a.xml", "xml"),
        ("section", "a", "html"),
        ("html", "a.xml", "html"),
    ):
        whole = f"<{root}>{inner}</{root}>\n<!-- end: -->\n"
        assert parse(whole.encode(), name).source.format == kind
    open_tag = parse(f"<sect1>\n{inner}\n<br></sect1>".encode(), "a.xml")
    assert open_tag.source.format == "text"
    assert "Tags are not text" in open_tag.warnings[0]


def test_only_names_that_are_known_become_numbers() -> None:
    text = "a &eacute; &river; &amp; <![CDATA[&eacute;]]>"
    assert "".join(_numbered(text)) == text.replace("&eacute; ", "&#233; ").replace("amp", "#38")


def test_an_empty_title_is_none_and_that_of_an_admonition_is_text() -> None:
    tip = f"<tip><title>Tip</title><para>{_SAID}</para></tip>"
    section = f"<section><title>Dams</title>{tip}</section>"
    document = _read(f"<article><info><title></title></info>{section}</article>")
    assert document.title == "Dams"
    assert [section.title for section in document.walk()] == [""]
    assert document.text == f"Dams\n\nTip\n\n{_SAID}"


@pytest.mark.parametrize("name", ["programlisting", "codeblock", "sourcecode"])
def test_marked_programs_are_code_even_if_they_read_like_text(name: str) -> None:
    program = (
        "let longLine: String?\ndo {\n  for try await line in myFile.lines() {\n"
        "    if line.count &gt; 80 {\n      longLine = line\n      break\n    }\n  }\n} catch {\n"
        "  longLine = nil // file did not exist\n}"
    )
    document = _read(f"<article><para>{_SAID}</para><{name}>\n{program}\n</{name}></article>")
    assert [sentence.text for sentence in document.sentences] == [_SAID]
    assert [each.kind for each in document.omitted] == ["code block"]


def test_marks_around_marks_of_a_few_words_divide_no_sentence() -> None:
    link = "<link><emphasis><literal>the mill</literal></emphasis></link>"
    note = f"<note><para>{_SAID}</para><para>{_SAID}</para></note>"
    document = _read(f"<article><para>Water took {link} away. {note}</para></article>")
    texts = [sentence.text for sentence in document.sentences]
    assert texts == ["Water took the mill away.", _SAID, _SAID]
    assert document.text.count("\n\n") == 2


@pytest.mark.timing
def test_elements_beside_each_other_take_linear_time() -> None:
    assert_linear(lambda size: _read(f"<z><p>{_SAID}</p>{'<a><b/></a>' * size}</z>"), 20_000)
