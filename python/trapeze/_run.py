"""Rules.run: a problem or a batch under a semiring, and what is asked of it."""

from __future__ import annotations

from collections.abc import Mapping
from ctypes import byref
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _ask
from . import _library as C
from ._arrays import address_of
from ._bind import Problems
from ._facts import Facts
from ._limit import answer_limits, the_limits
from ._plan import Plan, Semiring
from .errors import Law
from .results import Result

if TYPE_CHECKING:
    from ._rules import Rules


class _Run:
    """A call of tz_run: what it is to fill, then the call."""

    def __init__(self, problems: Problems, plan: Plan) -> None:
        self.problems, self.plan = problems, plan
        self.answers = C.TzAnswers()
        self.questions: dict[str, _ask.Question] = {}
        #: Arrays with the batch in front, or lists of arrays; and what stands where there is no
        #: derivation.
        self.filled: list[tuple[Any, float]] = []

    def numbers(self, member: str, shape: int | tuple[int, int], none: float) -> np.ndarray:
        """[count] or [count, numbers] for a member of tz_answers."""
        array = np.empty(shape)
        setattr(self.answers, member, address_of(array))
        self.filled.append((array, none))
        return array

    def arrays(self, member: str, none: float) -> dict[str, Any]:
        """An array for each weight, for a member of tz_answers."""
        arrays, outputs = self.problems.answers(member, none)
        setattr(self.answers, member, outputs)
        single = self.problems.batch is None
        self.filled += [([array] if single else array, none) for array in arrays.values()]
        return arrays

    def start(self, outside: bool, threads: int, impossible: list[int]) -> dict[str, list[Any]]:
        """Fills all, and returns the questions' answers. impossible: problems without a derivation
        that agrees with what is required, which the engine does not know of."""
        count, user = self.problems.count, byref(self.answers)
        found: dict[str, list[Any]] = {}
        if self.questions:
            visitor = _ask.Visitor(self.questions, count)
            with visitor:
                self.plan.run(self.problems.address(), count, visitor.visit, user, outside, threads)
            found = visitor.answers
        else:
            self.plan.run(self.problems.address(), count, C.ANSWER, user, outside, threads)
        for b in impossible:
            for array, none in self.filled:
                array[b] = none
            for name, answers in found.items():
                answers[b] = _ask.NOTHING.get(name)
        return found


def _refuse(asked: Mapping[str, Any], semiring: Semiring, what: str) -> None:
    """Raises Law for what is asked and the semiring cannot answer."""
    for name, wanted in asked.items():
        if wanted:
            raise Law(f"{name} takes a semiring {what}; not {semiring.text}")


def _typed(values: np.ndarray, gives: int, single: bool) -> Any:
    """Values as scores, counts or truths, of a batch or of a single problem."""
    if gives == C.GIVES_TRUTH:
        values = values.astype(bool)
    if not single:
        return values
    value = values[0].item()
    return int(value) if gives == C.GIVES_NUMBER else value


def _log_z_of_q(problems: Problems, inputs: np.ndarray, plan: Plan) -> np.ndarray:
    """log Z of the distribution whose scores are the second half of the inputs."""
    first = address_of(inputs) + len(problems.rules.weights) * inputs.strides[1]
    records = problems.with_scores(first, inputs.strides[0])
    value = np.zeros(problems.count)
    answers = C.TzAnswers(value=address_of(value))
    plan.run(address_of(records), problems.count, C.ANSWER, byref(answers), False, 1)
    return value


def _divergence(log_q: np.ndarray, entropy: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """KL(p || q): +inf where q excludes what p allows; never negative by rounding."""
    kl = np.full(len(expected), np.inf)
    allowed = np.isfinite(expected)
    kl[allowed] = np.maximum(0.0, log_q[allowed] - entropy[allowed] - expected[allowed])
    return kl


def run(
    self: Rules,
    semiring: str,
    scores: Mapping[str, Any] | None = None,
    /,
    *,
    lengths: Any = None,
    best: bool = False,
    uses: bool = False,
    kbest: int = 0,
    distinct: bool = False,
    marginals: bool = False,
    max_marginals: bool = False,
    through: bool = False,
    direction: Mapping[str, Any] | None = None,
    samples: int = 0,
    seed: int = 1,
    replacement: bool = True,
    min_risk: bool | Mapping[str, float] = False,
    structure: Any = None,
    forbid: Any = None,
    require: Any = None,
    cost: Mapping[str, Any] | None = None,
    q: Mapping[str, Any] | None = None,
    amounts: bool = False,
    keep: int | None = None,
    drop: int | None = None,
    rate: tuple[float, float] | None = None,
    limits: Mapping[str, tuple[int, int]] | None = None,
    curve: str | None = None,
    precision: str = "f64",
    threads: int = 1,
    force: bool = False,
    **weights: Any,
) -> Result:
    """Evaluates a problem, or a batch of problems, under a semiring.

    Scores are natural logs, one array for each weight, as keywords or in a mapping: ``run("log",
    arc=arc)`` or ``run("log", {"arc": arc})``. -inf is impossible; NaN and +inf are refused.
    float32 and float64 of any strides are read where they stand; integers are converted.

    - A weight of r indices takes an array of r dimensions (``shape`` says which; it may be larger),
      with one more in front, the batch, or a list of B arrays. Beside batched weights, one without
      the batch axis is the same for all problems.
    - A sparse weight takes (index, scores): int ``[entries, r]`` and ``[entries]`` or
      ``[B, entries]``; for a batch also a list of such pairs.
    - lengths: a number, an array ``[B]``, or a mapping of those by name. Without, the arrays tell:
      each has the shape that its lengths ask for.

    What to ask for:

    - nothing: ``value`` (and ``values`` under kbest(K); ``entropy``, ``cost``, ``kl`` under
      entropy)
    - best: the best derivation; uses: how often it uses each cell, as arrays (max)
    - kbest=K: the K best derivations; distinct: each structure once, of ambiguous rules (max)
    - marginals: the expected number of uses of each cell, the gradient of log Z (log, entropy)
    - max_marginals or through: the value of the derivations that use each cell (max: the best
      score; count: how many)
    - direction: which way the scores move, arrays of some or all weights, asks for tangents: how
      the marginals change, d/de at scores + e * direction; the Hessian of log Z times it (log)
    - samples=K: random derivations, by seed; replacement=False: none comes twice (log, count)
    - min_risk: the derivation with most expected right cells, True or {weight: gain} (log)
    - structure: cells [("arc", 0, 2), ...] of which log_probability is asked (log)
    - forbid, require: what derivations must not or must use: cells, None standing for any index;
      of a required list of cells, one. structure, forbid, require of a batch: one list a problem.
    - cost: costs per weight, and q: scores of another distribution (entropy)
    - amounts: under rules that ``charge`` made, the value at each amount of the resource
    - keep, drop, rate=(low, high), limits={resource: (low, high)}: the best derivation within them;
      curve=resource: the best score of each amount (max)

    precision "f32" computes in single precision; answers are float64 arrays all the same. threads
    share a batch: the answers have the same bits for any number. force runs ambiguous rules under
    semirings that count a structure once for each of its derivations.

    Cost: an inside pass (O(n^3) for eisner), and a small multiple of it for marginals.
    """
    if scores is not None:
        weights = {**scores, **weights} if weights else scores  # type: ignore[assignment]
    problems = Problems(self, weights, lengths)
    limit = None
    if not keep is drop is rate is limits is None:
        limit = the_limits(keep, drop, rate, limits)
    plan = self._plan(semiring, precision, force)
    impossible: list[int] = []
    algebra = plan.semiring
    facts = None
    if forbid is not None or require is not None:
        facts = Facts(problems, forbid, require)
        if any(facts.required) and not algebra.marks:
            impossible, said = facts.forbid_instead(problems, self._handle)
            if not said and (kbest or min_risk or limit or curve):
                raise Law(
                    "these required facts cannot be said by forbidding other cells, which k best, "
                    "minimum risk and limits would need"
                )
            if not said:
                plan = self._plan(f"required({semiring})", precision, force)
    result = Result(self, semiring, problems.batch)
    if limit or curve:
        if semiring != "max":
            raise Law(f"limits on a resource, and curves, take the semiring max; not {semiring}")
        answer_limits(result, problems, limit, curve, precision, force, impossible)
        return result

    if not algebra.path and (best or uses or kbest or max_marginals):
        picked = {"best": best, "uses": uses, "kbest": kbest, "max_marginals": max_marginals}
        _refuse(picked, algebra, "that picks one derivation, such as max")
    if not algebra.shares and (marginals or min_risk):
        shared = {"marginals": marginals, "min_risk": min_risk}
        _refuse(shared, algebra, "of probabilities, such as log")
    if direction is not None and not algebra.turns:
        _refuse({"direction": True}, algebra, "of real numbers: log")
    if samples and not algebra.draws:
        _refuse({"samples": True}, algebra, "that sums over derivations, such as log")
    entropic = algebra.named_numbers
    inputs = None
    if cost is not None or q is not None:
        if not entropic:
            _refuse({"cost or q": True}, algebra, "that takes costs, such as entropy")
        inputs = problems.set_inputs([cost, q])

    asked = _Run(problems, plan)
    questions = asked.questions
    if best:
        questions["best"] = _ask.best(self)
    if kbest:
        questions["kbest"] = _ask.kbest(self, kbest, distinct)
    if samples:
        questions["samples"] = _ask.samples(self, samples, seed, replacement)
    if min_risk:
        decoder = self._plan("required(max)" if plan.semiring.marks else "max", precision, force)
        questions["min_risk"] = _ask.min_risk(self, decoder, min_risk)
    if structure is not None:
        questions["log_probability"] = _ask.structure(problems, structure)
    if amounts:
        questions["amounts"] = _ask.amounts(self, problems)
    value = asked.numbers("value", problems.count, algebra.none)
    if marginals:
        result.marginals = asked.arrays("marginals", 0.0)
    if direction is not None:
        problems.set_direction(direction)
        result.tangents = asked.arrays("tangents", 0.0)
    if through or max_marginals:
        result.through = asked.arrays("through", algebra.none)
    if uses:
        result.uses = asked.arrays("best", 0.0)
    many = None
    if algebra.lists or entropic:
        many = asked.numbers("values", (problems.count, plan.semiring.numbers), algebra.none)
        number = np.zeros(problems.count, np.uintp)
        asked.answers.number = address_of(number)
        asked.filled.append((number, 0))
    outside = marginals or through or max_marginals or bool(min_risk) or direction is not None

    found: dict[str, Any] = asked.start(outside, threads, impossible)
    if algebra.lists and many is not None:
        found["values"] = [row[:count] for row, count in zip(many, number.tolist())]
    if entropic and many is not None:
        found["entropy"] = many[:, 1]
        if cost is not None:
            found["cost"] = many[:, 2]
        if q is not None and inputs is not None:
            log = self._plan(plan.semiring.text.replace("entropy", "log"), precision, force)
            found["kl"] = _divergence(_log_z_of_q(problems, inputs, log), many[:, 1], many[:, 3])
    problems.done()
    single = problems.batch is None
    result.value = _typed(value, algebra.gives, single)
    for name, answers in found.items():
        answer = answers[0] if single else answers
        setattr(result, name, answer.item() if isinstance(answer, np.generic) else answer)
    return result
