"""The copies of a document's sentences that a summary may contain."""

import pytest

from document_views import document_of
from longsum.core.extractive.copies import Copies
from longsum.core.loading import load_system
from longsum.core.summaries import Budget
from longsum.language.words import count_words


def test_shortening_removes_the_disfluencies_of_speech() -> None:
    said = "So we should uh build the -- the new bridge {vocalsound} of stone."
    document = document_of(*(f"{speaker}: {said}" for speaker in ("ANN", "BEN", "ANN", "BEN")))
    assert set(Copies.whole(document).texts) == {said}
    copies = Copies.shortened(document)
    assert set(copies.texts) == {"So we should build the new bridge of stone."}
    gone = [document.text[each.start : each.end] for each in copies.deletions[1]]
    assert gone == [" uh", "the -- ", " {vocalsound}"]


@pytest.mark.parametrize("system", ["lead", "graph", "mls"])
def test_printed_speech_is_no_longer_than_requested(system: str) -> None:
    turns = (f"{('BEN', 'DR. ANN MOORE')[n % 2]}: Bridge {n} is of stone." for n in range(40))
    document, found = document_of(*turns), load_system(system)
    summary = found.summarize(document, Budget(60))
    assert 50 < count_words(str(summary)) == summary.words == summary.reached <= 60
    assert found.summarize(document, Budget(100, "percent")).reached == 100
