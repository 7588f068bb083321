"""One summary of several documents, without repeating what they have in common."""
