"""Trees of questions and answers, and their linearised form."""
