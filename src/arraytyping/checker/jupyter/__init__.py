"""In Jupyter and IPython: each cell is checked before it runs, with what the session's variables are."""
