"""Sphinx configuration. Build: `sphinx-build -W --keep-going -b html docs build/docs`."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "_ext"))
sys.path.insert(0, str(HERE.parent))

from prepcheck import __version__  # noqa: E402

project = "prepcheck"
author = "The prepcheck authors"
copyright = "the prepcheck authors, Apache-2.0"
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_click", "generated_pages"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["_ext"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = f"prepcheck {release}"
html_static_path: list[str] = []
html_show_sourcelink = False
html_theme_options = {"footer_icons": [], "top_of_page_buttons": []}
