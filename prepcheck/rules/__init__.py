"""One rule, one file, one page: `rules/<family>/<id>_<name>.py`. Rules never read files, print, or know another family."""
