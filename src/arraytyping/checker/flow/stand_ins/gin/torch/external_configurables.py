"""`gin.torch.external_configurables`: of PyTorch's functions, to which nothing of `gin` refers that is known here."""
