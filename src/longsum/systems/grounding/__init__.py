"""Where a written sentence comes from, and what its sources do not say."""
