"""Automata as text: answers beside those of plain Python on the arcs as they are written."""

from __future__ import annotations

import collections
import json
import math
import os
import pickle
import re
import subprocess

import numpy as np
import pytest

import trapeze

LABELS = ["a", "b", "<eps>"]


def random_text(rng, cyclic, transducer=False, states=5, arcs=9):
    """Costs; parallel arcs and labels of nothing included."""
    lines = []
    for _ in range(arcs):
        a, b = sorted(rng.choice(states, 2, replace=False))
        if cyclic and rng.random() < 0.4:
            a, b = rng.integers(states, size=2)
        label = " ".join(rng.choice(LABELS, 1 + transducer))
        lines.append(f"{a} {b} {label} {rng.uniform(1.5, 4):.3f}")
    lines.sort(key=lambda line: line[0] != "0")
    finals = {states - 1, int(rng.integers(states))}
    return "0 0 b 3\n" * cyclic + "\n".join(lines) + "".join(f"\n{s} {s / 7:.2f}" for s in finals)


def random_transducer(rng, cyclic=False):
    text = random_text(rng, cyclic, True).replace("0 0 b 3\n", "0 0 b a 3\n")
    return trapeze.Automaton(text, weights="costs", transducer=True)


def all_paths(automaton):
    """(score, input, output, arcs) of each: of automata without circles."""
    leaving = collections.defaultdict(list)
    for number, arc in enumerate(automaton.arcs):
        leaving[arc.source].append((number, arc))
    found, left = [], [(automaton.start, 0.0, (), (), ())]
    while left:
        state, score, x, y, arcs = left.pop()
        if state in automaton.finals:
            found.append((score + automaton.finals[state], x, y, arcs))
        for number, arc in leaving[state]:
            more = x + (arc.input,) * (arc.input is not None), y + (arc.output,) * (arc.output is not None)
            left.append((arc.target, score + arc.score, *more, (*arcs, number)))
    return found


def log_sum(scores):
    return float(np.logaddexp.reduce(scores)) if len(scores) else -np.inf


def counts_of(automaton, paths):
    counts, value = np.zeros(len(automaton.arcs)), log_sum([p[0] for p in paths])
    for score, _, _, arcs in paths:
        np.add.at(counts, list(arcs), np.exp(score - value))
    return counts


@pytest.mark.parametrize("number", range(20))
def test_enumeration(rng, number):
    rng = np.random.default_rng([int(rng.integers(2**31)), number])
    automaton = random_transducer(rng)
    paths = all_paths(automaton)
    ranked = sorted(paths, key=lambda p: -p[0])
    assert automaton.total() == pytest.approx(log_sum([p[0] for p in paths]), abs=1e-12)
    found = automaton.kbest(1000)
    assert [p.score for p in found] == pytest.approx([p[0] for p in ranked], abs=1e-12)
    by_arcs = {p[3]: p for p in paths}
    for path in found + automaton.sample(5, seed=number):
        score, x, y, _ = by_arcs[path.arcs]
        assert (path.input, path.output) == (x, y) and path.score == pytest.approx(score, abs=1e-12)
    assert len({path.arcs for path in found}) == len(paths)
    assert automaton.best() == (found[0] if found else None)
    best = {}
    for score, x, y, _ in ranked:
        best.setdefault((x, y), score)
    for k in (1, 3, 1000):
        distinct = automaton.kbest(k, distinct=True)
        assert [p.score for p in distinct] == pytest.approx(list(best.values())[:k], abs=1e-12)
        assert len({(p.input, p.output) for p in distinct}) == len(distinct)
    assert automaton.expected_counts() == pytest.approx(counts_of(automaton, paths), abs=1e-12)
    strings = sorted({p[1] for p in paths})
    all_counts = np.zeros(len(automaton.arcs))
    for x in strings:
        own = [p for p in paths if p[1] == x]
        assert automaton.log_prob(x) == pytest.approx(log_sum([p[0] for p in own]), abs=1e-12)
        all_counts += counts_of(automaton, own)
        assert automaton.expected_counts(x) == pytest.approx(counts_of(automaton, own), abs=1e-12)
    if strings:
        assert automaton.expected_counts(strings) == pytest.approx(all_counts, abs=1e-11)
    other = random_transducer(rng)
    pairs = collections.defaultdict(list)
    for score, x, y, _ in paths:
        for more, read, z, _ in all_paths(other):
            if read == y:
                pairs[x, z].append(score + more)
    composed = automaton @ other
    own = collections.defaultdict(list)
    for score, x, z, _ in all_paths(composed):
        own[x, z].append(score)
    assert {k: sorted(v) for k, v in own.items()} == {
        k: pytest.approx(sorted(v), abs=1e-12) for k, v in pairs.items()
    }


def linear(automaton, allowed=lambda arc: True):
    """The sum over all paths, by a plain linear solver."""
    place = {state: i for i, state in enumerate(automaton.states)}
    matrix = np.eye(len(place))
    for arc in automaton.arcs:
        matrix[place[arc.source], place[arc.target]] -= np.exp(arc.score) * allowed(arc)
    end = np.array([np.exp(automaton.finals.get(state, -np.inf)) for state in automaton.states])
    return np.linalg.solve(matrix, end)[place[automaton.start]]


@pytest.mark.parametrize("number", range(12))
def test_circles(rng, number):
    rng = np.random.default_rng([int(rng.integers(2**31)), number])
    automaton = random_transducer(rng, True)
    assert np.exp(automaton.total()) == pytest.approx(linear(automaton), rel=1e-9)
    first = automaton.best()
    assert first is None or [p.score for p in automaton.kbest(3)][0] == first.score
    step = 1e-6
    slopes = []
    for at in range(len(automaton.arcs)):
        value = []
        for sign in (1, -1):
            moved = [arc._replace(score=arc.score + sign * step * (i == at)) for i, arc in enumerate(automaton.arcs)]
            value.append(math.log(max(linear(_Moved(automaton, moved)), 1e-300)))
        slopes.append((value[0] - value[1]) / (2 * step))
    if first is not None:
        assert automaton.expected_counts() == pytest.approx(slopes, abs=1e-6)
    other = random_transducer(rng, True)
    composed = automaton.compose(other)
    assert np.exp(composed.total()) == pytest.approx(linear(composed), rel=1e-9, abs=1e-300)


class _Moved:
    """An automaton with other arcs."""

    def __init__(self, automaton, arcs):
        self.states, self.start, self.finals, self.arcs = automaton.states, automaton.start, automaton.finals, arcs


@pytest.mark.parametrize("number", range(8))
def test_gallery(rng, number):
    """The score of a string is that by gallery/epsilon; a lattice's composition that of the gallery."""
    rng = np.random.default_rng([int(rng.integers(2**31)), number])
    automaton = trapeze.Automaton(random_text(rng, True), weights="costs")
    place = {state: i for i, state in enumerate(automaton.states)}
    count = len(place), len(automaton.inputs)
    arc, epsilon = np.full((count[0], count[1], count[0]), -np.inf), np.full((count[0], count[0]), -np.inf)
    for one in automaton.arcs:
        i, j = place[one.source], place[one.target]
        if one.input is None:
            epsilon[i, j] = np.logaddexp(epsilon[i, j], one.score)
        else:
            at = i, automaton.inputs.index(one.input), j
            arc[at] = np.logaddexp(arc[at], one.score)
    final = [automaton.finals.get(state, -np.inf) for state in automaton.states]
    jumps = np.argwhere(epsilon > -np.inf).astype(np.int32)
    for n in range(4):
        x = rng.integers(count[1], size=n).astype(np.int32)
        value = trapeze.rules("gallery/epsilon").run(
            "log",
            {"arc": arc, "epsilon": (jumps, epsilon[tuple(jumps.T)]), "final": np.array(final)},
            x=x,
            lengths={"n": n, "Q": count[0], "V": count[1]},
        ).value
        assert automaton.log_prob(tuple(automaton.inputs[i] for i in x)) == pytest.approx(value, abs=1e-9)
    lattice = [(0, 1, 0), (0, 1, 1), (1, 2, 0), (0, 2, 1), (1, 2, 1)]
    score = rng.normal(size=len(lattice))
    names = automaton.inputs + ["b", "x"]
    text = "\n".join(f"{p} {r} {names[x]} {s!r}" for (p, r, x), s in zip(lattice, score.tolist()))
    plain = np.argwhere(arc > -np.inf).astype(np.int32)
    value = trapeze.rules("gallery/composition").run(
        "log",
        {
            "lattice": (np.array([(p, x, r) for p, r, x in lattice], np.int32), score),
            "automaton": (plain, arc[tuple(plain.T)]),
            "final": np.array(final),
        },
        lengths={"n": 2, "Q": count[0], "V": max(count[1], 2)},
    ).value
    kept = [line for line in automaton.show().splitlines() if "<eps>" not in line or line[0] == "0"]
    without = "\n".join(line.replace("<eps>", "never") for line in kept)
    reader = trapeze.Automaton(without, weights="costs")
    both = trapeze.Automaton(text + "\n2", weights="logs") @ reader
    assert both.total() == pytest.approx(value, abs=1e-9)


def test_text(rng):
    automaton = random_transducer(rng, True)
    again = trapeze.Automaton(automaton.show(), weights="costs", transducer=True)
    assert again.total() == pytest.approx(automaton.total(), abs=1e-12)
    assert pickle.loads(pickle.dumps(automaton)).show() == again.show()
    numbers = trapeze.Automaton("0 1 1 2\n1 1 3 1\n1 0.5", weights="probabilities", inputs="a 1\nb 2\n1 5\n3 4\n- 0")
    assert numbers.finals == {"1": math.log(0.5)} and numbers.inputs == ["a", "b", "1", "3"]
    nothing = trapeze.Automaton("0 1 a", weights="costs")
    assert nothing.total() == -np.inf and nothing.best() is None and nothing.kbest(2) == []
    assert nothing.sample(2) == [] and nothing.expected_counts().tolist() == [0]
    assert nothing.compose(nothing).show() == "0\tInfinity\n"


def test_batch(rng):
    """A list of strings is answered as each by itself, in every bit."""
    automaton = random_transducer(rng, True)
    strings = [tuple(rng.choice(automaton.inputs, n)) for n in range(6)]
    assert automaton.log_prob(strings).tolist() == [automaton.log_prob(x) for x in strings]


def test_errors():
    with pytest.raises(trapeze.BadRules, match=re.escape("arcs:1:7: 'b' is no cost")):
        trapeze.Automaton("0 1 a b", weights="costs", name="arcs")
    with pytest.raises(trapeze.BadArgument, match="weights"):
        trapeze.Automaton("0", weights="cost")
    with pytest.raises(trapeze.CannotRead):
        trapeze.Automaton(file="not there", weights="logs")
    automaton = trapeze.Automaton("0 0 a -0.1\n0", weights="costs")
    with pytest.raises(trapeze.UnknownWord, match="label 2: 'b' is read by no arc") as error:
        automaton.log_prob("a b")
    assert error.value.word == "b"
    with pytest.raises(trapeze.Diverges):
        automaton.total()
    ambiguous = trapeze.Automaton("0 0 <eps> 0.001\n0 1 a\n1", weights="costs")
    with pytest.raises(trapeze.TooLarge, match="paths have 1 strings"):
        ambiguous.kbest(2, distinct=True)


def test_large():
    """A path of 20,000 arcs, each with another one beside it: linear time."""
    lines = [f"{i} {i + 1} {x} {0.5 + j}" for i in range(20_000) for j, x in enumerate("ab")]
    automaton = trapeze.Automaton("\n".join(lines) + "\n20000", weights="costs")
    assert automaton.total() == pytest.approx(20_000 * math.log(math.exp(-0.5) + math.exp(-1.5)), rel=1e-12)
    assert automaton.best().arcs == tuple(range(0, 40_000, 2))
    assert [p.score for p in automaton.kbest(3)] == [-10_000, -10_001, -10_001]
    ring = "\n".join(f"{i} {(i + 1) % 5001} a 1" for i in range(5001)) + "\n7"
    ring = trapeze.Automaton(ring, weights="costs")
    assert ring.largest_component == 5001 and ring.best().score == -7
    with pytest.raises(trapeze.TooLarge, match="5001 states need one another"):
        ring.total()


# ---- The command ---------------------------------------------------------------------------------


COMMAND = os.environ.get("TRAPEZE_COMMAND", "")
needs_command = pytest.mark.skipif(not COMMAND, reason="TRAPEZE_COMMAND names the command")


def command(*arguments):
    return subprocess.run([COMMAND, "automaton", *map(str, arguments)], capture_output=True, encoding="utf-8")


def as_json(automaton, path):
    said = {"score": path.score, "input": list(path.input)}
    if automaton.transducer:
        said["output"] = list(path.output)
    return {**said, "arcs": list(path.arcs)}


@needs_command
@pytest.mark.parametrize("number", range(6))
def test_command(rng, number, tmp_path):
    """The command answers as Python does, in every bit."""
    rng = np.random.default_rng([int(rng.integers(2**31)), number])
    automaton = random_transducer(rng, number % 2 == 1)
    file = tmp_path / "a.txt"
    file.write_text(automaton.show())
    automaton = trapeze.Automaton(file=file, weights="costs", transducer=True)
    form = "-t", "-w", "costs"
    string = automaton.sample(1)[0].input if automaton.best() else ()
    for own, more in ((automaton, ()), (automaton.reading(string), ("--string", " ".join(string)))):
        out = command("paths", *form, "--best", "--kbest=4", "--distinct", "--sample=3", "--seed=7", "--counts", *more, file)
        assert out.stderr == ""
        found = json.loads(out.stdout)
        total = own.total()
        assert found["total"] == (total if total > -np.inf else None)
        best = own.best()
        assert found["best"] == (best and as_json(own, best))
        assert found["kbest"] == [as_json(own, path) for path in own.kbest(4, distinct=True)]
        assert found["samples"] == [as_json(own, path) for path in own.sample(3, seed=7)]
        assert found["counts"] == automaton.expected_counts(string if more else None).tolist()
    assert command("show", *form, file).stdout == automaton.show()
    assert command("compose", *form, file, file).stdout == automaton.compose(automaton).show()


@needs_command
def test_command_errors(tmp_path):
    file, table = tmp_path / "a.txt", tmp_path / "table"
    file.write_text("0 1 a 1\n1 0 - 1\n1")
    table.write_text("- 0\na 1\n")
    short = tmp_path / "short"
    short.write_text("0 1 a")
    assert "the largest has 2 states" in command("check", "-w", "costs", "--inputs", table, file).stdout
    for arguments, code, message in (
        (("paths", file), 2, "say what the numbers are"),
        (("paths", "-w", "costs"), 2, "which automaton?"),
        (("paths", "-w", "costs", "-t", short), 1, "short:1:1: 3 columns"),
        (("paths", "-w", "logs", file), 1, "gains without end"),
        (("paths", "-w", "costs", "--string=b", file), 1, "label 1: 'b' is read by no arc"),
        (("show", "-w", "costs", "--outputs", table, file), 1, "an acceptor has one symbol table"),
        (("compose", "-w", "costs", file), 2, "which automaton?"),
        (("show", "-w", "costs", tmp_path / "none"), 1, "none"),
    ):
        out = command(*arguments)
        assert out.returncode == code and message in out.stderr and out.stdout == "", (arguments, out)
