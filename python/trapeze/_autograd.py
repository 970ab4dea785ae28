"""Tensors in and out, and the functions that PyTorch differentiates.

log Z and the marginals are outputs of one function. The gradient of log Z is the marginals; that of
the marginals is the Hessian's product with the incoming gradient (Rules.run's direction).

Whatever type the scores have, these functions give doubles on the CPU, as the library does. Answers
are rounded to the scores' type last, when nothing is subtracted from them any more: log p and
entropies are small differences of large numbers, which float32 would lose at scores of size 100.
(PyTorch itself gives a gradient the type of the tensor that it is for.)
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function, forward_ad
from torch.autograd.profiler import record_function

from ._arrays import give_numbers
from ._bind import Problems
from ._rules import Rules, rules as find_rules
from .errors import BadArgument
from .results import Result

Tensors = dict[str, Tensor]

_HALF = (torch.float16, torch.bfloat16)


class Problem:
    """A problem or a batch: the rules, the scores as tensors, and how to run it."""

    def __init__(
        self,
        rules: Rules | str,
        scores: Mapping[str, Any],
        lengths: Any = None,
        *,
        forbid: Any = None,
        require: Any = None,
        precision: str = "f64",
        threads: int | None = None,
        force: bool = False,
    ) -> None:
        _refuse_tracing()
        self.rules = find_rules(rules) if isinstance(rules, str) else rules
        self.options: dict[str, Any] = {
            "forbid": forbid,
            "require": require,
            "precision": precision,
            "threads": torch.get_num_threads() if threads is None else threads,
            "force": force,
        }
        if isinstance(lengths, Mapping):
            lengths = {name: _as_numpy(given) for name, given in lengths.items()}
        elif lengths is not None:
            lengths = _as_numpy(lengths)
        self.lengths = lengths
        self._inputs = {
            name: [_as_numpy(one) for one in given]
            if isinstance(given, (list, tuple)) and any(isinstance(one, Tensor) for one in given)
            else _as_numpy(given) if isinstance(given, Tensor) else given
            for name, given in scores.items()
            if name in self.rules.inputs
        }
        for name in scores:
            if name not in self._inputs:
                self.rules.weight(name)
        declared = self.rules.weights.items()
        lacking = [n for n, weight in declared if n not in scores and self.rules._is_used(weight)]
        if lacking:
            raise BadArgument(f"{self.rules.name} needs scores for the weight {lacking[0]!r}")
        self._index: dict[str, np.ndarray] = {}
        given: Tensors = {}
        for name, weight in declared:
            if name not in scores:
                continue
            tensor = scores[name]
            if weight.sparse:
                if not isinstance(tensor, tuple) or len(tensor) != 2:
                    raise BadArgument(f"{name} is sparse: give a pair (index, scores)")
                self._index[name] = _as_numpy(tensor[0])
                tensor = tensor[1]
            if not isinstance(tensor, Tensor) or not tensor.is_floating_point():
                raise BadArgument(f"{name}: scores are a tensor of floating-point numbers")
            _refuse_stand_in(tensor)
            given[name] = tensor.float() if tensor.dtype in _HALF else tensor
        self.batch = self._batch(given)
        #: Of each weight: the type and device of what is told about it.
        self._told = {name: (tensor.dtype, tensor.device) for name, tensor in given.items()}
        given = {name: tensor.cpu() for name, tensor in given.items()}
        #: The scores that were given, on the CPU, all with the batch in front if there is one: where
        #: the caller's have none, they are the same for all problems, and PyTorch sums their
        #: gradients.
        self.scores: Tensors = {
            name: tensor
            if self.batch is None or tensor.dim() > self._rank(name)
            else tensor.expand(self.batch, *tensor.shape)
            for name, tensor in given.items()
        }

    def _rank(self, name: str) -> int:
        weight = self.rules.weights[name]
        return 1 if weight.sparse else weight.rank

    def _batch(self, given: Tensors) -> int | None:
        sizes = {n: t.shape[0] for n, t in given.items() if t.dim() == self._rank(n) + 1}
        for name, one in give_numbers(self.rules, self._inputs).items():
            if one.count is not None:
                sizes[name] = one.count
        counts = self.lengths.values() if isinstance(self.lengths, dict) else [self.lengths]
        several = len(self.rules.lengths) > 1 and not isinstance(self.lengths, dict)
        for lengths in counts:
            if lengths is not None and lengths.ndim == 1 + several:
                sizes["lengths"] = len(lengths)
        if len(set(sizes.values())) > 1:
            of_each = ", ".join(f"{name} {size}" for name, size in sizes.items())
            raise BadArgument(f"the batch has different sizes: {of_each} problems")
        return next(iter(sizes.values()), None)

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        """The scores in order of the weights' declaration."""
        return tuple(self.scores.values())

    def arrays(self, tensors: Sequence[Tensor]) -> dict[str, Any]:
        """The arrays that run takes: CPU tensors are read where they stand."""
        found: dict[str, Any] = {}
        for name, tensor in zip(self.scores, tensors):
            array = _as_numpy(tensor)
            found[name] = (self._index[name], array) if name in self._index else array
        return found

    def run(self, semiring: str, tensors: Sequence[Tensor], /, **asked: Any) -> Result:
        arrays = {**self.arrays(tensors), **self._inputs}
        for name in ("direction", "q"):
            if name in asked:
                asked[name] = self.arrays(asked[name])
        if not torch.autograd._profiler_enabled():
            return self.rules.run(semiring, arrays, lengths=self.lengths, **self.options, **asked)
        with record_function("trapeze"):
            return self.rules.run(semiring, arrays, lengths=self.lengths, **self.options, **asked)

    def ask(self, semiring: str, /, **asked: Any) -> Result:
        return self.run(semiring, self.tensors, **asked)

    @property
    def device(self) -> torch.device:
        return next(iter(self._told.values()))[1]

    def value(self, value: Tensor) -> Tensor:
        """A number for each problem, in the type and on the device of the scores."""
        return _told(value, *next(iter(self._told.values())))

    def named(self, numbers: Sequence[Tensor]) -> Tensors:
        """Numbers for the cells of each weight, in the type and on the device of the scores."""
        return {name: _told(one, *self._told[name]) for name, one in zip(self._told, numbers)}

    def origins(self) -> list[dict[str, np.ndarray]]:
        """For each problem, the index values of each dense weight's first position."""
        bound = Problems(self.rules, {**self.arrays(self.tensors), **self._inputs}, self.lengths)
        bound.done()
        known: dict[tuple[int, ...], dict[str, np.ndarray]] = {}
        rows = [tuple(row) for row in bound.lengths.tolist()]
        for row in set(rows):
            known[row] = found = {}
            for name in self.scores:
                origin = self.rules._shape(self.rules.weights[name].number, row).origin
                front = bound.layout.fronts[name][0]
                found[name] = np.add(origin[: len(front)], front)
        return [known[row] for row in rows]

    def spread(self, value: Tensor, like: Tensor) -> Tensor:
        """A number for each problem, shaped to multiply the numbers of its cells."""
        return value if self.batch is None else value.view(-1, *[1] * (like.dim() - 1))


def _told(tensor: Tensor, dtype: torch.dtype, device: torch.device) -> Tensor:
    return tensor.to(dtype).to(device)  # in this order: not every device has doubles


def _values(values: Any) -> Tensor:
    """A number for each problem."""
    return torch.as_tensor(values, dtype=torch.double)


def _numbers(arrays: Mapping[str, np.ndarray]) -> list[Tensor]:
    """Numbers for the cells of each weight."""
    return [torch.from_numpy(array) for array in arrays.values()]


def _as_numpy(given: Any) -> np.ndarray:
    if not isinstance(given, Tensor):
        return np.asarray(given)
    _refuse_stand_in(given)
    try:
        return given.detach().cpu().resolve_neg().numpy()
    except RuntimeError as error:
        raise BadArgument(f"these tensors have no numbers that can be read ({error})") from None


def _refuse_tracing() -> None:
    """Refuses tracing, which would record the answer to one problem as a constant."""
    what = "torch.jit.trace" if torch.jit.is_tracing() else ""
    tensors = sys.modules.get("torch.fx.experimental.proxy_tensor")  # imported by whoever traces so
    modes = getattr(tensors, "get_torch_dispatch_modes", list)()
    if any(type(mode).__name__ == "ProxyTorchDispatchMode" for mode in modes):
        what = "make_fx"
    if what:
        raise BadArgument(f"{what} would keep this answer as a constant: ask outside of what is traced")


def _refuse_stand_in(tensor: Tensor) -> None:
    """Refuses tensors that stand for many tensors or for none: they hold no numbers to read."""
    transforms = getattr(torch._C, "_functorch", None)
    if transforms is not None and transforms.is_functorch_wrapped_tensor(tensor):
        raise BadArgument(
            "vmap, grad and other transforms of torch.func (functorch) do not reach into Trapeze: give "
            "a batch as it is, with its problems in the first dimension, and use torch.autograd"
        )
    if tensor.is_meta or type(tensor).__name__ == "FakeTensor":
        raise BadArgument("these tensors have a shape, but no numbers that can be read")


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


_NO_THIRD = (
    "third derivatives of the log partition function are not available; detach the scores, or the "
    "Hessian's product, where only the direction is to be differentiated"
)


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
            direction = [
                torch.zeros_like(s) if grad is None else grad.masked_fill(s == -torch.inf, 0)
                for grad, s in zip(of_marginals, scores)
            ]
            turned = _Hessian.apply(problem, *scores, *direction)
            total = [h if t is None else t + h for t, h in zip(total, turned)]
        return (None, *total)


    @staticmethod
    def jvp(ctx: Any, _: None, *tangents: Tensor | None) -> tuple[Tensor | None, ...]:
        count = len(tangents)
        scores, marginals = ctx.saved_tensors[:count], ctx.saved_tensors[count:]
        direction = [
            torch.zeros_like(s) if tangent is None else tangent.masked_fill(s == -torch.inf, 0)
            for tangent, s in zip(tangents, scores)
        ]
        turned = _Hessian.apply(ctx.problem, *scores, *direction)
        return (_inner(ctx.problem, marginals, direction), *turned)


class _Hessian(Function):
    """The Hessian of log Z, which is the covariance of uses, times a direction."""

    @staticmethod
    def forward(ctx: Any, problem: Problem, *both: Tensor) -> tuple[Tensor, ...]:
        count = len(both) // 2
        scores, direction = both[:count], both[count:]
        ctx.problem = problem
        ctx.save_for_backward(*scores)
        result = problem.run("log", scores, direction=direction)
        return tuple(_numbers(result.tangents))

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        scores = ctx.saved_tensors
        if any(ctx.needs_input_grad[1 : 1 + len(scores)]):
            raise RuntimeError(_NO_THIRD)
        return (None, *[None] * len(scores), *_Hessian.apply(ctx.problem, *scores, *grads))

    @staticmethod
    def jvp(ctx: Any, _: None, *tangents: Tensor | None) -> tuple[Tensor | None, ...]:
        raise RuntimeError(_NO_THIRD)


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
    """0 where a score is -inf: with a use the sum is -inf, without one the cell adds nothing, and has
    no gradient either way."""
    return score.masked_fill(score == -torch.inf, 0)


def settled(value: Tensor) -> Tensor:
    """The same, without a gradient where it is infinite: near these scores it stays what it is."""
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


def log_partition_alone(problem: Problem) -> Tensor:
    """log Z; without the outside pass where nothing needs a gradient."""
    if wants_gradient(problem) or _has_tangent(problem.tensors):
        return log_partition(problem)[0]
    return _values(problem.ask("log").value)


def maximum(problem: Problem) -> tuple[Tensor, tuple[Tensor, ...]]:
    """The best derivation's score and uses."""
    score, *uses = _Max.apply(problem, *problem.tensors)
    return score, tuple(uses)


def expectation(problem: Problem, uses: Sequence[Tensor], scores: Sequence[Tensor]) -> Tensor:
    """Sum over all cells of uses (or expected uses), in double, times scores: 0 x -inf = 0. uses
    may have more dimensions in front than the scores."""
    every = zip(problem.scores, uses, scores)
    return sum(_Expectation.apply(problem._rank(name), use, score) for name, use, score in every)
