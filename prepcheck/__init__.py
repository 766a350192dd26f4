"""prepcheck: verify the input pipeline of a neural network before it runs. Names resolve on first use (see `_public`)."""
