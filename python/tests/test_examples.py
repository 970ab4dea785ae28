"""Do the examples run, and show what they say?"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import xml.etree.ElementTree

import pytest

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"


def run(name, *arguments):
    source = str(EXAMPLES.parent)
    environment = {**os.environ, "PYTHONPATH": source, "MPLBACKEND": "agg"}
    command = [sys.executable, EXAMPLES / name, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_segment():
    out = run("segment.py")
    assert out.startswith("thecatsatnowhere: ")
    best = out.splitlines()[1].split()
    assert best[1:] == ["the", "cats", "at", "nowhere"] and 0 < float(best[0]) < 1
    assert run("segment.py", "xyz") == "xyz: no words of mine make this up\n"


def test_held_to_a_grammar():
    pytest.importorskip("torch")
    out = run("held_to_a_grammar.py", 5).splitlines()
    assert out[0].startswith("5 steps, ") and " 100% of " not in out[1]
    assert out[2].startswith("held: 100% of ") and out[2].endswith(";")
    assert out[4].startswith("rejection: ")


def test_plot_marginals(tmp_path):
    pytest.importorskip("matplotlib")
    out = run("plot_marginals.py", tmp_path)
    shown = [float(line.split()[-1]) for line in out.splitlines()[:-1]]
    assert len(shown) == 7 and all(0.3 < share < 1 for share in shown)
    assert xml.etree.ElementTree.parse(tmp_path / "marginals.svg").getroot().tag.endswith("svg")
    assert (tmp_path / "arcs.png").read_bytes().startswith(b"\x89PNG")
