import pytest

from document_views import document_of
from longsum import LongsumError, load_system, summarize
from longsum.core.summaries import Budget


def test_the_first_choice_repeats_nothing(small):
    sentences = sorted(summarize(small, "9s", "centroid").sentences, key=lambda found: found.step)
    assert sentences[0].reasons["redundancy"] == 0
    assert min(sentence.reasons["redundancy"] for sentence in sentences) < -0.5


def test_central_early_and_long_sentences_come_first():
    texts = [
        "Bananas ripen slowly in the shade of an old wooden shed.",
        "The river carries water to the fields of the whole valley.",
        "Water of the river feeds the fields of the dry valley.",
    ]
    document, one = document_of([*texts]), Budget(1, "sentences")
    (early,) = load_system("centroid", centroid_weight=0.0).summarize(document, one).sentences
    (likely,) = load_system("centroid", position_weight=0.0).summarize(document, one).sentences
    assert early.text == texts[0]
    assert likely.text in texts[1:]
    document = document_of(["River water.", texts[1]])
    assert summarize(document, "1s", "centroid").sentences[0].text == texts[1]


@pytest.mark.parametrize("settings", [{"damping": 1.0}, {"damping": -0.1}, {"tolerance": 0.0}])
def test_settings_with_which_ranks_might_not_converge_are_refused(settings):
    """With a damping of 1, the ranks of a star oscillate for ever."""
    (name,) = settings
    with pytest.raises(LongsumError, match=name):
        load_system("graph", **settings)
