"""Scores as tensors: a problem or a batch of them, and answers in the tensors' types and devices."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor
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
            "forbid": _kept(forbid),
            "require": _kept(require),
            "precision": precision,
            "threads": torch.get_num_threads() if threads is None else threads,
            "force": force,
        }
        if isinstance(lengths, Mapping):
            lengths = {name: np.array(_as_numpy(given)) for name, given in lengths.items()}
        elif lengths is not None:
            lengths = np.array(_as_numpy(lengths))
        self.lengths = lengths
        self._inputs = {name: _kept(given) for name, given in scores.items() if name in self.rules.inputs}
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
                self._index[name] = np.array(_as_numpy(tensor[0]))
                tensor = tensor[1]
            if not isinstance(tensor, Tensor) or not tensor.is_floating_point():
                raise BadArgument(f"{name}: scores are a tensor of floating-point numbers")
            _refuse_stand_in(tensor)
            given[name] = tensor.float() if tensor.dtype in _HALF else tensor
        if not given:
            raise BadArgument(f"{self.rules.name} has no scores, and so no gradients: Rules.run answers")
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

    def _bound(self) -> tuple[np.ndarray, Any]:
        """The lengths, int32 [problems, lengths], and how many positions each array lacks in front."""
        bound = Problems(self.rules, {**self.arrays(self.tensors), **self._inputs}, self.lengths)
        lengths = bound.lengths.copy()
        bound.done()
        return lengths, bound.layout.fronts

    def origins(self) -> list[dict[str, np.ndarray]]:
        """For each problem, the index values of each dense weight's first position."""
        lengths, fronts = self._bound()
        known: dict[tuple[int, ...], dict[str, np.ndarray]] = {}
        rows = [tuple(row) for row in lengths.tolist()]
        for row in set(rows):
            known[row] = found = {}
            for name in self.scores:
                origin = self.rules._shape(self.rules.weights[name].number, row).origin
                front = fronts[name][0]
                found[name] = np.add(origin[: len(front)], front)
        return [known[row] for row in rows]

    def check_comparable(self, other: Problem) -> None:
        """Refuses a problem with other structures or other cells: its scores have no expectation
        here. A problem without a batch may stand for all of a batch."""
        lengths, theirs = self._bound()[0], other._bound()[0]
        differs = ""
        if self.rules is not other.rules and self.rules.show() != other.rules.show():
            differs = f"the rules are {self.rules.name} and {other.rules.name}, which differ"
        elif other.batch not in (None, self.batch):
            differs = f"there are {1 if self.batch is None else self.batch} and {other.batch} problems"
        elif (lengths != theirs).any():
            b = int((lengths != theirs).any(1).argmax())
            differs = f"the lengths of problem {b} are {lengths[b]} and {theirs[b % len(theirs)]}"
        elif self._shapes() != other._shapes():
            differs = f"the scores have shapes {self._shapes()} and {other._shapes()}"
        elif not all(np.array_equal(index, other._index[name]) for name, index in self._index.items()):
            differs = "the entries of sparse weights have different indices"
        elif not all(map(_same_numbers, self._numbers(), other._numbers() * len(lengths))):
            differs = "the inputs hold different numbers"
        elif not all(_says_no_more(other.options[o], self.options[o]) for o in ("forbid", "require")):
            differs = "forbid= and require= of the second are not those of the first"
        if differs:
            raise BadArgument(f"distributions are compared on the same structures: {differs}")

    def _shapes(self) -> dict[str, list[int]]:
        """The shapes of the scores, without the batch."""
        own = 0 if self.batch is None else 1
        return {name: list(tensor.shape[own:]) for name, tensor in self.scores.items()}

    def _numbers(self) -> list[list[np.ndarray]]:
        """The inputs of each problem."""
        count = 1 if self.batch is None else self.batch
        columns = []
        for one in give_numbers(self.rules, self._inputs).values():
            columns.append(one.list or ([one.array] * count if one.count is None else one.array))
        return [[column[b] for column in columns] for b in range(count)]

    def spread(self, value: Tensor, like: Tensor) -> Tensor:
        """A number for each problem, shaped to multiply the numbers of its cells."""
        return value if self.batch is None else value.view(-1, *[1] * (like.dim() - 1))


def versions(tensors: Sequence[Tensor]) -> list[int | None]:
    """How often each tensor was changed in place, where PyTorch counts that."""
    return [None if tensor.is_inference() else tensor._version for tensor in tensors]


def _kept(given: Any) -> Any:
    """A copy of numbers, names or cells, in arrays or in lists of any depth: they are read again when
    a gradient is asked for, and the caller may have changed them."""
    if type(given) in (list, tuple):
        return type(given)(map(_kept, given))
    return np.array(_as_numpy(given)) if isinstance(given, (Tensor, np.ndarray)) else given


def _same_numbers(first: Sequence[np.ndarray], second: Sequence[np.ndarray]) -> bool:
    return all(map(np.array_equal, first, second))


def _says_no_more(facts: Any, others: Any) -> bool:
    return facts is None or not any(facts) or facts is others or facts == others


def _told(tensor: Tensor, dtype: torch.dtype, device: torch.device) -> Tensor:
    return tensor.to(dtype).to(device)  # in this order: not every device has doubles


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
