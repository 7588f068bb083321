"""ETCSum: what its scores depend on, what they do not, and that it learns."""

from dataclasses import replace
from functools import partial

import pytest
import torch

from longsum.common.errors import LongsumError
from longsum.models.networks.extractive.etc import EtcEncoder, EtcSum, keep_fitting_prefix, lay_out

from .conftest import SMALL_ETC, randomised, units_of


def score(model, units, plans):
    with torch.no_grad():
        return model.logits(model.read(units), torch.tensor(plans))


def test_texts_are_laid_end_to_end():
    texts = torch.tensor([[5, 6, 0], [7, 0, 0], [8, 9, 10]])
    rows = torch.tensor([[0, -1, 2, 1], [-1, 1, -1, -1]])
    given = lay_out(texts, torch.tensor([2, 1, 3]), rows)
    assert given.tokens.tolist() == [[5, 6, 8, 9, 10, 7], [7, 0, 0, 0, 0, 0]]
    assert given.sentences.tolist() == [[0, 0, 1, 1, 1, 2], [0, -1, -1, -1, -1, -1]]
    assert given.rows.tolist() == [[0, 2, 1], [1, -1, -1]]
    assert given.starts[0].tolist() == [0, 2, 5]
    assert given.lengths.tolist() == [[2, 3, 1], [1, 0, 0]]


def test_texts_fit_whole_and_from_the_first_on():
    rows, lengths = torch.tensor([[0, 1, 2, 1], [-1, 2, 1, -1]]), torch.tensor([3, 1, 4])
    assert keep_fitting_prefix(rows, lengths, 7, 9).tolist() == [[0, 1, -1, -1], [-1, 2, 1, -1]]
    assert keep_fitting_prefix(rows, lengths, 99, 1).tolist() == [[0, -1, -1, -1], [-1, 2, -1, -1]]


def test_a_chosen_sentence_is_distinguished_from_its_repetition_in_the_document():
    units = units_of([4, 4, 4])
    repeated = units.tokens[[0, 1, 2, 1]]
    longer = replace(
        units, tokens=repeated, lengths=units.lengths[[0] * 4], sentences=torch.arange(4)[None]
    )
    for config in (SMALL_ETC, replace(SMALL_ETC, segments=False)):
        model = randomised(partial(EtcSum, config))
        chosen = score(model, units, [[[1]]])[0, 0, :3]
        stands = score(model, longer, [[[-1]]])[0, 0, :3]
        assert torch.allclose(chosen, stands, atol=1e-5) is not config.segments


def test_sentences_that_do_not_fit_are_counted_and_get_no_score():
    # 59 tokens and 19 sentences are left for the document.
    units = units_of([20, 20, 19, 5], [20, 20, 20], [2] * 25)
    model = randomised(partial(EtcSum, SMALL_ETC))
    assert (model.read(units).sentences >= 0).sum(1).tolist() == [3, 2, 19]
    scores = score(model, units, [[[0]]] * 3)[:, 0]
    assert scores.isfinite().sum(dim=1).tolist() == [4, 3, 20]
    assert scores[:, -1].isfinite().all()
    with torch.no_grad():
        whole = EtcSum(replace(SMALL_ETC, stepwise=False)).read(units)
    assert (whole.sentences >= 0).sum(1).tolist() == [4, 3, 24]


def test_of_a_long_summary_the_last_sentences_are_read():
    model, units = randomised(partial(EtcSum, SMALL_ETC)), units_of([9, 9, 9, 3, 3, 3])
    full = score(model, units, [[[0, 1, 2, -1, -1], [2, 5, 4, 3, 0], [3, 2, 5, 4, 3]]])[0]
    last = score(model, units, [[[1, 2, -1, -1], [4, 3, 0, -1], [-1, -1, -1, -1]]])[0]
    torch.testing.assert_close(full[0], last[0], atol=1e-5, rtol=1e-5)
    assert not torch.allclose(full[1], last[1], atol=1e-3)
    four = score(model, units, [[[2, 5, 4, 3]]])[0, 0]
    torch.testing.assert_close(full[2], four, atol=1e-5, rtol=1e-5)


def test_distant_tokens_meet_through_global_ones():
    units = units_of([12, 12])
    changed = units.tokens.clone()
    changed[1, 10] = 3
    for layers, reaches in ((1, False), (2, True)):
        torch.manual_seed(0)
        encoder = EtcEncoder(replace(SMALL_ETC, layers=layers)).eval()
        with torch.no_grad():
            states, moved = (
                encoder(lay_out(tokens, units.lengths, units.sentences))[0]
                for tokens in (units.tokens, changed)
            )
        assert (states[0, 0] != moved[0, 0]).any().item() is reaches


def test_a_summary_that_takes_everything():
    with pytest.raises(LongsumError, match="leave no room for a document beside a summary of 20"):
        replace(SMALL_ETC, long_tokens=21)
    assert replace(SMALL_ETC, long_tokens=21, stepwise=False).document_tokens == 21
