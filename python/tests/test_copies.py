"""Copies and pickles: nothing of the library's is freed twice, and what comes back is the same."""

from __future__ import annotations

import copy
import gc
import importlib
import inspect
import os
import pickle
import pkgutil
import random
import subprocess

import numpy as np
import pytest

import trapeze
from trapeze._facts import Facts
from trapeze._own import Owner

gc.freeze()  # what is imported need not be looked through each time

WAYS = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
}
MADE_NOT = "cannot be copied so, nor pickled: "
TOY = "S -> 'a' S [0.5] | 'b' [0.5]"


def classes():
    """Those of the package that are not gone when their last reference is: whatever frees something."""
    found = set()
    for module in pkgutil.iter_modules(trapeze.__path__):
        try:
            made = importlib.import_module(f"trapeze.{module.name}")
        except ImportError:
            continue  # without PyTorch
        of_it = [one for _, one in inspect.getmembers(made, inspect.isclass)]
        found.update(one for one in of_it if one.__module__ == made.__name__)
    return found


OWNERS = {one.__name__: one for one in classes() if hasattr(one, "__del__") or issubclass(one, Owner)}


def session():
    made = trapeze.rules("eisner").grow("max", arc=np.zeros((3, 3)))
    made.value
    return made


def words():
    made = trapeze.Grammar(TOY, weights="probabilities").session("a")
    made.next()
    return made


def facts():
    from trapeze._bind import Problems

    rules = trapeze.rules("eisner")
    problems = Problems(rules, {"arc": np.zeros((3, 3))}, None)
    made = Facts(problems, None, [("arc", 0, 1)])
    made.forbid_instead(problems, rules._handle)
    assert made._handles
    return made


MADE = {
    "Rules": (lambda: trapeze.rules("eisner"), lambda one: one.run("max", arc=np.zeros((3, 3))).value),
    "Session": (session, lambda one: one.value),
    "GrammarSession": (words, lambda one: (one.words, one.next())),
    "Grammar": (lambda: trapeze.Grammar(TOY, weights="probabilities"), lambda one: one.log_prob("a b")),
    "Automaton": (lambda: trapeze.Automaton("0 1 a\n1", weights="logs"), lambda one: one.log_prob("a")),
    "Semiring": (lambda: trapeze.rules("eisner")._plan("max", "f64", False).semiring, lambda one: one.numbers),
    "Plan": (lambda: trapeze.rules("eisner")._plan("max", "f64", False), lambda one: one.semiring.text),
    "_Charts": (lambda: trapeze._plan._Charts(MADE["Plan"][0]().handle), lambda one: one.handle > 0),
    "_Chart": (lambda: session()._chart, lambda one: one.handle > 0),
    "Limiter": (lambda: trapeze.rules("compress")._limiter("kept", "f64", False), lambda one: one.handle > 0),
    "Facts": (facts, lambda one: len(one.required)),
}
NONE_MADE = {"Owner", "RuleSet", "Model"}  # what has no objects, and what test_model.py looks at


def test_owners_are_known():
    """A class that frees something is an Owner, and has a line above."""
    assert {"Plan", "Session", "Automaton", "Model"} <= set(OWNERS)
    assert all(issubclass(one, Owner) for one in OWNERS.values())
    assert set(OWNERS) == set(MADE) | NONE_MADE


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", MADE)
def test_copies_of_owners(name, way):
    """Each is refused with what to do instead, or is another that answers the same when the first is gone."""
    make, answer = MADE[name]
    one = make()
    expected = answer(one)
    try:
        again = WAYS[way](one)
    except TypeError as error:
        assert name in str(error) and MADE_NOT in str(error)
        again = one
    del one
    gc.collect()
    assert answer(again) == expected
    del again
    gc.collect()
    assert answer(make()) == expected


def test_sessions_tell_how():
    of_rules, of_grammar = session(), words()
    with pytest.raises(TypeError, match=r"session.copy\(\) goes on from there"):
        pickle.dumps(of_rules)
    other = copy.copy(of_rules)
    assert other is not of_rules and other.truncate(1).value == 0 and of_rules.lengths == {"n": 2}
    for way in WAYS.values():
        other = way(of_grammar)
        other.append("b")
        assert (other.words, of_grammar.words) == (["a", "b"], ["a"])


LABELS = ["0", "<eps>", "1", "-", "a", "e\u0301", "\u00e4", "\v", "\f", "\u00a0", "'", "<0>", "Infinity", "#"]


def a_table(rng, nothing):
    """A symbol table of awkward names, some of which no arc has; its names, and that of nothing."""
    names = rng.sample(LABELS, rng.randint(3, len(LABELS)))
    numbers = rng.sample(range(1, 40), len(names))
    lines = [f"{name} {number}" for name, number in zip(names, numbers)]
    first = names[0] if nothing else None
    if nothing:
        lines[0] = f"{first} 0"
    rng.shuffle(lines)
    return "\n".join(lines), names, first


def an_automaton(rng, weights, transducer):
    """Labels of nothing where a table has such; final states among the arcs."""
    nothing = rng.random() < 0.7
    tables = [a_table(rng, nothing) for _ in range(1 + transducer)]
    lines = []
    for _ in range(rng.randint(0, 7)):
        labels = [rng.choice(names) for _, names, _ in tables]
        begin, end = rng.choice([(0, 1), (0, 2), (1, 2), (2, 3), (1, 3)])
        lines.append(" ".join([str(begin), str(end), *labels, *rng.choice([[], [repr(rng.uniform(0.1, 2))]])]))
    lines += rng.sample(["0", "1 0.5", "2 0.25", "3"], rng.randint(1, 4))
    rng.shuffle(lines)
    given = dict(zip(("inputs", "outputs"), [text for text, _, _ in tables]))
    return trapeze.Automaton("\n".join(lines), weights=weights, transducer=transducer, **given), given


def is_same(one, other):
    for part in ("transducer", "states", "inputs", "outputs", "start", "finals", "arcs"):
        assert getattr(one, part) == getattr(other, part), part
    assert one.show() == other.show()


@pytest.mark.parametrize("weights", ["costs", "logs", "probabilities"])
@pytest.mark.parametrize("transducer", [False, True])
def test_automata_come_back(rng, weights, transducer):
    """Of a pickle the same in every bit, composed ones as well; of what is shown, with the same tables."""
    rng = random.Random(int(rng.integers(2**31)))
    for _ in range(20):
        one, given = an_automaton(rng, weights, transducer)
        other, _ = an_automaton(rng, weights, transducer)
        for way in WAYS.values():
            is_same(way(one), one)
            is_same(way(one @ other), one @ other)
            is_same(way(one.reading(one.inputs[:2])), one.reading(one.inputs[:2]))
        shown = trapeze.Automaton(one.show(), weights=weights, transducer=transducer, **given)
        is_same(shown, one)
        assert shown.total() == one.total()
        called_nothing = any(" 0\n" in f"{table}\n" for table in given.values())
        if not called_nothing and not {"0", "<eps>"} & {*one.inputs, *one.outputs}:
            plain = trapeze.Automaton(one.show(), weights=weights, transducer=transducer)
            assert (plain.arcs, plain.finals, plain.states) == (one.arcs, one.finals, one.states)


@pytest.mark.skipif("TRAPEZE_COMMAND" not in os.environ, reason="there is no command")
@pytest.mark.parametrize(("table", "warns"), [("<eps> 0\n0 1\n1 2", True), ("- 0\n1 1", True), ("<eps> 0\n1 2", False)])
def test_what_is_shown_with_tables(tmp_path, table, warns):
    """The command says where its text is another automaton without them."""
    nothing, label = table.split()[0], table.split()[-2]
    other = "0" if "\n0 1" in table else label
    (tmp_path / "table").write_text(table)
    (tmp_path / "text").write_text(f"0 1 {other} 1.5\n1 2 {label} 1\n1 2 {nothing} 2\n2")
    command = [os.environ["TRAPEZE_COMMAND"], "automaton", "show", "-w", "costs", "--inputs", tmp_path / "table"]
    first = subprocess.run([*command, tmp_path / "text"], capture_output=True, text=True, check=True)
    assert ("without the same symbol tables" in first.stderr) == warns
    (tmp_path / "shown").write_text(first.stdout)
    second = subprocess.run([*command, tmp_path / "shown"], capture_output=True, text=True, check=True)
    assert second.stdout == first.stdout and f"\t{nothing}\t2" in first.stdout
