"""The transformations of functions: `jit`, `grad`, `vmap` and their kin."""
