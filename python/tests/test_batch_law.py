"""A batch equals its problems one by one, and the n-th answer of rules is that of new ones: the same
bits, whatever stands beside a problem, came before it, or lies behind it in padded arrays, for any
number of threads. One law, for every door of Python and of the command, all that each can be asked,
and rule sets of all kinds (law_rules.py).

The product of these is sampled: TZ_SEED draws other parts of it, TZ_LAW=3 three times as many."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from law import ALIKE, GOLDEN, KINDS, QUESTIONS, SEED, Pool, Question, Trial
from law import chance, compare, few, padded, pool_of, pools, trials

import trapeze

COMMAND = os.environ.get("TRAPEZE_COMMAND")
pytestmark = pytest.mark.filterwarnings("ignore::trapeze.RulesWarning")

COUNTS: dict[str, list[int]] = {}


def count(door: str, made: bool) -> None:
    COUNTS.setdefault(door, [0, 0])[0 if made else 1] += 1


@pytest.fixture(scope="module", autouse=True)
def _report(request) -> Iterator[None]:
    yield
    said = [f"{door} {made} (refused {refused})" for door, (made, refused) in COUNTS.items()]
    manager = request.config.pluginmanager.getplugin("capturemanager")
    with manager.global_and_fixture_disabled():
        print(f"\nTZ_SEED={SEED}, {len(KINDS)} rule sets; combinations: {', '.join(said)}")
    assert all(made > 2 * refused for made, refused in COUNTS.values())


def test_python():
    """Rules.run on a batch, in lists and in padded arrays."""
    for pool in pools():
        for trial in trials(pool, "run", 2, QUESTIONS):
            question, chosen = trial.question, trial.chosen
            wanted = [pool.alone(trial, at, b) for at, b in enumerate(chosen)]
            if question.options.get("seed") is None:
                chosen = [b for b, want in zip(chosen, wanted) if want is not None]
                wanted = [want for want in wanted if want is not None]
            count("Rules.run", made := bool(wanted) and None not in wanted)
            if made:
                problems = [pool.problem(b, trial.dtype) for b in chosen]
                arrays, lengths = trial.form(pool.rules, problems)
                found = pool.rules.run(
                    question.semiring, arrays, lengths=lengths, force=True, precision=trial.precision,
                    threads=trial.threads, **pool.asked(question, chosen),
                )  # fmt: skip
                compare(pool, trial, found, wanted)


def test_one_after_the_other():
    """The n-th answer of rules that have answered others: in any order of problems, lengths, questions,
    and scores that need narrow or wide elements."""
    for pool in pools():
        for trial in trials(pool, "one by one", 1, QUESTIONS):
            question, chosen = trial.question, trial.chosen
            for b in chosen[:3] + chosen[:1] * 3:
                want = pool.alone(trial, 0, b)
                count("one after the other", want is not None)
                if want is None:
                    continue
                options, problem = pool.asked(question, [b]), pool.problem(b, trial.dtype)
                options.update({name: pool.own(name, b) for name in question.own})
                found = pool.rules.run(
                    question.semiring, problem.arrays, lengths=problem.lengths, force=True,
                    precision=trial.precision, threads=trial.threads, **options,
                )  # fmt: skip
                compare(pool, trial, [found], [want])


def test_torch():
    """Values, first and second gradients, log p, entropies, structures."""
    pytest.importorskip("torch")
    for pool in map(pool_of, few("torch", 80, KINDS)):
        sparse = any(weight.sparse for weight in pool.rules.weights.values())
        for trial in trials(pool, "torch", 1, [Question("log")]):
            alone: dict[int, Any] = {}
            chosen = [b % ALIKE if sparse else b for b in trial.chosen]  # the same entries
            for b in set(chosen):
                try:
                    new = distribution(trapeze.Rules(pool.rules._handle), pool, [b], False, trial)
                    alone[b] = torch_answers(*new)
                except trapeze.Error:
                    pass
            chosen = [b for b in chosen if b in alone]
            count("trapeze.torch", bool(chosen))
            if chosen:
                batch, scores = distribution(pool.rules, pool, chosen, True, trial)
                drawn = batch.sample((2,), seed=SEED)
                found = torch_answers(batch, scores)
                for at, b in enumerate(chosen):
                    own = {n: [one[at] for one in a] if isinstance(a, list) else a[at] for n, a in found.items()}
                    compare(pool, trial, [own], [alone[b]])
                new, _ = distribution(trapeze.Rules(pool.rules._handle), pool, chosen[-1:], False, trial)
                last = new.sample((2,), seed=(SEED + (len(chosen) - 1) * GOLDEN) % 2**64)
                compare(pool, trial, [{n: a[:, -1].numpy() for n, a in drawn.items()}],
                        [{n: a.numpy() for n, a in last.items()}])  # fmt: skip


def distribution(rules: trapeze.Rules, pool: Pool, chosen: list[int], batch: bool, trial: Trial) -> Any:
    """Over the structures of a batch or a single problem, and its scores, which take gradients."""
    import torch
    import trapeze.torch as tt

    problems = [pool.problem(b, trial.dtype) for b in chosen]
    arrays, lengths = padded(rules, problems) if batch else (problems[0].arrays, problems[0].lengths)
    given: dict[str, Any] = {}
    scores = []
    for name, array in arrays.items():
        if name in rules.inputs:
            given[name] = torch.tensor(array)
            continue
        sparse = rules.weights[name].sparse
        if sparse and batch:
            array = (array[0][0], np.stack([one[1] for one in array]))
        scores.append(torch.tensor(array[1] if sparse else array, requires_grad=True))
        given[name] = (torch.tensor(array[0]), scores[-1]) if sparse else scores[-1]
    made = tt.Distribution(
        rules, given, lengths=lengths, force=True, precision=trial.precision, threads=trial.threads
    )
    return made, scores


def torch_answers(asked: Any, scores: list[Any]) -> dict[str, Any]:
    """Arrays by name."""
    from torch.autograd import grad

    first = grad(asked.log_partition.sum(), scores, create_graph=True)
    ways = [one.detach().sin().nan_to_num(0) for one in scores]
    turned = sum((slope * way).sum() for slope, way in zip(first, ways))
    best, entropy = asked.argmax, asked.entropy()
    found = {
        "log Z": asked.log_partition, "first": first, "second": grad(turned, scores, retain_graph=True),
        "entropy": entropy, "its slope": grad(entropy.sum(), scores),
        "max": asked.max, "best": best.values(), "log p": asked.log_prob(best),
    }  # fmt: skip
    return {
        name: answer.detach().numpy() if hasattr(answer, "detach") else [one.detach().numpy() for one in answer]
        for name, answer in found.items()
    }


# ---- The command ---------------------------------------------------------------------------------

LINES = [
    ["-s", "log", "--marginals", "--min-risk"],
    ["-s", "entropy", "--marginals"],
    ["-s", "log", "--sample=2", "--seed=7"],
    ["-s", "max", "--best", "--derivation", "--kbest=3"],
    ["-s", "max", "--max-marginals"],
    ["-s", "count"],
    ["-s", "ties"],
]


def run_command(pool: Pool, tmp_path: Any, file: Any, options: list[str], at: int = 0) -> str | None:
    """What the command prints; None where it refuses. at: which line of a batch the first one is."""
    rules = tmp_path / "law.rules"
    rules.write_text(pool.kind.text)
    seeds = [f"--seed={(int(o[7:]) + at * GOLDEN) % 2**64}" if o.startswith("--seed") else o for o in options]
    asked = [COMMAND, "run", "-r", str(rules), "--force", "--quiet", *seeds, str(file)]
    done = subprocess.run(asked, capture_output=True, encoding="utf-8")
    assert done.returncode in (0, 1, 2), done
    return done.stdout if done.returncode == 0 else None


def files(door: str) -> Iterator[tuple[Pool, list[str]]]:
    """Rule sets that have a file, as accounts have not, half of them with inputs; and what is asked."""
    every = [kind for kind in KINDS if not kind.resource]
    tied = [kind for kind in every if "\ninput" in kind.text]
    for kind in few(door, 8, tied):
        yield pool_of(kind), LINES[chance(door, kind.name).integers(2)]
    for kind in few(door, 8, every):
        yield pool_of(kind), LINES[chance(door, kind.name).integers(len(LINES))]


@pytest.mark.skipif(not COMMAND, reason="TRAPEZE_COMMAND names the command")
def test_lines(tmp_path):
    """trapeze run on lines of JSON."""
    for pool, options in files("lines"):
        (trial,) = trials(pool, "lines", 1, [Question("log")])
        options = [*options, f"--precision={trial.precision}"]
        file = tmp_path / "problems.jsonl"
        alone: dict[Any, str | None] = {}
        wanted = []
        for at, b in enumerate(trial.chosen[:7]):
            key = (b, at if "--sample=2" in options else 0)
            if key not in alone:
                file.write_text(line_of(pool, b))
                alone[key] = run_command(pool, tmp_path, file, options, at)
            wanted.append(alone[key])
        count("trapeze run, lines", None not in wanted)
        if None not in wanted:
            file.write_text("".join(line_of(pool, b) for b in trial.chosen[:7]))
            threads = f"--threads={trial.threads}"
            found = run_command(pool, tmp_path, file, [*options, threads])
            assert found == "".join(wanted), f"{pool.kind.name} {options}\n{trial}\n{pool.kind.text}"


def line_of(pool: Pool, b: int) -> str:
    problem = pool.problems[b]
    line: dict[str, Any] = dict(problem.lengths)
    for name, array in problem.arrays.items():
        if isinstance(array, tuple):
            line[name] = [[*cell, score] for cell, score in zip(array[0].tolist(), array[1].tolist())]
        else:
            line[name] = array.tolist()
    return json.dumps(line).replace("-Infinity", "null") + "\n"


@pytest.mark.skipif(not COMMAND, reason="TRAPEZE_COMMAND names the command")
def test_arrays(tmp_path):
    """trapeze run on arrays."""
    for pool, options in files("arrays"):
        (trial,) = trials(pool, "arrays", 1, [Question("log")])
        options = [o for o in options if o != "--derivation"] + [f"--precision={trial.precision}"]
        alone = {}
        for at, b in enumerate(trial.chosen[:7]):
            alone[at] = run_arrays(pool, tmp_path, [b], options, at, trial)
        count("trapeze run, arrays", None not in alone.values())
        if None not in alone.values():
            found = run_arrays(pool, tmp_path, trial.chosen[:7], [*options, f"--threads={trial.threads}"], 0, trial)
            wanted = list(alone.values())
            compare(pool, trial, [{n: a[at] for n, a in found.items()} for at in alone],
                    [{n: a[0] for n, a in want.items()} for want in wanted])  # fmt: skip


def run_arrays(
    pool: Pool, tmp_path: Any, chosen: list[int], options: list[str], at: int, trial: Trial
) -> dict[str, Any] | None:
    arrays, lengths = padded(pool.rules, [pool.problem(b, trial.dtype) for b in chosen])
    given: dict[str, Any] = dict(lengths)
    ends: dict[str, np.ndarray] = {}
    for name, array in arrays.items():
        if isinstance(array, list):
            rows = [np.insert(index, 0, b, axis=1) for b, (index, _) in enumerate(array)]
            given[f"{name}.index"] = np.concatenate(rows).astype(np.int32)
            given[name] = np.concatenate([scores for _, scores in array])
            ends[name] = np.cumsum([len(scores) for _, scores in array])[:-1]
        else:
            given[name] = array
    np.savez(tmp_path / "in.npz", **given)
    out = tmp_path / "out.npz"
    if run_command(pool, tmp_path, tmp_path / "in.npz", [*options, "-o", str(out)], at) is None:
        return None
    with np.load(out) as found:
        answers = {name: found[name] for name in found}
    for name in list(answers):
        weight = name.split(".")[-1]
        if weight in ends:
            answers[name] = np.split(answers[name], ends[weight], axis=-1)
            if "." in name and answers[name][0].ndim > 1:
                del answers[name]
    return answers
