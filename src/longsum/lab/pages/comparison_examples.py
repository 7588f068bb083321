"""The examples of a comparison's page: what each system wrote, beside the reference."""

import math
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from longsum.common.wording import counted
from longsum.lab.pages.comparison_view import ComparisonView, ExampleView, Passage, Text
from longsum.language.words import count_words


def render_examples(view: ComparisonView, longest: int) -> str:
    """Return the examples, closed; each opens without a script.

    Args:
        view: The comparison.
        longest: Bytes that a text may take; where one is cut, it says how many words are missing.
    """
    return "\n".join(
        _example(view, place, example, longest) for place, example in enumerate(view.examples)
    )


def text_sizes(view: ComparisonView) -> list[int]:
    """Return the bytes that each text in the examples takes."""
    return [
        sum(_opening(passage) + sum(map(_size, passage.sentences)) for passage in text)
        for example in view.examples
        for text in (*example.references, *example.summaries)
    ]


def common_limit(sizes: Iterable[int], room: int) -> int:
    """Return the largest length to which texts can be cut so that together they fit a room."""
    left = sorted(sizes)
    for place, size in enumerate(left):
        share = room // (len(left) - place)
        if size > share:
            return max(share, 0)
        room -= size
    return left[-1] if left else 0


def _size(sentence: str) -> int:
    return len(f"{_sentence(sentence)} ".encode())


def _opening(passage: Passage) -> int:
    """Return the bytes that a passage takes besides its sentences."""
    return len(f"{_passage(passage, ())}\n".encode())


def _example(view: ComparisonView, place: int, example: ExampleView, longest: int) -> str:
    asked = (
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
        f"{asked}{_scores(view, place)}\n"
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
    """Yield paragraphs until a text takes its bytes, then how many words are missing."""
    left = longest
    missing = 0
    for passage in text:
        left -= _opening(passage)
        kept = []
        for sentence in passage.sentences:
            size = _size(sentence)
            if missing == 0 and size <= left:
                left -= size
                kept.append(sentence)
            else:
                missing += count_words(sentence)
        if kept or (left >= 0 and not missing):
            yield _passage(passage, kept)
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
