"""What is said before anything runs: settings, claims, the interpreter of programs, stubs, and the commands."""
