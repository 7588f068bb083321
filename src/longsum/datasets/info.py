"""What is known of a data set before it is read, and what may be made from it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from longsum.datasets.example import Example

Kind = Literal["text", "table", "ratings"]
SHARED_VARIABLE = "LONGSUM_DATA"
"""Environment variable with the folder that holds the shared sets, a folder each."""

# CC BY, CC0 and public domain, in the spellings of PubMed Central and as licence addresses.
_FREE = re.compile(
    r"(?:cc-)+(?:by|zero)(?:-\d\.\d)?"
    r"|cc0(?:-1\.0)?"
    r"|public-domain"
    r"|https?://creativecommons\.org/(?:licenses/by|publicdomain/zero)/\d\.\d/?"
)


@dataclass(frozen=True, slots=True)
class DatasetInfo:
    """One line of the catalogue.

    Attributes:
        name: Name by which `load` knows the set.
        description: What it holds, in one line.
        license: Licence as its source states it.
        ships: Whether that licence lets what is trained on the set be handed on, commercial use and
            changes included; `per record` where each example has a licence of its own. Share-alike
            licences count as no: what is made from them would have to carry the same licence.
        kind: `text` for documents with summaries; `table` and `ratings` are listed but cannot be
            read as examples.
        splits: Names of its splits.
        source: Where it comes from.
        paper_or_url: Paper or home page.
        note: What a user has to know before using it; often empty.
        variable: Environment variable that names its folder.
    """

    name: str
    description: str
    license: str
    ships: bool | Literal["per record"]
    kind: Kind
    splits: tuple[str, ...]
    source: str
    paper_or_url: str = ""
    note: str = ""
    variable: str = SHARED_VARIABLE


Reader = Callable[[Path, str], Iterator[Example]]


@dataclass(frozen=True, slots=True)
class Dataset:
    """A line of the catalogue with its reader, a function of a folder and a canonical split."""

    info: DatasetInfo
    read: Reader


def may_ship(info: DatasetInfo, example: Example) -> bool:
    """Return whether what is trained on this example of this set may be handed on.

    Where the answer lies with the example, only CC BY, CC0 and the public domain count; a licence
    that is not known word for word counts as no.
    """
    if info.ships == "per record":
        return _FREE.fullmatch(example.license.strip().lower()) is not None
    return info.ships
