"""Powers of integers, as mypy says them."""


def power(n: int) -> None:
    reveal_type(2**30)  # R: int
    reveal_type(2**-1)  # R: float
    reveal_type(n**2)  # R: int


power(3)
