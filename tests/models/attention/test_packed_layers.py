"""Packed layers compute the same as plain ones, and are unpacked when no generation runs."""

import threading
from collections.abc import Callable

import pytest
import torch
from torch import nn
from transformers import StoppingCriteria

from longsum.models.attention import packed_layers
from longsum.models.attention.packed_layers import PackedLinear, _packs, generating, pack
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration, LongsumSeq2SeqConfig
from tiny_sizes import tiny_sizes

pytestmark = pytest.mark.skipif(not _packs(torch.float32), reason="PyTorch packs no weights here")

# What differs are the last bits: oneDNN and MKL add in other orders, and what they round to bf16
# may fall on either side, on one processor and not on another. Some pack no bf16 at all.
CLOSE = {torch.float32: 1e-5, torch.bfloat16: torch.finfo(torch.bfloat16).eps}
CLOSE = {dtype: close for dtype, close in CLOSE.items() if _packs(dtype)}


def draw(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(len(shape))).to(dtype)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make packing worthwhile at the sizes of tests."""
    monkeypatch.setattr(packed_layers, "processor", lambda: "AuthenticAMD")
    monkeypatch.setattr(packed_layers, "WORTHWHILE", 1)
    monkeypatch.setattr(packed_layers, "WORTHWHILE_STEPS", 2)


class Pair(nn.Module):
    def __init__(self, dtype: torch.dtype = torch.float32) -> None:
        super().__init__()
        self.one = nn.Linear(48, 70).to(dtype)
        self.other = nn.Linear(48, 33, bias=False).to(dtype)

    def layers(self) -> list[tuple[nn.Module, str]]:
        return [(self, "one"), (self, "other")]

    def packed(self) -> list[str]:
        return [name for name, part in self.named_children() if isinstance(part, PackedLinear)]


@pytest.mark.parametrize("dtype", CLOSE)
@pytest.mark.parametrize("rows", [1, 4, 40])
def test_a_packed_layer_equals_the_plain_one(dtype: torch.dtype, rows: int) -> None:
    layer = nn.Linear(48, 70).to(dtype)
    packed = PackedLinear(layer, 4)
    for states in (
        draw(rows, 48, dtype=dtype),
        draw(48, rows, dtype=dtype).T,
        draw(0, 48, dtype=dtype),
    ):
        with torch.no_grad():
            expected, found = layer(states), packed(states)
        torch.testing.assert_close(found, expected, atol=1e-5, rtol=CLOSE[dtype])
    assert found.dtype == dtype


@pytest.mark.parametrize("dtype", CLOSE)
def test_layers_and_weights_come_back(dtype: torch.dtype) -> None:
    """With all their attributes, in the same order, and trainable as before."""
    model = Pair(dtype).requires_grad_(dtype == torch.float32).eval()
    model.one.weight.marked = True  # type: ignore[attr-defined]
    model.one.told = "kept"  # type: ignore[assignment]
    before = {name: held.clone() for name, held in model.state_dict().items()}
    with torch.inference_mode(), generating(model):
        pack(model, model.layers(), 4, 9)
        assert model.packed() == ["one", "other"]
        # Whoever asks for the weights meanwhile gets them.
        during = {name: held.clone() for name, held in model.state_dict().items()}
    for found in (during, model.state_dict()):
        assert [*found] == [*before]
        assert all(torch.equal(found[name], before[name]) for name in before)
    assert model.packed() == []
    assert model.one.told == "kept"
    assert vars(model.one.weight) == {"marked": True}
    assert [part.requires_grad for part in model.parameters()] == [dtype == torch.float32] * 3
    if dtype == torch.float32:
        model.one(draw(2, 48)).sum().backward()
        assert model.one.weight.grad is not None


@pytest.mark.parametrize("held", ["weight", "layer", "graph", "gradient", "state"])
def test_weights_held_elsewhere_are_not_packed(held: str) -> None:
    """Otherwise it would be in memory twice, and its holder would have a stale weight."""
    model = Pair().eval()
    kept = None
    match held:
        case "weight":
            kept = torch.optim.SGD(model.parameters(), lr=0.1)
        case "layer":
            kept = model.one
        case "state":
            kept = model.state_dict()
        case "graph" | "gradient":
            kept = model.one(draw(2, 48)).sum()
            if held == "gradient":
                kept = kept.backward()
    numbers = [id(part) for part in model.parameters()]
    with torch.no_grad(), generating(model):
        pack(model, model.layers(), 4, 9)
        assert "one" not in model.packed()
    assert numbers[0] == id(model.one.weight)
    if held == "graph":
        kept.backward()
        assert model.one.weight.grad is not None
    del kept


@pytest.mark.parametrize(
    "change",
    [
        lambda model: model.one.compile(backend="eager"),
        lambda model: setattr(model, "forward", model.forward),
        lambda model: model.one.double(),
    ],
    ids=["compiled", "wrapped", "fp64"],
)
def test_layers_that_do_more_or_gain_nothing_are_not_packed(change: Callable) -> None:
    model = Pair().eval()
    change(model)
    with torch.no_grad(), generating(model):
        pack(model, model.layers(), 4, 9)
        assert "one" not in model.packed()


def test_bf16_is_packed_only_on_some_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_layers, "processor", lambda: "GenuineIntel")
    for dtype, packed in ((torch.bfloat16, []), (torch.float32, ["one", "other"])):
        model = Pair(dtype).eval()
        with torch.no_grad(), generating(model):
            pack(model, model.layers(), 4, 9)
            assert model.packed() == packed


def test_no_generation_few_rows_few_steps_gradients_and_a_closed_switch_pack_nothing() -> None:
    model = Pair().eval()
    with torch.no_grad():
        pack(model, model.layers(), 4, 9)
    with generating(model):
        pack(model, model.layers(), 4, 9)
        with torch.no_grad():
            pack(model, model.layers(), 1, 9)
            pack(model, model.layers(), 4, 1)
            with torch.backends.mkldnn.flags(enabled=False):
                pack(model, model.layers(), 4, 9)
            with torch.autocast("cpu", torch.bfloat16):
                pack(model, model.layers(), 4, 9)
        assert model.packed() == []


@pytest.mark.filterwarnings("ignore:TF32")
def test_a_packed_layer_bears_gradients_autocast_and_other_types() -> None:
    layer = nn.Linear(48, 70)
    packed = PackedLinear(layer, 4)
    states = draw(4, 48).requires_grad_()
    packed(states).sum().backward()
    torch.testing.assert_close(states.grad, layer.weight.sum(dim=0).expand(4, -1))
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        assert packed(draw(4, 48)).dtype == torch.bfloat16


@pytest.mark.parametrize(
    "broken",
    [
        lambda states, packed, _: states @ packed.to_dense(),
        lambda states, *_: torch.full_like(states, torch.nan),
        lambda *_: torch.ops.mkldnn.no_such_operator,
    ],
    ids=["other numbers", "no numbers", "absent"],
)
def test_a_library_that_differs_packs_nothing(monkeypatch, broken) -> None:
    monkeypatch.setattr(packed_layers, "_product", broken)
    assert not _packs.__wrapped__(torch.float32)
    assert not _packs.__wrapped__(torch.float64)


class Look(StoppingCriteria):
    """What a caller observes and does while a text is generated."""

    def __init__(self, look: Callable) -> None:
        self.look = look
        self.seen = []

    def __call__(self, input_ids: torch.Tensor, scores, **_) -> torch.Tensor:  # noqa: ARG002
        self.seen.append(self.look())
        return torch.zeros(len(input_ids), dtype=torch.bool)


def writer(**more):
    torch.manual_seed(0)
    settings = {"vocab_size": 211, "init_std": 0.3, **tiny_sizes(32, 4, 96), **more}
    model = LongsumForConditionalGeneration(LongsumSeq2SeqConfig(**settings))
    return model.eval()


def write(model, *look: Look) -> torch.Tensor:
    ids = torch.randint(3, 211, (2, 40), generator=torch.Generator().manual_seed(0))
    settings = {"num_beams": 3, "min_new_tokens": 5, "max_new_tokens": 5, "do_sample": False}
    found: torch.Tensor = model.generate(ids, **settings, stopping_criteria=[*look])
    return found


def packed_in(model: nn.Module) -> list[str]:
    return [name for name, part in model.named_modules() if isinstance(part, PackedLinear)]


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"cross_attention": {"kind": "hepos", "stride": 2}},
        {"tie_word_embeddings": False},
        {"share_layers": True},
    ],
)
def test_a_generation_writes_the_same(monkeypatch, settings) -> None:
    model = writer(**settings)
    looking = Look(lambda: packed_in(model))
    before = {name: held.clone() for name, held in model.state_dict().items()}
    found = write(model, looking)
    assert packed_in(model) == []
    assert all(torch.equal(held, before[name]) for name, held in model.state_dict().items())
    (packed,) = {tuple(each) for each in looking.seen}
    # Of two layers: four projections among target tokens, two to the source, and two more.
    expected = 0 if settings.get("share_layers") else 2 * 8
    assert len(packed) == expected + (not model.config.tie_word_embeddings)
    assert not any(name.endswith(("encoder_attn.k_proj", "encoder_attn.v_proj")) for name in packed)
    monkeypatch.setattr(packed_layers, "WORTHWHILE_STEPS", 10**9)
    assert torch.equal(write(model, looking), found)
    assert looking.seen[-1] == []


def test_a_generation_in_another_and_an_error_in_it() -> None:
    model = writer()
    plain = write(model)
    inner = Look(lambda: (write(model), packed_in(model)))
    assert torch.equal(write(model, inner), plain)
    for found, packed in inner.seen:
        assert torch.equal(found, plain)
        assert len(packed) == 16
    with pytest.raises(ZeroDivisionError):
        write(model, Look(lambda: 1 / 0))
    assert packed_in(model) == []


def test_other_threads_may_call_the_model() -> None:
    """Layers are exchanged between their calls, and the results stay the same."""
    model, ended = writer(), threading.Event()
    ids = torch.randint(3, 211, (3, 20), generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        expected = model(ids, decoder_input_ids=ids).logits
    errors: list[float] = []

    def call() -> None:
        with torch.no_grad():
            while not ended.is_set():
                found = model(ids, decoder_input_ids=ids).logits
                errors.append(float((found - expected).abs().max()))

    others = [threading.Thread(target=call) for _ in range(2)]
    for other in others:
        other.start()
    looking = Look(lambda: packed_in(model))
    for _ in range(2):
        write(model, looking)
    ended.set()
    for other in others:
        other.join()
    assert packed_in(model) == []
    assert errors
    assert max(errors) < 1e-4
