"""What a text says that its documents do not: any text, sentence by sentence, with the evidence."""
