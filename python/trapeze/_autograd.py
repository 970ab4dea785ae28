"""The functions that PyTorch differentiates.

log Z and the marginals are outputs of one function. The gradient of log Z is the marginals; that of
the marginals is the Hessian's product with the incoming gradient (Rules.run's direction).

Whatever type the scores have, these functions give doubles on the CPU, as the library does. Answers
are rounded to the scores' type last, when nothing is subtracted from them any more: log p and
entropies are small differences of large numbers, which float32 would lose at scores of size 100.
(PyTorch itself gives a gradient the type of the tensor that it is for.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function, forward_ad

from ._tensors import Problem
from .errors import BadScore


def _values(values: Any) -> Tensor:
    """A number for each problem."""
    return torch.as_tensor(values, dtype=torch.double)


def _numbers(arrays: Mapping[str, np.ndarray]) -> list[Tensor]:
    """Numbers for the cells of each weight."""
    return [torch.from_numpy(array) for array in arrays.values()]


def _has_tangent(tensors: Sequence[Tensor]) -> bool:
    """Is any tensor a dual number of torch.autograd.forward_ad?"""
    return forward_ad._current_level >= 0 and any(
        forward_ad.unpack_dual(tensor).tangent is not None for tensor in tensors
    )


def _inner(problem: Problem, numbers: Sequence[Tensor], tangents: Sequence[Tensor | None]) -> Tensor:
    """The sum over cells of numbers times tangents: the derivative of a value whose gradient the
    numbers are. 0 x inf = 0."""
    total = torch.zeros(())
    for number, tangent in zip(numbers, tangents):
        if tangent is not None:
            product = (number * tangent).masked_fill(number == 0, 0)
            rank = product.dim() - (0 if problem.batch is None else 1)
            total = total.to(product) + _sum(product, rank)
    return total


class _LogPartition(Function):
    """(log Z, marginals of each weight)."""

    @staticmethod
    def forward(ctx: Any, problem: Problem, *scores: Tensor) -> tuple[Tensor, ...]:
        ctx.set_materialize_grads(False)
        ctx.problem = problem
        result = problem.run("log", scores, marginals=True)
        marginals = _numbers(result.marginals)
        # The outputs as saved lead back to this function: so the gradient has a gradient.
        ctx.save_for_backward(*scores, *marginals)
        ctx.save_for_forward(*scores, *marginals)
        return (_values(result.value), *marginals)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        problem, of_log_z, of_marginals = ctx.problem, grads[0], grads[1:]
        count = len(of_marginals)
        scores, marginals = ctx.saved_tensors[:count], ctx.saved_tensors[count:]
        total: list[Tensor | None] = [None] * count
        if of_log_z is not None:
            total = [problem.spread(of_log_z, m) * m for m in marginals]
        if any(grad is not None for grad in of_marginals):
            turned = _times_hessian(problem, scores, of_marginals)
            total = [h if t is None else t + h for t, h in zip(total, turned)]
        return (None, *total)

    @staticmethod
    def jvp(ctx: Any, _: None, *tangents: Tensor | None) -> tuple[Tensor | None, ...]:
        count = len(tangents)
        scores, marginals = ctx.saved_tensors[:count], ctx.saved_tensors[count:]
        turned = _times_hessian(ctx.problem, scores, tangents)
        return (_inner(ctx.problem, marginals, tangents), *turned)


class _Hessian(Function):
    """The Hessian of log Z, which is the covariance of uses, times a direction, in which it is linear."""

    @staticmethod
    def forward(ctx: Any, problem: Problem, *both: Tensor) -> tuple[Tensor, ...]:
        count = len(both) // 2
        scores, direction = both[:count], both[count:]
        ctx.problem = problem
        ctx.save_for_backward(*scores)
        ctx.save_for_forward(*scores)
        try:
            result = problem.run("log", scores, direction=direction)
        except BadScore as error:
            raise BadScore(f"{error} (it is the gradient with respect to a marginal)") from None
        return tuple(_numbers(result.tangents))

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        scores = ctx.saved_tensors
        return (None, *[None] * len(scores), *_times_hessian(ctx.problem, scores, grads))

    @staticmethod
    def jvp(ctx: Any, _: None, *tangents: Tensor | None) -> tuple[Tensor | None, ...]:
        scores = ctx.saved_tensors
        return _times_hessian(ctx.problem, scores, tangents[len(scores) :])


class _Last(Function):
    """Scores that cannot be differentiated any more: a gradient that gets here is refused. None does
    if only the direction is differentiated."""

    @staticmethod
    def forward(ctx: Any, score: Tensor) -> Tensor:
        return score.view_as(score)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        raise RuntimeError(
            "third derivatives of the log partition function are not available: detach what need not be "
            "differentiated"
        )

    jvp = backward


def _times_hessian(problem: Problem, scores: Sequence[Tensor], ways: Sequence[Tensor | None]) -> Any:
    """The Hessian of log Z times a direction, which is 0 where a score is -inf."""
    direction = [
        torch.zeros_like(s) if way is None else way.masked_fill(s == -torch.inf, 0)
        for way, s in zip(ways, scores)
    ]
    return _Hessian.apply(problem, *map(_Last.apply, scores), *direction)


class _Max(Function):
    """(score of the best derivation, how often it uses each cell of each weight)."""

    @staticmethod
    def forward(ctx: Any, problem: Problem, *scores: Tensor) -> tuple[Tensor, ...]:
        ctx.set_materialize_grads(False)
        ctx.problem = problem
        result = problem.run("max", scores, uses=True)
        uses = _numbers(result.uses)
        ctx.mark_non_differentiable(*uses)
        ctx.save_for_backward(*uses)
        ctx.save_for_forward(*uses)
        return (_values(result.value), *uses)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        grad, uses = grads[0], ctx.saved_tensors
        if grad is None:
            return (None, *[None] * len(uses))
        return (None, *[ctx.problem.spread(grad, use) * use for use in uses])

    @staticmethod
    def jvp(ctx: Any, _: None, *tangents: Tensor | None) -> tuple[Tensor | None, ...]:
        uses = ctx.saved_tensors
        return (_inner(ctx.problem, uses, tangents), *map(torch.zeros_like, uses))


class _Expectation(Function):
    """The sum over the last dimensions, those of a weight, of uses times scores. Written out here,
    since PyTorch's own product would keep copies of both without -inf."""

    @staticmethod
    def forward(ctx: Any, rank: int, use: Tensor, score: Tensor) -> Tensor:
        ctx.rank = rank
        ctx.save_for_backward(use, score)
        ctx.save_for_forward(use, score)
        return _sum((use * score).masked_fill_(use == 0, 0), rank)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        use, score = ctx.saved_tensors
        of_use = of_score = None
        grad = grad.view((*grad.shape, *[1] * ctx.rank))
        if ctx.needs_input_grad[1]:
            of_use = grad * _possible(score)
        if ctx.needs_input_grad[2]:
            of_score = (grad * use).sum_to_size(score.shape)
        return None, of_use, of_score

    @staticmethod
    def jvp(ctx: Any, _: None, of_use: Tensor | None, of_score: Tensor | None) -> Tensor:
        use, score = ctx.saved_tensors
        total = torch.zeros((), dtype=torch.double)
        if of_use is not None:
            total = total + _sum(of_use * _possible(score), ctx.rank)
        if of_score is not None:
            total = total + _sum((use * of_score).masked_fill(use == 0, 0), ctx.rank)
        return total


def _possible(score: Tensor) -> Tensor:
    """Scores, with 0 for -inf: if such a cell is used the sum is infinite, and if not it adds nothing.
    Uses have no gradient there either way."""
    return score.masked_fill(score == -torch.inf, 0)


def settled(value: Tensor) -> Tensor:
    """The tensor, without a gradient where it is infinite: small changes of the scores leave it so."""
    return torch.where(value.isinf(), value.detach(), value)


def _sum(product: Tensor, rank: int) -> Tensor:
    """The sum over the last dimensions, cell by cell: then zeros in the padding change no bit. They
    would in PyTorch's sum, which goes by halves."""
    if not rank:
        return product
    cells = product.flatten(product.dim() - rank)
    return cells.cumsum(-1)[..., -1].clone() if cells.shape[-1] else cells.sum(-1)


def log_partition(problem: Problem) -> tuple[Tensor, tuple[Tensor, ...]]:
    """log Z and the marginals; in one call of the library."""
    log_z, *marginals = _LogPartition.apply(problem, *problem.tensors)
    return log_z, tuple(marginals)


def wants_gradient(problem: Problem) -> bool:
    return torch.is_grad_enabled() and any(tensor.requires_grad for tensor in problem.tensors)


def log_partition_alone(problem: Problem) -> tuple[Tensor, tuple[Tensor, ...]]:
    """log Z; without the outside pass, and marginals, where nothing needs a gradient."""
    if wants_gradient(problem) or _has_tangent(problem.tensors):
        return log_partition(problem)
    return _values(problem.ask("log").value), ()


def maximum(problem: Problem) -> tuple[Tensor, tuple[Tensor, ...]]:
    """The best derivation's score and uses."""
    score, *uses = _Max.apply(problem, *problem.tensors)
    return score, tuple(uses)


def expectation(problem: Problem, uses: Sequence[Tensor], scores: Sequence[Tensor]) -> Tensor:
    """Sum over all cells of uses (or expected uses), in double, times scores: 0 x -inf = 0. uses
    may have more dimensions in front than the scores."""
    every = zip(problem.scores, uses, scores)
    return sum(_Expectation.apply(problem._rank(name), use, score) for name, use, score in every)
