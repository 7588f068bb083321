"""Reading in a process apart: what a file can do to its reader stays there."""
