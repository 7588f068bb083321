import time
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from service_calls import opened


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("service")
    with opened(folder, seconds=60, read_limit=("size=100000",)) as client:
        while client.get("/readyz").status_code != 200:
            time.sleep(0.02)
        yield client
