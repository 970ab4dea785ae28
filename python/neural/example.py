#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes tiny sections with random weights, the scores that PyTorch finds with the first, and the best
trees and their labels with the second, for tests/sentences/test_neural.c and the fuzzer: example.py
FOLDER, where sentences.conllu is."""

from __future__ import annotations

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import numpy as np
import torch

import trapeze.torch
from encoder import Encoder, Sizes, batch_of
from section import Mix, rounded, section
from sentences import Vocabulary, hash_name, read, vocabularies

MIX = Mix(0.05, 0, 12, 0.38)
SIZES = Sizes(5, 3, 2, 3, bins=2, buckets=7, mixed=8, scan=3, state=8, arc=3, bigram=5)
LABELS = ["amod", "dep", "det", "root"]


def random_encoder(
    words: list[Vocabulary], sizes: Sizes, seed: int, labels: tuple[int, ...] = ()
) -> Encoder:
    torch.manual_seed(seed)
    model = Encoder([v.size for v in words], sizes, 0.0, labels).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(0, 0.5)
    rounded(model)
    return model


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    sentences = list(read(folder / "sentences.conllu"))
    words = vocabularies(sentences, 2)
    batches = [batch_of([sentence], words, SIZES) for sentence in sentences]
    model = random_encoder(words, SIZES, 1)
    (folder / "small.neural").write_bytes(section(model, words, MIX))
    with open(folder / "scores.txt", "w", encoding="utf-8") as file, torch.no_grad():
        for batch in batches:
            for scores in model(batch):
                print(*(np.format_float_scientific(x, 8) for x in scores.flatten().numpy()), file=file)
    name = {hash_name(label): label for label in LABELS}
    model = random_encoder(words, SIZES._replace(bigram=0, label=8), 6, tuple(sorted(name)))
    (folder / "parser.neural").write_bytes(section(model, words, MIX))
    with open(folder / "heads.txt", "w", encoding="utf-8") as file, torch.no_grad():
        for batch in batches:
            z = model.states(batch)
            best = trapeze.torch.argmax("eisner-single-root", arc=model.arcs(z, batch.relation))["arc"]
            heads = trapeze.torch.heads_of_arcs(best)
            labels = model.labels[model.label(z, heads).argmax(-1)]
            print(*heads[0].tolist(), *(name[label] for label in labels[0].tolist()), file=file)


if __name__ == "__main__":
    main()
