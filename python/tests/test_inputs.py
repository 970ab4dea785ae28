"""Rules with inputs: numbers, names and strings; tables tied to positions."""

import itertools
import json
import os
import subprocess

import numpy as np
import pytest

import trapeze

HMM = """
rules   hmm
length  n, T, V
names   T  B I
names   V  a c g
input   x[i] < V     1 <= i <= n
weight  start[a]     0 <= a < T
weight  trans[a,b]   0 <= a < T, 0 <= b < T
weight  emit[a,v]    0 <= a < T, 0 <= v < V
item    state[i,a]   1 <= i <= n, 0 <= a < T
item    done
goal    done

    axiom
    --- first  * start[a] * emit[a,x[1]]
    state[1,a]

    state[i-1,a]
    --- then  * trans[a,b] * emit[b,x[i]]
    state[i,b]

    state[n,_]
    --- finish
    done
"""

rng = np.random.default_rng(1)
TABLES = {"start": rng.normal(size=2), "trans": rng.normal(size=(2, 2)), "emit": rng.normal(size=(2, 3))}


@pytest.fixture(scope="module")
def hmm():
    return trapeze.rules(text=HMM)


def spread(x):
    """The scores of chain for these numbers."""
    emit = np.full((len(x) + 1, 2), np.nan)
    emit[1:] = TABLES["emit"][:, x].T
    return {**TABLES, "emit": emit}


def test_declared(hmm):
    assert list(hmm.inputs) == ["x"] and hmm.inputs["x"].rank == 1
    assert hmm.labels == {"T": ("B", "I"), "V": ("a", "c", "g")}
    assert hmm.check(4) == [2, 4, 8, 16]


def test_as_spread(hmm):
    x = np.array([2, 0, 1, 0, 0])
    tied = hmm.run("log", x=x, **TABLES, marginals=True)
    wide = trapeze.rules("chain").run("log", spread(x), marginals=True)
    assert tied.value == wide.value
    counts = np.zeros((2, 3))
    np.add.at(counts.T, x, wide.marginals["emit"][1:])
    np.testing.assert_allclose(tied.marginals["emit"], counts, rtol=0, atol=1e-14)


def test_ways_to_give(hmm):
    numbers = hmm.run("log", x=[2, 0, 1, 0], **TABLES).value
    for x in ["gaca", np.array([2, 0, 1, 0], np.uint8), list("gac") + [0]]:
        assert hmm.run("log", x=x, **TABLES).value == numbers
    padded = np.array([[2, 0, 1, 0], [0, 1, 99, -1]])
    batch = hmm.run("log", x=padded, **TABLES, lengths={"n": [4, 2], "T": 2, "V": 3}, marginals=True)
    listed = hmm.run("log", x=["gaca", "ac"], **TABLES, marginals=True)
    arrays = hmm.run("log", x=[padded[0], padded[1, :2]], **TABLES)
    assert batch.value.tolist() == listed.value.tolist() == arrays.value.tolist()
    assert batch.value[0] == numbers
    assert listed.marginals["emit"].shape == (2, 2, 3)
    np.testing.assert_allclose(listed.marginals["emit"].sum((1, 2)), [4, 2])


def test_sequences_of_names(hmm):
    """Strings as people have them: empty, in arrays, as bytes."""
    letters = hmm.run("log", x=["gaca", "ac"], **TABLES)
    several = ["gaca", "ac"]
    for x in (np.array(several), np.array(several, object), np.array(several, "S"), tuple(several)):
        assert hmm.run("log", x=x, **TABLES).value.tolist() == letters.value.tolist()
    for x in (np.array("gaca"), b"gaca", np.array([2, 0, 1, 0], object)):
        assert hmm.run("log", x=x, **TABLES).value == letters.value[0]
    rows = [list("gaca"), list("acaa")]
    pair = hmm.run("log", x=["gaca", "acaa"], **TABLES).value.tolist()
    for x in (np.array(rows), rows, [np.array(rows[0]), np.array(rows[1])]):
        assert hmm.run("log", x=x, **TABLES).value.tolist() == pair
    words = trapeze.rules(text=HMM.replace("a c g", "the dog ran"))
    named = words.run("log", x=np.array(["ran", "the", "dog", "the"]), **TABLES).value
    assert named == letters.value[0]
    with pytest.raises(trapeze.BadArgument, match="names of one character each, which x has not"):
        words.run("log", x="", **TABLES)


def test_empty_strings():
    rules = trapeze.rules(text="""
rules   letters
length  n, V
names   V A C
input   x[i] < V  1 <= i <= n
weight  w[v]  0 <= v < V
item    at[i]  0 <= i <= n
goal    at[n]

axiom
--- begin
at[0]

at[i-1]
--- step * w[x[i]]
at[i]
""")
    w = [1.0, 2.0]
    assert rules.run("max", x="", w=w).value == 0
    assert rules.run("max", x=["", "AC", ""], w=w).value.tolist() == [0, 3, 0]
    assert rules.run("max", x=np.array(["AC", ""]), w=w).value.tolist() == [3, 0]
    with pytest.raises(trapeze.BadArgument, match="'c' is no name; there are: A C"):
        rules.run("max", x=["AC", "c"], w=w)


def test_tables_of_tables_of_names():
    """An input of two indices."""
    rules = trapeze.rules(text="""
rules   grid
length  n, V
names   V  no yes
input   x[i,j] < V  0 <= i < n, 0 <= j < n
weight  w[v]  0 <= v < V
item    at[i]  0 <= i <= n
goal    at[n]

axiom
--- begin
at[0]

at[i]
--- step * w[x[i,j]]
at[i+1]
""")
    x = [["no", "yes"], ["yes", "yes"]]
    expected = rules.run("log", x=[[0, 1], [1, 1]], w=[1.0, 2.0]).value
    for given in (x, np.array(x), np.array(x, object)):
        assert rules.run("log", x=given, w=[1.0, 2.0]).value == expected
    for batch in ([x, [["yes"]]], [np.array(x), np.array([[1]])]):
        assert rules.run("log", x=batch, w=[1.0, 2.0]).value.tolist() == [expected, 2]


def test_refused(hmm):
    for x, message in [
        ("gaxa", "'x' is no name; there are: a c g"),
        ([0, 5], r"x\[2\] is 5: it must be from 0 to 2"),
        ([0.5, 1], "whole numbers"),
        ([[[0]]], "an array of 1 dimensions, not 2"),
    ]:
        with pytest.raises(trapeze.BadArgument, match=message):
            hmm.run("log", x=x, **TABLES)
    with pytest.raises(trapeze.BadArgument, match="needs the numbers of the input 'x'"):
        hmm.run("log", **TABLES)


def test_facts_by_name(hmm):
    free = hmm.run("max", x="gaca", **TABLES, kbest=99).kbest
    known = hmm.run("max", x="gaca", **TABLES, kbest=99, forbid=[("emit", "B", "a")]).kbest
    without = [d for d in free if (0, 0) not in map(tuple, d.index("emit").tolist())]
    assert [d.score for d in known] == [d.score for d in without] and len(known) == 4


def test_names_in_answers(hmm):
    best = hmm.run("max", x="gac", **TABLES, best=True).best
    cells = best.cells
    assert [(name, *index) for name, *index in cells if name == "emit"] == [
        ("emit", hmm.labels["T"][a], hmm.labels["V"][v]) for a, v in best.index("emit").tolist()
    ]
    assert f"emit[{','.join(cells[-1][1:])}]" in repr(best)
    forbidden = hmm.run("max", x="gac", **TABLES, kbest=99, forbid=[cells[-1]]).kbest
    assert forbidden and all(cells[-1] not in other.cells for other in forbidden)


def test_command(hmm, tmp_path):
    """JSON by names, and NumPy arrays, give the same."""
    rules, lines, arrays = tmp_path / "hmm.rules", tmp_path / "p.jsonl", tmp_path / "p.npz"
    rules.write_text(HMM)
    tables = {name: table.tolist() for name, table in TABLES.items()}
    lines.write_text(
        json.dumps({"n": 4, "x": "gaca", **tables})
        + "\n"
        + json.dumps({"n": 2, "x": ["a", 1], **tables})
        + "\n"
    )
    padded = np.array([[2, 0, 1, 0], [0, 1, 9, 9]])
    batch = {name: np.stack([table, table]) for name, table in TABLES.items()}
    np.savez(arrays, n=[4, 2], x=padded, **batch)

    def run(*options):
        command = [os.environ["TRAPEZE_COMMAND"], "run", "-r", str(rules), *options]
        return subprocess.run(command, capture_output=True, text=True)

    shown = [json.loads(line) for line in run("-s", "max", "--best", str(lines)).stdout.splitlines()]
    best = hmm.run("max", x=["gaca", "ac"], **TABLES, best=True)
    assert [one["value"] for one in shown] == best.value.tolist()
    names = {"start": "T", "trans": "TT", "emit": "TV"}
    for one, derivation in zip(shown, best.best):
        uses = [
            [use.weight, *(hmm.labels[l][i] for l, i in zip(names[use.weight], use.index)), use.score]
            for use in derivation.uses
        ]
        assert one["best"]["weights"] == uses
    out = tmp_path / "out.npz"
    done = run("-s", "log", "--marginals", "-o", str(out), str(arrays))
    assert done.returncode == 0, done.stderr
    found, want = np.load(out), hmm.run("log", x=["gaca", "ac"], **TABLES, marginals=True)
    assert found["value"].tolist() == want.value.tolist()
    assert np.array_equal(found["marginals.emit"], want.marginals["emit"])
    for x, said in [
        ("gaxa", 'x[3]: "x" is no name of V\'s: those are a c g'),
        (list("gaxa"), 'x[3]: "x" is no name of V\'s: those are a c g'),
        ([2, 0, 0.5, 0], "x[3]: expected a whole number from 0, not 0.5"),
        ([2, 0, 3, 0], "x[3] is 3: it must be from 0 to 2"),  # the same element, read in both ways
    ]:
        lines.write_text(json.dumps({"n": 4, "x": x, **tables}))
        refused = run("-s", "max", str(lines))
        assert refused.returncode == 1 and said in refused.stderr


def test_gradient(hmm):
    torch = pytest.importorskip("torch")
    from trapeze import torch as losses

    x = torch.tensor([[2, 0, 1, 0], [0, 0, 0, 1]])
    tables = [torch.tensor(t, requires_grad=True) for t in TABLES.values()]

    def log_z(*tables):
        return losses.log_partition(hmm, x=x, **dict(zip(TABLES, tables)))

    assert torch.autograd.gradcheck(log_z, tables)
    assert torch.autograd.gradgradcheck(log_z, tables)
    (counts,) = torch.autograd.grad(log_z(*tables).sum(), tables[2:])
    want = hmm.run("log", x=x.numpy(), **TABLES, marginals=True).marginals["emit"].sum(0)
    np.testing.assert_allclose(counts.numpy(), want, atol=1e-14)


def test_drawn(hmm, tmp_path):
    """Where a table is used stands in the proof tree: Python has it, the command asks for it."""
    emit = np.array([[3.0, 0, 0], [0, 2, 2]])  # B gives a, I gives c and g
    tables = {"start": np.zeros(2), "trans": np.zeros((2, 2)), "emit": emit}
    best = hmm.run("max", x="acg", **tables, best=True).best
    assert [line.split() for line in best.draw().splitlines() if line] == [["1", "2", "3"], ["B", "I", "I"]]
    assert ">I</text>" in best.svg()
    rules, problem, result = tmp_path / "hmm.rules", tmp_path / "p.jsonl", tmp_path / "r.jsonl"
    rules.write_text(HMM)
    given = {name: table.tolist() for name, table in tables.items()}
    problem.write_text(json.dumps({"n": 3, "x": "acg", **given}) + "\n")
    command = os.environ["TRAPEZE_COMMAND"]

    def drawn(*options):
        run = [command, "run", "-r", str(rules), "-s", "max", *options, str(problem)]
        result.write_bytes(subprocess.run(run, capture_output=True, check=True).stdout)
        draw = [command, "draw", "-r", str(rules), "--no-captions", str(result)]
        return subprocess.run(draw, capture_output=True, text=True)

    assert drawn("--best", "--derivation").stdout == best.draw()
    without = drawn("--best")
    assert without.returncode == 1 and "`trapeze run` --best --derivation" in without.stderr
    tree = subprocess.run([command, "draw", "--derivation", str(result)], capture_output=True, text=True)
    assert tree.returncode == 1  # there is none
    drawn("--best", "--derivation")
    tree = subprocess.run([command, "draw", "--derivation", str(result)], capture_output=True, text=True)
    assert "state[3,I]" in tree.stdout
    text = result.read_text().replace('"first"', '"then"')
    result.write_text(text)
    wrong = subprocess.run([command, "draw", "-r", str(rules), str(result)], capture_output=True, text=True)
    assert wrong.returncode == 1 and "the proof tree is none of hmm" in wrong.stderr


def test_drawn_pairs():
    """A fold by its proof tree: what two looked-up bases are used together is a pair."""
    pairs = np.full((2, 2), -np.inf)
    pairs[0, 1] = pairs[1, 0] = 0
    energies = {
        "hairpin": pairs[:, :, None] + np.full(11, -4.0),
        "stack": pairs[:, :, None, None] + pairs + 9,
        "closing": pairs, "branch": pairs,
        "loop": np.full((3, 3), -2.0), "branching": -4.0, "free": 0.0,
    }  # fmt: skip
    rules = trapeze.rules("gallery/folding")
    best = rules.run("max", energies, x=[0, 0, 0, 0, 0, 1, 1], lengths={"n": 7, "V": 2, "L": 2}, best=True).best
    assert best.draw().splitlines()[-1].split() == list("1234567")
    assert best.draw().count("┌") == 2 and best.svg().startswith("<svg")


def all_labellings(x):
    """Scores of all labellings, by their labels."""
    codes = ["acg".index(symbol) for symbol in x]
    scores = {}
    for labels in itertools.product((0, 1), repeat=len(x)):
        score = TABLES["start"][labels[0]] + TABLES["emit"][labels[0], codes[0]]
        for i in range(1, len(x)):
            score += TABLES["trans"][labels[i - 1], labels[i]] + TABLES["emit"][labels[i], codes[i]]
        scores[labels] = score
    return scores


@pytest.mark.parametrize("known", [
    ({"forbid": [("state", 2, "I")]}, lambda a: a[1] == 0),
    ({"require": [("state", 3, "I")]}, lambda a: a[2] == 1),
    ({"require": [("state", 2, 0), [("start", "B"), ("state", 1, "I")]], "forbid": [("state", 3, 1)]},
     lambda a: a[1] == 0 and a[2] == 0),
    ({"forbid": [("state", 2, None)]}, lambda a: False),
])
def test_items_as_facts(hmm, known):
    facts, agrees = known
    scores = {a: s for a, s in all_labellings("gaca").items() if agrees(a)}
    log = hmm.run("log", x="gaca", **TABLES, **facts, marginals=True, items=["state"])
    best = hmm.run("max", x="gaca", **TABLES, **facts, best=True).best
    assert hmm.run("count", x="gaca", **TABLES, **facts).value == len(scores)
    if not scores:
        assert log.value == -np.inf and best is None
        return
    total = np.logaddexp.reduce(list(scores.values()))
    np.testing.assert_allclose(log.value, total, rtol=0, atol=1e-12)
    wanted = np.zeros((5, 2))
    for labels, score in scores.items():
        wanted[range(1, 5), list(labels)] += np.exp(score - total)
    np.testing.assert_allclose(log.item_marginals["state"], wanted, rtol=0, atol=1e-12)
    labels = max(scores, key=scores.get)
    np.testing.assert_allclose(best.score, scores[labels], rtol=0, atol=1e-12)
    assert [step.index[0] for step in best.path if step.weight == "emit"] == list(labels)
    sides = hmm.run("required(log)", x="gaca", **TABLES, **facts, items=["state"], marginals=True)
    np.testing.assert_allclose(sides.value, total, rtol=0, atol=1e-12)
    np.testing.assert_allclose(sides.item_marginals["state"], wanted, rtol=0, atol=1e-12)


def test_bad_items(hmm):
    with pytest.raises(trapeze.BadArgument, match="state has 2 indices, not 1"):
        hmm.run("max", x="ga", **TABLES, forbid=[("state", 1)])
    with pytest.raises(trapeze.BadArgument, match="state\\[3,0\\] lies outside"):
        hmm.run("max", x="ga", **TABLES, forbid=[("state", 3, 0)])
    with pytest.raises(trapeze.BadArgument, match="no name; there are: B I"):
        hmm.run("max", x="ga", **TABLES, forbid=[("state", 1, "X")])
    with pytest.raises(trapeze.BadArgument, match="use its cells 2 times"):
        hmm.run("max", x="ga", **TABLES, require=[("state", None, "B")])
    with pytest.raises(trapeze.BadArgument, match="no weight 'state'"):
        hmm.run("log", x="ga", **TABLES, structure=[("state", 1, 0)])


def test_path(hmm):
    scores = all_labellings("gacag")
    found = hmm.run("max", x="gacag", **TABLES, kbest=3)
    drawn = hmm.run("log", x="gacag", **TABLES, samples=3, seed=2).samples
    for derivation in found.kbest + drawn:
        path = derivation.path
        assert sorted((step.weight, step.index) for step in path) == \
            sorted((use.weight, use.index) for use in derivation.uses)
        assert [step.weight for step in path] == ["start", "emit"] + 4 * ["trans", "emit"]
        emits = [step for step in path if step.weight == "emit"]
        assert [step.at for step in emits] == [(1,), (2,), (3,), (4,), (5,)]
        assert ["acg"[step.index[1]] for step in emits] == list("gacag")
        labels = tuple(step.index[0] for step in emits)
        np.testing.assert_allclose(derivation.score, scores[labels], rtol=0, atol=1e-12)
        assert all(step.at == () for step in path if step.weight != "emit")
    arcs = trapeze.rules("eisner").run("max", arc=rng.normal(size=(4, 4)), best=True).best
    assert sorted(step.index for step in arcs.path) == [use.index for use in arcs.uses]


def test_labels_that_a_relation_names_and_a_problem_has_not():
    """Of a table that is looked up, no cell beyond its labels is read."""
    rules = trapeze.rules(text="""
rules   few-labels
structures derivations
length  n, T, V
relation next[a,b]  (0,0) (0,1) (1,0)
input   x[i] < V   1 <= i <= n
weight  emit[a,v]  0 <= a < T, 0 <= v < V
weight  arc[a,b] sparse  0 <= a < T, 0 <= b < T
item    seen[i]    0 <= i <= n
item    at[i]      0 <= i <= n
goal    at[n]

    axiom
    --- see   * emit[b,x[i]] * arc[a,b]  if i > 0, next[b,a]
    seen[i]

    axiom
    --- begin
    at[0]

    at[i-1]  [seen[i]]
    --- step
    at[i]
""")
    beyond = np.full((40, 4), np.nan)
    beyond[0, :2] = 1, 2
    arrays = {"x": [0, 1, 0], "emit": beyond[:1, :2], "arc": (np.array([[0, 0]]), np.zeros(1))}
    assert rules.run("log", arrays, lengths={"n": 3, "T": 1, "V": 2}).value == 0
