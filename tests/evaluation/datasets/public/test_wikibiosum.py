from pathlib import Path

from longsum.evaluation.datasets import load


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
        "born": 1815,
    }
    write_lines(tmp_path / "wikibiosum/valid.jsonl", [record])
    (example,) = load("wikibiosum", "validation", root=tmp_path)
    assert example.extra == {"born": 1815}
    assert (example.id, example.references) == ("7", ("Ada was a poet.\nShe counted.",))
    assert [(part.level, part.title) for part in example.document.walk()] == [
        (1, "Life"),
        (2, "School"),
    ]
