"""What a summary says for the sentences of a document."""

import pytest

from longsum.core.extractive.copies import Copies
from longsum.core.loading import load_system
from longsum.core.summaries import Budget
from longsum.documents.builder import DocumentBuilder
from longsum.language.words import count_words


def test_shortened_speech_has_no_noise_and_whole_speech_keeps_it() -> None:
    said = "So we should uh build the -- the new bridge {vocalsound} of stone."
    builder = DocumentBuilder()
    for speaker in ("ANN", "BEN", "ANN", "BEN"):
        builder.paragraph(f"{speaker}: {said}")
    document = builder.build()
    assert set(Copies.whole(document).texts) == {said}
    copies = Copies.shortened(document)
    assert set(copies.texts) == {"So we should build the new bridge of stone."}
    gone = [document.text[each.start : each.end] for each in copies.deletions[1]]
    assert gone == [" uh", "the -- ", " {vocalsound}"]


@pytest.mark.parametrize("system", ["lead", "graph", "mls"])
def test_what_is_printed_of_speech_is_no_longer_than_asked(system: str) -> None:
    builder = DocumentBuilder()
    for turn in range(40):
        builder.paragraph(f"{'DR. ANN MOORE' if turn % 2 else 'BEN'}: Bridge {turn} is of stone.")
    document, found = builder.build(), load_system(system)
    summary = found.summarize(document, Budget(60))
    assert 50 < count_words(str(summary)) == summary.words == summary.reached <= 60
    assert found.summarize(document, Budget(100, "percent")).reached == 100
