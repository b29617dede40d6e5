"""The traces: staging, forward differentiation, partial evaluation, batching; and transposition of jaxprs."""
