"""How much of summaries is about how a document was made, with and without `findings_first`.

Run: LONGSUM_DATA=… python benchmarks/procedure_share.py SET[:DOCUMENTS] … [--prefix TEXT]

Prints the share of words in sentences for which `signposts.tells_procedure` is true, in references
and in summaries of their length and of 100 words, with ROUGE-1, ROUGE-2 and ROUGE-Lsum with the
differences and their 95 % bootstrap intervals. `--prefix` takes documents whose id begins so.
Documents are from the validation split, or from the only one.
"""

import argparse
from collections.abc import Iterable, Iterator

import numpy as np

import longsum
from longsum.core.loading import load_system
from longsum.documents.fitness.signposts import tells_procedure
from longsum.evaluation.datasets import Example, load, usual_split
from longsum.evaluation.metrics.reference_scores import rouge
from longsum.evaluation.metrics.significance import bootstrap_interval
from longsum.language.sentences import sentence_texts

SYSTEMS = {
    "before": load_system("stepwise", findings_first=False),
    "now": load_system("stepwise", findings_first=True),
}
SCORES = ("rouge1", "rouge2", "rougeLsum")


def share(texts: Iterable[str]) -> str:
    """Return the percentage of words in sentences about how a document was made."""
    counts = [(len(text.split()), tells_procedure(text)) for text in texts]
    told = sum(words for words, tells in counts if tells)
    return f"{100 * told / max(sum(words for words, _ in counts), 1):.1f} %"


def rows(examples: list[Example]) -> Iterator[str]:
    """Yield a line for the references, and one for each length."""
    references = [example.references[0] for example in examples]
    yield f"references: {share(text for each in references for text in sentence_texts(each))}"
    for length in ("as references", "100w"):
        shares, scores = {}, {}
        for name, system in SYSTEMS.items():
            made = [
                longsum.summarize(
                    each.document,
                    length=length if length == "100w" else f"{len(reference.split())}w",
                    system=system,
                )
                for each, reference in zip(examples, references, strict=True)
            ]
            shares[name] = share(each.text for summary in made for each in summary.sentences)
            found = [rouge(one.text, [two]) for one, two in zip(made, references, strict=True)]
            scores[name] = np.array([[100 * each[s].fmeasure for s in SCORES] for each in found])
        yield f"{length}: {' → '.join(shares.values())}"
        for score, one, two in zip(SCORES, scores["before"].T, scores["now"].T, strict=True):
            interval = bootstrap_interval((two - one).tolist())
            yield (
                f"  {score} {one.mean():.1f} → {two.mean():.1f}, {interval.mean:+.2f} "
                f"[{interval.low:+.2f}, {interval.high:+.2f}]"
            )


def main() -> None:
    """Print all sets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--prefix", default="")
    options = parser.parse_args()
    for given in options.sets:
        name, _, limit = given.partition(":")
        found = load(name, usual_split(name), limit=int(limit) if limit else None)
        examples = [each for each in found if each.id.startswith(options.prefix)]
        print(f"{name}, {len(examples)} documents", *rows(examples), sep="\n")


if __name__ == "__main__":
    main()
