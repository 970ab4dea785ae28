"""The law of sessions: at every length one answers as run does, for rule sets and arrays by chance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from law import AMOUNT, SEED, chance, differ, few
from law_rules import Kind, _bound, cells, known, random_kind, random_lengths

import trapeze
from trapeze._axes import axes_of

# Domains of all kinds: empty at first, in front of which positions stand, whose cells are added in the
# middle, that end at another length, that move, that get smaller.
DOMAINS = Kind("domains", """rules domains
structures derivations
length n, m, V
input y[i,j] < V  0 <= i, 0 <= j, i+j <= n
weight gap[i]  0 < i < n
weight late[i]  3 <= i <= n-2
weight near[i]  0 <= i <= n, i <= m
weight far[i,j]  0 <= i, 0 <= j, i+j <= n
weight pair[i,j]  1 <= i < j <= n
weight span[i,j]  1 <= i <= j <= n
weight move[d]  -n <= d <= n
weight last[i]  n-2 <= i <= n
weight rest[i]  0 <= i <= m-n
weight word[v]  0 <= v < V
item at[i]  0 <= i <= n
goal at[n]

    axiom
    ---- begin
    at[0]

    at[i-1]
    ---- gap * gap[i]  if i < n
    at[i]

    at[i-1]
    ---- late * late[i]  if 3 <= i <= n-2
    at[i]

    at[i-1]
    ---- near * near[i]  if i <= m
    at[i]

    at[i]
    ---- far * far[i,j-i]  if i < j
    at[j]

    at[i]
    ---- pair * pair[i,j] * span[i,j]  if 1 <= i < j
    at[j]

    at[i]
    ---- move * move[j-i]  if i < j
    at[j]

    at[i-1]
    ---- last * last[i]  if i >= n-2
    at[i]

    at[i-1]
    ---- rest * rest[i]  if i <= m-n
    at[i]

    at[i-1]
    ---- word * word[y[0,i]] * word[y[i-1,1]]
    at[i]
""")  # fmt: skip


class Trial:
    """Cells of all lengths from 0 to most of one of them, and a session that goes up and down."""

    def __init__(self, kind: Kind, length: str, number: int) -> None:
        self.rng = rng = chance("grow", kind.name, kind.resource, length, number)
        self.kind, self.rules, self.length = kind, kind.rules(), length
        self.most = 4 if length[0].isupper() else 7
        self.others = random_lengths(rng, self.rules, 4)
        self.scale = -3 if "\nclosure" in kind.text else rng.choice([1, 30])
        names = [*self.rules.inputs, *(name for name, weight in self.rules.weights.items() if not weight.sparse)]
        self.first = {name: self.smallest(name) for name in names}
        rows = [self.row(n) for n in range(self.most + 1)]
        axes = [axes_of(self.rules, row, self.rules.lengths.index(length)) for row in rows]
        self.wholes = {name for name in names if all(of[name].whole for of in axes if name in of)}
        self.cells: dict[str, np.ndarray] = {}
        self.entries: dict[str, Any] = {}
        for name in names:
            boxes = [self.rules._box(name, row) for row in rows]
            extents = [max(box.end[q] for box in boxes) - f for q, f in enumerate(self.first[name])]
            self.cells[name] = self.drawn(name, extents)
        for name, weight in self.rules.weights.items():
            if weight.sparse:  # entries do not grow
                some = cells(kind, name, dict(zip(self.rules.lengths, rows[-1])))
                some = [cell for cell in some if all(self.rules._declared(name, row, cell) for row in rows)]
                index = np.array(some, np.int32).reshape(-1, weight.rank)
                self.entries[name] = (index, self.drawn(name, len(index)))

    def smallest(self, name: str) -> list[int]:
        return [min(origin) for origin in zip(*[self.rules._box(name, self.row(n)).origin for n in range(self.most + 1)])]

    def row(self, n: int) -> tuple[int, ...]:
        return tuple(n if name == self.length else other for name, other in self.others.items())

    def drawn(self, name: str, shape: Any) -> np.ndarray:
        if name in self.rules.inputs:
            least = min((_bound(self.rules, name, np.array(self.row(n))) for n in range(1, self.most + 1)))
            return self.rng.integers(0, max(1, least), shape, np.int32)
        found = self.rng.normal(size=shape)
        return np.asarray(self.scale - abs(found) if self.scale < 0 else self.scale * found)

    def array(self, name: str, n: int, old: int = -1, more: int = 0) -> np.ndarray:
        """For length n, and shorter ones; what nobody may read is NaN or 99: so are cells of length `old`,
        and `more` positions behind. What grows position by position has all cells of each."""
        box = self.rules._box(name, self.row(n))
        lengths = range(n + 1 if name in self.wholes else self.most + 1)
        ret = np.full([e + more for e in box.extent], 99 if name in self.rules.inputs else np.nan)
        for at in np.ndindex(*box.extent):
            index = tuple(map(sum, zip(at, box.origin)))
            there = any(self.rules._declared(name, self.row(n), index) for n in lengths)
            if there and not (old >= 0 and self.rules._declared(name, self.row(old), index)):
                ret[at] = self.cell(name)[tuple(i - f for i, f in zip(index, self.first[name]))]
        return ret.astype(int) if name in self.rules.inputs else ret

    def cell(self, name: str) -> np.ndarray:
        return self.cells[name]

    def ends(self, name: str, old: int, n: int, axis: int) -> np.ndarray:
        """What stands at the last n - old positions."""
        box = self.rules._box(name, self.row(n))
        part = np.full([n - old if q == axis else e for q, e in enumerate(box.extent)], 0.0)
        for at in np.ndindex(*part.shape):
            index = [i + o + (box.extent[q] - n + old if q == axis else 0) for q, (i, o) in enumerate(zip(at, box.origin))]
            place = tuple(i - f for i, f in zip(index, self.first[name]))
            if min(place) >= 0:
                part[at] = self.cells[name][place]
        return part.astype(int) if name in self.rules.inputs else part


def growing(kinds):
    for kind in kinds:
        lengths = [name for name in kind.rules().lengths if name not in kind.rules().labels]
        for length in lengths:
            yield kind, length


@pytest.mark.filterwarnings("ignore::trapeze.RulesWarning")
def test_law():
    """At every length, up and down, value, best and marginals are those of run, in bits and shapes: for
    arrays as the rules ask for, larger ones, and those of the domain alone."""
    every = [DOMAINS] * int(3 * AMOUNT) + few("grow", 30, known())
    every += [random_kind(chance("grow", k), k) for k in range(int(12 * AMOUNT))]
    compared = refused = 0
    for number, (kind, length) in enumerate(growing(every)):
        trial = Trial(kind, length, number)
        made, said = follow(trial)
        compared, refused = compared + made, refused + said
    print(f"TZ_SEED={SEED}: {compared} compared, {refused} refused")
    assert compared > 2 * refused


def follow(trial):
    rng, rules, length = trial.rng, trial.rules, trial.length
    l = rules.lengths.index(length)
    now = least = int(rng.integers(0, 3))
    mine, alone = {}, set()
    for name in trial.cells:
        box = rules._box(name, trial.row(now))
        form = rng.choice(["exact", "larger", "alone"])
        mine[name] = trial.array(name, now, more=2 if form == "larger" else 0)
        if form == "alone" and any(box.front):
            alone.add(name)
            mine[name] = mine[name][tuple(slice(f, None) for f in box.front)]
    semiring = str(rng.choice(["log", "max"]))
    lengths = dict(zip(rules.lengths, trial.row(now)))
    options = {"precision": str(rng.choice(["f64", "f32"])), "force": True}
    session = rules.grow(semiring, {**mine, **trial.entries}, lengths=lengths, **options)
    compared = refused = 0
    history = []
    for _ in range(7):
        what = f"{trial.kind.name} {length} {semiring} {options} {lengths} {history} {alone}\n{trial.kind.text}"
        try:
            whole = rules.run(semiring, {**mine, **trial.entries}, lengths=lengths, **options,
                              marginals=semiring == "log", best=semiring == "max")  # fmt: skip
        except trapeze.Error as error:
            with pytest.raises(type(error)):
                session.value
            refused += 1
        else:
            assert np.float64(session.value).tobytes() == np.float64(whole.value).tobytes(), what
            if semiring == "max":
                assert not differ(session.best, whole.best), what
            else:
                found = session.marginals
                assert list(found) == list(whole.marginals), what
                for name, array in whole.marginals.items():
                    assert found[name].shape == array.shape, f"{name} {found[name].shape} {array.shape} {what}"
                    assert found[name].tobytes() == array.tobytes(), f"{name} {found[name].tolist()} {array.tolist()} {what}"
            compared += 1
        before = now
        now = int(rng.integers(least, trial.most + 1))
        if rng.random() < 0.2:
            session = session.copy()
        given = {}
        if now <= before:
            session.truncate(now, length)
        else:
            for name, axis in session._axes(l).items():
                if name not in mine:
                    continue
                if axis.whole:
                    given[name] = trial.array(name, now, before if rng.random() < 0.3 else -1)
                    front = rules._box(name, trial.row(now)).front
                    if any(front):
                        alone.discard(name)
                        if now == before + 1 and rng.random() < 0.5:  # else cells between may never be given
                            alone.add(name)
                            given[name] = given[name][tuple(slice(f, None) for f in front)]
                else:
                    given[name] = trial.ends(name, before, now, axis.dimension)
                    if now == before + 1 and rng.random() < 0.5:
                        given[name] = given[name].take(0, axis.dimension)
            if given:
                session.append(given, length=length)
            while session.lengths[length] < now:
                session.append(length=length)
        history.append(now)
        boxes = {name: [rules._box(name, trial.row(n)) for n in (before, now)] for name in mine}
        for name, (one, other) in boxes.items():
            if one != other or name in given:
                mine[name] = trial.array(name, now)
                if name in alone:
                    mine[name] = mine[name][tuple(slice(f, None) for f in other.front)]
        lengths = dict(zip(rules.lengths, trial.row(now)))
    return compared, refused
