"""HiBERT without PyTorch gives the same results as in PyTorch."""

import sys
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import onnx
import pytest
import torch
from safetensors.torch import load_file, save_file

from longsum.cli.export import export
from longsum.common.errors import LongsumError
from longsum.core.encoder import networks
from longsum.core.encoder.encode_units import EncodedDocument
from longsum.core.encoder.extractor_settings import (
    DocumentEncoderConfig,
    FlatConfig,
    HibertConfig,
    SentenceEncoderConfig,
    folder_settings,
)
from longsum.core.encoder.networks import load_network
from longsum.core.encoder.onnx_runtime import layers
from longsum.core.encoder.onnx_runtime import session as processor
from longsum.core.encoder.onnx_runtime.export import export_extractor
from longsum.core.encoder.onnx_runtime.layers import Attention, FeedForward, Linear, Norm
from longsum.core.encoder.onnx_runtime.light_network import LightNetwork
from longsum.core.encoder.onnx_runtime.stored_weights import StoredWeights, weight_shapes
from longsum.core.model_files.folders import ModelFolder
from longsum.models.networks.extractive.extractor_files import load_extractor, save_extractor
from longsum.models.networks.extractive.flat import FlatSum
from longsum.models.networks.extractive.hibert import Hibert
from longsum.models.networks.extractive.torch_network import TorchNetwork

PLACES = (9, 7)
Save = Callable[..., ModelFolder]


@pytest.fixture
def save(tmp_path) -> Save:
    """Return a function that exports a network with random weights and returns its folder."""

    def save(compact: bool = False, encoder=None, **document) -> ModelFolder:
        torch.manual_seed(0)
        stepwise = document.pop("stepwise", True)
        sentences = SentenceEncoderConfig(
            50, 24, 2, 3, 40, positions=12, **{"representation": "mean", **(encoder or {})}
        )
        settings = {"layers": 3, "feed_forward": 20, "positions": "places", "places": PLACES}
        documents = DocumentEncoderConfig(**{**settings, **document})
        model = Hibert(HibertConfig(stepwise, sentences, documents))
        for name, weight in model.named_parameters():
            # The gains of norms are about one; if they were small, all states would be alike.
            gain = weight.dim() == 1 and name.endswith("weight")
            torch.nn.init.normal_(weight, float(gain), 0.3)
        save_extractor(model, tmp_path / "model", compact=compact)
        folder = ModelFolder.of(tmp_path / "model")
        export_extractor(folder)
        return ModelFolder.of(tmp_path / "model")

    return save


def a_document(sentences: int = 9, headings: int = 2, seed: int = 0) -> EncodedDocument:
    generator = np.random.default_rng(seed)
    lengths = generator.integers(2, 10, sentences + headings)
    under = generator.integers(-1, headings, sentences)
    return EncodedDocument(
        tokens=generator.integers(1, 50, lengths.sum()).astype(np.int32),
        ends=np.cumsum(lengths),
        headings=np.where(under < 0, -1, sentences + under).astype(np.int32),
        places=np.stack([generator.integers(0, rows, sentences) for rows in PLACES], 1).astype(
            np.int32
        ),
    )


def pair(folder: ModelFolder) -> tuple[LightNetwork, TorchNetwork]:
    light = load_network(folder, "fp32", "onnx")
    assert isinstance(light, LightNetwork)
    return light, TorchNetwork(load_extractor(folder), "cpu", "fp32")


SHAPES = {
    "as it ships": {"summary_layers": 1, "headings": True, "end": "decision"},
    "as in the paper": {"encoder": {"representation": "first"}, "positions": "learned"},
    "more sentences than positions": {"positions": "learned", "sentences": 5},
    "two layers read the summary": {"summary_layers": 2, "end": "decision"},
    "not stepwise": {"stepwise": False, "headings": True},
    "roberta's positions": {"encoder": {"position_offset": 2}, "summary_layers": 1},
    "compact": {"compact": True, "summary_layers": 1, "headings": True},
    "a short table of plans": {"plan": 1},
    "a planner": {"summary_layers": 1, "positions": "none", "counted": "end", "points": True},
    "a short table of plans from their end": {"plan": 1, "counted": "end", "points": True},
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_weight_shapes_logits_and_vectors_equal_those_of_pytorch(save, shape) -> None:
    folder = save(**shape)
    wanted = {name: tuple(each.shape) for name, each in load_extractor(folder).state_dict().items()}
    assert weight_shapes(folder_settings(folder)) == wanted
    light, whole = pair(folder)
    assert (light.stepwise, light.decides_end) == (whole.stepwise, whole.decides_end)
    for count in (1, 9):
        document = a_document(count)
        found, wanted = light.read(document), whole.read(document)
        assert found.vectors == pytest.approx(wanted.vectors, abs=1e-4)
        for plans in ([()], [(0,)], [(count - 1, 0, count // 2), (0, 0, 0)]):
            told = found.logits(plans)
            assert told.shape == (len(plans), count + 1)
            assert told == pytest.approx(wanted.logits(plans), rel=0, abs=3e-5)
            # Otherwise the sentences could not be told apart.
            assert count == 1 or np.ptp(told[:, :-1], axis=1).min() > 1e-4


@pytest.mark.parametrize("name", ["as it ships", "two layers read the summary", "as in the paper"])
def test_contributions_equal_those_of_pytorch(save: Save, name: str) -> None:
    light, whole = pair(save(**SHAPES[name]))
    document, groups = a_document(), [[0], [1]]
    found, wanted = light.read(document), whole.read(document)
    for sentences in ([0], [4, 8, 4]):
        told = found.contributions(sentences, groups)
        expected = wanted.contributions(sentences, groups)
        assert np.array(told) == pytest.approx(np.array(expected), abs=1e-3)
        assert np.shape(told) == (len(sentences), 4)


def test_a_part_scores_as_in_the_whole(save: Save) -> None:
    reading = pair(save(**SHAPES["as it ships"]))[0].read(a_document())
    part = reading.part(slice(2, 6))
    whole = reading.logits([(8, 3)])[0]
    assert part.logits([(8, 3)])[0][:-1] == pytest.approx(whole[2:6], abs=1e-5)
    # If more layers read the summary, a part needs the whole document.
    reading = pair(save(**SHAPES["two layers read the summary"]))[0].read(a_document())
    assert reading.part(slice(2, 6)) is None


@pytest.mark.parametrize(
    ("change", "told"), [("cut", "another size of"), ("gone", "lacks")], ids=["cut", "gone"]
)
def test_missing_or_misshapen_weights_are_refused(save: Save, change: str, told: str) -> None:
    folder = save(summary_layers=1)
    path, name = folder.path / "model.safetensors", "extractor.document_encoder.salience.weight"
    weights = load_file(path)
    taken = weights.pop(name)
    save_file(weights | ({name: taken[:, :5].contiguous()} if change == "cut" else {}), path)
    for attempt in (lambda: load_network(folder, "fp32", "onnx"), lambda: export_extractor(folder)):
        with pytest.raises(LongsumError, match=f"{told} document_encoder.salience.weight"):
            attempt()


def test_mismatches_that_only_computing_reveals_are_refused(save: Save) -> None:
    folder = save()
    network = load_network(folder, "fp32", "onnx")
    with pytest.raises(LongsumError, match="does not fit its weights or its tokenizer"):
        network._encoder([np.array([10**6], dtype=np.int32)])  # type: ignore[attr-defined]
    path, name = folder.path / "model.safetensors", "extractor.document_encoder.norm.bias"
    save_file(load_file(path) | {f"{name}.scale": torch.zeros(3, 3)}, path)
    with pytest.raises(LongsumError, match=r"norm\.bias\.scale does not fit"):
        load_network(ModelFolder.of(folder.path), "fp32", "onnx")


@pytest.mark.skipif(not processor.multiplies_bytes(), reason="no exact int8 products here")
def test_int8_vectors_are_close_to_fp32(save: Save) -> None:
    folder = save(compact=True, summary_layers=1)
    rounded, exact = load_network(folder, "int8", "onnx"), load_network(folder, "fp32", "onnx")
    document = a_document(40)
    found, wanted = rounded.read(document).vectors, exact.read(document).vectors
    cosines = (
        (found * wanted).sum(1) / np.linalg.norm(found, axis=1) / np.linalg.norm(wanted, axis=1)
    )
    assert cosines.min() > 0.99
    assert (found != wanted).any()


class TestChoiceOfRuntime:
    @pytest.fixture(autouse=True)
    def with_int8_products(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(networks, "multiplies_bytes", lambda: True)

    def test_without_exact_int8_products_it_computes_in_floating_point(
        self, save, monkeypatch
    ) -> None:
        folder, document = save(compact=True), a_document()
        whole = load_network(folder, "auto").read(document).vectors
        monkeypatch.setattr(networks, "multiplies_bytes", lambda: False)
        found = load_network(folder, "auto").read(document).vectors
        assert (found == load_network(folder, "fp32", "onnx").read(document).vectors).all()
        assert (found != whole).any()
        with pytest.raises(LongsumError, match="cannot add products of bytes exactly"):
            load_network(folder, "int8", "onnx")

    def test_with_a_gpu_pytorch_is_used_if_installed(self, save, tmp_path, monkeypatch) -> None:
        folder = save()
        monkeypatch.setattr(networks, "_DRIVERS", (tmp_path,))
        assert isinstance(load_network(folder, "auto"), TorchNetwork)
        monkeypatch.setitem(sys.modules, "torch", None)
        assert isinstance(load_network(folder, "auto"), LightNetwork)

    def test_a_model_that_was_not_exported_runs_in_pytorch(self, save: Save) -> None:
        folder = save()
        for graph in folder.path.glob("*.onnx"):
            graph.unlink()
        assert isinstance(load_network(folder, "auto"), TorchNetwork)
        with pytest.raises(LongsumError, match="run longsum export"):
            load_network(folder, "fp32", "onnx")

    def test_bf16_uses_pytorch_and_unsupported_precisions_are_refused(self, save) -> None:
        folder = save()
        assert isinstance(load_network(folder, "bf16"), TorchNetwork)
        with pytest.raises(LongsumError, match="does not compute in bf16"):
            load_network(folder, "bf16", "onnx")
        with pytest.raises(LongsumError, match="Only ONNX Runtime computes in int8"):
            load_network(folder, "int8", "torch")

    def test_a_compact_export_stores_weights_in_a_byte_each(self, save: Save) -> None:
        folder, document = save(), a_document()
        whole = load_network(folder, "fp32", "onnx").read(document).vectors
        weights = folder.path / "model.safetensors"
        size = weights.stat().st_size
        export(folder.path, compact=True)
        assert not weights.exists()
        # In so small a file, the scales and the header take as much space as the weights.
        assert (folder.path / "compact.safetensors").stat().st_size < 0.7 * size
        found = load_network(ModelFolder.of(folder.path), "fp32", "onnx").read(document).vectors
        assert 0 < abs(found - whole).max() < 0.2

    def test_only_a_hibert_can_be_exported(self, tmp_path) -> None:
        encoder = SentenceEncoderConfig(50, 24, 2, 3, 40, positions=64)
        save_extractor(FlatSum(FlatConfig(True, encoder)), tmp_path)
        with pytest.raises(LongsumError, match="Only a HiBERT"):
            export_extractor(ModelFolder.of(tmp_path))

    @pytest.mark.parametrize(
        ("change", "told"),
        [
            (lambda graph: graph.functions.add(name="f"), "defines more than a graph"),
            (lambda graph: graph.graph.sparse_initializer.add(), "constants of another kind"),
            (lambda graph: _elsewhere(graph, "/etc/hostname"), "reads another file"),
            (lambda graph: graph.graph.node.add(op_type="Loop"), "computes 'Loop'"),
            (lambda graph: graph.graph.node.add(op_type="Add", domain="x"), "computes 'x.Add'"),
            (lambda graph: graph.graph.node[0].attribute.add().g.SetInParent(), "within the graph"),
        ],
    )
    def test_a_graph_with_unexpected_content_is_not_run(self, save, change, told) -> None:
        folder = save()
        path = folder.path / "sentence_encoder.fp32.onnx"
        graph = onnx.load(path, load_external_data=False)
        change(graph)
        path.write_bytes(graph.SerializeToString())
        with pytest.raises(LongsumError, match=told):
            load_network(folder, "fp32", "onnx")

    def test_a_graph_that_does_not_fit_its_weights_is_refused_at_the_first_text(
        self, save: Save
    ) -> None:
        folder = save()
        path = folder.path / "sentence_encoder.fp32.onnx"
        graph = onnx.load(path, load_external_data=False)
        graph.graph.initializer[-1].dims[0] += 1
        path.write_bytes(graph.SerializeToString())
        network = load_network(folder, "fp32", "onnx")
        with pytest.raises(LongsumError, match="does not fit the weights beside it"):
            network.read(a_document())

    @pytest.mark.parametrize("content", [b"none", b"\x3a\x7f"])
    def test_a_file_that_is_not_a_graph_is_refused(self, save: Save, content: bytes) -> None:
        folder = save()
        (folder.path / "sentence_encoder.fp32.onnx").write_bytes(content)
        with pytest.raises(LongsumError, match=r"sentence_encoder\.fp32\.onnx' (is not|does not)"):
            load_network(folder, "fp32", "onnx")


def _elsewhere(graph, path: str) -> None:
    constant = next(each for each in graph.graph.initializer if each.external_data)
    constant.external_data[0].value = path


@pytest.mark.parametrize(
    ("machine", "told", "expected"),
    [
        ("x86_64", "flags : sse avx512_vnni avx512_bf16", True),
        ("x86_64", "flags : sse avx_vnni", True),
        ("x86_64", "flags : sse avx2 avx512f", False),
        ("AMD64", None, False),
        ("aarch64", None, True),
        ("arm64", None, True),
    ],
)
def test_support_for_int8_products_depends_on_the_processor(
    machine, told, expected, tmp_path, monkeypatch
) -> None:
    if told is not None:
        (tmp_path / "cpuinfo").write_text(told)
    monkeypatch.setattr(processor.platform, "machine", lambda: machine)
    monkeypatch.setattr(processor, "_CPUINFO", tmp_path / "cpuinfo")
    assert processor.multiplies_bytes.__wrapped__() is expected


def test_attention_is_stable_with_very_large_scores() -> None:
    same = Linear(np.eye(2, dtype=np.float32), None)
    strong = Linear(1e4 * same.weight, None)
    norm = Norm(np.ones(2, np.float32), np.zeros(2, np.float32), 1e-12)
    states = np.array([[2, 1], [-1, 3]], dtype=np.float32)
    # Each row fits itself best, by far; so each reads itself alone, and is doubled.
    found = Attention(1, strong, same, same, same, norm)(states, states)
    assert found == pytest.approx(norm(2 * states))


@pytest.mark.parametrize("at_once", [1, 40, 2**18])
def test_the_size_of_chunks_changes_no_result(at_once, monkeypatch) -> None:
    draw = np.random.default_rng(0).normal
    linear = [Linear(draw(size=size).astype(np.float32), None) for size in [(8, 8)] * 4]
    norm = Norm(np.ones(8, np.float32), np.zeros(8, np.float32), 1e-5)
    states = draw(size=(13, 8)).astype(np.float32)
    query, key, value = (
        (states @ each.weight).reshape(13, 2, 4).swapaxes(0, 1) for each in linear[:3]
    )
    weights = np.exp(query @ key.swapaxes(1, 2) / 2)
    mixed = weights / weights.sum(axis=-1, keepdims=True) @ value
    read = norm(states + linear[3](mixed.swapaxes(0, 1).reshape(13, 8)))
    wide = Linear(draw(size=(8, 24)).astype(np.float32), None)
    narrow = Linear(draw(size=(24, 8)).astype(np.float32), None)
    fed = norm(read + narrow(layers.gelu(wide(read))))
    monkeypatch.setattr(layers, "_AT_ONCE", at_once)
    # The sums of float32 are in another order.
    assert Attention(2, *linear, norm)(states, states) == pytest.approx(read, abs=1e-4)
    assert FeedForward(wide, narrow, norm)(read) == pytest.approx(fed, abs=1e-4)


def test_equal_texts_are_encoded_once(save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    light, _ = pair(save())
    document = a_document()
    twice = replace(document, tokens=np.tile(document.tokens[:2], 11), ends=np.arange(2, 24, 2))
    encode, asked = light._encoder, []
    monkeypatch.setattr(light, "_encoder", lambda texts: asked.append(len(texts)) or encode(texts))
    light.read(twice)
    assert asked == [1]


def test_only_known_fields_of_a_graph_are_accepted() -> None:
    def field(number: int, content: bytes = b"") -> bytes:
        tag = number << 3 | 2
        start = [tag] if tag < 128 else [tag & 127 | 128, tag >> 7]
        return bytes([*start, len(content)]) + content

    node = field(4, b"Add")
    for number in range(1, 32):
        inside = field(7, field(number, node if number == 1 else b""))
        of_node = field(7, field(1, node + field(5, field(number))))
        found = [processor.unusual(each) for each in (field(number), inside, of_node)]
        written = [range(1, 9), (1, 2, 5, 10, 11, 12, 13), (1, 2, 3, 4, 7, 8, 9, 20)]
        assert [not each for each in found] == [number in known for known in written]


def test_weights_within_a_part_lose_only_its_prefix() -> None:
    stored = StoredWeights({name: np.zeros(1) for name in ("a.x", "a.a.y", "b.a.z")})
    assert set(stored.within("a.").tensors) == {"x", "a.y"}
