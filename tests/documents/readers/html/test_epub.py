import io
import zipfile

import pytest

from document_views import outline, sentences
from longsum.common.errors import LongsumError
from longsum.documents.readers import read_bytes
from longsum.documents.readers.html.epub import _fuller
from longsum.documents.text_layout import Heading
from tables import rows

_CONTAINER = (
    '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" '
    'version="1.0"><rootfiles><rootfile full-path="OEBPS/book.opf" '
    'media-type="application/oebps-package+xml"/></rootfiles></container>'
)
_NAV = (
    '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body>'
    '<nav epub:type="landmarks"><ol><li><a href="one.xhtml">Start</a></li></ol></nav>'
    '<nav epub:type="toc"><h1>Contents</h1><ol><li><span>Part One</span><ol>'
    '<li><a href="text/one.xhtml">1. The River</a></li>'
    '<li><a href="text/one.xhtml#dams">2. The Dams</a></li></ol></li>'
    '<li><a href="text/two.xhtml#top">Part Two</a></li></ol></nav></body></html>'
)
_NCX = (
    '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>'
    "<navPoint><navLabel><text>Part One</text></navLabel><navPoint>"
    '<navLabel><text>1. The River</text></navLabel><content src="text/one.xhtml"/></navPoint>'
    '<navPoint><navLabel><text>2. The Dams</text></navLabel><content src="text/one.xhtml#dams"/>'
    "</navPoint></navPoint>"
    '<navPoint><navLabel><text>Part Two</text></navLabel><content src="text/two.xhtml#top"/>'
    "</navPoint></navMap></ncx>"
)
_ONE = (
    "<h1>1.&nbsp;The River</h1><p>The river is long.</p><h2>Its springs</h2>"
    "<p>It springs in the hills.</p>"
    '<h1><a id="dams"/>The Dams</h1><p>Dams hold it back.</p>'
)
_TWO = '<section id="top"><h1>Part Two</h1><p>The sea is wide.</p></section>'
_OUTLINE = [
    (1, "Part One"),
    (2, "1. The River"),
    (3, "Its springs"),
    (2, "2. The Dams"),
    (1, "Part Two"),
]


def _page(body: str) -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml" '
        'xmlns:epub="http://www.idpf.org/2007/ops"><head><title/></head>'
        f"<body>{body}</body></html>"
    )


def _opf(spine: str, contents: str) -> str:
    return (
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Of  Water</dc:title></metadata>'
        '<manifest><item id="one" href="text/one.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="two" href="text/two.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="cover" href="cover.jpg" media-type="image/jpeg"/>'
        f"{contents}</manifest><spine>{spine}</spine></package>"
    )


_SPINE = '<itemref idref="one"/><itemref idref="two"/>'
_WITH_NAV = '<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
_WITH_NCX = '<item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'


def _files(**changed: str | None) -> dict[str, str]:
    files = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": _CONTAINER,
        "OEBPS/book.opf": _opf(_SPINE, _WITH_NAV),
        "OEBPS/nav.xhtml": _NAV,
        "OEBPS/toc.ncx": _NCX,
        "OEBPS/text/one.xhtml": _page(_ONE),
        "OEBPS/text/two.xhtml": _page(_TWO),
    }
    named = {"one": "OEBPS/text/one.xhtml", "two": "OEBPS/text/two.xhtml", "opf": "OEBPS/book.opf"}
    named |= {"nav": "OEBPS/nav.xhtml", "encryption": "META-INF/encryption.xml"}
    named |= {"container": "META-INF/container.xml", "mimetype": "mimetype"}
    files |= {named[name]: text for name, text in changed.items() if text is not None}
    for name in (name for name, text in changed.items() if text is None):
        del files[named[name]]
    return files


def _book(files=None, **changed: str | None) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in (files or _files(**changed)).items():
            stored = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(name, text, stored)
    return buffer.getvalue()


@pytest.mark.parametrize("contents", [_WITH_NAV, _WITH_NCX, _WITH_NAV + _WITH_NCX])
def test_the_table_of_contents_makes_the_sections(check_document, contents) -> None:
    document = read_bytes(_book(opf=_opf(_SPINE, contents)), "water.epub")
    check_document(document)
    assert (document.title, document.source.format) == ("Of Water", "epub")
    assert outline(document) == _OUTLINE
    assert sentences(document) == [
        "The river is long.",
        "It springs in the hills.",
        "Dams hold it back.",
        "The sea is wide.",
    ]
    assert document.warnings == ()


@pytest.mark.parametrize("name", ["a.epub", "a.txt", ""])
def test_the_content_decides_whatever_the_name(name: str) -> None:
    assert read_bytes(_book(), name).source.format == "epub"
    assert read_bytes(_book(mimetype=None), name).source.format == "epub"


def test_without_a_table_headings_make_the_sections() -> None:
    document = read_bytes(_book(opf=_opf(_SPINE, "")), "a.epub")
    assert outline(document) == [
        *((1, "1. The River"), (2, "Its springs"), (1, "The Dams"), (1, "Part Two"))
    ]
    # An anchor that is not there means its file.
    document = read_bytes(_book(two=_page("<p>The sea is wide.</p>")), "a.epub")
    assert outline(document)[-1] == (1, "Part Two")


def test_text_before_the_first_line_of_the_table_and_files_without_a_line() -> None:
    nav = _NAV.replace('href="text/one.xhtml"', 'href="text/one.xhtml#dams"')
    nav = nav.replace('<li><a href="text/two.xhtml#top">Part Two</a></li>', "")
    document = read_bytes(_book(nav=nav), "a.epub")
    assert outline(document)[0] == (1, "1. The River")
    assert sentences(document)[-1] == "The sea is wide."
    assert document.section_of(3).title == "Part Two"


def test_text_that_is_not_running_text_is_left_out_and_counted() -> None:
    body = (
        '<p>The river<a epub:type="noteref" href="#n1">1</a> is long<sup><a href="#n2">2</a></sup>'
        '<a href="#n3">[3]</a>, see chapter <a href="#c4">4</a>.'
        '<img src="x.jpg"/></p><script>alert(1)</script><figure><img src="y.jpg"/></figure>'
        '<aside epub:type="footnote" id="n1"><p>A note.</p></aside>'
        '<section class="footnotes"><ol><li>One.</li><li>Two.</li></ol></section>'
        '<p>It ends<span epub:type="pagebreak">12</span> here.</p><table/>'
    )
    document = read_bytes(_book(one=_page(body)), "a.epub")
    assert sentences(document)[:2] == ["The river is long, see chapter 4.", "It ends here."]
    parts = ("1 picture", "1 script", "1 figure", "1 table", "3 footnotes")
    assert all(part in document.warnings[0] for part in parts)


def test_files_beside_the_text_and_files_that_are_missing_are_counted() -> None:
    spine = f'{_SPINE}<itemref idref="cover"/><itemref idref="gone"/>'
    spine = spine.replace('idref="two"', 'idref="two" linear="no"')
    document = read_bytes(_book(opf=_opf(spine, "")), "a.epub")
    assert "The sea is wide." not in sentences(document)
    assert document.warnings == (
        "Left out, as the book lists them outside its main text: 1 of its files.",
        "Files that the book lists but that are missing or not text: 2.",
    )


def test_a_page_that_is_not_well_formed_is_read_as_html() -> None:
    page = "<p>One <b>river<p>Two rivers &amp; Öland".encode("latin-1")
    document = read_bytes(_book(_files() | {"OEBPS/text/one.xhtml": page}), "a.epub")
    assert sentences(document)[:2] == ["One river", "Two rivers & Öland"]
    assert "The file is not UTF-8" in document.warnings[0]


def _says(data: bytes) -> str:
    with pytest.raises(LongsumError) as caught:
        read_bytes(data, "a.epub")
    message = str(caught.value)
    assert message.count(". ") == 0
    return message


def _encryption(algorithm: str) -> str:
    return (
        '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" '
        'xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData>'
        f'<enc:EncryptionMethod Algorithm="{algorithm}"/><enc:CipherData>'
        '<enc:CipherReference URI="OEBPS/text/one.xhtml"/></enc:CipherData>'
        "</enc:EncryptedData></encryption>"
    )


def test_an_encrypted_book_is_refused_and_scrambled_fonts_are_not() -> None:
    aes = "http://www.w3.org/2001/04/xmlenc#aes256-cbc"
    assert "is encrypted (DRM or a password)" in _says(_book(encryption=_encryption(aes)))
    fonts = _encryption("http://www.idpf.org/2008/embedding")
    assert len(read_bytes(_book(encryption=fonts), "a.epub").sentences) == 4


@pytest.mark.parametrize(
    "changed",
    [
        *({"container": None}, {"container": "<container/>"}, {"container": "no xml"}),
        *({"opf": None}, {"opf": "<package>"}, {"opf": "<package><dc:/></package>"}),
        {"container": _CONTAINER.replace("OEBPS/book.opf", "../../etc/passwd")},
        {"container": _CONTAINER.replace("OEBPS/book.opf", "http://example.com/book.opf")},
    ],
)
def test_a_damaged_book_is_refused_in_one_sentence(changed: dict[str, str | None]) -> None:
    assert "is a damaged EPUB" in _says(_book(**changed))


@pytest.mark.parametrize("empty", ["", " \n", "<!-- nothing -->"])
def test_a_book_with_an_empty_part_can_be_read(empty: str) -> None:
    assert sentences(read_bytes(_book(one=empty), "a.epub")) == ["The sea is wide."]
    assert "has no sentences" in _says(_book(one=empty, two=_page(empty), nav="<nav/>"))


@pytest.mark.parametrize("contents", [_WITH_NAV, _WITH_NCX])
def test_common_errors_in_tables_of_contents_and_packages_are_tolerated(contents: str) -> None:
    def spoilt(text: str) -> str:
        return text.replace("The River", "The&nbsp;River").replace("The Dams", "The Dams & so on")

    opf = _opf(_SPINE, contents).replace("Of  Water", "Of Water &amp; <b:i>Sand</b:i> & Mud")
    container = _CONTAINER.replace("book.opf", "bo%6Fk.opf")
    files = _files(opf=opf, nav=spoilt(_NAV), container=container) | {"OEBPS/toc.ncx": spoilt(_NCX)}
    document = read_bytes(_book(files), "a.epub")
    assert document.title == "Of Water & Sand & Mud"
    dams = (2, "2. The Dams & so on")
    assert outline(document) == [dams if "Dams" in line[1] else line for line in _OUTLINE]


@pytest.mark.parametrize(
    "left_out", rows(__file__, "a_line_of_the_table_may_lead_into_what_is_left_out")
)
def test_an_entry_of_the_table_of_contents_may_lead_to_omitted_text(left_out: str) -> None:
    one = _page(f"<h1>1. The River</h1><p>The river is long.</p>{left_out}")
    document = read_bytes(_book(one=one), "a.epub")
    assert (2, "2. The Dams") in outline(document)
    home = "1. The River" if left_out.startswith("<p>") else "2. The Dams"
    assert document.section_of(1).title == home


@pytest.mark.parametrize(
    ("line", "heading", "title"), rows(__file__, "headings_with_other_numbers_are_one")
)
@pytest.mark.parametrize(
    "anchor", ["<h1>{0}</h1>", '<h1 id="dams">{0}</h1>', '<h1>{0}</h1><p id="dams"/>']
)
def test_headings_with_other_numbers_are_one(check_document, line, heading, title, anchor) -> None:
    one = _page(
        f"<h1>1. The River</h1><p>The river is long.</p>{anchor.format(heading)}<p>Dams hold.</p>"
    )
    nav = _NAV.replace("2. The Dams", line)
    if "dams" not in anchor:
        nav = nav.replace("one.xhtml#dams", "two.xhtml")
        files = _files(nav=nav, one=_page("<p>The river is long.</p>"))
        files["OEBPS/text/two.xhtml"] = _page(f"{anchor.format(heading)}<p>Dams hold.</p>")
    else:
        files = _files(nav=nav, one=one)
    document = read_bytes(_book(files), "a.epub")
    check_document(document)
    titles = [section.title for section in document.walk()]
    assert titles.count(title) == 1
    assert not any("Scope" in other for other in titles if other != title)
    place = sentences(document).index("Dams hold.")
    assert document.section_of(place).title == (title if "dams" in anchor else "Part Two")


def test_a_heading_longer_than_its_entry_is_a_section() -> None:
    dams = '<p id="dams">Dams hold it back.</p>'
    one = _page(f"<h1>The River and its Springs</h1><p>The river is long.</p>{dams}")
    assert outline(read_bytes(_book(one=one), "a.epub"))[1:3] == [
        (2, "1. The River"),
        (3, "The River and its Springs"),
    ]


@pytest.mark.parametrize(
    "listing", rows(__file__, "a_part_that_lists_others_is_neither_text_nor_section")
)
def test_a_part_that_lists_others_is_neither_text_nor_section(listing: str) -> None:
    nav = _NAV.replace("Part Two", "Where to find it")
    document = read_bytes(_book(nav=nav, two=_page(listing)), "a.epub")
    assert sentences(document)[-1] == "Dams hold it back."
    assert "contents or index line" in document.warnings[0]
    typed = "epub:type" in listing or "role" in listing
    assert ("Where to find it" in [title for _, title in outline(document)]) is not typed


def test_the_index_of_a_book_is_omitted_with_its_chapter() -> None:
    index = "<h1>Index</h1><h2>B</h2><p>boats, 3, 14</p><h2>D</h2><p>dams, 5</p>"
    files = _files(nav=_NAV.replace("Part Two", "Index"), two=_page(f'<div id="top">{index}</div>'))
    document = read_bytes(_book(files), "a.epub")
    assert [title for _, title in outline(document)][-1] == "2. The Dams"
    assert "2 contents or index lines (" in document.warnings[0]


def test_the_language_of_a_book() -> None:
    opf = _opf(_SPINE, _WITH_NAV)
    stated = opf.replace("</dc:title>", "</dc:title><dc:language>en_gb</dc:language>")
    assert read_bytes(_book(opf=stated), "a.epub").language == "en-GB"
    assert read_bytes(_book(opf=opf), "a.epub").language == "en"


NUMBERING = (
    "Appendix Annex Book Chapter Part Section Volume Anhang Annexe Band Buch Capítulo Capitolo "
    "Chapitre Deel Hoofdstuk Kapitel Livre Libro Parte Partie Teil Tome"
)


@pytest.mark.parametrize("word", NUMBERING.split())
def test_of_a_title_and_a_heading_with_a_number_or_without_the_fuller_is_read(word: str) -> None:
    for title in (f"{word} III: The Dams", f"{word} A, 12. The Dams"):
        assert _fuller(title, Heading(1, "The Dams")) == title
    for title in ("Of 3 The Dams", f"{word} III: The Dam", f"{word} III: The Dams of it"):
        assert _fuller(title, Heading(1, "The Dams")) == ""
    assert _fuller("The Dams", Heading(1, f"{word} III: The Dams")) == f"{word} III: The Dams"
