from collections.abc import Iterator
from functools import cache

import pytest

from longsum.models.writing import chat_template
from system_fixtures import folder, generated, make_model, t5_folder, tiny_network, words  # noqa: F401


@pytest.fixture(scope="session", autouse=True)
def _rendered_once() -> Iterator[None]:
    """Start no process again for a template that has been rendered."""
    rendered = cache(lambda text, special, roles: render(text, dict(special), roles))
    render = chat_template._rendered_apart
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            chat_template,
            "_rendered_apart",
            lambda text, special, roles: rendered(text, tuple(special.items()), roles),
        )
        yield
