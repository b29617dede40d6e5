"""`gin.torch`: what `gin` has."""

from gin.config import *
