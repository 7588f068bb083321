from model_folders import folder, load  # noqa: F401
