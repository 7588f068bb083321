import json

import pytest
import torch
from transformers import AutoConfig, AutoModel

from longsum import LongsumError
from longsum.models.networks.pointer import LongsumPointerConfig, LongsumPointerGenerator
from longsum.models.networks.words.modeling_words import repeated, selected, target_log_probability
from longsum.models.networks.words.vocabulary import PAD, STOP, UNK, Vocabulary
from longsum.models.networks.words.word_model_files import load_word_model, save_word_model

SIZES = {
    **{"vocab_size": 12, "embedding_size": 6, "hidden_size": 5, "lstm_init": 0.5},
    **{"init_std": 0.5, "max_target_tokens": 8, "min_target_tokens": 2},
}


def make_pointer(**changes) -> LongsumPointerGenerator:
    torch.manual_seed(0)
    return LongsumPointerGenerator(LongsumPointerConfig(**{**SIZES, **changes})).eval()


# Two sources of a vocabulary of 12; 12, 13 and 14 are words that it lacks.
IDS = torch.tensor([[4, 5, UNK, 6, UNK, UNK], [7, UNK, 4, PAD, PAD, PAD]])
EXTENDED = torch.tensor([[4, 5, 12, 6, 13, 14], [7, 12, 4, PAD, PAD, PAD]])
LABELS = torch.tensor([[5, 13, 9, UNK, STOP], [12, 4, STOP, -100, -100]])


def final(model, ids=IDS, extended=EXTENDED, labels=LABELS):
    """Return the logarithm of the final distribution after each word of a target."""
    return model.log_probabilities(model.steps(*model.read(ids, extended), labels), extended)


@pytest.mark.parametrize("coverage", [False, True])
def test_equation_9_by_hand(coverage):
    model = make_pointer(coverage=coverage)
    source, state = model.read(IDS, EXTENDED)
    steps = model.steps(source, state, LABELS)
    share = steps.generate.sigmoid()
    vocabulary = model.vocabulary(steps.output).softmax(dim=-1)
    final = model.log_probabilities(steps, EXTENDED).exp()
    torch.testing.assert_close(final.sum(dim=-1), torch.ones(2, 5))
    # The second source cannot be copied from but where it has words.
    assert not steps.attention[1, :, 3:].any()
    for row in range(2):
        for time in range(5):
            expected = torch.zeros(15)
            expected[:12] = share[row, time] * vocabulary[row, time]
            for place, word in enumerate(EXTENDED[row].tolist()):
                expected[word] += (1 - share[row, time]) * steps.attention[row, time, place]
            torch.testing.assert_close(final[row, time], expected)


@pytest.mark.parametrize("coverage", [False, True])
def test_loss_is_that_of_the_final_distribution(coverage):
    model = make_pointer(coverage=coverage, coverage_weight=0.5)
    found = model(IDS, EXTENDED, LABELS)
    logits = final(model)
    means = []
    for row, count in enumerate((5, 3)):
        picked = [logits[row, time, LABELS[row, time]] for time in range(count)]
        means.append(-torch.stack(picked).mean())
    likelihood = torch.stack(means).mean()
    torch.testing.assert_close(found.likelihood_loss, likelihood)
    expected = likelihood + 0.5 * found.coverage_loss if coverage else likelihood
    torch.testing.assert_close(found.loss, expected)


def test_coverage_loss_is_the_overlap_with_all_attention_before():
    model = make_pointer(coverage=True)
    found = model(IDS, EXTENDED, LABELS)
    means = []
    for row, count in enumerate((5, 3)):
        attention = found.attention[row]
        overlaps = [
            torch.minimum(attention[time], attention[:time].sum(dim=0)).sum()
            for time in range(count)
        ]
        assert overlaps[0] == 0
        means.append(torch.stack(overlaps).mean())
    torch.testing.assert_close(found.coverage_loss, torch.stack(means).mean())


def test_padding_changes_nothing():
    model = make_pointer(coverage=True)
    ids, extended = (torch.nn.functional.pad(each, (0, 4)) for each in (IDS, EXTENDED))
    labels = torch.nn.functional.pad(LABELS, (0, 3), value=-100)
    padded, plain = model(ids, extended, labels), model(IDS, EXTENDED, LABELS)
    torch.testing.assert_close(padded.loss, plain.loss)
    alone = final(model, IDS[1:, :3], EXTENDED[1:, :3], LABELS[1:, :3])
    together = final(model, ids, extended, labels)[1:, :3, : alone.shape[-1]]
    torch.testing.assert_close(alone, together)


def test_step_by_step_is_all_at_once():
    model = make_pointer(coverage=True)
    expected = final(model, IDS[:1], EXTENDED[:1], LABELS[:1])[0]
    source, state = model.read(IDS[:1], EXTENDED[:1])
    source = repeated(source, 2)
    state = selected(state, torch.tensor([0, 0]))
    for time, word in enumerate([2, *LABELS[0, :-1].tolist()]):
        found, state = model.step(torch.tensor([word, word]), state, source)
        torch.testing.assert_close(found, expected[time].expand(2, -1))


def test_gradients_are_finite_and_reach_every_weight():
    model = make_pointer(coverage=True).train()
    # A word that is neither known nor in the source cannot be; one that is certain must not break.
    model(IDS, EXTENDED, LABELS).loss.backward()
    for name, weight in model.named_parameters():
        assert weight.grad is not None, name
        assert weight.grad.isfinite().all(), name
        assert weight.grad.any(), name


def test_a_copy_that_has_no_attention_leaves_the_loss_finite():
    written, attention = torch.full((1, 1), -torch.inf), torch.zeros(1, 1, 2)
    found = target_log_probability(
        written, attention, torch.full((1, 1), 90.0), torch.tensor([[3, 3]]), torch.tensor([[3]])
    )
    assert found.isfinite().all()


def test_the_paper_starts_its_weights_small():
    config = LongsumPointerConfig(vocab_size=12, embedding_size=6, hidden_size=5)
    model = LongsumPointerGenerator(config)
    assert model.vocabulary.weight.abs().max() <= 2e-4
    assert model.encoder.lstm.weight_hh_l0.abs().max() <= 0.02
    bias = model.decoder.lstm.bias_ih + model.decoder.lstm.bias_hh
    assert bias.tolist() == [0] * 5 + [1] * 5 + [0] * 10


def test_saved_and_loaded_it_is_the_same(tmp_path):
    model = make_pointer(coverage=True)
    vocabulary = Vocabulary([f"word{n}" for n in range(8)])
    save_word_model(model, vocabulary, tmp_path)
    assert (tmp_path / "model.safetensors").is_file()
    expected = final(model)
    loaded, words = load_word_model(tmp_path, LongsumPointerGenerator)
    assert words.words == vocabulary.words
    assert not loaded.training
    for other in (loaded, AutoModel.from_pretrained(tmp_path).eval()):
        assert isinstance(other, LongsumPointerGenerator)
        assert torch.equal(final(other), expected)
    assert AutoConfig.from_pretrained(tmp_path).coverage is True


def test_errors_explain_what_to_do(tmp_path):
    with pytest.raises(LongsumError, match="belong together"):
        save_word_model(make_pointer(), Vocabulary(["one"]), tmp_path)
    with pytest.raises(LongsumError, match="give the folder of a model"):
        load_word_model(tmp_path, LongsumPointerGenerator)
    save_word_model(make_pointer(), Vocabulary([f"word{n}" for n in range(8)]), tmp_path)
    config = tmp_path / "config.json"
    values = json.loads(config.read_text())
    config.write_text(json.dumps({**values, "hidden_size": 7}))
    with pytest.raises(LongsumError, match="another size"):
        load_word_model(tmp_path, LongsumPointerGenerator)
    config.write_text(json.dumps({**values, "model_type": "bart"}))
    with pytest.raises(LongsumError, match="holds no model 'longsum_pointer'"):
        load_word_model(tmp_path, LongsumPointerGenerator)
    (tmp_path / "vocabulary.txt").unlink()
    config.write_text(json.dumps(values))
    with pytest.raises(LongsumError, match="vocabulary"):
        load_word_model(tmp_path, LongsumPointerGenerator)


@pytest.mark.parametrize("changes", [{"hidden_size": 0}, {"min_target_tokens": 101}])
def test_impossible_settings(changes):
    with pytest.raises(LongsumError):
        LongsumPointerConfig(**changes)


def test_a_coverage_layer_that_does_more_is_called():
    model = make_pointer(coverage=True)
    with torch.no_grad():
        expected = final(model)
        model.decoder.coverage.register_forward_hook(lambda _module, _given, found: 3 * found)
        found = final(model)
        model.decoder.coverage._forward_hooks.clear()
        model.decoder.coverage.weight.mul_(3)
        torch.testing.assert_close(found, final(model))
    assert (found - expected).abs().max() > 1e-3
