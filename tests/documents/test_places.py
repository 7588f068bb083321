from itertools import product

from longsum.documents import DocumentBuilder
from longsum.documents.places import PLACES, places

SENTENCES = 210


def test_equal_sums_come_together_whatever_the_order_of_their_terms() -> None:
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
    builder = DocumentBuilder()
    builder.sentences(texts)
    found = dict(zip(PLACES, places(builder.build("terms")).T, strict=True))
    assert {*found["common_words"]} == {*found["commonness"]} == {0}
