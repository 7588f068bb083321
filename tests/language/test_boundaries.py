"""The rules decide only boundaries that the words around a full stop make certain."""

import csv
from collections import defaultdict
from pathlib import Path

import pytest

from longsum.language.boundaries import places, starts_sentence
from longsum.language.sentences import _nupunkt, sentence_texts, split_sentences

MARKED = Path(__file__).parents[1] / "data" / "boundaries.tsv"


@pytest.mark.parametrize(
    "sentences",
    [
        ["The report is S.Rept. 110 of that year.", "It passed."],
        ["They amended H.R. 5292 in committee.", "It failed."],
        ["He cited Brown v. Board.", "She did not."],
        ["It was shown by Lee et al. (2010) and others.", "We agree."],
        ["He lives in the U.S.", "The others moved to Canada."],
        ["Harry S. Truman won.", "Dewey lost."],
        ["It was sold by Acme Inc. May Lee and Acme Inc. Will Roe bought it.", "It rained."],
        ["She quoted the anarchist L. Susan Brown.", "He did not."],
        ["He found it on eBay S.", "Dunne sold nothing."],
        ["They need vitamin D.", "Magnesium may help it."],
        ["They fell into the sun.", "Rain followed."],
        ["The act (H.R. 4910/S. 2588) would help.", "It failed."],
        ["It fell.[3]", "We confirm it."],
        ["It fell. [12]", "We confirm it."],
        ["It was done before [2]_.", "In 2003 it was released."],
        ["“Stop!” Kelly shouted from the door.", "He ran."],
        ["“Stop!” he cried.", "He ran."],
        ["The call to panic! causes an exit.", "Alas! the river rose."],
        ["Oh!", "Rivers rise!", "Dams hold."],
        ["“Why?”", "He ran."],
        ["We met at 6:00 p.m.", "Dinner was late."],
        ["We met at 6:00 p.m. Tuesday in town.", "It rained."],
        ["No.", "Nobody came."],
        ["It is not so....", "The rest was cut."],
        ["See 42 U.S.C. § 1983 on this.", "It is short."],
        ["One is\nhere.", "Two is here!", "Is three?", "Yes."],
        ["They ask “Who is it?”, or “Is it you?”.", "We know."],
        ["It looks for ‘*’, ‘?’, and ‘[’.", "It goes on."],
        ["The book by A.M. Kuchling is long.", "He came at 9 A.M.", "Kelly left."],
        ["See Section 10.2, “What is a dam?”.", "It says so."],
        ["Es war am 9. März offen.", "Im 19. Jahrhundert nicht.", "Sie hat 9.", "Er nicht."],
        ['He said "Stop!" and left.', "“Go.”", "She went."],
    ],
)
def test_sentences_end_where_a_reader_ends_them(sentences):
    assert sentence_texts(" ".join(sentences)) == sentences


def test_the_rules_improve_the_splitter_also_on_texts_they_were_not_tuned_on():
    right = defaultdict(list)
    with MARKED.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            text, place = row["text"].replace("‖", "", 1), row["text"].index("‖")
            ends = row["ends"] == "1"
            starts = [start for start, _ in split_sentences(text)]
            right["rules", row["held_out"]].append((place in starts) == ends)
            plain = [start for start, _ in _nupunkt()(text)]
            right["plain", row["held_out"]].append((place in plain) == ends)
    share = {key: sum(own) / len(own) for key, own in right.items()}
    assert min(len(own) for own in right.values()) > 200
    assert share["rules", "0"] >= 0.98
    assert share["rules", "1"] >= 0.94 > share["plain", "1"] + 0.08


@pytest.mark.parametrize("text", ["", "One", "One.", "One.  ", "x"])
def test_nothing_to_decide(text):
    assert places(text) == []


def test_a_place_without_an_abbreviation_is_left_to_the_splitter():
    text = "Rain fell Friday. Rivers rose."
    assert places(text) == [18]
    assert starts_sentence(text, 18) is None
