"""The model with each of the learned encoder attentions: from BART, through a step, to disk."""

import pytest
import torch
from transformers import BartConfig, BartForConditionalGeneration

from longsum.errors import LongsumError
from longsum.models.seq2seq import LongsumForConditionalGeneration, from_checkpoint

KINDS = {
    "adaptive_span": {"window": 8, "span_ramp": 2},
    "linformer": {"projected": 5},
    "lsh": {"chunk": 4, "rounds": 2},
    "sinkhorn": {"block": 4},
    "learned_sinkhorn": {"kind": "sinkhorn", "block": 4, "sorting": "learned"},
}


@pytest.fixture(params=KINDS)
def model(request: pytest.FixtureRequest) -> LongsumForConditionalGeneration:
    torch.manual_seed(0)
    bart = BartForConditionalGeneration(
        BartConfig(
            vocab_size=61,
            d_model=16,
            encoder_layers=2,
            decoder_layers=2,
            encoder_attention_heads=4,
            decoder_attention_heads=4,
            encoder_ffn_dim=24,
            decoder_ffn_dim=24,
            max_position_embeddings=32,
        )
    )
    settings = {"kind": request.param, **KINDS[request.param]}
    # HEPOS §6 of the released code: even layers see a window, odd ones the learned kind.
    stack = [{"kind": "pattern", "window": 8}, settings]
    return from_checkpoint(bart, encoder_attention=stack)


@pytest.fixture
def batch() -> dict[str, torch.Tensor]:
    ids = torch.randint(4, 61, (2, 30), generator=torch.Generator().manual_seed(1))
    real = torch.ones_like(ids)
    real[1, 21:] = 0
    return {"input_ids": ids, "attention_mask": real, "labels": ids[:, :7]}


def test_a_step_lowers_the_loss_and_reaches_every_weight(model, batch):
    model.train()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    losses = []
    for _ in range(3):
        loss = model(**batch).loss
        optimizer.zero_grad()
        loss.backward()
        losses.append(loss.item())
        optimizer.step()
    assert losses[-1] < losses[0]
    assert all(parameter.grad is not None for parameter in model.parameters())


def test_saved_and_loaded_it_gives_the_same(model, batch, tmp_path):
    with torch.no_grad():
        for parameter in model.model.encoder.parameters():
            parameter.add_(0.01)
    model.save_pretrained(tmp_path)
    loaded = LongsumForConditionalGeneration.from_pretrained(tmp_path).eval()
    torch.testing.assert_close(loaded(**batch).logits, model(**batch).logits)


def test_padding_changes_nothing(model, batch):
    states = model.model.encoder(batch["input_ids"][1:, :21]).last_hidden_state
    padded = model.model.encoder(batch["input_ids"][1:], batch["attention_mask"][1:])
    torch.testing.assert_close(padded.last_hidden_state[:, :21], states, atol=1e-5, rtol=1e-4)


def test_it_generates(model, batch):
    output = model.generate(
        batch["input_ids"], attention_mask=batch["attention_mask"], num_beams=2, max_new_tokens=5
    )
    assert output.shape[0] == 2


def test_an_unknown_kind_is_refused_in_one_sentence():
    from longsum.models.seq2seq import LongsumSeq2SeqConfig

    with pytest.raises(LongsumError, match="no encoder attention of kind 'magic'"):
        LongsumForConditionalGeneration(
            LongsumSeq2SeqConfig(
                encoder_layers=1, d_model=16, encoder_attention={"kind": "magic"}, vocab_size=9
            )
        )
