"""Rules.run: asks questions of a problem or a batch under a semiring."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from ctypes import byref
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _ask, _items
from . import _library as C
from ._arrays import address_of, merged
from ._bind import Problems, length_form, place
from ._call import Call, Wanted
from ._facts import Facts
from ._given import UINT, a_mapping, whole_number
from ._limit import answer_limits, the_limits
from ._plan import Plan, Run, Semiring, as_read
from ._ruleset import RuleSet
from ._watch import Progress
from .errors import BadArgument, Law
from .results import Result

if TYPE_CHECKING:
    from typing import Concatenate, ParamSpec

    Asked = ParamSpec("Asked")


def _refuse(asked: Mapping[str, Any], semiring: Semiring, what: str) -> None:
    """Raises Law for a question that the semiring cannot answer."""
    for name, wanted in asked.items():
        if wanted:
            raise Law(f"{name} takes a semiring {what}; not {semiring.name}")


def _apart(scores: Mapping[str, Any]) -> tuple[dict[str, dict[str, Any]], Mapping[str, Any]]:
    """The semiring's inputs, "arc.cost", by their names and those of weights; and the rest."""
    if not any("." in name for name in scores):
        return {}, scores
    inputs: dict[str, dict[str, Any]] = {}
    rest = {}
    for name, given in scores.items():
        weight, dot, of = name.partition(".")
        if dot:
            inputs.setdefault(of, {})[weight] = given
        else:
            rest[name] = given
    return inputs, rest


def _inputs(
    semiring: Semiring,
    given: dict[str, dict[str, Any]],
    cost: Mapping[str, Any] | None,
    q: Mapping[str, Any] | None,
) -> dict[str, Mapping[str, Any]]:
    """The same, with cost, which is the first input, and q."""
    names = semiring.inputs
    if cost is not None and not names:
        _refuse({"cost": True}, semiring, "that takes costs, such as entropy")
    if q is not None and "q" not in names:
        _refuse({"q": True}, semiring, "of probabilities: entropy")
    found: dict[str, Mapping[str, Any]] = dict(given)
    for name, mapping in ((names[0] if names else "", cost), ("q", q)):
        if mapping is None:
            continue
        found[name] = merged(found.get(name, {}), a_mapping(mapping, name))
    for name in found:
        if name not in names:
            known = f"its inputs: {', '.join(names)}" if names else "it takes no inputs"
            raise BadArgument(f"{semiring.name} has no input {name!r}; {known}")
    return found


def _log_z_of_q(problems: Problems, inputs: np.ndarray, plan: Plan) -> np.ndarray:
    """log Z of the distribution whose scores are the second half of the inputs."""
    first = address_of(inputs) + len(problems.rules.weights) * inputs.strides[1]
    records = problems.with_scores(first, inputs.strides[0])
    value = np.zeros(problems.count)
    answers = C.TzAnswers(value=address_of(value))
    Run(plan, address_of(records), problems.count, C.ANSWER, byref(answers))()
    return value


def _divergence(log_q: np.ndarray, numbers: Mapping[str, np.ndarray], log_z: Any) -> np.ndarray:
    """KL(p || q): +inf where q excludes what p allows; never negative by rounding; 0 where there is no
    derivation."""
    expected = numbers["q"]
    kl = np.where(np.atleast_1d(log_z) > -np.inf, np.inf, 0.0)
    allowed = np.isfinite(expected) & (kl > 0)
    kl[allowed] = np.maximum(0.0, log_q[allowed] - numbers["entropy"][allowed] - expected[allowed])
    return kl


def _not_by_name(rules: RuleSet, semiring: Any, scores: Any) -> str:
    """Of scores without the name of their weight."""
    names = list(rules.weights)
    call = ", ".join(f"{name}=..." for name in names)
    return (
        f"scores are given by the name of their weight, run({semiring!r}, {call}), or in a mapping, "
        f"not as {type(scores).__name__} alone"
    )


def made_again(
    first: Callable[Concatenate[RuleSet, str, Asked], tuple[Result, Call | None]],
) -> Callable[Concatenate[RuleSet, str, Asked], Result]:
    """Rules.run: repeats a kept call where this one is like it, and makes any other anew.

    Only what was given is looked at, not all that could be: a function of so many arguments takes
    longer to call than what is left to do."""

    @functools.wraps(first)
    def run(self: RuleSet, semiring: str, scores: Any = None, /, **asked: Any) -> Result:
        names, named = self._dense, semiring
        if isinstance(semiring, str) and semiring.endswith(".semiring"):
            semiring = as_read(semiring)
        if scores is not None and type(scores) is not dict and not isinstance(scores, Mapping):
            raise BadArgument(_not_by_name(self, semiring, scores))
        if names is None:
            result, _ = first(self, semiring, scores, **asked)
            result.semiring = named
            return result
        if scores is None or len(scores) != len(names):
            more = {name: asked.pop(name) for name in names if name in asked}
            scores = merged(scores, more) if scores else more
        shapes, pointers = place(self, scores)
        key = table = None
        if shapes is not None:
            lengths = asked.get("lengths")
            if lengths is None or type(lengths) is int:
                key = (semiring, *asked, *asked.values(), *shapes)
            else:
                form, table = length_form(self, lengths, scores)
                key = (semiring, *asked, *{**asked, "lengths": form}.values(), *shapes)
        try:
            waiting = self._calls.waiting[key]
            call = waiting.pop()
        except (KeyError, IndexError, TypeError):  # new, or all in use, or there is a list in it
            pass
        else:
            result = Result(self, named, call.batch)
            call(result, pointers, table)
            waiting.append(call)
            return result
        result, made = first(self, semiring, scores, **asked)
        result.semiring = named
        if made is not None and key is not None:
            self._calls.keep(key, made)
        return result

    signature = inspect.signature(first)
    run.__signature__ = signature.replace(return_annotation="Result")  # type: ignore[attr-defined]
    run.__annotations__["return"] = "Result"
    return run  # type: ignore[return-value]


@made_again
def run(
    self: RuleSet,
    semiring: str,
    scores: Mapping[str, Any] | None = None,
    /,
    *,
    lengths: Any = None,
    best: bool = False,
    uses: bool = False,
    kbest: int = 0,
    distinct: bool = False,
    within: float = math.inf,
    marginals: bool = False,
    max_marginals: bool = False,
    through: bool = False,
    items: Sequence[str] = (),
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
    progress: Progress | None = None,
    **weights: Any,
) -> tuple[Result, Call | None]:
    """Evaluates a problem, or a batch of problems, under a semiring.

    Scores are natural logs, one array for each weight, as keywords or in a mapping: ``run("log",
    arc=arc)`` or ``run("log", {"arc": arc})``. -inf is impossible; NaN and +inf are refused.
    float32 and float64 of any strides are read where they stand; integers are converted.

    - A weight of r indices takes an array of r dimensions, of at least the shape that ``shape``
      gives. A batch has one more dimension in front, or is a list of B arrays. Beside batched
      weights, an array without the batch axis is the same for all problems.
    - An array may lack the positions before its domain, as ``emit[1:]`` of a chain, where the
      lengths leave no other reading; answers then have its shape.
    - A sparse weight takes (index, scores): int ``[entries, r]`` and ``[entries]`` or
      ``[B, entries]``; for a batch also a list of such pairs.
    - An input takes an array of whole numbers with as many dimensions as it has indices, each
      beginning with the smallest index; a batch has one more dimension or is a list. Where the
      numbers have names, it may be a list of names, or a string if each name is one character.
    - lengths: a number, an array ``[B]``, or a mapping of these by name. A length not given is told
      by the shapes of the arrays.

    What to ask for:

    - nothing: ``value`` (and ``values`` under kbest(K) and, as pairs, costs(K); ``count`` under ties;
      ``entropy``, ``cost``, ``kl`` under entropy)
    - best: the best derivation; uses: how often it uses each cell, as arrays (max)
    - kbest=K: the K best derivations; distinct: under ambiguous rules, each structure once;
      within=D: only those that score at most D less than the best (max)
    - marginals: the expected number of uses of each cell, the gradient of log Z (log, entropy)
    - max_marginals or through: the value of the derivations that use each cell (max: the best
      score; count: how many)
    - items: the values of all items of these names, one array each, shaped as weights are (position
      0 holds index 0, or the lowest if that is negative); with marginals, max_marginals or through,
      ``item_marginals`` and ``item_through`` likewise
    - direction: arrays of some or all weights, along which the scores move. Asks for ``tangents``:
      the derivatives of the marginals, d/de at scores + e * direction, which are the Hessian of log
      Z times the direction (log)
    - samples=K: K random derivations, by seed, with probabilities proportional to exp(score), under
      count all equal; replacement=False: none comes twice (log, count)
    - min_risk: True, or {weight: gain}: the derivation with the largest expected number of right
      cells, each counted by gain (log)
    - structure: cells [("arc", 0, 2), ...], whose ``log_probability`` is asked (log)
    - forbid: cells that no derivation uses; require: lists of cells, of each of which every
      derivation uses one. None stands for any index. For a batch, structure, forbid and require are
      lists with one such list for each problem
    - cost: a mapping from weights to costs (entropy, costs(K)); q: one to the scores of another
      distribution (entropy). They are inputs of the semiring, which may also be given beside the
      scores, as "arc.cost"; so are those of one as text, ``run(text, {"arc": arc, "arc.x": x})``
    - amounts: under rules that ``charge`` made, the value at each amount of the resource
    - keep, drop, rate=(low, high), limits={resource: (low, high)}: the best derivation within
      limits on a resource; curve=resource: the best score of each amount (max)

    precision "f32" computes in single precision; answers are float64 arrays all the same. threads
    is how many share a batch: the answers have the same bits for any number. force runs ambiguous
    rules under semirings that count a structure once for each of its derivations.

    progress(done, of) is called now and then and at the end; done is the number of problems done so
    far. Ctrl-C ends a long call soon, and so does any exception from a signal handler or from
    progress.

    Raises BadArgument, BadScore, Ambiguous, Law, TooLarge, Diverges (``trapeze.errors``).

    Cost: an inside pass (O(n^3) for eisner), and a small multiple of it for marginals.
    """
    if not isinstance(within, (int, float, np.number)) or not within >= 0:
        raise BadArgument(f"within is a number of 0 or more, not {within!r}")
    kbest, samples = whole_number(kbest, "kbest"), whole_number(samples, "samples")
    seed, threads = whole_number(seed, "seed"), whole_number(threads, "threads", 0, UINT)
    if not isinstance(min_risk, (bool, np.bool_)):
        a_mapping(min_risk, "min_risk", "from weights to gains, or True")
    if not isinstance(items, Collection):
        raise BadArgument(f"items is a list of names, not {items!r}")
    if scores is not None:
        weights = merged(scores, weights) if weights else scores  # type: ignore[assignment]
    given, weights = _apart(weights)
    problems = Problems(self, weights, lengths)
    limit = None
    if not keep is drop is rate is limits is None:
        limit = the_limits(keep, drop, rate, limits)
    plan = self._plan(semiring, precision, force)
    impossible: list[int] = []
    algebra = plan.semiring
    beside = _inputs(algebra, given, cost, q)
    facts = None
    if forbid is not None or require is not None:
        facts = Facts(problems, forbid, require)
        if any(facts.required) and not algebra.marks:
            impossible, said = facts.forbid_instead(problems, self._handle)
            if not said and (kbest or min_risk or limit or curve or direction is not None):
                raise Law(
                    "these required facts cannot be said by forbidding other cells, which k best, "
                    "minimum risk, limits, and derivatives of marginals or entropies would need"
                )
            if not said and algebra.written:
                raise Law(f"these required facts take a semiring by its name; not {algebra.name}")
            if not said:
                plan = self._plan(f"required({semiring})", precision, force)
    result = Result(self, semiring, problems.batch)
    if limit or curve:
        if semiring != "max":
            raise Law(f"limits on a resource, and curves, take the semiring max; not {semiring}")
        answer_limits(result, problems, limit, curve, precision, force, impossible, progress)
        return result, None

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
    inputs = None
    if beside:
        inputs = problems.set_inputs([beside.get(name) for name in algebra.inputs])

    questions: dict[str, _ask.Question] = {}
    if best:
        questions["best"] = _ask.best(self, problems)
    if kbest:
        questions["kbest"] = _ask.kbest(self, problems, kbest, distinct, within)
    if samples:
        questions["samples"] = _ask.samples(self, problems, samples, seed, replacement)
    if min_risk:
        decoder = self._plan("required(max)" if plan.semiring.marks else "max", precision, force)
        questions["min_risk"] = _ask.min_risk(self, problems, decoder, min_risk)
    if structure is not None:
        questions["log_probability"] = _ask.structure(problems, structure)
    if amounts:
        questions["amounts"] = _ask.amounts(self, problems)
    wholes: list[_items.Whole] = []
    if len(items):
        wholes = _items.wholes(problems, items, algebra.none, marginals, through or max_marginals)
        questions["items"] = _items.ask(wholes)
    wanted: list[Wanted] = []
    if marginals:
        wanted.append(Wanted("marginals", "marginals", 0.0))
    if direction is not None:
        problems.set_direction(a_mapping(direction, "direction"))
        wanted.append(Wanted("tangents", "tangents", 0.0))
    if through or max_marginals:
        wanted.append(Wanted("through", "through", algebra.none))
    if uses:
        wanted.append(Wanted("uses", "best", 0.0))
    outside = marginals or through or max_marginals or bool(min_risk) or direction is not None
    visitor = _ask.Visitor(questions, problems.count) if questions else None
    visit = visitor.visit if visitor else C.ANSWER
    call = Call(problems, plan, wanted, outside, threads, visit, progress)
    listed = algebra.lists or algebra.named_numbers
    if listed:
        numbers, of_each = call.fill_numbers()

    found: dict[str, Any] = {}
    if visitor:
        with visitor:
            call(result, impossible=impossible)
        found = visitor.answers
    else:
        call(result, impossible=impossible)
    found.pop("items", None)
    for whole in wholes:
        whole.clear(impossible)
        setattr(result, whole.name, whole.arrays)
    for b in impossible:
        for name, answers in found.items():
            answers[b] = _ask.NOTHING.get(name)
        if listed:
            numbers[b], of_each[b] = algebra.of_zero, 0
    if algebra.lists:
        found["values"] = [row[:count] for row, count in zip(numbers, of_each.tolist())]
    if algebra.each > 1:
        found["values"] = [row.reshape(-1, algebra.each) for row in found["values"]]
    if algebra.written and algebra.named_numbers:
        named = dict(zip(algebra.named_numbers[1:], numbers.T[1:]))
        result.numbers = {name: row[0].item() if problems.batch is None else row for name, row in named.items()}
    elif algebra.named_numbers:
        named = dict(zip(algebra.named_numbers, numbers.T))
        found.update({name: named[name] for name in ("count", "entropy") if name in named})
        if "cost" in beside:
            found["cost"] = named["cost"]
        if "q" in beside and inputs is not None:
            log = self._plan(plan.semiring.text.replace("entropy", "log"), precision, force)
            log_q = _log_z_of_q(problems, inputs, log)
            found["kl"] = _divergence(log_q, named, result.value)
    again = (
        problems.key is not None
        and visitor is facts is direction is inputs is None
        and not listed
    )
    if not again:
        problems.done()
    for name, answers in found.items():
        answer = answers[0] if problems.batch is None else answers
        setattr(result, name, answer.item() if isinstance(answer, np.generic) else answer)
    return result, call if again else None
