"""What trapeze.torch subtracts, it subtracts in double: log p, entropies and divergences of float32
scores are those of the same scores in double, rounded once. And nothing is computed twice, nor
what nobody wants."""

from __future__ import annotations

import os

import pytest

torch = pytest.importorskip("torch")

import trapeze
import trapeze.torch as tt
from torch.autograd import grad

SEED = int(os.environ.get("TZ_SEED", "1"))
SCALES = [3, 100, 1e4, 1e6]


def pair(scale, count=50, n=12):
    """The same scores as float32 and as double."""
    torch.manual_seed(SEED)
    arc = torch.randn(count, n + 1, n + 1) * scale
    return [a.requires_grad_() for a in (arc, arc.detach().double())]


def trees(arc):
    return tt.Distribution("eisner-single-root", arc=arc)


def asked(p, q):
    """All that is a difference."""
    best = {"arc": p.argmax["arc"].to(p.log_partition)}
    return {
        "log p": p.log_prob(best),
        "log p of several": p.log_prob(p.topk(3)),
        "score": p.score(best),
        "k best": p.kmax(2),
        "entropy": p.entropy(),
        "cross entropy": p.cross_entropy(q),
        "KL": p.kl(q),
        "KL to itself": p.kl(p),
    }


@pytest.mark.parametrize("scale", SCALES)
def test_rounded_once(scale):
    (p, wide_p), (q, wide_q) = pair(scale), pair(scale / 3)
    single, double = asked(trees(p), trees(q)), asked(trees(wide_p), trees(wide_q))
    for name, found in single.items():
        assert found.dtype == torch.float32
        assert torch.equal(found, double[name].float()), name
    for name in ("log p", "log p of several"):
        assert (single[name] <= 0).all()
    for name in ("entropy", "KL"):
        assert (single[name] >= 0).all() and (double[name] >= 0).all()
    assert (single["KL to itself"] == 0).all()
    functions = [
        tt.entropy("eisner-single-root", arc=p),
        tt.cross_entropy("eisner-single-root", {"arc": p}, {"arc": q}),
        tt.kl("eisner-single-root", {"arc": p}, {"arc": q}),
    ]
    for found, name in zip(functions, ("entropy", "cross entropy", "KL")):
        assert torch.equal(found, single[name])


@pytest.mark.parametrize("scale", SCALES[:2])
def test_gradients_of_float32(scale):
    """The double's, rounded."""
    (p, wide_p), (q, wide_q) = pair(scale), pair(scale)
    for name, found in asked(trees(p), trees(q)).items():
        wide = asked(trees(wide_p), trees(wide_q))[name]
        given, of = ((p, q), (wide_p, wide_q))
        slopes = grad(found.sum(), given, allow_unused=True, create_graph=True)
        expected = grad(wide.sum(), of, allow_unused=True, create_graph=True)
        for slope, want in zip(slopes, expected):
            assert (slope is None) == (want is None), name
            if slope is not None:
                assert slope.dtype == torch.float32
                # Several gradients are added, each rounded: of size `scale` by the scores' part.
                torch.testing.assert_close(slope.double(), want, rtol=1e-5, atol=2e-6 * scale)


def test_second_derivatives_of_float32():
    (p, wide), way = pair(3), torch.randn(50, 13, 13)
    found, want = (
        grad((grad(tt.log_partition("eisner", arc=a).sum(), a, create_graph=True)[0] * way).sum(), a)[0]
        for a in (p, wide)
    )
    assert found.dtype == torch.float32
    torch.testing.assert_close(found.double(), want, rtol=1e-5, atol=1e-6)


@pytest.fixture
def questions(monkeypatch):
    """What the library was asked for, call by call."""
    found = []
    original = trapeze.Rules.run

    def run(self, semiring, *given, **more):
        known = ("lengths", "precision", "threads", "force", "forbid", "require")
        found.append((semiring, *(name for name in more if name not in known)))
        return original(self, semiring, *given, **more)

    monkeypatch.setattr(trapeze.Rules, "run", run)
    return found


def test_no_marginals_that_nobody_wants(questions):
    arc = pair(3)[0]
    with torch.no_grad():
        trees(arc).log_partition
        tt.log_partition("eisner", arc=arc)
    plain = trees(arc.detach())
    plain.log_prob(plain.argmax), plain.log_partition
    assert questions == [("log",), ("log",), ("max", "uses"), ("log",)]
    questions.clear()
    known = trees(arc)
    known.log_prob(arc=plain.argmax["arc"]), known.entropy(), known.kl(known), known.marginals
    assert questions == [("log", "marginals")]


def test_asked_without_a_gradient_first():
    """What was found without a gradient does not stand in for what is asked with one."""
    arc = pair(3)[0]
    known = trees(arc)
    with torch.no_grad():
        known.entropy(), known.log_partition, known.max
    for found, fresh in ((known.entropy(), trees(arc).entropy()), (known.max, trees(arc).max)):
        slopes = (grad(one.sum(), arc, retain_graph=True)[0] for one in (found, fresh))
        assert torch.equal(*slopes)
    (slope,) = grad(known.log_partition.sum(), arc)
    assert torch.equal(slope, known.marginals["arc"])
