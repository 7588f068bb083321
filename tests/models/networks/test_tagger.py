import pytest
import torch
from transformers import AutoModelForTokenClassification

from longsum.common.errors import LongsumError
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration, LongsumSeq2SeqConfig
from longsum.models.networks.tagger import LongsumTagger, LongsumTaggerConfig, load_tagger
from tiny_sizes import tiny_sizes

SIZES = tiny_sizes(16, 2, 16, layers=(2, 1), positions=(40, 8))
TINY = {"vocab_size": 31, **SIZES}
TOP_DOWN = {"layers": 1, "segment_layers": 1, "kernel": 4, "stride": 3}
IDS = torch.arange(4, 24)[None]


@pytest.fixture(params=[None, TOP_DOWN], ids=["plain", "top-down"])
def model(request: pytest.FixtureRequest) -> LongsumForConditionalGeneration:
    torch.manual_seed(0)
    config = LongsumSeq2SeqConfig(**TINY, top_down=request.param)
    return LongsumForConditionalGeneration(config).eval()


def test_starts_from_the_encoder_of_a_model(model: LongsumForConditionalGeneration) -> None:
    tagger = LongsumTagger.of(model).eval()
    assert torch.equal(tagger.encoder(IDS)[0], model.model.encoder(IDS)[0])
    assert not any("decoder" in name for name in tagger.state_dict())


def test_padding_changes_nothing(model: LongsumForConditionalGeneration) -> None:
    tagger = LongsumTagger.of(model).eval()
    padded = torch.cat([IDS, torch.ones(1, 5, dtype=torch.long)], dim=1)
    mask = torch.tensor([[1] * 20 + [0] * 5])
    labels = (padded % 3 == 0).float()
    alone = tagger(IDS, labels=labels[:, :20])
    found = tagger(padded, attention_mask=mask, labels=labels)
    torch.testing.assert_close(found.logits[:, :20], alone.logits)
    torch.testing.assert_close(found.loss, alone.loss)


def test_saves_and_loads(model: LongsumForConditionalGeneration, tmp_path) -> None:
    tagger = LongsumTagger.of(model).eval()
    tagger.save_pretrained(tmp_path)
    assert (tmp_path / "model.safetensors").is_file()
    for loaded in (
        load_tagger(tmp_path),
        AutoModelForTokenClassification.from_pretrained(tmp_path),
    ):
        assert torch.equal(loaded.eval().to("cpu")(IDS).logits, tagger(IDS).logits)


def test_the_loss_is_that_of_every_token() -> None:
    torch.manual_seed(0)
    tagger = LongsumTagger(LongsumTaggerConfig(**TINY)).eval()
    labels = (IDS % 2).float()
    found = tagger(IDS, labels=labels)
    chosen = torch.where(labels == 1, found.logits.sigmoid(), 1 - found.logits.sigmoid())
    torch.testing.assert_close(found.loss, -chosen.log().mean())


def test_folders_and_settings_that_are_no_tagger(tmp_path) -> None:
    # None is told what it is to find.
    with pytest.raises(LongsumError, match=r"pooling=average"):
        LongsumTaggerConfig(**TINY, top_down={**TOP_DOWN, "pooling": "adaptive"})
    with pytest.raises(LongsumError, match="no folder"):
        load_tagger(tmp_path / "none")
    LongsumForConditionalGeneration(LongsumSeq2SeqConfig(**TINY)).save_pretrained(tmp_path)
    with pytest.raises(LongsumError, match="not a tagger"):
        load_tagger(tmp_path)
    damaged = tmp_path / "damaged"
    LongsumTagger(LongsumTaggerConfig(**TINY)).save_pretrained(damaged)
    (damaged / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(LongsumError, match="is damaged"):
        load_tagger(damaged)
