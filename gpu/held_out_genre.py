"""How an extractor performs on a genre that it was not trained on.

Run: LONGSUM_DATA=… PYTHONPATH=src python gpu/held_out_genre.py OUTPUT CHECKPOINT [--steps N]

Trains the recipe `stepwise-small` once with all its data sets, and once without each genre. Then it
scores, on the validation documents of that genre and at the references' mean length, the extractor
trained on all, the one trained without the genre, and two untrained systems. The difference between
the first two is what the genre's own documents teach; the second's lead over the others is what
transfers. An interrupted run continues from its last checkpoint
when the command is given again. CHECKPOINT is a folder with all-MiniLM-L6-v2, or an extractor whose
sentence encoder is used (with `vocabulary=null`).
"""

import argparse
import subprocess
import sys
from pathlib import Path

GENRES = {
    "articles": ("pmc_jats", "scisummnet"),
    "textbooks": ("openstax_chapters", "openstax_sections"),
    "meetings": ("qmsum", "ami"),
    "stories": ("squality",),
    "proposals": ("python_peps", "rust_rfcs"),
}
BASE, ALL = "stepwise-small", "all"
UNTRAINED = ("graph", "lead")
METRICS = ("rouge1", "rouge2", "rougeLsum")


def main() -> None:
    """Train all, then score all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("checkpoint")
    parser.add_argument("--genres", nargs="+", default=list(GENRES), choices=GENRES)
    parser.add_argument("--steps", type=int)
    parser.add_argument("--limit", type=int, default=24, help="documents of a set to score")
    parser.add_argument("--set", nargs="*", default=[], dest="settings")
    options = parser.parse_args()
    for held_out in (ALL, *options.genres):
        subprocess.run(command(held_out, options), check=True)
    print(f"| set | {ALL} | without its genre | {' | '.join(UNTRAINED)} |")
    print("|---|" + "---|" * (2 + len(UNTRAINED)))
    for genre in options.genres:
        for name in GENRES[genre]:
            print(row(name, genre, options), flush=True)


def command(held_out: str, options: argparse.Namespace) -> list[str]:
    """Return the command that trains without a genre, or resumes its run."""
    given = [f"checkpoint={options.checkpoint}", f"data.prepared={options.output / 'prepared'}"]
    if options.steps:
        given.append(f"training.steps={options.steps}")
    names = data_without(held_out)
    given += [f"data.names={names}", *options.settings]
    folder = options.output / held_out
    return [sys.executable, "-m", "longsum", "train", BASE, "-o", str(folder), *given]


def data_without(held_out: str) -> str:
    """Return the names of the recipe's data sets except those of a genre."""
    from longsum.core.recipes import load_recipe

    names: str = load_recipe(BASE).settings["data"]["names"]
    return "+".join(name for name in names.split("+") if name not in GENRES.get(held_out, ()))


def row(name: str, genre: str, options: argparse.Namespace) -> str:
    """Return a row of the table: ROUGE-1 / ROUGE-2 / ROUGE-Lsum on a data set."""
    from longsum.core.loading import load_system
    from longsum.core.recipes import DEFAULT
    from longsum.evaluation.datasets import load
    from longsum.lab.comparison.comparison import compare, mean_reference_length

    trained = [load_system(DEFAULT, model=str(options.output / folder)) for folder in (ALL, genre)]
    examples = list(load(name, "validation", limit=options.limit))
    systems = [*trained, *map(load_system, UNTRAINED)]
    for number, system in enumerate(trained):
        system.name = f"{system.name}-{number}"
    results = compare(examples, systems, mean_reference_length(examples), metrics=["rouge"])
    cells = [
        " / ".join(f"{result.interval(metric).mean:.1f}" for metric in METRICS)
        for result in results.systems
    ]
    return f"| {name} ({len(examples)}) | {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
