"""The lesson: predictions, questions and puzzles for a class that plays one deal."""
