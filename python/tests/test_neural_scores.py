# SPDX-License-Identifier: MIT
"""Does python/neural still say what the C side is compared with, and learn?"""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("torch")

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "sentences" / "neural"


def run(script, *arguments):
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, ROOT / "python" / "neural" / script, *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def numbers(path):
    return np.array(path.read_text(encoding="utf-8").split(), float)


def test_example(tmp_path):
    shutil.copy(GOLDEN / "sentences.conllu", tmp_path)
    run("example.py", tmp_path)
    for name in ("small.neural", "parser.neural", "heads.txt"):
        assert (tmp_path / name).read_bytes() == (GOLDEN / name).read_bytes()
    # Scores up to 12 in single precision: 3e-6 between libraries of linear algebra.
    difference = numbers(tmp_path / "scores.txt") - numbers(GOLDEN / "scores.txt")
    assert np.abs(difference).max() < 2e-5


@pytest.mark.parametrize("script", ["train_compressor.py", "train_parser.py"])
def test_training(tmp_path, script):
    # Three sentences over and over: the likelihood of what is right rises.
    text = (GOLDEN / "sentences.conllu").read_text(encoding="utf-8")
    if script == "train_parser.py":  # each word but the first hangs on the one before
        rows = [line.split("\t") for line in text.split("\n")]
        text = "\n".join("\t".join([*r[:9], f"Gold={int(r[0]) - 1}:{r[7]}"]) if r[0] else "" for r in rows)
    trees = tmp_path / "trees"
    trees.write_text(text * 8, encoding="utf-8")
    output = tmp_path / "neural"
    told = run(script, "--dev", trees, "-o", output, "--words=20", "--epochs=5", "--report=12", trees)
    losses = [float(line.split(": loss ")[1].split(";")[0]) for line in told.splitlines() if ": loss" in line]
    assert len(losses) >= 2 and losses[-1] < 0.7 * losses[0]
    assert output.read_bytes()[:8] == b"TZNEURAL"
