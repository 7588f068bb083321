"""The pages of comparisons, biases and studies."""
