"""Stems equal nltk's."""

from itertools import product
from random import Random

import pytest
from nltk.stem.porter import PorterStemmer

from longsum.language import porter
from longsum.language.porter import porter_stem

_ENDINGS = (
    *("", "s", "es", "ies", "sses", "ied", "eed", "ed", "ing", "y", "e", "ll", "alli", "logi"),
    *porter._SECOND,
    *porter._THIRD,
    *porter._FOURTH,
)


@pytest.mark.parametrize("ending", _ENDINGS)
def test_every_ending_is_stemmed_as_by_nltk_in_any_context(ending):
    random, nltk = Random(ending), PorterStemmer()
    starts = ["".join(random.choices("aeiouylsztbwx", k=size % 6)) for size in range(60)]
    words = ["".join(parts) for parts in product(starts, [ending], ["", random.choice(_ENDINGS)])]
    assert [(word, porter_stem(word)) for word in words] == [
        (word, nltk.stem(word)) for word in words
    ]


@pytest.mark.parametrize("word", porter._IRREGULAR)
def test_exceptions_are_those_of_nltk(word):
    assert set(porter._IRREGULAR) == set(PorterStemmer().pool)
    assert porter_stem(word) == PorterStemmer().stem(word)
