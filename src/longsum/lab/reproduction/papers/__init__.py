"""What the experiments are: a file for each paper, and their scales."""
