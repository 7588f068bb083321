"""The kind of a sentence follows from structure, place and form, and is preserved."""

from typing import get_args

import pytest

from document_views import document_of
from longsum.common.errors import LongsumError
from longsum.documents.document_json import document_from_json, document_to_json
from longsum.documents.model import MATERIAL, Kind
from longsum.documents.readers import read_bytes
from longsum.documents.subset import subset
from schemas import SCHEMAS
from tables import rows, tables

BODY = [
    "The river rose for three days and took the bridge with it.",
    "Nobody was hurt, as the village had been warned in time.",
    "The new bridge was built of stone in the following year.",
    "It has stood in every flood since then, and still stands.",
]


def kinds(*paragraphs, title="Floods"):
    document = document_of(f"# {title}", *BODY, *paragraphs)
    return [sentence.kind for sentence in document.sentences][len(BODY) :]


def told():
    """Yield the texts of paragraphs with their kinds."""
    for kind, paragraphs in tables(__file__)["kinds"].items():
        yield from ((each, kind) for each in paragraphs)


BOOK = "THE BOOK RIVERS"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *told(),
        *((f"Rivers{n * ' rain'}", kind) for n, kind in ((13, "heading"), (14, "fragment"))),
        (f"- Integration{5 * ' of rain'} again.", "fragment"),
        (f"- Integration{6 * ' of rain'}.", "list_item"),
    ],
)
def test_a_paragraph_has_the_kind_of_its_form(text, kind):
    assert kinds(text) == [kind]


@pytest.mark.parametrize(
    ("paragraphs", "found"),
    rows(__file__, "lead_ins_go_with_their_lists_and_remarks_with_captions")
)  # fmt: skip
def test_lead_ins_belong_to_lists_and_remarks_to_captions(paragraphs, found):
    assert kinds(*paragraphs) == found


@pytest.mark.parametrize(
    ("numbers", "notes"),
    [((1, 2, 3), (1, 2, 3)), ((1, 2), ()), ((1, 20, 30, 2, 3), (1, 2, 3)), ((3, 2, 1), ()),
     ((1, 20, 30, 40, 2, 3), ())],
)  # fmt: skip
def test_footnotes_count_up_with_few_numbers_between_them(numbers, notes):
    found = kinds(*(f"{n} The village asked. It was heard." for n in numbers))
    assert found == ["footnote" if n in notes else "prose" for n in numbers for _ in range(2)]


@pytest.mark.parametrize(("names", "most"), [(("",), 12), (("ANN: ", "BEN: "), 54)])
def test_fragments_are_material_if_there_is_little_else(names, most):
    for number in (most, most + 1):
        opening = f"{names[0]}The river took the bridge away from the village."
        asked = (f"{names[place % len(names)]}As what?" for place in range(number))
        first, *others = (sentence.kind for sentence in document_of(opening, *asked).sentences)
        assert first == "prose"
        assert set(others) == {"fragment" if number == most else "prose"}


@pytest.mark.parametrize(
    "text",
    [
        "one more text all in lower case <dig> . and another of these <cit> .",
        "Der Fluss stieg drei Tage lang. Niemand wurde verletzt.",
        "河水上涨了三天。没有人受伤。新桥是用石头建造的。",
        "Yes. No. Right, right. Well. Of course.",
        "one line without an end\n\nanother line without one\n\na third of them",
    ],
)
def test_a_document_of_another_form_stays_material(text):
    assert {sentence.kind for sentence in read_bytes(text.encode()).sentences} == {"prose"}


SPOKEN = [f"{name}: You know, {text}" for text in BODY for name in ("ANN", "BEN")]


def test_contacts_are_none_in_speech():
    contact = "Write to the mayor at village@example.org about the bridges."
    assert kinds(contact) == ["contact"]
    assert kinds(*SPOKEN, f"ANN: {contact}")[-1] == "prose"


@pytest.mark.parametrize(
    ("said", "kind"), rows(__file__, "what_is_said_is_material_if_it_says_something")
)
def test_a_turn_is_material_if_it_has_content(said, kind):
    assert kinds(*SPOKEN, f"ANN: {said}")[-1] == kind
    assert kinds(said) == ["prose"]


def test_speech_that_is_often_broken_off_keeps_its_fragments():
    broken = ["ANN: So we were going to look at the bridge and the --", "BEN: Yes, and the dam --"]
    document = document_of(*3 * broken, "ANN: We should rebuild the whole bridge in stone.")
    *broken, last = [sentence.kind for sentence in document.sentences]
    assert (set(broken), last) == ({"fragment"}, "prose")


def test_formats_state_kinds():
    page = b"<ul><li>A bridge is of stone</li></ul><div role='doc-footnote'><p>It fell.</p></div>"
    text = "".join(f"<p>{line}</p>" for line in BODY).encode()
    found = read_bytes(b"<html><body>" + text + page + b"</body></html>").sentences
    assert [s.kind for s in found[len(BODY) :]] == ["list_item", "footnote"]
    found = read_bytes(
        ("\n\n".join(BODY) + "\n\n- A bridge\n- It is of stone\n").encode()
    ).sentences
    assert found[-1].kind == "list_item"


def test_among_numbered_paragraphs_an_item_is_text():
    long = "the court held that the river belongs to the village, which had it since 1710"
    paragraph = f"1. Here {long}, and that nobody else may draw any water from it in a dry summer."
    items = ("2. The appeal is dismissed.", "3. The grounds are these:", "(a) No notice was given.")
    told = ["prose", "prose", "prose", "list_item"]
    assert kinds(paragraph, *items) == told
    # One that is long is text also below what leads into items.
    assert kinds(*items[1:], paragraph) == ["prose", "list_item", "prose"]
    # Few words of this one stand in long items.
    rest = [f"In {year} {long}." for year in range(1900, 1909)]
    assert kinds(*rest, paragraph, *items) == ["prose"] * 9 + ["list_item"] * 4


def test_an_item_in_lower_case_needs_its_lead_in():
    items = ("(a) the owner has asked for it.", "- grep has been asked for it.")
    assert kinds(*items) == ["fragment", "list_item"]
    assert kinds("The court may sell it if:", *items) == ["prose", "list_item", "list_item"]


def test_items_that_repeat_a_title_are_contents():
    text = "\n\n".join(["# Floods", "- It is of stone now\n- The village asked", *BODY])
    items = {
        s.text: s.kind for s in read_bytes(f"{text}\n\n## It is of stone now\n".encode()).sentences
    }
    assert items["It is of stone now"] == "heading"
    assert items["The village asked"] != "heading"


def test_a_part_of_a_document_keeps_kinds_and_speakers():
    document = document_of("ANN: I agree.", "BEN: Yes.", "ANN: (sighs)", "BEN: It is late.")
    part = subset(document, [1, 2])
    assert [(s.kind, s.speaker) for s in part.sentences] == [
        (s.kind, s.speaker) for s in document.sentences[1:3]
    ]
    assert document_from_json(document_to_json(document)) == document


def test_kinds_in_files_are_those_of_the_schema():
    paragraph = SCHEMAS["document-1"]["properties"]["paragraphs"]["items"]["properties"]
    known = paragraph["sentences"]["items"]["properties"]["kind"]["enum"]
    assert set(known) == set(get_args(Kind)) > MATERIAL


@pytest.mark.parametrize("wrong", [{"kind": "poem"}, {"kind": None}, {"speaker": 3}])
def test_a_file_with_another_kind_is_damaged(wrong):
    data = document_to_json(document_of(BODY[0]))
    sentence = data["paragraphs"][0]["sentences"][0]
    assert set(sentence) == {"start", "end", "page"}
    sentence.update(wrong)
    with pytest.raises(LongsumError, match="damaged"):
        document_from_json(data)


def test_the_opening_of_a_document_is_about_the_whole():
    document = document_of("This chapter describes how bridges were built.", *BODY)
    assert document.sentences[0].kind == "prose"


def manual(*paragraphs, title):
    body = (f"It is the gauge_open_{n}() function that has to be called first." for n in range(20))
    document = document_of("# Gauges", *body, f"# {title}", *paragraphs)
    return [sentence.kind for sentence in document.sentences][20:]


@pytest.mark.parametrize(
    ("text", "entry", "elsewhere"),
    rows(__file__, "what_a_manual_says_of_an_entry_is_nothing_without_it"),
)
def test_a_description_in_a_manual_is_a_fragment_without_its_entry(text, entry, elsewhere):
    assert manual(text, title="gauge_level()") == [entry]
    assert manual(text, title="How rivers are measured") == [elsewhere]
    assert kinds(text) == ["fragment" if text[0] == "[" else "prose"]


def test_a_lead_in_to_omitted_code_leads_nowhere():
    page = (
        "<p>The river rises every spring and floods the town.</p>"
        "<p>These are the commands that measure a river:</p><pre>gauge rhine</pre>"
        "<ul><li>The first opens a river.</li></ul>"
        "<p>These are the rivers that can be measured:</p>"
        "<ul><li>The Rhine rises in the mountains.</li></ul>"
        "<p>Each command takes options, e.g.</p><pre>gauge rhine -v</pre>"
        "<p>The river falls every autumn.</p>"
    )
    found = read_bytes(page.encode(), "gauges.html").sentences
    assert [sentence.kind for sentence in found] == [
        "prose", "fragment", "list_item", "prose", "list_item", "fragment", "prose"
    ]  # fmt: skip


@pytest.mark.parametrize("first", ["THE BOOK RIVERS", "THE BOOK FLOODS"])
@pytest.mark.parametrize("opening", ["{}", "<pre>\n{}\n</pre>"])
def test_text_outside_begin_and_end_lines_is_about_the_file(first, opening) -> None:
    said = "<p>This file may be given to anyone in the country.</p>"
    told = "<p>The river rose in the night and took the bridge of the mill away.</p>" * 9
    start, end = (f"*** {edge} OF {name} ***" for edge, name in [("START", first), ("END", BOOK)])
    page = f"<body>{said}{opening.format(start)}<h2>One</h2>{told}<p>{end}</p>{said}</body>"
    sentences = read_bytes(page.encode(), "a.html").sentences
    about = [s.kind == "boilerplate" for s in sentences if s.text.startswith("This file")]
    assert about == [first == BOOK] * 2
    assert sum(s.kind == "prose" for s in sentences if s.text.startswith("The river")) == 9
