"""Trapeze in PyTorch programs: log partition functions that can be differentiated twice, best and
k best structures, marginals, samples, entropies, and a distribution over structures::

    import torch, trapeze.torch as tt

    arc = torch.randn(32, 41, 41, requires_grad=True)     # [problem, head, modifier]; 0 is the root
    loss = tt.log_partition("eisner", arc=arc, lengths=lengths).sum()
    loss.backward()                                       # arc.grad: the marginals

Every function takes a rule set, or the name of a built-in one; the scores, as tensors, by the names
of its weights (``arc=arc``, or in a mapping: ``{"arc": arc}``); and

- lengths: for padded batches, a tensor ``[B]``, or a mapping of tensors by name where the rules
  have several lengths. Without them, the tensors' shapes tell.
- forbid, require: cells that structures must not or must use, as in :meth:`trapeze.Rules.run`
- precision: "f64" computes in double, whatever the tensors' type; "f32" in single
- threads: at most so many; by default as many as PyTorch uses. The answers have the same bits for
  any number.
- force: run ambiguous rules, which count some structures more than once

Shapes are those of ``Rules.run``: ``[B, ...]`` for a batch, where a tensor without the batch axis
is the same for all problems; for a sparse weight a pair (index, scores). Answers are computed in
double and then have the scores' type and device; for float16 and bfloat16 scores they are float32.
Tensors on the CPU are read where they stand; those on another device are copied to it and the
answers back. -inf is impossible; gradients there and in the padding are 0, and so is everything
where a problem has no structure, except log Z, log p and best scores, which are -inf. An infinite
answer has no gradient.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from . import _autograd as A
from ._tensors import Problem, Tensors, versions
from ._rules import Rules
from .errors import BadArgument
from ._masks import compact, spread
from ._dependency import arcs_of_heads, heads_of_arcs, root_off_diagonal, root_on_diagonal

__all__ = [
    "Distribution",
    "arcs_of_heads",
    "argmax",
    "compact",
    "cross_entropy",
    "entropy",
    "heads_of_arcs",
    "kbest",
    "kl",
    "log_partition",
    "marginals",
    "max",
    "min_risk",
    "root_off_diagonal",
    "root_on_diagonal",
    "sample",
    "spread",
]

Scores = Mapping[str, Any]

#: A number for each problem, and perhaps numbers for the cells of each weight.
Found = tuple[Tensor, tuple[Tensor, ...]]

_OPTIONS = ("forbid", "require", "precision", "threads", "force")


def _problem(rules: Rules | str, scores: Scores | None, lengths: Any, more: dict[str, Any]) -> Problem:
    options = {name: more.pop(name) for name in _OPTIONS if name in more}
    return Problem(rules, {**(scores or {}), **more}, lengths, **options)


def log_partition(
    rules: Rules | str, scores: Scores | None = None, /, *, lengths: Any = None, **weights: Any
) -> Tensor:
    """log Z, ``[B]``: the log of the sum over structures of exp(score).

    Its gradient is the marginals, computed with it in one call by the outside pass. Its second
    derivatives come as products of the Hessian with a vector, by dual numbers through inside and
    outside (Li & Eisner 2009), at two to three times its cost. There are no third derivatives."""
    problem = _problem(rules, scores, lengths, weights)
    return problem.value(A.log_partition_alone(problem)[0])


def marginals(
    rules: Rules | str, scores: Scores | None = None, /, *, lengths: Any = None, **weights: Any
) -> Tensors:
    """The expected number of uses of each cell, in the scores' shapes; can be differentiated."""
    problem = _problem(rules, scores, lengths, weights)
    return problem.named(A.log_partition(problem)[1])


def max(
    rules: Rules | str, scores: Scores | None = None, /, *, lengths: Any = None, **weights: Any
) -> Tensor:
    """The best structure's score ``[B]``. Its gradient is that structure."""
    problem = _problem(rules, scores, lengths, weights)
    return problem.value(A.maximum(problem)[0])


def argmax(
    rules: Rules | str, scores: Scores | None = None, /, *, lengths: Any = None, **weights: Any
) -> Tensors:
    """How often the best structure uses each cell: 0 or 1 in most rule sets. No gradient."""
    problem = _problem(rules, scores, lengths, weights)
    return problem.named(A.maximum(problem)[1])


def kbest(
    rules: Rules | str,
    k: int,
    scores: Scores | None = None,
    /,
    *,
    lengths: Any = None,
    distinct: bool = False,
    **weights: Any,
) -> tuple[Tensor, Tensors]:
    """The k best structures, best first: scores ``[k, B]`` and uses ``[k, B, ...]``. Where there
    are fewer, the last have score -inf and use nothing. The scores have gradients."""
    problem = _problem(rules, scores, lengths, weights)
    return _kbest(problem, k, distinct)


def sample(
    rules: Rules | str,
    k: int,
    scores: Scores | None = None,
    /,
    *,
    lengths: Any = None,
    seed: int | None = None,
    replacement: bool = True,
    **weights: Any,
) -> Tensors:
    """k random structures as uses ``[k, B, ...]``, each with probability exp(score) / Z. Without a
    seed, torch.manual_seed sets it. replacement=False: none comes twice; where there are fewer than
    k, the last use nothing. No gradient."""
    return _sample(_problem(rules, scores, lengths, weights), k, seed, replacement)


def entropy(
    rules: Rules | str, scores: Scores | None = None, /, *, lengths: Any = None, **weights: Any
) -> Tensor:
    """Entropy of the structures in nats ``[B]``; can be differentiated. 0 where there is no
    structure."""
    return Distribution(rules, scores, lengths=lengths, **weights).entropy()


def cross_entropy(
    rules: Rules | str, p: Scores, q: Scores, /, *, lengths: Any = None, **options: Any
) -> Tensor:
    """-E[log q] over the structures of p ``[B]``, in nats; inf where q excludes what p allows."""
    first, second = (Distribution(rules, one, lengths=lengths, **options) for one in (p, q))
    return first.cross_entropy(second)


def kl(rules: Rules | str, p: Scores, q: Scores, /, *, lengths: Any = None, **options: Any) -> Tensor:
    """KL(p || q) ``[B]``, in nats; inf where q excludes what p allows."""
    first, second = (Distribution(rules, one, lengths=lengths, **options) for one in (p, q))
    return first.kl(second)


def min_risk(
    rules: Rules | str,
    scores: Scores | None = None,
    /,
    *,
    lengths: Any = None,
    gain: bool | Mapping[str, float] = True,
    **weights: Any,
) -> Tensors:
    """The uses of the structure with the largest expected number of cells in common with the truth
    (Goodman 1996). gain: what a cell of each weight counts. No gradient."""
    problem = _problem(rules, scores, lengths, weights)
    found = problem.ask("log", min_risk=gain).min_risk
    uses = _uses(problem, [[found] if problem.batch is None else found], 1)
    return problem.named([use[0] for use in uses])


class Distribution(torch.distributions.Distribution):
    """The distribution over the structures of a rule set, p proportional to exp(score), in the
    manner of torch.distributions. A structure is a mapping from weights to uses, tensors of the
    scores' shapes. A question asked twice is computed once; after a change of the scores in place,
    every question is refused. Deep copies and pickles hold the scores as numbers: no gradients flow
    back through them::

        Distribution("eisner", arc=arc, lengths=lengths, forbid=[("arc", 0, 3)], precision="f32")

    Besides scores, by the names of weights or in a mapping, it takes the arguments of every
    function here:

    - lengths: a tensor ``[B]``, or a mapping of such tensors and of numbers by name
    - forbid: cells that no structure uses, such as ("arc", 0, 3), None for any index; for a batch
      one list for each problem
    - require: lists of cells, of each of which every structure uses one; for a batch likewise
    - precision: "f64" (the default) or "f32"; threads: a number; force: True for ambiguous rules
    """

    arg_constraints: dict[str, Any] = {}
    has_rsample = False

    def __init__(
        self,
        rules: Rules | str,
        scores: Scores | None = None,
        /,
        *,
        lengths: Any = None,
        **weights: Any,
    ) -> None:
        self._problem = _problem(rules, scores, lengths, weights)
        self._versions = versions(self._problem.tensors)
        self._found: dict[Any, Any] = {}
        batch = self._problem.batch
        super().__init__(torch.Size(() if batch is None else (batch,)), validate_args=False)

    def __getstate__(self) -> dict[str, Any]:
        problem = copy.copy(self._problem)
        problem.scores = {name: tensor.detach() for name, tensor in problem.scores.items()}
        return {**self.__dict__, "_problem": problem, "_found": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._versions = versions(self._problem.tensors)

    def __repr__(self) -> str:
        shapes = ", ".join(f"{n}: {list(t.shape)}" for n, t in self._problem.scores.items())
        return f"Distribution({self._problem.rules.name}, {shapes})"

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self._problem.rules

    @property
    def _asked(self) -> Problem:
        """The problem, if it is still the one that the kept answers are for."""
        if versions(self._problem.tensors) != self._versions:
            raise BadArgument(
                "the scores were changed in place after this distribution was made: make a new one of them, "
                "or make it of a clone"
            )
        return self._problem

    def _once(self, question: Callable[[Problem], Found]) -> Found:
        """The answer, kept; computed again if it has no gradient and one is wanted, or if a caller
        changed it in place."""
        found, kept = self._found.get(question, (None, None))
        stale = found is not None and (
            versions((found[0], *found[1])) != kept
            or (A.wants_gradient(self._asked) and not found[0].requires_grad)
        )
        if found is None or stale:
            found = question(self._asked)
            self._found[question] = found, versions((found[0], *found[1]))
        return found

    def _both(self) -> Found:
        return self._once(A.log_partition)

    def _log_z(self) -> Tensor:
        if A.log_partition in self._found or A.wants_gradient(self._asked):
            return self._both()[0]
        return self._once(A.log_partition_alone)[0]

    def _maximum(self) -> Found:
        return self._once(A.maximum)

    @property
    def log_partition(self) -> Tensor:
        """log Z ``[B]``."""
        return self._asked.value(self._log_z())

    partition = log_partition

    @property
    def marginals(self) -> Tensors:
        """The expected number of uses of each cell; can be differentiated."""
        return self._asked.named(self._both()[1])

    @property
    def mean(self) -> Tensors:
        """The same as ``marginals``."""
        return self.marginals

    @property
    def max(self) -> Tensor:
        """The best structure's score ``[B]``."""
        return self._asked.value(self._maximum()[0])

    @property
    def argmax(self) -> Tensors:
        """The best structure."""
        return self._asked.named(self._maximum()[1])

    mode = argmax

    @property
    def count(self) -> Tensor:
        """How many structures there are ``[B]``, as floats: exact to 2^53."""
        count = self._asked.ask("count").value
        return torch.as_tensor(count, dtype=torch.double).to(self._asked.device)

    def score(self, value: Mapping[str, Tensor] | None = None, /, **uses: Tensor) -> Tensor:
        """The score of a structure ``[B]``, or of several ``[k, B]``: ``score(arc=gold)``, or score
        of an answer of sample or argmax. That it is a structure of the rules is not checked."""
        return self._asked.value(A.settled(self._score({**(value or {}), **uses})))

    def _score(self, uses: Mapping[str, Tensor]) -> Tensor:
        scores = self._asked.scores
        if set(uses) != set(scores):
            raise BadArgument(f"a structure of {self.rules.name} has uses of {', '.join(scores)}")
        fronts = set()
        for name, score in scores.items():
            use = uses[name]
            front = use.dim() - score.dim() if isinstance(use, Tensor) else -1
            if front < 0 or use.shape[front:] != score.shape:
                found = list(use.shape) if isinstance(use, Tensor) else type(use).__name__
                raise BadArgument(
                    f"{name}: uses are a tensor of the scores' shape {list(score.shape)}, or several of those "
                    f"[k, ...], not {found}"
                )
            fronts.add(use.shape[:front])
        if len(fronts) > 1:
            raise BadArgument(f"uses of as many structures for each weight, not {sorted(map(list, fronts))}")
        given = [uses[name].cpu().double() for name in scores]
        return A.expectation(self._asked, given, self._asked.tensors)

    def log_prob(self, value: Mapping[str, Tensor] | None = None, /, **uses: Tensor) -> Tensor:
        """log p of a structure, or of several, given as to score. It is -inf if the structure uses an
        impossible cell, or if the problem has no structure. If it is no structure of the rules (a
        tree that is not projective, or has two roots where the rules allow one), the answer is no
        log probability and may be above 0: do not train on such trees."""
        log_z = self._log_z()
        log_p = self._score({**(value or {}), **uses}) - log_z
        return self._asked.value(A.settled(log_p.masked_fill(log_z == -torch.inf, -torch.inf)))

    def entropy(self) -> Tensor:
        """In nats ``[B]``."""
        return self._asked.value(_at_least_0(self._cross_entropy(self)))

    def cross_entropy(self, other: Distribution) -> Tensor:
        """-E[log q] for q the other distribution. It has the same rules, lengths, inputs and shapes,
        and forbids or requires no more than this one."""
        return self._asked.value(A.settled(self._cross_entropy(other)))

    def kl(self, other: Distribution) -> Tensor:
        """KL(this || other), for such distributions as cross_entropy takes."""
        kl = A.settled(self._cross_entropy(other) - self._cross_entropy(self))
        return self._asked.value(_at_least_0(kl))

    def _cross_entropy(self, other: Distribution) -> Tensor:
        if other is not self:
            self._asked.check_comparable(other._asked)
        log_z, marginals = self._both()
        log_q = other._log_z()
        found = log_q - A.expectation(self._asked, marginals, other._asked.tensors)
        return found.masked_fill(log_q == -torch.inf, torch.inf).masked_fill(log_z == -torch.inf, 0)

    def topk(self, k: int) -> Tensors:
        """The k best structures ``[k, B, ...]``, best first."""
        return _kbest(self._asked, k, False)[1]

    def kmax(self, k: int) -> Tensor:
        """Their scores ``[k, B]``."""
        return _kbest(self._asked, k, False)[0]

    def sample(self, sample_shape: Any = (), *, seed: int | None = None) -> Tensors:
        """Random structures ``[*sample_shape, B, ...]``."""
        shape = torch.Size(sample_shape)
        uses = _sample(self._asked, shape.numel(), seed, True)
        return {name: use.reshape(*shape, *use.shape[1:]) for name, use in uses.items()}


@torch.distributions.register_kl(Distribution, Distribution)
def _kl_divergence(p: Distribution, q: Distribution) -> Tensor:
    return p.kl(q)


def _at_least_0(value: Tensor) -> Tensor:
    """The tensor, with 0 where rounding made it negative; with the same gradient."""
    return value - value.detach().clamp(max=0)


def _kbest(problem: Problem, k: int, distinct: bool) -> tuple[Tensor, Tensors]:
    by_rank = _by_rank(problem, problem.ask("max", kbest=k, distinct=distinct).kbest, k)
    uses = _uses(problem, by_rank, k)
    there = torch.tensor([[one is not None for one in row] for row in by_rank], dtype=torch.bool)
    there = there.view((k,) if problem.batch is None else (k, problem.batch))
    scores = A.expectation(problem, uses, problem.tensors).masked_fill(~there, -torch.inf)
    return problem.value(scores), problem.named(uses)


def _sample(problem: Problem, k: int, seed: int | None, replacement: bool) -> Tensors:
    if seed is None:
        seed = int(torch.randint(2**63 - 1, ()))
    found = problem.ask("log", samples=k, seed=seed, replacement=replacement).samples
    return problem.named(_uses(problem, _by_rank(problem, found, k), k))


def _by_rank(problem: Problem, found: Any, k: int) -> list[list[Any]]:
    """Lists of derivations, one for each problem, as [k][B]; None where there are fewer."""
    lists = [found] if problem.batch is None else found
    return [[one[i] if i < len(one) else None for one in lists] for i in range(k)]


def _uses(problem: Problem, found: list[list[Any]], k: int) -> list[Tensor]:
    """Derivations [k][B] (None: nothing is used) as tensors [k, B, ...]."""
    arrays, origins = problem.arrays(problem.tensors), problem.origins()
    counts: list[Tensor] = []
    for name, tensor in problem.scores.items():
        own = tensor.shape if problem.batch is None else tensor.shape[1:]
        count = np.zeros((k, 1 if problem.batch is None else problem.batch, *own))
        sparse = problem.rules.weights[name].sparse
        places = _places(arrays[name][0]) if sparse else None
        for i, row in enumerate(found):
            for b, one in enumerate(row):
                if one is None:
                    continue
                index = one.index(name)
                if places is not None:
                    at: Any = ([places[tuple(cell)] for cell in index.tolist()],)
                else:
                    at = tuple((index - origins[b][name]).T)
                own = np.full(len(index), b)  # a weight without indices has as many uses
                np.add.at(count, (i, own, *at), 1)
        if problem.batch is None:
            count = count[:, 0]
        counts.append(torch.from_numpy(count))
    return counts


def _places(index: np.ndarray) -> dict[tuple[int, ...], int]:
    return {tuple(cell): place for place, cell in enumerate(index.tolist())}
