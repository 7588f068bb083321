"""The model card of a run, with the documents it learned from as the run counted them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from longsum.common.errors import LongsumError
from longsum.common.files import write_text
from longsum.models.training.documents import UsedData, save_used

CARD = "README.md"
RECORD = "documents.json"
BEGIN = "<!-- What the run counted; longsum writes this part. -->"
END = "<!-- The end of what the run counted. -->"


def write_card(
    output: Path, title: str, used: Mapping[str, Sequence[UsedData]], metrics: Mapping[str, float]
) -> None:
    """Write the record of a run's documents, and a model card that summarises it.

    Of an existing card only the section between the two marks is replaced; one without the marks is
    left unchanged.

    Args:
        output: Folder of the result.
        title: First line of a new card.
        used: For each split, the documents that it holds of each data set.
        metrics: The last metrics.
    """
    save_used([part for split in used.values() for part in split], output / RECORD)
    path = output / CARD
    measured = ", ".join(f"{name} {value:.4g}" for name, value in metrics.items())
    section = f"{describe_documents(used)}\n\nThe last measurement: {measured}."
    if not path.exists():
        write_text(path, replace_section(f"# {title}\n\n{BEGIN}\n{END}\n", section))
        return
    text = path.read_text(encoding="utf-8")
    if BEGIN in text and END in text:
        write_text(path, replace_section(text, section))


def replace_section(card: str, section: str) -> str:
    """Return a card with the section between the two marks replaced.

    Raises:
        LongsumError: The card has no such section.
    """
    before, begin, rest = card.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise LongsumError(f"The card has no section between the lines '{BEGIN}' and '{END}'.")
    return f"{before}{begin}\n\n{section}\n\n{end}{after}"


def describe_documents(used: Mapping[str, Sequence[UsedData]]) -> str:
    """Describe in Markdown what a run used of each data set."""
    return "\n\n".join(
        f"{_summary(name, parts)}\n\n{_table(parts)}" for name, parts in used.items()
    )


def _summary(split: str, parts: Sequence[UsedData]) -> str:
    documents = sum(part.documents for part in parts)
    shippable = sum(part.shippable for part in parts)
    examples = sum(part.lessons for part in parts)
    purpose = "Learned from" if split == "train" else f"Measured on ({split})"
    which = "all of them" if shippable == documents else f"{shippable:,} of them"
    more = "" if examples == documents else f", which gave {examples:,} training examples"
    return (
        f"{purpose}: {documents:,} documents{more}; {which} under licences that allow a model "
        "trained on them to be redistributed."
    )


def _table(parts: Sequence[UsedData]) -> str:
    rows = [f"| {part.name} | {part.documents:,} | {_licenses(part.licenses)} |" for part in parts]
    return "\n".join(("| data set | documents | licences |", "|---|---|---|", *rows))


def _licenses(licenses: Mapping[str, int]) -> str:
    if len(licenses) == 1:
        return next(iter(licenses))
    return "; ".join(f"{license} ({count:,})" for license, count in licenses.items()) or "–"
