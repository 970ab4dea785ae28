"""Rule sets of all kinds, and problems for them, by chance: what test_batch_law.py asks through every
door."""

from __future__ import annotations

import itertools
import pathlib
import re
from ctypes import byref, c_int32, c_int64
from typing import Any, NamedTuple

import numpy as np

import trapeze
from trapeze import _library as C

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "rules"


class Kind(NamedTuple):
    """A rule set as text; resource: with an account of that."""

    name: str
    text: str
    resource: str = ""

    def rules(self) -> trapeze.Rules:
        """A new one, which has evaluated nothing."""
        rules = trapeze.rules(self.name, text=self.text)
        return rules.charge(self.resource) if self.resource else rules

    def charged(self) -> list[Kind]:
        return [self._replace(resource=one) for one in trapeze.rules(text=self.text).resources[:1]]


def known() -> list[Kind]:
    """All that are built in, and the gallery."""
    files = sorted(FOLDER.glob("*.rules")) + sorted(FOLDER.glob("gallery/*.rules"))
    return [Kind(str(file.relative_to(FOLDER).with_suffix("")), file.read_text()) for file in files]


# ---- Random rule sets ----------------------------------------------------------------------------

# A weight's declaration, and a use of it at position i with labels a and b; what it is an example of.
# Where there is a second position, j, its uses have it as well.
WEIGHTS = {
    "place[i,a]  0 <= i <= n, 0 <= a < T": ["place[i,a]", "place[i,b]"],
    "few[i,a] sparse  0 <= i <= n, 0 <= a < T": ["few[i,b]"],
    "lone": ["lone", "lone * lone"],  # tied
    "pair[a,b]  0 <= a < T, 0 <= b < T": ["pair[a,b]", "pair[b,a]"],
    "arc[a,b] sparse  0 <= a < T, 0 <= b < T": ["arc[a,b]"],
    "emit[a,v]  0 <= a < T, 0 <= v < V": ["emit[b,x[i]]", "emit[a,z]", "emit[b,y[i,j]]", "emit[b,x[i]] * emit[a,x[i+1]]"],
    "word[v] sparse  0 <= v < V": ["word[x[i]]", "word[x[i]] * word[x[1]]"],
    "same[v,w]  0 <= v < V, 0 <= w < V": ["same[x[i],x[i-1]]", "same[x[j],x[i]]", "same[y[i,j],z]"],
    "sum[i,j]  0 <= i <= n, 0 <= j <= n": ["sum[i,k]", "sum[i,j]"],
    "edge[i,j]  0 <= i <= n, 1 <= j <= n": ["edge[i+1,n-i]", "edge[p,q]", "edge[n-i,i]"],  # not at all lengths
}  # fmt: skip
INPUTS = {
    "x[": "x[i] < V  1 <= i <= n",
    "y[": "y[i,j] < V  0 <= i <= n, 0 <= j <= n",
    "z]": "z < V",
    "z,": "z < V",
}
CONDITIONS = ["i != 2", "next[a,b]", "i <= n-1", "a <= b", "0 <= k < 2", "i > 0, next[b,a]"]
RELATION = "relation next[a,b]  (0,0) (0,1) (1,0) (2,1) (2,2)\n"

# Rules without weights and conditions: premises, name, conclusion. {} is where a side condition may be.
CHAIN = (
    "item at[i,a]  0 <= i <= n, 0 <= a < T\nitem done\ngoal done\n",
    [("axiom", "begin", "at[0,a]"), ("at[n,_]", "end", "done")],
    [
        ("at[i-1,a]{}", "step", "at[i,b]"),
        ("at[i-2,a]{}", "leap", "at[i,b]"),
        ("axiom", "enter", "at[i,b]"),
        ("at[i-1,a]  at[0,b]{}", "both", "at[i,b]"),
        ("at[n,0]  at[n,a]", "twice", "done"),
    ],
)
SPANS = (
    "item at[i,j,a]  0 <= i < j <= n, 0 <= a < T\nitem done\ngoal done\n",
    [("axiom", "leaf", "at[i,i+1,a]"), ("at[0,n,_]", "end", "done")],
    [
        ("at[i,k,a]  at[k,j,b]{}", "join", "at[i,j,b]"),
        ("at[i,j-1,a]{}", "right", "at[i,j,b]"),
        ("at[i+1,j,a]{}", "left", "at[i,j,b]"),
        ("axiom", "span", "at[i,j,b]"),
    ],
)
GRID = (
    "item at[i,j]  0 <= i <= n, 0 <= j <= n\ngoal at[n,n]\n",
    [("axiom", "begin", "at[0,0]")],
    [
        ("at[i-1,j-1]{}", "both", "at[i,j]"),
        ("at[i-1,j]{}", "down", "at[i,j]"),
        ("at[i,j-1]{}", "along", "at[i,j]"),
        ("at[i-2,j]{}", "far", "at[i,j]"),
    ],
)
SEEN = "item seen[i]  0 <= i <= n\n"
SEE = ("axiom", "see", "seen[i]")
# A circle among labels. Going round must not gain: problems of closures have scores below 0.
AROUND = ("at[i,a]", "around", "at[i,b]")


def random_kind(rng: np.random.Generator, number: int) -> Kind:
    """Rules that are read; drawn again until they are."""
    for attempt in itertools.count():
        kind = Kind(f"random-{number}", _random_text(rng))
        try:
            if kind.rules().weights:
                return kind
        except trapeze.BadRules:
            assert attempt < 1000


def _random_text(rng: np.random.Generator) -> str:
    items, always, others = [CHAIN, SPANS, GRID][rng.integers(3)]
    rules = [*always, *[one for one in others if rng.random() < 0.6]]
    side = rng.random() < 0.3
    closed = items is CHAIN[0] and rng.random() < 0.35
    if side:
        items += SEEN
        rules.append(SEE)
    if closed:
        items += "closure at\n"
        rules.append(AROUND)
    used: set[str] = set()
    body, relation = "", False
    for premises, name, conclusion in rules:
        weights, declared = _random_weights(rng, name)
        used |= declared
        condition = CONDITIONS[rng.integers(len(CONDITIONS))] if rng.random() < 0.25 else ""
        relation |= "next" in condition
        where = "  [seen[i]]" if side and rng.random() < 0.5 else ""
        body += f"    {premises.format(where)}\n    ---- {name}{weights}"
        body += f"  if {condition}\n" if condition else "\n"
        body += f"    {conclusion}\n\n"
    inputs = {line for sign, line in INPUTS.items() if sign in body}
    text = "rules   by-chance\nstructures derivations\nlength  n, T, V\n" + (RELATION if relation else "")
    text += "".join(f"input   {line}\n" for line in sorted(inputs))
    text += "".join(f"weight  {line}\n" for line in sorted(used)) + items
    charged = [line for line in sorted(used) if line.startswith(("place", "few", "lone", "sum"))]
    if charged and rng.random() < 0.5:
        text += f"resource kept {charged[0].split('  ')[0].replace(' sparse', '')} 1\n"
    return text + "\n" + body


def _random_weights(rng: np.random.Generator, name: str) -> tuple[str, set[str]]:
    """Of a rule: as they stand behind its name, and the declarations of these."""
    count = rng.integers(1, 4) if name == "around" else rng.integers(0, 4)
    chosen = [list(WEIGHTS)[w] for w in rng.choice(len(WEIGHTS), count, replace=False)]
    uses = [WEIGHTS[line][rng.integers(len(WEIGHTS[line]))] for line in chosen]
    return "".join(f" * {use}" for use in uses), set(chosen)


# ---- Problems ------------------------------------------------------------------------------------


class Problem(NamedTuple):
    lengths: dict[str, int]
    #: Weights, of sparse ones pairs (index, scores), and inputs.
    arrays: dict[str, Any]


def random_lengths(rng: np.random.Generator, rules: trapeze.Rules, most: int = 5) -> dict[str, int]:
    """Few labels, and positions up to most; or fewer, where many uses lie outside their domains."""
    most = int(rng.choice([1, 2, most, most]))
    return {
        name: len(rules.labels[name]) if name in rules.labels
        else int(rng.integers(1, 4)) if name[0].isupper() else int(rng.integers(0, most + 1))
        for name in rules.lengths
    }  # fmt: skip


def random_problem(
    rng: np.random.Generator,
    kind: Kind,
    rules: trapeze.Rules,
    lengths: dict[str, int],
    like: Problem | None = None,
) -> Problem:
    """like: has the same entries of sparse weights, with other scores."""
    closed = "\nclosure" in kind.text
    scale = rng.choice([1, 1, 30, 2000])  # the last needs elements of any size
    holes = rng.choice([0, 0.15])
    row = np.array([lengths[name] for name in rules.lengths])

    def scores(shape: Any) -> np.ndarray:
        found = scale * rng.normal(size=shape)
        if closed:
            found = -3 - abs(found)
        return np.where(rng.random(shape) < holes, -np.inf, found)

    arrays: dict[str, Any] = {}
    for name, weight in rules.weights.items():
        if weight.sparse:
            if like is not None:
                index = like.arrays[name][0]
            else:
                some = [cell for cell in cells(kind, name, lengths) if rng.random() < 0.8]
                index = np.array(some, np.int32).reshape(-1, weight.rank)
            arrays[name] = (index, scores(len(index)))
        else:
            arrays[name] = scores(rules._dense_shape(name, row))
    for name in rules.inputs:
        bound = _bound(rules, name, row)
        arrays[name] = rng.integers(0, max(bound, 1), rules._dense_shape(name, row), np.int32)
    return Problem(lengths, arrays)


def _bound(rules: trapeze.Rules, name: str, row: np.ndarray) -> int:
    """Numbers of an input are below it."""
    shape, bound = C.TzShape(), c_int64()
    given = (c_int32 * len(row))(*row)
    status = C.lib.tz_rules_input_shape(
        rules._handle, rules.inputs[name].number, given, byref(shape), byref(bound)
    )
    C.check(status)
    return bound.value


def cells(kind: Kind, weight: str, lengths: dict[str, int]) -> list[tuple[int, ...]]:
    """All of a weight's domain, as its declaration says."""
    line = re.search(rf"^weight\s+{weight}\b(?:\[([^]]*)\])?(?:\s+sparse)?\s*([^#\n]*)", kind.text, re.M)
    assert line is not None
    names = line[1].split(",")
    domain = re.sub(r"(?<![<>!])=", "==", line[2].replace(",", " and "))
    holds = eval(f"lambda {line[1]}, {', '.join(lengths)}: {domain}")
    most = max(lengths.values(), default=0) + 2
    every = itertools.product(range(most), repeat=len(names))
    return [cell for cell in every if holds(*cell, **lengths)]
