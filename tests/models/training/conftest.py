from training_fixtures import corpus, corpus_folder, prepared, recipe, split  # noqa: F401
