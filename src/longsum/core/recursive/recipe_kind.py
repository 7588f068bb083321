"""Recipes of systems that summarize the parts of a text, and then the whole."""

from longsum.core.loading import load_system
from longsum.core.recursive.recursion_settings import RecursiveConfig
from longsum.core.recursive.summarizer import RecursiveSummarizer
from longsum.core.systems.system import System, SystemKind


def recursive(name: str, config: RecursiveConfig) -> System:
    """Make a system of the kind `recursive` with the systems for the parts and the whole."""
    chapters = load_system(config.chapters, **config.chapters_settings)
    whole: System | None = chapters
    if config.whole is None:
        whole = None
    elif (config.whole, config.whole_settings) != (config.chapters, config.chapters_settings):
        whole = load_system(config.whole, **config.whole_settings)
    return RecursiveSummarizer(name, config, chapters, whole)


RECURSIVE = SystemKind(RecursiveConfig, recursive)
