from collections.abc import Iterator

import pytest

from longsum.core.library import SYSTEMS
from system_fixtures import folder, make_model, t5_folder, tiny_network, words  # noqa: F401


@pytest.fixture
def empty_cache() -> Iterator[None]:
    SYSTEMS.forget()
    yield
    SYSTEMS.forget()
