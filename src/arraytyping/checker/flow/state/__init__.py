"""What one run over a program knows and has seen: values joined, forgotten and taken back, doubts, mistakes."""
