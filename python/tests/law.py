"""What test_batch_law.py compares: questions, problems that they are put to alone and together, and
whether two answers have the same bits."""

from __future__ import annotations

import os
import warnings
import zlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from law_rules import Kind, Problem, cells, known, random_kind, random_lengths, random_problem

import trapeze

SEED = int(os.environ.get("TZ_SEED", "1"))
AMOUNT = float(os.environ.get("TZ_LAW", "1"))
SIZES = [*range(1, 18), 33]  # 16 doubles are the largest group of small problems
GOLDEN = 0x9E3779B97F4A7C15  # problem b is sampled by the seed + b times this
ALIKE, OTHERS = 4, 4  # problems of a pool: of the same lengths; of any


# A variable that stands once, or a weight in no derivation, is nothing to warn of here.
warnings.simplefilter("ignore", trapeze.RulesWarning)


def kinds() -> list[Kind]:
    rng = np.random.default_rng(SEED)
    found = known() + [random_kind(rng, number) for number in range(int(60 * AMOUNT))]
    return found + [charged for kind in found for charged in kind.charged()]


KINDS = kinds()


def chance(*of: Any) -> np.random.Generator:
    """The same for a test, whichever tests came before."""
    return np.random.default_rng([SEED, zlib.crc32(repr(of).encode())])


# ---- What is asked -------------------------------------------------------------------------------


class Question(NamedTuple):
    semiring: str
    #: The same for all problems.
    options: dict[str, Any] = {}
    #: What each problem has of its own: options of run by name.
    own: tuple[str, ...] = ()


QUESTIONS = [
    Question("log"),
    Question("log", {"marginals": True}),
    Question("log", {"marginals": True, "through": True, "items": "all", "min_risk": True}),
    Question("log", {"samples": 2, "seed": 7, "marginals": True}),
    Question("log", {"samples": 3, "seed": 2**64 - 1, "replacement": False}),
    Question("log", {}, ("direction",)),
    Question("log", {"marginals": True}, ("structure",)),
    Question("log", {"marginals": True}, ("forbid",)),
    Question("log", {"marginals": True}, ("require",)),
    Question("max", {"best": True, "uses": True}),
    Question("max", {"kbest": 4, "max_marginals": True, "items": "all"}),
    Question("max", {"kbest": 9, "within": 2.0, "distinct": True}),
    Question("max", {"best": True}, ("forbid",)),
    Question("entropy", {"marginals": True}),
    Question("entropy", {}, ("cost", "q")),
    Question("count", {"through": True, "samples": 1, "seed": 3}),
    Question("ties", {"uses": True}),
    Question("bool", {"items": "all"}),
    Question("kbest(3)"),
    Question("costs(2)", {}, ("cost",)),
    Question("max", {"keep": 1}),
    Question("max", {"curve": "kept"}),
    Question("resource(kept,2,max)"),
    Question("log", {"amounts": True, "marginals": True}),
]
LIKE_SCORES = ("direction", "cost", "q")


class Pool:
    """Problems of a rule set, and what new rules answer to each alone."""

    def __init__(self, kind: Kind) -> None:
        self.kind, self.rules, rng = kind, kind.rules(), chance(kind.name, kind.resource)
        # Answers that are kept have rules of the same handle, which may outlive these.
        self.rules._owned = False
        lengths = random_lengths(rng, self.rules)
        first = random_problem(rng, kind, self.rules, lengths)
        alike = [random_problem(rng, kind, self.rules, lengths, first) for _ in range(ALIKE - 1)]
        others = [random_lengths(rng, self.rules) for _ in range(OTHERS)]
        self.problems = [first, *alike, *[random_problem(rng, kind, self.rules, o) for o in others]]
        self._own: dict[Any, Any] = {}
        self._alone: dict[Any, Any] = {}

    def suits(self, question: Question) -> bool:
        options = question.options
        if "amounts" in options:
            return bool(self.kind.resource)
        if "keep" in options or "curve" in options or question.semiring.startswith("resource"):
            return "kept" in self.rules.resources
        return True

    def own(self, name: str, b: int) -> Any:
        """An option that each problem has of its own."""
        if (name, b) not in self._own:
            self._own[name, b] = self._draw_own(name, self.problems[b], chance(name, b))
        return self._own[name, b]

    def _draw_own(self, name: str, problem: Problem, rng: np.random.Generator) -> Any:
        if name in LIKE_SCORES:
            return {w: _like(problem.arrays[w], rng) for w in self.rules.weights}
        if name == "structure":
            best = self.rules.run(
                "max", problem.arrays, lengths=problem.lengths, force=True, best=True
            ).best
            return [(use.weight, *use.index) for use in best.uses] if best else []
        if rng.random() < 0.3:  # of an item
            item = int(rng.integers(len(self.rules.items)))
            rank = self.rules._item_ranks()[item] - bool(self.kind.resource)
            cell = (self.rules.items[item], *[None if rng.random() < 0.5 else int(rng.integers(3)) for _ in range(rank)])
            return [cell] if name == "forbid" else [[cell]]
        weight = list(self.rules.weights)[rng.integers(len(self.rules.weights))]
        every = [()]
        if self.rules.weights[weight].rank:
            lengths = {n: problem.lengths[n] for n in trapeze_lengths(self.kind)}
            every = cells(self.kind, weight, lengths)
        if not every:
            return []
        cell = (weight, *every[rng.integers(len(every))])
        return [cell] if name == "forbid" else [[cell]]

    def asked(self, question: Question, chosen: list[int]) -> dict[str, Any]:
        """The options of run for a batch of problems."""
        options = dict(question.options)
        if options.get("items") == "all":
            options["items"] = list(self.rules.items)
        for name in question.own:
            values = [self.own(name, b) for b in chosen]
            if name in LIKE_SCORES:
                options[name] = {w: [value[w] for value in values] for w in self.rules.weights}
            else:
                options[name] = values
        return options

    def problem(self, b: int, dtype: type) -> Problem:
        lengths, arrays = self.problems[b]
        return Problem(lengths, {name: _as_type(one, dtype) for name, one in arrays.items()})

    def alone(self, trial: Trial, at: int, b: int) -> Any:
        """Of problem b as the at-th of a batch, from new rules; None where it is refused."""
        question, precision = trial.question, trial.precision
        seed = question.options.get("seed")
        key = (repr(question), b, precision, trial.dtype, at if seed is not None else 0)
        if key not in self._alone:
            options = self.asked(question, [b])
            for name in question.own:
                options[name] = self.own(name, b)
            if seed is not None:
                options["seed"] = (seed + at * GOLDEN) % 2**64
            problem, new = self.problem(b, trial.dtype), trapeze.Rules(self.rules._handle)
            try:
                self._alone[key] = new.run(
                    question.semiring, problem.arrays, lengths=problem.lengths, force=True,
                    precision=precision, **options,
                )  # fmt: skip
            except trapeze.Error:
                self._alone[key] = None
        return self._alone[key]


def trapeze_lengths(kind: Kind) -> tuple[str, ...]:
    """Of the rules without the account of a resource."""
    return trapeze.rules(text=kind.text).lengths


def _as_type(array: Any, dtype: type) -> Any:
    if isinstance(array, tuple):
        return array[0], array[1].astype(dtype)
    return array if array.dtype.kind == "i" else array.astype(dtype)


def _like(scores: Any, rng: np.random.Generator) -> Any:
    if isinstance(scores, tuple):
        return scores[0], rng.normal(size=len(scores[0]))
    return rng.normal(size=scores.shape)


# ---- How it is given -----------------------------------------------------------------------------


def listed(rules: trapeze.Rules, problems: list[Problem]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Lists, and lengths."""
    arrays: dict[str, Any] = {}
    for name in (*rules.weights, *rules.inputs):
        arrays[name] = [np.asarray(p.arrays[name]) if not isinstance(p.arrays[name], tuple)
                        else p.arrays[name] for p in problems]  # fmt: skip
        if name in rules.inputs and rules.inputs[name].rank == 0:
            arrays[name] = np.array(arrays[name], np.int32)
    return arrays, lengths_of(rules, problems)


def padded(rules: trapeze.Rules, problems: list[Problem]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Arrays as large as the largest problem, with what nobody may read behind: NaN, and 99."""
    arrays, lengths = listed(rules, problems)
    for name, given in arrays.items():
        if isinstance(given, list) and not isinstance(given[0], tuple):
            shape = tuple(map(max, zip(*[one.shape for one in given])))
            whole = np.full((len(given), *shape), 99 if name in rules.inputs else np.nan, given[0].dtype)
            for b, one in enumerate(given):
                whole[(b, *map(slice, one.shape))] = one
            arrays[name] = whole
    return arrays, lengths


def lengths_of(rules: trapeze.Rules, problems: list[Problem]) -> dict[str, Any]:
    return {name: np.array([p.lengths[name] for p in problems]) for name in rules.lengths}


# ---- The same bits -------------------------------------------------------------------------------


def differ(found: Any, want: Any, at: str = "") -> str:
    """Where two answers have not the same bits; "" if they do. Arrays found may be larger than those
    wanted: nothing stands there."""
    if isinstance(want, trapeze.Result):
        names = list(want._answers())
        if names != list(found._answers()):
            return f"{at}: answers {list(found._answers())}, not {names}"
        pairs = [(f"{at}.{name}", getattr(found, name), getattr(want, name)) for name in names]
    elif isinstance(want, dict):
        pairs = [(f"{at}[{name!r}]", found[name], one) for name, one in want.items()]
    elif isinstance(want, trapeze.Derivation):
        pairs = [(at, one, other) for one, other in (
            (found and found.score, want.score),
            (found and found._uses.tobytes(), want._uses.tobytes()),
            (found and found._nodes.tobytes(), want._nodes.tobytes()),
            (found and positions(found), positions(want)),
        )]  # fmt: skip
    elif isinstance(want, (list, tuple)):
        if found is None or len(found) != len(want):
            return f"{at}: {found}, not {want}"
        pairs = [(f"{at}[{i}]", *pair) for i, pair in enumerate(zip(found, want))]
    else:
        return _differ_arrays(found, want, at)
    return next((said for where, one, other in pairs if (said := differ(one, other, where))), "")


def positions(derivation: trapeze.Derivation) -> Any:
    """Where inputs were looked up."""
    found = derivation._positions
    return None if found is None else found.tobytes()


def _differ_arrays(found: Any, want: Any, at: str) -> str:
    if want is None or found is None or isinstance(want, (bytes, str, int)):
        return "" if found == want else f"{at}: {found}, not {want}"
    one, other = np.asarray(found), np.asarray(want)
    cut = one[tuple(map(slice, other.shape))] if one.ndim == other.ndim else one
    if cut.shape != other.shape:
        return f"{at}: shape {one.shape}, not {other.shape}"
    if cut.tobytes() != other.tobytes():
        return f"{at}: {cut.ravel().tolist()}, not {other.ravel().tolist()}"
    if one.size > other.size:
        rest = np.ones(one.shape, bool)
        rest[tuple(map(slice, other.shape))] = False
        if len(np.unique(one[rest])) > 1:
            return f"{at}: something stands in the padding"
    return ""


# ---- Combinations ---------------------------------------------------------------------------------


class Trial(NamedTuple):
    question: Question
    #: Which problems of the pool.
    chosen: list[int]
    precision: str
    threads: int
    form: Callable[..., tuple[dict[str, Any], dict[str, Any]]]
    #: Of scores.
    dtype: type

    def __str__(self) -> str:
        return (
            f"{self.question}, {self.precision}, {self.form.__name__} {self.dtype.__name__}, "
            f"{self.threads} threads, problems {self.chosen}"
        )


def trials(pool: Pool, door: str, number: int, questions: list[Question]) -> Iterator[Trial]:
    rng = chance(door, pool.kind.name, pool.kind.resource)
    suitable = [question for question in questions if pool.suits(question)]
    for _ in range(max(1, round(number * min(AMOUNT, 3)))):
        question = suitable[rng.integers(len(suitable))]
        precision = rng.choice(["f64", "f64", "f32"])
        among = range(ALIKE if rng.random() < 0.4 else ALIKE + OTHERS)
        size = SIZES[rng.integers(len(SIZES))]
        chosen = [int(b) for b in rng.choice(len(among), size)]
        form = [listed, padded][rng.integers(2)]
        dtype = np.float32 if rng.random() < 0.3 else np.float64
        yield Trial(question, chosen, str(precision), int(rng.integers(1, 4)), form, dtype)


def few(door: str, number: int, kinds: list[Kind]) -> list[Kind]:
    """Some of these."""
    picked = chance(door).choice(len(kinds), min(int(number * AMOUNT), len(kinds)), replace=False)
    return [kinds[k] for k in picked]


POOLS: dict[Kind, Pool] = {}


def pool_of(kind: Kind) -> Pool:
    if kind not in POOLS:
        POOLS[kind] = Pool(kind)
    return POOLS[kind]


def pools() -> Iterator[Pool]:
    return map(pool_of, KINDS)


def compare(pool: Pool, trial: Trial, found: Any, wanted: list[Any]) -> None:
    for b, (one, want) in enumerate(zip(found, wanted)):
        said = differ(one, want)
        if said:
            raise AssertionError(f"{pool.kind.name}, {pool.kind.resource}: problem {b}{said}\n{trial}\n{pool.kind.text}")
