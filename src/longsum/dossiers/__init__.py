"""Several documents as one summary: what they say alike told once, each told what it contains."""
