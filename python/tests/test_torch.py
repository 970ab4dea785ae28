"""trapeze.torch against structures written down one by one, whose log Z PyTorch itself
differentiates; against finite differences; in any company; with what is wrong."""

from __future__ import annotations

import concurrent.futures
import copy
import gc
import math
import os
import pickle

import pytest

torch = pytest.importorskip("torch")

import enumeration as plain
import trapeze
import trapeze.torch as tt
from forks import in_a_child
from torch.autograd import forward_ad, grad, gradcheck, gradgradcheck

SEED = int(os.environ.get("TZ_SEED", "1"))
# Sums of at most 126 numbers of size 10: measured 2e-14.
CLOSE = dict(rtol=1e-12, atol=1e-12)

CASES = [("eisner", 1), ("eisner", 4), ("eisner-single-root", 4), ("compress", 3)]


@pytest.fixture(autouse=True)
def _seeded() -> None:
    """The same numbers whichever tests came before."""
    torch.manual_seed(SEED)


@pytest.fixture
def draw_tensors(draw):
    """draw_tensors(rules, **lengths): scores that take gradients."""

    def tensors(rules, **lengths):
        arrays = draw(trapeze.rules(rules), **lengths)
        return {name: torch.tensor(a, requires_grad=True) for name, a in arrays.items()}

    return tensors


def structure_scores(structures, tensors):
    """The score of each structure, as PyTorch sums it."""
    return torch.stack([sum(tensors[c[0]][c[1:]] for c in cells) for cells in structures])


def same(found, expected):
    torch.testing.assert_close(found, expected, **CLOSE)


def all_same(found, expected):
    for a, b in zip(found, expected):
        same(a, b)


@pytest.mark.parametrize("name, n", CASES)
def test_derivatives(name, n, draw_tensors):
    scores = draw_tensors(name, n=n)
    every = tuple(scores.values())
    brute = structure_scores(plain.STRUCTURES[name](n), scores).logsumexp(0)
    ours = tt.log_partition(name, scores)
    same(ours, brute)
    first, expected = (grad(z, every, create_graph=True) for z in (ours, brute))
    all_same(first, expected)
    torch.manual_seed(SEED)
    direction = [torch.randn_like(tensor) for tensor in every]
    for turned, wanted in zip(grad(first, every, direction), grad(expected, every, direction)):
        same(turned, wanted)


@pytest.mark.parametrize("name, n", CASES)
def test_distribution(name, n, draw_tensors):
    scores = draw_tensors(name, n=n)
    every = tuple(scores.values())
    structures = plain.STRUCTURES[name](n)
    brute = structure_scores(structures, scores)
    log_p = brute.log_softmax(0)
    ours = tt.Distribution(name, scores)
    assert ours.count == len(structures)
    same(ours.log_partition, brute.logsumexp(0))
    same(ours.max, brute.max())
    all_same(grad(ours.max, every), grad(brute.max(), every, retain_graph=True))
    entropy = -(log_p.exp() * log_p).sum()
    same(ours.entropy(), entropy)
    all_same(grad(ours.entropy(), every), grad(entropy, every, retain_graph=True))
    k = len(structures) + 2
    same(ours.kmax(k)[:-2], brute.sort(descending=True).values)
    assert (ours.kmax(k)[-2:] == -math.inf).all()
    best = ours.topk(len(structures))
    same(ours.log_prob(best), log_p.sort(descending=True).values)
    for name, use in ours.argmax.items():
        assert torch.equal(use, best[name][0])
        assert torch.equal(ours.mode[name], use)


@pytest.mark.parametrize("name, n", CASES)
def test_divergence(name, n, draw_tensors):
    p, q = draw_tensors(name, n=n), draw_tensors(name, n=n)
    every = (*p.values(), *q.values())
    structures = plain.STRUCTURES[name](n)
    log_p, log_q = (structure_scores(structures, s).log_softmax(0) for s in (p, q))
    cross = -(log_p.exp() * log_q).sum()
    kl = (log_p.exp() * (log_p - log_q)).sum()
    first, second = tt.Distribution(name, p), tt.Distribution(name, q)
    same(first.cross_entropy(second), cross)
    same(tt.cross_entropy(name, p, q), cross)
    for ours in (first.kl(second), torch.distributions.kl_divergence(first, second)):
        same(ours, kl)
    all_same(grad(tt.kl(name, p, q), every), grad(kl, every))
    same(first.kl(first), torch.zeros((), dtype=torch.double))


def test_divergence_where_q_excludes(draw_tensors):
    p, q = (draw_tensors("eisner", n=3)["arc"].detach() for _ in range(2))
    q[2, 1] = -math.inf
    assert tt.kl("eisner", {"arc": p}, {"arc": q}) == math.inf
    p[2, 1] = -math.inf  # then p does not need it
    assert 0 < tt.kl("eisner", {"arc": p}, {"arc": q}) < math.inf


SHAPES = {
    "eisner": {"n": 4},
    "eisner-single-root": {"n": 4},
    "sibling": {"n": 3},
    "compress": {"n": 3},
    "compress-sibling-single-root": {"n": 3},
    "chain": {"n": 4, "T": 3},
    "semimarkov": {"n": 3, "T": 2},
    "edit": None,
}


@pytest.mark.parametrize("name", SHAPES)
def test_gradients(name, draw_tensors):
    rules = trapeze.rules(name)
    lengths = SHAPES[name] or dict(zip(rules.lengths, (3, 2)))
    scores = draw_tensors(name, **lengths)
    every = tuple(scores.values())

    def log_z(*tensors):
        return tt.log_partition(name, dict(zip(scores, tensors)), lengths=lengths)

    def marginals(*tensors):
        return tuple(tt.marginals(name, dict(zip(scores, tensors)), lengths=lengths).values())

    def entropy(*tensors):
        return tt.entropy(name, dict(zip(scores, tensors)), lengths=lengths)

    assert gradcheck(log_z, every)
    assert gradgradcheck(log_z, every)
    assert gradcheck(marginals, every)
    assert gradcheck(entropy, every)


def test_gradients_of_entries():
    """A sparse weight's scores are a list."""
    torch.manual_seed(SEED)
    index = torch.tensor([[0, 1, 1], [1, 0, 1], [1, 1, 1], [0, 0, 0]], dtype=torch.int32)
    binary = torch.randn(2, 4, dtype=torch.double, requires_grad=True)
    span = torch.randn(2, 2, 5, 5, dtype=torch.double, requires_grad=True)
    lengths = {"n": torch.tensor([4, 3]), "T": 2}

    def log_z(binary, span):
        return tt.log_partition("cky", binary=(index, binary), span=span, lengths=lengths)

    assert gradcheck(log_z, (binary, span))
    assert gradgradcheck(log_z, (binary, span))
    trees = tt.Distribution("cky", binary=(index, binary), span=span, lengths=lengths)
    assert torch.equal(trees.topk(1)["binary"][0], trees.argmax["binary"])
    same(trees.score(trees.argmax), trees.max)


def test_scores_shared_by_a_batch():
    """Their gradient is the sum over the batch."""
    torch.manual_seed(SEED)
    shape = {"start": (3,), "trans": (3, 3), "emit": (2, 5, 3)}
    scores = {n: torch.randn(s, dtype=torch.double, requires_grad=True) for n, s in shape.items()}

    def log_z(*tensors):
        given = dict(zip(scores, tensors))
        return tt.log_partition("chain", given, lengths={"n": torch.tensor([4, 2]), "T": 3})

    assert gradcheck(log_z, tuple(scores.values()))
    assert gradgradcheck(log_z, tuple(scores.values()))


def test_third_derivatives_are_refused(draw_tensors):
    arc = draw_tensors("eisner", n=3)["arc"]
    first = grad(tt.log_partition("eisner", arc=arc), arc, create_graph=True)[0]
    second = grad(first.pow(2).sum(), arc, create_graph=True)[0]
    with pytest.raises(RuntimeError, match="third derivatives"):
        grad(second.sum(), arc)


def test_direction_alone(draw_tensors):
    """The Hessian's product is linear in its direction: that has derivatives where the scores have none
    any more."""
    arc = draw_tensors("eisner", n=3)["arc"]
    way = torch.randn_like(arc, requires_grad=True)

    def turned(way):
        first = grad(tt.log_partition("eisner", arc=arc), arc, create_graph=True)[0]
        return grad((first * way).sum(), arc, create_graph=True)[0]

    assert gradcheck(turned, (way,), check_forward_ad=True) and gradgradcheck(turned, (way,))
    one, two = (
        product(lambda arc: tt.log_partition("eisner", arc=arc), arc.detach(), way.detach())[1]
        for product in (torch.autograd.functional.hvp, torch.autograd.functional.vhp)
    )
    same(one, two)
    with pytest.raises(RuntimeError, match="third derivatives"):
        grad(turned(way).sum(), (arc, way))


def test_impossible_scores(draw_tensors):
    """-inf has no gradient, and makes none of the others NaN."""
    arc = draw_tensors("eisner", n=4)["arc"].detach()
    arc[1, 2] = arc[:, 3] = -math.inf
    arc[0, 3] = 0
    arc.requires_grad_()
    for ours in (tt.log_partition, tt.entropy, tt.max):
        (slope,) = grad(ours("eisner", arc=arc), arc)
        assert slope.isfinite().all()
        assert (slope[arc == -math.inf] == 0).all()
    first = grad(tt.log_partition("eisner", arc=arc), arc, create_graph=True)[0]
    (turned,) = grad((first * arc.detach()).masked_fill(arc == -math.inf, 0).sum(), arc)
    assert turned.isfinite().all() and (turned[arc == -math.inf] == 0).all()


def test_no_structure(draw_tensors):
    """A word without a head, beside a sentence like others."""
    one = draw_tensors("eisner", n=3)["arc"].detach()
    two = one.clone()
    two[:, 2] = -math.inf
    arc = torch.stack([one, two]).requires_grad_()
    trees = tt.Distribution("eisner", arc=arc)
    assert trees.log_partition[1] == trees.max[1] == -math.inf
    assert trees.count.tolist() == [12, 0] or trees.count[1] == 0
    assert trees.entropy()[1] == 0
    assert (trees.marginals["arc"][1] == 0).all() and (trees.sample((2,))["arc"][:, 1] == 0).all()
    assert (trees.kmax(2)[:, 1] == -math.inf).all()
    (slope,) = grad(trees.log_partition[0] + trees.entropy().sum(), arc)
    assert (slope[1] == 0).all() and slope.isfinite().all()


def test_facts_about_items(draw_tensors):
    """What an arc concludes is there where the arc is."""
    arc = draw_tensors("eisner", n=4)["arc"]
    cells = tt.log_partition("eisner", arc=arc, require=[("arc", 0, 2)], forbid=[("arc", 3, 1)])
    items = tt.log_partition("eisner", arc=arc, require=[("rtrap", 0, 2)], forbid=[("ltrap", 1, 3)])
    assert not torch.allclose(items, tt.log_partition("eisner", arc=arc))
    torch.testing.assert_close(items, cells)
    torch.testing.assert_close(*(grad(value, arc)[0] for value in (items, cells)))


# ---- In any company ------------------------------------------------------------------------------


def padded_batch():
    lengths = torch.tensor([7, 3, 0, 12, 1, 7, 9])
    return torch.randn(len(lengths), 13, 13, dtype=torch.double), lengths


def answers(arc, lengths, **options):
    arc = arc.detach().requires_grad_()
    value = tt.log_partition("eisner", arc=arc, lengths=lengths, **options)
    (first,) = grad(value.sum(), arc, create_graph=True)
    (second,) = grad((first * torch.sin(arc.detach())).sum(), arc)
    return value.detach(), first.detach(), second


def test_padding_and_threads():
    """The same bits alone, in a batch, and on several threads; and nothing in the padding."""
    arc, lengths = padded_batch()
    value, first, second = answers(arc, lengths, threads=1)
    for several, one in zip(answers(arc, lengths, threads=3), (value, first, second)):
        assert torch.equal(several, one)
    for b, n in enumerate(lengths.tolist()):
        alone = answers(arc[b, : n + 1, : n + 1], None)
        assert torch.equal(alone[0], value[b])
        for own, all_of_it in zip(alone[1:], (first, second)):
            assert torch.equal(own, all_of_it[b, : n + 1, : n + 1])
            assert all_of_it[b].count_nonzero() == own.count_nonzero()


def test_layouts_and_types():
    arc, lengths = padded_batch()
    expected = tt.marginals("eisner", arc=arc, lengths=lengths)["arc"]
    turned = arc.transpose(1, 2).contiguous().transpose(1, 2)
    assert torch.equal(tt.marginals("eisner", arc=turned, lengths=lengths)["arc"], expected)
    wide = torch.randn(7, 20, 30, dtype=torch.double)
    wide[:, :13, 1:27:2] = arc
    got = tt.marginals("eisner", arc=wide[:, :13, 1:27:2], lengths=lengths)["arc"]
    assert torch.equal(got, expected)
    for dtype, close in ((torch.float32, 1e-6), (torch.bfloat16, 0.02)):
        given = arc.to(dtype).requires_grad_()
        value = tt.log_partition("eisner", arc=given, lengths=lengths)
        assert value.dtype == torch.float32
        value.sum().backward()
        assert given.grad.dtype == dtype
        rounded = tt.marginals("eisner", arc=given.detach().double(), lengths=lengths)["arc"]
        torch.testing.assert_close(given.grad.double(), rounded, rtol=0, atol=close)
    single = tt.log_partition("eisner", arc=arc.float(), lengths=lengths, precision="f32")
    torch.testing.assert_close(single.double(), tt.log_partition("eisner", arc=arc, lengths=lengths),
                               rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision(dtype):
    """Answers are those of the scores as float32: half a number has no room for log Z."""
    arc = torch.randn(2, 9, 9).mul(30).to(dtype)
    half, single = (tt.Distribution("eisner", arc=a.requires_grad_()) for a in (arc, arc.float()))
    for name in ("log_partition", "max"):
        assert torch.equal(getattr(half, name), getattr(single, name))
    assert half.entropy().dtype == half.marginals["arc"].dtype == torch.float32
    assert half.sample((2,), seed=1)["arc"].dtype == half.kmax(3).dtype == torch.float32
    assert half.log_prob(half.argmax).dtype == torch.float32
    (slope,) = grad(half.entropy().sum(), arc)
    assert slope.dtype == dtype and slope.isfinite().all()


def test_forward_mode(draw_tensors):
    """Tangents of dual numbers are differences of values."""
    scores = {name: tensor.detach() for name, tensor in draw_tensors("compress", n=4).items()}
    scores["arc"][1, 2] = -math.inf
    ways = {name: torch.randn_like(tensor) for name, tensor in scores.items()}

    def asked(given):
        dist = tt.Distribution("compress", given)
        return {
            "log Z": dist.log_partition,
            "alone": tt.log_partition("compress", given),
            "marginals": dist.marginals["arc"],
            "entropy": dist.entropy(),
            "max": dist.max,
            "two best": dist.kmax(2),
            "log p": dist.log_prob(dist.argmax),
        }

    with forward_ad.dual_level():
        dual = {name: forward_ad.make_dual(scores[name], ways[name]) for name in scores}
        found = {name: forward_ad.unpack_dual(got).tangent for name, got in asked(dual).items()}
        with torch.no_grad():
            alone = forward_ad.unpack_dual(tt.log_partition("compress", dual)).tangent
    step = 1e-6
    more, less = (
        asked({name: scores[name] + e * ways[name] for name in scores}) for e in (step, -step)
    )
    assert torch.equal(alone, found["alone"])
    for name, tangent in found.items():
        expected = (more[name] - less[name]) / (2 * step)
        torch.testing.assert_close(tangent, expected, rtol=1e-7, atol=1e-7)


def test_forward_over_reverse(draw_tensors):
    arc = draw_tensors("eisner", n=4)["arc"]
    way = torch.randn_like(arc)
    (turned,) = grad((tt.marginals("eisner", arc=arc)["arc"] * way).sum(), arc)
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(arc, way)
        (slope,) = grad(tt.log_partition("eisner", arc=dual), dual, create_graph=True)
        same(forward_ad.unpack_dual(slope).tangent, turned)
        marginals = tt.marginals("eisner", arc=dual)["arc"]
        with pytest.raises(RuntimeError, match="third derivatives"):
            grad((marginals * way).sum(), dual)


def test_domain_alone():
    """An array of the domain alone: answers, samples and gradients in its shape."""
    arc = torch.randn(2, 5, 5, dtype=torch.double)
    whole, alone = (tt.Distribution("eisner", arc=a) for a in (arc, arc[..., 1:]))
    assert torch.equal(alone.log_partition, whole.log_partition)
    assert torch.equal(alone.marginals["arc"], whole.marginals["arc"][..., 1:])
    assert torch.equal(alone.argmax["arc"], whole.argmax["arc"][..., 1:])
    for name in ("sample", "topk"):
        ask = (4,) if name == "topk" else ((4,),)
        more = {"seed": 5} if name == "sample" else {}
        ours, theirs = (getattr(d, name)(*ask, **more)["arc"] for d in (alone, whole))
        assert torch.equal(ours, theirs[..., 1:])
    assert torch.equal(alone.log_prob(alone.argmax), whole.log_prob(whole.argmax))
    cut = arc[..., 1:].clone().requires_grad_()
    assert gradcheck(lambda x: tt.entropy("eisner", arc=x), (cut,))


def test_scores_are_read_where_they_stand():
    arc = torch.randn(2, 5, 5, dtype=torch.double)
    array = tt._problem("eisner", {"arc": arc}, None, {}).arrays([arc])["arc"]
    assert array.ctypes.data == arc.data_ptr()


def test_facts(draw_tensors):
    """log Z of what is known: partial supervision."""
    arc = draw_tensors("eisner", n=3)["arc"]
    structures = [s for s in plain.eisner(3) if ("arc", 0, 2) in s and ("arc", 2, 1) not in s]
    brute = structure_scores(structures, {"arc": arc}).logsumexp(0)
    ours = tt.log_partition("eisner", arc=arc, require=[[("arc", 0, 2)]], forbid=[("arc", 2, 1)])
    same(ours, brute)
    all_same(grad(ours, arc), grad(brute, arc))


def test_facts_that_have_no_second_derivatives():
    """One of two arcs that cross: no other cells can be forbidden instead."""
    arc = torch.randn(2, 5, 5, requires_grad=True)
    known = [[[("arc", 0, 3), ("arc", 1, 4)]], []]
    value = tt.entropy("eisner", arc=arc, require=known)
    assert value.isfinite().all()
    with pytest.raises(trapeze.BadArgument, match=r"problem 1: require\[0\]: a derivation can use its cells"):
        tt.log_partition("eisner", arc=arc, require=[[], [[("arc", 0, None)]]])
    with pytest.raises(trapeze.Law, match="derivatives of marginals"):
        value.sum().backward()


def test_threads_of_python():
    arc, lengths = padded_batch()
    expected = answers(arc, lengths, threads=2)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: answers(arc, lengths, threads=2), range(24)):
            assert all(torch.equal(a, b) for a, b in zip(found, expected))


@pytest.mark.usefixtures("no_sanitizer")
def test_fork():
    """In a child process, after the parent used threads."""
    arc, lengths = padded_batch()
    expected = answers(arc, lengths, threads=2)

    def check():
        # Autograd's own threads do not survive a fork: the CPU needs none.
        found = answers(arc, lengths, threads=2)
        assert all(torch.equal(a, b) for a, b in zip(found, expected))

    in_a_child(check)


class Scorer(torch.nn.Module):
    """A module that holds rules, and the distribution it gave last."""

    def __init__(self) -> None:
        super().__init__()
        self.rules = trapeze.rules("eisner")
        self.arc = torch.nn.Parameter(torch.arange(32.0, dtype=torch.double).reshape(2, 4, 4))

    def forward(self):
        self.trees = tt.Distribution(self.rules, arc=2 * self.arc)
        return self.trees.log_partition


@pytest.mark.parametrize("again", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies(again):
    """Of a module, as averages of its weights are made, and of distributions that were asked."""
    module = Scorer()
    first = module()
    other = again(module)
    assert not other.trees.log_partition.requires_grad
    assert torch.equal(other.trees.log_partition, first.detach())
    assert torch.equal(other.trees.argmax["arc"], module.trees.argmax["arc"])
    second = other()
    first.sum().backward()
    second.sum().backward()
    assert torch.equal(module.arc.grad, other.arc.grad) and module.arc is not other.arc


def test_no_leak(in_use):
    """1,000 calls of each kind: the memory at the end is that after the first hundreds."""
    arc, lengths = padded_batch()

    def once():
        answers(arc, lengths, threads=1)
        trees = tt.Distribution("eisner", arc=arc, lengths=lengths, threads=1)
        trees.entropy(), trees.argmax, trees.kmax(2)

    for _ in range(200):
        once()
    gc.collect()
    before = in_use()
    for _ in range(1000):
        once()
    gc.collect()
    assert in_use() - before < 16_000  # measured: 500 bytes


# ---- Samples and decoding ------------------------------------------------------------------------


def test_samples():
    arc, lengths = padded_batch()
    trees = tt.Distribution("eisner", arc=arc, lengths=lengths)
    torch.manual_seed(SEED)
    first = trees.sample((3,))["arc"]
    torch.manual_seed(SEED)
    assert torch.equal(first, trees.sample((3,))["arc"])
    assert not torch.equal(first, trees.sample((3,))["arc"])
    many = trees.sample((2, 2000), seed=SEED)["arc"]
    assert many.shape == (2, 2000, *arc.shape)
    # 8,000 draws' mean: a deviation of 0.5 / sqrt(4000) = 0.008; of 500 cells, none beyond 5.
    assert (many.mean((0, 1)) - trees.marginals["arc"]).abs().max() < 0.04
    few = tt.sample("eisner", 20, arc=arc[:, :3, :3], lengths=torch.full((7,), 2), replacement=False)
    assert few["arc"].flatten(2).sum(2).count_nonzero(0).tolist() == [3] * 7


def test_heads():
    arc, lengths = padded_batch()
    best = tt.argmax("eisner", arc=arc, lengths=lengths)["arc"]
    heads = tt.heads_of_arcs(best)
    assert torch.equal(tt.arcs_of_heads(heads, lengths).double(), best)
    heads[1, 3:] = 99  # past the sentence's end
    assert torch.equal(tt.arcs_of_heads(heads, lengths).double(), best)
    risk = tt.min_risk("eisner", arc=arc, lengths=lengths)["arc"]
    marginals = tt.marginals("eisner", arc=arc, lengths=lengths)["arc"]
    assert ((risk * marginals).sum((1, 2)) >= (best * marginals).sum((1, 2)) - 1e-12).all()
    potentials = torch.randn(2, 3, 3)
    ours = tt.root_off_diagonal(potentials)
    assert ours[1, 0, 2] == potentials[1, 1, 1] and ours[1, 3, 1] == potentials[1, 2, 0]
