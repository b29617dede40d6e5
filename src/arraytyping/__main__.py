"""`python -m arraytyping`: the command, where its script is not on the path."""

from arraytyping.checker.cli import main

main()
