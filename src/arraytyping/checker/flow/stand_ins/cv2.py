"""`cv2`: an image that is read in colour has three channels, one in grey none; a file that is not there gives None.

Source: https://docs.opencv.org/4.x/d4/da8/group__imgcodecs.html.
"""

from arraytyping import facts

IMREAD_UNCHANGED, IMREAD_GRAYSCALE, IMREAD_COLOR, IMREAD_ANYDEPTH, IMREAD_ANYCOLOR = -1, 0, 1, 2, 4


def imread(filename, flags=1):
    if flags == 1:
        return facts.one_of(facts.numpy_array("uint8", "height width 3"), None)
    if flags == 0:
        return facts.one_of(facts.numpy_array("uint8", "height width"), None)
    return facts.one_of(facts.numpy_array(None, None), None)


def __getattr__(name):
    return facts.unknown("cv2." + name)
