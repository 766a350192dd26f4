"""The package's version, without reading metadata at run time."""

VERSION = "0.1.0"
