"""The operations of `arraytyping.lax`, which is their face: primitives, with their derivatives and batching rules."""
