"""`gin.tf`: what `gin` has."""

from gin.config import *
