from longsum.core.summaries import Summary


def picked(summary: Summary) -> list[int]:
    """Return the sentences in the order of the summary."""
    return [sentence.sources[0].sentence for sentence in summary.sentences]


def in_order(summary: Summary) -> list[int]:
    """Return the sentences in the order of choice."""
    ordered = sorted(summary.sentences, key=lambda sentence: sentence.step or 0)
    return [sentence.sources[0].sentence for sentence in ordered]
