"""Does everything that can be asked agree with structures written down one by one?

Sums of at most 126 numbers of size 10 or so: rounding errors are below 1e-12."""

from __future__ import annotations

import numpy as np
import pytest

import enumeration as plain
import trapeze

CLOSE = dict(rtol=1e-12, atol=1e-12)
CASES = [(name, n) for name in plain.STRUCTURES for n in range(5)]


def prepared(name, n, draw):
    rules = trapeze.rules(name)
    arrays = draw(rules, n=n)
    structures = plain.STRUCTURES[name](n)
    return rules, arrays, structures, plain.scores_of(structures, arrays)


def cells_of(derivation) -> list[tuple]:
    return sorted((use.weight, *use.index) for use in derivation.uses)


def assert_same(found, expected):
    assert found.keys() == expected.keys()
    for name in found:
        np.testing.assert_allclose(found[name], expected[name], **CLOSE)


@pytest.mark.parametrize("name, n", CASES)
def test_sums(name, n, draw):
    rules, arrays, structures, scores = prepared(name, n, draw)
    result = rules.run("log", arrays, marginals=True)
    assert result.value == pytest.approx(plain.log_sum(scores), rel=1e-12, abs=1e-12)
    probabilities = np.exp(scores - plain.log_sum(scores)) if structures else scores
    assert_same(result.marginals, plain.sums(structures, probabilities, arrays))
    assert rules.run("count", arrays).value == len(structures)
    assert rules.run("bool", arrays).value is (len(structures) > 0)
    ones = np.ones(len(structures))
    through = rules.run("count", arrays, through=True).through
    assert_same(through, plain.sums(structures, ones, arrays))


@pytest.mark.parametrize("name, n", CASES)
def test_best(name, n, draw):
    rules, arrays, structures, scores = prepared(name, n, draw)
    result = rules.run("max", arrays, best=True, uses=True, kbest=1000, max_marginals=True)
    order = np.argsort(-scores)
    assert len(result.kbest) == len(structures)
    for derivation, s in zip(result.kbest, order):
        assert derivation.score == pytest.approx(scores[s], rel=1e-12)
        assert cells_of(derivation) == sorted(structures[s])
    values = rules.run("kbest(7)", arrays).values
    np.testing.assert_allclose(values, scores[order[:7]], **CLOSE)
    assert_same(result.max_marginals, plain.maxima(structures, scores, arrays))
    if not structures:
        assert result.value == -np.inf and result.best is None
        assert not any(array.any() for array in result.uses.values())
        return
    assert result.value == pytest.approx(scores.max(), rel=1e-12)
    best = structures[order[0]]
    assert cells_of(result.best) == sorted(best)
    assert_same(result.uses, plain.sums([best], np.ones(1), arrays))
    for weight in rules.weights:
        index = [list(cell[1:]) for cell in sorted(best) if cell[0] == weight]
        assert result.best.index(weight).tolist() == index
        of_it = [arrays[weight][tuple(i)] for i in index]
        assert result.best.scores(weight).tolist() == of_it


@pytest.mark.parametrize("name, n", CASES)
def test_entropy(name, n, draw):
    rules, arrays, structures, scores = prepared(name, n, draw)
    if not structures:
        return
    costs, other = draw(rules, n=n), draw(rules, n=n)
    result = rules.run("entropy", arrays, cost=costs, q=other)
    log_p = scores - plain.log_sum(scores)
    log_q = plain.scores_of(structures, other)
    log_q -= plain.log_sum(log_q)
    p = np.exp(log_p)
    close = dict(rel=1e-11, abs=1e-11)
    assert result.value == pytest.approx(plain.log_sum(scores), **close)
    assert result.entropy == pytest.approx(-(p * log_p).sum(), **close)
    assert result.cost == pytest.approx((p * plain.scores_of(structures, costs)).sum(), **close)
    assert result.kl == pytest.approx((p * (log_p - log_q)).sum(), **close)


def test_divergence_is_infinite_where_q_excludes_what_p_allows(draw):
    rules = trapeze.rules("eisner")
    arrays, other = draw(rules, n=3), draw(rules, n=3)
    other["arc"][0, 1] = -np.inf
    assert rules.run("entropy", arrays, q=other).kl == np.inf
    assert np.isfinite(rules.run("entropy", other, q=arrays).kl)


def test_samples(draw):
    """Of 4,000 samples, the share of each structure is within 5 standard deviations."""
    rules, arrays, structures, scores = prepared("compress", 3, draw)
    p = np.exp(scores - plain.log_sum(scores))
    number = {tuple(sorted(cells)): s for s, cells in enumerate(structures)}
    drawn = rules.run("log", arrays, samples=4000, seed=7).samples
    counts = np.bincount([number[tuple(cells_of(one))] for one in drawn], minlength=len(p))
    assert (abs(counts / 4000 - p) <= 5 * np.sqrt(p * (1 - p) / 4000)).all()
    again = rules.run("log", arrays, samples=5, seed=7).samples
    assert again == drawn[:5]
    assert rules.run("log", arrays, samples=5, seed=8).samples != again
    distinct = rules.run("log", arrays, samples=1000, replacement=False).samples
    assert {tuple(cells_of(one)) for one in distinct} == set(number)


@pytest.mark.parametrize("n", range(1, 5))
def test_structure(n, draw):
    rules, arrays, structures, scores = prepared("compress", n, draw)
    for s in range(0, len(structures), 5):
        result = rules.run("log", arrays, structure=structures[s])
        expected = scores[s] - plain.log_sum(scores)
        assert result.log_probability == pytest.approx(expected, rel=1e-11, abs=1e-11)
    assert rules.run("log", arrays, structure=[("arc", 0, 1)]).log_probability == -np.inf


@pytest.mark.parametrize("n", range(2, 5))
def test_facts(n, draw):
    rules, arrays, structures, scores = prepared("compress", n, draw)
    forbid = [("arc", 0, 1), ("bigram", 0, None)] if n > 2 else [("arc", None, n)]
    require = [[("arc", 0, n), ("arc", 1, n)]]

    def forbidden(cell):
        return any(
            f[0] == cell[0] and all(a is None or a == b for a, b in zip(f[1:], cell[1:]))
            for f in forbid
        )

    keeps = [s for s, cells in enumerate(structures) if not any(map(forbidden, cells))]
    found = rules.run("log", arrays, forbid=forbid, marginals=True)
    assert found.value == pytest.approx(plain.log_sum(scores[keeps]), rel=1e-12, abs=1e-12)
    keeps = [s for s, cells in enumerate(structures) if any(c in require[0] for c in cells)]
    log_z = plain.log_sum(scores[keeps])
    found = rules.run("log", arrays, require=require, marginals=True)
    assert found.value == pytest.approx(log_z, rel=1e-12, abs=1e-12)
    p = np.exp(scores[keeps] - log_z)
    assert_same(found.marginals, plain.sums([structures[s] for s in keeps], p, arrays))
    best = rules.run("max", arrays, require=require, best=True).best
    assert cells_of(best) == sorted(structures[keeps[int(np.argmax(scores[keeps]))]])
    # What no derivation agrees with is a result, not an error.
    none = rules.run("max", arrays, forbid=[require[0][0], ("arc", 1, n)], require=require, best=True)
    assert none.value == -np.inf and none.best is None


@pytest.mark.parametrize("n", range(5))
def test_limits(n, draw):
    rules, arrays, structures, scores = prepared("compress", n, draw)
    kept = np.array([sum(c[0] == "arc" for c in cells) for cells in structures])
    best_of = [scores[kept == k].max() for k in range(n + 1)]
    np.testing.assert_allclose(rules.run("max", arrays, curve="kept").curve, best_of, **CLOSE)
    for k in range(n + 1):
        found = rules.run("max", arrays, keep=k)
        assert found.value == pytest.approx(best_of[k], rel=1e-12)
        assert found.limited.amount == k and len(found.best.index("arc")) == k
        assert rules.run("max", arrays, drop=n - k).value == found.value
        within = rules.run("max", arrays, limits={"kept": (k, n)})
        assert within.value == pytest.approx(max(best_of[k:]), rel=1e-12)
    assert rules.run("max", arrays, rate=(0.25, 1)).value == pytest.approx(
        max(best_of[int(np.ceil(n / 4)) :]), rel=1e-12
    )
    charged = rules.charge("kept")
    lengths = dict(zip(charged.lengths, (n, n)))
    amounts = charged.run("log", arrays, lengths=lengths, amounts=True).amounts
    sums = [plain.log_sum(scores[kept == k]) for k in range(n + 1)]
    np.testing.assert_allclose(amounts, sums, **CLOSE)


@pytest.mark.parametrize("n", range(1, 5))
def test_min_risk(n, draw):
    """The best structure under the marginals as scores."""
    rules, arrays, structures, _ = prepared("compress", n, draw)
    result = rules.run("log", arrays, marginals=True, min_risk={"arc": 1.0})
    gains = plain.scores_of(structures, {**result.marginals, "bigram": 0 * arrays["bigram"]})
    recall = sum(result.marginals["arc"][tuple(i)] for i in result.min_risk.index("arc"))
    assert recall == pytest.approx(gains.max(), rel=1e-12)


@pytest.mark.parametrize("n", range(1, 5))
def test_chain(n, draw):
    rules = trapeze.rules("chain")
    arrays = draw(rules, n=n, T=2)
    structures = plain.chain(n)
    scores = plain.scores_of(structures, arrays)
    result = rules.run("log", arrays, lengths={"n": n, "T": 2}, marginals=True)
    assert result.value == pytest.approx(plain.log_sum(scores), rel=1e-12)
    p = np.exp(scores - result.value)
    assert_same(result.marginals, plain.sums(structures, p, arrays))


@pytest.mark.parametrize("name, n", CASES)
@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_ties(name, n, precision, rng):
    """Whole scores tie often, and add up without rounding."""
    rules = trapeze.rules(name)
    arrays = {w: rng.integers(0, 3, rules.shape(w, n=n)).astype(float) for w in rules.weights}
    structures = plain.STRUCTURES[name](n)
    scores = plain.scores_of(structures, arrays)
    result = rules.run("ties", arrays, precision=precision)
    assert result.value == scores.max(initial=-np.inf)
    assert result.count == (scores == result.value).sum()


@pytest.mark.parametrize("name, n", CASES)
@pytest.mark.parametrize("within", [0, 1, 2.5])
def test_within(name, n, within, rng):
    rules = trapeze.rules(name)
    arrays = {w: rng.integers(0, 9, rules.shape(w, n=n)) / 4 for w in rules.weights}
    structures = plain.STRUCTURES[name](n)
    scores = plain.scores_of(structures, arrays)
    near = np.sort(scores[scores >= scores.max(initial=-np.inf) - within])[::-1]
    found = rules.run("max", arrays, kbest=1000, within=within).kbest
    assert [one.score for one in found] == near.tolist()
    few = rules.run("max", arrays, kbest=2, within=within).kbest
    assert [one.score for one in few] == near[:2].tolist()


@pytest.mark.parametrize("name, n", [case for case in CASES if case[1] in (2, 3)])
def test_costs(name, n, draw, rng):
    """The K best scores with their costs; the cheapest of equal ones first. Nothing rounds."""
    rules, arrays, structures, _ = prepared(name, n, draw)
    arrays = {w: rng.integers(-2, 3, np.shape(a)).astype(float) for w, a in arrays.items()}
    cost = {w: rng.integers(-3, 4, np.shape(a)).astype(float) for w, a in arrays.items()}
    scores, costs = plain.scores_of(structures, arrays), plain.scores_of(structures, cost)
    pairs = sorted(zip((-scores).tolist(), costs.tolist())) if structures else []
    for k in (1, 5):
        values = rules.run(f"costs({k})", arrays, cost=cost).values
        assert values.tolist() == [[-score, c] for score, c in pairs[:k]]
    free = rules.run("costs(3)", arrays).values
    assert free.tolist() == [[-score, 0] for score, _ in pairs[:3]]
    with pytest.raises(trapeze.Law, match="q takes a semiring of probabilities"):
        rules.run("costs(2)", arrays, q=arrays)
    with pytest.raises(trapeze.Law, match="marginals"):
        rules.run("costs(2)", arrays, marginals=True)
