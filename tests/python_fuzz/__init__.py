"""Programs of Python with arrays that are made at random, run, and compared with what flow says of each variable."""
