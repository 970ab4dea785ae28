"""Arguments that are no arrays: whole numbers, texts and mappings, checked once for all."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

from . import _library as C
from .errors import BadArgument

#: The largest numbers of C's types.
INT, UINT, INT64, UINT64 = 2**31 - 1, 2**32 - 1, 2**63 - 1, 2**64 - 1
_NAMES = {UINT: "2^32 - 1", UINT64: "2^64 - 1", INT64: "2^63 - 1"}


def whole_number(given: Any, what: str, least: int = 0, most: int = UINT64) -> int:
    """A whole number of any type, in a range that C has room for: nothing wraps."""
    try:
        number = operator.index(given)
    except TypeError:
        number = None
    if number is None or not least <= number <= most:
        raise BadArgument(f"{what} is a whole number from {least} to {_NAMES.get(most, most)}, not {given!r}")
    return number


def a_length(given: Any, name: str) -> int:
    return whole_number(given, f"the length {name}", 0, C.MAX_LENGTH)


def text_bytes(given: Any, what: str = "text") -> bytes:
    if not isinstance(given, str):
        raise BadArgument(f"{what} is a str, not {type(given).__name__}")
    return given.encode(errors="surrogatepass")


def a_mapping(given: Any, what: str, of: str = "from weights to arrays") -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise BadArgument(f"{what} is a mapping {of}, not {type(given).__name__}")
    return given
