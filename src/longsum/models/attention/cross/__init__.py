"""What each head of the cross-attention reads of a source, and the fold that saves the rest."""
