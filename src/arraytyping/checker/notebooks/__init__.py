"""Notebooks: their cells as one program, and where its lines stand in them."""
