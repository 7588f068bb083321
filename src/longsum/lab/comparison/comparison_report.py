"""The content of a report on a comparison: scores with their tests, examples, and the run."""

import platform
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version

from longsum.common.arrays import Array
from longsum.core.summaries import Summary
from longsum.core.summaries.question_summary import QuestionSummary
from longsum.evaluation.datasets import Example
from longsum.evaluation.datasets.dataset_statistics import document_terms, salient_curve
from longsum.evaluation.datasets.question_sets import question_trees
from longsum.evaluation.metrics.metric_info import MetricInfo, find_score
from longsum.evaluation.metrics.significance import AnalysisOfVariance, Interval, bootstrap_interval
from longsum.lab.comparison.comparison_results import (
    Results,
    analysis_rows,
    difference_rows,
    pair_rows,
)
from longsum.lab.pages.comparison_view import (
    ComparisonView,
    ExampleView,
    Grid,
    Lead,
    Passage,
    ScoreView,
    Text,
)
from longsum.language.words import count_words

MOST_EXAMPLES = 300
"""Most documents whose texts a report shows; its tables and charts cover all."""
_PACKAGES = ("longsum", "numpy", "onnxruntime", "rouge-score", "scipy", "torch", "transformers")
"""Packages on whose versions results may depend."""
_REFERENCES = "references"
_PAIR = 2


@dataclass(slots=True)
class Gathered:
    """Data gathered for a report while systems are compared.

    Attributes:
        trees: Whether the systems make trees, whose references are trees too.
        lengths: The words of each document.
        examples: The first documents, with references and the systems' output.
        curves: Where in each document the bigrams that it shares with a system's output first
            occur, by the system's index.
        reference_curves: The same for the references.
    """

    trees: bool = False
    lengths: list[int] = field(default_factory=list)
    examples: list[ExampleView] = field(default_factory=list)
    curves: dict[int, list[Array]] = field(default_factory=lambda: defaultdict(list))
    reference_curves: list[Array] = field(default_factory=list)
    _current: Example | None = None
    _terms: list[str] = field(default_factory=list)
    _texts: list[Text] = field(default_factory=list)

    def add(self, example: Example, made: Summary | QuestionSummary) -> None:
        """Add one system's output for a document; documents and systems come in order."""
        if example is not self._current:
            self._begin(example)
        text = _tree(made) if isinstance(made, QuestionSummary) else _summary(made)
        self._add_curve([_joined(text)], self.curves[len(self._texts)])
        self._texts.append(text)

    def _begin(self, example: Example) -> None:
        self._current, self._texts = example, []
        self._terms = document_terms(example.document)
        self.lengths.append(count_words(example.document.text))
        references = tuple(self._references(example))
        self._add_curve(list(map(_joined, references)), self.reference_curves)
        if len(self.examples) < MOST_EXAMPLES:
            title = example.document.title or example.id
            # The list of texts grows as the systems' summaries arrive.
            self.examples.append(ExampleView(title, references, self._texts, example.question))

    def _references(self, example: Example) -> Iterator[Text]:
        if not self.trees:
            for reference in example.references:
                yield [Passage([line]) for line in reference.splitlines() if line.strip()]
            return
        for tree in question_trees(example):
            yield [Passage([pair.answer], pair.question, level) for level, pair in tree.walk()]

    def _add_curve(self, texts: Sequence[str], curves: list[Array]) -> None:
        curve = salient_curve(self._terms, texts, _PAIR)
        if curve is not None:
            curves.append(curve)

    def positions(self, names: Sequence[str]) -> dict[str, list[Interval]]:
        """Return where the bigrams that systems and references share first occur."""
        of_systems = {names[place]: curves for place, curves in self.curves.items()}
        return {
            name: [bootstrap_interval(tenth) for tenth in zip(*curves, strict=True)]
            for name, curves in {**of_systems, _REFERENCES: self.reference_curves}.items()
            if curves
        }


def _joined(text: Text) -> str:
    return " ".join(sentence for passage in text for sentence in passage.sentences)


def comparison_view(
    results: Results,
    gathered: Gathered,
    *,
    title: str,
    unit: str,
    infos: Mapping[str, MetricInfo],
    card: Mapping[str, str],
    analyses: Mapping[str, AnalysisOfVariance] | None = None,
) -> ComparisonView:
    """Return what the page and the figures of a comparison show.

    Args:
        results: The comparison.
        gathered: The data gathered during it.
        title: The data that systems were compared on.
        unit: What was scored, in the singular.
        infos: The metrics that the scores may belong to.
        card: What is needed to repeat the comparison, besides systems, length and versions.
        analyses: Analyses of variance by score.
    """
    names = results.names
    return ComparisonView(
        title=title,
        unit=unit,
        systems=names,
        scores=list(_scores(results, infos, analyses or {})),
        lengths=gathered.lengths,
        examples=gathered.examples,
        positions=gathered.positions(names),
        tests=list(_tests(results, analyses)),
        card=[
            *card.items(),
            ("Systems", ", ".join(names)),
            ("Length", f"at most {results.budget} each"),
            ("Sample", f"{len(results.ids):,} {unit}s, {results.ids[0]} to {results.ids[-1]}"),
            ("Versions", ", ".join(_versions())),
        ],
        variants=results.variants,
        left_out=results.left_out,
    )


def _scores(
    results: Results,
    infos: Mapping[str, MetricInfo],
    analyses: Mapping[str, AnalysisOfVariance],
) -> Iterator[ScoreView]:
    names = results.names
    leads: dict[str, list[Lead | None]] = defaultdict(lambda: [None])
    for lead in results.differences:
        leads[lead.metric].append(Lead(lead.bootstrap.difference, lead.randomization_p))
    for name in results.systems[0].scores:
        metric, info = find_score(name, infos)
        letters = analyses[name].groups() if name in analyses else {}
        yield ScoreView(
            name,
            metric,
            f"{info.measures}, {info.range}",
            info.better,
            [result.scores[name] for result in results.systems],
            [result.interval(name) for result in results.systems],
            leads[name],
            [letters[system] for system in names] if letters else (),
        )


def _tests(results: Results, analyses: Mapping[str, AnalysisOfVariance] | None) -> Iterator[Grid]:
    if analyses:
        yield Grid("One-way analyses of variance", *analysis_rows(analyses))
        yield Grid("Tukey's test of every pair", *pair_rows(analyses))
    if len(results.systems) > 1:
        caption = f"Differences from {results.names[0]}"
        caption += f" ({results.too_few})" if results.too_few else ""
        yield Grid(caption, *difference_rows(results))


def _summary(summary: Summary) -> Text:
    return [Passage([sentence.text for sentence in summary.sentences])]


def _tree(tree: QuestionSummary) -> Text:
    return [
        Passage([sentence.text for sentence in node.sentences], node.title, level)
        for level, node in tree.root.walk()
    ]


def _versions() -> Iterator[str]:
    """Yield the versions of Python and of installed packages."""
    yield f"Python {platform.python_version()}"
    for package in _PACKAGES:
        try:
            yield f"{package} {version(package)}"
        except PackageNotFoundError:
            continue
