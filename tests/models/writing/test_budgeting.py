import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from document_views import document_of
from longsum.core.summaries import Budget
from longsum.language.words import count_words
from longsum.models.tasks.text_runs import NOWHERE
from longsum.models.writing.budgeting import MIN_SHARE, SLACK, Pace, fit, pace, token_range
from longsum.models.writing.writer import pace_of

sentences = st.lists(
    st.text(alphabet="ab 川。", min_size=1, max_size=12).filter(str.strip), max_size=6
)


@given(sentences, st.integers(0, 12), st.booleans())
def test_words_are_never_more_than_there_is_room_for(texts, room, unfinished):
    fitted = fit(texts, Budget(max(room, 1)), room, unfinished=unfinished)
    kept = list(texts[: fitted.count])
    if fitted.shortened is not None:
        kept[0] = fitted.shortened
    assert sum(map(count_words, kept)) <= room
    assert fitted.count <= len(texts)
    if unfinished and len(texts) > 1:
        assert fitted.count < len(texts)


def test_whole_sentences_from_the_first():
    texts = ["One two three.", "Four five.", "Six."]
    by_words = {room: fit(texts, Budget(9), room, unfinished=False).count for room in (3, 4, 5, 6)}
    assert by_words == {3: 1, 4: 1, 5: 2, 6: 3}
    assert fit(texts, Budget(2, "sentences"), 2, unfinished=False).count == 2
    # A first one that is too long is cut and marked.
    fitted = fit(["One two three four.", "Five."], Budget(2), 2, unfinished=False)
    assert (fitted.count, fitted.shortened) == (1, "One two…")


def test_tokens_for_a_length(small):
    measured = pace(["a b c d", "e f g h"], 12)
    assert (measured.per_word, measured.per_sentence) == (1.5, 6)
    words = token_range(Budget(40), small, measured, None)
    assert words.minimum == int(60 * MIN_SHARE)
    assert words.maximum >= 60 * SLACK
    share = token_range(Budget(50, "percent"), small, measured, None)
    assert share == token_range(Budget(50), small, measured, None)
    assert token_range(Budget(2, "sentences"), small, measured, None).maximum >= 12 * SLACK
    limited = token_range(Budget(40), small, measured, 20)
    assert (limited.minimum, limited.maximum) == (20, 20)
    assert token_range(Budget(1), small, pace([], 0), None).maximum > 0


def test_a_last_sentence_that_may_be_truncated_has_no_part_in_the_pace():
    document = document_of(["One two three four.", "Five six.", "Seven eight nine."])
    of_two = np.array([0] * 8 + [NOWHERE] + [1] * 4 + [2])
    assert pace_of(document, of_two) == Pace(12 / 6, 12 / 2)
    only = np.array([NOWHERE, 0, 0])
    assert pace_of(document, only) == Pace(2 / 4, 2 / 1)
