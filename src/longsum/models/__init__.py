"""Networks, how they are trained, and systems that write with them; with PyTorch."""
