"""What notebooks show: rules as figures, derivations as drawings, marginals as shades."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import byref, c_char_p, c_int32, c_size_t, create_string_buffer
from html import escape
from typing import Any

import numpy as np

from . import _library as C
from .errors import BadArgument

TEXT, SVG = 0, 1  # tz_draw_format
_MOST, _SIDE, _PROBLEMS, _LISTED = 60, 16, 3, 5


def draw(
    rules: Any, lengths: Sequence[int], uses: np.ndarray, nodes: np.ndarray, words: Any, form: int
) -> str | None:
    """The derivation as text or SVG; None if no weight of the rules has a shape that is drawn."""
    given = None
    if words is not None:
        words = list(words)
        if not lengths or len(words) != lengths[0]:
            expected = f"{lengths[0]}, as {rules.lengths[0]} is" if lengths else "none"
            raise BadArgument(f"{len(words)} words, but there must be {expected}")
        given = (c_char_p * len(words))(*[str(word).encode().replace(b"\0", b"") for word in words])
    size, numbers = c_size_t(), (c_int32 * len(lengths))(*lengths)
    derivation = C.TzDerivation(0, len(uses), len(nodes), uses.ctypes.data, nodes.ctypes.data)
    arguments = (rules._handle, numbers, byref(derivation), given, form)
    status = C.lib.tz_draw(*arguments, None, 0, byref(size))
    if status == C.NONE:
        return None
    C.check(status)
    buffer = create_string_buffer(size.value + 1)
    C.check(C.lib.tz_draw(*arguments, buffer, len(buffer), byref(size)))
    return buffer.value.decode()


def shades(array: np.ndarray, most: float) -> str:
    """An array of one or two dimensions as SVG: squares, darker for larger numbers."""
    rows = array.reshape(1, -1) if array.ndim < 2 else array
    height, width = rows.shape[0] * _SIDE, rows.shape[1] * _SIDE
    cells = [
        f'<rect x="{j * _SIDE}" y="{i * _SIDE}" width="{_SIDE}" height="{_SIDE}" '
        f'fill-opacity="{min(max(float(rows[i, j]) / most, 0), 1):.3f}">'
        f"<title>[{f'{i},' if array.ndim > 1 else ''}{j}] {rows[i, j]:.6g}</title></rect>"
        for i, j in zip(*np.nonzero(rows > 0))
    ]
    frame = f'<rect width="{width}" height="{height}" fill="none" stroke="#999"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
        f'{"".join(cells)}{frame}</svg>'
    )


def _array_html(name: str, array: Any) -> str:
    shape = " x ".join(map(str, array.shape)) or "1"
    head = f"<div><code>{escape(name)}</code> [{shape}]</div>"
    if array.ndim not in (1, 2) or not array.size or max(array.shape) > _MOST:
        return head
    return f"{head}<div>{shades(array, max(1.0, float(array.max())))}</div>"


def _derivation_html(derivation: Any) -> str:
    drawn = derivation._repr_svg_()
    head = f"<div>score {derivation.score:.6g}</div>"
    return head + (f"<div>{drawn}</div>" if drawn else f"<pre>{escape(repr(derivation))}</pre>")


def result_html(result: Any, answers: dict[str, Any]) -> str:
    """The answers about one problem, or about the first problems of a batch."""
    parts = [f"<pre>{escape(repr(result))}</pre>"]
    if result.batch is not None:
        for b in range(min(result.batch, _PROBLEMS)):
            parts.append(f"<details><summary>problem {b}</summary>{result[b]._repr_html_()}</details>")
        return "".join(parts)
    for name, answer in answers.items():
        if name in ("marginals", "item_marginals", "uses"):
            for of, array in answer.items():
                parts.append(_array_html(f"{name}[{of!r}]", array))
        elif name in ("best", "min_risk") and answer is not None:
            parts.append(f"<div><b>{name}</b></div>{_derivation_html(answer)}")
        elif name in ("kbest", "samples"):
            parts.append(f"<div><b>{name}</b></div>" + "".join(map(_derivation_html, answer[:_LISTED])))
        elif name == "limited" and answer is not None:
            parts.append(f"<div><b>{name}</b></div>{_derivation_html(answer.derivation)}")
    return "".join(parts)
