#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes a tiny section with random weights, and the scores that PyTorch finds with it, for
tests/sentences/test_neural.c and the fuzzer: example.py FOLDER, where sentences.conllu is."""

from __future__ import annotations

import pathlib
import sys

import numpy as np
import torch

from encoder import Encoder, Sizes, batch_of
from pairs import read, vocabularies
from section import Mix, rounded, section

SIZES = Sizes(5, 3, 2, 3, bins=2, buckets=7, mixed=8, scan=3, state=8, arc=3, bigram=5)


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    torch.manual_seed(1)
    sentences = list(read(folder / "sentences.conllu"))
    words = vocabularies(sentences, 2)
    model = Encoder([v.size for v in words], SIZES, 0.0).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(0, 0.5)
    rounded(model)
    (folder / "small.neural").write_bytes(section(model, words, Mix(0.05, 0, 12, 0.38)))
    with open(folder / "scores.txt", "w", encoding="utf-8") as file, torch.no_grad():
        for sentence in sentences:
            arc, bigram = model(batch_of([sentence], words, SIZES.buckets))
            for scores in (arc[0], bigram[0]):
                print(*(np.format_float_scientific(x, 8) for x in scores.flatten().numpy()), file=file)


if __name__ == "__main__":
    main()
