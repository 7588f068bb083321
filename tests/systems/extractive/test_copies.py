"""What a summary says for the sentences of a document."""

from longsum.documents.builder import DocumentBuilder
from longsum.systems.extractive.copies import Copies


def test_noise_is_left_out_of_speech_alone() -> None:
    said = "So we should uh build the -- the new bridge {vocalsound} of stone."
    builder = DocumentBuilder()
    for speaker in ("ANN", "BEN", "ANN", "BEN"):
        builder.paragraph(f"{speaker}: {said}")
    document = builder.build()
    copies = Copies.whole(document)
    assert set(copies.texts) == {"So we should build the new bridge of stone."}
    gone = [document.text[each.start : each.end] for each in copies.deletions[1]]
    assert gone == [" uh", "the -- ", " {vocalsound}"]
    builder = DocumentBuilder()
    builder.paragraph(said)
    assert Copies.whole(builder.build()).texts == [said]
