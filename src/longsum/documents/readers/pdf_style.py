"""What the text of a PDF usually looks like: its font and size, the distance of its lines."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from longsum.documents.readers.pdf_page import PLAIN, Font, Line

_APART = 1.2
_SHARE = 0.01


@dataclass(frozen=True, slots=True)
class Usual:
    """The usual setting of the text.

    Attributes:
        size: Size of its font in points.
        font: Its font.
        leading: Distance of the baselines of its lines in points.
        width: Width of its lines in points.
        is_spaced: Whether some of its lines stand further apart, as headings and paragraphs do.
    """

    size: float = 1.0
    font: Font = PLAIN
    leading: float = 1.0
    width: float = 1.0
    is_spaced: bool = False


def usual_setting(lines: Sequence[Line]) -> Usual:
    """Return the setting of most characters of the lines."""
    lengths: Counter[tuple[float, Font]] = Counter()
    for line in lines:
        lengths[line.size, line.font] += len(line.text)
    if not lengths:
        return Usual()
    size, font = max(lengths, key=lengths.__getitem__)
    steps = [
        (before.width > 0.85, before.baseline - after.baseline)
        for before, after in pairwise(lines)
        if before.column == after.column
        and before.baseline > after.baseline
        and abs(before.size - size) < 0.3
    ]
    within = [step for is_full, step in steps if is_full] or [step for _, step in steps]
    leading = max(median(within) if within else 1.2 * size, 0.1)
    apart = sum(step > _APART * leading for _, step in steps)
    width = median(line.right - line.left for line in lines if line.size == size)
    return Usual(max(size, 0.1), font, leading, width, apart > _SHARE * len(steps))
