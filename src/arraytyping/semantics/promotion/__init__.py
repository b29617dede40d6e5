"""Promotion systems: how the dtypes of operands decide the dtype of a result, as data on a lattice."""
