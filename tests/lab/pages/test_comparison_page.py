"""The page of a comparison: everything that it must show, without a script and within its size."""

import math
import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from longsum.evaluation.metrics.significance import Interval
from longsum.lab.pages import comparison_page
from longsum.lab.pages.comparison_charts import bounds, by_length, histogram, ticks
from longsum.lab.pages.comparison_examples import common_limit, render_examples
from longsum.lab.pages.comparison_page import render_comparison
from longsum.lab.pages.comparison_view import (
    ComparisonView,
    ExampleView,
    Grid,
    Lead,
    Passage,
    ScoreView,
)
from longsum.language.words import count_words

HOSTILE = '</script><img src=x onerror="alert(1)">$body'
SENTENCES = ("Rivers flood towns.", "Dams held the water back.", "Levees broke in two towns.")


def view(documents: int = 12, sentences: int = 3, systems: int = 2) -> ComparisonView:
    texts = [SENTENCES[place % 3] for place in range(sentences)]
    values = [[40.0 + place, math.nan if place == 1 else 30.0] for place in range(documents)]
    score = ScoreView(
        name="rouge1",
        metric="rouge",
        measures="words, 0 to 100",
        better="higher",
        values=list(zip(*values, strict=True))[:systems],
        estimates=[Interval(45.5, 43, 48), Interval(30, 30, 30)][:systems],
        leads=[None, Lead(-15.5, 0.002)][:systems],
        letters=("a", "b") if systems > 1 else (),
    )
    return ComparisonView(
        title=f"a set {HOSTILE}",
        unit="document",
        systems=("lead", f"model {HOSTILE}")[:systems],
        scores=[score],
        lengths=[1000 + 100 * place for place in range(documents)],
        examples=[
            ExampleView(
                f"Document {place} {HOSTILE}",
                [[Passage([SENTENCES[0]])]],
                [[Passage(texts)], [Passage([HOSTILE, *texts], "Why?", 2)]][:systems],
                question="What <b>happened</b>?",
            )
            for place in range(documents)
        ],
        positions={"references": [Interval(tenth / 10, 0, 1) for tenth in range(1, 11)]},
        tests=[
            Grid(caption, ("system", "score"), [("lead", "rouge1"), ("graph", "rouge2")])
            for caption in ("Differences", "Pairs")[: 2 * systems - 2]
        ],
        card=[("Command", f"longsum evaluate {HOSTILE}")],
        variants=["ROUGE of a kind"],
        left_out={"apes": "it needs a model"},
    )


def test_omitted_metrics_are_listed_and_missing_parts_not_shown():
    full = html.fromstring(render_comparison(replace(view(), left_out={"apes": HOSTILE, "x": "y"})))
    notes = full.xpath("//div[@class='note'][p='Metrics left out:']//li")
    assert [each.text_content() for each in notes] == [f"apes: {HOSTILE}", "x: y"]
    assert len(full.xpath("//figure[@class='wide']")) == 1
    bare = html.fromstring(render_comparison(replace(view(), positions={}, left_out={})))
    assert not bare.xpath("//div[@class='note'][p='Metrics left out:'] | //figure[@class='wide']")


def test_it_runs_and_loads_nothing_but_its_own_script() -> None:
    text = render_comparison(view())
    page = html.fromstring(text)
    assert len(page.xpath("//script")) == 1
    assert not page.xpath("//img | //*[@style] | //*[@onerror] | //link[not(@href='data:,')]")
    assert not page.xpath("//@src")
    policy = page.xpath("//meta[@http-equiv]/@content")[0]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert page.xpath("//h1")[0].text_content() == f"a set {HOSTILE}"
    assert text == render_comparison(view())


def test_a_page_that_is_too_large_lists_what_it_leaves_out(monkeypatch) -> None:
    whole = view(documents=6, sentences=300)
    full = render_comparison(whole)
    assert "further word" not in full
    monkeypatch.setattr(comparison_page, "LARGEST", len(full.encode()) - 40_000)
    cut = render_comparison(whole)
    assert len(cut.encode()) <= comparison_page.LARGEST
    # It is not cut more than it has to be: a sentence of each of eighteen texts, and their notes.
    assert len(cut.encode()) > comparison_page.LARGEST - 18 * 120
    assert "Long texts are cut" in cut
    missing = [int(number) for number in re.findall(r"… (\d+) further words left out", cut)]
    assert len(missing) == 12
    kept = html.fromstring(cut).xpath('(//section[@data-system="0"])[1]//span/text()')
    words = sum(count_words(SENTENCES[place % 3]) for place in range(300))
    assert sum(map(count_words, kept)) + missing[0] == words


def test_if_scores_take_too_much_room_there_are_fewer_examples(monkeypatch) -> None:
    whole = view(documents=60, sentences=40)
    bare = len(render_comparison(replace(whole, examples=[])).encode())
    monkeypatch.setattr(comparison_page, "LARGEST", bare + 40_000)
    cut = render_comparison(whole)
    shown = cut.count('<details class="example"')
    assert 10 < shown < 60
    assert f"Shown are the first {shown} of 60 documents." in cut
    assert len(cut.encode()) <= comparison_page.LARGEST
    # Texts have about as much room as all the rest of the examples.
    assert len(re.findall("<span>[A-Z]", cut)) > 2 * shown


def test_a_text_ends_with_the_last_sentence_before_one_without_room() -> None:
    texts = [[Passage(["One.", "x" * 200, "Two."])]]
    example = ExampleView("A document", texts, texts * 2)
    shown = html.fromstring(render_examples(replace(view(), examples=[example]), 100))
    assert shown.xpath(".//section[1]//span/text()") == ["One."]
    assert "… 2 further words left out" in shown.text_content()


def test_one_system_has_no_differences() -> None:
    text = render_comparison(view(systems=1))
    assert "approximate randomization" not in text
    assert "Tukey" not in text


@given(st.lists(st.integers(0, 50), max_size=8), st.integers(0, 300))
def test_texts_share_a_room(sizes: list[int], room: int) -> None:
    limit = common_limit(sizes, room)
    assert sum(min(size, limit) for size in sizes) <= room
    if sum(sizes) <= room:
        assert limit == max(sizes, default=0)
    else:
        assert sum(min(size, limit + 1) for size in sizes) > room


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6))
def test_ticks_are_round_and_within(low: float, width: float) -> None:
    found = ticks(low, low + width)
    assert 1 <= len(found) <= 6
    slack = 1e-6 * (abs(low) + width)
    assert all(low - slack <= tick <= low + width + slack for tick in found)


def test_ticks_of_per_cents() -> None:
    assert ticks(0, 100) == [0, 20, 40, 60, 80, 100]
    assert ticks(0.31, 0.52) == [0.35, 0.4, 0.45, 0.5]


def test_every_value_is_in_the_histogram() -> None:
    values = [1.0, 1.0, 5.0, math.nan, 9.0]
    low, high = bounds([values])
    counts = histogram(values, low, high)
    assert (sum(counts), counts[0], counts[-1]) == (4, 2, 1)
    assert bounds([[3.0, 3.0]]) == (2.5, 3.5)


def test_scores_by_length() -> None:
    lengths = [800, 100, 700, 200, 600, 300, 500, 400]
    values = [length / 100 for length in lengths]
    short, long = by_length(values, lengths)
    assert (short.words, short.mean) == (250, 2.5)
    assert (long.words, long.mean) == (650, 6.5)
    assert by_length([math.nan, *values[1:]], lengths) == []
    assert by_length(values, [500] * 8) == []


def test_the_page_is_the_same_as_before(as_before) -> None:
    curve = [Interval(0.1 * place, 0.1 * place - 0.05, 0.1 * place + 0.05) for place in range(10)]
    whole = replace(view(7), positions={"references": curve, "lead": curve[::-1]})
    as_before("comparison", render_comparison(whole))
