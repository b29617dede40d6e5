"""Python's own semantics of values: attributes, calls of classes and functions, items, methods, operators, truth."""
