"""Are scores read where they stand, whatever their strides, types and batches?"""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

import trapeze

SOURCE = pathlib.Path(__file__).parents[2]
EISNER = trapeze.rules("eisner")
N = 6


@pytest.fixture
def arc(rng):
    return rng.normal(size=(N + 1, N + 1))


def answers(arc, **options):
    return EISNER.run("log", arc=arc, marginals=True, **options)


def assert_equal(found, expected):
    """The same bits."""
    np.testing.assert_array_equal(found.value, expected.value)
    for name in expected.marginals:
        np.testing.assert_array_equal(found.marginals[name], expected.marginals[name])


def spread(arc):
    wide = np.full((2 * N + 2, 3 * N + 3), np.nan)
    wide[::2, ::3] = arc
    return wide[::2, ::3]


def in_records(arc):
    """Strides that are no multiples of 8 bytes, and numbers that are not aligned."""
    records = np.zeros((N + 1, N + 1), np.dtype([("flag", "u1"), ("score", "f8")]))
    records["score"] = arc
    return records["score"]


def read_only(arc):
    arc = arc.copy()
    arc.flags.writeable = False
    return arc


@pytest.mark.parametrize(
    "placed",
    [
        np.asfortranarray,
        lambda arc: arc.T.copy().T,
        lambda arc: arc[::-1].copy()[::-1],
        lambda arc: arc[:, ::-1].copy()[:, ::-1],
        lambda arc: arc[::-1, ::-1].copy()[::-1, ::-1],
        spread,
        in_records,
        read_only,
        lambda arc: arc.astype(">f8"),
        lambda arc: arc.tolist(),
        lambda arc: np.ma.masked_array(arc),
    ],
)
def test_strides(arc, placed):
    assert_equal(answers(placed(arc)), answers(arc))


def test_nothing_is_written(arc):
    before = arc.copy()
    EISNER.run("log", arc=arc, marginals=True, samples=3)
    np.testing.assert_array_equal(arc, before)


@pytest.mark.parametrize("kind", ["f2", "f4", "i1", "i4", "u8", "?"])
def test_types(arc, kind):
    """Every type is exact in float64."""
    narrow = (3 * arc).astype(kind) if kind != "u8" else abs(3 * arc).astype(kind)
    assert_equal(answers(narrow), answers(narrow.astype(np.float64)))


@pytest.mark.parametrize("kind", ["c16", "U3", "O", "M8[s]", np.longdouble])
def test_types_that_are_refused(kind):
    with pytest.raises(ValueError, match="arc: scores are float32 or float64.*not"):
        EISNER.run("log", arc=np.zeros((4, 4), dtype=kind))


def test_single_precision(arc):
    """float32 has 24 bits: values of size 10 agree to about 1e-6 of that."""
    double = answers(arc)
    single = answers(arc.astype(np.float32), precision="f32")
    assert single.value == pytest.approx(double.value, rel=1e-5)
    np.testing.assert_allclose(single.marginals["arc"], double.marginals["arc"], atol=1e-5)
    assert single.marginals["arc"].dtype == np.float64


def test_array_larger_than_need_be(arc):
    larger = np.full((N + 3, N + 4), np.nan)
    larger[: N + 1, : N + 1] = arc
    found, expected = answers(larger, lengths=N), answers(arc)
    assert found.value == expected.value
    assert found.marginals["arc"].shape == larger.shape
    np.testing.assert_array_equal(found.marginals["arc"][: N + 1, : N + 1], expected.marginals["arc"])
    assert not found.marginals["arc"][N + 1 :].any() and not found.marginals["arc"][:, N + 1 :].any()


def check_batch(result, singles):
    assert len(result) == len(singles)
    for one, single in zip(result, singles):
        assert one.value == single.value
        for name, expected in single.marginals.items():
            part = tuple(slice(extent) for extent in expected.shape)
            found = one.marginals[name].copy()
            np.testing.assert_array_equal(found[part], expected)
            found[part] = 0
            assert not found.any()  # padding


@pytest.mark.parametrize("threads", [1, 3])
def test_batches(draw, threads):
    rules = trapeze.rules("compress")
    lengths = [4, 0, 7, 1, 4, 2, 7, 3, 5, 6]
    lists = [draw(rules, n=n) for n in lengths]
    singles = [rules.run("log", one, marginals=True) for one in lists]
    listed = {name: [one[name] for one in lists] for name in rules.weights}
    check_batch(rules.run("log", listed, marginals=True, threads=threads), singles)
    padded = {
        name: np.full((len(lengths), *rules.shape(name, n=7)), np.nan) for name in rules.weights
    }
    for b, one in enumerate(lists):
        for name, array in one.items():
            padded[name][(b, *map(slice, array.shape))] = array
    for given in (lengths, np.array(lengths), {"n": lengths}, np.array(lengths, np.uint8)):
        result = rules.run("log", padded, lengths=given, marginals=True, threads=threads)
        check_batch(result, singles)
    # The batch last in memory, and backwards.
    turned = {name: np.moveaxis(np.moveaxis(a, 0, -1).copy(), -1, 0) for name, a in padded.items()}
    check_batch(rules.run("log", turned, lengths=lengths, marginals=True), singles)
    back = {name: a[::-1] for name, a in padded.items()}
    check_batch(rules.run("log", back, lengths=lengths[::-1], marginals=True), singles[::-1])
    best = rules.run("max", padded, lengths=lengths, best=True, kbest=2, uses=True, threads=threads)
    for b, one in enumerate(lists):
        single = rules.run("max", one, best=True, kbest=2)
        assert best.best[b] == single.best and best.kbest[b] == single.kbest
        assert best[b].best == single.best


def test_lengths_by_the_shape(arc):
    batch = np.stack([arc, arc + 1])
    assert answers(batch).value.shape == (2,)
    assert_equal(answers(batch), answers(batch, lengths=N))
    assert EISNER.run("count", arc=np.zeros((1, 1))).value == 1  # n = 0
    assert EISNER.run("count", arc=np.zeros(EISNER.shape("arc", n=0))).value == 1


def test_empty_batch():
    result = answers(np.zeros((0, N + 1, N + 1)))
    assert result.value.shape == (0,) and result.marginals["arc"].shape == (0, N + 1, N + 1)
    for lengths in (None, [], np.zeros(0, np.int32)):
        result = EISNER.run("max", arc=[], lengths=lengths, best=True, uses=True)
        assert len(result) == 0 and result.best == [] and result.uses["arc"] == []


def test_scores_shared_by_a_batch(draw, rng):
    rules = trapeze.rules("chain")
    one = draw(rules, n=5, T=3)
    emit = rng.normal(size=(4, *one["emit"].shape))
    given = {"start": one["start"], "trans": one["trans"], "emit": emit}
    result = rules.run("log", given, lengths={"n": [5, 2, 0, 4], "T": 3}, marginals=True)
    for b, n in enumerate([5, 2, 0, 4]):
        single = rules.run(
            "log", {**given, "emit": emit[b]}, lengths={"n": n, "T": 3}, marginals=True
        )
        assert result.value[b] == single.value
        assert result.marginals["trans"].shape == (4, 3, 3)
        np.testing.assert_array_equal(result.marginals["trans"][b], single.marginals["trans"])


def cky(rng, n, labels):
    index = np.array(np.meshgrid(*[range(labels)] * 3, indexing="ij")).reshape(3, -1).T
    rules = trapeze.rules("cky")
    lengths = dict(zip(rules.lengths, (n, labels)))
    dense = {
        name: rng.normal(size=rules.shape(name, **lengths))
        for name, weight in rules.weights.items()
        if not weight.sparse
    }
    return rules, lengths, dense, index, rng.normal(size=len(index))


def test_sparse(rng):
    rules, lengths, dense, index, scores = cky(rng, 4, 2)
    given = {**dense, "binary": (index, scores)}
    result = rules.run("log", given, lengths=lengths, marginals=True)
    assert result.marginals["binary"].shape == scores.shape
    assert result.marginals["binary"].sum() == pytest.approx(3, rel=1e-12)  # 4 words, 3 rules
    step = 1e-5
    for e in range(0, len(index), 3):
        moved = []
        for sign in (1, -1):
            more = scores.copy()
            more[e] += sign * step
            moved.append(rules.run("log", {**given, "binary": (index, more)}, lengths=lengths).value)
        slope = (moved[0] - moved[1]) / (2 * step)
        assert result.marginals["binary"][e] == pytest.approx(slope, abs=1e-8)
    best = rules.run("max", given, lengths=lengths, best=True, uses=True)
    number = {tuple(row): e for e, row in enumerate(index.tolist())}
    counts = np.zeros(len(index))
    for row in best.best.index("binary").tolist():
        counts[number[tuple(row)]] += 1
    np.testing.assert_array_equal(best.uses["binary"], counts)
    # A batch: the same cells with other scores, or cells of their own.
    many = np.stack([scores, scores[::-1], scores.astype(np.float32)])
    table = {**dense, "binary": (index.astype(np.int64), many)}
    by_table = rules.run("log", table, lengths=lengths, marginals=True)
    pairs = {**dense, "binary": [(index, row) for row in many]}
    by_pairs = rules.run("log", pairs, lengths=lengths, marginals=True)
    np.testing.assert_array_equal(by_table.value, by_pairs.value)
    assert by_table.value[0] == result.value
    for b in range(3):
        np.testing.assert_array_equal(
            by_table.marginals["binary"][b], by_pairs.marginals["binary"][b]
        )


def test_impossible_scores(arc):
    """-inf is impossible, and everything stays a number."""
    masked = arc.copy()
    masked[0, 1:] = -np.inf
    batch = np.stack([arc, masked, arc])
    result = answers(batch)
    single = answers(arc)
    assert result.value[1] == -np.inf and not result.marginals["arc"][1].any()
    np.testing.assert_array_equal(result.marginals["arc"][2], single.marginals["arc"])
    best = EISNER.run("max", arc=batch, best=True, kbest=3, max_marginals=True)
    assert best.best[1] is None and best.kbest[1] == []
    assert np.isneginf(best.max_marginals["arc"][1]).all()
    entropy = EISNER.run("entropy", arc=masked)
    assert entropy.value == -np.inf and not np.isnan(entropy.entropy)
    assert EISNER.run("log", arc=masked, samples=2).samples == []


def test_memory_is_not_given_out_twice(rng):
    """Arrays that are still referred to, or parts of which are, keep their numbers."""
    batch = rng.normal(size=(40, 21, 21))
    expected = answers(batch)
    kept = [answers(batch).marginals["arc"][3:, 1] for _ in range(9)]
    for _ in range(9):
        answers(-batch)
    for part in kept:
        np.testing.assert_array_equal(part, expected.marginals["arc"][3:, 1])


def begin(result):
    return result.marginals["arc"].ctypes.data


def test_memory_is_given_out_again(rng):
    """That of a result which is dropped before the next call, at once; else two pieces in turn."""
    batch = rng.normal(size=(3, 9, 9))
    begins = [begin(answers(batch)) for _ in range(3)]
    assert len(set(begins)) == 1
    begins = []
    for _ in range(6):
        result = answers(batch)
        begins.append(begin(result))
    assert begins[:2] * 3 == begins and begins[0] != begins[1]


@pytest.mark.parametrize("lengths", [None, 5])
def test_memory_that_served_before(lengths, rng):
    """Several answers at once, scores that move, arrays that are larger than need be: always as by
    rules that have not run before."""
    text = (pathlib.Path(__file__).parents[2] / "rules" / "eisner.rules").read_text()
    batches = [rng.normal(size=(4, 9, 9)) for _ in range(3)]

    def run(rules, batch):
        return rules.run("max", arc=batch, lengths=lengths, uses=True, through=True)

    expected = [run(trapeze.rules(text=text), batch) for batch in batches]
    for _ in range(4):
        for batch, right in zip(batches, expected):
            found = run(EISNER, batch)
            np.testing.assert_array_equal(found.value, right.value)
            np.testing.assert_array_equal(found.uses["arc"], right.uses["arc"])
            np.testing.assert_array_equal(found.through["arc"], right.through["arc"])
            found.value[:] = found.uses["arc"][:] = found.through["arc"][:] = np.nan


def test_without_counts_of_references(rng, monkeypatch):
    """Other interpreters may have none: then arrays are new each time."""
    batch = rng.normal(size=(3, 9, 9))
    expected = answers(batch)
    monkeypatch.setattr(trapeze._call, "_references", lambda array: float("nan"))
    found = [answers(batch) for _ in range(3)]
    for result in found:
        assert_equal(result, expected)
    assert len(set(map(begin, found))) == 3


def test_where_an_array_begins():
    grid = np.zeros((4, 6))
    turned, fixed = grid.T[::-1, 1::2], np.broadcast_to(grid[1, 2:], (3, 4))
    for array in (grid, turned, fixed, grid[:0], np.zeros(3, "f4")[1:], grid.view(np.matrix)):
        assert trapeze._arrays.address_of(array) == array.ctypes.data


def test_calls_that_are_kept(rng, monkeypatch):
    """They are dropped when they hold too much memory, and the next are as right."""
    monkeypatch.setattr(trapeze._call, "_MOST_BYTES", 50_000)
    arcs = [rng.normal(size=(n, n)) for n in range(2, 40)]
    expected = [answers(arc) for arc in arcs]
    for arc, right in zip(arcs, expected):
        assert_equal(answers(arc), right)
        waiting = EISNER._calls.waiting.values()
        assert 0 < sum(call.bytes() for calls in waiting for call in calls) <= 50_000


def test_seven_indices(rng):
    """Items and weights of six indices, dense and sparse; the amount of a resource is the seventh."""
    rules = trapeze.rules(file=SOURCE / "tests" / "rules" / "good" / "six-indices.rules")
    lengths = {"n": 4, "T": 2}
    shape = rules.shape("pair", **lengths)
    assert shape == (5, 5, 2, 2, 2, 2)
    pair = rng.normal(size=shape)
    gap = rng.normal(size=rules.shape("gap", **lengths))
    index = np.array(np.meshgrid(*[range(2)] * 5, indexing="ij")).reshape(5, -1).T
    turn = rng.normal(size=len(index))
    given = {"pair": pair, "gap": gap, "turn": (index, turn)}
    result = rules.run("log", given, lengths=lengths, marginals=True)
    marginals = result.marginals
    # Each of the 4 places of the first string is in a pair or in a gap; each pair takes a turn.
    np.testing.assert_allclose(marginals["pair"].sum(axis=(1, 2, 3, 4, 5)) + marginals["gap"], [0, 1, 1, 1, 1], atol=1e-12)
    assert marginals["turn"].sum() == pytest.approx(marginals["pair"].sum(), rel=1e-12)
    step = 1e-5
    for cell in [(1, 1, 0, 0, 0, 1), (2, 1, 0, 0, 1, 0), (4, 3, 1, 0, 1, 1)]:
        moved = []
        for sign in (1, -1):
            more = pair.copy()
            more[cell] += sign * step
            moved.append(rules.run("log", {**given, "pair": more}, lengths=lengths).value)
        slope = (moved[0] - moved[1]) / (2 * step)
        assert marginals["pair"][cell] == pytest.approx(slope, abs=1e-8)
    # The best derivation: its uses score what it scores; what is known holds.
    best = rules.run("max", given, lengths=lengths, best=True, uses=True)
    known = {tuple(row): score for row, score in zip(index.tolist(), turn)}
    total = sum(pair[tuple(row)] for row in best.best.index("pair").tolist())
    total += sum(gap[row[0]] for row in best.best.index("gap").tolist())
    total += sum(known[tuple(row)] for row in best.best.index("turn").tolist())
    assert best.value == pytest.approx(total, rel=1e-12)
    forbid = [("gap", None)]
    whole = rules.run("log", given, lengths=lengths, marginals=True, forbid=forbid)
    assert not whole.marginals["gap"].any()
    assert whole.marginals["pair"].sum() == pytest.approx(4, rel=1e-12)
    cell = (2, 1, None, None, None, None)
    some = rules.run("log", given, lengths=lengths, marginals=True, require=[("pair", *cell)])
    assert some.marginals["pair"][2, 1].sum() == pytest.approx(1, rel=1e-12)
    # By amounts: they sum to the whole.
    charged = rules.charge("pairs")
    amounts = [
        charged.run("log", given, lengths={**lengths, "pairs_total": u}).value for u in range(5)
    ]
    assert np.logaddexp.reduce(amounts) == pytest.approx(result.value, rel=1e-12)
    # Entries of which many are not given, and a batch.
    few = rules.run("count", {**given, "turn": (index[::3], turn[::3])}, lengths=lengths)
    all_ = rules.run("count", given, lengths=lengths)
    assert 0 < few.value < all_.value == 81
    both = rules.run("max", {**given, "pair": np.stack([pair, -pair])}, lengths=lengths)
    assert both.value[0] == best.value


@pytest.mark.parametrize("form", ["array", "int32", "list", "mapping"])
def test_lengths_from_call_to_call(rng, form):
    """Calls that differ in lengths alone share what was made for the first, and nothing of its
    numbers: what lies past a problem's length is 0, also where the call before wrote, and where a
    result was written over."""
    arc = rng.normal(size=(6, 9, 9))
    make = {
        "array": lambda row: row,
        "int32": lambda row: row.astype(np.int32),
        "list": lambda row: row.tolist(),
        "mapping": lambda row: {"n": row},
    }[form]
    rules = trapeze.rules(text=EISNER.show())
    for _ in range(8):
        lengths = np.full(6, 8) if rng.integers(3) == 0 else rng.integers(0, 9, size=6)
        found = rules.run("log", arc=arc, lengths=make(lengths), marginals=True)
        for b, n in enumerate(lengths):
            own = np.ascontiguousarray(arc[b, : n + 1, : n + 1])
            alone = EISNER.run("log", arc=own, marginals=True)
            assert found.value[b] == alone.value
            expected = np.zeros((9, 9))
            expected[: n + 1, : n + 1] = alone.marginals["arc"]
            np.testing.assert_array_equal(found.marginals["arc"][b], expected)
        found.marginals["arc"][...] = 7
        del found
    assert len(rules._layouts) <= 2  # one for those that are all the same
    with pytest.raises(trapeze.BadArgument, match="a length is from 0 to"):
        rules.run("log", arc=arc, lengths=make(lengths - 9), marginals=True)
    with pytest.raises(trapeze.BadArgument, match="different sizes: arc 6, lengths 5"):
        rules.run("log", arc=arc, lengths=make(lengths[:5]), marginals=True)


# ---- Arrays of the domain alone ------------------------------------------------------------------

CHAIN, EDIT = trapeze.rules("chain"), trapeze.rules("edit")


def assert_alone(rules, arrays, alone, **options):
    """Arrays that lack the positions before their domains give the same answers, in their shapes."""
    whole = rules.run("log", arrays, marginals=True, **options)
    best = rules.run("max", arrays, uses=True, max_marginals=True, **options)
    found = rules.run("log", {**arrays, **alone}, marginals=True, **options)
    picked = rules.run("max", {**arrays, **alone}, uses=True, max_marginals=True, **options)
    np.testing.assert_array_equal(found.value, whole.value)
    pairs = [(found.marginals, whole.marginals), (picked.uses, best.uses), (picked.through, best.through)]
    for got, expected in pairs:
        for name, array in arrays.items():
            given = alone.get(name, array)
            assert got[name].shape == np.shape(given)
            cut = tuple(slice(a - b, None) for a, b in zip(np.shape(array), np.shape(given)))
            np.testing.assert_array_equal(got[name], expected[name][cut])


def test_required_in_lists(draw):
    """Of a list, the answer about a problem that cannot meet what is required is an array of zeros."""
    one = draw(EISNER, n=3)["arc"]
    known = [[], [[("arc", 0, 1)], [("arc", 2, 1)]]]  # a word with two heads
    for arc in ([one, one[:3, :3]], np.stack([one, one])):
        found = EISNER.run("log", arc=arc, require=known, marginals=True)
        assert found.value[1] == -np.inf and found.marginals["arc"][1].shape == arc[1].shape
        assert not found.marginals["arc"][1].any() and found.marginals["arc"][0].any()


def test_domain_alone(draw):
    arrays = draw(CHAIN, n=4, T=3)
    alone = {"emit": arrays["emit"][1:]}
    lengths = {"n": 4, "T": 3}
    assert_alone(CHAIN, arrays, alone, lengths=lengths)
    assert_alone(CHAIN, arrays, {"emit": np.asfortranarray(alone["emit"])}, lengths=lengths)
    # Without lengths an array that can have a position in front has it.
    shorter = CHAIN.run("log", {**arrays, **alone})
    assert shorter.value == CHAIN.run("log", {**arrays, "emit": alone["emit"]}, lengths={"n": 3, "T": 3}).value
    # Rows that no index stands for may be empty.
    listed = {"emit": [[], *alone["emit"].tolist()]}
    assert CHAIN.run("log", {**arrays, **listed}).value == CHAIN.run("log", arrays).value


def test_domain_alone_told_by_shapes(draw, arc):
    """Where the other dimensions leave no other reading, no lengths are needed."""
    assert_alone(EISNER, {"arc": arc}, {"arc": arc[:, 1:]})
    arrays = draw(EDIT, n=3, m=5)
    alone = {"sub": arrays["sub"][1:, 1:], "del": arrays["del"][1:], "ins": arrays["ins"][:, 1:]}
    assert_alone(EDIT, arrays, alone)
    assert_alone(EDIT, arrays, {"sub": alone["sub"]})
    with pytest.raises(trapeze.BadArgument, match="n is 1 by .* give lengths="):
        EDIT.run("log", {**arrays, "sub": arrays["sub"][2:]})


def test_domain_alone_in_batches(rng, draw):
    batch = [draw(CHAIN, n=4, T=2) for _ in range(3)]
    arrays = {name: np.stack([one[name] for one in batch]) for name in batch[0]}
    lengths = {"n": np.full(3, 4), "T": 2}
    whole = CHAIN.run("log", arrays, lengths=lengths, marginals=True)
    alone = {**arrays, "emit": arrays["emit"][:, 1:]}
    found = CHAIN.run("log", alone, lengths=lengths, marginals=True)
    np.testing.assert_array_equal(found.value, whole.value)
    np.testing.assert_array_equal(found.marginals["emit"], whole.marginals["emit"][:, 1:])
    listed = {**{name: list(array) for name, array in alone.items()}, "emit": [
        alone["emit"][0], arrays["emit"][1], alone["emit"][2, :2]]}
    lengths = {"n": np.array([4, 4, 2]), "T": 2}
    found = CHAIN.run("log", listed, lengths=lengths, marginals=True)
    assert found.value[:2].tolist() == whole.value[:2].tolist()
    assert [array.shape for array in found.marginals["emit"]] == [(4, 2), (5, 2), (2, 2)]
    # Of a padded batch of several lengths, position 0 is index 0.
    with pytest.raises(trapeze.BadArgument, match="emit has 4 positions in dimension 1, but needs 5"):
        CHAIN.run("log", alone, lengths=lengths | {"n": np.array([4, 3, 4])})


def test_domain_alone_beside(draw, arc):
    """Costs, other scores and directions may be given so, too."""
    cost, direction = draw(EISNER, n=N)["arc"], draw(EISNER, n=N)["arc"]
    whole = EISNER.run("entropy", arc=arc, cost={"arc": cost}, q={"arc": direction})
    found = EISNER.run("entropy", arc=arc[:, 1:], cost={"arc": cost[:, 1:]}, q={"arc": direction})
    assert (found.cost, found.kl) == (whole.cost, whole.kl)
    whole = EISNER.run("log", arc=arc, direction={"arc": direction}).tangents["arc"]
    found = EISNER.run("log", arc=arc[:, 1:], direction={"arc": direction[:, 1:]}).tangents["arc"]
    np.testing.assert_array_equal(found, whole[:, 1:])
