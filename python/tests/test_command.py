"""Has the command the same answers, bit for bit? (It prints doubles so that they come back.)"""

from __future__ import annotations

import json
import os
import subprocess

import numpy as np
import pytest

import trapeze

COMMAND = os.environ.get("TRAPEZE_COMMAND")
pytestmark = pytest.mark.skipif(not COMMAND, reason="TRAPEZE_COMMAND names the command")


def command(rules, problems, *options):
    lines = "\n".join(map(json.dumps, problems))
    done = subprocess.run(
        [COMMAND, "run", "-r", rules, *options], input=lines, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def structure(derivation):
    return {
        "score": derivation.score,
        "weights": [[use.weight, *use.index, use.score] for use in derivation.uses],
    }


def tree(node):
    return {
        "item": node.item,
        "index": list(node.index),
        "rule": node.rule,
        "premises": [tree(premise) for premise in node.premises],
    }


@pytest.fixture
def batch(draw):
    rules = trapeze.rules("compress")
    return [draw(rules, n=n) for n in (4, 7, 1, 0, 5)]


def lines_of(batch, **more):
    names = ("arc", "bigram")
    return [
        {"n": one["bigram"].shape[0] - 1, **{name: one[name].tolist() for name in names}, **more}
        for one in batch
    ]


def run(batch, semiring, **options):
    lists = {name: [one[name] for one in batch] for name in ("arc", "bigram")}
    return trapeze.rules("compress").run(semiring, lists, **options)


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_log(batch, precision):
    lines = command(
        "compress", lines_of(batch), "-s", "log", "--marginals", "--sample=3", "--seed=5",
        "--min-risk", f"--precision={precision}",
    )
    result = run(batch, "log", marginals=True, samples=3, seed=5, min_risk=True, precision=precision)
    for line, one in zip(lines, result, strict=True):
        assert line["value"] == one.value
        for name, array in one.marginals.items():
            assert line["marginals"][name] == array.tolist()
        assert line["samples"] == list(map(structure, one.samples))
        assert line["min_risk"]["weights"] == structure(one.min_risk)["weights"]


def test_max(batch):
    lines = command(
        "compress", lines_of(batch), "-s", "max", "--best", "--kbest=4", "--max-marginals",
        "--derivation",
    )
    result = run(batch, "max", best=True, kbest=4, max_marginals=True)
    for line, one in zip(lines, result, strict=True):
        assert line["value"] == one.value
        assert line["best"] == structure(one.best)
        assert line["kbest"] == list(map(structure, one.kbest))
        assert line["derivation"] == tree(one.best.proof)
        for name, array in one.max_marginals.items():
            found = [[-np.inf if x is None else x for x in row] for row in line["max_marginals"][name]]
            assert found == array.tolist()


@pytest.mark.parametrize("semiring", ["count", "bool", "kbest(3)", "entropy"])
def test_values(batch, semiring):
    for line, one in zip(command("compress", lines_of(batch), "-s", semiring), run(batch, semiring)):
        if "values" in line:
            assert line["values"] == one.values.tolist()
        else:
            assert line["value"] == one.value
        if semiring == "entropy":
            assert line["entropy"] == one.entropy


@pytest.mark.parametrize("options", [{"keep": 1}, {"drop": 1}, {"rate": (0.2, 0.7)}])
def test_limits(batch, options):
    (name, value), = options.items()
    text = "0.2:0.7" if name == "rate" else str(value)
    some = [batch[0], batch[1], batch[4]]
    lines = command("compress", lines_of(some), "-s", "max", "--best", f"--{name}={text}")
    for line, one in zip(lines, run(some, "max", **options), strict=True):
        assert (line["value"], line["best"]) == (one.value, structure(one.best))
        assert line["limit"]["path"] == one.limited.path
        assert line["limit"]["steps"] == one.limited.steps
        assert one.limited.amount in (line["limit"].get("kept"), line["limit"].get("dropped"))


def test_ways_to_limits(draw):
    """What the ways are called in which the best within limits was found."""
    rules, ways = trapeze.rules("compress"), set()
    for n in (30, 40):
        some = [draw(rules, n=n) for _ in range(12)]
        lines = command("compress", lines_of(some), "-s", "max", f"--keep={n // 2}")
        for line, one in zip(lines, run(some, "max", keep=n // 2).limited, strict=True):
            assert line["limit"]["path"] == one.path
            ways.add(one.path)
    assert ways == {"bisection", "pruned", "charged"}


def test_amounts(batch):
    charged = trapeze.rules("compress").charge("kept")
    lines = command("compress", lines_of(batch), "-s", "resource(kept,n,log)")
    for line, one in zip(lines, batch):
        n = one["bigram"].shape[0] - 1
        lengths = dict(zip(charged.lengths, (n, n)))
        amounts = charged.run("log", one, lengths=lengths, amounts=True).amounts
        assert [-np.inf if x is None else x for x in line["values"]] == amounts


@pytest.mark.parametrize(
    "facts",
    [
        {"forbid": [["arc", 0, 1], ["bigram", None, 2]]},
        {"require": [["arc", 0, 3]]},
        # No set of forbidden cells says this one, which takes required(BASE).
        {"require": [[["arc", 0, 1], ["arc", 3, 1]], [["arc", 1, 2], ["arc", 2, 1]]]},
    ],
)
def test_facts(batch, facts):
    some = [batch[0], batch[4]]
    for semiring, option in (("log", "--marginals"), ("max", "--best")):
        lines = command("compress", lines_of(some, **facts), "-s", semiring, option)
        given = {kind: [list(cells)] * 2 for kind, cells in facts.items()}
        result = run(some, semiring, **given, marginals=semiring == "log", best=semiring == "max")
        for line, one in zip(lines, result, strict=True):
            assert line["value"] == one.value
            if semiring == "log":
                assert line["marginals"]["arc"] == one.marginals["arc"].tolist()
            else:
                assert line["best"] == structure(one.best)


@pytest.mark.parametrize("semiring, of", [("log", "marginals"), ("max", "max_marginals")])
def test_items(batch, semiring, of, tmp_path):
    """Of lines, and of arrays, which are padded to the longest."""
    options = ["-s", semiring, "--items=rtri,ltrap", f"--{of.replace('_', '-')}"]
    result = run(batch, semiring, items=["rtri", "ltrap"], **{of: True})
    answers = {"items": result.items, f"item_{of}": result.item_marginals or result.item_through}
    for b, line in enumerate(command("compress", lines_of(batch), *options)):
        for key, arrays in answers.items():
            for item, lists in arrays.items():
                found = np.array(line[key][item], float)  # None as NaN
                expected = np.where(lists[b] == -np.inf, np.nan, lists[b])
                np.testing.assert_array_equal(found, expected.reshape(found.shape))

    lengths = np.array([one["bigram"].shape[0] - 1 for one in batch])
    padded = {"n": lengths}
    for name in ("arc", "bigram"):
        largest = tuple(max(one[name].shape[d] for one in batch) for d in (0, 1))
        padded[name] = np.zeros((len(batch), *largest))
        for b, one in enumerate(batch):
            padded[name][b, : one[name].shape[0], : one[name].shape[1]] = one[name]
    np.savez(tmp_path / "in.npz", **padded)
    files = [str(tmp_path / "out.npz"), str(tmp_path / "in.npz")]
    done = subprocess.run([COMMAND, "run", "-r", "compress", *options, "--batch=2", "-o", *files])
    assert done.returncode == 0
    del padded["n"]
    expected = trapeze.rules("compress").run(
        semiring, padded, lengths=lengths, items=["rtri", "ltrap"], **{of: True}
    )
    whole = {"items": expected.items, f"item_{of}": expected.item_marginals or expected.item_through}
    with np.load(files[0]) as out:
        for key, arrays in whole.items():
            for item, array in arrays.items():
                np.testing.assert_array_equal(out[f"{key}.{item}"], array)


def test_items_of_lengths_with_names(tmp_path):
    """A length whose values have names needs no array."""
    rules = tmp_path / "tags.rules"
    rules.write_text(
        "rules tags\nlength n, V\nnames V A B\ninput x[i] < V 1 <= i <= n\n"
        "weight emit[a] 0 <= a < V\nitem at[i] 0 <= i <= n\ngoal at[n]\n"
        "axiom\n--- begin\nat[0]\nat[i-1]\n--- go-on * emit[x[i]]\nat[i]\n"
    )
    emit = np.array([[0.5, 2.0], [0.5, 2.0]])
    np.savez(tmp_path / "in.npz", n=[2, 3], x=[[0, 1, 0], [1, 1, 0]], emit=emit)
    files = [str(tmp_path / "out.npz"), str(tmp_path / "in.npz")]
    subprocess.run(
        [COMMAND, "run", "-r", str(rules), "-s", "max", "--items", "at", "-o", *files], check=True
    )
    items = np.load(files[0])["items.at"]
    assert items.tolist() == [[0.0, 0.5, 2.5, -np.inf], [0.0, 2.0, 4.0, 4.5]]
