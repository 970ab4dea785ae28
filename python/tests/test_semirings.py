"""Do semirings that are functions of Python compute what they say, and is what cannot be traced told by its
line?"""

from __future__ import annotations

import json
import math
import os
import pathlib
import shutil
import subprocess

import numpy as np
import pytest

import trapeze

ARC = np.random.default_rng(3).integers(-3, 3, size=(7, 7)).astype(float)


def ways(**changed):
    given = dict(
        zero=dict(cost=math.inf, number=0),
        one=dict(cost=0, number=1),
        plus=lambda a, b: dict(
            cost=np.minimum(a.cost, b.cost),
            number=np.where(a.cost <= b.cost, a.number, 0) + np.where(b.cost <= a.cost, b.number, 0),
        ),
        times=lambda a, b: (a.cost + b.cost, a.number * b.number),
        lift=lambda score: (-score, 1),
        value=lambda x: -x.cost,
        also=dict(count=lambda x: x.number),
    )
    return trapeze.semiring(**{**given, **changed})


def test_values_are_those_of_ties():
    rules = trapeze.rules("eisner")
    mine, ties = rules.run(ways(), arc=ARC), rules.run("ties", arc=ARC)
    assert mine.value == ties.value
    assert mine.numbers["count"] == ties.count


def test_one_number():
    best = trapeze.semiring(
        zero=-math.inf,
        one=0,
        plus=np.maximum,
        times=lambda a, b: a + b,
        laws=["commutative", "idempotent", "path", "exact"],
    )
    rules = trapeze.rules("eisner")
    assert rules.run(best, arc=ARC, best=True).best == rules.run("max", arc=ARC, best=True).best


def test_inputs_and_shares():
    expectation = trapeze.semiring(
        zero=dict(p=0, px=0),
        one=dict(p=1, px=0),
        inputs=["cost"],
        plus=lambda a, b: (a.p + b.p, a.px + b.px),
        times=lambda a, b: (a.p * b.p, a.p * b.px + b.p * a.px),
        lift=lambda score, cost: (np.exp(score), np.exp(score) * cost),
        value=lambda x: np.log(x.p),
        also=dict(mean=lambda x: x.px / x.p),
        share=lambda a, b: a.p / b.p,
    )
    rules = trapeze.rules("eisner")
    cost = np.abs(ARC)
    mine = rules.run(expectation, arc=ARC, marginals=True, cost={"arc": cost})
    log = rules.run("log", arc=ARC, marginals=True)
    expected = rules.run("entropy", arc=ARC, cost={"arc": cost}).cost
    np.testing.assert_allclose(mine.numbers["mean"], expected, rtol=1e-12)
    batch = rules.run(expectation, arc=np.stack([ARC, ARC + 1]), cost={"arc": np.stack([cost, cost])})
    np.testing.assert_allclose(batch.numbers["mean"][0], expected, rtol=1e-12)
    np.testing.assert_allclose(batch[1].numbers["mean"], batch.numbers["mean"][1])
    np.testing.assert_allclose(mine.value, log.value, rtol=1e-12)
    np.testing.assert_allclose(mine.marginals["arc"], log.marginals["arc"], rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize(
    "plus, message",
    [
        (lambda a, b: a if a.cost < b.cost else b, "test_semirings.py:.* np.where"),
        (lambda a, b: (math.exp(a.cost), 0), "test_semirings.py:.* NumPy's functions"),
        (lambda a, b: (np.sin(a.cost), 0), "test_semirings.py:.* sin cannot be traced"),
        (lambda a, b: a.cost + b.cost, "plus gives 1 numbers, and an element has 2"),
    ],
)
def test_what_cannot_be_traced(plus, message):
    with pytest.raises(trapeze.BadArgument, match=message):
        ways(plus=plus)


def test_laws():
    with pytest.raises(trapeze.Law, match="the order of adding matters"):
        ways(plus=lambda a, b: (a.cost, a.number))


ROOT = pathlib.Path(__file__).resolve().parents[2]
GALLERY = ROOT / "semirings" / "gallery"


def test_files(tmp_path):
    path = trapeze.semiring(GALLERY / "ties.semiring")
    assert trapeze.rules("eisner").run(path, arc=ARC).value == trapeze.rules("eisner").run("max", arc=ARC).value
    with pytest.raises(trapeze.BadArgument, match="NAME.semiring, or compiled NAME.so"):
        trapeze.semiring("max")
    with pytest.raises(trapeze.BadArgument, match="takes zero, one, plus and times, or the path"):
        trapeze.semiring(zero=0)
    (tmp_path / "none.so").write_text("element x")
    with pytest.raises(trapeze.Error, match="none.so"):
        trapeze.semiring(tmp_path / "none.so")


def test_plug_in(tmp_path):
    command = os.environ.get("TRAPEZE_COMMAND")
    if not command or not shutil.which("cc"):
        pytest.skip("there is no command or no C compiler")
    plugin = str(tmp_path / "ties.so")
    kept = {k: v for k, v in os.environ.items() if k not in ("LD_PRELOAD", "ASAN_OPTIONS")}
    environment = {**kept, "CPATH": f"{ROOT / 'include'}:{ROOT}", "CFLAGS": "-O1"}
    compile_it = [command, "semirings", "compile", "-o", plugin, str(GALLERY / "ties.semiring")]
    subprocess.run(compile_it, check=True, env=environment)
    rules = trapeze.rules("eisner")
    with pytest.raises(trapeze.BadArgument, match="is a plug-in, which is code: trapeze.semiring"):
        rules.run(plugin, arc=ARC)
    compiled = rules.run(trapeze.semiring(plugin), arc=ARC)
    text = rules.run(str(GALLERY / "ties.semiring"), arc=ARC)
    assert compiled.value == text.value and compiled.numbers == text.numbers


REALS = "element x\nzero 0\none 1\nplus a + b\ntimes a * b\nlift exp(score)\ngives number\nlaws commutative\n"
TROPICAL = (
    "element x\nzero inf\none 0\nplus min(a, b)\ntimes a + b\nlift -score\nvalue x\ngives number\n"
    "laws commutative, idempotent\n"
)


@pytest.mark.parametrize("gives", ["score", "number"])
def test_values_are_those_of_a_batch(gives):
    """A text's numbers are any, also where they are called numbers; those of count are whole."""
    rules, text = trapeze.rules("eisner"), REALS.replace("gives number", f"gives {gives}")
    arc = ARC[:4, :4] / 7
    one, several = rules.run(text, arc=arc).value, rules.run(text, arc=[arc]).value
    assert type(one) is float and one == several[0] and one != int(one)
    assert one == pytest.approx(math.exp(rules.run("log", arc=arc).value))
    nothing = rules.run(TROPICAL, arc=np.full((3, 3), -np.inf)).value
    assert nothing == rules.run(TROPICAL, arc=np.full((1, 3, 3), -np.inf)).value[0] == math.inf
    count = rules.run("count", arc=arc).value
    assert type(count) is int and count == rules.run("count", arc=[arc]).value[0]


def test_file_that_changes(tmp_path):
    """It is read anew, as rules are; a call that is made again as well."""
    file, rules = tmp_path / "mine.semiring", trapeze.rules("eisner")
    expected = {text: rules.run(text, arc=ARC).value for text in (REALS, TROPICAL)}
    for text in (REALS, TROPICAL, REALS):
        file.write_text(text)
        for _ in range(3):
            found = rules.run(str(file), arc=ARC)
            assert (found.value, found.semiring) == (expected[text], str(file))
        assert rules.grow(str(file), arc=ARC).value == expected[text]
    with pytest.raises(trapeze.Law, match=r"best takes a semiring .*; not .*mine.semiring$"):
        rules.run(str(file), arc=ARC, best=True)
    file.write_text("element x\nzero 0\none y\n")
    with pytest.raises(trapeze.BadArgument, match="mine.semiring:3:5"):
        rules.run(str(file), arc=ARC)
    file.write_bytes(b"element x\0\n")
    with pytest.raises(trapeze.BadRules, match="mine.semiring: a zero byte"):
        rules.run(str(file), arc=ARC)
    file.unlink()
    with pytest.raises(trapeze.CannotRead, match="mine.semiring: No such file"):
        rules.run(str(file), arc=ARC)
    with pytest.raises(trapeze.BadArgument, match="given by its name, such as 'max', or its text, not 5"):
        rules.run(5, arc=ARC)


def test_all_inputs_of_a_text(tmp_path):
    """As the command takes them: "arc.x" and "arc.y"; one problem, a batch, the costs of entropy."""
    rules, rng = trapeze.rules("eisner"), np.random.default_rng(5)
    arc, x, y = rng.normal(size=(3, 4, 4))
    semiring = str(GALLERY / "expectation.semiring")
    given = {"arc": arc, "arc.x": x, "arc.y": y}
    found = rules.run(semiring, given)
    expected = [rules.run("entropy", arc=arc, cost={"arc": cost}).cost for cost in (x, y)]
    assert list(found.numbers) == ["x", "y"] and list(found.numbers.values()) == pytest.approx(expected)
    assert rules.run(semiring, arc=arc, cost={"arc": x}, **{"arc.y": y}).numbers == found.numbers
    several = rules.run(semiring, {name: np.stack([array, array * 2]) for name, array in given.items()})
    assert {name: row[0] for name, row in several.numbers.items()} == found.numbers
    assert rules.run("entropy", {"arc": arc, "arc.cost": x}).cost == expected[0]
    divergence = rules.run("entropy", {"arc": arc, "arc.q": y}).kl
    assert divergence == rules.run("entropy", arc=arc, q={"arc": y}).kl > 0
    for wrong, message in (
        ({"arc.z": x}, "expectation.semiring has no input 'z'; its inputs: x, y"),
        ({"nose.x": x}, "eisner has no weight 'nose'; its weights: arc"),
        ({"arc.x": x[:2]}, "arc"),
    ):
        with pytest.raises(trapeze.BadArgument, match=message):
            rules.run(semiring, arc=arc, **wrong)
    with pytest.raises(trapeze.BadArgument, match="arc is given twice"):
        rules.run("entropy", arc=arc, cost={"arc": x}, **{"arc.cost": x})
    with pytest.raises(trapeze.BadArgument, match="max has no input 'cost'; it takes no inputs"):
        rules.run("max", arc=arc, **{"arc.cost": x})
    command = os.environ.get("TRAPEZE_COMMAND")
    if command:
        line = json.dumps({"n": 3, **{name: array.tolist() for name, array in given.items()}})
        out = subprocess.run([command, "run", "-r", "eisner", "-s", semiring], input=line, capture_output=True, text=True, check=True)
        told = json.loads(out.stdout)
        assert {name: told[name] for name in "xy"} == found.numbers and told["value"] == found.value


def through_the_command(tmp_path, semiring, arrays, required):
    """The further numbers of a batch as JSON and as arrays tell them, for each problem."""
    command = [os.environ["TRAPEZE_COMMAND"], "run", "-r", "eisner", "-s", semiring]
    lines = []
    for b, require in enumerate(required):
        scores = {name: np.where(np.isinf(array[b]), None, array[b]).tolist() for name, array in arrays.items()}
        lines.append(json.dumps({"n": 3, **scores, **({"require": require} if require else {})}))
    out = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=True)
    told = [json.loads(line) for line in out.stdout.splitlines()]
    n = np.full(len(required), 3)
    np.savez(tmp_path / "problems.npz", n=n, **arrays)
    subprocess.run([*command, "-o", tmp_path / "found.npz", tmp_path / "problems.npz"], check=True)
    return told, np.load(tmp_path / "found.npz")


@pytest.mark.skipif("TRAPEZE_COMMAND" not in os.environ, reason="there is no command")
@pytest.mark.parametrize("semiring", ["ties", "entropy", "expectation"])
def test_further_numbers_of_no_derivation(tmp_path, semiring):
    """Those of zero, count 0 and entropy 0, through every door, whether scores or facts leave none."""
    written = semiring == "expectation"
    file = str(GALLERY / f"{semiring}.semiring") if written else semiring
    rng = np.random.default_rng(2)
    arrays = {"arc": rng.integers(-3, 3, size=(3, 4, 4)).astype(float)}
    arrays["arc"][1] = -np.inf
    for name in {"entropy": ["cost", "q"], "expectation": ["x", "y"]}.get(semiring, []):
        arrays[f"arc.{name}"] = rng.normal(size=(3, 4, 4))
    expected = {"ties": ["count"], "entropy": ["entropy", "cost", "kl"], "expectation": ["x", "y"]}[semiring]
    nowhere = [["arc", 1, 2]], [["arc", 3, 2]]
    rules, none = trapeze.rules("eisner"), [None, None, None]
    for required in [none] if written else [none, [None, None, nowhere]]:
        told, found = through_the_command(tmp_path, file, arrays, required)
        facts = None if required is none else [[] if of is None else of for of in required]
        batch = rules.run(file, arrays, require=facts)
        for b in range(3):
            one = rules.run(file, {name: array[b] for name, array in arrays.items()}, require=facts and facts[b])
            assert told[b]["value"] == (None if one.value == -np.inf else one.value)
            for name in expected:
                values = [
                    told[b][name],
                    one.numbers[name] if written else getattr(one, name),
                    batch.numbers[name][b] if written else getattr(batch, name)[b],
                    *([found[name][b]] if required is none else []),
                ]
                assert values == [values[0]] * len(values), (name, b, values)
                assert (values[0] == 0) == (one.value == -np.inf), (name, b, values)
        assert told[1]["value"] is None and (told[2]["value"] is None) == (required is not none)
