"""`PIL`: see `PIL.Image`."""
