"""What is said of many entry points: each is followed in a process of its own, and what was found is kept on disk."""
