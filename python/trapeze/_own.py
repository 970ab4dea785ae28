"""What holds something of the library's, which a copy would free once more."""

from __future__ import annotations

from typing import Any


class Owner:
    """The base of all that frees something of the library's when it goes: neither copied nor pickled,
    but by classes that say how, in __reduce__, __copy__ and __deepcopy__."""

    #: What to do instead of that.
    _instead = "it is of this process, and made again from what it was made of"

    def __reduce__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} cannot be copied so, nor pickled: {self._instead}")
