"""What a summary says for the sentences of a document."""

from longsum.documents.builder import DocumentBuilder
from longsum.systems.extractive.copies import Copies


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
