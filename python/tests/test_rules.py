"""What do rule sets tell of themselves?"""

from __future__ import annotations

import inspect
import pathlib
import pickle
import re
import shutil
import subprocess
import sys
import warnings

import numpy as np
import pytest

import trapeze

SOURCE = pathlib.Path(__file__).parents[2]


def test_builtin():
    names = trapeze.builtin()
    assert names == sorted(path.stem for path in (SOURCE / "rules").glob("*.rules"))
    for name in names:
        one = trapeze.rules(name)
        assert one is trapeze.rules(name) and one.name == name
        assert repr(one).startswith(f"Rules({name}: ")
        assert one.ambiguous == ("note" in name or name == "tree-edit")
        file = SOURCE / "rules" / f"{name}.rules"
        sparse = any(weight.sparse for weight in one.weights.values())
        count = re.search(r"^count +([0-9 ]+)", file.read_text(), re.M)
        for same in (one, trapeze.rules(file=file), trapeze.rules(text=file.read_text())):
            assert same.lengths == one.lengths and same.weights == one.weights
            if count and not sparse and not one.ambiguous:
                assert same.check() == list(map(int, count[1].split()))[:5]


def test_gallery():
    names = trapeze.gallery()
    assert names == sorted(f"gallery/{path.stem}" for path in (SOURCE / "rules/gallery").glob("*.rules"))
    for name in names:
        one = trapeze.rules(name)
        assert one is trapeze.rules(name) and f"gallery/{one.name}" == name
        assert one.show() == trapeze.rules(file=SOURCE / f"rules/{name}.rules").show()
        assert not one.ambiguous and not one.warnings
    assert pickle.loads(pickle.dumps(one)) is one
    with pytest.raises(trapeze.BadArgument, match="the gallery has no rule set 'gallery/nusinov'"):
        trapeze.rules("gallery/nusinov")


HAIRPINS = """
    rules   hairpins
    length  n, h
    weight  pair[i,j]    1 <= i, i+h < j, j <= n
    weight  single[i]    1 <= i <= n
    item    fold[i,j]    1 <= i, i <= j+1, j <= n
    goal    fold[1,n]

        axiom
        ---- none
        fold[i,i-1]

        fold[i+1,j]
        ---- single * single[i]
        fold[i,j]

        fold[i+1,k-1]  fold[k+1,j]
        ---- pair * pair[i,k]
        fold[i,j]
"""


def test_check_takes_lengths():
    """Equal ones show one derivation each; 1 2 4 9 21 are Motzkin's numbers."""
    hairpins = trapeze.rules(text=HAIRPINS)
    assert hairpins.check() == [1, 1, 1, 1, 1]
    assert hairpins.check(h=0) == [1, 2, 4, 9, 21]
    assert hairpins.check(3, n=5, h=1) == [8, 8, 8]


def test_files_by_their_name(tmp_path, monkeypatch):
    """A path, and a name that looks like one, is a file; a built-in name stays one."""
    path = tmp_path / "mine.rules"
    path.write_text(HAIRPINS)
    monkeypatch.chdir(tmp_path)
    for name in ("mine.rules", "./mine.rules", str(path), path):
        made = trapeze.rules(name)
        assert made.name == "hairpins" and pickle.loads(pickle.dumps(made)).name == "hairpins"
    path.rename("eisner")
    assert trapeze.rules("eisner").name == "eisner"
    assert trapeze.rules("./eisner").name == "hairpins"
    path = tmp_path / "eisner"
    path.rename("mine")
    with pytest.raises(trapeze.BadArgument, match="to read the file of this name, write file='mine'"):
        trapeze.rules("mine")


def test_figures_and_cost():
    """What is shown can be read, and is as large as it says; order and cost are the command's."""
    for name in trapeze.builtin():
        one = trapeze.rules(name)
        again = trapeze.rules(text=one.show())
        assert again.show() == one.show() and f"\nrules      {name}\n" in "\n" + one.show()
        assert (again.order, again.time, again.space) == (one.order, one.time, one.space)
        assert again.warnings == one.warnings == []
        assert one.latex().endswith("\\end{document}\n") and one.dot().startswith("digraph ")
    eisner = trapeze.rules("eisner")
    assert eisner.order == ["stage j-i: (rtri ltri), rtrap, rtri, ltrap, ltri"]
    assert (eisner.time, eisner.space) == ("n^3", "n^2")
    slips = "rules x\nlength n, m\nitem a[i] 0 <= i <= n\ngoal a[n]\naxiom\n--- r\na[i]\n"
    with pytest.warns(trapeze.RulesWarning) as told:
        found = trapeze.rules(text=slips)
    assert [str(one.message) for one in told] == ["rules:" + warning for warning in found.warnings]
    assert told[0].filename == __file__
    assert found.warnings == [
        "2:11: length \"m\" stands nowhere else: no domain, rule or goal depends on it",
        "7:3: variable \"i\" stands in rule \"r\" once: write `_` for it if any value will do",
    ]


@pytest.mark.filterwarnings("error")
def test_warnings_are_told_where_a_file_is_read(tmp_path):
    """Not of a name, nor when a pickle is read; and an error has them in its message."""
    path = tmp_path / "slip.rules"
    path.write_text("rules x\nlength n\nitem a[i] 0 <= i <= n\ngoal a[n]\naxiom\n--- r\na[i]\n")
    with pytest.raises(trapeze.RulesWarning, match=r"slip\.rules:7:3: variable \"i\""):
        trapeze.rules(path)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        made = trapeze.rules(path)
    assert len(told) == 1
    assert pickle.loads(pickle.dumps(made)).warnings == made.warnings
    with pytest.raises(trapeze.BadRules, match=r"cyclic.* \(11:13: warning: variable \"k\" stands in"):
        trapeze.rules(
            text="rules x\nlength n\nweight p[i,j] 0 <= i < j <= n\nitem a[i] 0 <= i <= n\n"
            "goal a[n]\naxiom\n--- r\na[0]\n\na[i]\n--- s * p[i,k]\na[j]\n"
        )


CUTS = """
rules cuts
length n
weight bonus[i] 0 <= i <= n
weight few[i] sparse 0 <= i <= n
weight piece[i,j] 0 <= i < j <= n
input x[i] < 3 1 <= i <= n
item at[i] 0 <= i <= n
item never
goal at[n]

axiom
--- start
at[0]

at[i]
--- next * piece[i,j]
at[j]

at[i] never
--- jump * piece[i,j]
at[j]
"""


@pytest.mark.filterwarnings("ignore::trapeze.RulesWarning")
def test_what_no_rule_uses_need_not_be_given(rng):
    cuts = trapeze.rules(text=CUTS)
    assert len(cuts.warnings) == 4
    piece, bonus = rng.normal(size=(4, 5)), np.ones(5)
    few = (np.array([[1]]), np.zeros(1))
    for batch in ({}, {"piece": np.stack([piece] * 3)}, {"piece": [piece] * 3}):
        asked = {"piece": piece, **batch}
        alone = cuts.run("log", asked, marginals=True, through=True)
        both = cuts.run("log", {**asked, "bonus": bonus}, few=few, x=[0, 1, 2, 0], marginals=True)
        assert np.array_equal(alone.value, both.value)
        assert list(alone.marginals) == ["piece"] and list(both.marginals) == ["bonus", "few", "piece"]
        assert np.array_equal(alone.marginals["piece"], both.marginals["piece"])
        assert not np.any(both.marginals["bonus"])
    best = cuts.run("max", piece=piece, best=True, uses=True, kbest=2, forbid=[("piece", 0, 4)])
    assert {use.weight for use in best.best.uses} == {"piece"} and list(best.uses) == ["piece"]
    with pytest.raises(trapeze.BadArgument, match="needs scores for the weight 'piece'"):
        cuts.run("log", bonus=bonus)
    top = trapeze.rules(text=CUTS.replace("goal at[n]", "goal never"))
    assert top.run("log", piece=piece).value == -np.inf and top.run("count", piece=piece).value == 0
    assert top.run("max", piece=piece, best=True).best is None


def test_torch_without_what_no_rule_uses():
    torch = pytest.importorskip("torch")
    import trapeze.torch

    with pytest.warns(trapeze.RulesWarning):
        cuts = trapeze.rules(text=CUTS)
    piece = torch.randn(3, 4, 5, dtype=torch.float64, requires_grad=True)
    trapeze.torch.log_partition(cuts, piece=piece).sum().backward()
    assert np.allclose(piece.grad.numpy(), cuts.run("log", piece=piece.detach().numpy(), marginals=True).marginals["piece"])
    sampled = trapeze.torch.sample(cuts, 2, seed=1, piece=piece)
    assert list(sampled) == ["piece"] and sampled["piece"].shape == (2, 3, 4, 5)


LATE = """
rules late
length n
weight piece[i,j] 0 <= i < j <= n
item at[i] 0 <= i <= n
item far[i] 0 <= i <= n
goal at[n]

axiom
--- start
at[0]

at[i]
--- next * piece[i,j]
at[j]

at[i]
--- jump * piece[i,j] if j - i > 12
far[j]

far[j]
--- land
at[j]
"""


def test_a_sum_refuses_what_it_would_count_twice():
    late = trapeze.rules(text=LATE)
    piece = np.zeros((14, 15))
    for semiring in ("log", "count", "entropy", "ties"):
        with pytest.raises(trapeze.Ambiguous, match="late is ambiguous: with n = 13, two derivations"):
            late.run(semiring, piece=piece)
    assert late.run("count", piece=piece, force=True).value == 8195
    assert late.run("max", piece=piece).value == 0
    said = trapeze.rules(text=LATE.replace("length n", "structures derivations\nlength n"))
    assert said.run("count", piece=piece).value == 8195


def test_shapes():
    compress = trapeze.rules("compress")
    assert compress.lengths == ("n",) and list(compress.weights) == ["arc", "bigram"]
    assert compress.resources == ("kept", "dropped")
    assert compress.shape("arc", n=4) == (5, 5) and compress.shape("bigram", n=4) == (5, 6)
    assert compress.amount("kept", "arc", 0, 2, n=4) == 1
    assert compress.amount("dropped", "bigram", 0, 2, n=4) == 1
    assert trapeze.rules("cky").weight("binary").sparse
    assert 1e4 < trapeze.rules("eisner").products("log", n=40) < 1e5
    charged = compress.charge("kept")
    assert charged is compress.charge("kept") and len(charged.lengths) == 2
    assert charged.weights == compress.weights


def test_text():
    """Weights may have the names of options, and be given in a mapping."""
    made = trapeze.rules(
        text="""
        rules   segment
        length  n
        weight  cost[i,j]  0 <= i < j <= n
        item    at[i]      0 <= i <= n
        goal    at[n]

            axiom
            ----- start
            at[0]

            at[i]
            ----- next * cost[i,j]
            at[j]
        """
    )
    scores = np.array([[0, 1, 5, 2], [0, 0, 1, 3], [0, 0, 0, 1]], float)
    assert made.check() == [1, 2, 4, 8, 16]
    assert made.run("max", {"cost": scores}).value == 6
    with pytest.raises(trapeze.BadArgument, match="lengths"):
        trapeze.rules(text="rules x\nlength n\nitem a[i] 0 <= i <= n\ngoal a[n]\naxiom\n--- r\na[n]\n").run("max")


@pytest.mark.filterwarnings("error")  # of what is raised while an object goes
def test_rules_are_made_by_the_function():
    with pytest.raises(TypeError, match=r"made by trapeze\.rules\('eisner'\)"):
        trapeze.Rules("eisner")


def test_results_show_themselves():
    eisner = trapeze.rules("eisner")
    arc = np.arange(9.0).reshape(3, 3)
    result = eisner.run("max", arc=arc, best=True)
    assert repr(result) == "Result(eisner, 'max', value=9, best=Derivation(9: arc[0,2] arc[2,1]))"
    batch = eisner.run("log", arc=np.stack([arc] * 9), marginals=True)
    assert "batch of 9" in repr(batch) and "marginals={arc: array[9, 3, 3]}" in repr(batch)
    assert result.best.proof.item == "rtri" and result.best.proof.index == (0, 2)


def test_everything_public_is_documented_and_typed():
    for name in trapeze.__all__:
        thing = getattr(trapeze, name)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            assert thing.__doc__, name
    for name, function in inspect.getmembers(trapeze.Rules, inspect.isfunction):
        if not name.startswith("_"):
            signature = inspect.signature(function)
            assert signature.return_annotation is not signature.empty, name


def test_library_is_found(tmp_path):
    """By TRAPEZE_LIBRARY, or with a message that says what to do: there, in a checkout that was not
    compiled, and elsewhere."""

    def run(code, **environment):
        return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)

    def message(package, **more):
        done = run("import trapeze", PYTHONPATH=str(package), **more)
        assert done.returncode == 1 and "is not found" in done.stderr
        return done.stderr

    none = str(tmp_path / "none")
    said = message(SOURCE / "python", TRAPEZE_LIBRARY=none)
    assert f"TRAPEZE_LIBRARY is {none!r}: name libtrapeze" in said

    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(SOURCE / "python" / "trapeze", tmp_path / "python" / "trapeze", ignore=ignore)
    if run("import ctypes; ctypes.CDLL('libtrapeze.so.0')").returncode != 0:  # it is not installed
        assert "install Trapeze, or name the library" in message(tmp_path / "python")
        shutil.copytree(SOURCE / "include", tmp_path / "include")
        assert "meson compile -C build', and import again" in message(tmp_path / "python")


def test_negative_indices():
    rules = trapeze.rules("align-hmm")
    lengths = dict.fromkeys(rules.lengths, 3)
    weights = {w: np.zeros(rules.shape(w, **lengths)) for w in rules.weights}
    weights["jump"][1] = 9
    weights["null"][:] = -9
    best = rules.run("max", weights, lengths=lengths, best=True).best
    assert ("jump", -2) in best.cells and "jump[-2]" in repr(best)


def test_negative_indices_beside_names():
    rules = trapeze.rules(text="""
rules   steps
structures derivations
length  T
names   T  A B C
weight  w[d]   -2 <= d < T
item    at[i]  0 <= i < T
goal    at[T-1]

    axiom
    --- start
    at[0]

    at[i]
    --- jump * w[i-2]
    at[i+1]
""")
    w = np.arange(5.0)
    best = rules.run("max", w=w, best=True).best
    assert best.cells == [("w", -2), ("w", -1)]
    (found,) = rules.run("max", w=w, kbest=2).kbest
    assert found.cells == best.cells and rules.named("w", (1,)) == ("B",)
