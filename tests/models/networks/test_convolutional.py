"""The convolutional encoder–decoder: stepwise equals parallel, and the requested length."""

import pytest
import torch
from torch.nn import functional as F  # noqa: N812
from transformers import AutoModel

from longsum.common.errors import LongsumError
from longsum.models.networks.convolutional import LongsumConvolutional, LongsumConvolutionalConfig
from longsum.models.networks.words.vocabulary import PAD, START, STOP, Vocabulary
from longsum.models.networks.words.word_model_files import load_word_model, save_word_model

IDS = torch.tensor([[4, 5, 1, 6, 7, 8], [7, 9, 4, PAD, PAD, PAD]])
LABELS = torch.tensor([[5, 10, 9, 4, STOP], [6, 4, STOP, -100, -100]])
LENGTHS = torch.tensor([4, 2])


def make(**changes) -> LongsumConvolutional:
    torch.manual_seed(0)
    sizes = {"vocab_size": 12, "embedding_size": 6, "hidden_size": 8, "layers": 2}
    sizes |= dict.fromkeys(("max_source_tokens", "max_target_tokens"), 12)
    return LongsumConvolutional(LongsumConvolutionalConfig(**{**sizes, **changes})).eval()


@pytest.mark.parametrize("width", [1, 3, 5])
def test_word_by_word_is_all_at_once(width: int) -> None:
    model = make(width=width)
    source, state = model.read(IDS, LENGTHS)
    expected, attention = model.steps(source, state, LABELS)
    started = F.pad(LABELS[:, :-1], (1, 0), value=START).clamp_min(0)
    for place, words in enumerate(started.unbind(dim=1)):
        output, seen, state = model.decoder(words[:, None], state, source)
        torch.testing.assert_close(output[:, 0], expected[:, place])
        torch.testing.assert_close(seen[:, 0], attention[:, place])


def test_no_word_knows_those_that_follow() -> None:
    model = make()
    source, state = model.read(IDS, LENGTHS)
    before, _ = model.steps(source, state, LABELS)
    changed = LABELS.clone()
    changed[:, 2] = 11
    after, _ = model.steps(source, state, changed)
    torch.testing.assert_close(before[:, :3], after[:, :3])
    assert (before[:, 3:] - after[:, 3:]).abs().max() > 1e-3


def test_padding_changes_nothing() -> None:
    model = make()
    padded = model(F.pad(IDS, (0, 4)), F.pad(LABELS, (0, 3), value=-100)).loss
    alone = [model(IDS[:1], LABELS[:1]).loss, model(IDS[1:, :3], LABELS[1:, :3]).loss]
    torch.testing.assert_close(padded, torch.stack(alone).mean())


def test_the_first_layers_inputs_are_multiplied_by_the_length_in_hundreds() -> None:
    model, seen = make(), []
    model.decoder.input.register_forward_hook(lambda _, __, found: seen.append(found))
    model.decoder.layers[0].register_forward_pre_hook(lambda _, given: seen.append(given[0]))
    model.steps(*model.read(IDS, LENGTHS), LABELS)
    inputs, given = seen
    scaled = inputs * LENGTHS[:, None, None] / 100
    torch.testing.assert_close(given[:, -scaled.shape[1] :], scaled)


def test_words_that_it_lacks_are_unknown() -> None:
    model = make()
    losses = []
    for word in (14, 1):
        labels = LABELS.clone()
        labels[0, 1] = word
        losses.append(model(IDS, labels).loss)
    torch.testing.assert_close(*losses)


def test_gradients_reach_every_weight() -> None:
    model = make().train()
    model(IDS, LABELS, extended_ids=IDS).loss.backward()
    for name, weight in model.named_parameters():
        assert weight.grad is not None, name
        assert weight.grad.isfinite().all(), name
        assert weight.grad.any(), name


def test_normalized_weights_start_as_drawn() -> None:
    layer = make().vocabulary
    states = torch.randn(3, 6)
    torch.testing.assert_close(layer(states), F.linear(states, layer.weight, layer.bias))


def test_saved_and_loaded_it_is_the_same(tmp_path) -> None:
    model, vocabulary = make(), Vocabulary([f"word{n}" for n in range(8)])
    save_word_model(model, vocabulary, tmp_path)
    expected = model(IDS, LABELS).loss
    loaded, words = load_word_model(tmp_path, LongsumConvolutional)
    assert words.words == vocabulary.words
    for other in (loaded, AutoModel.from_pretrained(tmp_path).eval()):
        assert torch.equal(other(IDS, LABELS).loss, expected)


@pytest.mark.parametrize("changes", [{"layers": 0}, {"width": 2}, {"hidden_size": 0}])
def test_impossible_settings(changes: dict[str, int]) -> None:
    with pytest.raises(LongsumError):
        LongsumConvolutionalConfig(**changes)
