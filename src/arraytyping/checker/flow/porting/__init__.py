"""What becomes of a program when it is ported: it is interpreted as it is and as its port, and both are compared.

- `reading`: what the port of a NumPy program is;
- `noting`: an interpreter that notes the dtypes at every expression, and where each array comes from;
- `pairing`: what an expression gave, beside what it gives in the port;
- `comparing`, `reasons`: which expressions change, where a change begins, and why;
- `operands`: the same question to two promotion systems, for the operands of each operation;
- `report`, `asking`: what is told of it, from a process of its own.
"""
