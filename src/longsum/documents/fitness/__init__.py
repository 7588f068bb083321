"""What makes a sentence unfit to stand in a summary: `fitness.fitness_of` tells, for a document."""
