"""`torchvision.datasets`: images of PIL with labels, as they are published.

Source: https://docs.pytorch.org/vision/stable/datasets.html.
"""

from PIL.Image import Image
from torch import tensor_of
from torch.utils.data import Dataset

from arraytyping import facts


class VisionDataset(Dataset):
    def __init__(self, root=None, transforms=None, transform=None, target_transform=None):
        self.transform, self.target_transform = transform, target_transform


class _Images(VisionDataset):
    mode, side = "L", 28

    def __init__(self, root=None, train=True, transform=None, target_transform=None, download=False):
        self.transform, self.target_transform = transform, target_transform
        self._n = self._number(train)
        self.data = self._all()
        self.targets = self._labels()

    def _number(self, train):
        return 60000 if train else 10000

    def _all(self):
        return tensor_of(facts.numpy_array("uint8", (self._n, 28, 28)))

    def _labels(self):
        return tensor_of(facts.numpy_array("int64", (self._n,)))

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        image, target = Image(self.mode, self.side, self.side), facts.integer()
        if self.transform is not None:
            image = self.transform(image)
        if self.target_transform is not None:
            target = self.target_transform(target)
        return image, target


class MNIST(_Images):
    pass


class FashionMNIST(_Images):
    pass


class KMNIST(_Images):
    pass


class CIFAR10(_Images):
    mode, side = "RGB", 32

    def _number(self, train):
        return 50000 if train else 10000

    def _all(self):
        return facts.numpy_array("uint8", (self._n, 32, 32, 3))

    def _labels(self):
        return facts.many(facts.integer())


class CIFAR100(CIFAR10):
    pass


def __getattr__(name):
    return facts.unknown("torchvision.datasets." + name)
