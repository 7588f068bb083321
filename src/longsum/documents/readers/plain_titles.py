"""Finds the headings of plain text that have neither a number nor capitals: `How It Works`.

Such a line looks like any other that is alone; what tells is the text around it: it has no end
where all paragraphs have one, and a paragraph stands below it.
"""

import re
from collections import Counter
from collections.abc import Sequence

from longsum.documents.readers.headings import heading_rank
from longsum.documents.readers.plain_layout import indent
from longsum.documents.readers.plain_lines import MOST_IN_A_ROW, is_question_title
from longsum.language.forms import is_caption, is_contact, is_note
from longsum.language.prose import ends_as_sentence

_MOST_WORDS = 14
_FEWEST_BELOW = 8
"""Fewest words of the paragraph below."""
_MOST_ALIKE = 2
"""Most headings with the same words; a line that stands more often names who speaks."""
_LEAST_ENDED = 0.7
"""Least share of the paragraphs that end like a sentence, so that a line without an end tells."""
_NO_ENDS = tuple('.!;:,-–—…"”')
_CELLS = re.compile(r"\S(?:\t|\s{3,}|\s?\|\s?)\S")


def find_titles(blocks: Sequence[Sequence[str]]) -> set[int]:
    """Return the positions of the blocks that are headings by the text around them.

    Args:
        blocks: The lines of each paragraph, title or table of a text.
    """
    paragraphs = [lines for lines in blocks if _words(lines) >= _FEWEST_BELOW]
    ended = sum(ends_as_sentence(lines[-1].strip()) for lines in paragraphs)
    if not paragraphs or ended < _LEAST_ENDED * len(paragraphs):
        return set()
    shaped = {place for place, lines in enumerate(blocks) if _may_be_title(lines)}
    alike = Counter(blocks[place][0].strip() for place in shaped)
    found: set[int] = set()
    run: list[int] = []
    for place, lines in enumerate(blocks):
        if place in shaped or (len(lines) == 1 and heading_rank(lines[0].strip()) is not None):
            run.append(place)
            continue
        if _words(lines) >= _FEWEST_BELOW and len(run) <= MOST_IN_A_ROW:
            found.update(run)
        run = []
    return {
        place
        for place in found & shaped
        if alike[blocks[place][0].strip()] <= _MOST_ALIKE and _after_end(blocks, place, found)
    }


def _words(lines: Sequence[str]) -> int:
    return sum(len(line.split()) for line in lines)


def _may_be_title(lines: Sequence[str]) -> bool:
    if len(lines) != 1:
        return False
    text = lines[0].strip()
    words = text.split()
    if not 0 < len(words) <= _MOST_WORDS or not text[0].isupper() or text.endswith(_NO_ENDS):
        return False
    # A question may be text as well; in a title all words have capitals.
    if text.endswith("?") and not is_question_title(text):
        return False
    if _CELLS.search(text) or is_caption(text) or is_contact(text) or is_note(text):
        return False
    return sum(map(str.isalpha, text)) >= 0.6 * len(text)


def _after_end(blocks: Sequence[Sequence[str]], place: int, titles: set[int]) -> bool:
    """Return whether what stands above a block has ended."""
    if place == 0 or place - 1 in titles:
        return True
    above = blocks[place - 1][-1] if blocks[place - 1] else ""
    return ends_as_sentence(above.strip()) or indent(above) > indent(blocks[place][0])
