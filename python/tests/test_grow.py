"""Sessions: what they answer is what a run of the whole answers, to the bit."""

import numpy as np
import pytest

import trapeze
from trapeze import errors

rng = np.random.default_rng(7)


def same(session, semiring, scores, lengths=None):
    whole = session.rules.run(semiring, scores, lengths=lengths, marginals=semiring == "log", best=semiring == "max")
    assert session.value == whole.value
    if semiring == "log":
        for name, array in whole.marginals.items():
            assert (session.marginals[name] == array).all(), name
    if semiring == "max":
        assert str(session.best) == str(whole.best)


@pytest.mark.parametrize("semiring", ["log", "max"])
def test_one_axis(semiring):
    chain = trapeze.rules("chain")
    start, trans, emit = rng.normal(size=3), rng.normal(size=(3, 3)), rng.normal(size=(12, 3))
    session = chain.grow(semiring, start=start, trans=trans, emit=emit[:2])
    for n in range(2, 11):
        session.append(emit=emit[n])
        assert session.lengths == {"n": n, "T": 3}
        same(session, semiring, {"start": start, "trans": trans, "emit": emit[: n + 1]})
    session.truncate(5).append(emit=emit[6:10])
    same(session, semiring, {"start": start, "trans": trans, "emit": emit[:10]})


@pytest.mark.parametrize("semiring", ["log", "max"])
def test_two_axes(semiring):
    eisner = trapeze.rules("eisner")
    arc = rng.normal(size=(9, 9))
    session = eisner.grow(semiring, arc=arc[:1, :1])
    for n in range(1, 9):
        session.append(arc=arc[: n + 1, : n + 1])
        same(session, semiring, {"arc": arc[: n + 1, : n + 1]})
    assert len(session.kbest(3)) == 3 if semiring == "max" else len(session.samples(4)) == 4


def test_copies():
    chain = trapeze.rules("chain")
    start, trans = rng.normal(size=2), rng.normal(size=(2, 2))
    beam = [(chain.grow("log", start=start, trans=trans, emit=rng.normal(size=(4, 2))), None)]
    beam = [(beam[0][0], beam[0][0]._scores["emit"])]
    for turn in range(6):
        longer = []
        for session, emit in beam:
            for _ in range(2):
                row = rng.normal(size=2)
                longer.append((session.copy().append(emit=row), np.vstack([emit, row])))
        beam = [longer[i] for i in rng.choice(len(longer), min(4, len(longer)), replace=False)]
        for session, emit in beam:
            same(session, "log", {"start": start, "trans": trans, "emit": emit})
        for session, emit in reversed(beam):
            same(session, "log", {"start": start, "trans": trans, "emit": emit})


def test_inputs():
    hmm = trapeze.rules(
        text="""rules hmm
length n, T, V
input x[i] < V 1 <= i <= n
weight trans[a,b] 0 <= a < T, 0 <= b < T
weight emit[a,v] 0 <= a < T, 0 <= v < V
item state[i,a] 1 <= i <= n, 0 <= a < T
goal state[n,0]

axiom
--- first * emit[a,x[1]]
state[1,a]

state[i-1,a]
--- then * trans[a,b] * emit[b,x[i]]
state[i,b]
"""
    )
    trans, emit, x = rng.normal(size=(2, 2)), rng.normal(size=(2, 3)), rng.integers(0, 3, 8)
    session = hmm.grow("log", trans=trans, emit=emit, x=x[:3])
    for n in range(4, 9):
        session.append(x=[x[n - 1]])
        same(session, "log", {"trans": trans, "emit": emit, "x": x[:n]})


def test_sparse_and_float():
    cky = trapeze.rules("cky")
    index = np.array([[0, 0, 1], [0, 1, 0], [1, 1, 1], [1, 0, 0]])
    binary, span = (index, rng.normal(size=4)), rng.normal(size=(2, 8, 8)).astype(np.float32)
    session = cky.grow("log", binary=binary, span=span[:, :2, :2])
    for n in range(2, 8):
        session.append(span=span[:, : n + 1, : n + 1])
        same(session, "log", {"binary": binary, "span": span[:, : n + 1, : n + 1]})


def test_refuses():
    chain = trapeze.rules("chain")
    scores = {"start": np.zeros(2), "trans": np.zeros((2, 2)), "emit": np.zeros((3, 2))}
    session = chain.grow("log", scores)
    with pytest.raises(errors.BadArgument, match="emit lacks"):
        session.append()
    with pytest.raises(errors.BadArgument, match="trans does not grow in n"):
        session.append(trans=np.zeros((2, 2)), emit=np.zeros(2))
    with pytest.raises(errors.BadArgument, match="emit: "):
        session.append(emit=np.zeros(3))
    with pytest.raises(errors.BadArgument, match="it cannot go back to 4"):
        session.truncate(4)
    with pytest.raises(errors.BadArgument, match="no length is called 'm'"):
        session.append(emit=np.zeros(2), length="m")
    with pytest.raises(errors.Law, match="such as max; not log"):
        session.best
    with pytest.raises(errors.BadArgument, match="not of a batch"):
        chain.grow("log", {**scores, "emit": np.zeros((5, 3, 2))})
    with pytest.raises(errors.BadScore):
        session.append(emit=[np.nan, 0]).value
    assert session.truncate(2).value == chain.run("log", scores).value
