"""Ctrl-C: long calls end soon, with KeyboardInterrupt, and leave everything usable; progress."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import trapeze

EISNER = trapeze.rules("eisner")

#: Each call takes many times as long as a call may take to end, here with a machine's other work.
SECONDS = 4

SCRIPT = """
import json, os, signal, sys, threading, time
import numpy as np, trapeze

rng = np.random.default_rng(1)
eisner, compress = trapeze.rules("eisner"), trapeze.rules("compress")
name = sys.argv[1]
short = rng.normal(size=(3, 12, 12))
arc = np.broadcast_to(rng.normal(size=(600, 600)), (60, 600, 600))
more = np.broadcast_to(arc[0], (600, 600, 600))
many = np.broadcast_to(rng.normal(size=(7, 7)), (200_000, 7, 7))
kept = {"arc": np.broadcast_to(rng.normal(size=(61, 61)), (40_000, 61, 61)),
        "bigram": np.broadcast_to(rng.normal(size=(61, 62)), (40_000, 61, 62))}

if name == "torch":
    import torch, trapeze.torch

def torch_loss():
    scores = torch.tensor(arc[:30], requires_grad=True)
    trapeze.torch.log_partition("eisner", arc=scores).sum().backward()

def other_thread():
    worker = threading.Thread(target=lambda: eisner.run("log", arc=arc, marginals=True))
    worker.start()
    worker.join()

def again(session, value):
    # After a stop the session goes on as if nothing had been.
    try:
        return value()
    except KeyboardInterrupt:
        smaller = session.truncate(3)
        assert smaller.value == eisner.run("entropy", arc=arc[0, :4, :4]).value
        raise

def grown():
    session = eisner.grow("entropy", arc=np.tile(arc[0], (3, 3)))
    again(session, lambda: session.value)

def read_on():
    grammar = trapeze.Grammar("S -> S S [0.4] | 'a' [0.6]", weights="probabilities")
    session = grammar.session("a")
    session.extend(["a"] * 3000)
    try:
        session.next()
    except KeyboardInterrupt:
        session.truncate(2)
        assert session.prefix_log_prob == grammar.session("a a").prefix_log_prob
        raise

def own_handler():
    def handle(number, frame):
        raise TimeoutError
    signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, 0.4)
    eisner.run("log", arc=arc, marginals=True)

calls = {
    "marginals": lambda: eisner.run("log", arc=arc, marginals=True),
    "threads": lambda: eisner.run("log", arc=arc, marginals=True, threads=2),
    "one": lambda: eisner.run("kbest(40)", arc=arc[0]),
    "best": lambda: eisner.run("max", arc=more, best=True, kbest=3),
    "many": lambda: eisner.run("max", arc=many, kbest=3),
    "samples": lambda: eisner.run("log", arc=many[0], samples=10_000_000),
    "risk": lambda: eisner.run("log", arc=arc, min_risk=True),
    "limits": lambda: compress.run("max", **kept, keep=20),
    "curve": lambda: compress.run("max", **kept, curve="kept"),
    "session": grown,
    "grammar": read_on,
    "torch": torch_loss,
    "thread": other_thread,
    "own": own_handler,
}

def answers():
    log = eisner.run("log", arc=short, marginals=True)
    best = compress.run("max", arc=short, bigram=bigram, keep=4, best=True)
    return [log.value.tolist(), log.marginals["arc"].tolist(), repr(best.best),
            repr(eisner.run("max", arc=short, best=True, kbest=2).kbest)]

bigram = rng.normal(size=(3, 12, 13))
expected, sent = answers(), time.monotonic()

def send():
    global sent
    sent = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)

raised = None
if name != "own":
    threading.Timer(0.7, send).start()
try:
    calls[name]()
except BaseException as error:
    raised = type(error).__name__
ended = time.monotonic()
print(json.dumps({"raised": raised, "seconds": ended - sent, "right": answers() == expected}))
"""


def interrupted(tmp_path: pathlib.Path, name: str) -> tuple[dict, str]:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, script, name], capture_output=True, text=True, timeout=200)
    assert done.stdout, done.stderr
    return json.loads(done.stdout), done.stderr


@pytest.mark.parametrize(
    "name",
    "marginals threads one best many samples risk limits curve session grammar thread torch".split(),
)
def test_control_c(tmp_path, name):
    if name == "torch":
        pytest.importorskip("torch")
    found, said = interrupted(tmp_path, name)
    assert found["raised"] == "KeyboardInterrupt"
    assert found["seconds"] < SECONDS
    assert found["right"]
    assert "ignored" not in said


def test_handler_of_the_caller(tmp_path):
    """What a handler of any signal raises ends the call."""
    found, said = interrupted(tmp_path, "own")
    assert found["raised"] == "TimeoutError" and found["right"] and not said


def test_progress(rng):
    arc = rng.normal(size=(64, 90, 90))
    expected = EISNER.run("log", arc=arc, marginals=True)
    seen: list[tuple[int, int]] = []

    def progress(done, of):
        seen.append((done, of))

    for threads in 1, 2:
        found = EISNER.run("log", arc=arc, marginals=True, progress=progress, threads=threads)
        np.testing.assert_array_equal(found.marginals["arc"], expected.marginals["arc"])
        assert seen[-1] == (64, 64)
        assert [done for done, _ in seen] == sorted(done for done, _ in seen)
        assert {of for _, of in seen} == {64}
        seen.clear()
    compress = trapeze.rules("compress")
    scores = {"arc": arc[:5, :9, :9], "bigram": rng.normal(size=(5, 9, 10))}
    compress.run("max", **scores, keep=3, progress=progress)
    assert seen[-1] == (5, 5)


def test_progress_raises(rng):
    """What it raises ends the call, and comes out of it."""
    arc = rng.normal(size=(400, 200, 200))
    calls = 0

    def progress(done, of):
        nonlocal calls
        calls += 1
        assert done < of
        raise LookupError("enough")

    for threads in 1, 2:
        with pytest.raises(LookupError, match="enough"):
            EISNER.run("log", arc=arc, marginals=True, progress=progress, threads=threads)
    assert calls == 2
    assert EISNER.run("log", arc=np.zeros((3, 3))).value == pytest.approx(np.log(3))
