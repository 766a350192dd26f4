"""Run the selected rules over the facts; merge findings of one cause; count what passed, failed and is unknown."""
