from training_fixtures import check_update, corpus, corpus_folder, prepared, recipe, split, update  # noqa: F401
