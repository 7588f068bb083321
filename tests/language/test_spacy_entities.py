import pytest

from longsum.common.errors import LongsumError
from longsum.language.entities import load_pipeline, spacy_entities

spacy = pytest.importorskip("spacy")


def test_labels_become_kinds() -> None:
    pipeline = spacy.blank("en")
    ruler = pipeline.add_pipe("entity_ruler")
    ruler.add_patterns(
        [
            {"label": "ORG", "pattern": "Acme Bank"},
            {"label": "DATE", "pattern": "last May"},
            {"label": "PERCENT", "pattern": "ten percent"},
        ]
    )
    text = "Acme Bank lost ten percent last May."
    found = spacy_entities(pipeline, text)
    assert [(each.kind, each.text) for each in found] == [
        ("name", "Acme Bank"),
        ("quantity", "ten percent"),
        ("date", "last May"),
    ]
    assert all(text[each.start : each.end] == each.text for each in found)


def test_a_model_that_is_not_installed_is_named() -> None:
    with pytest.raises(LongsumError, match="xx_no_such_model"):
        load_pipeline("xx_no_such_model")
