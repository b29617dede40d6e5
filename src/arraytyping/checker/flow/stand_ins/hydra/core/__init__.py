"""`hydra.core`."""
