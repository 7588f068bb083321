"""Word, OpenDocument and RTF."""
