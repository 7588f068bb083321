from pathlib import Path

from longsum.datasets import load
from longsum.datasets.public.wikibiosum import divide_lead
from longsum.documents import DocumentBuilder


def test_sections_of_all_levels_and_the_lead(tmp_path: Path, write_lines) -> None:
    def section(title: str, *paragraphs: str, subsections: tuple = ()) -> dict:
        return {
            "section_title": title,
            "paragraphs": list(paragraphs),
            "subsections": list(subsections),
        }

    school = section("School", "She learned.")
    record = {
        "id": 7,
        "report": section("", subsections=(section("Life", "Born.", subsections=(school,)),)),
        "summary": ["Ada was a poet.", "She counted."],
    }
    write_lines(tmp_path / "wikibiosum/valid.jsonl", [record])
    (example,) = load("wikibiosum", "validation", root=tmp_path)
    assert (example.id, example.references) == ("7", ("Ada was a poet.\nShe counted.",))
    assert [(part.level, part.title) for part in example.document.walk()] == [
        (1, "Life"),
        (2, "School"),
    ]


def test_the_lead_is_what_stands_before_the_first_section() -> None:
    builder = DocumentBuilder()
    builder.paragraph("Ada was a poet. She counted.")
    builder.paragraph("She died.")
    builder.heading(1, "Life")
    builder.paragraph("Born.")
    rest, lead = divide_lead(builder.build("Ada"))
    assert lead == "Ada was a poet. She counted.\nShe died."
    assert rest.title == "Ada"
    assert [section.title for section in rest.walk()] == ["Life"]
    assert [sentence.text for sentence in rest.sentences] == ["Born."]


def test_without_a_lead_nothing_is_taken() -> None:
    builder = DocumentBuilder()
    builder.heading(1, "Life")
    builder.paragraph("Born.")
    article = builder.build("Ada")
    rest, lead = divide_lead(article)
    assert (rest.text, lead) == (article.text, "")
    assert divide_lead(DocumentBuilder().build("Nobody"))[1] == ""
