"""Attentions whose pattern is learned or follows the content."""
