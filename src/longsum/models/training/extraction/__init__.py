"""Training of extractive models."""
