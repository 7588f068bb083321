"""Runs systems or tree makers on part of a data set, with a bar, for `longsum evaluate`."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from longsum.cli.options import DataSet, Limit, Map, Root, UsualSplit, mapped
from longsum.cli.streams import bar, hide_bars_of_transformers
from longsum.common.errors import LongsumError
from longsum.common.extras import require

if TYPE_CHECKING:
    from longsum.core.pipeline import Options
    from longsum.core.summaries import Budget, Summary
    from longsum.core.summaries.question_summary import QuestionSummary
    from longsum.core.systems.system import Summarizer
    from longsum.evaluation.datasets import Example
    from longsum.lab.comparison.comparison_metrics import Metric
    from longsum.lab.comparison.comparison_report import Gathered
    from longsum.lab.comparison.comparison_results import Results

ALL = "all"
"""Every metric that can be computed."""

Task = Literal["summaries", "questions", "trees"]
"""What systems make from a document."""


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The data of an evaluation."""

    data: DataSet
    split: UsualSplit = None
    map: Map = None
    root: Root = None
    limit: Limit = None
    task: Annotated[
        Task,
        typer.Option(
            "--task",
            help="Summaries of the documents; answers to each question of the set, with the "
            "question as the focus; or trees of questions and summaries.",
        ),
    ] = "summaries"

    def ready(self) -> "Evaluated":
        """Return it with the fields of the user's own file, and with the split.

        Raises:
            LongsumError: There is no such set, or its fields are not clear.
        """
        from longsum.evaluation.datasets import usual_split

        data = mapped(self.data, self.map)
        return replace(self, data=data, map=None, split=self.split or usual_split(data))

    @property
    def name(self) -> str:
        """The data set and its split."""
        return f"{self.data}, {self.split}"

    @property
    def unit(self) -> str:
        """What is scored, in the singular."""
        return "question" if self.task == "questions" else "document"

    def load(self) -> "Iterable[Example]":
        """Return the documents, or their questions."""
        from longsum.evaluation.datasets import load
        from longsum.evaluation.datasets.question_sets import question_examples

        examples = load(self.data, self.split or "", root=self.root, limit=self.limit)
        return question_examples(examples) if self.task == "questions" else examples

    def length(
        self,
        mean: "Callable[[Iterable[Example]], Budget]",
        show: Callable[[int, int | None, str], None],
    ) -> "tuple[Budget, int]":
        """Return the mean length of the references, and how many examples there are."""
        count = 0

        def counted() -> "Iterator[Example]":
            nonlocal count
            for count, example in enumerate(self.load(), start=1):
                show(count, None, f"Reading {self.name}")
                yield example

        return mean(counted()), count

    def compared(
        self,
        budget: "Budget | None",
        mean: "Callable[[Iterable[Example]], Budget]",
        compare: "Callable[[Iterable[Example], Budget, Callable[[int], None]], Results]",
    ) -> "Results":
        """Return the result of a comparison, with a bar.

        Without a budget the length is what `mean` returns; `compare` tells how many are done.
        """
        # The number of questions is known once they are read.
        total = None if self.task == "questions" else self.limit
        with bar(f"Reading {self.name}", self.unit) as show:
            if budget is None:
                budget, total = self.length(mean, show)
            return compare(
                self.load(),
                budget,
                lambda done: show(done, total, f"Evaluating on {self.name}"),
            )


@dataclass(frozen=True, slots=True)
class Scored:
    """The metrics: their names, and the folders of the models that some need."""

    metrics: Annotated[
        str | None,
        typer.Option(
            "--metrics",
            metavar="NAMES",
            help="Names in 'longsum metrics', separated by commas, or 'all' for every one that can "
            "be computed with what is installed and given; rouge by default. Trees have scores of "
            "their own.",
        ),
    ] = None
    qa_model: Annotated[
        Path | None,
        typer.Option(
            "--qa-model",
            metavar="FOLDER",
            help="A model that answers questions with a span of a text, for the metric apes: one "
            "that 'longsum train apes-qa' made, or a checkpoint of transformers.",
        ),
    ] = None
    spacy_model: Annotated[
        str | None,
        typer.Option(
            "--spacy-model",
            metavar="NAME",
            help="An installed spaCy model that finds the names and dates that apes asks for, such "
            "as en_core_web_sm; by default rules find them.",
        ),
    ] = None
    claim_model: Annotated[
        Path | None,
        typer.Option(
            "--claim-model",
            metavar="FOLDER",
            help="A model that predicts whether a sentence is consistent with a text, for the "
            "metric factcc: one that 'longsum train factcc' made, or a checkpoint of transformers.",
        ),
    ] = None

    @property
    def with_model(self) -> list[str]:
        """The metrics that need a model and have been given its folder."""
        given = {"apes": self.qa_model, "factcc": self.claim_model}
        return [name for name, folder in given.items() if folder is not None]

    def check(self) -> None:
        """Check that the given models exist, before anything is read."""
        from longsum.core.model_files.folders import check_local

        for folder in (self.qa_model, self.claim_model):
            if folder is not None:
                check_local(folder)

    def load(self) -> "dict[str, Metric]":
        """Return the metrics that need a model, with the given models."""
        from longsum.lab.comparison.comparison_metrics import metrics_of

        if not self.with_model:
            return {}
        require("transformers")
        from longsum.lab.checking.apes import ClozeMaker
        from longsum.lab.checking.checkers import ClaimScorer, SpanAnswerer

        hide_bars_of_transformers()
        return metrics_of(
            None if self.qa_model is None else SpanAnswerer.load(self.qa_model),
            None if self.claim_model is None else ClaimScorer.load(self.claim_model),
            None if self.spacy_model is None else ClozeMaker.with_spacy(self.spacy_model),
        )


@dataclass(frozen=True, slots=True)
class Named:
    """The systems that are compared, and files of texts from other systems.

    Raises:
        LongsumError: Nothing is.
    """

    systems: list[str]
    predictions: list[str]
    prototype: str | None

    def __post_init__(self) -> None:
        if not self.systems and not self.predictions:
            raise LongsumError(
                "There is nothing to compare; name a system with -s, or a file of texts with "
                "--predictions."
            )


@dataclass(frozen=True, slots=True)
class Kept:
    """Collects parts of every summary or tree.

    Attributes:
        lines: Collects them as lines of JSON; None for none.
        gathered: Gathers what a report shows; None for none.
    """

    lines: list[str] | None
    gathered: "Gathered | None"

    def add(self, example: "Example", system: str, made: "Summary | QuestionSummary") -> None:
        """Collect the summary or tree that a system made for an example."""
        if self.gathered is not None:
            self.gathered.add(example, made)
        if self.lines is not None:
            named = {"id": example.id, "system": system, "summary": made.to_dict()}
            self.lines.append(json.dumps(named, ensure_ascii=False) + "\n")


def compare_systems(
    part: Evaluated,
    compared: "Named",
    budget: "Budget | None",
    kept: Kept,
    scored: Scored,
    options: "Options",
) -> "Results":
    """Return the scores of systems, and of texts from other systems."""
    from longsum.core.own_systems import load_any_system
    from longsum.lab.comparison.comparison import (
        available_metrics,
        compare,
        known_metrics,
        mean_reference_length,
    )
    from longsum.lab.comparison.predictions import Predictions

    named = [name.strip() for name in (scored.metrics or "rouge").split(",")]
    every = ALL in named
    left_out: dict[str, str] = {}
    if every:
        known_metrics((name for name in named if name != ALL), scored.with_model)
        named, left_out = available_metrics(scored.with_model)
    wanted = known_metrics(named, scored.with_model)
    scored.check()
    part.load()  # reports an unknown data set before systems are loaded
    more = scored.load()
    if any(Path(name).is_dir() for name in compared.systems):
        hide_bars_of_transformers()
    systems: list[Summarizer] = [
        *(load_any_system(name, prototype=compared.prototype) for name in compared.systems),
        *map(Predictions.load, compared.predictions),
    ]
    results = part.compared(
        budget,
        mean_reference_length,
        lambda examples, length, done: compare(
            examples,
            systems,
            length,
            metrics=wanted,
            more=more,
            spare=every,
            options=options,
            done=done,
            keep=lambda example, summary: kept.add(example, summary.system, summary),
        ),
    )
    return replace(results, left_out={**left_out, **results.left_out})


def compare_makers(
    part: Evaluated, names: list[str], budget: "Budget | None", kept: Kept
) -> "Results":
    """Return the scores of tree makers."""
    from longsum.core.recipes import DEFAULT, recipe_names
    from longsum.core.tree_makers import load_tree_maker
    from longsum.lab.comparison.comparison import compare_trees, mean_answer_length

    for name in names:
        if name != DEFAULT and name in recipe_names():
            raise LongsumError(
                f"The system '{name}' makes no trees; give '{DEFAULT}', or the folder of a trained "
                "extractor or of a model trained on the task question_hierarchy."
            )
    part.load()  # as above
    makers = {name: load_tree_maker(None if name == DEFAULT else name) for name in names}
    return part.compared(
        budget,
        mean_answer_length,
        lambda examples, length, done: compare_trees(
            examples, makers, length, done=done, keep=kept.add
        ),
    )
