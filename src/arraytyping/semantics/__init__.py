"""What is true of arrays, whoever asks: dtypes and their lattices, promotion, sizes, a rule for each operation."""
