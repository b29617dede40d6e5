"""`tensorflow.compat.v2`: what is known of a name does not depend on the version.

Source: https://www.tensorflow.org/api_docs/python/tf/compat/v2.
"""

import tensorflow


def __getattr__(name):
    return getattr(tensorflow, name)
