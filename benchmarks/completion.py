"""Which fills a summary that a model left too short better: the extractor or the magnifier?

Run: LONGSUM_DATA=… python benchmarks/completion.py [--data D …] [--split S] [--limit N]

The first half of a reference stands for what a model wrote, with the sources found by its words;
the requested length is that of the whole reference. For what each way adds, the table has ROUGE-1 /
ROUGE-2 / ROUGE-Lsum F1 against the other half, dangling openers per 100 sentences, and the share of
the first half that is still there; then the paired differences, completed less magnified, with 95 %
bootstrap intervals over all documents.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from longsum.core.grounding.given_text import summary_of
from longsum.core.loading import load_system
from longsum.core.magnifier.completion import Completed
from longsum.core.magnifier.length_control import ASKED, LengthControlled
from longsum.core.recipes import DEFAULT
from longsum.core.summaries import Budget, Summary
from longsum.core.systems.system import Request, System
from longsum.evaluation.datasets import dataset_info, load
from longsum.evaluation.metrics.readability import dangling_openers
from longsum.evaluation.metrics.reference_scores import rouge
from longsum.evaluation.metrics.significance import paired_bootstrap
from longsum.language.sentences import split_sentences
from longsum.language.words import count_words

DATA = (
    "pmc_jats",
    "scisummnet",
    "openstax_sections",
    "python_peps",
    "rust_rfcs",
    "squality",
    "bbc_news_summary",
    "sumpubmed",
    "qmsum",
)
METRICS = ("rouge1", "rouge2", "rougeLsum")


class Half(System):
    """Stands for a model that wrote a text, at any length."""

    name = "half"
    writes = True
    settings: ClassVar[dict[str, Any]] = {}

    def __init__(self, texts: Sequence[str]) -> None:
        self._text = "\n".join(texts)

    def lengths(self, request: Request, budgets: Sequence[Budget]) -> Iterator[Summary]:
        """Yield the same for all lengths."""
        for budget in budgets:
            yield summary_of(request.document, self._text, budget, system=self.name)


def main() -> None:
    """Print a line a data set, and the differences."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--data", nargs="+", default=DATA, help="data sets")
    parser.add_argument("--split", default="validation", help="split, if the data set has it")
    parser.add_argument("--limit", type=int, default=12, help="documents per data set")
    options = parser.parse_args()
    extractor = load_system(DEFAULT)
    print("| data | magnified | completed | dangling | left of the first half |")
    print("|---|---|---|---|---|")
    gathered: dict[str, list[list[float]]] = {"magnified": [], "completed": []}
    for name in options.data:
        splits = dataset_info(name).splits
        split = options.split if options.split in splits else splits[0]
        rows: dict[str, list[list[float]]] = {kind: [] for kind in gathered}
        for example in load(name, split, limit=options.limit):
            reference = example.references[0]
            texts = [reference[start:end] for start, end in split_sentences(reference)]
            first, second = texts[: len(texts) // 2], texts[len(texts) // 2 :]
            if not first:
                continue
            half, length = Half(first), Budget(count_words(reference))
            for kind, system in (
                ("magnified", LengthControlled(half, natural=ASKED)),
                ("completed", Completed(half, extractor)),
            ):
                made = system.summarize(example.document, length)
                rows[kind].append(scored(made, first, second))
        print(f"| {name} ({len(rows['completed'])}) | {shown(rows)} |", flush=True)
        for kind, found in rows.items():
            gathered[kind] += found
    print(f"| all ({len(gathered['completed'])}) | {shown(gathered)} |")
    by_kind = {kind: np.array(found) for kind, found in gathered.items()}
    for at, metric in enumerate(METRICS):
        found = paired_bootstrap(by_kind["completed"][:, at], by_kind["magnified"][:, at])
        print(f"{metric}: {found.difference:+.1f} [{found.low:+.1f}, {found.high:+.1f}]")


def scored(made: Summary, first: Sequence[str], second: Sequence[str]) -> list[float]:
    """Return ROUGE of what was added, its dangling openers, and what is left of the first half."""
    added = [each for each in made.sentences if each.text not in first]
    texts = [each.text for each in added]
    found = rouge("\n".join(texts), ["\n".join(second)])
    dangling = dangling_openers(texts, [each.sources[0].sentence for each in added])
    left = (len(made.sentences) - len(added)) / len(first)
    return [
        *(100 * found[metric].fmeasure for metric in METRICS),
        sum(dangling),
        len(added),
        100 * left,
    ]


def shown(rows: Mapping[str, Sequence[Sequence[float]]]) -> str:
    """Return the cells of a line: ROUGE of both, dangling openers per 100, what is left."""
    means = {kind: np.mean(found, axis=0) for kind, found in rows.items()}
    rouges = [" / ".join(f"{each:.1f}" for each in found[:3]) for found in means.values()]
    dangling = [f"{100 * found[3] / max(found[4], 1e-9):.1f}" for found in means.values()]
    left = [f"{found[5]:.0f} %" for found in means.values()]
    return " | ".join([*rouges, ", ".join(dangling), ", ".join(left)])


if __name__ == "__main__":
    main()
