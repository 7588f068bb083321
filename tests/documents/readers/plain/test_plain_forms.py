import re
from pathlib import Path

import pytest

from document_views import outline
from linear_time import assert_linear
from longsum.documents import Document, Source
from longsum.documents.readers.detect import parse
from longsum.documents.readers.plain.plain_forms import (
    InfoFile,
    as_info,
    as_man_page,
    indented_heading,
)
from longsum.documents.readers.plain.spoken_forms import as_captions, as_chat, as_screenplay
from longsum.documents.readers.plain.text import read_text
from tables import rows

_PAGE = (Path(__file__).parents[1] / "readings" / "tar.txt").read_text(encoding="utf-8")


def _read(text: str) -> Document:
    return read_text(text, Source("a.txt"))


@pytest.mark.parametrize("opening", ["", "\n\n", " \n\t\n"])
def test_headings_of_a_manual_page_in_any_language(opening: str) -> None:
    page = _PAGE.replace("NAME", "名前").replace("BUGS", "Fehler")
    assert {(1, "名前"), (1, "Fehler")} <= set(outline(_read(opening + page)))


def test_in_other_texts_only_capitals_over_indented_lines_are_headings() -> None:
    text = (
        "An opening.\n\nSCOPE\n    What it is about.\n\nHe said\n    this much.\n\n"
        "1. First\n   item here.\n"
    )
    document = _read(text)
    assert outline(document) == [(1, ""), (1, "SCOPE")]
    assert document.warnings == ()
    assert len(document.sentences) == 4


def test_the_lines_that_run_through_a_manual_page_have_at_most_three_hundred_characters() -> None:
    head, longer = f"LS(1){290 * ' '}LS(1)", f"LS(1){291 * ' '}LS(1)"
    rest = "NAME\n   ls-\u2010\n   lines it\u2010\n   self.\n x   LS(1)\nGNU  LS(1)"
    page = as_man_page(f"{head}\n{longer}\n{rest}\n{head}")
    assert page is not None
    text = f"{longer}\n{rest}".replace("it\u2010\n   self", "itself")
    assert (page.title, page.text, page.running) == ("LS(1)", text, [head, head])
    assert as_man_page(f"{longer}\n{rest}") is None


@pytest.mark.parametrize(
    ("lines", "rank", "in_manual"), rows(__file__, "headings_over_indented_lines")
)
def test_headings_over_indented_lines(lines, rank, in_manual) -> None:
    assert indented_heading(lines, man_page=False) == rank
    assert indented_heading(lines, man_page=True) == in_manual


def test_nodes_of_an_info_file_without_menus_indexes_and_tables_of_tags() -> None:
    nodes = [
        "Notice\n",
        "\nFile: a.info,  Node: Top\n\nTop\n***\n\nRiver\n====\n\nA *note Gauges::, and see *note "
        "The\nGauges: (b)Gauges. *Note X: Y.\n\n* Menu:\n\n* Gauges::\n",
        "\nFile: a.info,  Node: Index\n\nIndex\n*****\n\n\0\b[index\0\b]\n* Menu:\n\n* dam: Top.\n",
        *("\nTag Table:\nNode: Top\n", "\nEnd Tag Table\n", "\nLocal Variables:\n"),
    ]
    assert as_info("\x1f".join(nodes)) == InfoFile(
        "Top\n===\n\nRiver\n----\n\nA see Gauges, and see The Gauges. See X.",
        [("notice", "Notice"), ("menu", "* Gauges::"), ("index line", "* dam: Top.")],
    )


def test_other_texts_are_none():
    assert as_info("A text.\x1fFile: none") is None
    assert as_info("File: a.info,  Node: Top\n\nText.") is None


@pytest.mark.timing
@pytest.mark.parametrize(
    "unit", ["x", " ", "*note ", "*note a:" + " " * 90, "see *note a: (b)c ", "-\n"]
)
def test_in_linear_time(unit: str) -> None:
    node = "\x1f\nFile: a.info,  Node: Top,  Up: (dir)\n\n"
    assert_linear(lambda size: as_info(node + unit * size), 10_000)


TIMES = [("01,000", "02,000"), ("06,000", "07,000"), ("11,000", "12,000"), ("16,001", "17,000")]


def captions(*said: str, more: int = 0) -> str | None:
    lines = [
        f"{n}\n00:00:{start} --> 00:00:{end}\n{text}\n"
        for n, ((start, end), text) in enumerate(zip(TIMES, said, strict=False))
    ]
    return as_captions("\n".join(lines) + more * "\nx")


@pytest.mark.parametrize(
    ("said", "shown"),
    rows(__file__, "captions")
)  # fmt: skip
def test_captions(said: list[str], shown: str | None) -> None:
    assert captions(*said) == shown


def test_pauses_are_counted_over_minutes_and_hours() -> None:
    times = [("58:59,9", "59:59,5"), ("1:00:03,5", "1:00:04,0"), ("1:00:08,1", "2:00:00,0")]
    lines = [f"{start} --> {end}\nIt is {n}.\n" for n, (start, end) in enumerate(times)]
    assert as_captions("\n".join(lines)) == "It is 0. It is 1. \n\nIt is 2. "


def test_at_least_one_in_twelve_lines_of_captions_is_a_time() -> None:
    assert captions("a", "b", "c", more=24) is not None
    assert captions("a", "b", "c", more=25) is None


SAID = [
    ("Maria Lopez", "9:12", "Did anyone hear back from the landlord?"),
    ("Tom de Vries", "9:14", "Yes, he called last night. A plumber comes on Thursday."),
    ("Maria Lopez", "9:21", "I'll be at home: I work there that day."),
    ("Tom de Vries", "9:25", f"Then I'll tell him{100 * ' too'}."),
]


@pytest.mark.parametrize("form", rows(__file__, "chats_and_transcripts_say_who_speaks"))
def test_chats_and_transcripts_have_speakers(form: str) -> None:
    lines = [form.format(name=name, time=time, text=text) for name, time, text in SAID]
    found = [(each.speaker, each.text) for each in _read("\n".join(lines)).sentences]
    said = [(name, part) for name, _, text in SAID for part in re.split(r"(?<=\.) ", text)]
    assert found == said


@pytest.mark.parametrize(
    "form",
    [
        *("[17:03] <{}> {}", "17:03:09 <@{}> {}", "5:03 PM <{}>\n{}"),
        *("[2026-03-01T17:03:09.250Z]\t<{}>\t{}", "2026-03-01T17:03:09+01:00 <{}> {}"),
    ],
)
def test_irc_logs_have_speakers_and_omit_system_lines(form: str) -> None:
    said = [("ana", "The build fails."), ("tom_2", "Ask Li."), ("ana", "No."), ("li", "It works.")]
    lines = [form.format(name, text) for name, text in said]
    lines.insert(2, "[17:04] -!- li [~li@host] has joined #build")
    lines[3:3] = ["17:04 * li waves", "[2026-03-01T17:04:00+0100]  "]
    turns = [f"{name}: {text}" for name, text in said]
    turns[2:2] = ["[li [~li@host] has joined #build]", "[li waves]"]
    assert as_chat("\n".join(lines)) == "\n\n".join(turns)


def test_a_scribe_in_irc_names_the_speakers() -> None:
    said = [("ana", "Hello."), *[("li", "Ana: The build fails."), ("li", "Tom: No.")] * 2]
    told = as_chat("\n".join(f"17:03 <{name}> {text}" for name, text in [*said, ("li", "Bye.")]))
    turns = ["ana: Hello.", *["Ana: The build fails.", "Tom: No."] * 2, "li: Bye."]
    assert told == "\n\n".join(turns)


@pytest.mark.parametrize(
    "text",
    [
        "Keynote 9:00 AM\nAna speaks.\nCoffee 10:30 AM\nTalks 11:00 AM\nBen speaks.",
        "10-30-2019 17:11 PDT\nFixes.\n" * 5,
        "2026-11-01 14:36:25 startup archives unpack\n" * 5,
        "Alone  9:12 AM\nHello.\n" * 5,
        "12:03:01 <info> Link up.\n12:03:02 <warn> Link down.\n12:03:04 <info> Link up.\n" * 2,
    ],
)
def test_other_texts_with_times_are_no_chat(text: str) -> None:
    assert as_chat(text) is None


@pytest.mark.parametrize("indent", ["", " " * 12])
@pytest.mark.parametrize("mark", ["", "# ACT I\n\n"])
def test_screenplays_have_scenes_and_speakers(indent: str, mark: str) -> None:
    scene = ("INT. MILL - DAY", "Ann is *here*.", "ANN (V.O.)\n(low)\nI saw it.", "BEN ^\nAnd me.")
    blocks = [*scene, "CUT TO:", *scene, "> THE END <", *scene, "> SMASH CUT TO:", *scene]
    script = "\n\n".join(indent + block.replace("\n", f"\n{indent}") for block in blocks)
    plays = as_screenplay(mark + script)
    assert plays is not None
    heading = "#### INT. MILL - DAY" if mark else "INT. MILL - DAY"
    turns = [heading, "Ann is here.", "ANN (low): I saw it.", "BEN: And me."]
    assert plays.split("\n\n")[bool(mark) :] == [
        *[*turns, "[CUT TO:]", *turns, "THE END", *turns, "[SMASH CUT TO:]", *turns]
    ]
    document = parse((mark + script).encode())
    assert {"ANN", "BEN", ""} == {sentence.speaker for sentence in document.sentences}
    assert [title for _, title in outline(document) if "MILL" in title] == ["INT. MILL - DAY"] * 4


@pytest.mark.parametrize("text", ["INT. A\n\nEXT. B", "```\nINT. A\n\nEXT. B\n\nINT. C\n```"])
def test_a_few_scenes_or_an_example_of_them_are_no_screenplay(text: str) -> None:
    assert as_screenplay(text) is None
