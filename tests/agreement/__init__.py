"""Agreement: the same thing said otherwise gets the same findings; what is right gets none."""
