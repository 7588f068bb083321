"""How metrics agree with people's ratings of long summaries (Koh et al. 2022).

Run: LONGSUM_DATA=… python benchmarks/long_summaries.py [--sources FOLDER] …

Three people rated the relevance and the factual consistency of 408 summaries that twelve models
wrote of 17 reports (GovReport) and 17 papers (arXiv). It prints the agreement of the three
(Krippendorff's alpha), and Pearson's r and Spearman's rho of each metric with the mean ratings
(HEPOS, Table 8), with 95 % bootstrap intervals over documents and permutation tests within
documents.

The set has neither the documents nor their references, so by itself it only allows metrics of the
summary alone. With `--sources FOLDER` all others are measured. The folder has a file for each
document, named by its id (`ID_R45741.txt`, `ID_1703.07822.pdf`; text, Markdown, HTML, PDF or JSON),
and, for metrics that need one, the reference as `ID_R45741.reference.txt`. The documents are those
of the test sets of GovReport (gov-report-data.github.io) and arXiv (github.com/armancohan/
long-summarization), whose ids these are without `ID_`. Missing documents are skipped and listed.
With `--qa-model FOLDER` also APES and APES_src, with `--claim-model FOLDER` FactCC.
"""

import argparse
import json
import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from glob import escape
from pathlib import Path

from faithfulness import Checked, measured, models, show_agreement
from longsum.common.errors import LongsumError
from longsum.common.wording import counted
from longsum.documents.fitness.complete import is_complete
from longsum.documents.readers import read
from longsum.evaluation.datasets import Example
from longsum.evaluation.datasets.record_files import text_file
from longsum.evaluation.metrics.agreement import agreement
from longsum.evaluation.metrics.fragments import extractiveness, novel_ngrams, repeated_ngrams
from longsum.evaluation.metrics.readability import lexical_cohesion, repeated_sentences
from longsum.evaluation.metrics.reference_scores import rouge
from longsum.lab.checking.apes import Answerer
from longsum.lab.checking.consistency import ClaimChecker
from longsum.language.sentences import split_sentences
from longsum.language.words import count_words

SET = "long_summaries_human"
RATINGS = {"relevance": "relevance_score", "factual_consistency": "factual_score"}
"""The mean ratings, by what each rater's own are called."""
RATERS = ("a1", "a2", "a3")
_REFERENCE = ".reference.txt"


@dataclass(frozen=True, slots=True)
class Rated:
    """A summary with its document's id, its mean ratings, and each rater's own."""

    document: str
    text: str
    ratings: Mapping[str, float]
    own: Mapping[str, Sequence[float]]


def rated_summaries(folder: Path) -> list[Rated]:
    """Return the summaries of the set.

    Raises:
        LongsumError: A file is missing, or the two are not about the same summaries.
    """
    ratings, errors = (
        json.loads(text_file(folder / f"{name}.json.xz")) for name in ("ratings", "errors")
    )
    if [row["model_summary"] for row in ratings] != [row["a1"]["summary"] for row in errors]:
        raise LongsumError(
            f"The two files in '{folder}' are not of the same summaries; copy the set again."
        )
    return [
        Rated(
            row["dataset_id"],
            row["model_summary"],
            {name: row[name] for name in RATINGS},
            {name: [own[rater][field] for rater in RATERS] for name, field in RATINGS.items()},
        )
        for row, own in zip(ratings, errors, strict=True)
    ]


def source_files(folder: Path, documents: Sequence[str]) -> dict[str, Path]:
    """Return the files of the documents that a folder has, by their ids.

    Raises:
        LongsumError: The folder is missing, has none of them, or has two for one.
    """
    if not folder.is_dir():
        raise LongsumError(f"There is no folder '{folder}'; give --sources one that has files.")
    found = {}
    for document in documents:
        files = [
            file
            for file in sorted(folder.glob(f"{escape(document)}.*"))
            if not file.name.endswith(_REFERENCE)
        ]
        if len(files) > 1:
            raise LongsumError(
                f"'{files[0]}' and '{files[1]}' are of the same document; keep one of them."
            )
        if files:
            found[document] = files[0]
    if not found:
        raise LongsumError(
            f"The folder '{folder}' has none of the {len(documents)} documents; name each file "
            f"by its id, as in '{documents[0]}.txt'."
        )
    return found


def load_source(id: str, file: Path) -> Example:
    """Return a document with its reference, if there is one."""
    reference = file.with_name(id + _REFERENCE)
    references = (text_file(reference),) if reference.exists() else ()
    return Example(id, read(file), references, "test", "", {})


def of_the_summary(text: str) -> dict[str, float]:
    """Return the measures of a summary alone; those where less is better are negated."""
    sentences = [text[start:end] for start, end in split_sentences(text)]
    count = max(len(sentences), 1)
    return {
        "words": float(count_words(text)),
        "words of a sentence": count_words(text) / count,
        "cohesion": lexical_cohesion(sentences),
        "whole sentences": sum(map(is_complete, sentences)) / count,
        "no repeated sentence": -sum(repeated_sentences(sentences)) / count,
        "no repeated 3-gram": -repeated_ngrams(text, 3),
    }


def of_the_source(
    text: str,
    example: Example,
    checked: Checked,
    answerer: Answerer | None,
    checker: ClaimChecker | None,
) -> dict[str, float]:
    """Return the measures of a summary against its document, and its reference if there is one."""
    copied = extractiveness(text, example.document.text)
    found = {
        "coverage": copied.coverage,
        "density": copied.density,
        "novel bigrams": novel_ngrams(text, example.document.text, 2),
    }
    if example.references:
        scores = rouge(text, example.references)
        found |= {name: scores[name].fmeasure for name in ("rouge1", "rougeLsum")}
    return found | measured(example, checked, text, answerer, checker)


def show_raters(summaries: Sequence[Rated]) -> None:
    """Print how far the raters agree."""
    for name in RATINGS:
        found = agreement([rated.own[name] for rated in summaries], "interval")
        if found.alpha is not None:
            print(f"{name}: alpha {found.alpha:.3f} [{found.low:.2f}, {found.high:.2f}]")


def show_metrics(summaries: Sequence[Rated], scores: Mapping[str, Sequence[float]]) -> None:
    """Print how metrics correlate with each rating."""
    numbers = {document: place for place, document in enumerate(_documents(summaries))}
    groups = [numbers[rated.document] for rated in summaries]
    for name in RATINGS:
        show_agreement(name, [rated.ratings[name] for rated in summaries], scores, groups)


def _documents(summaries: Sequence[Rated]) -> list[str]:
    return list(dict.fromkeys(rated.document for rated in summaries))


def with_sources(
    summaries: Sequence[Rated],
    files: Mapping[str, Path],
    answerer: Answerer | None,
    checker: ClaimChecker | None,
) -> dict[str, list[float]]:
    """Return the scores of the summaries whose documents are available.

    Raises:
        LongsumError: Some documents have a reference and others do not.
    """
    examples = {id: load_source(id, file) for id, file in files.items()}
    lacking = [id for id, example in examples.items() if not example.references]
    if 0 < len(lacking) < len(examples):
        raise LongsumError(
            f"There is no reference for {counted(len(lacking), 'document')}, such as "
            f"'{lacking[0]}'; give all references or none."
        )
    checked = {id: Checked(example) for id, example in examples.items()}
    scores: dict[str, list[float]] = defaultdict(list)
    for rated in summaries:
        id = rated.document
        found = of_the_source(rated.text, examples[id], checked[id], answerer, checker)
        for name, value in found.items():
            scores[name].append(value)
    return scores


def run(options: argparse.Namespace) -> None:
    """Print the tables."""
    summaries = rated_summaries(options.ratings)
    documents = _documents(summaries)
    files = None if options.sources is None else source_files(options.sources, documents)
    if files is None and (options.qa_model or options.claim_model):
        raise LongsumError("Models compare with the documents; add --sources FOLDER.")
    show_raters(summaries)
    alone: dict[str, list[float]] = defaultdict(list)
    for rated in summaries:
        for name, value in of_the_summary(rated.text).items():
            alone[name].append(value)
    show_metrics(summaries, alone)
    if files is None:
        print(
            "\nAll other metrics compare with the documents, which the set does not have: get them "
            "and add --sources FOLDER (python benchmarks/long_summaries.py --help)."
        )
        return
    missing = [id for id in documents if id not in files]
    if missing:
        print(f"\nWithout {counted(len(missing), 'document')}: {', '.join(missing)}")
    there = [rated for rated in summaries if rated.document in files]
    show_metrics(there, with_sources(there, files, *models(options)))


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sources", type=Path, metavar="FOLDER", help="the documents")
    parser.add_argument(
        "--ratings",
        type=Path,
        metavar="FOLDER",
        default=Path(os.environ.get("LONGSUM_DATA", "."), SET),
        help=f"the set, by default {SET} in LONGSUM_DATA",
    )
    parser.add_argument("--qa-model", type=Path, metavar="FOLDER", help="a model for APES")
    parser.add_argument("--claim-model", type=Path, metavar="FOLDER", help="a model for FactCC")
    try:
        run(parser.parse_args())
    except LongsumError as error:
        parser.exit(2, f"long_summaries.py: {error}\n")


if __name__ == "__main__":
    main()
