"""`gin.tf.external_configurables`: of TensorFlow's functions, to which nothing of `gin` refers that is known here."""
