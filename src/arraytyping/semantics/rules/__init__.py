"""Abstract-evaluation rules: from abstract arguments to the abstract result, one rule for each operation.

`registry` imports all the rules and so fills the table; the package itself imports nothing, so that the error codes
(`errors`) can be had without them.
"""
