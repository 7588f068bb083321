"""Pages and lists as they were."""

from page_fixtures import as_before  # noqa: F401
