"""Systems that choose sentences of the document."""
