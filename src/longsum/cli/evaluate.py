"""`longsum evaluate`."""

import shlex
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from longsum.cli.command import Command
from longsum.cli.comparison_tables import format_results
from longsum.cli.evaluation_runs import Kept, Part, Scored, Task, compare_makers, compare_systems
from longsum.cli.options import FillOption, Force, Root, Seed, data_sets, ready_systems
from longsum.cli.streams import check_folder, check_outputs, write_result
from longsum.common.errors import LongsumError
from longsum.common.extras import require

EXAMPLES = (
    "longsum evaluate --data pmc_jats --split validation --limit 50 -s stepwise -s lead",
    "longsum evaluate --data squality -s kernels -s graph --metrics rouge,copying -o scores.json",
    "longsum evaluate --data squality -s stepwise -s lead --metrics all --report out.html",
    "longsum evaluate --data squality -s stepwise -s graph -s lead --significance anova",
    "longsum evaluate --data qmsum --task questions --length 60w -s stepwise -s graph",
    "longsum evaluate --data question_headings --task trees -s stepwise",
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from longsum.evaluation.metrics import AnalysisOfVariance
    from longsum.lab.comparison.comparison_report import Gathered
    from longsum.lab.comparison.comparison_results import Results
    from longsum.lab.pages.comparison_view import ComparisonView

_MEAN = "reference"
_FEWEST_SYSTEMS = 3
"""Systems that an analysis of variance is worth its while for."""


class Significance(StrEnum):
    """How differences of systems are tested."""

    pairwise = "pairwise"
    anova = "anova"


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
            help="Names in 'longsum metrics', separated by commas, or 'all' for every one that can "
            "be computed with what is installed and given; rouge by default. Trees have scores of "
            "their own.",
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
    report: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="FILE",
            help="Write a page with tables, charts, and examples side by side to this file.",
        ),
    ] = None,
    figures: Annotated[
        Path | None,
        typer.Option(
            "--figures",
            metavar="FOLDER",
            help="Write the charts as PDF and SVG files to this folder (with matplotlib).",
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
    check_outputs((output, summaries, report), force)
    if figures is not None:
        check_folder(figures, force)
        require("matplotlib")
    from longsum.core.pipeline import Options
    from longsum.core.summaries import Budget

    # Check all options before reading anything.
    budget = None if length == _MEAN else Budget.parse(length)
    if significance is Significance.anova:
        _check_anova(system)
    part = Part(data, split, root, limit, task)
    gathered = None if report is None and figures is None else _gather(task)
    kept = Kept(None if summaries is None else [], gathered)
    if task is Task.trees:
        if metrics or qa_model or claim_model or as_written or at_once or fill is not None:
            raise LongsumError(
                "Trees have scores of their own and are made at once; leave out --metrics, "
                "--qa-model, --claim-model, --as-written, --at-once and --fill."
            )
        results = compare_makers(part, system, budget, kept)
    else:
        options = Options(
            seed=seed,
            as_written=as_written,
            at_once=at_once,
            fill=None if fill is None else fill.value,
        )
        scored = Scored(metrics or "rouge", qa_model, claim_model, spacy_model)
        results = compare_systems(part, system, budget, kept, scored, options)
    if summaries is not None and kept.lines is not None:
        write_result("".join(kept.lines), summaries)
    analyses = results.analyses() if significance is Significance.anova else None
    if output is not None:
        _write_scores(part, seed, results, analyses, output)
    if gathered is not None:
        view = _view(part, seed, results, gathered, analyses)
        if report is not None:
            from longsum.lab.pages.comparison_page import render_comparison

            write_result(render_comparison(view), report)
        if figures is not None:
            _write_figures(view, figures)
    write_result(format_results(results, part.name, part.unit, analyses), None)


def _check_anova(systems: list[str]) -> None:
    """Refuse an analysis of variance that cannot be made, before any work is done."""
    if len(systems) < _FEWEST_SYSTEMS:
        raise LongsumError(
            "An analysis of variance compares three systems or more; name others with -s, or leave "
            "out --significance."
        )
    require("scipy")


def _gather(task: Task) -> "Gathered":
    from longsum.lab.comparison.comparison_report import Gathered

    return Gathered(trees=task is Task.trees)


def _write_scores(
    part: Part,
    seed: int,
    results: "Results",
    analyses: "Mapping[str, AnalysisOfVariance] | None",
    output: Path,
) -> None:
    from longsum.core.summaries.result_file import dump_json
    from longsum.lab.comparison.comparison_results import analyses_to_json

    found: dict[str, Any] = {"data": part.data, "split": part.split, "task": part.task.value}
    found |= {"seed": seed, **results.to_json()}
    if analyses is not None:
        found["analyses_of_variance"] = analyses_to_json(analyses)
    write_result(dump_json(found), output)


def _view(
    part: Part,
    seed: int,
    results: "Results",
    gathered: "Gathered",
    analyses: "Mapping[str, AnalysisOfVariance] | None",
) -> "ComparisonView":
    """Return what report and figures show."""
    from longsum.evaluation.datasets import dataset_info
    from longsum.lab.comparison.comparison_metrics import metric_infos
    from longsum.lab.comparison.comparison_report import comparison_view
    from longsum.lab.comparison.tree_comparison import HIERARCHY

    info = dataset_info(part.data)
    card = {
        "Command": shlex.join(["longsum", *sys.argv[1:]]),
        "Data": f"{info.name}, {part.split}: {info.description}",
        "Licence of the data": info.license,
        "Task": part.task.value,
        "Seed": str(seed),
    }
    return comparison_view(
        results,
        gathered,
        title=part.name,
        unit=part.unit,
        infos={"hierarchy": HIERARCHY} if part.task is Task.trees else metric_infos(),
        card=card,
        analyses=analyses,
    )


def _write_figures(view: "ComparisonView", folder: Path) -> None:
    from longsum.common.files import filled_folder, write_bytes
    from longsum.lab.pages.comparison_figures import comparison_figures

    with filled_folder(folder) as temporary:
        for name, content in comparison_figures(view):
            write_bytes(temporary / name, content)


COMMAND = Command(evaluate, "Compare systems on a data set.", EXAMPLES)
