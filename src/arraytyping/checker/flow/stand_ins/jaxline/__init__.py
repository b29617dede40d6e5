"""`jaxline`: experiments of which the program says a step, and the library the loop.

Source: https://github.com/google-deepmind/jaxline.
"""
