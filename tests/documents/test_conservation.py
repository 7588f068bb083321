"""No prose is left out, whichever rule would omit it, and omissions can be kept."""

from random import Random

import pytest

from longsum import read, summarize
from longsum.documents.builder import DocumentBuilder
from longsum.documents.conservation import count_omissions, divide, omitted_share, tabbed
from longsum.documents.subset import keep

_PROSE = (
    "The river was seen by most of those who lived near it.",
    "Der Fluss wurde von den meisten gesehen, die an ihm wohnten.",
    "Le fleuve a été vu par la plupart de ceux qui vivaient près de lui.",
    "この川は冬になると上から下まで全て凍った。",
)
_NO_PROSE = (
    "Year\tRain\n1999\t12.5\n2000\t13.1",
    "この川は冬になると上から下まで全て凍る。",
    "Alice Brown, Robert Chen, Maria Lopez, Peter Kowalski, Jane Doe, Ann Lee.",
    "Rivers of the North ........ 12\nDams and Their Builders ........ 24",
    "for line in lines:\n\tif line.strip() and not line.startswith('#'):\n\t\tyield line.",
    "int main(void) { /* this is the place where it all begins and ends. */ return 0; }",
    "lint all\t# Look at all of the files in the folder, and in those below it.",
)


def test_whatever_is_left_out_the_document_holds_together_and_no_prose_is_lost(check_document):
    random = Random(7)
    for _ in range(80):
        builder, prose = DocumentBuilder(), []
        for number in range(random.randint(1, 8)):
            name = "abcdefgh"[number]
            match random.randint(0, 3):
                case 0:
                    builder.heading(random.randint(1, 3), random.choice(["", f"Part {name}"]))
                case 1:
                    builder.paragraph(f"The {name} dam holds. It is old.")
                case _:
                    prose.append(f"The {name} of it was seen by most of those who came.")
                    rows = random.choice(["", "1\t2\n3\t", "1\t2\n"])
                    kind = random.choice(["table", "code block", "menu", "running head"])
                    builder.omit(kind, rows + prose[-1] if kind == "table" else prose[-1])
            builder.omit(random.choice(["table", "footnote"]), random.choice(["", "4\t5"]))
        builder.language = "fi"
        document = builder.build(random.choice([None, "", "Rivers"]))
        assert all(document.text.count(text) == 1 for text in prose)
        whole = keep(document, ["all"])
        assert whole.language == document.language == "fi"
        assert len(keep(document, [" "]).omitted) == len(document.omitted)
        for each in (document, whole):
            check_document(each)
            places = [part.place for part in each.omitted]
            assert places == sorted(places)
        assert not any(part.text for part in whole.omitted)
        assert whole.text.count("4 5") == sum(p.text.count("4\t5") for p in document.omitted)


_VERBS = ("tells a shop which ad showed", "keeps for a shop")


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        *(("table", text) for text in _PROSE),
        *((kind, _PROSE[0]) for kind in ("contents line", "contents or index line", "form")),
        *((kind, _PROSE[0]) for kind in ("index line", "masthead", "menu")),
        ("table", "“The” (river): ‘was’ [seen], ‘by’ “most” of; those, who «lived» near it."),
    ],
)
def test_omitted_prose_is_put_back_in_its_place_and_the_rest_stays_out(
    kind: str, text: str
) -> None:
    builder = DocumentBuilder()
    builder.paragraph("It began with rain.")
    builder.omit(kind, f"12\t{text}\n13\t14", 3)
    builder.paragraph("It ended with snow.")
    document = builder.build()
    assert [s.text for s in document.sentences][1] == text
    assert document.sentences[1].page == 3
    assert document.omitted[0].text == "12\n13\t14"


def test_a_cell_about_its_row_is_a_fragment_even_if_most_cells_are() -> None:
    builder = DocumentBuilder()
    builder.paragraph("It rained.")
    of_rows = [f"This cookie {verb} what a visitor saw before." for verb in _VERBS]
    of_rows.append("Determines whether the visitor is asked before the page is shown.")
    for text in (_PROSE[0], *of_rows):
        builder.omit("table", f"name\t{text}")
    kinds = [sentence.kind for sentence in builder.build().sentences]
    assert kinds == ["prose", "prose", *("fragment" for _ in of_rows)]


def test_only_code_paragraphs_of_a_part_with_prose_stay_out() -> None:
    builder = DocumentBuilder()
    builder.paragraph("It began with rain.")
    builder.omit("code block", f"Title: Rivers\n\n\n{_PROSE[0]} It fell.\n\nflow(river);\nx = 1;")
    document = builder.build()
    assert [s.text for s in document.sentences][1:] == ["Title: Rivers", _PROSE[0], "It fell."]
    assert [part.text for part in document.omitted] == ["flow(river);\nx = 1;"]


def test_much_is_left_out_from_a_tenth_of_the_words_without_fields() -> None:
    builder = DocumentBuilder()
    builder.paragraph(f"It rained{88 * ' a lot'}.")
    builder.omit("table", "12 .. 13")
    builder.omit("e-mail header", 50 * "rain ")
    for kind in ("biography", "note to the editor", "reply to the article", "attribute entry"):
        builder.omit(kind)
        builder.omit(kind)
    document = builder.build()
    assert count_omissions(document) == (
        "1 table (2 words), 1 e-mail header (50 words), 2 biographies, 2 notes to the editor, "
        "2 replies to the article, 2 attribute entries"
    )
    for words, share in ((19, 0.0), (20, 0.1)):
        builder = DocumentBuilder()
        builder.sentences([180 * "rain "])
        builder.omit("table", words * "1 ")
        assert omitted_share(builder.build()) == share


def test_entries_of_a_menu_are_no_sentence_together() -> None:
    menu = "Previous topic\n6. How bridges were built of stone\t\nNext topic\n8. Mills"
    assert divide("menu", menu) == (
        [],
        "Previous topic\n6. How bridges were built of stone\nNext topic\n8. Mills",
    )
    assert divide("menu", f"Next topic\n{_PROSE[0]}") == ([_PROSE[0]], "Next topic")
    # Info wraps its entries, and prose that a damaged file has among them.
    assert divide("menu", f"* Dams::\n{_PROSE[0].replace(' by ', chr(10) + 'by ')}")[0]


@pytest.mark.parametrize(("more", "prose"), [("", True), (" far", True), (" distant", False)])
def test_of_ten_words_of_prose_one_is_short(more: str, prose: bool) -> None:
    text = f"Rivers carried water through several northern valleys toward{more} to great oceans."
    assert divide("table", text.replace("great ", "great\n")) == (
        ([text], "") if prose else ([], text)
    )


@pytest.mark.parametrize(
    "text",
    [
        "Die Bestimmung des Gehaltes erfolgt nach DIN 52183 (Ausgabe November 1977).",
        "and the answer of the server may then look like this:",
    ],
)
def test_german_and_the_lead_of_an_example_are_prose_in_code(text: str) -> None:
    builder = DocumentBuilder()
    builder.paragraph("It began with rain.")
    builder.omit("code block", f"x = 1;\n\n{text}\n\nfor each:\n  flow(each)")
    assert builder.build().sentences[1].text == text


@pytest.mark.parametrize("text", _NO_PROSE)
def test_figures_names_titles_and_programs_are_no_prose(text: str) -> None:
    builder = DocumentBuilder()
    builder.paragraph("It began with rain.")
    builder.omit("code block" if "\t" in text or "{" in text else "table", text)
    document = builder.build()
    assert len(document.sentences) == 1
    assert document.omitted[0].text == text


def test_repeated_text_is_not_put_back_and_running_heads_only_once_and_not_as_material():
    builder = DocumentBuilder()
    builder.heading(1, _PROSE[0])
    builder.paragraph("It began with rain.")
    for page in (1, 2, 3):
        builder.omit("running head", _PROSE[1], page)
    builder.omit("contents line", f"{_PROSE[0]} . . . . ........ 7")
    builder.omit("contents line", "3 The water of the river was at its highest in May . . 4")
    document = builder.build("Rivers")
    assert [s.text for s in document.sentences] == ["It began with rain.", _PROSE[1]]
    assert not document.sentences[1].is_material
    assert count_omissions(document) == "2 running heads (22 words), 2 contents lines (26 words)"


def test_omissions_are_reported_and_large_ones_prominently(tmp_path):
    file = tmp_path / "a.html"
    table = "<table><tr><th>Year</th><td>1999</td></tr><tr><th>Rain</th><td>12</td></tr></table>"
    file.write_text(f"<html><p>It rained a lot here.</p>{table}</html>")
    document = read(file)
    assert document.warnings[0].startswith("44% of the words are left out of the text: 1 table (4")
    notice = "44% of the document's words are left out of its text; the rest is given whole."
    for system in ("lead", "mls"):
        assert summarize(document, "100w", system).warnings[-1] == notice
    kept = read(file, keep=["tables"])
    assert summarize(kept, "100w", "lead").warnings[-1].startswith("The document is no longer")
    assert kept.text.endswith("Year 1999\n\nRain 12")
    assert kept.warnings == ()
    assert "No code to keep" in read(file, keep=["code"]).warnings[0]


def test_indentation_becomes_tabs() -> None:
    assert tabbed("if x:\n    y\n        z") == "if x:\n\ty\n\t\tz"
