"""How good are the rules that keep sentences out of summaries? Annotated sentences, and a probe.

Run: LONGSUM_DATA=… python benchmarks/unfit_sentences.py FOLDER [--errors RULE] [--probe]

`unfit_sentences.tsv` has 616 sentences of 44 documents of eleven genres (drawn by `unfit_draw.py`),
each labelled twice as fit for a summary by itself or with the reason why not, by one reader who did
not see the rules' verdicts; FOLDER has the files that `unseen_files.py` fetches. If a licence does
not allow the text, it is replaced by its digest. For both halves it prints:

    refuses    sentences that a rule refuses, and how many of those are unfit
    precision  share of unfit ones among all that it would refuse: each sentence counts for as many
               as it was drawn from, and each document once
    recall     share refused of all unfit ones, weighted likewise
    alone      sentences that no other rule refuses, and how many of those are unfit

The probe is a logistic regression on the vectors that the default system computes and a few signs
of layout. Its strength is chosen by cross-validation over the documents of the development half;
the other half is scored once. `--errors` prints the fit sentences of the development half that a
rule refuses.
"""

import argparse
import csv
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from longsum.core.extractive.neural import NeuralExtractor
from longsum.core.loading import load_system
from longsum.core.recipes import DEFAULT
from longsum.core.summaries import Budget
from longsum.core.systems.system import Request
from longsum.documents import Document
from longsum.documents.fitness import complete as manuals
from longsum.documents.fitness import forms, signposts
from longsum.documents.fitness.back_matter import matter_kinds
from longsum.documents.fitness.complete import has_verb, is_complete
from longsum.documents.fitness.fitness import fitness_of
from longsum.documents.fitness.kinds import _says_little
from longsum.documents.model import MATERIAL, Sentence
from unfit_draw import documents_named

MARKED = Path(__file__).with_suffix(".tsv")
HALVES = ("development", "unseen")
STRENGTHS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
DEPENDENT = "dependence"


@dataclass(frozen=True, eq=False)
class Marked:
    """A marked sentence in its document.

    Attributes:
        half: Which half its document is in.
        document: The document.
        place: Position among its sentences.
        sentence: The sentence.
        mark: `fit`, or why it is not.
        readings: The labels of the two readings.
        weight: Share of its document that it stands for.
    """

    half: str
    document: Document
    place: int
    sentence: Sentence
    mark: str
    readings: tuple[str, str]
    weight: float

    @property
    def unfit(self) -> bool:
        """Whether it is unfit for a summary by itself."""
        return self.mark != "fit"


Rule = Callable[[Marked], bool]


def _of_text(holds: Callable[[str], bool]) -> Rule:
    return lambda marked: holds(marked.sentence.text)


def _of_manual(holds: Callable[[str], bool]) -> Rule:
    """Rules of manuals count only in manuals."""

    def rule(marked: Marked) -> bool:
        return holds(marked.sentence.text) and manuals.is_of_programs(
            sentence.text for sentence in marked.document.sentences[:2000]
        )

    return rule


def _is_of_back_matter(marked: Marked) -> bool:
    kinds = matter_kinds(marked.document)
    return any(
        kinds[section.number] is not None
        for section in marked.document.walk()
        for sentence in section.sentences
        if sentence.start == marked.sentence.start
    )


def _depends(reason: str) -> Rule:
    """Speech is exempt, as it is in selections."""

    def rule(marked: Marked) -> bool:
        found = fitness_of(marked.document, [marked.sentence.text]).dependences
        return reason in found[0] and not marked.sentence.speaker

    return rule


RULES: Mapping[str, Mapping[str, Rule]] = {
    "signposts": {
        "points elsewhere": _of_text(signposts.is_pointer),
        "tells of a part": _of_text(signposts.is_signpost),
        "leads into a list": _of_text(signposts.points_ahead),
        "note to editors": _of_text(signposts.is_marginal),
        "asks": _of_text(signposts.is_question),
    },
    "manuals": {
        "lacks a subject": _of_manual(manuals.lacks_subject),
        "phrase": _of_manual(lambda text: manuals.is_phrase(text, entry=False)),
    },
    "forms": {
        "boilerplate": _of_text(forms.is_boilerplate),
        "footnote": _of_text(forms.is_footnote),
        "contact": _of_text(forms.is_contact),
        "caption": _of_text(forms.is_caption),
        "entry of a bibliography": _of_text(forms.is_reference),
        "table row": _of_text(forms.is_table_row),
        "capitals": _of_text(forms.is_capitals),
        "typed": _of_text(forms.is_typed),
        "run-in title": _of_text(forms.is_run_in_title),
        "stage direction": _of_text(forms.is_stage_direction),
        "says little": lambda m: bool(m.sentence.speaker) and _says_little(m.sentence.text),
    },
    "prose": {"incomplete": _of_text(lambda text: not is_complete(text))},
    "back matter": {"by its heading": _is_of_back_matter},
    DEPENDENT: {
        f"opens with {reason}": _depends(reason)
        for reason in ("reference", "connective", "ellipsis")
    },
}


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--errors", metavar="RULE")
    parser.add_argument("--probe", action="store_true")
    options = parser.parse_args()
    marked = list(read_marked(options.folder))
    _show_agreement(marked)
    verdicts = {
        name: np.array([rule(each) for each in marked])
        for rules in RULES.values()
        for name, rule in rules.items()
    }
    if options.errors:
        for each, refused in zip(marked, verdicts[options.errors], strict=True):
            if refused and not each.unfit and each.half == HALVES[0]:
                print("   ", each.sentence.text)
        return
    groups = {name: _any(verdicts, rules) for name, rules in RULES.items()}
    groups["kind"] = np.array([each.sentence.kind not in MATERIAL for each in marked])
    groups["kind or dependence"] = groups["kind"] | groups[DEPENDENT]
    groups["all rules"] = np.any(list(verdicts.values()), axis=0)
    probed = _probe(marked, groups["kind or dependence"]) if options.probe else {}
    for half in HALVES:
        print(
            f"\n{half}:{'refuses':>22}{'unfit':>7}{'precision':>11}{'recall':>8}{'alone':>7}{'unfit':>7}"
        )
        own = np.array([each.half == half for each in marked])
        for name, rules in RULES.items():
            for rule in rules:
                others = np.any(
                    [found for other, found in verdicts.items() if other != rule], axis=0
                )
                _show_row(f"  {rule}", marked, own, verdicts[rule], others)
            _show_row(
                name,
                marked,
                own,
                groups[name],
                _any(
                    verdicts,
                    [rule for other, rules in RULES.items() if other != name for rule in rules],
                ),
            )
        for name in ("kind", "kind or dependence", "all rules"):
            _show_row(name, marked, own, groups[name], None)
        for name, refused in probed.items():
            _show_row(name, marked, own, refused, None)


def read_marked(folder: Path) -> Iterator[Marked]:
    """Yield the annotated sentences; those no longer read in the same way are counted instead."""
    with MARKED.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    documents = documents_named({row["document"] for row in rows}, folder)
    lost = 0
    for row in rows:
        document = documents[row["document"]]
        for place, sentence in enumerate(document.sentences):
            if sentence.start == int(row["start"]) and row["sentence"] in _forms_of(sentence):
                readings = row["first"], row["second"]
                weight = float(row["weight"])
                yield Marked(row["half"], document, place, sentence, row["mark"], readings, weight)
                break
        else:
            lost += 1
    if lost:
        print(f"{lost} sentences are no longer read as they were marked")


def _forms_of(sentence: Sentence) -> tuple[str, str]:
    text = " ".join(sentence.text.split())
    return text, "sha256:" + hashlib.sha256(text.encode()).hexdigest()[:16]


def _any(
    verdicts: Mapping[str, np.ndarray], names: Sequence[str] | Mapping[str, Rule]
) -> np.ndarray:
    return np.any([verdicts[name] for name in names], axis=0)


def _show_agreement(marked: Sequence[Marked]) -> None:
    """Print the agreement of both readings, also corrected for chance (Cohen's kappa)."""
    for what, same in (
        ("fit or unfit", lambda mark: mark == "fit"),
        ("reasons", lambda mark: mark),
    ):
        pairs = [tuple(map(same, each.readings)) for each in marked]
        raw = np.mean([a == b for a, b in pairs])
        chance = sum(
            np.mean([a == each for a, _ in pairs]) * np.mean([b == each for _, b in pairs])
            for each in {mark for pair in pairs for mark in pair}
        )
        print(f"{what}: agree on {raw:.3f}, kappa {(raw - chance) / (1 - chance):.3f}")


def _show_row(
    name: str,
    marked: Sequence[Marked],
    own: np.ndarray,
    refused: np.ndarray,
    others: np.ndarray | None,
) -> None:
    unfit = np.array([each.unfit for each in marked])
    weights = np.array([each.weight for each in marked])
    found = own & refused
    if not found.any():
        print(f"{name:24}{0:5}")
        return
    right = weights[found & unfit].sum()
    cells = f"{right / weights[found].sum():11.2f}{right / weights[own & unfit].sum():8.2f}"
    alone = found & ~others if others is not None else np.zeros(0, dtype=bool)
    last = f"{alone.sum():7}{(alone & unfit).sum():7}" if others is not None else ""
    print(f"{name:24}{found.sum():5}{(found & unfit).sum():7}{cells}{last}")


def _probe(marked: Sequence[Marked], rules: np.ndarray) -> dict[str, np.ndarray]:
    """Return what the probe refuses: at 0.5, and at the rules' recall in development."""
    vectors, signs = _features(marked)
    unfit = np.array([each.unfit for each in marked])
    weights = np.array([each.weight for each in marked])
    groups = np.array([id(each.document) for each in marked])
    seen = np.array([each.half == HALVES[0] for each in marked])
    found = {}
    for name, features in (("probe", np.hstack([vectors, signs])), ("probe, signs only", signs)):
        scaled = (features - features[seen].mean(0)) / (features[seen].std(0) + 1e-6)
        best = max(
            STRENGTHS,
            key=lambda c: _held_out(scaled[seen], unfit[seen], groups[seen], weights[seen], c),
        )
        model = LogisticRegression(C=best, max_iter=2000).fit(
            scaled[seen], unfit[seen], weights[seen]
        )
        score = model.predict_proba(scaled)[:, 1]
        # In development, scores are from models that have not seen the document.
        score[seen] = _crossed(scaled[seen], unfit[seen], groups[seen], weights[seen], best)
        found[f"{name}, C={best:g}"] = score >= 0.5
        mass = weights * (seen & unfit)
        bounds = np.sort(score[seen & unfit])
        reached = [mass[score >= bound].sum() >= mass[rules].sum() for bound in bounds]
        found[f"{name}, same recall"] = score >= bounds[np.flatnonzero(reached)[-1]]
    return found


def _crossed(
    features: np.ndarray,
    unfit: np.ndarray,
    groups: np.ndarray,
    weights: np.ndarray,
    strength: float,
) -> np.ndarray:
    """Return the score of each sentence by a model trained without its document."""
    scores = np.zeros(len(unfit))
    for train, test in GroupKFold(11).split(features, unfit, groups):
        model = LogisticRegression(C=strength, max_iter=2000)
        model.fit(features[train], unfit[train], weights[train])
        scores[test] = model.predict_proba(features[test])[:, 1]
    return scores


def _held_out(
    features: np.ndarray,
    unfit: np.ndarray,
    groups: np.ndarray,
    weights: np.ndarray,
    strength: float,
) -> float:
    """Return the weighted log likelihood of held-out documents."""
    scores = np.clip(_crossed(features, unfit, groups, weights, strength), 1e-6, 1 - 1e-6)
    return float(weights @ np.where(unfit, np.log(scores), np.log(1 - scores)))


def _features(marked: Sequence[Marked]) -> tuple[np.ndarray, np.ndarray]:
    """Return the sentence vectors, `[n, D]`, and the signs of layout, `[n, S]`."""
    system = load_system(DEFAULT)
    assert isinstance(system, NeuralExtractor)
    vectors: dict[int, np.ndarray] = {}
    for each in marked:
        if id(each.document) not in vectors:
            read = system.encode(Request(each.document, Budget(100)))
            assert read.reading.vectors is not None
            vectors[id(each.document)] = read.reading.vectors
    rows = [vectors[id(each.document)][each.place] for each in marked]
    return np.array(rows), np.array([_signs(each) for each in marked])


def _signs(marked: Marked) -> list[float]:
    text = marked.sentence.text
    words = text.split()
    sentences = marked.document.sentences
    return [
        float(np.log1p(len(words))),
        marked.place / len(sentences),
        float(text.rstrip("\"'”’)]").endswith((".", "!", "?"))),
        float(text.endswith("?")),
        float(text.endswith(":")),
        float(text[:1].islower()),
        sum(map(str.isupper, text)) / len(text),
        sum(map(str.isdigit, text)) / len(text),
        sum(not c.isalnum() and not c.isspace() for c in text) / len(text),
        float(marked.sentence.speaker is not None),
        float(has_verb(text)),
    ]


if __name__ == "__main__":
    main()
