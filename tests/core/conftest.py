from system_fixtures import folder, generated, make_model, t5_folder, tiny_network, words  # noqa: F401
