"""What tests of checks share."""

from page_fixtures import as_before  # noqa: F401
