from collections.abc import Iterator

import pytest

from longsum.models.writing import chat_template
from made_once import remembering
from system_fixtures import folder, make_model, t5_folder, tiny_network, words  # noqa: F401


@pytest.fixture(scope="session", autouse=True)
def _rendered_once() -> Iterator[None]:
    """Start no second process for a template that has been rendered."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            chat_template, "_rendered_in_process", remembering(chat_template._rendered_in_process)
        )
        yield
