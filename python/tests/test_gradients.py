"""Are marginals the gradient of log Z? Central differences with a step of 1e-5 are off by about
1e-10 (the third derivative times its square) and 1e-10 (rounding, 1e-15 / 1e-5)."""

from __future__ import annotations

import numpy as np
import pytest

import trapeze

STEP = 1e-5
DENSE = [n for n in trapeze.builtin() if not any(w.sparse for w in trapeze.rules(n).weights.values())]
ALL = [n for n in DENSE if not trapeze.rules(n).ambiguous]


@pytest.mark.parametrize("name", ALL)
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


@pytest.mark.parametrize("name", ALL)
def test_tangents_are_the_change_of_marginals(name, draw):
    rules = trapeze.rules(name)
    lengths = {length: 3 if length[0].isupper() else 6 for length in rules.lengths}
    arrays, direction = draw(rules, **lengths), draw(rules, **lengths)
    moved = {n: np.stack([a + STEP * direction[n], a - STEP * direction[n]]) for n, a in arrays.items()}
    marginals = rules.run("log", moved, lengths=lengths, marginals=True).marginals
    tangents = rules.run("log", arrays, lengths=lengths, direction=direction).tangents
    for weight, (above, below) in marginals.items():
        np.testing.assert_allclose(tangents[weight], (above - below) / (2 * STEP), atol=2e-8)


def test_directions_of_some_weights(draw):
    """A batch, as an array and as a list; a weight without a direction; one without a derivation."""
    rules = trapeze.rules("compress")
    arrays = draw(rules, n=4)
    arc = np.stack([arrays["arc"], arrays["arc"][::-1]])
    bigram = np.stack([arrays["bigram"], np.full_like(arrays["bigram"], -np.inf)])
    direction = {"arc": np.ones_like(arc)}
    result = rules.run("log", arc=arc, bigram=bigram, direction=direction)
    lists = rules.run("log", arc=list(arc), bigram=list(bigram), direction={"arc": list(direction["arc"])})
    alone = rules.run("log", arc=arc[0], bigram=bigram[0], direction={"arc": np.ones_like(arc[0])})
    assert result.value[1] == -np.inf
    for weight, tangents in result.tangents.items():
        np.testing.assert_array_equal(tangents[0], alone.tangents[weight])
        np.testing.assert_array_equal(tangents[0], lists.tangents[weight][0])
        assert not tangents[1].any() and np.abs(tangents[0]).max() > 0.01
    with pytest.raises(trapeze.Law, match="direction takes a semiring of real numbers"):
        rules.run("max", arrays, direction={"arc": arrays["arc"]})
    with pytest.raises(trapeze.BadScore, match="direction of arc"):
        rules.run("log", arrays, direction={"arc": np.full_like(arrays["arc"], np.nan)})
