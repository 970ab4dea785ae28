"""Do semirings that are functions of Python compute what they say, and is what cannot be traced told by its
line?"""

from __future__ import annotations

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
