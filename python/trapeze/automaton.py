"""Weighted automata as text: sums, best strings, samples, composition (trapeze/automaton.h)."""

from __future__ import annotations

import ctypes
import os
from ctypes import byref, c_char_p, c_size_t
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _library as C
from ._given import text_bytes, whole_number
from ._own import Owner
from ._rules import rules
from .errors import BadArgument, CannotRead, TooLarge, UnknownWord
from .results import Derivation

__all__ = ["Automaton", "AutomatonArc", "AutomatonPath"]

WEIGHTS = ("costs", "logs", "probabilities")
_MOST_ARCS = 1_000_000  # of paths among which distinct strings are looked for
_LARGEST = 5000  # component, of sums
_ARC = np.dtype(
    [("from", "i4"), ("to", "i4"), ("input", "i4"), ("output", "i4"), ("score", "f8"), ("origin", "i4", 2)],
    align=True,
)


class AutomatonArc(NamedTuple):
    """An arc of an automaton. A label is None where the arc reads or writes nothing."""

    source: str
    target: str
    input: str | None
    output: str | None
    score: float


class AutomatonPath(NamedTuple):
    """A path from the start to a final state: its log weight, the labels that it reads and writes,
    and its arcs, as numbers of ``arcs``."""

    score: float
    input: tuple[str, ...]
    output: tuple[str, ...]
    arcs: tuple[int, ...]


class Automaton(Owner):
    """A weighted acceptor, or with ``transducer=True`` a transducer, from text in AT&T's format
    (that of OpenFst).

        automaton = trapeze.Automaton("0 1 a 0.5\\n0 1 b 0.7\\n1", weights="costs")
        automaton.best()

    ``weights`` says what the numbers are: "costs" (negative natural logs), "logs" or
    "probabilities". ``inputs`` and ``outputs`` are symbol tables, as text; an acceptor has only
    ``inputs``. Without them, labels are names as they stand, and ``0`` and ``<eps>`` are the empty
    label. Scores in answers are log weights. Raises BadRules for a wrong text, with
    NAME:LINE:COLUMN, and CannotRead for a file (docs/automata.md)."""

    _handle = 0

    def __init__(
        self,
        text: str | None = None,
        *,
        file: str | os.PathLike[str] | None = None,
        weights: str,
        transducer: bool = False,
        inputs: str | None = None,
        outputs: str | None = None,
        name: str = "automaton",
    ) -> None:
        if (text is None) == (file is None):
            raise BadArgument("give a text, or file=")
        if weights not in WEIGHTS:
            raise BadArgument(f"weights, which say what the numbers are, is one of {', '.join(WEIGHTS)}")
        if file is not None:
            name = os.fspath(file)
            try:
                with open(file, "rb") as opened:
                    content = opened.read()
            except OSError as error:
                raise CannotRead(f"{name}: {error.strerror}") from None
        else:
            content = text_bytes(text)
        tables = [
            None if table is None else text_bytes(table, f"the symbol table {kind}")
            for kind, table in (("inputs", inputs), ("outputs", outputs))
        ]
        self._read(name, content, weights, transducer, tables)

    def _read(
        self, name: str, content: bytes, weights: str, transducer: bool, tables: list[bytes | None]
    ) -> None:
        named = [
            None if table is None else _named(kind, table)
            for kind, table in zip(("inputs", "outputs"), tables)
        ]
        form = C.TzAutomatonForm(
            WEIGHTS.index(weights),
            transducer,
            *(None if table is None else ctypes.pointer(table) for table in named),
        )
        handle = C.new(C.lib.tz_automaton_parse, byref(_named(name, content)), byref(form))
        self._take(handle, weights, _read, name, content, weights, transducer, tables)

    def _take(self, handle: int, weights: str, *made: Any) -> None:
        """made: a function that makes such an automaton, and its arguments."""
        self._handle, self._made = handle, made
        self._weights = weights
        self._parts = C.TzAutomatonParts.from_address(C.lib.tz_automaton_parts_of(handle))

    def __del__(self) -> None:
        if self._handle:
            C.lib.tz_automaton_free(self._handle)

    def __repr__(self) -> str:
        kind = "transducer" if self.transducer else "acceptor"
        return f"Automaton({kind}: {self._parts.states} states, {self._parts.arcs} arcs)"

    def __reduce__(self) -> Any:
        return self._made[0], self._made[1:]

    # ---- What it is --------------------------------------------------------------------------------

    @property
    def transducer(self) -> bool:
        """Do arcs have two labels, one that they read and one that they write?"""
        return bool(self._parts.transducer)

    @cached_property
    def states(self) -> list[str]:
        """Names of the states, in the order in which the text names them."""
        return [self._parts.state[i].decode() for i in range(self._parts.states)]

    @cached_property
    def inputs(self) -> list[str]:
        """The labels that arcs read."""
        return [self._parts.input[i].decode() for i in range(self._parts.inputs)]

    @cached_property
    def outputs(self) -> list[str]:
        """The labels that arcs write; in an acceptor, those that they read."""
        return [self._parts.output[i].decode() for i in range(self._parts.outputs)]

    @property
    def start(self) -> str:
        """The name of the start state."""
        return self.states[self._parts.start]

    @cached_property
    def finals(self) -> dict[str, float]:
        """The log weights of final states."""
        end = _array(self._parts.end, self._parts.states, np.dtype("f8"))
        return {self.states[s]: float(end[s]) for s in np.flatnonzero(end > -np.inf)}

    @cached_property
    def arcs(self) -> list[AutomatonArc]:
        """The arcs, in the text's order."""
        label = [*self.inputs, None], [*self.outputs, None]  # -1: nothing
        return [
            AutomatonArc(self.states[a], self.states[b], label[0][x], label[1][y], score)
            for a, b, x, y, score, _ in self._arc.tolist()
        ]

    @property
    def scores(self) -> NDArray[np.float64]:
        """The log weights of the arcs."""
        return self._arc["score"].copy()

    @property
    def largest_component(self) -> int:
        """How many vertices the largest strongly connected component has: sums take time with its
        cube."""
        return int(self._parts.largest)

    def show(self) -> str:
        """The automaton as text, which is to be read with the same symbol tables. (A pickle needs none.)"""
        return C.text(C.lib.tz_automaton_show, self._handle)

    # ---- Questions ---------------------------------------------------------------------------------

    def total(self) -> float:
        """The log of the sum over all paths; -inf where there is none."""
        return float(self._ask("log").value)

    def best(self) -> AutomatonPath | None:
        """The best path; None where there is none."""
        found = self._ask("max", best=True).best
        return None if found is None else self._path(found)

    def kbest(self, k: int, distinct: bool = False) -> list[AutomatonPath]:
        """The k best paths, best first; fewer if there are fewer. distinct: of the paths that read
        and write the same labels, only the best. Raises TooLarge if paths of a million arcs do not
        give k distinct ones."""
        number = whole_number(k, "k")
        while number:
            paths = [self._path(one) for one in self._ask("max", kbest=number).kbest]
            if not distinct:
                return paths
            first: dict[Any, AutomatonPath] = {}
            for path in paths:
                first.setdefault((path.input, path.output), path)
            found = list(first.values())
            if len(found) >= k or len(paths) < number:
                return found[:k]
            if sum(len(path.arcs) for path in paths) > _MOST_ARCS:
                raise TooLarge(
                    f"the {number} best paths have {len(found)} strings: ask for as many, or make "
                    "the automaton less ambiguous"
                )
            number *= 2
        return []

    def sample(self, number: int = 1, seed: int = 1) -> list[AutomatonPath]:
        """Random paths, each with probability proportional to its weight."""
        return [self._path(one) for one in self._ask("log", samples=number, seed=seed).samples or []]

    def expected_counts(self, string: Any = None) -> NDArray[np.float64]:
        """The expected number of times that each arc is followed, ``[arcs]``: over all paths, or
        over those that read a string; for a list of strings the sum. A string without a path adds
        nothing."""
        counts = np.zeros(self._parts.arcs)
        for one in string if isinstance(string, list) else [string]:
            which = self if one is None else self._reading(one)
            if which._parts.arcs == 0:
                continue
            found = which._ask("log", marginals=True)
            arc = _array(which._parts.pair_arc, which._parts.pairs, np.dtype("i4"))
            uses, own = found.marginals["arc"], arc >= 0
            arc, uses = arc[own], np.asarray(uses)[own]
            if one is not None:
                arc = which._arc["origin"][arc, 1]
                arc, uses = arc[arc >= 0], uses[arc >= 0]
            if found.value > -np.inf:
                counts += np.bincount(arc, uses, minlength=len(counts))
        return counts

    def log_prob(self, string: Any) -> Any:
        """The log of the sum over all paths that read a string, a text of labels between blanks or
        a tuple of labels; an array for a list of strings. -inf where there is none. Raises
        UnknownWord."""
        if isinstance(string, list):
            return np.array([self.log_prob(one) for one in string])
        return self._reading(string).total()

    def reading(self, string: Any) -> Automaton:
        """The automaton of all paths that read a string. Raises UnknownWord for a label that no arc
        reads."""
        return self._reading(string)

    def compose(self, other: Automaton) -> Automaton:
        """The composition: its paths are pairs of a path of this automaton and a path of the other
        that reads what the first writes."""
        composed = Automaton.__new__(Automaton)
        handle = C.new(C.lib.tz_automaton_compose, self._handle, other._handle)
        composed._take(handle, self._weights, Automaton.compose, self, other)
        return composed

    __matmul__ = compose

    # ---- How ---------------------------------------------------------------------------------------

    @cached_property
    def _arc(self) -> NDArray[Any]:
        return _array(self._parts.arc, self._parts.arcs, _ARC)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {label: number for number, label in enumerate(self.inputs)}

    def _reading(self, string: Any) -> Automaton:
        labels = string.split() if isinstance(string, str) else string
        if not isinstance(labels, (tuple, list)) or not all(isinstance(x, str) for x in labels):
            raise BadArgument(f"a string is a text or a tuple of labels, not {string!r}")
        for at, label in enumerate(labels, 1):
            if label not in self._numbers:
                raise UnknownWord(f"label {at}: {label!r} is read by no arc of the automaton", label)
        return _of_string(tuple(labels), self._weights).compose(self)

    def _ask(self, semiring: str, /, **asked: Any) -> Any:
        parts = self._parts
        if semiring == "log" and parts.largest > _LARGEST:
            raise TooLarge(
                f"{parts.largest} states need one another; sums are for at most {_LARGEST}: leave out "
                "arcs that close their circles"
            )
        pair = _array(parts.pair, 2 * parts.pairs, np.dtype("i4")).reshape(-1, 2)
        scores = {
            "begin": _array(parts.begin, parts.vertices, np.dtype("f8")),
            "arc": (pair, _array(parts.pair_score, parts.pairs, np.dtype("f8"))),
            "end": _array(parts.end, parts.vertices, np.dtype("f8")),
        }
        return rules("gallery/paths").run(semiring, scores, lengths={"V": parts.vertices}, **asked)

    def _path(self, derivation: Derivation) -> AutomatonPath:
        arc, count = np.empty(len(derivation._nodes) + 1, np.uint32), c_size_t()
        C.check(
            C.lib.tz_automaton_path(self._handle, byref(derivation._for_c()), arc.ctypes.data, byref(count))
        )
        used = arc[: count.value]
        of = self._arc[used]
        return AutomatonPath(
            derivation.score,
            tuple(self.inputs[x] for x in of["input"].tolist() if x >= 0),
            tuple(self.outputs[x] for x in of["output"].tolist() if x >= 0),
            tuple(used.tolist()),
        )


def _named(name: str, content: bytes) -> C.TzNamedText:
    return C.TzNamedText(name.encode(errors="replace"), content, len(content))


def _read(*how: Any) -> Automaton:
    automaton = Automaton.__new__(Automaton)
    automaton._read(*how)
    return automaton


def _of_string(labels: tuple[str, ...], weights: str) -> Automaton:
    line = Automaton.__new__(Automaton)
    encoded = (c_char_p * (len(labels) + 1))(*(label.encode() for label in labels))
    handle = C.new_plain(C.lib.tz_automaton_of_string, encoded, len(labels), WEIGHTS.index(weights))
    line._take(handle, weights, _of_string, labels, weights)
    return line


def _array(address: int | None, count: int, kind: np.dtype[Any]) -> NDArray[Any]:
    """A copy of an array of the library's, as NumPy's."""
    if not count:
        return np.empty(0, kind)
    return np.frombuffer(ctypes.string_at(address, count * kind.itemsize), kind)
