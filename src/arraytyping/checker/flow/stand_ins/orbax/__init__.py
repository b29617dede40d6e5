"""`orbax`, a namespace: see `orbax.checkpoint`."""
