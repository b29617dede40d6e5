"""What a class assigns first to an attribute is of another kind than what it assigns in another place."""

import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsl


class Solver:
    def __init__(self, a, is_cholesky):
        self.scale = 1
        self.pair = (jnp.ones(3), 2)
        self.shape = (3, 4)
        self.wide = 1
        self.is_cholesky = is_cholesky
        if is_cholesky:
            c, lower = jsl.cho_factor(a)
            self.factor = (c, lower)
        else:
            self.scale = jnp.ones((3, 3))
            self.pair = (jnp.ones(3), jnp.ones((3, 4)))
            self.shape = a.shape
            lu, piv = jsl.lu_factor(a)
            self.factor = (lu, piv)

    def widen(self) -> None:
        self.wide = jnp.ones((3, 4))  # type: ignore[assignment]

    def solve(self, b: jax.Array):
        if self.is_cholesky:
            return jsl.cho_solve(self.factor, b)
        x = self.scale
        first, second = self.pair
        return (
            jsl.lu_solve(self.factor, b),
            jnp.matmul(jnp.ones(3), self.scale),
            jnp.linalg.det(x),
            first @ second,
            jnp.ones(3) @ self.pair[1],
            jnp.dot(jnp.ones(3), jnp.zeros(self.shape)),
        )


Solver(jnp.eye(3), False).solve(jnp.ones(3))
solver = Solver(jnp.eye(3), False)
solver.widen()
print(jnp.matmul(jnp.ones(3), solver.wide))
