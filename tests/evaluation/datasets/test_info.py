from dataclasses import replace

import pytest

from longsum.documents import Document
from longsum.evaluation.datasets import DatasetInfo, Example, may_ship

_INFO = DatasetInfo("a", "", "", "per record", "")
_EXAMPLE = Example("1", Document("", "", ()), ("s",), "train", "", {})


@pytest.mark.parametrize(
    "license",
    [
        *("cc-by-4.0", "cc-by", "cc-cc-by-4.0", "cc-zero-1.0", "public-domain"),
        "http://creativecommons.org/licenses/by/4.0/",
    ],
)
def test_free_licences_ship(license: str) -> None:
    assert may_ship(_INFO, replace(_EXAMPLE, license=license))


@pytest.mark.parametrize(
    "license",
    [
        "cc-by-nc-4.0",
        "cc-by-nd-4.0",
        "cc-by-nc-sa-3.0",
        "cc-by-sa-4.0",
        "cc-by-n-4.0",  # as one record has it; which licence it means cannot be told
        "http://creativecommons.org/licenses/by-nc-sa/4.0/",
        "",
    ],
)
def test_other_licences_do_not(license: str) -> None:
    assert not may_ship(_INFO, replace(_EXAMPLE, license=license))


@pytest.mark.parametrize("ships", [True, False])
def test_the_set_decides_where_it_has_one_licence(ships: bool) -> None:
    example = replace(_EXAMPLE, license="cc-by-nc-4.0")
    assert may_ship(replace(_INFO, ships=ships), example) is ships
