"""Are values and marginals of items those that the derivations give, written out one by one?

Every derivation comes with its proof tree, whose nodes are its items; at most 704 derivations, with
scores of size 10 or so."""

from __future__ import annotations

import numpy as np
import pytest

import trapeze

CLOSE = dict(rtol=1e-12, atol=1e-12)
CASES = [
    ("eisner", dict(n=4)),
    ("eisner", dict(n=0)),
    ("compress-sibling", dict(n=3)),
    ("chain", dict(n=4, T=2)),
    ("semimarkov", dict(n=3, T=2)),
    ("edit", dict(n=3, m=2)),
]


def nodes(tree):
    yield tree.item, tree.index
    for premise in tree.premises:
        yield from nodes(premise)


def summed(score_of, derivations, arrays, plus):
    """For each item, the sum over its uses in all derivations."""
    for derivation in derivations:
        for item, index in nodes(derivation.proof):
            array = arrays[item]
            array[index] = plus(array[index], score_of(derivation))


@pytest.mark.parametrize("name, lengths", CASES)
@pytest.mark.parametrize("precision, close", [("f64", CLOSE), ("f32", dict(rtol=1e-4, atol=1e-5))])
def test_enumeration(name, lengths, precision, close, draw):
    rules = trapeze.rules(name)
    arrays = draw(rules, **lengths)
    options = dict(lengths=lengths, items=rules.items, precision=precision)
    log = rules.run("log", arrays, marginals=True, through=True, **options)
    best = rules.run("max", arrays, max_marginals=True, **options)
    count = rules.run("count", arrays, through=True, **options)
    every = rules.run("max", arrays, lengths=lengths, kbest=10000).kbest
    assert len(every) == count.value
    total = np.logaddexp.reduce([one.score for one in every])

    expected = {item: np.zeros(array.shape) for item, array in log.items.items()}
    summed(lambda one: np.exp(one.score - total), every, expected, np.add)
    for item in rules.items:
        np.testing.assert_allclose(log.item_marginals[item], expected[item], **close)
        np.testing.assert_allclose(np.exp(log.item_through[item] - log.value), expected[item], **close)

    most = {item: np.full(array.shape, -np.inf) for item, array in log.items.items()}
    summed(lambda one: one.score, every, most, np.maximum)
    ways = {item: np.zeros(array.shape) for item, array in log.items.items()}
    summed(lambda one: 1, every, ways, np.add)
    for item in rules.items:
        np.testing.assert_allclose(best.item_through[item], most[item], **close)
        np.testing.assert_array_equal(count.item_through[item], ways[item])


def test_values(draw):
    """Of a prefix: the value of a cut is that of the shorter problem."""
    rules = trapeze.rules(text=SEGMENT)
    piece = draw(rules, n=5)["piece"]
    whole = rules.run("log", piece=piece, items=["at"], marginals=True)
    for n in range(6):
        part = rules.run("log", piece=piece, lengths=n).value
        assert whole.items["at"][n] == pytest.approx(part, rel=1e-12)
    starts = whole.marginals["piece"].sum(axis=1)  # each cut but the last begins one piece
    np.testing.assert_allclose(whole.item_marginals["at"][:5], starts[:5], **CLOSE)


SEGMENT = """
rules   segment
length  n
weight  piece[i,j]  0 <= i < j <= n
item    at[i]       0 <= i <= n
goal    at[n]

    axiom
    ----- start
    at[0]

    at[i]
    ----- next * piece[i,j]
    at[j]
"""


@pytest.mark.parametrize("threads", [1, 3])
def test_batches(draw, threads):
    """A batch of several lengths has what its problems have one by one, and the values where there
    is nothing in the padding."""
    rules = trapeze.rules("eisner")
    lengths = np.array([5, 0, 3, 3, 1])
    arc = np.stack([draw(rules, n=5)["arc"] for _ in lengths])
    arc[3] = -np.inf  # no tree
    asked = dict(items=["rtri", "ltrap"], marginals=True, threads=threads)
    batch = rules.run("log", arc=arc, lengths=lengths, **asked)
    listed = rules.run("log", arc=[a[: n + 1, : n + 1] for a, n in zip(arc, lengths)], **asked)
    assert batch.items["rtri"].shape == (5, 6, 6) and batch.items["ltrap"].shape == (5, 5, 6)
    for b, n in enumerate(lengths):
        one = rules.run("log", arc=arc[b], lengths=int(n), **asked)
        for name in ("items", "item_marginals"):
            none = -np.inf if name == "items" else 0
            for item, array in getattr(one, name).items():
                np.testing.assert_array_equal(getattr(listed[b], name)[item], array)
                padded = getattr(batch[b], name)[item]
                own = tuple(slice(extent) for extent in array.shape)
                np.testing.assert_array_equal(padded[own], array)
                padded[own] = none
                assert (padded == none).all()


def test_facts(draw):
    """An item that no agreeing derivation uses has no share; a required arc is in every one."""
    rules = trapeze.rules("eisner")
    arc = draw(rules, n=4)["arc"]
    found = rules.run("log", arc=arc, items=rules.items, marginals=True, require=[[("arc", 2, 4)]])
    assert found.item_marginals["rtrap"][2, 4] == pytest.approx(1, rel=1e-12)
    assert found.item_marginals["rtrap"][3, 4] == 0
    none = rules.run("log", arc=arc, items=["rtri"], marginals=True, require=[[("arc", 1, 2)], [("arc", 2, 1)]])
    assert none.value == -np.inf
    assert (none.items["rtri"] == -np.inf).all() and (none.item_marginals["rtri"] == 0).all()


def test_facts_that_no_forbidden_cells_say(draw):
    """Of required(log): a trapezoid is there as often as its arc."""
    rules = trapeze.rules("compress")
    require = [[("arc", 0, 1), ("arc", 3, 1)], [("arc", 1, 2), ("arc", 2, 1)]]
    found = rules.run("log", draw(rules, n=5), marginals=True, items=["rtrap", "ltrap"], require=require)
    arc, right, left = found.marginals["arc"], *found.item_marginals.values()
    for i in range(5):
        for j in range(i + 1, 6):
            assert right[i, j] == pytest.approx(arc[i, j], abs=1e-12)
            assert i == 0 or left[i, j] == pytest.approx(arc[j, i], abs=1e-12)


def test_far_scores():
    """Where numbers leave the range of floating point, items off the best path keep their values."""
    rules = trapeze.rules(text=SEGMENT)
    piece = np.full((3, 4), -2000.0)
    piece[0, 3] = 3000
    found = rules.run("log", piece=piece, items=["at"], marginals=True)
    assert found.items["at"].tolist() == pytest.approx([0, -2000, -2000, 3000], rel=1e-12)
    assert found.item_marginals["at"].tolist() == [1, 0, 0, 1]


def test_refused():
    rules = trapeze.rules("eisner")
    arc = np.zeros((3, 3))
    with pytest.raises(trapeze.BadArgument, match="eisner has no item 'rtrp'; did you mean 'rtr"):
        rules.run("log", arc=arc, items=["rtrp"])
    with pytest.raises(trapeze.BadArgument, match="no item 'xyz'; its items: rtri, ltri, rtrap, ltrap"):
        rules.run("log", arc=arc, items=["xyz"])
    with pytest.raises(trapeze.BadArgument, match=r"a list of names: items=\['rtri'\]"):
        rules.run("log", arc=arc, items="rtri")
