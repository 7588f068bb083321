from longsum.core.loading import load_system
from longsum.core.summaries import Budget
from longsum.core.summaries.formats import MEANINGS, to_markdown, to_text

# The small document has no list, no sentence that needs another, and no decision.
NETWORK = {
    name: meaning
    for name, meaning in MEANINGS.items()
    if name not in ("antecedent", "outcome", "bare_item")
}


def test_reasons_are_explained_where_they_are_shown(small) -> None:
    chosen = load_system("stepwise").summarize(small, Budget(40))
    for write in (to_text, to_markdown):
        told, short = write(chosen, explain=True), write(chosen)
        assert all(f"{name}: {meaning}" in told for name, meaning in NETWORK.items())
        assert "novelty" not in short
    other = load_system("lead").summarize(small, Budget(40))
    assert not any(meaning in to_text(other, explain=True) for meaning in MEANINGS.values())
