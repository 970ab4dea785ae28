# SPDX-License-Identifier: MIT
"""Writes the sections `neural` and `neural-parser` of a pack: sentences/neural/neural.h says how."""

from __future__ import annotations

import struct
import zlib
from typing import NamedTuple

import numpy as np
from torch import Tensor

from encoder import Encoder
from sentences import Vocabulary


class Mix(NamedTuple):
    """tz_neural_mix; its values were chosen on the pairs for stopping, by `trapeze eval
    compressor`."""

    weight: float = 0.6
    bonus: float = 0
    scale: float = 1.3
    threshold: float = 0.4


def floats(values: Tensor) -> bytes:
    return values.detach().numpy().astype("<f4").tobytes()


def as_bytes(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The unit of each row, and the row's numbers in this unit."""
    unit = np.abs(rows).max(1, initial=0).astype(np.float32) / 127
    return unit, np.rint(rows / np.where(unit > 0, unit, 1)[:, None]).astype(np.int8)


def table(rows: Tensor) -> bytes:
    unit, number = as_bytes(rows.detach().numpy())
    return b"".join(u.astype("<f4").tobytes() + n.tobytes() for u, n in zip(unit, number))


def section(model: Encoder, words: list[Vocabulary], mix: Mix) -> bytes:
    s = model.sizes
    sizes = [len(v.hashes) for v in words] + [s.word, s.xpos, s.upos, s.relation]
    sizes += [s.bins, s.buckets, s.mixed, s.scan, s.state, s.arc, s.bigram, s.label, len(model.labels)]
    parts = [b"TZNEURAL", struct.pack(f"<I{len(sizes)}I4f", 3, *sizes, *mix)]
    parts += [np.array(v.hashes, "<u4").tobytes() for v in words]
    parts += [model.labels.numpy().astype("<u4").tobytes()]
    parts += [table(t.weight) for t in [model.word, model.part, *model.names, *model.bins]]
    layers = [model.mix, model.scan.gates, model.join, model.arc_head, model.arc_word, model.arc_more]
    if len(model.labels):
        layers += [model.label_head, model.label_word, model.label_out]
    if s.bigram:
        layers += [model.left, model.right, model.left_more, model.right_more, model.top_more]
    parts += [floats(layer.bias) + table(layer.weight) for layer in layers]
    parts += [floats(model.count)] if s.bigram else []
    data = b"".join(parts)
    return data + struct.pack("<I", zlib.crc32(data))


def rounded(model: Encoder) -> None:
    """Rounds the weights to those that the section holds."""
    for owner in model.modules():
        weight = getattr(owner, "weight", None)
        if isinstance(weight, Tensor):
            unit, number = as_bytes(weight.detach().numpy())
            weight.detach().numpy()[:] = number * unit[:, None]
