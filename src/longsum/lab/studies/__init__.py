"""Studies with people: what they judge, who judges what, their pages, and the results."""
