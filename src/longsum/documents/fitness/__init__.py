"""What makes sentences unfit for a summary; see `fitness.fitness_of`."""
