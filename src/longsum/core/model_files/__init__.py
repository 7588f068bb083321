"""Model folders, whose content is checked before anything is loaded."""
