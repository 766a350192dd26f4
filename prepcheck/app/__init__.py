"""Use cases, one per file. They read files, build the world, run the engine and return documents; they print nothing."""
