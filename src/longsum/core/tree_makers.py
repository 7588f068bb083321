"""Loads makers of trees of questions and summaries."""

from typing import Any

from longsum.common.registry import find
from longsum.common.threads import waiting_passively
from longsum.core.loading import EXTRACTOR, is_chat, load_model
from longsum.core.model_files.folders import check_model
from longsum.core.model_settings import check_takes
from longsum.core.systems.system import QuestionTreeMaker

_CHAT, _ANY = "chat", "any"
"""Names of makers that are registered for models of several types."""


def load_tree_maker(model: str | None = None, **settings: Any) -> QuestionTreeMaker:
    """Load a maker of trees of questions and summaries.

    Args:
        model: A language model, or the folder of an extractor or of a model trained on the task
            `question_hierarchy`; None for the bundled extractor.
        settings: Of a language model, as for `load_model`.

    Raises:
        LongsumError: The model cannot be read, or does not make trees or take the settings.
    """
    check_takes(model, settings)
    if model is not None and is_chat(model):
        written: QuestionTreeMaker = find("tree_makers", _CHAT)(load_model(model, **settings))
        return written
    # Before the slow imports.
    folder = None if model is None else check_model(model)
    kind = EXTRACTOR if folder is None or folder.model_type == EXTRACTOR else _ANY
    with waiting_passively():
        maker: QuestionTreeMaker = find("tree_makers", kind)(folder)
        return maker
