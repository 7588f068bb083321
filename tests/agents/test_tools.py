"""Answers about documents state their places, and nothing is made up."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest

import longsum
from longsum import LongsumError, ReadLimits
from longsum.agents.answers import LEAST, USUAL, Answer, CompleteAnswer, answer
from longsum.agents.folders import Folders, Shelf
from longsum.agents.tools import Tools, _notes, _Places
from longsum.core.summaries import Doubt, SourceSpan
from longsum.documents import DocumentBuilder
from longsum.documents.document_json import document_to_json

ANSWERS = Path(__file__).with_name("answers.json")
DAM = (
    "# Dam\n\nIt is old. The dam was finished in 1931 by the town.\n\n"
    "## Water\n\nThe lake freezes in winter."
)
TOWN = "The dam was finished in 1932 by the town. Fishermen sold their boats to the mill."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "dam.md").write_text(DAM)
    (tmp_path / "town.txt").write_text(TOWN)
    (tmp_path / "empty.txt").write_text("")
    # Names that no agent is told.
    (tmp_path / "a\nb.txt").write_text(TOWN)
    deep = tmp_path.joinpath(*["d" * 200] * 3)
    deep.mkdir(parents=True)
    (deep / "a.txt").write_text(TOWN)
    builder = DocumentBuilder()
    builder.paragraph("The town keeps a lake.", page=3)
    builder.heading(1, "Ice")
    builder.paragraph("The lake freezes in winter.", page=7)
    pages = document_to_json(builder.build(""))
    (tmp_path / "pages.json").write_text(json.dumps(pages))
    return tmp_path


@pytest.fixture
def tools(folder: Path) -> Iterator[Tools]:
    folders = Folders([folder])
    yield Tools(Shelf(folders, ReadLimits()), USUAL)
    folders.close()


def answered(tools: Tools, name: str, *given: object) -> dict[str, object]:
    values, text = answer(getattr(tools, name)(*given), None, USUAL, [])
    Answer.model_validate(values, strict=True)
    return {"asked": [name, *given], "values": values, "text": text.splitlines()}


@pytest.mark.parametrize("kept", json.loads(ANSWERS.read_text()), ids=lambda kept: kept["asked"][0])
def test_answers_are_those_recorded(tools: Tools, kept: dict[str, list[object]]) -> None:
    """Every value and line of them; `answered` makes the record."""
    assert answered(tools, *kept["asked"]) == kept


def test_a_section_and_a_sentence_are_read_word_for_word(tools: Tools, folder: Path) -> None:
    (folder / "long.md").write_text(f"# Long\n\nIt is so. The sentence {'goes on ' * 900}here.")
    document = longsum.read(folder / "long.md")
    section, sentence = document.walk()[0], document.sentences[1]
    for found, whole in (
        (tools.read_section("long.md", 0), section),
        (Tools(tools._shelf, LEAST).find("long.md", "sentence"), sentence),
    ):
        assert len(found.passages) > 1
        texts = [document.text[each["start"] : each["end"]] for each in found.passages]
        assert [each["text"] for each in found.passages] == texts
        assert "".join(texts) == document.text[whole.start : whole.end]


def test_of_much_the_best_is_given(tools: Tools, folder: Path) -> None:
    for hits, notices in ((200, ()), (201, ("201 sentences were found; the best 200 are given.",))):
        text = " ".join(f"Sea {number} is wide." for number in range(hits))
        (folder / "many.txt").write_text(text)
        found = tools.find("many.txt", "sea")
        assert (len(list(found.passages)), tuple(found.notices)) == (200, notices)
    half = tools.check("The sea is wide\ud83d.", ["many.txt"])
    assert [each["text"] for each in half.passages] == ["The sea is wide?."]
    document = longsum.read_bytes(DAM.encode())
    assert len(_Places(document).spans([SourceSpan.of(document, 0)] * 9)) == 4
    paged = longsum.read(folder / "pages.json")
    second = paged.sentences[1]
    place = {"start": second.start, "end": second.end}
    assert _Places(paged).stretch(range(*place.values())) == {**place, "page": 7}
    doubt = Doubt("number", "differs", "document", "two", 0, 3, "three", 0)
    notes = _notes([doubt] * 9, "x " * 200)["notes"]
    assert len(notes) == 4
    assert 190 < len(notes[3]) <= 200
    values, _ = answer(CompleteAnswer("a", "", [], ["It is so."] * 9), None, USUAL, [])
    assert values["notices"] == ["It is so."] * 4


def test_a_phrase_comes_before_its_words(tools: Tools, folder: Path) -> None:
    wide = "A lake is wide."
    text = f"{wide} Lake, lake: it freezes, freezes. The lake freezes in winter. {wide}"
    (folder / "more.txt").write_text(text)
    found = tools.find("more.txt", "lake  FREEZES").passages
    assert [each["literal"] for each in found] == [True, False, False, False]
    # Then the most relevant, and of what is as relevant the first.
    assert [each["text"][:6] for each in found] == ["The la", "Lake, ", "A lake", "A lake"]
    assert found[2]["start"] == 0


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda tools: tools.outline("none.txt"), "There is no file 'none.txt' in the folders;"),
        (lambda tools: tools.outline("../dam.md"), "nothing else may be read"),
        (lambda tools: tools.outline("empty.txt"), "is empty"),
        (
            lambda tools: tools.read_section("dam.md", 9),
            "There is no section 9; 'outline' lists 0 to 1.",
        ),
        (lambda tools: tools.find("dam.md", " "), "The query is empty"),
        (lambda tools: tools.summarize(["dam.md"], "no", None, None), "is not a length"),
        (
            lambda tools: tools.summarize(["dam.md"], "9w", None, "/etc"),
            "There is no system '/etc'",
        ),
        (lambda tools: tools.summarize(["a", "b"], "9w", None, None), "No document can be read"),
        (lambda tools: tools.check("", ["dam.md"]), "is empty"),
    ],
)
def test_errors_are_sentences(tools: Tools, ask, says: str) -> None:
    with pytest.raises(LongsumError, match=says.replace("(", r"\(").replace(".", r"\.")):
        ask(tools)


def test_a_content_is_read_once_while_it_is_used(tools, folder, monkeypatch) -> None:
    read: list[bytes] = []

    def counting(data: bytes, *given: object, **named: object) -> longsum.Document:
        read.append(data)
        return longsum.read_bytes(data, *given, **named)

    monkeypatch.setattr("longsum.agents.folders.read_bytes", counting)
    monkeypatch.setattr("longsum.agents.folders.MOST_CHARACTERS", 300)
    first, second, third = (folder / f"{number}.txt" for number in range(3))
    for number, file in enumerate((first, second, third)):
        file.write_text(f"It is {number}. {'The sea is wide. ' * 7}")
    # Two are kept: those that were used last.
    for file in (first, second, first, third, first, second):
        tools.find(file.name, "sea")
    assert [data[6:7] for data in read] == [b"0", b"1", b"2", b"1"]
    found = tools.find(second.name, "sea")
    second.write_text(f"It is new. {'The sea is wide. ' * 40}")
    assert tools.find(second.name, "sea").identity != found.identity
    assert tools.find(second.name, "sea").passages
    assert len(read) == 5
    # The same content under another name is another document.
    (folder / "other.txt").write_text(TOWN)
    names = ["town.txt", "other.txt"]
    assert [tools.find(name, "town").about for name in names] == names


def test_nothing_is_written_or_sent(tools, folder, monkeypatch) -> None:
    before = sorted(each.name for each in folder.iterdir())
    opened = Mock(side_effect=AssertionError("a socket was opened"))
    monkeypatch.setattr(socket, "socket", opened)
    tools.summarize(["dam.md", "town.txt"], "30w", None, None)
    tools.questions("dam.md", "Who sold boats?", None, "20w")
    tools.check("It is old.", ["dam.md"])
    assert sorted(each.name for each in folder.iterdir()) == before
