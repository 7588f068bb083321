from page_fixtures import as_before  # noqa: F401
