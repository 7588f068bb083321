"""Training of models of words: the pointer-generator network and the convolutional baseline."""
