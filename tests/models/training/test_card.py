"""The card of a run states the run's counts, and nothing written by hand is lost."""

import json
import re
from pathlib import Path

import pytest

from longsum.common.errors import LongsumError
from longsum.models.training.card import BEGIN, END, describe_documents, replace_section, write_card
from longsum.models.training.documents import UsedData, load_used

ROOT = Path(__file__).parents[3]
SHIPPED = ROOT / "src" / "longsum" / "weights" / "extractor"
TAKEN = {
    "train": [
        UsedData("pmc_jats", "train", 3, 3, 2, {"cc-by-4.0": 2, "cc-by-nc-4.0": 1}),
        UsedData("qmsum", "train", 2, 7, 2, {"MIT": 2}),
    ],
    "validation": [UsedData("qmsum", "validation", 1, 1, 1, {"MIT": 1})],
}


def test_the_card_contains_the_record(tmp_path: Path) -> None:
    write_card(tmp_path, "tiny: For tests", TAKEN, {"eval_loss": 2.5})
    assert load_used(tmp_path / "documents.json") == [*TAKEN["train"], *TAKEN["validation"]]
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert text.startswith("# tiny: For tests\n")
    assert (
        "Learned from: 5 documents, which gave 10 training examples; 4 of them under licences"
        in text
    )
    assert "| pmc_jats | 3 | cc-by-4.0 (2); cc-by-nc-4.0 (1) |" in text
    assert "Measured on (validation): 1 documents; all of them under licences" in text
    assert "eval_loss 2.5" in text


def test_text_written_by_hand_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_text("My notes.\n", encoding="utf-8")
    write_card(tmp_path, "tiny", TAKEN, {"eval_loss": 2.5})
    assert path.read_text(encoding="utf-8") == "My notes.\n"
    path.write_text(f"Before.\n{BEGIN}\nOld.\n{END}\nAfter.\n", encoding="utf-8")
    write_card(tmp_path, "tiny", TAKEN, {"eval_loss": 2.5})
    text = path.read_text(encoding="utf-8")
    assert text.startswith(f"Before.\n{BEGIN}\n\nLearned from: 5 documents")
    assert text.endswith(f"{END}\nAfter.\n")
    assert "Old." not in text
    # A card without the whole part cannot be filled.
    with pytest.raises(LongsumError, match="no section between"):
        replace_section(f"Before.\n{BEGIN}\n", "told")


class TestShipped:
    """The card of the weights that ship, against the record beside them."""

    text = (SHIPPED / "README.md").read_text(encoding="utf-8")
    taken = load_used(SHIPPED / "documents.json")

    def test_its_part_equals_the_record(self) -> None:
        splits = {each.split: [one for one in self.taken if one.split == each.split]
                  for each in self.taken}  # fmt: skip
        assert replace_section(self.text, describe_documents(splits)) == self.text

    def test_all_training_documents_may_ship(self) -> None:
        learned = [each for each in self.taken if each.split == "train"]
        assert learned
        assert all(each.shippable == each.documents <= each.lessons for each in learned)
        assert all(sum(each.licenses.values()) == each.documents for each in learned)

    def test_no_other_line_names_another_number_of_documents(self) -> None:
        records = json.loads((SHIPPED / "documents.json").read_text(encoding="utf-8"))
        total = sum(each["documents"] for each in records if each["split"] == "train")
        claimed = re.findall(r"([\d,]+) documents that", self.text)
        results = (ROOT / "docs" / "results" / "extraction.md").read_text(encoding="utf-8")
        claimed += re.findall(r"of the ([\d,]+) documents that the\s+shipped", results)
        assert claimed
        assert {int(each.replace(",", "")) for each in claimed} == {total}
