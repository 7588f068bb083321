"""`longsum evaluate`."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from longsum.cli.bars import bar
from longsum.cli.comparison_tables import format_results
from longsum.cli.options import FillOption, Force, Root, Seed, data_sets, ready_systems
from longsum.cli.streams import check_output, write_result
from longsum.errors import LongsumError
from longsum.extras import require

EXAMPLES = (
    "longsum evaluate --data pmc_jats --split validation --limit 50 -s stepwise -s lead",
    "longsum evaluate --data squality -s kernels -s graph --metrics rouge,copying -o scores.json",
    "longsum evaluate --data squality -s stepwise -s graph -s lead --significance anova",
    "longsum evaluate --data qmsum --task questions --length 60w -s stepwise -s graph",
    "longsum evaluate --data question_headings --task trees -s stepwise",
)

if TYPE_CHECKING:
    from longsum.comparison import Metric
    from longsum.comparison_results import Results
    from longsum.datasets import Example
    from longsum.pipeline import Options
    from longsum.summaries import Budget, Summary
    from longsum.summaries.question_summary import QuestionSummary

_MEAN = "reference"
_FEWEST_SYSTEMS = 3
"""Systems that an analysis of variance is worth its while for."""


class Significance(StrEnum):
    """How differences of systems are tested."""

    pairwise = "pairwise"
    anova = "anova"


class Task(StrEnum):
    """What systems are to make of a document."""

    summaries = "summaries"
    questions = "questions"
    trees = "trees"


def evaluate(
    data: Annotated[
        str,
        typer.Option(
            "--data",
            metavar="SET",
            autocompletion=data_sets,
            help="The data set; 'longsum data' lists them.",
        ),
    ],
    system: Annotated[
        list[str],
        typer.Option(
            "--system",
            "-s",
            metavar="NAME",
            autocompletion=ready_systems,
            help="A system, or the folder of a model; repeat the option for each. The first is the "
            "one that the others are compared with.",
        ),
    ],
    split: Annotated[
        str, typer.Option("--split", metavar="NAME", help="The split.")
    ] = "validation",
    length: Annotated[
        str,
        typer.Option(
            "--length",
            "-l",
            metavar="LENGTH",
            help="As in summarize, or 'reference' for the mean length of the references.",
        ),
    ] = _MEAN,
    task: Annotated[
        Task,
        typer.Option(
            "--task",
            help="Summaries of the documents; answers to each question of the set, with the "
            "question as the focus; or trees of questions and summaries.",
        ),
    ] = Task.summaries,
    fill: FillOption = None,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="Use at most N documents.")
    ] = None,
    metrics: Annotated[
        str | None,
        typer.Option(
            "--metrics",
            metavar="NAMES",
            help="Names in 'longsum metrics', separated by commas; rouge by default. Trees have "
            "scores of their own.",
        ),
    ] = None,
    qa_model: Annotated[
        Path | None,
        typer.Option(
            "--qa-model",
            metavar="FOLDER",
            help="A model that answers questions with a span of a text, for the metric apes: one "
            "that 'longsum train apes-qa' made, or a checkpoint of transformers.",
        ),
    ] = None,
    spacy_model: Annotated[
        str | None,
        typer.Option(
            "--spacy-model",
            metavar="NAME",
            help="An installed spaCy model that finds the names and dates that apes asks for, such "
            "as en_core_web_sm; by default rules find them.",
        ),
    ] = None,
    claim_model: Annotated[
        Path | None,
        typer.Option(
            "--claim-model",
            metavar="FOLDER",
            help="A model that tells whether a sentence is consistent with a text, for the metric "
            "factcc: one that 'longsum train factcc' made, or a checkpoint of transformers.",
        ),
    ] = None,
    significance: Annotated[
        Significance,
        typer.Option(
            "--significance",
            help="Each system against the first, document by document; or, of three systems or "
            "more, a one-way analysis of variance with Tukey's test of every pair.",
        ),
    ] = Significance.pairwise,
    as_written: Annotated[
        bool,
        typer.Option(
            "--as-written",
            help="Score what models write as it is, however short. Otherwise MLS brings it to the "
            "length asked for, as in summarize.",
        ),
    ] = False,
    at_once: Annotated[
        bool,
        typer.Option(
            "--at-once", help="Do not divide long texts; a model then reads only their beginning."
        ),
    ] = False,
    summaries: Annotated[
        Path | None,
        typer.Option(
            "--summaries",
            metavar="FILE",
            help="Write every summary with its sources to this file, a line of JSON each.",
        ),
    ] = None,
    root: Root = None,
    seed: Seed = 0,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the scores of every document to this file.",
        ),
    ] = None,
    force: Force = False,
) -> None:
    """Compare systems on a data set, with confidence intervals and significance tests."""
    check_output(output, force)
    check_output(summaries, force)
    from longsum.pipeline import Options
    from longsum.summaries import Budget
    from longsum.summaries.result_file import dump_json

    # Check all options before reading anything.
    budget = None if length == _MEAN else Budget.parse(length)
    if significance is Significance.anova:
        _check_anova(system)
    part = _Part(data, split, root, limit, task)
    kept: list[str] = []
    if task is Task.trees:
        if metrics or qa_model or claim_model or as_written or at_once or fill is not None:
            raise LongsumError(
                "Trees have scores of their own and are made at once; leave out --metrics, "
                "--qa-model, --claim-model, --as-written, --at-once and --fill."
            )
        results = _trees(part, system, budget, kept)
    else:
        options = Options(
            seed=seed,
            as_written=as_written,
            at_once=at_once,
            fill=None if fill is None else fill.value,
        )
        scored = _Scored(metrics or "rouge", qa_model, claim_model, spacy_model)
        results = _summaries(part, system, budget, kept, scored, options)
    if summaries is not None:
        write_result("".join(kept), summaries)
    analyses = results.analyses() if significance is Significance.anova else None
    if output is not None:
        from longsum.comparison_results import analyses_to_json

        found: dict[str, Any] = {"data": data, "split": split, "task": task.value, "seed": seed}
        found |= results.to_json()
        if analyses is not None:
            found["analyses_of_variance"] = analyses_to_json(analyses)
        write_result(dump_json(found), output)
    shown = format_results(results, f"{data}, {split}", part.unit, analyses)
    write_result(shown, None)


def _check_anova(systems: list[str]) -> None:
    """Refuse an analysis of variance that cannot be made, before any work is done."""
    if len(systems) < _FEWEST_SYSTEMS:
        raise LongsumError(
            "An analysis of variance compares three systems or more; name others with -s, or leave "
            "out --significance."
        )
    require("scipy")


@dataclass(frozen=True, slots=True)
class _Part:
    """What is evaluated on."""

    data: str
    split: str
    root: Path | None
    limit: int | None
    task: Task

    @property
    def unit(self) -> str:
        """What is scored, in the singular."""
        return "question" if self.task is Task.questions else "document"

    def load(self) -> "Iterable[Example]":
        """Return the documents, or their questions."""
        from longsum.datasets import load
        from longsum.datasets.asked_questions import asked_questions

        examples = load(self.data, self.split, root=self.root, limit=self.limit)
        return asked_questions(examples) if self.task is Task.questions else examples

    def length(
        self,
        mean: "Callable[[Iterable[Example]], Budget]",
        show: Callable[[int, int | None, str], None],
    ) -> "tuple[Budget, int]":
        """Return the mean length of the references, and how many examples there are."""
        examples = _Counted(
            self.load(), lambda read: show(read, None, f"Reading {self.data}, {self.split}")
        )
        return mean(examples), examples.count

    def compared(
        self,
        budget: "Budget | None",
        mean: "Callable[[Iterable[Example]], Budget]",
        compare: "Callable[[Iterable[Example], Budget, Callable[[int], None]], Results]",
    ) -> "Results":
        """Return the result of a comparison, with a bar.

        Args:
            budget: The length; None for the mean of the references.
            mean: Returns that mean.
            compare: Compares at a length, and tells how many examples are done.
        """
        # The number of questions is known once they are read.
        total = None if self.task is Task.questions else self.limit
        with bar(f"Reading {self.data}, {self.split}", self.unit) as show:
            if budget is None:
                budget, total = self.length(mean, show)
            return compare(
                self.load(),
                budget,
                lambda done: show(done, total, f"Evaluating on {self.data}, {self.split}"),
            )


@dataclass(frozen=True, slots=True)
class _Scored:
    """What is measured: names of metrics, and the folders of the models that some need."""

    names: str
    qa_model: Path | None
    claim_model: Path | None
    spacy_model: str | None

    @property
    def with_model(self) -> list[str]:
        """The metrics that need a model, for which a folder is given."""
        given = {"apes": self.qa_model, "factcc": self.claim_model}
        return [name for name, folder in given.items() if folder is not None]

    def check(self) -> None:
        """Check that the models that are given are there, before anything is read."""
        from longsum.models.folders import check_local

        for folder in (self.qa_model, self.claim_model):
            if folder is not None:
                check_local(folder)

    def load(self) -> "dict[str, Metric]":
        """Return the metrics that need a model, with the models that are given."""
        from longsum.comparison import metrics_of

        if not self.with_model:
            return {}
        require("transformers")
        from transformers.utils.logging import disable_progress_bar

        from longsum.evaluation.cloze import ClozeMaker
        from longsum.models.checkers.claim_scorer import ClaimScorer
        from longsum.models.checkers.span_answerer import SpanAnswerer

        disable_progress_bar()  # type: ignore[no-untyped-call]
        return metrics_of(
            None if self.qa_model is None else SpanAnswerer.load(self.qa_model),
            None if self.claim_model is None else ClaimScorer.load(self.claim_model),
            None if self.spacy_model is None else ClozeMaker.with_spacy(self.spacy_model),
        )


def _summaries(
    part: _Part,
    names: list[str],
    budget: "Budget | None",
    kept: list[str],
    scored: "_Scored",
    options: "Options",
) -> "Results":
    from longsum.comparison import compare, known_metrics, mean_reference_length
    from longsum.systems.loading import load_system

    wanted = known_metrics(scored.names.split(","), scored.with_model)
    scored.check()
    part.load()  # an unknown data set is told before systems are loaded
    more = scored.load()
    systems = [load_system(name) for name in names]
    return part.compared(
        budget,
        mean_reference_length,
        lambda examples, length, done: compare(
            examples,
            systems,
            length,
            metrics=wanted,
            more=more,
            options=options,
            done=done,
            keep=lambda id, summary: kept.append(_line(id, summary.system, summary)),
        ),
    )


def _trees(part: _Part, names: list[str], budget: "Budget | None", kept: list[str]) -> "Results":
    from longsum.recipes import DEFAULT, recipe_names
    from longsum.systems.loading import load_tree_maker
    from longsum.tree_comparison import compare_trees, mean_answer_length

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
            examples,
            makers,
            length,
            done=done,
            keep=lambda id, name, tree: kept.append(_line(id, name, tree)),
        ),
    )


def _line(document: str, system: str, made: "Summary | QuestionSummary") -> str:
    """Return a summary or a tree as a line of JSON with the ids of its document and system."""
    named = {"id": document, "system": system}
    return json.dumps({**named, "summary": made.to_dict()}, ensure_ascii=False) + "\n"


class _Counted:
    """Counts examples as they are read, and reports the count."""

    def __init__(self, examples: "Iterable[Example]", progress: Callable[[int], None]) -> None:
        self._examples = examples
        self._progress = progress
        self.count = 0

    def __iter__(self) -> "Iterator[Example]":
        for example in self._examples:
            self.count += 1
            self._progress(self.count)
            yield example
