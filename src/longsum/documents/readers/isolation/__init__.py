"""Reading in a separate process: whatever a file does to its reader stays there."""
