"""`tensorflow_addons.image`: images that are turned, moved and filtered are as large, and of the same dtype.

Source: https://www.tensorflow.org/addons/api_docs/python/tfa/image.
"""

from tensorflow.math import identity

from arraytyping import facts


def rotate(images, *args, **options):
    return identity(images)


translate = translate_xy = transform = shear_x = shear_y = sharpness = equalize = rotate
mean_filter2d = median_filter2d = gaussian_filter2d = cutout = random_cutout = rotate
random_hsv_in_yiq = adjust_hsv_in_yiq = dense_image_warp = rotate


def blend(image1, image2, factor):
    return identity(image1)


def __getattr__(name):
    return facts.reads_only("tensorflow_addons.image." + name)
