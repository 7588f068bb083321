"""Compare the systems that are ready to use with sumy's.

Run: LONGSUM_DATA=… python benchmarks/quality.py [--length L] [--systems S …] [--json FILE]

Prints one table of ROUGE F1 (× 100; 95 % bootstrap intervals are in the JSON) for each data set, on
the test split: those of docs/results/extraction.md. With --metrics rouge,readability a second
table shows how the summaries read. --rivals FILE takes the other systems from the JSON of an
earlier run over the same documents, so that only what has changed is run again. Nothing here was
tuned on these splits.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from longsum.cli.result_tables import format_results
from longsum.common.errors import LongsumError
from longsum.core.loading import load_system
from longsum.core.pipeline import Options
from longsum.core.summaries import Budget
from longsum.evaluation.datasets import load
from longsum.lab.comparison.comparison import compare, mean_reference_length
from longsum.lab.comparison.comparison_results import Results
from sumy_systems import METHODS, Sumy

DATA = ("pmc_jats", "scisummnet", "openstax_sections", "squality", "python_peps", "rust_rfcs")
SYSTEMS = ("stepwise", "kernels", "mls", "graph", "systematic", "lead", "oracle")
ROUGE = ("rouge1", "rouge2", "rougeLsum")
READABILITY = ("dangling", "not_material", "repeated", "sentence_words", "cohesion")


def main() -> None:
    """Print a table a data set, then all of them side by side."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", nargs="+", default=DATA, help="data sets")
    parser.add_argument("--split", default="test", help="split")
    parser.add_argument("--limit", type=int, help="documents per data set")
    parser.add_argument("--length", help="such as 100w; by default the references' mean length")
    parser.add_argument("--systems", nargs="*", default=SYSTEMS, help="ours, names or folders")
    parser.add_argument("--peers", nargs="*", default=METHODS, choices=METHODS, help="sumy's")
    parser.add_argument("--metrics", default="rouge", help="as in longsum evaluate")
    parser.add_argument("--rivals", type=Path, help="further systems: JSON of an earlier run")
    parser.add_argument("--json", type=Path, help="file for all scores")
    options = parser.parse_args()
    earlier = json.loads(options.rivals.read_text(encoding="utf-8")) if options.rivals else {}
    found: dict[str, Results] = {}
    for name in options.data:
        try:
            found[name] = _evaluate(name, options)
            if earlier:
                found[name] = found[name].joined_with(Results.from_json(earlier[name]))
        except LongsumError as error:
            sys.exit(str(error))
        print(format_results(found[name], f"{name}, {options.split}"), flush=True)
    print(side_by_side(found))
    if "readability" in options.metrics.split(","):
        print(f"\n{', '.join(READABILITY)}:\n\n{side_by_side(found, READABILITY)}")
    if options.json:
        values = {name: results.to_json() for name, results in found.items()}
        options.json.write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")


def _evaluate(name: str, options: argparse.Namespace) -> Results:
    split, limit = options.split, options.limit
    systems = [*map(load_system, options.systems), *map(Sumy, options.peers)]
    if options.length is None:
        budget = mean_reference_length(load(name, split, limit=limit))
    else:
        budget = Budget.parse(options.length)
    metrics = options.metrics.split(",")
    examples, as_written = load(name, split, limit=limit), Options(as_written=True)
    return compare(examples, systems, budget, metrics=metrics, options=as_written)


def side_by_side(found: dict[str, Results], metrics: Sequence[str] = ROUGE) -> str:
    """Return a Markdown table: a row for each system, a column for each data set."""
    heads = [f"{name} ({len(results.ids)} × {results.budget})" for name, results in found.items()]
    lines = [f"| system | {' | '.join(heads)} |", f"|---|{'---|' * len(heads)}"]
    order = [result.system for result in next(iter(found.values())).systems]
    for place, system in enumerate(order):
        cells = []
        for results in found.values():
            result = results.systems[place]
            means = [result.interval(metric).mean for metric in metrics]
            cells.append(" / ".join(f"{mean:.1f}" for mean in means))
        lines.append(f"| {system} | {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
