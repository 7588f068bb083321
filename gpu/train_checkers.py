"""Trains the reader of APES and the classifier of FactCC from the shipped encoder.

Run: LONGSUM_DATA=… PYTHONPATH=src python gpu/train_checkers.py OUTPUT [--small] [--prepare] …

`--prepare` only encodes the data, into OUTPUT/prepared; a machine that has that folder needs no
data sets. Each model gets a folder in OUTPUT, and an interrupted run continues from its last
checkpoint. `--small` trains models that take minutes on a CPU: those of docs/faithfulness.md.
`--set` replaces further settings of both. Score them with `benchmarks/checkers.py` and
`benchmarks/faithfulness.py people`.
"""

import argparse
import time
from pathlib import Path

from longsum.cli.assignments import parse_assignments
from longsum.core.extractive.extractor_options import shipped_folder
from longsum.core.model_files.folders import ModelFolder
from longsum.core.recipes import load_recipe
from longsum.core.recipes.recipe import merged
from longsum.lab.checking.run_checking import CLAIM_CHECKING, SPAN_ANSWERING
from longsum.models.networks.extractive.convert_extractors import write_bert
from longsum.models.training.documents import PreparedCache

CLAIMS = (
    "claims.kinds=[negation,entity_swap,number_swap,role_swap,predicate]",
    "claims.per_claim=1",
    "claims.own_contexts=true",
    "claims.copies=6",
    "claims.unsupported=0.5",
    "data.shippable=true",
)
RUNS = {"qa": ("apes-qa", SPAN_ANSWERING), "claim": ("factcc", CLAIM_CHECKING)}
FULL = {
    "qa": (
        "task.tokens=384",
        "data.names=pmc_jats+scisummnet+openstax_sections+neusum_sample100+bbc_news_summary",
    ),
    "claim": (
        *CLAIMS,
        "task.tokens=256",
        "claims.sentences=4",
        "data.names=pmc_jats+scisummnet+openstax_sections+python_peps+rust_rfcs+squality+qmsum+ami",
    ),
}
FULL_COMMON = (
    *("training.learning_rate=0.0001", "training.warmup_steps=500", "training.steps=12000"),
    *("training.batch=32", "training.accumulate=1", "data.validation_limit=60"),
    *("evaluate_every=1000", "save_every=1000"),
)
SMALL = {
    "qa": (
        *("task.tokens=160", "data.limit=600", "data.validation_limit=30"),
        *("training.warmup_steps=50", "training.steps=650"),
        *("evaluate_every=325", "save_every=325", FULL["qa"][1]),
    ),
    "claim": (
        *CLAIMS,
        *("task.tokens=128", "claims.sentences=2", "data.limit=70", "data.validation_limit=10"),
        *("training.warmup_steps=40", "training.steps=420"),
        *("evaluate_every=250", "save_every=250"),
        "data.names=pmc_jats+scisummnet+openstax_sections+python_peps+rust_rfcs",
    ),
}
SMALL_COMMON = (
    *("frozen_layers=3", "training.learning_rate=0.0002"),
    *("training.batch=8", "training.accumulate=1"),
)


def main() -> None:
    """Train both, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("--small", action="store_true", help="in minutes on a CPU")
    parser.add_argument("--prepare", action="store_true", help="only encode the data")
    parser.add_argument("--set", nargs="*", default=[], dest="settings")
    options = parser.parse_args()
    start, prepared = options.output / "start", options.output / "prepared"
    if not start.is_dir():
        write_bert(ModelFolder.at(shipped_folder()), start)
    common = SMALL_COMMON if options.small else FULL_COMMON
    for name, (recipe_name, run) in RUNS.items():
        own = (SMALL if options.small else FULL)[name]
        places = f"checkpoint={start}", f"data.prepared={prepared}"
        recipe = load_recipe(recipe_name)
        given = parse_assignments([*places, *common, *own])
        settings = run.settings_of(recipe, merged(given, parse_assignments(options.settings)))
        if options.prepare:
            run.prepare(settings, PreparedCache(settings.data, prepared, print))
            continue
        began = time.process_time()
        found = run.train(recipe, settings, options.output / name, say=print)
        print(f"{name}: {time.process_time() - began:.0f} s of CPU; {found}", flush=True)


if __name__ == "__main__":
    main()
