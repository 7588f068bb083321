"""A small corpus."""

from training_fixtures import corpus, corpus_folder, prepared, recipe  # noqa: F401
