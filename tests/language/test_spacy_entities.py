from types import SimpleNamespace
from typing import Any

import pytest

from longsum.common.errors import LongsumError
from longsum.language.entities import Entity, load_pipeline, spacy_entities

LABELS = {
    "name": "PERSON ORG GPE WORK_OF_ART",
    "date": "DATE TIME",
    "money": "MONEY",
    "quantity": "PERCENT QUANTITY",
    "number": "CARDINAL ORDINAL",
}


@pytest.mark.parametrize("kind", LABELS)
def test_labels_become_kinds(kind: Any) -> None:
    for label in LABELS[kind].split():
        span = SimpleNamespace(text="ten", label_=label, start_char=4, end_char=7)
        found = spacy_entities(lambda _, span=span: SimpleNamespace(ents=[span]), "Its ten.")
        assert found == [Entity("ten", kind, 4, 7)]


def test_a_model_that_is_not_installed_is_named() -> None:
    with pytest.raises(LongsumError, match="xx_no_such_model"):
        load_pipeline("xx_no_such_model")
