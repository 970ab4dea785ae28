"""The answers of a run."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Union

import numpy as np
from numpy.typing import NDArray

from . import _library as C
from . import _show
from .errors import BadArgument

__all__ = ["Use", "Step", "Node", "Derivation", "Limited", "Result"]

USE = np.dtype([("weight", "u4"), ("index", "i4", (C.MAX_RANK,)), ("score", "f8")], align=True)
POSITION = np.dtype([("count", "u4"), ("at", "i4", (C.MAX_RANK,))], align=True)
NODE = np.dtype(
    [("item", "u4"), ("rule", "u4"), ("premises", "u4"), ("index", "i4", (C.MAX_RANK,))],
    align=True,
)


class Use(NamedTuple):
    """One use of a cell of a weight, such as ``arc[0,2]``, and the cell's score."""

    weight: str
    index: tuple[int, ...]  # type: ignore[assignment]  # not that of tuples
    score: float


class Step(NamedTuple):
    """One use of a cell on the path of a derivation. ``at``: where inputs were looked up: ``(i,)``
    for ``emit[a,x[i]]``, ``()`` for a weight without inputs."""

    weight: str
    index: tuple[int, ...]  # type: ignore[assignment]  # not that of tuples
    score: float
    at: tuple[int, ...]


class Node(NamedTuple):
    """An item of a proof tree, the rule that derived it, and the nodes of its premises."""

    item: str
    index: tuple[int, ...]  # type: ignore[assignment]  # not that of tuples
    rule: str
    premises: tuple["Node", ...]


class Derivation:
    """A derivation: its score, the cells it uses, its proof tree.

    ``uses`` lists cells in the order of the weights' declaration, then of indices; a cell used
    twice stands twice. ``cells`` are the same with names of values. ``index(name)`` has those of
    one weight as an int32 array ``[uses, rank]``.
    ``path`` lists the same uses in the order in which they are derived.
    ``draw()`` is a drawing as text, ``svg()`` as SVG, which notebooks show.
    """

    __slots__ = ("score", "_rules", "_lengths", "_uses", "_nodes", "_positions", "_by_node")

    def __init__(self, rules: Any, pointer: Any, lengths: Any) -> None:
        found = pointer.contents
        self._lengths: tuple[int, ...] = tuple(lengths.tolist())
        self.score: float = found.score
        self._rules = rules
        self._uses = np.frombuffer(ctypes.string_at(found.use, found.uses * USE.itemsize), USE)
        self._nodes = np.frombuffer(ctypes.string_at(found.node, found.nodes * NODE.itemsize), NODE)
        self._by_node = np.frombuffer(ctypes.string_at(found.by_node, found.uses * 4), np.uint32)
        self._positions: NDArray[Any] | None = None
        if found.position:
            size = found.uses * POSITION.itemsize
            self._positions = np.frombuffer(ctypes.string_at(found.position, size), POSITION)

    @property
    def uses(self) -> list[Use]:
        """The uses of cells, by weight, then indices."""
        weights = list(self._rules.weights.values())
        return [
            Use(weights[w].name, tuple(index[: weights[w].rank]), score)
            for w, index, score in self._uses.tolist()
        ]

    @property
    def cells(self) -> list[tuple[Any, ...]]:
        """The cells of ``uses`` as ``forbid`` and ``require`` take them, with names of values where
        the rules have ``names``: ``("emit", "B", "A")``."""
        return [(use.weight, *self._rules.named(use.weight, use.index)) for use in self.uses]

    def index(self, weight: str) -> NDArray[np.int32]:
        """The index values of each use of a weight: int32 ``[uses, rank]``."""
        declared = self._rules.weight(weight)
        of_it = self._uses["weight"] == declared.number
        return self._uses["index"][of_it, : declared.rank]

    def _for_c(self) -> C.TzDerivation:
        """The tz_derivation; valid as long as this object."""
        return C.TzDerivation(self.score, len(self._uses), len(self._nodes),
                              self._uses.ctypes.data, self._nodes.ctypes.data,
                              0 if self._positions is None else self._positions.ctypes.data,
                              self._by_node.ctypes.data)

    def scores(self, weight: str) -> NDArray[np.float64]:
        """The score of each use of a weight: ``[uses]``."""
        return self._uses["score"][self._uses["weight"] == self._rules.weight(weight).number]

    @property
    def path(self) -> list[Step]:
        """The uses in the order of the derivation: a rule's own uses come after those of its
        premises, the first premise's first. In chains, segmentations and alignments this is the
        order of positions. A step's ``at`` tells at which positions inputs were looked up."""
        order = np.empty(len(self._uses), np.uintp)
        lengths = np.array(self._lengths, np.int32)
        C.check(C.lib.tz_path(self._rules._handle, lengths.ctypes.data, ctypes.byref(self._for_c()),
                              order.ctypes.data))
        uses, at = self.uses, [()] * len(self._uses)
        if self._positions is not None:
            at = [tuple(at[:count]) for count, at in self._positions.tolist()]
        return [Step(*uses[u], at[u]) for u in order.tolist()]

    @property
    def proof(self) -> Node:
        """The proof tree, from the goal down."""
        items, rules = self._rules.items, self._rules.rule_names
        ranks = self._rules._item_ranks()
        done: list[Node] = []
        # In preorder a node's premises stand behind it: backwards, they are done when it comes.
        for item, rule, premises, index in reversed(self._nodes.tolist()):
            below = tuple(done.pop() for _ in range(premises))
            done.append(Node(items[item], tuple(index[: ranks[item]]), rules[rule], below))
        return done[0]

    def draw(self, words: Sequence[str] | None = None) -> str:
        """A drawing as text, by the shapes of the weights: arcs above the words, spans and labels
        below them, pairs, or a grid of two sequences. words: those of the first length's sequence;
        without them, numbers stand in their place. Raises BadArgument where no weight has such a
        shape."""
        return self._drawn(words, _show.TEXT)

    def svg(self, words: Sequence[str] | None = None) -> str:
        """The same as an SVG document."""
        return self._drawn(words, _show.SVG)

    def _drawn(self, words: Sequence[str] | None, form: int) -> str:
        drawn = _show.draw(self._rules, self._lengths, self._uses, self._nodes, words, form)
        if drawn is None:
            raise BadArgument(f"no weight of {self._rules.name} has a shape that is drawn")
        return drawn

    def _repr_svg_(self) -> str | None:
        return _show.draw(self._rules, self._lengths, self._uses, self._nodes, None, _show.SVG)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Derivation):
            return NotImplemented
        return self.score == other.score and np.array_equal(self._uses, other._uses)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        cells = " ".join(f"{name}[{','.join(map(str, index))}]" for name, *index in self.cells)
        return f"Derivation({self.score:.6g}: {cells})"


class Limited(NamedTuple):
    """The best derivation within limits on a resource, and how it was found.

    No derivation within the limits scores more than ``bound``, up to rounding. ``amount``: how much
    of the resource the derivation uses. ``path``: what settled the answer, "bisection", "pruning"
    or "charged". ``steps``: inside passes of the plain rules."""

    derivation: Derivation
    score: float
    bound: float
    amount: int
    path: str
    steps: int


Number = Union[float, int, bool]


class Result:
    """The answers to one problem, or to a batch of them.

    Answers not asked for are None. For a batch of B problems, values are arrays ``[B]``, arrays
    have a batch axis in front (or are lists of arrays where the scores came so), and derivations
    are lists of length B; ``result[b]`` is the result of one problem. Where a problem has no
    derivation, its value is the semiring's zero (-inf, 0, False), derivations are None or ``[]``,
    and marginals, ``count``, ``entropy``, ``cost`` and ``kl`` are 0.
    """

    rules: Any
    semiring: str
    #: The number of problems; None for a single one.
    batch: int | None
    #: The goal's value: a number, or ``[B]``.
    value: Any = None
    #: Under kbest(K): the K best scores ``[<= K]``, or a list of B such arrays; under costs(K)
    #: scores and costs ``[<= K, 2]``.
    values: Any = None
    #: Under ties: how many derivations have the best score.
    count: Any = None
    #: Under entropy: the entropy of the derivations in nats, the expected cost, KL(p || q).
    entropy: Any = None
    cost: Any = None
    kl: Any = None
    #: Under a semiring as text: its numbers besides the value, ``{name: number or [B]}``.
    numbers: Any = None
    #: Expected number of uses of each cell: ``{weight: array}``, in the scores' shapes.
    marginals: Any = None
    #: The semiring sum over the derivations that use each cell: under max, the best score.
    through: Any = None
    #: For the items asked for, ``{item: array}``: their values, marginals, and sums as ``through``.
    items: Any = None
    item_marginals: Any = None
    item_through: Any = None
    #: The derivatives of the marginals along the direction.
    tangents: Any = None
    #: How often the best derivation uses each cell.
    uses: Any = None
    #: The best derivation; the K best, best first; random ones.
    best: Any = None
    kbest: Any = None
    samples: Any = None
    #: The derivation with the largest expected number of right cells.
    min_risk: Any = None
    #: The log probability of the given structure; None where no structure is given.
    log_probability: Any = None
    #: Under charged rules: the value at each amount ``[0..d]``.
    amounts: Any = None
    #: Under limits on a resource: the best derivation within them, a :class:`Limited`.
    limited: Any = None
    #: The best score of each amount of a resource: ``[0..most]``.
    curve: Any = None

    def __init__(self, rules: Any, semiring: str, batch: int | None) -> None:
        self.rules, self.semiring, self.batch = rules, semiring, batch

    def _answers(self) -> dict[str, Any]:
        """The answers that were asked for, in order."""
        return {name: self.__dict__[name] for name in _ANSWERS if name in self.__dict__}

    @property
    def max_marginals(self) -> Any:
        """The same as ``through``, under the name that it has for max."""
        return self.through

    def __len__(self) -> int:
        if self.batch is None:
            raise TypeError("the result of a single problem has no length")
        return self.batch

    def __getitem__(self, b: int) -> Result:
        count = len(self)
        if not -count <= b < count:
            raise IndexError(f"problem {b} of a batch of {count}")
        one = Result(self.rules, self.semiring, None)
        for name, answer in self._answers().items():
            if isinstance(answer, dict):
                answer = {weight: array[b] for weight, array in answer.items()}
            else:
                answer = answer[b]
            setattr(one, name, answer.item() if isinstance(answer, np.generic) else answer)
        return one

    def __iter__(self) -> Iterator[Result]:
        return (self[b] for b in range(len(self)))

    def __repr__(self) -> str:
        parts = [self.rules.name, repr(self.semiring)]
        if self.batch is not None:
            parts.append(f"batch of {self.batch}")
        parts += [f"{name}={_brief(answer)}" for name, answer in self._answers().items()]
        return f"Result({', '.join(parts)})"

    def _repr_html_(self) -> str:
        return _show.result_html(self, self._answers())


_ANSWERS = [name for name in Result.__annotations__ if name not in ("rules", "semiring", "batch")]


def _brief(answer: Any) -> str:
    if isinstance(answer, dict):
        return "{" + ", ".join(f"{name}: {_brief(array)}" for name, array in answer.items()) + "}"
    if isinstance(answer, np.ndarray) and (answer.ndim != 1 or answer.size > 8):
        return "array[" + ", ".join(map(str, answer.shape)) + "]"
    if isinstance(answer, list) and len(answer) > 4:
        return f"[{len(answer)} of them]"
    if isinstance(answer, float):
        return f"{answer:.6g}"
    return str(answer) if isinstance(answer, np.ndarray) else repr(answer)
