"""The package's version, without reading metadata at run time."""

from prepcheck import __version__ as VERSION

__all__ = ["VERSION"]
