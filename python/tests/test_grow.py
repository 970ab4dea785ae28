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


@pytest.mark.parametrize("semiring", ["log", "max", "bool", "count"])
def test_values_as_run_gives_them(semiring):
    arc = np.zeros((4, 4))
    rules = trapeze.rules("eisner")
    session, whole = rules.grow(semiring, arc=arc), rules.run(semiring, arc=arc)
    assert session.value == whole.value and type(session.value) is type(whole.value)
    del session
    assert len(rules._plan(semiring, "f64", False)._charts) == 1, "the chart was given back at once"


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
    with pytest.raises(errors.BadArgument, match="start's dimension 0 was given for 0 to 1; n = 3, T = 3 asks for 0 to 2"):
        chain.grow("log", scores, lengths={"n": 3, "T": 3})
    with pytest.raises(errors.BadArgument, match="no new position"):
        session.append(emit=np.zeros((0, 2)))
    with pytest.raises(errors.Law, match="such as max; not log"):
        session.best
    with pytest.raises(errors.BadArgument, match="not of a batch"):
        chain.grow("log", {**scores, "emit": np.zeros((5, 3, 2))})
    with pytest.raises(errors.BadArgument, match=r"whole number from 0 to 2\^64 - 1, not -1"):
        session.samples(-1)
    with pytest.raises(errors.BadScore):
        session.append(emit=[np.nan, 0]).value
    assert session.truncate(2).value == chain.run("log", scores).value


def test_answers_have_room():
    """Marginals of arrays without position 0, many times: nothing is written in front of them."""
    chain = trapeze.rules("chain")
    start, trans, emit = rng.normal(size=3), rng.normal(size=(3, 3)), rng.normal(size=(60, 3))
    session = chain.grow("log", start=start, trans=trans, emit=emit[:2], lengths={"n": 2, "T": 3})
    for n in range(2, 60):
        found = session.marginals["emit"]
        assert found.shape == (n, 3) and found.base.shape == (n + 1, 3)
        same(session, "log", {"start": start, "trans": trans, "emit": emit[:n]}, {"n": n, "T": 3})
        session.append(emit=emit[n])


def test_larger_than_need_be():
    """Rows behind the length are not those of the words to come."""
    chain = trapeze.rules("chain")
    scores = {"start": np.zeros(3), "trans": np.zeros((5, 5))}
    emit = np.zeros((10, 5))
    emit[3:, 0] = 100
    session = chain.grow("max", {**scores, "emit": emit}, lengths={"n": 2, "T": 3})
    same(session, "max", {**scores, "emit": emit}, {"n": 2, "T": 3})
    assert session.copy().append(emit=[0, 0, 5.0]).value == 5
    assert session.append(emit=[0, 0, 5.0, 9, 9]).value == 5
    session = chain.grow("log", {**scores, "emit": emit}, lengths={"n": 5, "T": 3})
    session.truncate(2).append(emit=[0, 0, 5.0])
    emit[3] = [0, 0, 5, 0, 0]
    same(session, "log", {**scores, "emit": emit[:4, :3]}, {"n": 3, "T": 3})
    assert session.marginals["trans"].shape == (5, 5)


def test_empty_at_first():
    """Arrays of rules.shape, where some have no cell yet."""
    pairs = trapeze.rules(
        text="""rules pairs
length n
weight allowed[i,j]  1 <= i < j <= n
weight phrase[i,j]  1 <= i <= j <= n
item tree[i,j]  1 <= i <= j <= n
goal tree[1,n]

axiom
--- word * phrase[i,i]
tree[i,i]

tree[i,k]  tree[k+1,j]
--- join * phrase[i,j] * allowed[i,j]
tree[i,j]
"""
    )

    def given(n):
        return {weight: rng.normal(size=pairs.shape(weight, n=n)) for weight in pairs.weights}

    for first in (0, 1):
        session = pairs.grow("max", given(first), lengths=first)
        for n in (first + 1, first + 3, first + 4):
            session.append(given(n))
            assert session.lengths == {"n": n}
            same(session, "max", session._scores, {"n": n})
    with pytest.raises(errors.BadArgument, match=r"phrase has the shape \(2, 2\); for n = 6 it is \(7, 7\)"):
        session.append(allowed=given(6)["allowed"], phrase=np.zeros((2, 2)))


def test_as_run_takes_them():
    """Names, lists, floats beside doubles; what is changed later is not what was given."""
    tagger = trapeze.rules(
        text="""rules tagger
length n, T, V
names V noun verb other
input x[i] < V 1 <= i <= n
weight emit[a,v] 0 <= a < T, 0 <= v < V
weight note[i] 1 <= i <= n
item at[i] 0 <= i <= n
goal at[n]

axiom
--- begin
at[0]

at[i-1]
--- tag * emit[_,x[i]] * note[i]
at[i]
"""
    )
    emit, note = rng.normal(size=(2, 3)), rng.normal(size=4)
    session = tagger.grow("log", emit=emit, note=[0, *note[:1]], x=["verb"])
    given = emit.copy()
    emit[:] = 0
    session.append(x="noun", note=np.float32(note[1])).append(x=["other", 1], note=note[2:])
    note[1] = np.float32(note[1])
    same(session, "log", {"emit": given, "note": [0, *note], "x": [1, 0, 2, 1]})
