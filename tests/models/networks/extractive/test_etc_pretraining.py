"""ETC pretraining: the losses fall, and a Transformer's weights carry over."""

from dataclasses import replace

import pytest
import torch

from longsum.common.errors import LongsumError
from longsum.core.encoder.extractor_settings import SentenceEncoderConfig
from longsum.models.networks.extractive.etc import EtcEncoder, lay_out
from longsum.models.networks.extractive.etc_pretraining import (
    ContrastivePrediction,
    MaskedLanguageModel,
    Masking,
    from_bert_layers,
    whole_documents,
)
from longsum.models.networks.extractive.extractor_layers import SentenceEncoder

from .conftest import SMALL_ETC, units_of

TOY = replace(SMALL_ETC, long_tokens=200)
BERT = SentenceEncoderConfig(
    vocabulary=30, size=16, layers=2, heads=2, feed_forward=24, positions=12, dropout=0.0
)
CONTINUES = torch.arange(30) % 3 == 0
MASKING = Masking(mask=3, special=(1, 2), continues=CONTINUES, words=0.4, sentences=0.4)


@pytest.fixture
def units():
    made = units_of([8] * 8, [8] * 8)
    made.tokens[:, 0], made.tokens[:, -1] = 1, 2
    return made


@pytest.fixture
def encoder():
    torch.manual_seed(0)
    return EtcEncoder(TOY)


def test_words_are_hidden_whole_and_special_tokens_never(units, encoder):
    given = whole_documents(units, TOY)
    masked = MaskedLanguageModel(encoder, MASKING).choose(given, torch.Generator().manual_seed(1))
    special = (given.tokens == 1) | (given.tokens == 2)
    assert not masked[special].any()
    assert 0.3 < masked[~special].float().mean() < 0.5
    inner = CONTINUES[given.tokens] & ~special
    inner[:, 1:] &= ~special[:, :-1]
    assert inner.any()
    places = inner.nonzero()
    assert (masked[inner] == masked[places[:, 0], places[:, 1] - 1]).all()


def test_without_knowledge_of_words_each_token_is_drawn_for_itself(units, encoder):
    model = MaskedLanguageModel(encoder, replace(MASKING, continues=None))
    given = whole_documents(units, TOY)
    masked = model.choose(given, torch.Generator().manual_seed(1))
    inner = CONTINUES[given.tokens[:, 1:]]
    assert (masked[:, 1:] != masked[:, :-1])[inner].any()


def test_replacements_of_masked_words_have_berts_shares(units, encoder):
    """Of 5,000 masked tokens 80 % are the mask, 10 % any token, 10 % themselves (BERT, §3.1)."""
    model = MaskedLanguageModel(encoder, MASKING)
    given = whole_documents(units, TOY)
    masked = torch.ones_like(given.tokens, dtype=torch.bool)
    rounds = [model._mask(given, masked, torch.Generator().manual_seed(n)) for n in range(40)]
    replaced = torch.stack(rounds)
    assert replaced.numel() == 5120
    kept = replaced == given.tokens
    masked[:, :10] = False
    some = model._mask(given, masked, torch.Generator().manual_seed(1))
    assert torch.equal(some[~masked], given.tokens[~masked])
    others = replaced[~kept & (replaced != MASKING.mask)]
    shares = [(replaced == MASKING.mask).sum(), len(others), kept.sum()]
    # Of the tokens drawn, one in thirty is the mask and one the token itself.
    for share, expected in zip(
        shares, (0.8 + 0.1 / 30, 0.1 * 28 / 30, 0.1 + 0.1 / 30), strict=True
    ):
        assert float(share) / 5120 == pytest.approx(expected, abs=0.015)
    assert len(others.unique()) == 29


def test_padding_is_never_masked(units, encoder):
    shorter = replace(units, sentences=units.sentences.clone())
    shorter.sentences[1, 2:] = -1
    given = whole_documents(shorter, TOY)
    model = MaskedLanguageModel(encoder, replace(MASKING, words=1.0))
    assert not model.choose(given)[~given.structure.real].any()
    assert model.choose(given).sum() == 6 * (8 + 2)


def test_losses_are_those_of_masked_tokens_and_sentences(units, encoder):
    given, seen = whole_documents(units, TOY), []
    encoder.register_forward_hook(lambda _, __, found: seen.append(found))
    words, sentences = (
        each(encoder, MASKING) for each in (MaskedLanguageModel, ContrastivePrediction)
    )
    seeded = torch.Generator().manual_seed
    loss, masked = words.loss(units, seeded(2)), words.choose(given, seeded(2))
    states, _ = seen.pop()
    found = words.norm(torch.nn.functional.gelu(words.dense(states[masked])))
    scores = found @ encoder.tokens.weight[:30].T + words.bias
    chosen = scores.log_softmax(-1).gather(1, given.tokens[masked][:, None])
    torch.testing.assert_close(loss, -chosen.mean())
    torch.nn.init.normal_(sentences.predict.weight)
    loss, masked = sentences.loss(units, seeded(2)), sentences.choose(given, seeded(2))
    (_, informed), (_, alone) = seen
    scores = sentences.predict(informed[masked]) @ alone[:, 0].T / 4
    torch.testing.assert_close(loss, -scores.log_softmax(-1).diagonal().mean())


@pytest.mark.parametrize("objective", [MaskedLanguageModel, ContrastivePrediction])
def test_nothing_hidden_is_no_loss(objective, units, encoder):
    loss = objective(encoder, replace(MASKING, words=0.0, sentences=0.0)).loss(units)
    loss.backward()
    assert loss == 0


def test_a_masked_sentence_is_not_read_in_its_place(units, encoder):
    """The prediction sees only the mask; the sentence itself is visible only in its target."""
    seen = []
    encoder.register_forward_pre_hook(lambda _, given: seen.append(given[0]))
    ContrastivePrediction(encoder, MASKING).loss(units, torch.Generator().manual_seed(2))
    informed, alone = seen
    masked = (informed.tokens.view(2, 8, 8) == 3).all(dim=-1)
    assert torch.equal(alone.rows[:, 0], units.sentences[masked])
    assert torch.equal(alone.tokens, units.tokens[units.sentences[masked]])
    assert torch.equal(
        informed.tokens.view(2, 8, 8)[~masked], units.tokens[units.sentences[~masked]]
    )


@pytest.mark.parametrize("separate", [False, True])
def test_weights_of_bert_give_its_states_but_for_positions_and_global_tokens(units, separate):
    torch.manual_seed(3)
    bert = SentenceEncoder(BERT).eval()
    torch.nn.init.zeros_(bert.embedding.positions.weight)
    config = replace(TOY, separate=separate, radius=8)
    etc = from_bert_layers(config, bert.state_dict()).eval()
    for name, parameter in etc.named_parameters():
        if ".labels." in name:
            torch.nn.init.zeros_(parameter)
    # One token, and a global token with the same state, are read as the token alone is.
    tokens, length = units.tokens[:4, :1], torch.ones(4, dtype=torch.long)
    etc.unit.weight.data = etc.tokens.weight.data[1:2]
    with torch.no_grad():
        long, informed = etc(lay_out(tokens, length, torch.arange(4)[:, None]))
        expected = bert.states(tokens, length)
    torch.testing.assert_close(long, expected)
    torch.testing.assert_close(informed, expected)


def test_fewer_layers_are_taken_from_below_and_more_are_refused():
    weights = SentenceEncoder(BERT).state_dict()
    encoder = from_bert_layers(replace(TOY, layers=1), weights)
    taken = encoder.layers[0].global_attention.other_key.weight
    assert torch.equal(taken, weights["layers.0.attention.key.weight"])
    assert torch.equal(encoder.tokens.weight[:30], weights["embedding.tokens.weight"])
    assert torch.equal(encoder.segments.weight[1], weights["embedding.types.weight"][0])
    with pytest.raises(LongsumError, match=r"lack layers\.2\.attention\.query\.weight; give"):
        from_bert_layers(replace(TOY, layers=3), weights)
    with pytest.raises(
        LongsumError, match=r"is \[30, 16\] in the initial weights and must be \[31, 16\]"
    ):
        from_bert_layers(replace(TOY, vocabulary=31), weights)
