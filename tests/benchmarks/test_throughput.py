"""Memory counted without computing, longest inputs, and throughput, at toy size."""

import json
import math
from dataclasses import replace
from functools import partial

import pytest
import torch

pytest.importorskip("transformers", reason="models that write need longsum[models]")

import counted_memory
import encoding
import longest_input
import peer_systems
import steps
import throughput

from longsum.common.errors import LongsumError
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration

TOY = peer_systems.Geometry(32, 4, 48, 48, layers=2, window=32, vocabulary=64)
SHALLOW = replace(TOY, layers=1)


@pytest.fixture(autouse=True)
def _toy_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(peer_systems.SIZES, "small", TOY)


def update(name: str, tokens: int = 64) -> None:
    given = {"target": 16, "scores": "fused", "layers": "kept", "shaped": True}
    longest_input.update(name, TOY, tokens, **given)


@pytest.mark.slow
def test_memory_without_values_is_that_with_values() -> None:
    work = partial(update, "window + HEPOS")
    with counted_memory.Counting() as counting:
        work()
    assert counted_memory.peak_without_computing(work) == counting.peak


def test_freed_memory_no_longer_counts() -> None:
    with counted_memory.Counting() as counting:
        first = torch.ones(1000)
        view = first[10:]
        assert counting.alive == 4000
        del first, view
        second = torch.ones(500)
        assert counting.alive == second.nbytes
    assert counting.peak == 4000


def saved(name: str, scores: str = "fused", shaped: bool = True) -> int:
    """Return the bytes that autograd saves for the backward pass, as its own hooks report."""
    found: dict[int, int] = {}
    held: list[torch.Tensor] = []

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        held.append(tensor)
        found[tensor.untyped_storage().data_ptr()] = tensor.untyped_storage().nbytes()
        return tensor

    model = peer_systems.build(name, TOY, 256)
    if shaped:
        counted_memory.shape_as_kernels(model)
    source = peer_systems.sources(TOY, name, 1, 256)
    with (
        steps.attending(scores),
        torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor),
    ):
        model(input_ids=source, labels=source[:, :64])
    return sum(found.values())


def test_a_window_in_the_layout_of_a_kernel_keeps_the_same_as_the_cpu_code() -> None:
    state = 256 * TOY.size * 4
    # That code's results are laid out anew for the projection behind it: a state a layer.
    more = saved("window", shaped=False) - saved("window")
    assert 0 <= more <= TOY.layers * state < saved("window") // 10


def test_hepos_saves_three_quarters_of_the_memory_that_grows_with_source_and_target() -> None:
    without, with_it = (saved(name, "kept") for name in ("window", "window + HEPOS"))
    fused = saved("window", "fused") - saved("window + HEPOS", "fused")
    # Keys and values shrink by the stride of 4, and so do scores, of which one copy is kept.
    scores = TOY.layers * TOY.heads * 64 * 256 * 4
    assert without - with_it == fused + scores * 3 // 4
    assert fused > 0


@pytest.mark.parametrize(
    "peak",
    [
        lambda tokens: 3e9 + 5e5 * tokens,
        lambda tokens: max(5e9, 2e9 + 5e5 * tokens),
        lambda tokens: 3e9 + 4e5 * tokens + 3 * tokens**2,
        lambda tokens: 3e9 + 5e5 * tokens if tokens < 40_000 else math.inf,
    ],
)
def test_the_longest_input_is_found_in_few_attempts(peak) -> None:
    tried = []

    def told(tokens: int) -> float:
        tried.append(tokens)
        return peak(tokens)

    found = longest_input.longest(told, 24e9, 256)
    assert peak(found) <= 24e9 < peak(found + 256)
    assert len(tried) <= 14


def test_no_length_fits_or_all_do() -> None:
    assert longest_input.longest(lambda _: 2.0, 1.0, 256) == 0
    assert longest_input.longest(lambda _: 1.0, 2.0, 256, most=4096) == 4096


@pytest.mark.slow
def test_hepos_reads_more_in_the_same_memory(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setitem(peer_systems.SIZES, "small", SHALLOW)
    file = tmp_path / "found.json"
    longest_input.main(
        [
            *("--small", "--count", "--memory", "0.005", "--target", "64", "--layers", "kept"),
            *("--systems", "window", "window + HEPOS", "--scores", "kept", "--json", str(file)),
            *("--step", "512"),
        ]
    )
    without, with_it = (row["tokens"][0] for row in json.loads(file.read_text("utf-8")))
    assert 0 < without < with_it
    assert f"{with_it / without:.2f} × in 0.005 GB" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("name", ["HF LED", "BART, stretched", "PEGASUS-X's blocks", "Sinkhorn"])
def test_every_system_is_counted(name: str) -> None:
    peak = counted_memory.peak_without_computing(partial(update, name))
    weights = 4 * sum(each.numel() for each in peer_systems.build(name, TOY, 64).parameters())
    assert peak > 2 * weights


@pytest.mark.slow
def test_throughput_measures_writing_and_learning(tmp_path) -> None:
    file = tmp_path / "found.json"
    systems = ("window + HEPOS", "HF LED", "BART, 1,024 read")
    throughput.main(
        [
            *("--small", "--parts", "write", "learn", "--lengths", "40", "--dtypes", "fp32"),
            *("--systems", *systems, "--json", str(file)),
        ]
    )
    found = json.loads(file.read_text("utf-8"))
    assert [row["system"] for row in found["write"]] == [*systems]
    for row in (*found["write"], *found["learn"]):
        assert math.isclose(row["tokens_per_second"] * row["seconds"], 40)
    assert all(row["first_ms"] > 0 for row in found["write"])


@pytest.mark.slow
def test_throughput_measures_the_shipped_encoders(tmp_path, monkeypatch) -> None:
    text = tmp_path / "short.txt"
    text.write_text("Dams hold back the river. It floods otherwise.\n", encoding="utf-8")
    monkeypatch.setattr(encoding, "EXAMPLE", text)
    rows = list(encoding.encoding_rows(2, ["fp32"], [64]))
    assert [row["part"] for row in rows] == ["sentences", "documents"]
    assert {row["sentences"] for row in rows} == {4}
    assert all(row["seconds"] > 0 for row in rows)


def test_errors_are_reported_in_their_row() -> None:
    def fail() -> None:
        raise LongsumError("A text of 9 tokens does not fit.\nMore.")

    assert encoding.measure(fail) == {"error": "LongsumError: A text of 9 tokens does not fit."}


def test_bart_reads_no_more_than_its_positions() -> None:
    assert peer_systems.sources(TOY, peer_systems.FIRST_ONLY, 1, 5000).shape == (1, 1024)
    assert peer_systems.sources(TOY, "BART, stretched", 1, 5000).shape == (1, 5000)


def test_ours_have_the_sizes_of_their_peers() -> None:
    ours = peer_systems.build("LED's window", TOY, 64)
    bart = peer_systems.build("BART, stretched", TOY, 64)
    assert isinstance(ours, LongsumForConditionalGeneration)
    counts = [sum(each.numel() for each in model.parameters()) for model in (ours, bart)]
    assert counts[0] == counts[1]
