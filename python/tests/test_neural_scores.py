# SPDX-License-Identifier: MIT
"""Does python/compressor still say what the C side is compared with, and learn?"""

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
    command = [sys.executable, ROOT / "python" / "compressor" / script, *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def numbers(path):
    return np.array(path.read_text(encoding="utf-8").split(), float)


def test_example(tmp_path):
    shutil.copy(GOLDEN / "sentences.conllu", tmp_path)
    run("example.py", tmp_path)
    assert (tmp_path / "small.neural").read_bytes() == (GOLDEN / "small.neural").read_bytes()
    # Scores up to 12 in single precision: 3e-6 between libraries of linear algebra.
    difference = numbers(tmp_path / "scores.txt") - numbers(GOLDEN / "scores.txt")
    assert np.abs(difference).max() < 2e-5


def test_training(tmp_path):
    # Three pairs over and over: their own likelihood rises.
    pairs = tmp_path / "pairs"
    pairs.write_text((GOLDEN / "sentences.conllu").read_text(encoding="utf-8") * 8, encoding="utf-8")
    output = tmp_path / "neural"
    told = run("train.py", "--dev", pairs, "-o", output, "--words=20", "--epochs=3", "--report=12", pairs)
    losses = [float(line.split(": loss ")[1].split(";")[0]) for line in told.splitlines()[1:]]
    assert len(losses) >= 3 and losses[-1] < 0.7 * losses[0]
    assert output.read_bytes()[:8] == b"TZNEURAL"
