from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from service_calls import is_ready, opened, until


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("service")
    with opened(folder, seconds=60, read_limit=("size=100000",)) as client:
        until(lambda: is_ready(client))
        yield client
