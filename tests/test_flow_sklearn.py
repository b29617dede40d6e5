"""Rows that sklearn scales and splits, as in runs of the library."""

from __future__ import annotations

import pytest
from flow_values import interpreted, run, wrong_claims

from arraytyping.checker.flow.state.showing import show

PROGRAM = """
import numpy as np, sys
from sklearn.preprocessing import (
    StandardScaler,
    MinMaxScaler,
    LabelEncoder,
    RobustScaler,
    MaxAbsScaler,
    scale,
    QuantileTransformer,
    minmax_scale,
)
from sklearn.model_selection import KFold, StratifiedKFold, ShuffleSplit, RepeatedKFold
from sklearn.datasets import load_iris
X, y = load_iris(return_X_y=True)
F = X.astype('float32')
I = np.arange(24).reshape(6, 4)
a = (
    StandardScaler().fit_transform(X),
    StandardScaler().fit(F).transform(F),
    MinMaxScaler().fit_transform(I),
    RobustScaler().fit_transform(F),
    MaxAbsScaler().fit_transform(I),
    scale(F),
    minmax_scale(I),
    QuantileTransformer(n_quantiles=4).fit_transform(F),
)
b = (
    StandardScaler().fit_transform([[1, 2], [3, 4]]),
    StandardScaler().fit(X).inverse_transform(F),
    StandardScaler().fit_transform(F.astype('float16')),
)
c = (
    LabelEncoder().fit_transform(y),
    LabelEncoder().fit_transform(['a', 'b', 'a']),
)
d = [(X[i], X[j]) for i, j in KFold(4).split(X)]
e = [(i, j) for i, j in KFold(n_splits=3, shuffle=True).split(I)]
f = (
    [i.dtype for i, j in StratifiedKFold(3).split(X, y)],
    len(list(ShuffleSplit(2).split(X))),
    len(list(RepeatedKFold(n_splits=2, n_repeats=3).split(X))),
    KFold(7).get_n_splits(),
)
g = next(KFold(10).split(X))
scaler = StandardScaler()
scaler.fit(F)
h = scaler.transform(F) * 2
"""
EXPECTED = {
    "StandardScaler().fit_transform(F)": "the NumPy array float32[6, 4]",
    "StandardScaler().fit(F).transform(np.arange(8).reshape(2, 4))": "the NumPy array float64[2, 4]",
    "next(KFold(4).split(F))[1]": "the NumPy array int64[2]",
    "[i for i, j in KFold(4).split(F)][3]": "the NumPy array int64[5]",
    "F[next(StratifiedKFold(2).split(F, F))[0]]": "the NumPy array float32[train1, 4]",
    "LabelEncoder().fit_transform(list('abc'))": "the NumPy array int64[3]",
    "StandardScaler().fit_transform(np.load('x.npy'))": "something else",
    "StandardScaler().set_output(transform='pandas').fit_transform(F)": "something else",
}


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_what_sklearn_gives() -> None:
    pytest.importorskip("sklearn")
    variables, result = interpreted(PROGRAM)
    assert not result.crashes, result.crashes
    assert not result.diagnostics
    variables, real = ({n: v for n, v in found.items() if len(n) == 1} for found in (variables, run(PROGRAM)))
    assert wrong_claims(PROGRAM, variables, real) == []


@pytest.mark.parametrize("text", EXPECTED)
def test_what_is_known_of_it(text: str) -> None:
    head = "import numpy as np\nfrom sklearn.preprocessing import *\nfrom sklearn.model_selection import *\n"
    head = f"{head}F = np.ones((6, 4), np.float32)\n"
    variables, result = interpreted(f"{head}z = {text}\n")
    assert not result.crashes, result.crashes
    assert show(variables["z"]) == EXPECTED[text]
