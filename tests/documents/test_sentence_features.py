from itertools import product

import numpy as np

from document_views import document_of
from longsum.documents import Document
from longsum.documents.sentence_features import PLACES, places

SENTENCES = 210


def test_equal_sums_have_equal_buckets_in_any_order_of_terms() -> None:
    """Each sentence has three terms that occur k times, for four k; so all sums are the same."""
    names = ["".join(letters) for letters in product("bdfgklmnprst", repeat=3)]
    columns = []
    for start, count in zip("aeio", (2, 3, 5, 7), strict=True):
        distinct = [start + name for name in names[: 3 * SENTENCES // count]]
        columns.append(distinct * count)
    texts = [
        " ".join(term for column in columns for term in column[3 * place : 3 * place + 3])
        for place in range(SENTENCES)
    ]
    found = dict(zip(PLACES, places(document_of([*texts], title="terms")).T, strict=True))
    assert {*found["common_words"]} == {*found["commonness"]} == {0}


def features(document: Document, name: str) -> list[int]:
    column: list[int] = places(document)[:, list(PLACES).index(name)].tolist()
    return column


def test_names_and_words_with_digits_are_counted() -> None:
    said = [
        "Water rose by 3 m in 1953.",
        "Then Ada Lovelace met NASA.",
        "nothing here",
        "É. and Élan",
    ]
    document = document_of(said, title="t")
    assert features(document, "names") == [0, 3, 0, 1]
    assert features(document, "numbers") == [2, 0, 0, 0]
    # Weights that were trained have so many rows.
    assert [*PLACES.values()] == [32, 32, *[16] * 3, 8, 8, 16, 6, 16, 8, *[16] * 3, 8, 8, 12]


def test_a_sentence_that_resembles_the_others_is_central() -> None:
    said = ["Rivers flood valleys and bridges.", "Rivers damage bridges.", "Valleys have rivers."]
    document = document_of([*said, "Zebras graze quietly elsewhere."], title="t")
    central = features(document, "central")
    assert central[0] == max(central)
    assert central[3] == min(central) < 8


def test_the_kind_of_a_sentence_is_a_feature(example: Document) -> None:
    kinds = [sentence.kind for sentence in example.sentences]
    assert len(set(features(example, "kind"))) == len(set(kinds))


def test_values_stay_in_their_tables(example: Document) -> None:
    found = places(example)
    assert found.shape == (len(example.sentences), len(PLACES))
    assert (found >= 0).all()
    assert (found < np.array(list(PLACES.values()))).all()


def test_the_position_of_a_sentence_is_counted_from_either_end() -> None:
    last = ["Five is here as well, and has twelve words of its own now.", "Six."]
    one = ("# One", ["One two three four five.", "Two.", "Three."])
    document = document_of(one, "## Of it", ["Four."], last, title="t")
    found = places(document)[:, :10].tolist()
    # In the document, from its end, in sixteenths; in its section, in its paragraph, from the ends;
    # the section in sixteenths, its level, words by fours.
    assert found == [
        [0, 5, 0, 0, 2, 0, 2, 0, 1, 1],
        [1, 4, 2, 1, 1, 1, 1, 0, 1, 0],
        [2, 3, 5, 2, 0, 2, 0, 0, 1, 0],
        [3, 2, 8, 0, 2, 0, 0, 8, 2, 0],
        [4, 1, 10, 1, 1, 0, 1, 8, 2, 3],
        [5, 0, 13, 2, 0, 1, 0, 8, 2, 0],
    ]
