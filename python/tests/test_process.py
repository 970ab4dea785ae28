"""Threads, forks, what a thousand calls leave behind, and what is installed."""

from __future__ import annotations

import concurrent.futures
import copy
import gc
import multiprocessing
import pathlib
import pickle
import sys
import threading
import time
import tracemalloc

import numpy as np
import pytest

import trapeze
from forks import in_a_child

EISNER, COMPRESS = trapeze.rules("eisner"), trapeze.rules("compress")


def batches(rng, count):
    return [rng.normal(size=(rng.integers(1, 9), n, n)) for n in rng.integers(2, 16, size=count)]


def everything(arc):
    log = EISNER.run("log", arc=arc, marginals=True, samples=2)
    best = EISNER.run("max", arc=arc, best=True, kbest=3)
    return log.value, log.marginals["arc"], log.samples, best.best, best.kbest


def assert_equal(found, expected):
    np.testing.assert_array_equal(found[0], expected[0])
    np.testing.assert_array_equal(found[1], expected[1])
    assert found[2:] == expected[2:]


def test_threads_of_python(rng):
    """Calls from eight threads at once, on the same rules, have the answers of calls in turn."""
    work = batches(rng, 200)
    expected = [everything(arc) for arc in work]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for found, right in zip(pool.map(everything, work), expected):
            assert_equal(found, right)


def test_new_rules_in_threads():
    """Rule sets, plans and semirings made at once in several threads, and freed."""
    text = "rules x\nlength n\nitem a\ngoal a\naxiom\n--- r\na\n"

    def make(i):
        one = trapeze.rules(f"r{i}", text=text)
        return [one.run(s, lengths=3).value for s in ("max", "count", "kbest(3)", "entropy")]

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert set(map(tuple, pool.map(make, range(100)))) == {(0.0, 1, 0.0, 0.0)}


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_threads_of_the_library(threads, rng):
    """The same bits for any number of threads."""
    arrays = [rng.normal(size=(n, n)) for n in rng.integers(2, 30, size=64)]
    one = EISNER.run("log", arc=arrays, marginals=True, samples=2)
    many = EISNER.run("log", arc=arrays, marginals=True, samples=2, threads=threads)
    np.testing.assert_array_equal(one.value, many.value)
    for a, b in zip(one.marginals["arc"], many.marginals["arc"]):
        np.testing.assert_array_equal(a, b)
    assert one.samples == many.samples


def test_the_lock_is_released():
    """Another thread of Python runs while a call is in the library: where the interpreter does not
    take its lock away from a thread, nothing else lets one run."""
    arc, ticks, over = np.zeros((101, 101)), 0, False

    def tick():
        nonlocal ticks
        while not over:
            ticks += 1
            time.sleep(0)

    EISNER.run("log", arc=arc, marginals=True)
    interval, thread = sys.getswitchinterval(), threading.Thread(target=tick)
    sys.setswitchinterval(1000)
    try:
        thread.start()
        for _ in range(1000):  # on a busy machine its turn need not come in the first
            before = ticks
            EISNER.run("log", arc=arc, marginals=True)
            if ticks > before:
                break
    finally:
        over = True
        sys.setswitchinterval(interval)
        thread.join()
    assert ticks > before


@pytest.mark.usefixtures("no_sanitizer")
@pytest.mark.parametrize("threads", [1, 2])
def test_fork(threads, rng):
    """A child forked after use has the same answers, with threads too, and so has its child."""
    arrays = [rng.normal(size=(n, n)) for n in (5, 9, 9, 12, 3, 7)]

    def run():
        return EISNER.run("log", arc=arrays, marginals=True, threads=threads)

    expected = run()

    def check():
        for _ in range(3):
            found = run()
            np.testing.assert_array_equal(found.value, expected.value)
            for a, b in zip(found.marginals["arc"], expected.marginals["arc"]):
                np.testing.assert_array_equal(a, b)

    def grandchild():
        check()
        in_a_child(check)

    in_a_child(grandchild)
    check()


@pytest.mark.usefixtures("no_sanitizer")
def test_fork_while_others_call(rng):
    arc = rng.normal(size=(4, 20, 20))
    expected = EISNER.run("log", arc=arc).value
    stop = threading.Event()

    def call():
        while not stop.is_set():
            EISNER.run("log", arc=arc, marginals=True)

    threads = [threading.Thread(target=call) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(10):
            in_a_child(
                lambda: np.testing.assert_array_equal(EISNER.run("log", arc=arc).value, expected)
            )
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def a_bit_of_everything(rng):
    n = int(rng.integers(1, 12))
    arc, bigram = rng.normal(size=(n + 1, n + 1)), rng.normal(size=(n + 1, n + 2))
    given = {"arc": arc, "bigram": bigram}
    COMPRESS.run("log", given, marginals=True, samples=1, min_risk=True)
    COMPRESS.run("max", given, best=True, kbest=2, uses=True, max_marginals=True)
    COMPRESS.run("entropy", given, cost={"arc": arc}, q=given)
    COMPRESS.run("max", given, keep=n // 2)
    COMPRESS.run("max", given, forbid=[("arc", None, 1)], best=True)
    COMPRESS.run("log", given, require=[("bigram", 0, 1)])
    COMPRESS.run("log", given, structure=[("bigram", 0, n + 1)])
    with pytest.raises(trapeze.BadScore):
        COMPRESS.run("log", {**given, "arc": arc + np.nan})
    with pytest.raises(trapeze.BadArgument):
        COMPRESS.run("log", given, lengths=n + 1)
    trapeze.rules(text="rules x\nlength n\nitem a\ngoal a\naxiom\n--- r\na\n").run("max", lengths=n)


def test_a_thousand_calls_leave_nothing(rng, in_use):
    """The same 100 rounds of a dozen calls three times: after the second, memory has its final size,
    and the third leaves below 64 bytes a call of Python's and of malloc's (measured: 1 and 3)."""

    def rounds():
        same = copy.deepcopy(rng)
        for _ in range(100):
            a_bit_of_everything(same)
        gc.collect()
        return tracemalloc.get_traced_memory()[0], in_use()

    rounds()
    tracemalloc.start()
    before = rounds()
    after = rounds()
    tracemalloc.stop()
    assert all(b - a < 64 * 1200 for a, b in zip(before, after))


def test_rules_go_with_their_last_reference():
    """Without a collection: rules, plans and charts refer to each other in no circle."""
    gc.disable()
    try:
        gc.collect()
        made = trapeze.rules(text="rules x\nlength n\nitem a\ngoal a\naxiom\n--- r\na\n")
        made.run("max", lengths=3)
        made.charge  # noqa: B018
        freed = []
        plan = next(iter(made._plans.values()))
        handle = made._handle
        del plan
        free = trapeze._library.lib.tz_rules_free
        trapeze._library.lib.tz_rules_free = lambda h: (freed.append(h), free(h))
        try:
            del made
        finally:
            trapeze._library.lib.tz_rules_free = free
        assert freed == [handle]
    finally:
        gc.enable()


@pytest.fixture(params=["name", "text", "file", "charged"])
def some_rules(request, tmp_path):
    """Rules that were made in each of the ways there are."""
    text = (pathlib.Path(__file__).parents[2] / "rules" / "semimarkov.rules").read_text()
    if request.param == "text":
        return trapeze.rules("mine", text=text)
    if request.param == "file":
        (tmp_path / "mine.rules").write_text(text)
        return trapeze.rules(file=tmp_path / "mine.rules")
    made = trapeze.rules("compress")
    return made.charge("kept") if request.param == "charged" else made


def answers(rules):
    """Everything that may be asked, of scores that are always the same."""
    rng = np.random.default_rng(7)
    lengths = dict.fromkeys(rules.lengths, 4)
    scores = {name: rng.normal(size=(2, *rules.shape(name, **lengths))) for name in rules.weights}
    more = {"lengths": {name: [4, 4] for name in lengths}}
    best = rules.run("max", scores, best=True, kbest=3, max_marginals=True, **more)
    return best, rules.run("log", scores, marginals=True, samples=2, **more)


def assert_answers_equal(found, expected):
    for one, other in zip(found, expected, strict=True):
        assert repr(one) == repr(other) and (one.best, one.kbest) == (other.best, other.kbest)
        assert one.samples == other.samples
        np.testing.assert_array_equal(one.value, other.value)
        for name in one.rules.weights:
            for kind in ("marginals", "through"):
                if getattr(one, kind) is not None:
                    np.testing.assert_array_equal(getattr(one, kind)[name], getattr(other, kind)[name])
    assert found[0].best[0].proof == expected[0].best[0].proof


@pytest.mark.parametrize("way", ["copy", "deepcopy", "pickle"])
def test_copies(some_rules, way):
    """Of rules and of what they answered; the originals go first, and nothing is freed twice."""
    ways = {"pickle": lambda one: pickle.loads(pickle.dumps(one))}
    again = ways.get(way) or getattr(copy, way)
    rules, expected = some_rules, answers(some_rules)
    same, found = again((rules, expected)) if way != "copy" else (again(rules), expected)
    assert (same is rules) or way == "pickle"
    assert (same.name, same.weights, same.lengths) == (rules.name, rules.weights, rules.lengths)
    assert found[0].rules is same
    assert_answers_equal(found, expected)
    assert_answers_equal(answers(same), expected)


def test_copies_of_free_rules():
    """Rules that only their copies hold."""
    made = trapeze.rules(text="rules x\nlength n\nitem a\ngoal a\naxiom\n--- r\na\n")
    others = [copy.deepcopy({"rules": made})["rules"], copy.copy(made)]
    others += [pickle.loads(pickle.dumps(made)) for _ in range(3)]
    assert others[2] is others[4]
    del made
    gc.collect()
    while others:
        assert others.pop().run("max", lengths=3).value == 0
        gc.collect()


@pytest.mark.usefixtures("no_sanitizer")
@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_processes(some_rules, method):
    """As a DataLoader's workers: rules go there, results come back."""
    expected = answers(some_rules)
    context = multiprocessing.get_context(method)
    with concurrent.futures.ProcessPoolExecutor(1, context) as pool:
        for found in pool.map(answers, [some_rules] * 3):
            assert_answers_equal(found, expected)


def test_all_files_are_installed():
    """Meson has a list of the package's files, which it installs."""
    folder = pathlib.Path(__file__).resolve().parents[1]
    listed = (folder / "meson.build").read_text()
    files = [path.name for path in (folder / "trapeze").glob("*.py")]
    assert len(files) > 20
    assert [name for name in files if f"'trapeze/{name}'" not in listed] == []
