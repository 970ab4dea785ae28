"""Are marginals the gradient of log Z? Central differences with a step of 1e-5 are off by about
1e-10 (the third derivative times its square) and 1e-10 (rounding, 1e-15 / 1e-5)."""

from __future__ import annotations

import numpy as np
import pytest

import trapeze

STEP = 1e-5


@pytest.mark.parametrize("name", [n for n in trapeze.builtin() if "note" not in n and n != "cky"])
def test_marginals_are_the_gradient(name, draw, rng):
    rules = trapeze.rules(name)
    lengths = {length: 3 if length[0].isupper() else 6 for length in rules.lengths}
    arrays = draw(rules, **lengths)
    marginals = rules.run("log", arrays, lengths=lengths, marginals=True).marginals
    for weight, array in arrays.items():
        for cell in rng.choice(array.size, size=min(array.size, 12), replace=False):
            batch = np.stack([array, array])
            batch.reshape(2, -1)[:, cell] += (STEP, -STEP)
            above, below = rules.run("log", {**arrays, weight: batch}, lengths=lengths).value
            slope = (above - below) / (2 * STEP)
            assert marginals[weight].reshape(-1)[cell] == pytest.approx(slope, abs=2e-9)
