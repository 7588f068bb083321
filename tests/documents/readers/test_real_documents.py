"""Real documents: the example of the repository, and a few records of the data sets."""

import json
import lzma
import os
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

import longsum
from longsum.documents import Document, DocumentTree
from longsum.documents.document_json import document_from_json, document_to_json
from longsum.documents.readers import read_bytes
from longsum.language.words import count_words

CheckDocument = Callable[[Document], None]
_EXAMPLE = Path(__file__).parents[3] / "examples" / "crypto-mining.md"
_DATA = os.environ.get("LONGSUM_DATA", "")


def test_the_example(check_document: CheckDocument) -> None:
    document = longsum.read(_EXAMPLE)
    assert document.title == "Cryptocurrency Mining and the Electricity Sector"
    assert len(document.sections) == 6
    assert len(document.walk()) == 19
    assert sum(count_words(sentence.text) for sentence in document.sentences) == 7034
    assert document.source.name == "crypto-mining.md"
    assert document.warnings == ()
    assert DocumentTree(document).label(5) == "2.1.3"
    assert document_from_json(json.loads(json.dumps(document_to_json(document)))) == document
    check_document(document)


@pytest.mark.data
@pytest.mark.skipif(not _DATA, reason="LONGSUM_DATA is not set")
@pytest.mark.parametrize(
    ("file", "structured"),
    [
        ("pmc_jats/val.jsonl.xz", True),
        ("gov_reports_examples/crs.jsonl.xz", True),
        ("gov_reports_examples/gao.jsonl.xz", True),
        ("squality/dev.jsonl.xz", False),
    ],
)
def test_records_of_the_data_sets(check_document, file, structured) -> None:
    with lzma.open(Path(_DATA) / file, "rt", encoding="utf-8") as lines:
        for line in islice(lines, 3):
            document = read_bytes(line.encode(), file)
            assert document.title
            assert len(document.sentences) > 40
            assert (len(document.walk()) > 3) or not structured
            assert (
                document_from_json(json.loads(json.dumps(document_to_json(document)))) == document
            )
            check_document(document)
