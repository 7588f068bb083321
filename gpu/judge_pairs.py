"""Writes the pairs that the judge of `longsum check` is trained on.

Run: LONGSUM_DATA=… PYTHONPATH=src python gpu/judge_pairs.py OUTPUT --public FOLDER [--times 1]

OUTPUT is a file of JSON lines: `source`, `claim`, `label` (0 entailment, 1 contradiction, 2
neither), `kind`, and `true`, the true claim that was changed; a file beside it names the licences.
The pairs are from sentences of documents and references of the training splits that may ship,
reworded and changed by rules (`judge_changes.py`), with the sources that `longsum check` finds;
from invented sentences about who did what to whom; and from public sets, each read if FOLDER has
it: `mnli.csv` and `snli.csv` (premise, hypothesis, label), `conjnli.tsv`, `med.tsv`, `help.tsv` and
`breaking_nli.jsonl` as they are published. FOLDER has WordNet's files in `dict` and PPDB's pairs of
words in `ppdb`. No document of `benchmarks/check_pairs.tsv` is read.
"""

import argparse
import csv
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple

from judge_changes import Changes, Lexicon

from longsum.core.grounding.alignment import Aligner
from longsum.evaluation.datasets import Example, load
from longsum.language.sentences import split_sentences
from longsum.language.words import stop_words, terms

SAID, DENIED, UNSAID = range(3)
SETS = {
    **{"scisummnet": 250, "openstax_sections": 300, "python_peps": 120, "rust_rfcs": 100},
    **{"squality": 50, "pmc_jats": 250},
}
"""Documents of each set."""
PUBLIC = {
    "mnli": (12000, "that of the Open American National Corpus; fiction CC BY-SA 3.0 or CC BY 3.0"),
    "snli": (3000, "CC BY-SA 4.0"),
    "conjnli": (6000, "MIT"),
    "med": (1500, "CC BY-SA 4.0"),
    "help": (1000, "CC BY-SA 4.0"),
    "breaking": (1000, "CC BY-SA 4.0"),
}
"""Pairs of each public set at most, and its licence; WordNet has its own, PPDB 1.0 CC BY 3.0."""
MEASURED = Path(__file__).parent.parent / "benchmarks" / "check_pairs.tsv"
_LABELS = {"entailment": SAID, "contradiction": DENIED, "neutral": UNSAID}


class Pair(NamedTuple):
    """A source and a claim.

    Attributes:
        source: The source.
        claim: The claim.
        label: Whether the source entails the claim.
        kind: The origin of the pair, or the kind of change.
        true: The claim before its change, which the source entails; empty if unknown.
    """

    source: str
    claim: str
    label: int
    kind: str
    true: str = ""


def main() -> None:
    """Write the pairs in random order, and print how many there are of each kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("--public", type=Path, required=True)
    parser.add_argument("--per", type=int, default=10, help="sentences per document")
    parser.add_argument(
        "--times", type=int, default=1, help="multiple of documents and public pairs"
    )
    options = parser.parse_args()
    rng = Random(0)
    lexicon = Lexicon.read(options.public / "dict", options.public / "ppdb")
    found = [*public(options.public)]
    rng.shuffle(found)
    pairs = [*invented(rng, 4000 * options.times)]
    for name, (limit, _) in PUBLIC.items():
        pairs += islice((each for each in found if each.kind == name), limit * options.times)
    pairs += turned_false(pairs, lexicon, rng)
    with MEASURED.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        measured = {row["document"].split("#")[1] for row in rows}
    licences: dict[str, Counter[str]] = defaultdict(Counter)
    for name, limit in SETS.items():
        for example in islice(load(name, "train", shippable=True), limit * options.times):
            if example.id not in measured:
                pairs += of_document(example, name, lexicon, options.per, rng)
                licences[name][example.license] += 1
        print(name, len(pairs), flush=True)
    pairs += turned_round(pairs, lexicon, rng)
    rng.shuffle(pairs)
    with options.output.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(pair._asdict(), ensure_ascii=False) + "\n" for pair in pairs)
    used = {each.kind for each in pairs}
    record = {"documents": licences, "public": {x: y for x, (_, y) in PUBLIC.items() if x in used}}
    told = json.dumps(record, indent=1, ensure_ascii=False)
    options.output.with_suffix(".licences.json").write_text(told + "\n", encoding="utf-8")
    for (kind, label), count in sorted(Counter((each.kind, each.label) for each in pairs).items()):
        print(f"{kind:<24}{label:>3}{count:>8}")


def public(folder: Path) -> Iterator[Pair]:
    """Yield the pairs of the public sets that a folder has."""
    for name in ("mnli", "snli"):
        for row in _rows(folder / f"{name}.csv", ","):
            yield Pair(row["premise"], row["hypothesis"], _LABELS[row["label"]], name)
    for row in _rows(folder / "conjnli.tsv", "\t"):
        yield Pair(row["Premise"], row["Hypothesis"], _LABELS[row["Label"]], "conjnli")
    for row in _rows(folder / "med.tsv", "\t"):
        yield Pair(row["sentence1"], row["sentence2"], _LABELS[row["gold_label"]], "med")
    for row in _rows(folder / "help.tsv", "\t"):
        yield Pair(row["ori_sentence"], row["new_sentence"], _LABELS[row["gold_label"]], "help")
    path = folder / "breaking_nli.jsonl"
    if path.is_file():
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            yield Pair(row["sentence1"], row["sentence2"], _LABELS[row["gold_label"]], "breaking")


def _rows(path: Path, delimiter: str) -> Iterator[dict[str, str]]:
    if path.is_file():
        quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if delimiter == "," else csv.QUOTE_NONE
        with path.open(encoding="utf-8-sig", newline="") as file:
            for row in csv.DictReader(file, delimiter=delimiter, quoting=quoting):
                if all(row.values()) or delimiter == "\t":
                    yield row


def turned_false(pairs: Sequence[Pair], lexicon: Lexicon, rng: Random) -> list[Pair]:
    """Return people's paraphrases of a source, each changed in one place, twice."""
    found = []
    for pair in pairs:
        if pair.label != SAID or pair.kind not in ("mnli", "snli"):
            continue
        changes = Changes([pair.source, pair.claim], lexicon)
        kinds = [each for each in changes.kinds if each != "predicate"]
        made = (changes.changed(pair.claim, kind, rng) for kind in rng.sample(kinds, len(kinds)))
        for false in islice((each for each in made if each), 2):
            found.append(Pair(pair.source, false, DENIED, f"{pair.kind}-changed", pair.claim))
    return found


def turned_round(pairs: Sequence[Pair], lexicon: Lexicon, rng: Random) -> Iterator[Pair]:
    """Yield changed claims as sources: for their own rewordings, and for the true ones.

    Otherwise words that changes insert, such as "not", would occur only in claims and give them
    away.
    """
    for pair in pairs:
        if pair.label != DENIED or not pair.true:
            continue
        changes = Changes([pair.claim, pair.true], lexicon)
        if rng.random() < 0.6:
            claim = changes.reworded(pair.true, rng)
            yield Pair(pair.claim, claim, DENIED, f"{pair.kind}-round")
        claim = changes.reworded(pair.claim, rng)
        if rng.random() < 0.6 and claim != pair.claim:
            yield Pair(pair.claim, claim, SAID, "round-said", claim)


def of_document(
    example: Example, name: str, lexicon: Lexicon, per: int, rng: Random
) -> Iterator[Pair]:
    """Yield pairs from a document: its claims reworded, and the same with a change."""
    texts = [each.text for each in example.document.sentences]
    usable = [text for text in texts if _is_usable(text)]
    if len(usable) < 8:
        return
    aligner, changes = Aligner(texts), Changes(texts, lexicon)
    own = rng.sample(usable, min(per, len(usable)))
    told = [
        each
        for reference in example.references[:1]
        for each in (reference[start:end] for start, end in split_sentences(reference))
        if _is_usable(each) and _is_told(each, _sources(each, texts, aligner))
    ]
    for text in (*own, *told):
        true = text
        for _ in range(2):
            true = changes.reworded(text, rng) if text in own or rng.random() < 0.4 else text
            source = _sources(true, texts, aligner)
            if source and true not in source:
                yield Pair(source, true, SAID, f"{name}-said", true)
        kinds = changes.kinds
        rng.shuffle(kinds)
        made = 0
        for kind in kinds:
            false = changes.changed(true, kind, rng)
            source = _sources(false, texts, aligner) if false else ""
            if false and source and false not in source:
                label = UNSAID if kind == "predicate" else DENIED
                yield Pair(source, false, label, kind, true)
                made += 1
                if made == 2:
                    break
    for text in rng.sample(own, len(own) // 5):
        source = _sources(text, texts, aligner, but=text)
        if source and text not in source:
            yield Pair(source, text, UNSAID, "left out")


def _is_usable(text: str) -> bool:
    return (
        7 <= len(text.split()) <= 40 and text[0].isupper() and text[-1] == "." and "{" not in text
    )


def _is_told(claim: str, source: str) -> bool:
    """Return whether sources have most words of a claim, and all its figures and names."""
    held = set(terms(source))
    own = [each for each in terms(claim) if each not in stop_words()]
    names = {each.lower() for each in re.findall(r"(?<=[a-z] )[A-Z][\w-]+|\d[\d.,]*\d|\d", claim)}
    found = sum(each in held for each in own)
    return found >= 0.75 * len(own) and names <= {
        each.strip(".,") for each in source.lower().split()
    }


def _sources(claim: str, texts: Sequence[str], aligner: Aligner, but: str = "") -> str:
    """Return the sources of a claim, except one, as `longsum check` shows them to the judge."""
    places = sorted(each.sentence for each in aligner.align(claim))
    return " ".join(texts[place] for place in places if texts[place] != but)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(" ".join(each.split()) for each in text.split("|"))


_PEOPLE = _listed(
    """
    the senator | the lawyer | the judge | the doctor | the manager | the student | the teacher |
    the artist | the company | the agency | the council | the committee | the court | the bank | the
    union | the general | the king | the army | the city | the state | the ministry | the author |
    the editor | the president | Japan | France | Mr. Lee | Maria | Jordan | Smith | the engineers |
    the farmers | the tenants | the landlord | the buyer | the seller | the parser | the client |
    the server | the compiler | group A | group B | model 1 | model 2 | the first method | the
    second method | the old system | the new system | Google | Intel | the north | the south
    """
)
_DONE = _listed(
    """
    praised | criticized | attacked | supported | followed | replaced | defeated | helped | paid |
    hired | asked | warned | visited | sued | trained | advised | invited | accused | elected |
    appointed | ordered | informed | observed | called | contacted | funded | owned | approached |
    joined | outnumbered | preceded | blamed | thanked | recommended
    """
)
_MORE = _listed(
    """
    larger/smaller | faster/slower | older/younger | richer/poorer | stronger/weaker | more
    accurate/less accurate | higher/lower | better/worse | earlier/later | more expensive/cheaper |
    longer/shorter | more common/rarer | heavier/lighter | more efficient/less efficient
    """
)
_GIVEN = (
    ("sold", "the land", "to", "bought", "from"),
    ("lent", "the money", "to", "borrowed", "from"),
    ("sent", "the report", "to", "received", "from"),
    ("gave", "the order", "to", "got", "from"),
    ("taught", "the method", "to", "learned", "from"),
    ("leased", "the building", "to", "rented", "from"),
)
_TAILS = (
    *(
        "",
        "",
        " in 1994",
        " last year",
        " after the vote",
        " during the hearing",
        " before the war",
    ),
    *(", according to the report", " in the second phase", " because of the delay", " at the time"),
)
_LEADS = (
    *(
        "",
        "",
        "In 2003, ",
        "However, ",
        "As the report notes, ",
        "At the meeting, ",
        "In the end, ",
    ),
    *("On all data sets, ", "After the fire, "),
)


def invented(rng: Random, count: int) -> Iterator[Pair]:
    """Yield sentences about who did what to whom, with claims that follow and that do not."""
    for _ in range(count):
        one, other, third = rng.sample(_PEOPLE, 3)
        lead, tail = rng.choice(_LEADS), rng.choice(_TAILS)
        said, denied = rng.choice((_acts, _compared, _handed, _ordered))(one, other, third, rng)
        source = rng.choice(said)
        label = rng.choice((SAID, DENIED))
        claim = rng.choice(said if label == SAID else denied)
        if claim == source:
            claim = said[said.index(claim) - 1]
        kept = rng.random() < 0.5
        yield Pair(
            _sentence(lead, source, tail),
            _sentence(lead if kept else "", claim, tail if kept else ""),
            label,
            "invented",
        )


def _sentence(lead: str, text: str, tail: str) -> str:
    whole = f"{lead}{text}{tail}."
    return whole[0].upper() + whole[1:]


def _acts(one: str, other: str, third: str, rng: Random) -> tuple[list[str], list[str]]:
    verb, more = rng.choice(_DONE), rng.choice(_DONE)
    be = "were" if re.search("engineers|farmers|tenants", other) else "was"
    said = [f"{one} {verb} {other}", f"{other} {be} {verb} by {one}"]
    said.append(f"it was {one} that {verb} {other}")
    if rng.random() < 0.4:
        said = [f"{each} and {third} left" for each in said] + [said[0]]
    wrong = [f"{other} {verb} {one}", f"{one} was {verb} by {other}", f"{third} {verb} {other}"]
    wrong += [f"{one} never {verb} {other}", f"{other} {be} not {verb} by {one}"]
    return said, [*wrong, f"it was {other} that {verb} {one}", f"{one} {more} {third}"]


def _compared(one: str, other: str, third: str, rng: Random) -> tuple[list[str], list[str]]:
    more, less = rng.choice(_MORE).split("/")
    if rng.random() < 0.5:
        more, less = less, more
    said = [f"{one} was {more} than {other}", f"{other} was {less} than {one}"]
    said.append(f"compared with {other}, {one} was {more}")
    wrong = [f"{other} was {more} than {one}", f"{one} was {less} than {other}"]
    wrong += [f"{one} was no {more} than {other}", f"compared with {one}, {other} was {more}"]
    return said, [*wrong, f"{one} was as {more.split()[-1]} as {third}"]


def _handed(one: str, other: str, third: str, rng: Random) -> tuple[list[str], list[str]]:
    gave, thing, to, got, by = rng.choice(_GIVEN)
    said = [f"{one} {gave} {thing} {to} {other}", f"{other} {got} {thing} {by} {one}"]
    said.append(f"{thing} was {gave} {to} {other} by {one}")
    wrong = [f"{other} {gave} {thing} {to} {one}", f"{one} {got} {thing} {by} {other}"]
    return said, [*wrong, f"{one} {gave} {thing} {to} {third}", f"{thing} was {gave} {to} {one}"]


def _ordered(one: str, other: str, _: str, rng: Random) -> tuple[list[str], list[str]]:
    act = rng.choice(("arrived", "signed", "spoke", "left", "resigned", "agreed", "voted"))
    said = [f"{one} {act} before {other} did", f"{other} {act} after {one}"]
    said.append(f"{one} {act} earlier than {other}")
    wrong = [f"{one} {act} after {other}", f"{other} {act} before {one}"]
    return said, [*wrong, f"{other} {act} earlier than {one}", f"neither {one} nor {other} {act}"]


if __name__ == "__main__":
    main()
