"""The card of a run: what was learned from, as the run itself counted it."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from longsum.errors import LongsumError
from longsum.files import write_text
from longsum.training.documents import Taken, save_taken

CARD = "README.md"
RECORD = "documents.json"
BEGIN = "<!-- What the run counted; longsum writes this part. -->"
END = "<!-- The end of what the run counted. -->"


def write_card(
    output: Path, title: str, taken: Mapping[str, Sequence[Taken]], metrics: Mapping[str, float]
) -> None:
    """Write the record of a run's documents, and a card that tells of it, beside the model.

    A card that somebody has written keeps all but the part between the two marks; one without the
    marks is left as it is.

    Args:
        output: Folder of the result.
        title: The first line of a card that is not there yet.
        taken: What each split has of each data set.
        metrics: The last measurement.
    """
    save_taken([each for split in taken.values() for each in split], output / RECORD)
    path = output / CARD
    measured = ", ".join(f"{name} {value:.4g}" for name, value in metrics.items())
    told = f"{told_documents(taken)}\n\nThe last measurement: {measured}."
    if not path.exists():
        write_text(path, with_part(f"# {title}\n\n{BEGIN}\n{END}\n", told))
        return
    text = path.read_text(encoding="utf-8")
    if BEGIN in text and END in text:
        write_text(path, with_part(text, told))


def with_part(card: str, told: str) -> str:
    """Return a card with the part between the two marks replaced.

    Raises:
        LongsumError: The card has no such part.
    """
    before, begin, rest = card.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise LongsumError(f"The card has no part between the lines '{BEGIN}' and '{END}'.")
    return f"{before}{begin}\n\n{told}\n\n{end}{after}"


def told_documents(taken: Mapping[str, Sequence[Taken]]) -> str:
    """Tell in Markdown what a run has of each data set."""
    return "\n\n".join(
        f"{_sum_of(name, parts)}\n\n{_table(parts)}" for name, parts in taken.items()
    )


def _sum_of(split: str, parts: Sequence[Taken]) -> str:
    documents = sum(part.documents for part in parts)
    shippable = sum(part.shippable for part in parts)
    lessons = sum(part.lessons for part in parts)
    used = "Learned from" if split == "train" else f"Measured on ({split})"
    which = "all of them" if shippable == documents else f"{shippable:,} of them"
    more = "" if lessons == documents else f", which gave {lessons:,} lessons"
    return (
        f"{used}: {documents:,} documents{more}; {which} under licences that let what is trained "
        "on them be handed on."
    )


def _table(parts: Sequence[Taken]) -> str:
    rows = [f"| {part.name} | {part.documents:,} | {_licenses(part.licenses)} |" for part in parts]
    return "\n".join(("| data set | documents | licences |", "|---|---|---|", *rows))


def _licenses(licenses: Mapping[str, int]) -> str:
    if len(licenses) == 1:
        return next(iter(licenses))
    return "; ".join(f"{license} ({count:,})" for license, count in licenses.items()) or "–"
