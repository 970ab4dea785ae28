"""What trapeze.torch refuses: garbage, what does not belong together, and what was changed in place."""

from __future__ import annotations

import copy
import math
import os

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import trapeze
import trapeze.torch as tt
from torch.autograd import grad, gradcheck

SEED = int(os.environ.get("TZ_SEED", "1"))
INDEX = torch.tensor([[0, 1, 1], [1, 0, 1], [1, 1, 1], [0, 0, 0]])


@pytest.fixture(autouse=True)
def _seeded() -> None:
    torch.manual_seed(SEED)


@pytest.mark.parametrize(
    "given, lengths, says",
    [
        ({}, None, "needs scores for the weight 'arc'"),
        ({"arc": torch.zeros(3, 3), "bogus": torch.zeros(3)}, None, "no weight 'bogus'"),
        ({"arc": np.zeros((3, 3))}, None, "a tensor of floating-point numbers"),
        ({"arc": torch.zeros(3, 3, dtype=torch.long)}, None, "a tensor of floating-point numbers"),
        ({"arc": torch.zeros(3)}, None, "2 dimensions"),
        ({"arc": torch.zeros(2, 2, 3, 3)}, None, "2 dimensions"),
        ({"arc": torch.zeros(2, 3, 3)}, torch.tensor([2, 2, 2]), "different sizes"),
        ({"arc": torch.zeros(2, 3, 3)}, torch.tensor([2, -1]), "from 0 to"),
        ({"arc": torch.zeros(2, 3, 3)}, torch.tensor([2, 3]), "needs 4"),
        ({"arc": torch.zeros(2, 3, 3)}, torch.tensor([1.5, 1.0]), "whole numbers"),
        ({"arc": torch.full((3, 3), math.nan)}, None, "NaN"),
        ({"arc": torch.full((3, 3), math.inf)}, None, "infinity"),
    ],
)
def test_garbage(given, lengths, says):
    with pytest.raises(trapeze.Error, match=says):
        tt.log_partition("eisner", given, lengths=lengths)
    with pytest.raises(trapeze.Error, match=says):
        tt.Distribution("eisner", given, lengths=lengths).argmax


def test_garbage_in_structures():
    trees = tt.Distribution("eisner", arc=torch.zeros(3, 3))
    with pytest.raises(trapeze.Error, match="has uses of arc"):
        trees.log_prob(bogus=torch.zeros(3, 3))
    with pytest.raises(trapeze.Error, match="ambiguous"):
        tt.log_partition("skip-note", arc=torch.zeros(3, 3), skip=torch.zeros(3))
    with pytest.raises(trapeze.Error, match="sparse"):
        tt.log_partition("cky", binary=torch.zeros(3), span=torch.zeros(2, 3, 3))


@pytest.mark.parametrize("known", [["arc", 0, 1], [0, 1], [[0, 1]], [[("arc", 0, 1), 2]]])
def test_garbage_in_facts(known):
    for fact in ("forbid", "require"):
        with pytest.raises(trapeze.BadArgument, match="cell|no weight"):
            tt.log_partition("eisner", arc=torch.zeros(3, 3), **{fact: known})


def test_garbage_in_heads():
    with pytest.raises(trapeze.BadArgument, match="problem 1: the head of word 2 is -1, not from 0 to 2; give len"):
        tt.arcs_of_heads(torch.tensor([[0, 1], [0, -1]]))
    assert tt.arcs_of_heads(torch.tensor([[0, 1], [0, -1]]), torch.tensor([2, 1])).sum() == 3
    for heads, lengths in ((torch.zeros(2), None), (torch.zeros(2, 3), torch.tensor([3]))):
        with pytest.raises(trapeze.BadArgument, match=r"heads are \[B, n\] and lengths \[B\]"):
            tt.arcs_of_heads(heads, lengths)


def test_garbage_in_gradients():
    arc = torch.randn(2, 3, 3, dtype=torch.double)
    arc[0, 0, 1] = -math.inf
    marginals = tt.marginals("eisner", arc=arc.requires_grad_())["arc"]
    with pytest.raises(trapeze.BadScore, match="problem 0.*the gradient with respect to a marginal"):
        grad(marginals.sqrt().sum(), arc)


def test_no_weights():
    rules = trapeze.rules(text="""
rules nothing
structures derivations
length n
item at[i]  0 <= i <= n
goal at[n]

axiom
----- start
at[0]

at[i-1]
----- step
at[i]
""")
    with pytest.raises(trapeze.BadArgument, match="nothing has no scores"):
        tt.log_partition(rules, lengths=torch.tensor([2, 3]))


# ---- What does not belong together ---------------------------------------------------------------


def two_trees(lengths=(3, 1), name="eisner", **more):
    return tt.Distribution(name, arc=torch.randn(2, 4, 4), lengths=torch.tensor(lengths), **more)


INPUTS = """
rules   words
structures derivations
length  n, V
input   x[i] < V   1 <= i <= n
weight  word[v]    0 <= v < V
weight  skip
item    at[i]      0 <= i <= n
goal    at[n]

    axiom
    --- begin
    at[0]

    at[i-1]
    --- word  * word[x[i]]
    at[i]

    at[i-1]
    --- skip  * skip
    at[i]
"""


def words(x, text=INPUTS):
    scores = {"word": torch.randn(3), "skip": torch.randn(())}
    return tt.Distribution(trapeze.rules(text=text), scores, x=x, lengths={"n": 2, "V": 3})


def entries(index):
    return tt.Distribution("cky", binary=(index, torch.randn(4)), span=torch.randn(2, 5, 5), lengths={"n": 4, "T": 2})


@pytest.mark.parametrize(
    "make, says",
    [
        (lambda: (two_trees(), two_trees((1, 3))), r"lengths of problem 0 are \[3\] and \[1\]"),
        (lambda: (two_trees(), two_trees(name="eisner-single-root")), "eisner and eisner-single-root"),
        (lambda: (two_trees(), tt.Distribution("eisner", arc=torch.randn(1, 4, 4))), "2 and 1 problems"),
        (lambda: (tt.Distribution("eisner", arc=torch.randn(4, 4)), two_trees((3, 3))), "1 and 2 problems"),
        (lambda: (two_trees(), tt.Distribution("eisner", arc=torch.randn(4, 4))), "lengths of problem 1"),
        (lambda: (two_trees(), tt.Distribution("eisner", arc=torch.randn(2, 5, 5), lengths=[3, 1])), "shapes"),
        (lambda: (two_trees(), two_trees(forbid=[[("arc", 1, 2)], []])), "forbid= and require="),
        (lambda: (two_trees(), two_trees(require=[[("arc", 1, 2)], []])), "forbid= and require="),
        (lambda: (words([0, 1]), words([1, 0])), "the inputs hold different numbers"),
        (lambda: (entries(INDEX), entries(INDEX.flip(0))), "different indices"),
    ],
)
def test_other_structures(make, says):
    p, q = make()
    for ask in (p.kl, p.cross_entropy, lambda q: torch.distributions.kl_divergence(p, q)):
        with pytest.raises(trapeze.BadArgument, match=says):
            ask(q)


def test_same_structures():
    """Of rules read twice, with lengths that are told and given, inputs of different types, the same
    facts, or fewer; and one distribution beside each of a batch."""
    first, second = words([0, 1]), words(torch.tensor([0, 1]))
    assert first.rules is not second.rules and first.kl(second).isfinite()
    known = [[("arc", 1, 2)], []]
    for given in (two_trees(), two_trees(forbid=[[], None]), two_trees(forbid=[[("arc", 1, 2)], []])):
        assert two_trees(forbid=known).kl(given).isfinite().all()
    p, q = (torch.randn(*batch, 4, 4, dtype=torch.double, requires_grad=True) for batch in ((2,), ()))

    def one_for_all(p, q):
        return tt.kl("eisner", {"arc": p}, {"arc": q})

    assert gradcheck(one_for_all, (p, q))
    assert torch.equal(one_for_all(p, q), one_for_all(p, q.expand(2, 4, 4)))


@pytest.mark.parametrize("shape", [(2, 4, 1), (2, 4, 5), (1, 4, 4), (4, 4), (3, 4, 4), (5, 1, 4, 4)])
def test_other_uses(shape):
    for ask in (two_trees().log_prob, two_trees().score):
        with pytest.raises(trapeze.BadArgument, match=r"of the scores' shape \[2, 4, 4\]"):
            ask(arc=torch.ones(shape))
        with pytest.raises(trapeze.BadArgument, match="not ndarray"):
            ask(arc=torch.ones(2, 4, 4).numpy())


def test_uses_of_different_structures():
    pair = tt.Distribution("compress", arc=torch.randn(4, 4), bigram=torch.randn(5, 5), lengths=3)
    uses = pair.topk(2)
    with pytest.raises(trapeze.BadArgument, match="as many structures"):
        pair.log_prob(arc=uses["arc"], bigram=uses["bigram"][0])


# ---- Changed in place ----------------------------------------------------------------------------


def test_scores_changed_in_place():
    """No answer mixes what they were with what they are."""
    arc = torch.randn(2, 4, 4, requires_grad=True)
    for given in (arc, arc.detach().expand(2, 4, 4), arc.detach()[0]):
        dist = tt.Distribution("eisner", arc=given)
        first = dist.log_partition.detach()
        with torch.no_grad():
            arc.add_(1)
        for ask in (dist.entropy, lambda: dist.log_partition, lambda: dist.kmax(2), lambda: dist.kl(dist)):
            with pytest.raises(trapeze.BadArgument, match="changed in place"):
                ask()
        assert repr(dist) and dist.rules.name == "eisner"
        again = copy.deepcopy(dist)  # of the scores as they are
        assert not torch.allclose(again.log_partition, first)
        assert torch.equal(again.entropy(), tt.entropy("eisner", arc=given))
    with torch.inference_mode():
        dist = tt.Distribution("eisner", arc=torch.randn(2, 4, 4))
        assert dist.log_partition.isfinite().all() and dist.entropy().isfinite().all()


@pytest.mark.parametrize("gradient", [False, True])
def test_answers_changed_in_place(gradient):
    """What was told is the caller's."""
    arc = torch.randn(2, 4, 4, dtype=torch.double, requires_grad=gradient)
    dist, fresh = (tt.Distribution("eisner", arc=arc) for _ in range(2))
    dist.log_partition.detach().div_(3)
    dist.marginals["arc"].detach()[:, 0] = 0
    dist.argmax["arc"].mul_(2)
    dist.max.detach().sub_(1)
    for name in ("log_partition", "max"):
        assert torch.equal(getattr(dist, name), getattr(fresh, name))
    for name in ("marginals", "argmax"):
        assert torch.equal(getattr(dist, name)["arc"], getattr(fresh, name)["arc"])
    dist.marginals["arc"].detach().zero_()
    assert torch.equal(dist.entropy(), fresh.entropy())
    if gradient:
        assert torch.equal(grad(dist.entropy().sum(), arc)[0], grad(fresh.entropy().sum(), arc)[0])


def test_what_else_is_changed_in_place():
    """Lengths, inputs, indices and facts are those of the call, also for the gradients."""
    arc = torch.randn(2, 4, 4, dtype=torch.double, requires_grad=True)
    for own in (torch.tensor([3, 2]), torch.tensor([3, 2]).numpy()):
        facts = [[("arc", 1, 2)], []]
        first = grad(tt.log_partition("eisner", arc=arc, lengths=own, forbid=facts).sum(), arc, create_graph=True)[0]
        way = torch.randn_like(arc)
        (before,) = grad((first * way).sum(), arc, retain_graph=True)
        own.fill(1) if not isinstance(own, torch.Tensor) else own.fill_(1)
        facts[1].append(("arc", None, 1))
        assert torch.equal(grad((first * way).sum(), arc)[0], before)
    for x in (torch.tensor([0, 1]), torch.tensor([0, 1]).numpy(), [0, 1]):
        dist = words(x)
        best = copy.deepcopy(dist).topk(4)["word"]
        x[0] = 2
        assert torch.equal(dist.topk(4)["word"], best)
    index = INDEX.clone()
    dist = entries(index)
    index.fill_(0)
    assert dist.log_partition.isfinite()


# ---- Transforms and tracing ----------------------------------------------------------------------


TRANSFORMS = {
    "vmap": lambda f, ask, arc: f.vmap(ask)(arc),
    "grad": lambda f, ask, arc: f.grad(lambda one: ask(one).sum())(arc),
    "jacrev": lambda f, ask, arc: f.jacrev(ask)(arc),
    "jacfwd": lambda f, ask, arc: f.jacfwd(ask)(arc),
    "hessian": lambda f, ask, arc: f.hessian(lambda one: ask(one).sum())(arc),
    "jvp": lambda f, ask, arc: f.jvp(ask, (arc,), (arc,)),
}


@pytest.mark.parametrize("question", ["log_partition", "max", "marginals", "entropy", "sample"])
@pytest.mark.parametrize("transform", TRANSFORMS)
def test_transforms_are_refused(transform, question):
    functions = pytest.importorskip("functorch" if not hasattr(torch, "func") else "torch.func")
    arc = torch.randn(3, 2, 4, 4)

    def ask(one):
        more = (1,) if question == "sample" else ()
        found = getattr(tt, question)("eisner", *more, arc=one)
        return found["arc"] if isinstance(found, dict) else found

    with pytest.raises(trapeze.BadArgument, match="first dimension, and use torch.autograd"):
        TRANSFORMS[transform](functions, ask, arc if transform == "vmap" else arc[0])
    assert ask(arc[0]) is not None  # and after that it works


def test_tracing_is_refused():
    """It would keep the answer to one problem for all."""
    arc = torch.randn(2, 4, 4)
    with pytest.raises(trapeze.BadArgument, match="torch.jit.trace would keep this answer"):
        torch.jit.trace(lambda one: tt.log_partition("eisner", arc=one), (arc,))
    make_fx = pytest.importorskip("torch.fx.experimental.proxy_tensor").make_fx
    with pytest.raises(trapeze.BadArgument, match="make_fx would keep this answer"):
        make_fx(lambda one: tt.log_partition("eisner", arc=one))(arc)
    assert tt.log_partition("eisner", arc=arc).shape == (2,)


def test_tensors_without_numbers_are_refused():
    arc = torch.randn(2, 4, 4)
    with pytest.raises(trapeze.BadArgument, match="no numbers that can be read"):
        tt.log_partition("eisner", arc=arc.to("meta"))
    with pytest.raises(trapeze.BadArgument, match="no numbers that can be read"):
        tt.log_partition("eisner", arc=arc, lengths=torch.tensor([3, 2], device="meta"))
    fake = pytest.importorskip("torch._subclasses").FakeTensorMode
    with fake() as mode, pytest.raises(trapeze.BadArgument, match="no numbers that can be read"):
        tt.max("eisner", arc=mode.from_tensor(arc))
    functionalize = pytest.importorskip("functorch.experimental").functionalize
    with pytest.raises(trapeze.BadArgument, match="functorch"):
        functionalize(lambda one: tt.log_partition("eisner", arc=one))(arc)
