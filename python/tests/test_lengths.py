"""Lengths: those that are given are used, the arrays tell the others."""

from __future__ import annotations

import numpy as np
import pytest

import trapeze

BAND = """
rules   band
structures derivations
length  n, m, b
weight  sub[i,j]  1 <= i <= n, 1 <= j <= m
weight  gap
item    at[i,j]   0 <= i <= n, 0 <= j <= m, i <= j+b, j <= i+b
goal    at[n,m]

    axiom
    --- begin
    at[0,0]

    at[i-1,j-1]
    --- both  * sub[i,j]
    at[i,j]

    at[i-1,j]
    --- down  * gap
    at[i,j]

    at[i,j-1]
    --- along  * gap
    at[i,j]
"""


@pytest.fixture(scope="module")
def band():
    return trapeze.rules(text=BAND)


def test_some_are_given(band, rng):
    sub, gap = rng.normal(size=(7, 6)), -0.5
    every = band.run("log", sub=sub, gap=gap, lengths={"n": 6, "m": 5, "b": 2}, marginals=True)
    for lengths in ({"b": 2}, {"b": 2, "n": 6}, {"m": 5, "b": np.int64(2)}):
        for _ in range(3):  # the calls that are made again, too
            some = band.run("log", sub=sub, gap=gap, lengths=lengths, marginals=True)
            assert some.value == every.value
            assert np.array_equal(some.marginals["sub"], every.marginals["sub"])
    narrow = band.run("count", sub=sub, gap=gap, lengths={"b": 1}).value
    assert narrow < band.run("count", sub=sub, gap=gap, lengths={"b": 2}).value


def test_of_arrays_that_are_larger(band, rng):
    """The given length may be less than the array has room for."""
    sub = rng.normal(size=(9, 6))
    some = band.run("log", sub=sub, gap=0.0, lengths={"n": 6, "b": 3}).value
    assert some == band.run("log", sub=sub[:7], gap=0.0, lengths={"b": 3}).value


def test_of_batches(band, rng):
    sub, n = rng.normal(size=(4, 7, 6)), np.array([6, 3, 0, 5])
    some = band.run("log", sub=sub, gap=0.0, lengths={"n": n, "b": 9})
    every = band.run("log", sub=sub, gap=0.0, lengths={"n": n, "m": 5, "b": 9})
    assert some.value.tolist() == every.value.tolist()
    widths = band.run("log", sub=sub, gap=0.0, lengths={"b": [1, 2, 3, 4]})
    for b, width in enumerate((1, 2, 3, 4)):
        assert widths.value[b] == band.run("log", sub=sub[b], gap=0.0, lengths={"b": width}).value
    listed = [sub[0], sub[1, :4], sub[2, :, :2]]
    found = band.run("log", sub=listed, gap=0.0, lengths={"b": [6, 3, 6]})
    for b, one in enumerate(listed):
        assert found.value[b] == band.run("log", sub=one, gap=0.0, lengths={"b": (6, 3, 6)[b]}).value


def test_beside_the_domain_alone(rng):
    """emit without a row 0: n is given, T the arrays tell."""
    emit, start, trans = rng.normal(size=(4, 3)), np.zeros(3), np.zeros((3, 3))
    chain = trapeze.rules("chain")
    whole = chain.run("log", emit=np.vstack([np.zeros((1, 3)), emit]), start=start, trans=trans)
    alone = chain.run("log", emit=emit, start=start, trans=trans, lengths={"n": 4})
    assert alone.value == whole.value


def test_what_cannot_be_told(band):
    sub = np.zeros((4, 4))
    with pytest.raises(trapeze.BadArgument, match="do not tell the length b: give lengths="):
        band.run("log", sub=sub, gap=0.0, lengths={"n": 3})
    with pytest.raises(trapeze.BadArgument, match="has no length 'x'; its lengths: n, m, b"):
        band.run("log", sub=sub, gap=0.0, lengths={"x": 3})
    with pytest.raises(trapeze.BadArgument, match="different sizes|differ in size"):
        band.run("log", sub=[sub, sub], gap=0.0, lengths={"b": [1, 2, 3]})
    chain = trapeze.rules("chain")
    with pytest.raises(trapeze.BadArgument, match="T is 2 by .* but 3 by"):
        chain.run("log", start=np.zeros(2), trans=np.zeros((3, 3)), emit=np.zeros((4, 3)), lengths={"n": 3})


def test_in_torch(band):
    torch = pytest.importorskip("torch")
    import trapeze.torch as tt

    emit = torch.randn(3, 6, 2)
    shared = {"start": torch.zeros(2), "trans": torch.zeros(2, 2)}
    n = torch.tensor([5, 2, 4])
    some = tt.log_partition("chain", shared, emit=emit, lengths={"n": n})
    assert torch.equal(some, tt.log_partition("chain", shared, emit=emit, lengths={"n": n, "T": 2}))
