"""Structures as tensors, of rule sets of every kind: with inputs, with weights that have no index, with
indices that begin elsewhere at each length. And sums about them, in any company."""

from __future__ import annotations

import os

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import trapeze
import trapeze.torch as tt

SEED = int(os.environ.get("TZ_SEED", "1"))

RULES = """
rules   leaps
structures derivations
length  n, V
input   x[i] < V   1 <= i <= n
weight  leap[d]    -n <= d <= n      # where n is larger, it begins with a smaller index
weight  price                        # of each leap
weight  word[v]    0 <= v < V
item    at[i]      0 <= i <= n
goal    at[n]

    axiom
    --- begin
    at[0]

    at[i]
    --- leap  * leap[i-j] * price * word[x[j]]   if i < j
    at[j]
"""


@pytest.fixture(scope="module")
def leaps():
    return trapeze.rules(text=RULES)


def given(rng, n):
    arrays = {"leap": rng.normal(size=2 * n + 1), "price": rng.normal(), "word": rng.normal(size=3)}
    return {name: np.array(a) for name, a in arrays.items()}, rng.integers(0, 3, n)


def uses_of(derivation, arrays, n):
    """How often each cell is used: what `index` says, one by one."""
    found = {name: np.zeros(array.shape) for name, array in arrays.items()}
    for use in derivation.uses:
        index = (use.index[0] + n,) if use.weight == "leap" else use.index
        found[use.weight][index] += 1
    return found


@pytest.mark.parametrize("n", [1, 2, 4])
def test_uses(leaps, rng, n):
    arrays, x = given(rng, n)
    tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
    ours = tt.Distribution(leaps, tensors, x=torch.from_numpy(x))
    plain = leaps.run("max", arrays, x=x, kbest=3)
    drawn = leaps.run("log", arrays, x=x, samples=4, seed=SEED, min_risk=True)
    scores, best = tt.kbest(leaps, 3, tensors, x=torch.from_numpy(x))
    samples, risk = ours.sample((4,), seed=SEED), tt.min_risk(leaps, tensors, x=torch.from_numpy(x))
    for name in arrays:
        for i, one in enumerate(plain.kbest):
            assert np.array_equal(best[name][i].numpy(), uses_of(one, arrays, n)[name])
        for i, one in enumerate(drawn.samples):
            assert np.array_equal(samples[name][i].numpy(), uses_of(one, arrays, n)[name])
        assert np.array_equal(risk[name].numpy(), uses_of(drawn.min_risk, arrays, n)[name])
        assert torch.equal(ours.argmax[name], best[name][0])
    torch.testing.assert_close(scores[: len(plain.kbest)], torch.tensor([d.score for d in plain.kbest]).double())


def test_sums_in_any_company():
    """Scores, log p and entropies have the same bits alone and beside longer problems."""
    torch.manual_seed(SEED)
    arc, lengths = torch.randn(7, 13, 13).double(), torch.tensor([7, 3, 1, 12, 2, 7, 9])
    other = torch.randn(7, 13, 13).double()

    def asked(arc, other, lengths=None):
        trees, others = (tt.Distribution("eisner", arc=a, lengths=lengths) for a in (arc, other))
        two = trees.topk(2)
        return [trees.entropy(), trees.log_prob(trees.argmax), *trees.log_prob(two), trees.kl(others)]

    together = asked(arc, other, lengths)
    for b, n in enumerate(lengths.tolist()):
        for found, alone in zip(together, asked(arc[b, : n + 1, : n + 1], other[b, : n + 1, : n + 1])):
            assert torch.equal(found[b], alone)
