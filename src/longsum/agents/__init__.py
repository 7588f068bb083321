"""Tools for agents over the Model Context Protocol: documents of named folders, with spans."""
