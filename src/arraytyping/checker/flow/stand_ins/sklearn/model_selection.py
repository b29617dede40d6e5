"""`sklearn.model_selection`: rows in two parts.

Source: https://scikit-learn.org/stable/modules/generated/sklearn.model_selection.train_test_split.html.
"""

from arraytyping import facts


def train_test_split(*arrays, **options):
    train, test = facts.size("train", 1), facts.size("test", 1)
    parts = []
    for array in arrays:
        parts.append(facts.rows(array, train))
        parts.append(facts.rows(array, test))
    return parts


def __getattr__(name):
    return facts.reads_only("sklearn.model_selection." + name)
