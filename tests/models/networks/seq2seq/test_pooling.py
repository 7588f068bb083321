"""Segments and their pooling, against a definition in loops."""

import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from longsum.models.networks.seq2seq.top_down import Windows

Case = tuple[int, int, list[int], int]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Draw kernel, stride, lengths of rows and the padded length."""
    kernel = draw(st.integers(1, 9))
    stride = draw(st.integers(1, kernel))
    lengths = draw(st.lists(st.integers(0, 30), min_size=1, max_size=3))
    return kernel, stride, lengths, max(*lengths, 1) + draw(st.integers(0, 5))


def build(case: Case) -> tuple[Windows, Tensor]:
    """Make the windows, and states of two features with values in the padding too."""
    kernel, stride, lengths, tokens = case
    real = torch.arange(tokens) < torch.tensor(lengths)[:, None]
    states = torch.randn(
        len(lengths), tokens, 2, dtype=torch.float64, generator=torch.Generator().manual_seed(0)
    )
    return Windows(kernel, stride, tokens, None if real.all() else real), states


def spans(case: Case) -> list[list[range]]:
    """List the tokens of each window of each row, until a window reaches the end."""
    kernel, stride, lengths, _ = case
    rows = []
    for length in lengths:
        row: list[range] = []
        while length and (not row or row[-1].stop < length):
            start = len(row) * stride
            row.append(range(start, min(start + kernel, length)))
        rows.append(row)
    return rows


@given(cases())
def test_windows_cover_every_token(case: Case) -> None:
    windows, _ = build(case)
    present = windows.present()
    for row, (found, length) in enumerate(zip(spans(case), case[2], strict=True)):
        assert {place for span in found for place in span} == set(range(length))
        assert len(found) <= windows.count
        if present is not None:
            assert present[row].tolist() == [place < len(found) for place in range(windows.count)]
    if present is None:
        assert {len(found) for found in spans(case)} == {windows.count}


@given(cases(), st.data())
def test_means_are_those_of_loops(case: Case, data: st.DataObject) -> None:
    windows, states = build(case)
    scale = data.draw(st.sampled_from([1e-9, 1.0, 1e9]))
    drawn = [data.draw(st.lists(st.integers(0, 2), min_size=case[3], max_size=case[3]))]
    weights = torch.tensor(drawn * len(case[2]), dtype=torch.float64) * scale
    assert torch.equal(windows.pool(states), windows.pool(states, torch.zeros_like(weights)))
    pooled = windows.pool(states, weights)
    assert pooled.isfinite().all()
    for row, found in enumerate(spans(case)):
        for number, span in enumerate(found):
            total = sum(float(weights[row, place]) for place in span)
            shares = [
                float(weights[row, place]) / total if total else 1 / len(span) for place in span
            ]
            expected = sum(
                share * states[row, place] for share, place in zip(shares, span, strict=True)
            )
            torch.testing.assert_close(pooled[row, number], expected)


@given(cases())
def test_tokens_get_the_mean_of_their_segments(case: Case) -> None:
    windows, states = build(case)
    segments = windows.pool(states)
    spread = windows.spread(segments)
    for row, found in enumerate(spans(case)):
        for place in range(case[2][row]):
            own = [segments[row, number] for number, span in enumerate(found) if place in span]
            torch.testing.assert_close(spread[row, place], torch.stack(own).mean(dim=0))


@given(cases(), st.data())
def test_the_number_of_most_tokens_or_the_first(case: Case, data: st.DataObject) -> None:
    windows, _ = build(case)
    row_of = data.draw(st.lists(st.integers(0, 3), min_size=case[3], max_size=case[3]))
    most = windows.majority(torch.tensor([row_of] * len(case[2])))
    for row, found in enumerate(spans(case)):
        for number, span in enumerate(found):
            held = [row_of[place] for place in span]
            assert int(most[row, number]) == max(held, key=held.count)


def test_bf16_is_pooled_in_fp32() -> None:
    windows, states = build((32, 24, [100], 100))
    found = windows.pool(states.bfloat16())
    assert found.dtype == torch.bfloat16
    assert torch.equal(found, windows.pool(states.bfloat16().double()).bfloat16())
