"""The runtime: primitives, traces, jaxprs and transformations, executed by XLA through jaxlib."""
