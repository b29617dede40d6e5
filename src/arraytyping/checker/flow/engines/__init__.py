"""The engines, which answer for what the program does not define itself: our own rules, the installed jax, and NumPy.

`dispatch` says which of them answers.  `rules` evaluates our own rules, `asking` asks jax by `eval_shape`, and `numpy`
lets NumPy answer for its own arrays; the other modules take values of flow to the objects that these know, and back.
"""
