"""Is what is wrong refused, with a message that says what and where?"""

from __future__ import annotations

import copy

import numpy as np
import pytest

import trapeze

EISNER, COMPRESS, CKY, EDIT = map(trapeze.rules, ("eisner", "compress", "cky", "edit"))
COIN = trapeze.rules(
    text="rules coin\nstructures derivations\nlength n\nweight side[z] 0 <= z <= 1\nitem at[i] 0 <= i <= n\ngoal at[n]\n\n"
    "  axiom\n  --- s\n  at[0]\n\n  at[i-1]\n  --- t * side[_]\n  at[i]\n"
)
ARC = np.zeros((5, 5))
GRAMMAR = trapeze.Grammar("S -> 'a' S [0.5] | 'b' [0.5]", weights="probabilities")
AUTOMATON = trapeze.Automaton("0 1 a 1\n1", weights="costs")
BINARY = (np.zeros((1, 3), np.int32), np.zeros(1))


def with_cell(value):
    arc = ARC.copy()
    arc[1, 2] = value
    return arc


def LIMITED(**limit):
    return COMPRESS.run("max", arc=ARC, bigram=np.zeros((5, 6)), **limit)


# fmt: off
@pytest.mark.parametrize(
    "kind, message, call",
    [
        # The arrays
        (trapeze.BadArgument, "needs scores for the weight 'bigram'", lambda: COMPRESS.run("max", arc=ARC)),
        (trapeze.BadArgument, "no weight 'ark'; its weights: arc", lambda: EISNER.run("max", ark=ARC)),
        (trapeze.BadArgument, "2 dimensions, or 3 for a batch, not 1", lambda: EISNER.run("max", arc=ARC[0])),
        (trapeze.BadArgument, "not 4", lambda: EISNER.run("max", arc=np.zeros((1, 1, 3, 3)))),
        (trapeze.BadArgument, "not 0", lambda: EISNER.run("max", arc=3.0)),
        (trapeze.BadArgument, "dimension 0 but 6 by arc's dimension 1", lambda: EISNER.run("max", arc=np.zeros((5, 7)))),
        (trapeze.BadArgument, "arc", lambda: EISNER.run("max", arc=ARC, lengths=7)),
        (trapeze.BadArgument, "problem 1.*arc", lambda: EISNER.run("max", arc=[ARC, ARC], lengths=[4, 5])),
        (trapeze.BadArgument, "no array", lambda: EISNER.run("max", arc=[[1.0], [1.0, 2.0]])),
        (trapeze.BadArgument, "not <U", lambda: EISNER.run("max", arc="scores")),
        (trapeze.BadArgument, "not object", lambda: EISNER.run("max", arc=None)),
        (trapeze.BadArgument, "arc 2, bigram 3 problems", lambda: COMPRESS.run("max", arc=np.zeros((2, 3, 3)), bigram=np.zeros((3, 3, 4)))),
        (trapeze.BadArgument, "arc 2, lengths 3 problems", lambda: EISNER.run("max", arc=[ARC, ARC], lengths=[4, 4, 4])),
        (trapeze.BadArgument, r"run\('max', arc=\.\.\.\), or in a mapping, not as ndarray alone", lambda: EISNER.run("max", ARC)),
        (trapeze.BadArgument, r"run\('log', binary=\.\.\., span=\.\.\.\).*not as list alone", lambda: CKY.run("log", [ARC])),
        # The numbers
        (trapeze.BadScore, r"(?i)arc\[1,2\].*nan", lambda: EISNER.run("max", arc=with_cell(np.nan))),
        (trapeze.BadScore, r"arc\[1,2\]", lambda: EISNER.run("log", arc=with_cell(np.inf))),
        (trapeze.BadScore, r"arc\[1,2\]", lambda: EISNER.run("log", arc=with_cell(1e300))),
        (trapeze.BadScore, r"problem 1: .*arc\[1,2\]", lambda: EISNER.run("log", arc=[ARC, with_cell(np.nan)])),
        (trapeze.BadScore, r"arc\[1,2\]", lambda: EISNER.run("log", arc=with_cell(1e31), precision="f32")),
        (trapeze.BadArgument, "arc is given twice", lambda: EISNER.run("max", {"arc": ARC}, arc=ARC)),
        (trapeze.BadArgument, "span is given twice", lambda: CKY.run("max", {"span": ARC}, span=ARC)),
        # Options that are numbers
        (trapeze.BadArgument, "within is a number of 0 or more, not -1", lambda: EISNER.run("max", arc=ARC, kbest=9, within=-1)),
        (trapeze.BadArgument, r"kbest is a whole number from 0 to 2\^64 - 1, not -1", lambda: EISNER.run("max", arc=ARC, kbest=-1)),
        (trapeze.BadArgument, r"samples is a whole number from 0 to 2\^64 - 1, not -1", lambda: EISNER.run("log", arc=ARC, samples=-1)),
        (trapeze.BadArgument, r"seed is a whole number from 0 to 2\^64 - 1, not 1.5", lambda: EISNER.run("log", arc=ARC, seed=1.5)),
        (trapeze.BadArgument, r"threads is a whole number from 0 to 2\^32 - 1, not -1", lambda: EISNER.run("log", arc=ARC, threads=-1)),
        (trapeze.BadArgument, r"seed is a whole number from 0 to 2\^64 - 1, not 18446744073709551616", lambda: EISNER.run("log", arc=ARC, samples=1, seed=2**64)),
        (trapeze.BadArgument, r"threads is .* not 4294967296", lambda: EISNER.run("log", arc=ARC, threads=2**32)),
        (trapeze.BadArgument, "keep is a whole number from 0 to 1048576, not 2.0", lambda: LIMITED(keep=2.0)),
        (trapeze.BadArgument, "keep is .* not '2'", lambda: LIMITED(keep="2")),
        (trapeze.BadArgument, r"keep is .* not \[1, 2\]", lambda: LIMITED(keep=[1, 2])),
        (trapeze.BadArgument, "keep is .* not 18446744073709551618", lambda: LIMITED(keep=2**64 + 2)),
        (trapeze.BadArgument, "keep is .* not -1", lambda: LIMITED(keep=-1)),
        (trapeze.BadArgument, "drop is .* not -1", lambda: LIMITED(drop=-1)),
        (trapeze.BadArgument, "rate: two shares of the words, 0 <= low <= high <= 1; not 0.5", lambda: LIMITED(rate=0.5)),
        (trapeze.BadArgument, r"rate: .* not \(0.5, 2\)", lambda: LIMITED(rate=(0.5, 2))),
        (trapeze.BadArgument, r"rate: .* not \(0.5, 0.25\)", lambda: LIMITED(rate=(0.5, 0.25))),
        (trapeze.BadArgument, r"rate: .* not \(0.5, nan\)", lambda: LIMITED(rate=(0.5, np.nan))),
        (trapeze.BadArgument, "the limits of kept: two amounts, low <= high; not 2", lambda: LIMITED(limits={"kept": 2})),
        (trapeze.BadArgument, r"a limit of kept is a whole number from 0 to 2\^63 - 1, not 2.5", lambda: LIMITED(limits={"kept": (1, 2.5)})),
        (trapeze.BadArgument, "limits is a mapping from resources to pairs of amounts, not list", lambda: LIMITED(limits=[1])),
        (trapeze.BadArgument, "curve is the name of a resource, not 5", lambda: LIMITED(curve=5)),
        (trapeze.BadArgument, "within is a number of 0 or more, not '1'", lambda: EISNER.run("max", arc=ARC, kbest=2, within="1")),
        (trapeze.BadArgument, "cost is a mapping from weights to arrays, not ndarray", lambda: EISNER.run("entropy", arc=ARC, cost=ARC)),
        (trapeze.BadArgument, "direction is a mapping from weights to arrays, not ndarray", lambda: EISNER.run("log", arc=ARC, direction=ARC)),
        (trapeze.BadArgument, "min_risk is a mapping from weights to gains, or True, not ndarray", lambda: EISNER.run("log", arc=ARC, min_risk=ARC)),
        (trapeze.BadArgument, "items is a list of names, not 5", lambda: EISNER.run("log", arc=ARC, items=5)),
        (trapeze.BadArgument, "forbid: a list of cells, not 5", lambda: EISNER.run("log", arc=ARC, forbid=5)),
        (trapeze.BadArgument, r"structure: arc\[0,9\] is outside the declared domain", lambda: EISNER.run("log", arc=ARC, structure=[("arc", 0, 9)])),
        (trapeze.BadArgument, "the length n is a whole number from 0 to 1048576, not 4294967299", lambda: EISNER.shape("arc", n=2**32 + 3)),
        (trapeze.BadArgument, "the length n is .* not 4294967298", lambda: EISNER.products(n=2**32 + 2)),
        (trapeze.BadArgument, "the length n is .* not -1", lambda: EISNER.check(n=-1)),
        (trapeze.BadArgument, "an index of arc is .* not 4294967297", lambda: COMPRESS.amount("kept", "arc", 0, 2**32 + 1, n=4)),
        (trapeze.BadArgument, "arc's dimension 0 is too small for any n", lambda: EISNER.run("max", arc=np.zeros((0, 0)))),
        (trapeze.BadArgument, "text is a str, not bytes", lambda: trapeze.rules(text=b"rules x")),
        (trapeze.BadArgument, "text is a str, not bytes", lambda: trapeze.Grammar(b"S", weights="uniform")),
        (trapeze.BadArgument, "text is a str, not bytes", lambda: trapeze.Automaton(b"0", weights="logs")),
        (trapeze.BadArgument, "most is a whole number", lambda: EISNER.grow("max", arc=ARC).kbest(-1)),
        (trapeze.BadArgument, "n is a whole number", lambda: EISNER.grow("max", arc=ARC).truncate(1.5)),
        (trapeze.BadArgument, "number is a whole number", lambda: GRAMMAR.sample(-1)),
        (trapeze.BadArgument, "seed is a whole number", lambda: GRAMMAR.sample(1, seed=2**64)),
        (trapeze.BadArgument, "k is a whole number", lambda: AUTOMATON.kbest(-1)),
        (trapeze.BadArgument, "samples is a whole number", lambda: AUTOMATON.sample(-1)),
        # Lengths
        (trapeze.BadArgument, "from 0 to 1048576, not 1048577", lambda: EISNER.run("max", arc=np.broadcast_to(0.0, (2**20 + 2, 2**20 + 2)))),
        (trapeze.BadArgument, "problem 1: n is 1 by", lambda: EISNER.run("max", arc=[ARC, ARC[:2]])),
        (trapeze.BadArgument, "from 0 to 1048576, not -1", lambda: EISNER.run("max", arc=ARC, lengths=-1)),
        (trapeze.BadArgument, "not 1048577", lambda: EISNER.run("max", arc=ARC, lengths=2**20 + 1)),
        (trapeze.BadArgument, "not -3", lambda: EISNER.run("max", arc=[ARC, ARC], lengths=[4, -3])),
        (trapeze.BadArgument, "whole numbers, not float64", lambda: EISNER.run("max", arc=ARC, lengths=4.0)),
        (trapeze.BadArgument, "whole numbers", lambda: EISNER.run("max", arc=ARC, lengths="4")),
        (trapeze.BadArgument, "one dimension", lambda: EISNER.run("max", arc=ARC, lengths=[[4]])),
        (trapeze.BadArgument, "lengths", lambda: EISNER.run("max", arc=ARC, lengths=[[4], [4, 4]])),
        (trapeze.BadArgument, "has no length 'm'; its lengths: n", lambda: EISNER.run("max", arc=ARC, lengths={"m": 4})),
        (trapeze.BadArgument, "has 2 lengths", lambda: EDIT.run("max", dict.fromkeys(EDIT.weights, ARC), lengths=4)),
        (trapeze.BadArgument, "differ in size", lambda: EDIT.run("max", dict.fromkeys(EDIT.weights, ARC), lengths=dict(zip(EDIT.lengths, ([1, 2], [1, 2, 3]))))),
        # Sparse weights
        (trapeze.BadArgument, "binary is sparse: give a pair", lambda: CKY.run("max", span=np.zeros((2, 2, 2)), binary=np.zeros((2, 2, 2)))),
        (trapeze.BadArgument, r"integer array \[entries, 3\]", lambda: CKY.run("max", span=np.zeros((2, 2, 2)), binary=(np.zeros((1, 2), int), np.zeros(1)))),
        (trapeze.BadArgument, "integer array", lambda: CKY.run("max", span=np.zeros((2, 2, 2)), binary=(np.zeros((1, 3)), np.zeros(1)))),
        (trapeze.BadArgument, "1 entries cannot have scores of shape", lambda: CKY.run("max", span=np.zeros((2, 2, 2)), binary=(np.zeros((1, 3), int), np.zeros(2)))),
        (trapeze.BadArgument, "does not fit 32 bits", lambda: CKY.run("max", span=np.zeros((2, 2, 2)), binary=(np.full((1, 3), 2**40), np.zeros(1)))),
        # What is asked
        (trapeze.BadArgument, "maximum", lambda: EISNER.run("maximum", arc=ARC)),
        (trapeze.BadArgument, "kbest", lambda: EISNER.run("kbest(0)", arc=ARC)),
        (trapeze.BadArgument, "precision is 'f64' or 'f32', not 'f16'", lambda: EISNER.run("max", arc=ARC, precision="f16")),
        (trapeze.Law, "marginals takes a semiring of probabilities, such as log; not max", lambda: EISNER.run("max", arc=ARC, marginals=True)),
        (trapeze.Law, "best takes a semiring that picks", lambda: EISNER.run("log", arc=ARC, best=True)),
        (trapeze.Law, "leave out the required facts", lambda: EISNER.run("required(max)", arc=ARC, kbest=2)),
        (trapeze.Law, "k best under semiring semiring: its sum takes the smaller", lambda: EISNER.run("element x\nzero inf\none 0\nplus min(a,b)\ntimes a+b\nlaws commutative idempotent path exact\n", arc=ARC, kbest=2)),
        (trapeze.Law, "use one of them more often", lambda: COIN.run("log", side=np.zeros(2), lengths=2, structure=[("side", 0), ("side", 1)])),
        (trapeze.Law, "kbest takes", lambda: EISNER.run("log", arc=ARC, kbest=2)),
        (trapeze.Law, "min_risk takes", lambda: EISNER.run("max", arc=ARC, min_risk=True)),
        (trapeze.Law, "cost takes", lambda: EISNER.run("log", arc=ARC, cost={"arc": ARC})),
        (trapeze.Law, "samples takes a semiring that sums", lambda: EISNER.run("max", arc=ARC, samples=2)),
        (trapeze.Law, "limits on a resource", lambda: COMPRESS.run("log", arc=ARC, bigram=np.zeros((5, 6)), keep=2)),
        (trapeze.BadArgument, "one limit at a time", lambda: COMPRESS.run("max", arc=ARC, bigram=np.zeros((5, 6)), keep=2, drop=2)),
        (trapeze.BadArgument, "the nearest rates are 0.25", lambda: COMPRESS.run("max", arc=ARC, bigram=np.zeros((5, 6)), rate=(0.3, 0.4))),
        (trapeze.BadArgument, "resource", lambda: EISNER.run("max", arc=ARC, keep=2)),
        (trapeze.Ambiguous, "ambiguous", lambda: trapeze.rules("skip-note").run("log", arc=ARC, skip=np.zeros(5))),
        (trapeze.BadArgument, "forbid: arc has 2 indices, not 1", lambda: EISNER.run("max", arc=ARC, forbid=[("arc", 1)])),
        (trapeze.BadArgument, "forbid: a cell is such as", lambda: EISNER.run("max", arc=ARC, forbid=["arc"])),
        (trapeze.BadArgument, "an index value is a whole number from .* not 1.5", lambda: EISNER.run("max", arc=ARC, forbid=[("arc", 1.5, 2)])),
        (trapeze.BadArgument, "outside the declared domain", lambda: EISNER.run("max", arc=ARC, forbid=[("arc", 1, 9)])),
        (trapeze.BadArgument, "no weight 'ark'", lambda: EISNER.run("max", arc=ARC, require=[("ark", 1, 2)])),
        (trapeze.BadArgument, "forbid: a list for each of the 2 problems", lambda: EISNER.run("max", arc=[ARC, ARC], forbid=[("arc", 1, 2)])),
        (trapeze.BadArgument, "structure.*not None", lambda: EISNER.run("log", arc=ARC, structure=[("arc", None, 2)])),
        # Rules
        (trapeze.BadArgument, r"no built-in rule set 'eisne'; did you mean 'eisner'\? There are align, align-far", lambda: trapeze.rules("eisne")),
        (trapeze.BadArgument, r"no built-in rule set 'x'; a file is told by file=, or by \.rules at its end", lambda: trapeze.rules("x")),
        (trapeze.BadArgument, "give them as text=", lambda: trapeze.rules("rules x\nlength n\n")),
        (trapeze.CannotRead, "no-such.rules", lambda: trapeze.rules("no-such.rules")),
        (trapeze.CannotRead, "no/such", lambda: trapeze.rules("no/such")),
        (trapeze.BadArgument, "give the name", lambda: trapeze.rules()),
        (trapeze.BadArgument, "give the name", lambda: trapeze.rules(text="", file="x")),
        (trapeze.BadRules, "mine:1:1", lambda: trapeze.rules("mine", text="rule x\n")),
        (trapeze.CannotRead, "no/such.rules", lambda: trapeze.rules(file="no/such.rules")),
        (trapeze.BadArgument, "no weight 'ark'", lambda: EISNER.shape("ark", n=3)),
        (trapeze.BadArgument, "give the lengths n", lambda: EISNER.shape("arc", m=3)),
        (trapeze.BadArgument, "sparse", lambda: CKY.shape("binary", n=3, T=2)),
        (trapeze.BadArgument, "the length n is a whole number from 0 to 1048576, not -3", lambda: EISNER.shape("arc", n=-3)),
        (trapeze.BadArgument, "kept", lambda: EISNER.charge("kept")),
        (trapeze.BadArgument, "no length is called 'h': edit has n, m", lambda: EDIT.check(h=0)),
        (trapeze.BadArgument, r"rules\.charge\(NAME\) makes rules that count", lambda: EISNER.run("resource(kept,3)", arc=ARC)),
        (trapeze.BadArgument, "no resource 'kept'", lambda: EISNER.amount("kept", "arc", 0, 1, n=3)),
    ],
)
# fmt: on
def test_refusals(kind, message, call):
    with pytest.raises(kind, match=message) as caught:
        call()
    assert isinstance(caught.value, trapeze.Error)
    assert isinstance(caught.value, (ValueError, OSError))
    # And nothing is broken by it.
    assert EISNER.run("count", arc=ARC).value == 55


def test_a_question_that_fails_ends_the_run(monkeypatch):
    """What is raised while the library calls Python arrives at the caller."""
    calls = []

    def raising(self, *_):
        calls.append(1)
        raise KeyboardInterrupt

    monkeypatch.setattr(trapeze.Derivation, "__init__", raising)
    with pytest.raises(KeyboardInterrupt):
        EISNER.run("max", arc=np.zeros((3, 5, 5)), best=True)
    assert len(calls) == 1


def test_results_of_one_problem_are_no_sequence():
    result = EISNER.run("max", arc=ARC)
    with pytest.raises(TypeError):
        len(result)
    with pytest.raises(IndexError):
        EISNER.run("max", arc=[ARC])[1]
    assert copy.copy(result).value == result.value


def test_none_of_many():
    """No sentences, and no derivations, are asked for as any other number is."""
    assert GRAMMAR.next([]) == GRAMMAR.best([]) == GRAMMAR.kbest([], 2) == []
    assert GRAMMAR.next_log_probs([]).shape == GRAMMAR.allowed([]).shape == (0, 3)
    np.testing.assert_array_equal(GRAMMAR.next_log_probs(["a"])[0], GRAMMAR.next_log_probs("a"))
    assert GRAMMAR.kbest("a b", 0) == GRAMMAR.sample_trees("a b", 0) == GRAMMAR.sample(0) == []
    assert GRAMMAR.kbest(["a b", "b"], 0) == [[], []]
    assert AUTOMATON.kbest(0) == AUTOMATON.kbest(0, True) == AUTOMATON.sample(0) == []


def test_numbers_of_any_type():
    """Of NumPy as of Python, and the same; truth values are whole numbers."""
    for kind in (int, np.int64, np.uint8):
        assert LIMITED(keep=kind(2)).limited.amount == 2
        assert EISNER.shape("arc", n=kind(3)) == (4, 4)
        assert EISNER.run("log", arc=ARC, samples=kind(2), seed=kind(3)).samples == EISNER.run("log", arc=ARC, samples=2, seed=3).samples


def test_check_counts_sparse_weights_as_full():
    assert CKY.check(5) == [1, 4, 32, 320, 3584]  # as `trapeze rules check cky`
    assert trapeze.rules("cky").check(3, T=1) == [1, 1, 2]
