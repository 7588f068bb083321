"""`longsum evaluate`."""

import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from longsum.cli.command import Command
from longsum.cli.evaluation_runs import (
    Evaluated,
    Kept,
    Named,
    Scored,
    Task,
    compare_makers,
    compare_systems,
)
from longsum.cli.options import AtOnce, Force, Prototype, SummaryOptions, ready_systems
from longsum.cli.result_tables import format_results
from longsum.cli.streams import check_folder, check_outputs, write_json, write_result
from longsum.common.errors import LongsumError
from longsum.common.extras import require

EXAMPLES = (
    "longsum evaluate --data pmc_jats --split validation --limit 50 -s stepwise -s lead",
    "longsum evaluate --data squality -s kernels -s graph --metrics rouge,copying -o scores.json",
    "longsum evaluate --data squality -s stepwise -s lead --metrics all --report out.html",
    "longsum evaluate --data squality -s stepwise -s graph -s lead --significance anova",
    "longsum evaluate --data cases.csv --map document=body -s mine.py:Summarizer -s lead",
    "longsum evaluate --data squality --split test --predictions outputs.jsonl --metrics all",
    "longsum evaluate --data qmsum --task questions --length 60w -s stepwise -s graph",
    "longsum evaluate --data question_headings --task trees -s stepwise",
)

if TYPE_CHECKING:
    from longsum.core.summaries import Budget
    from longsum.lab.comparison.comparison_report import Gathered
    from longsum.lab.comparison.comparison_results import Results
    from longsum.lab.pages.comparison_view import ComparisonView

_MEAN = "reference"
_FEWEST_SYSTEMS = 3
"""Minimum number of systems for an analysis of variance."""


@dataclass(frozen=True, slots=True)
class Files:
    """Files that are written besides the table."""

    summaries: Annotated[
        Path | None,
        typer.Option(
            "--summaries",
            metavar="FILE",
            help="Write every summary with its sources to this file, one line of JSON each.",
        ),
    ] = None
    report: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="FILE",
            help="Write a page with tables, charts, and examples side by side to this file.",
        ),
    ] = None
    figures: Annotated[
        Path | None,
        typer.Option(
            "--figures",
            metavar="FOLDER",
            help="Write the charts as PDF and SVG files to this folder (with matplotlib).",
        ),
    ] = None
    table: Annotated[
        Path | None,
        typer.Option(
            "--table",
            metavar="FILE",
            help="Write the table of means to this file: LaTeX (.tex), CSV (.csv) or Markdown "
            "(.md).",
        ),
    ] = None
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the scores of every document to this file.",
        ),
    ] = None
    force: Force = False

    def check(self) -> None:
        """Refuse what cannot be written, before any work is done."""
        check_outputs((self.output, self.summaries, self.report, self.table), self.force)
        if self.table is not None:
            from longsum.lab.pages.table_forms import FORMS

            if self.table.suffix not in FORMS:
                raise LongsumError(
                    f"'{self.table}' has no known table format; name it {', '.join(FORMS)}."
                )
        if self.figures is not None:
            check_folder(self.figures, self.force)
            require("matplotlib")

    def kept(self, task: Task) -> Kept:
        """Return a collector of the summaries, or trees, that these files show."""
        from longsum.lab.comparison.comparison_report import Gathered

        pages = self.report is not None or self.figures is not None
        gathered = Gathered(trees=task == "trees") if pages else None
        return Kept(None if self.summaries is None else [], gathered)


def evaluate(
    part: Evaluated,
    *,
    system: Annotated[
        list[str] | None,
        typer.Option(
            "--system",
            "-s",
            metavar="NAME",
            autocompletion=ready_systems,
            help="A system, the folder of a model, or a system of your own, FILE.py:CLASS or "
            "MODULE:CLASS; repeat the option for each. The others are compared with the first.",
        ),
    ] = None,
    predictions: Annotated[
        list[str] | None,
        typer.Option(
            "--predictions",
            metavar="FILE",
            help="Texts that any system wrote, with the ids of their documents (fields id and "
            "text), scored as they are; NAME=FILE gives them a name. Repeat the option for each.",
        ),
    ] = None,
    prototype: Prototype = None,
    length: Annotated[
        str,
        typer.Option(
            "--length",
            "-l",
            metavar="LENGTH",
            help="As in summarize, or 'reference' for the mean length of the references.",
        ),
    ] = _MEAN,
    scored: Scored,
    significance: Annotated[
        Literal["pairwise", "anova"],
        typer.Option(
            "--significance",
            help="Each system against the first, document by document; or, of three systems or "
            "more, a one-way analysis of variance with Tukey's test of every pair.",
        ),
    ] = "pairwise",
    made: SummaryOptions,
    at_once: AtOnce = False,
    files: Files,
) -> None:
    """Compare systems on a data set, with confidence intervals and significance tests."""
    from longsum.core.summaries import Budget

    # Check all options before reading anything.
    files.check()
    budget = None if length == _MEAN else Budget.parse(length)
    if significance == "anova":
        _check_anova([*(system or ()), *(predictions or ())])
    named = Named(system or [], predictions or [], prototype)
    part = part.ready()
    collected = files.kept(part.task)
    results = _compared(part, named, budget, collected, scored, made, at_once)
    evaluation = _Found(part, made.seed, results, significance == "anova")
    if files.summaries is not None and collected.lines is not None:
        write_result("".join(collected.lines), files.summaries)
    if files.output is not None:
        write_json(evaluation.scores(), files.output)
    if files.table is not None:
        from longsum.cli.result_tables import score_rows
        from longsum.lab.pages.table_forms import FORMS

        write_result(FORMS[files.table.suffix](*score_rows(results)), files.table)
    if collected.gathered is not None:
        _write_pages(evaluation.view(collected.gathered), files)
    write_result(format_results(results, part.name, part.unit, evaluation.analyses), None)


def _compared(
    part: Evaluated,
    named: Named,
    budget: "Budget | None",
    kept: Kept,
    scored: Scored,
    made: SummaryOptions,
    at_once: bool,
) -> "Results":
    """Return the scores of systems, or of tree makers."""
    if part.task != "trees":
        from longsum.core.pipeline import Options

        options = Options(at_once=at_once, **made.settings)
        return compare_systems(part, named, budget, kept, scored, options)
    if named.predictions or named.prototype is not None:
        raise LongsumError(
            "Predictions and prototypes are texts, not trees; leave out --predictions and "
            "--prototype."
        )
    if scored.metrics or scored.with_model or at_once or made.as_written or made.fill:
        raise LongsumError(
            "Trees have scores of their own and are made at once; leave out --metrics, "
            "--qa-model, --claim-model, --as-written, --at-once and --fill."
        )
    return compare_makers(part, named.systems, budget, kept)


def _check_anova(systems: list[str]) -> None:
    """Refuse an impossible analysis of variance before any work is done."""
    if len(systems) < _FEWEST_SYSTEMS:
        raise LongsumError(
            "An analysis of variance compares three systems or more; name more with -s, or leave "
            "out --significance."
        )
    require("scipy")


class _Found:
    """The results of an evaluation, with everything needed to repeat it."""

    def __init__(self, part: Evaluated, seed: int, results: "Results", analyzed: bool) -> None:
        self.analyses = results.analyses() if analyzed else None
        self._part, self._seed, self._results = part, seed, results

    def scores(self) -> dict[str, Any]:
        """Return the scores of every document as JSON values."""
        from longsum.lab.comparison.comparison_results import analyses_to_json

        part = self._part
        found: dict[str, Any] = {"data": part.data, "split": part.split, "task": part.task}
        found |= {"seed": self._seed, **self._results.to_json()}
        if self.analyses is not None:
            found["analyses_of_variance"] = analyses_to_json(self.analyses)
        return found

    def view(self, gathered: "Gathered") -> "ComparisonView":
        """Return the content of report and figures."""
        from longsum.evaluation.datasets import dataset_info
        from longsum.lab.comparison.comparison import HIERARCHY
        from longsum.lab.comparison.comparison_metrics import metric_infos
        from longsum.lab.comparison.comparison_report import comparison_view

        part = self._part
        info = dataset_info(part.data)
        card = {
            "Command": shlex.join(["longsum", *sys.argv[1:]]),
            "Data": f"{info.name}, {part.split}: {info.description}",
            "Licence of the data": info.license,
            "Task": part.task,
            "Seed": str(self._seed),
        }
        return comparison_view(
            self._results,
            gathered,
            title=part.name,
            unit=part.unit,
            infos={"hierarchy": HIERARCHY} if part.task == "trees" else metric_infos(),
            card=card,
            analyses=self.analyses,
        )


def _write_pages(view: "ComparisonView", files: Files) -> None:
    if files.report is not None:
        from longsum.lab.pages.comparison_page import render_comparison

        write_result(render_comparison(view), files.report)
    if files.figures is not None:
        from longsum.common.files import filled_folder, write_bytes
        from longsum.lab.pages.figures import comparison_figures

        with filled_folder(files.figures) as temporary:
            for name, content in comparison_figures(view):
                write_bytes(temporary / name, content)


COMMAND = Command(evaluate, "Compare systems on a data set.", EXAMPLES)
