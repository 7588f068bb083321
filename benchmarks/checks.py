"""How often `longsum check` finds what a claim changed, and how often it doubts a true one.

Run: LONGSUM_DATA=... python benchmarks/checks.py [--half seen|kept] [--wrong]
     LONGSUM_DATA=... python benchmarks/checks.py [--half seen|kept] --unsupported [--fit]
     LONGSUM_DATA=... python benchmarks/checks.py [--half seen|kept] --passage
     LONGSUM_DATA=... python benchmarks/checks.py [--half seen|kept] --free
     LONGSUM_DATA=... python benchmarks/checks.py --quotations

`check_pairs.tsv` has newly written claims about passages of documents of ten genres: half of them
say the same in other words, half change one thing. They were written and labelled by somebody who
did not know the rules; rules were made only on the documents of the half `seen`. A
change counts as found if a sentence is not confirmed and a finding is about the words that changed;
a true claim is doubted if it is not confirmed. `--wrong` lists the errors.

`--unsupported` checks the true claims against their documents without the sentences that support
them: those of the passage that a claim was written from, and all that have 45 % of its words. None
should be confirmed then, except for the few that another sentence supports. `--fit` prints the
weights of `longsum.checking.support`, which separates the removed sentences from the rest.

`--passage` checks claims against only the passage that they were written from, one to three
sentences.

`--free` checks the statements of `free_claims.tsv` instead, which two writers who did not know the
rules wrote about other documents: true ones in their own words, false ones in the document's.

`--quotations` checks the quotations in references of data sets instead: how many the document does
not have, and how many of the others are missed when one of their words is changed.
"""

import argparse
import csv
import json
import lzma
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from longsum import read_bytes
from longsum.checking.checker import Checker
from longsum.checking.citations import misquoted
from longsum.checking.support import CANDIDATES, support_features
from longsum.checking.text_check import CheckedSentence
from longsum.core.grounding.stemmed_text import StemmedText
from longsum.core.grounding.verification import Verifier
from longsum.documents import Document
from longsum.evaluation.datasets import load

QUOTING = {
    **{"squality": "dev", "oyez_scotus": "val", "openstax_sections": "val", "sumpubmed": "val"},
    **{"pmc_jats": "val", "bns": "val", "rust_rfcs": "val", "python_peps": "val"},
}
"""The data sets whose references are searched for quotations, with their splits."""
EXAMPLES = 150
_LEFT = 0.45
"""Share of a passage's words that a sentence has at most that is left of its document."""
_FEW = 3
PAIRS = Path(__file__).with_name("check_pairs.tsv")
FREE = PAIRS.with_name("free_claims.tsv")


def main() -> None:
    """Check every claim of a half against its whole document, and print the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--half", choices=("seen", "kept"), default="seen")
    parser.add_argument("--unsupported", action="store_true", help="remove supporting sentences")
    parser.add_argument("--passage", action="store_true", help="check against only the passage")
    parser.add_argument("--free", action="store_true", help="check freely written statements")
    parser.add_argument("--fit", action="store_true", help="fit weights to the removed sentences")
    parser.add_argument("--quotations", action="store_true", help="check quotations instead")
    parser.add_argument("--wrong", action="store_true", help="list the errors")
    options = parser.parse_args()
    if "LONGSUM_DATA" not in os.environ:
        parser.error("LONGSUM_DATA must name the folder of the data sets")
    if options.quotations:
        quotations()
        return
    with (FREE if options.free else PAIRS).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    rows = [row for row in rows if row["half"] == options.half]
    if options.free:
        free(rows)
        return
    if options.unsupported:
        unsupported(rows, fit=options.fit)
        return
    of_kind: dict[tuple[str, str], list[tuple[bool, bool]]] = defaultdict(list)
    for row in rows:
        against = (
            Checker(read_bytes(row["source"].encode()))
            if options.passage
            else checker(row["document"])
        )
        checked = list(against.checked(read_bytes(row["claim"].encode()).sentences))
        flagged = any(each.verdict in ("differs", "not_found") for each in checked)
        about = any(_about(each, row["words"]) for each in checked)
        of_kind[row["label"], row["kind"]].append((flagged, about))
        if options.wrong and (not about if row["label"] == "changed" else flagged):
            print(f"{row['id']} {row['label']} {row['kind']}: {row['claim']}  [{row['words']}]")
            print(f"    of: {row['source']}")
            for finding in (finding for each in checked for finding in each.findings):
                print(f"    {finding.kind}: {finding}")
    _report(of_kind)


def _report(of_kind: dict[tuple[str, str], list[tuple[bool, bool]]]) -> None:
    print(f"{'':<10}{'':<16}{'pairs':>6}{'flagged':>9}{'about it':>9}")
    for label in ("changed", "same"):
        every = [each for (other, _), found in of_kind.items() if other == label for each in found]
        kinds = sorted((kind, found) for (other, kind), found in of_kind.items() if other == label)
        for kind, found in [*kinds, ("all", every)]:
            flagged, about = (sum(each[place] for each in found) / len(found) for place in (0, 1))
            shown = f"{about:>9.0%}" if label == "changed" else ""
            print(f"{label:<10}{kind:<16}{len(found):>6}{flagged:>9.0%}{shown}")


def free(rows: Sequence[dict[str, str]]) -> None:
    """Print how many true and false statements have each verdict, and words without a source."""
    print(f"{'':<8}{'':<14}{'claims':>7}{'confirmed':>11}{'in other words':>16}{'differs':>9}")
    found: dict[tuple[str, str], list[tuple[bool, bool, bool]]] = defaultdict(list)
    for row in rows:
        each = [*checker(row["document"]).checked(read_bytes(row["claim"].encode()).sentences)]
        confirmed = all(some.verdict in ("confirmed", "not_checkable") for some in each)
        differs = any(some.verdict == "differs" for some in each)
        reworded = confirmed and any(some.unmatched for some in each)
        for kind in (row["kind"], "all"):
            found[row["label"], kind].append((confirmed, reworded, differs))
    for (label, kind), some in sorted(found.items()):
        shares = (sum(column) / len(some) for column in zip(*some, strict=True))
        told = (f"{share:>{width}.0%}" for share, width in zip(shares, (11, 16, 9), strict=True))
        print(f"{label:<8}{kind:<14}{len(some):>7}{''.join(told)}")


def unsupported(rows: Sequence[dict[str, str]], *, fit: bool) -> None:
    """Print how many true claims are confirmed by a document that does not support them."""
    verdicts = Counter[str]()
    features, labels = [], []
    for row in rows:
        whole = [each.text for each in document(row["document"]).sentences]
        rest = _without(row["source"], whole)
        if fit:
            for sentences, said in ((whole, 1), (rest, 0)):
                evidence = Verifier(sentences).evidence
                near = evidence.closest(row["claim"], CANDIDATES)
                if near:
                    some = support_features(row["claim"], evidence, near)
                    features.append(some[(some[:, 0] + some[:, 1]).argmax()])
                    labels.append(said)
        elif row["label"] == "same":
            checks = Checker(read_bytes("\n\n".join(rest).encode()))
            found = {
                each.verdict for each in checks.checked(read_bytes(row["claim"].encode()).sentences)
            }
            verdicts[min(found - {"confirmed"}, default="confirmed")] += 1
    if fit:
        from sklearn.linear_model import LogisticRegression

        model = LogisticRegression(C=10).fit(features, labels)
        print(model.intercept_, model.coef_)
    for verdict, count in sorted(verdicts.items()):
        print(f"{verdict:<12}{count:>5}{count / verdicts.total():>7.0%}")


def _without(source: str, sentences: Sequence[str]) -> list[str]:
    """Return the sentences that are not of a passage and have few of its words."""
    words, plain = StemmedText.of(source).words(), " ".join(source.split())
    rest = []
    for text in (" ".join(each.split()) for each in sentences):
        own = StemmedText.of(text).words()
        shared = len(own & words)
        alike = (len(own) > _FEW and shared > 0.6 * len(own)) or shared > _LEFT * len(words)
        if not (text in plain or plain in text or alike):
            rest.append(text)
    return rest


def quotations() -> None:
    """Print how many quotations of references are not in their documents, and changes found."""
    print(f"{'':<20}{'quoted':>8}{'not there':>10}{'changed':>9}{'found':>7}")
    for name, split in QUOTING.items():
        quoted = absent = changed = found = 0
        for example in islice(load(name, split), EXAMPLES):
            for quote in _quotations(example.references[0]):
                quoted += 1
                if [*misquoted(f"“{quote}”", example.document)]:
                    absent += 1
                    continue
                words = quote.split()
                words[len(words) // 2] = "zebra"
                changed += 1
                found += bool([*misquoted(f"“{' '.join(words)}”", example.document)])
        print(f"{name:<20}{quoted:>8}{absent:>10}{changed:>9}{found:>7}")


def _quotations(text: str) -> Iterator[str]:
    """Yield quotations of three words or more, by marks that open and close."""
    for match in re.finditer(r"“([^“”]+)”|(?:^|\s)\"(\S[^\"]*)\"", text):
        quote = match[1] or match[2]
        if len(quote.split()) > 2:
            yield quote


def _about(sentence: CheckedSentence, words: str) -> bool:
    """Return whether a finding is about the words that changed, or about the whole sentence."""
    text = sentence.text.casefold()
    for piece in words.casefold().split("; "):
        start = text.find(piece)
        for finding in sentence.findings:
            end = start + len(piece)
            if finding.end <= finding.start or (start < finding.end and finding.start < end):
                return True
    return False


@cache
def checker(place: str) -> Checker:
    """Return what checks claims about the document of a pair."""
    return Checker(document(place))


def document(place: str) -> Document:
    """Return a record of a data set as a document: all its texts, in order."""
    file, _, name = place.partition("#")
    record = next(
        each for each in records(Path(os.environ["LONGSUM_DATA"]) / file) if name in _names(each)
    )
    return read_bytes("\n\n".join(_texts(record)).encode())


@cache
def records(path: Path) -> list[dict[str, Any]]:
    """Return the records of a compressed file of JSON lines."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _names(record: dict[str, Any]) -> set[str]:
    return {str(record[key]) for key in record if isinstance(record[key], str | int)}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


if __name__ == "__main__":
    main()
