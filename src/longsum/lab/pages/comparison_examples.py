"""The examples on the page of a comparison: each system's summary beside the references."""

import math
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from longsum.common.wording import counted
from longsum.lab.pages.comparison_view import ComparisonView, ExampleView, Passage, Text
from longsum.language.words import count_words


def render_examples(view: ComparisonView, longest: int) -> str:
    """Return the examples, collapsed; they open without a script.

    Args:
        view: The comparison.
        longest: Most bytes of a text; a text that is cut says how many words are missing.
    """
    return "\n".join(
        _example(view, place, example, longest) for place, example in enumerate(view.examples)
    )


def text_sizes(view: ComparisonView) -> list[int]:
    """Return the size of each text in the examples, in bytes."""
    return [
        sum(_opening(passage) + sum(map(_size, passage.sentences)) for passage in text)
        for example in view.examples
        for text in (*example.references, *example.summaries)
    ]


def common_limit(sizes: Iterable[int], room: int) -> int:
    """Return the greatest length to cut texts to so that together they fit into `room`."""
    ascending = sorted(sizes)
    for place, size in enumerate(ascending):
        share = room // (len(ascending) - place)
        if size > share:
            return max(share, 0)
        room -= size
    return ascending[-1] if ascending else 0


def _size(sentence: str) -> int:
    return len(f"{_sentence(sentence)} ".encode())


def _opening(passage: Passage) -> int:
    """Return the size of a passage without its sentences, in bytes."""
    return len(f"{_passage(passage, ())}\n".encode())


def _example(view: ComparisonView, place: int, example: ExampleView, longest: int) -> str:
    question = (
        f'<p class="asked"><bdi>{escape(example.question)}</bdi></p>' if example.question else ""
    )
    names = (
        ["Reference"]
        if len(example.references) == 1
        else [f"Reference {number}" for number in range(1, len(example.references) + 1)]
    )
    references = [
        _text(name, text, longest, 'class="reference"')
        for name, text in zip(names, example.references, strict=True)
    ]
    summaries = [
        _text(name, text, longest, f'class="system" data-system="{number}"')
        for number, (name, text) in enumerate(zip(view.systems, example.summaries, strict=True))
    ]
    texts = "\n".join((*references, *summaries))
    return (
        f'<details class="example" id="e-{place + 1}" data-place="{place}"><summary>'
        f'<bdi>{escape(example.title)}</bdi> <span class="sorted"></span></summary>\n'
        f"{question}{_scores(view, place)}\n"
        f'<div class="texts">\n{texts}\n</div></details>'
    )


def _scores(view: ComparisonView, place: int) -> str:
    """Return the scores of an example, a row for each system."""
    head = "".join(f"<th>{escape(score.name)}</th>" for score in view.scores)
    rows = "\n".join(
        f"<tr><th>{escape(name)}</th>"
        + "".join(f"<td>{_value(score.values[number][place])}</td>" for score in view.scores)
        + "</tr>"
        for number, name in enumerate(view.systems)
    )
    return (
        f'<div class="scroll" tabindex="0"><table class="own"><tr><th></th>{head}</tr>\n{rows}\n'
        "</table></div>"
    )


def _value(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.2f}".replace("-", "−")


def _text(name: str, text: Text, longest: int, marks: str) -> str:
    shown = "\n".join(_passages(text, longest))
    return f"<section {marks}><h3>{escape(name)}</h3>\n{shown}</section>"


def _passages(text: Text, longest: int) -> Iterator[str]:
    """Yield the paragraphs of a text up to its limit, then how many words are missing."""
    left = longest
    missing = 0
    for passage in text:
        left -= _opening(passage)
        fitting = []
        for sentence in passage.sentences:
            size = _size(sentence)
            if missing == 0 and size <= left:
                left -= size
                fitting.append(sentence)
            else:
                missing += count_words(sentence)
        if fitting or (left >= 0 and not missing):
            yield _passage(passage, fitting)
        else:
            missing += count_words(passage.title)
    if missing:
        yield f'<p class="missing">… {counted(missing, "further word")} left out</p>'


def _passage(passage: Passage, sentences: Sequence[str]) -> str:
    title = f"<b>{escape(passage.title)}</b> " if passage.title else ""
    level = f' class="level-{min(passage.level, 6)}"' if passage.level else ""
    return f"<p{level}>{title}{' '.join(map(_sentence, sentences))}</p>"


def _sentence(sentence: str) -> str:
    return f"<span>{escape(sentence)}</span>"
