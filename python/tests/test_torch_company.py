"""Problems in a batch with others that are short, have no structure, or that another distribution
excludes: each has the answers and the gradients that it has alone, and nothing becomes NaN."""

from __future__ import annotations

import math
import os

import pytest

torch = pytest.importorskip("torch")

import trapeze
import trapeze.torch as tt
from torch.autograd import forward_ad, grad, gradcheck, gradgradcheck

SEED = int(os.environ.get("TZ_SEED", "1"))
NONE = -math.inf

# Of each problem, how many of the scores of p and of q are -inf: some of each, all of each.
IMPOSSIBLE = [(0, 0), (0.1, 0.1), (0, 0.4), (0.3, 0), (1, 0), (0, 1), (1, 1), (0, 0)]
LENGTHS = {
    "eisner": {"n": [4, 3, 4, 2, 3, 1, 2, 0]},
    "eisner-single-root": {"n": [4, 3, 4, 2, 3, 1, 2, 0]},
    "compress": {"n": [3, 3, 2, 3, 2, 3, 1, 0]},
    "chain": {"n": [4, 3, 4, 2, 3, 1, 2, 0], "T": 3},
    "semimarkov": {"n": [3, 3, 3, 2, 3, 1, 2, 0], "T": 2},
    "cky": {"n": [4, 3, 3, 2, 3, 1, 2, 0], "T": 2},
    "edit": {"n": [3, 2, 3, 2, 3, 1, 2, 0], "m": [2, 2, 3, 1, 0, 3, 2, 0]},
}
# Cells of the one sparse weight.
INDEX = torch.tensor([[0, 1, 1], [1, 0, 1], [1, 1, 1], [0, 0, 0]])


@pytest.fixture(autouse=True)
def _seeded() -> None:
    torch.manual_seed(SEED)


def rows_of(name):
    """The lengths of each problem."""
    table = {l: [n] * len(IMPOSSIBLE) if isinstance(n, int) else n for l, n in LENGTHS[name].items()}
    return [dict(zip(table, row)) for row in zip(*table.values())]


def draw(name, dtype, which):
    """Scores of all problems, by weight; which: of p, or of q."""
    rules = trapeze.rules(name)
    most = {l: max(row[l] for row in rows_of(name)) for l in rules.lengths}
    found = {}
    for weight in rules.weights.values():
        shape = (len(INDEX),) if weight.sparse else rules.shape(weight.name, **most)
        scores = torch.randn(len(IMPOSSIBLE), *shape, dtype=dtype)
        for b, shares in enumerate(IMPOSSIBLE):
            scores[b][torch.rand(shape) < shares[which]] = NONE
        found[weight.name] = scores.requires_grad_()
    return found


def distribution(name, scores, b=None):
    """Of all problems, or of one that is alone."""
    rows = rows_of(name)
    lengths = {l: torch.tensor([row[l] for row in rows]) for l in rows[0]} if b is None else rows[b]
    sparse = {w.name for w in trapeze.rules(name).weights.values() if w.sparse}
    own = {w: s if b is None else s[b] for w, s in scores.items()}
    return tt.Distribution(name, {w: (INDEX, s) if w in sparse else s for w, s in own.items()}, lengths=lengths)


def along(numbers, ways, batch):
    """The sum over cells of numbers times ways, of each problem."""
    return sum((number * way).reshape(*batch, -1).sum(-1) for number, way in zip(numbers, ways))


def turned(value, dist, ways):
    """Second derivatives of a value, along some ways."""
    return along(grad(value.sum(), dist._asked.tensors, create_graph=True), ways, value.shape)


QUESTIONS = {
    "log Z": lambda p, q, gold, ways: p.log_partition,
    "max": lambda p, q, gold, ways: p.max,
    "entropy": lambda p, q, gold, ways: p.entropy(),
    "cross entropy": lambda p, q, gold, ways: p.cross_entropy(q),
    "KL": lambda p, q, gold, ways: p.kl(q),
    "KL of another": lambda p, q, gold, ways: q.kl(p),
    "score": lambda p, q, gold, ways: p.score(gold),
    "log p": lambda p, q, gold, ways: p.log_prob(gold),
    "log p of several": lambda p, q, gold, ways: p.log_prob(q.topk(3)),
    "k best": lambda p, q, gold, ways: p.kmax(3),
    "marginals": lambda p, q, gold, ways: along(p.marginals.values(), ways, p.batch_shape),
    "second derivatives of log Z": lambda p, q, gold, ways: turned(p.log_partition, p, ways),
    "second derivatives of log p": lambda p, q, gold, ways: turned(p.log_prob(gold), p, ways),
}


@pytest.mark.parametrize("dtype", [torch.double, torch.float32])
@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("name", LENGTHS)
def test_alone(name, question, dtype):
    scores, others = (draw(name, dtype, which) for which in (0, 1))
    gold = distribution(name, {w: torch.randn_like(s) for w, s in scores.items()}).argmax
    ways = [torch.randn_like(s) for s in scores.values()]
    given = [*scores.values(), *others.values()]
    ask = QUESTIONS[question]

    def asked(b=None):
        p, q = distribution(name, scores, b), distribution(name, others, b)
        pick = (lambda t: t) if b is None else (lambda t: t[b])
        value = ask(p, q, {w: pick(use) for w, use in gold.items()}, [pick(way) for way in ways])
        return value, grad(value.sum(), given, allow_unused=True)

    together, slopes = asked()
    assert not together.isnan().any()
    for slope, score in zip(slopes, given):
        if slope is not None:
            assert slope.isfinite().all() and (slope[score == NONE] == 0).all()
    for b in range(len(IMPOSSIBLE)):
        alone, own = asked(b)
        assert torch.equal(alone, together[..., b])
        for slope, expected in zip(own, slopes):
            assert (slope is None) == (expected is None)
            assert slope is None or torch.equal(slope[b], expected[b]), b


# ---- Infinite answers ----------------------------------------------------------------------------


def pair():
    """Scores of two trees of two words each: in the first, q excludes what p allows."""
    p = torch.randn(2, 3, 3, dtype=torch.double)
    q = torch.randn(2, 3, 3, dtype=torch.double)
    q[0, 0, 1] = NONE
    return p.requires_grad_(), q.requires_grad_()


@pytest.mark.parametrize("divergence", [tt.kl, tt.cross_entropy])
def test_excluded(divergence):
    p, q = pair()
    found = divergence("eisner", {"arc": p}, {"arc": q})
    assert found[0] == math.inf and found[1].isfinite()
    alone = divergence("eisner", {"arc": p[1]}, {"arc": q[1]})
    for asked in (found[1], found.sum(), found.masked_fill(found.isinf(), 0).sum()):
        for slope, own in zip(*(grad(value, (p, q), retain_graph=True) for value in (asked, alone))):
            assert torch.equal(slope, own) and (slope[0] == 0).all()

    def finite(p, q):
        return divergence("eisner", {"arc": p}, {"arc": torch.stack([pair()[1][0].detach(), q])})[1]

    assert gradcheck(finite, (p, q[1].detach().requires_grad_()), check_forward_ad=True)


def test_no_structure_by_what_is_known():
    """The scores of a distribution without a structure may all be finite."""
    arc = torch.randn(3, 3, dtype=torch.double, requires_grad=True)
    dist = tt.Distribution("eisner", arc=arc, forbid=[("arc", None, 1)])
    gold = tt.arcs_of_heads(torch.tensor([[0, 1]]))[0]
    assert dist.log_partition == dist.log_prob(arc=gold) == NONE and dist.kl(dist) == dist.entropy() == 0
    for value in (dist.log_prob(arc=gold), dist.kl(dist), dist.cross_entropy(dist)):
        assert (grad(value, arc, retain_graph=True)[0] == 0).all()


def test_impossible_structure():
    """Of one that has an impossible cell, and of any where the problem has none."""
    arc = torch.randn(3, 3, 3, dtype=torch.double)
    arc[0, 0, 1], arc[2] = NONE, NONE
    arc.requires_grad_()
    gold = {"arc": tt.arcs_of_heads(torch.tensor([[0, 1]] * 3))}
    dist = tt.Distribution("eisner", arc=arc)
    for name in ("log_prob", "score"):
        found = getattr(dist, name)(gold)
        assert found[0] == found[2] == NONE and found[1].isfinite()
        (slope,) = grad(found.sum(), arc, retain_graph=True)
        assert (slope[[0, 2]] == 0).all()
        assert torch.equal(slope, grad(found[1], arc, retain_graph=True)[0])
    cells = [("arc", 0, 1), ("arc", 1, 2)]
    plain = trapeze.rules("eisner").run("log", arc=arc.detach().numpy(), structure=[cells] * 3)
    assert dist.log_prob(gold).tolist() == pytest.approx(plain.log_probability, rel=1e-14)

    def possible(one):
        return tt.Distribution("eisner", arc=torch.stack([arc[0].detach(), one])).log_prob(arc=gold["arc"][:2])[1]

    assert gradcheck(possible, (arc[1],), check_forward_ad=True) and gradgradcheck(possible, (arc[1],))


def test_infinite_forwards():
    p, q = pair()
    ways = torch.randn_like(p), torch.randn_like(q)
    gold = tt.arcs_of_heads(torch.tensor([[0, 1]] * 2))
    with forward_ad.dual_level():
        p, q = (forward_ad.make_dual(scores.detach(), way) for scores, way in zip((p, q), ways))
        first, second = tt.Distribution("eisner", arc=p), tt.Distribution("eisner", arc=q)
        for found in (first.kl(second), first.cross_entropy(second), second.log_prob(arc=gold)):
            value, tangent = forward_ad.unpack_dual(found)
            assert value[0].isinf() and tangent[0] == 0
            assert value[1].isfinite() and tangent[1].isfinite() and tangent[1] != 0


# ---- Nothing at all ------------------------------------------------------------------------------


@pytest.mark.parametrize("batch", [(), (0,), (2,)])
@pytest.mark.parametrize("n", [0, 2])
@pytest.mark.parametrize("k", [0, 2])
def test_of_nothing(batch, n, k):
    """Every question of no problems, of problems without words, and for no structures at all."""
    cells = (*batch, n + 1, n + 1)
    arc = torch.randn(cells, requires_grad=True)
    dist = tt.Distribution("eisner", arc=arc)
    best, uses = tt.kbest("eisner", k, arc=arc)
    assert best.shape == dist.kmax(k).shape == dist.log_prob(dist.topk(k)).shape == (k, *batch)
    assert dist.score(dist.topk(k)).shape == (k, *batch)
    for found in (uses, dist.topk(k), dist.sample((k,)), tt.sample("eisner", k, arc=arc, replacement=False)):
        assert found["arc"].shape == (k, *cells)
    assert dist.sample((2, k))["arc"].shape == (2, k, *cells)
    for found in (dist.sample(), dist.argmax, dist.marginals, tt.min_risk("eisner", arc=arc)):
        assert found["arc"].shape == cells
    assert dist.count.shape == batch
    asked = [dist.log_partition, dist.max, dist.entropy(), dist.kl(dist), dist.log_prob(dist.argmax)]
    assert all(value.shape == batch for value in asked)
    slopes = [grad(value.sum(), arc, retain_graph=True)[0] for value in (*asked, best, dist.kmax(k))]
    assert all(slope.shape == cells and slope.isfinite().all() for slope in slopes)
    (turned,) = grad((dist.marginals["arc"] * 2).sum(), arc)
    assert turned.shape == cells
