"""Training of content planners for tables."""
