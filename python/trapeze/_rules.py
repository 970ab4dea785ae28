"""Rule sets."""

from __future__ import annotations

import difflib
import html
import os
import warnings
import weakref
from collections.abc import Callable
from ctypes import byref, c_uint, create_string_buffer
from typing import Any

import numpy as np

from . import _library as C
from . import _grow, _run
from ._given import text_bytes, whole_number
from ._ruleset import RuleSet, Weight
from .errors import BadArgument, RulesWarning

__all__ = ["Weight", "Rules", "rules", "builtin", "gallery"]


class Rules(RuleSet):
    """Inference rules, read, checked and compiled. Made by :func:`rules`; never changes.

    Threads may share it, and all that it keeps: a plan for each semiring and precision that it was
    run under, and charts, which serve one call at a time and are used again.

    Copies are the same object. A pickle holds how to make the rules again: their name, their text,
    or the path of their file, which is read again.
    """

    #: The file that they were read from.
    _read_from: Any = None

    def __init__(self, handle: int, owned: bool = False, *made: Any) -> None:
        """made: a function that makes such rules, and its arguments."""
        super().__init__(handle, owned)
        self._made = made
        self._charged: dict[str, Rules] = {}

    def __copy__(self) -> Rules:
        return self

    def __deepcopy__(self, memo: Any) -> Rules:
        return self

    def __reduce__(self) -> Any:
        return _again, self._made

    run = _run.run
    grow = _grow.grow

    def check(self, most: int = 5, **lengths: int) -> list[int]:
        """The numbers of derivations with all lengths 1, then 2, ..., then most, as a rule file's
        `count` line gives them. Label sets, lengths with an upper-case initial, have 2 labels;
        lengths given by name stay: ``check(5, h=0)``. Everything else about rules is checked
        whenever they are read; ``warnings`` lists likely slips. Sparse weights have all entries."""
        unknown = sorted(set(lengths) - set(self.lengths))
        if unknown:
            raise BadArgument(
                f"no length is called {unknown[0]!r}: {self.name} has {', '.join(self.lengths)}"
            )
        counts = []
        for n in range(1, whole_number(most, "most", 0, C.MAX_LENGTH) + 1):
            usual = {name: 2 if name[0].isupper() else n for name in self.lengths}
            given = {**usual, **lengths}
            row = np.array(self._lengths(given))
            zeros: dict[str, Any] = {}
            for name, one in self.weights.items():
                if one.sparse:
                    index = self._entries(one, tuple(row.tolist()))
                    zeros[name] = index, np.zeros(len(index))
                else:
                    zeros[name] = np.zeros(self.shape(name, **given))
            for name in self.inputs:
                zeros[name] = np.zeros(self._dense_shape(name, row), np.int32)
            counts.append(self.run("count", zeros, lengths=given, force=True).value)
        return counts

    def show(self) -> str:
        """The rules as inference figures: a rule file that says the same."""
        return C.text(C.lib.tz_rules_show, self._handle, C.FIGURES_TEXT)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.show())}</pre>"

    def latex(self) -> str:
        """The same as a document for pdflatex."""
        return C.text(C.lib.tz_rules_show, self._handle, C.FIGURES_LATEX)

    def dot(self) -> str:
        """A graph from premises to conclusions, for Graphviz."""
        return C.text(C.lib.tz_rules_show, self._handle, C.FIGURES_DOT)

    @property
    def order(self) -> list[str]:
        """The order of evaluation: a line for each group of items that need each other, such as
        ``"stage j-i: rtrap, ltrap"``; stored products stand in parentheses."""
        return C.text(C.lib.tz_rules_show, self._handle, C.FIGURES_ORDER).splitlines()

    @property
    def time(self) -> str:
        """How the time of a pass grows, such as ``"n^3"``; ``products`` counts it for given
        lengths."""
        return self._degree(False)

    @property
    def space(self) -> str:
        """How the memory of a chart grows, such as ``"n^2"``."""
        return self._degree(True)

    @property
    def warnings(self) -> list[str]:
        """Likely slips in the rule file, as ``LINE:COLUMN: text``."""
        line, column = c_uint(), c_uint()
        found: list[str] = []
        while text := C.lib.tz_rules_warning(self._handle, len(found), byref(line), byref(column)):
            found.append(f"{line.value}:{column.value}: {text.decode()}")
        return found

    def _degree(self, space: bool) -> str:
        buffer = create_string_buffer(1024)
        C.check(C.lib.tz_rules_degree(self._handle, space, buffer, len(buffer)))
        return buffer.value.decode()

    def charge(self, resource: str) -> Rules:
        """The same rules with account kept of a resource. They have one more length, the last, and
        every item has one more index, the amount used so far. The goal uses exactly as much as that
        length; ``run(..., amounts=True)`` gives the value at each amount from 0 on."""
        if resource not in self._charged:
            handle = C.new(C.lib.tz_rules_charge, self._handle, resource.encode())
            self._charged.setdefault(resource, Rules(handle, True, _charge, self._made, resource))
        return self._charged[resource]


_named: dict[str, Rules] = {}


def builtin() -> list[str]:
    """The names of the built-in rule sets."""
    found: list[str] = []
    while handle := C.lib.tz_rules_builtin(len(found)):
        found.append(C.lib.tz_rules_name(handle).decode())
    return found


def gallery() -> list[str]:
    """The names of the rule sets in the gallery, such as gallery/nussinov (docs/gallery.md)."""
    found: list[str] = []
    while name := C.lib.tz_gallery_name(len(found)):
        found.append(name.decode())
    return found


def rules(
    name: str | os.PathLike[str] | None = None,
    *,
    text: str | None = None,
    file: str | os.PathLike[str] | None = None,
) -> Rules:
    """A rule set: a built-in one or one of the gallery, by name; or from a text or a file in the
    notation of papers (Shieber, Schabes & Pereira 1995; docs/rules.md). A path is a file, and so is
    a name that ends in .rules or has a / in it, except that gallery/NAME is in the gallery if there
    is no such file. With text=, name= stands in front of messages.

    Raises BadArgument for an unknown name, BadRules with NAME:LINE:COLUMN and how to mend it,
    CannotRead for a file. Warns with RulesWarning of likely slips in a text or a file."""
    made = _made(name, text, file)
    for warning in made.warnings if text is not None or made._read_from else []:
        where = (name or "rules") if text is not None else made._read_from
        warnings.warn(f"{where}:{warning}", RulesWarning, stacklevel=2)
    return made


def _made(
    name: str | os.PathLike[str] | None,
    text: str | None = None,
    file: str | os.PathLike[str] | None = None,
) -> Rules:
    """As rules(), without warnings."""
    if text is not None and file is None and (name is None or isinstance(name, str)):
        content = text_bytes(text)
        at = (name or "rules").encode()
        return Rules(C.new(C.lib.tz_rules_parse, at, content, len(content)), True, _parse, text, name)
    if file is None and text is None and _in_gallery(name):
        return _kept(name, lambda: Rules(C.new(C.lib.tz_gallery_read, name.encode()), True, rules, name))
    if file is None and text is None and _is_path(name):
        name, file = None, name
    if file is not None and name is None and text is None:
        path = os.path.abspath(file)
        read = Rules(C.new(C.lib.tz_rules_read, os.fsencode(file)), True, _read, path)
        read._read_from = os.fspath(file)
        return read
    if not isinstance(name, str) or file is not None:
        raise BadArgument("give the name of a built-in rule set, or text=, or file=")
    return _kept(name, lambda: Rules(_find(name), False, rules, name))


def _kept(name: str, make: Callable[[], Rules]) -> Rules:
    """Rules with a name, made once: the same object for all callers."""
    if name not in _named:
        _named.setdefault(name, make())
    return _named[name]


def _find(name: str) -> int:
    handle = C.lib.tz_rules_find(name.encode())
    if not handle:
        raise BadArgument(_unknown(name))
    return handle


def _in_gallery(name: Any) -> bool:
    return isinstance(name, str) and name.startswith("gallery/") and not os.path.exists(name)


def _is_path(name: Any) -> bool:
    if isinstance(name, str):
        return "\n" not in name and (name.endswith(".rules") or "/" in name or os.sep in name)
    return isinstance(name, os.PathLike)


def _unknown(name: str) -> str:
    if "\n" in name:
        return "these are rules, no name of any: give them as text=..."
    near = difflib.get_close_matches(name, builtin(), 1)
    if os.path.isfile(name):
        hint = f"to read the file of this name, write file={name!r}."
    elif near:
        hint = f"did you mean {near[0]!r}?"
    else:
        hint = "a file is told by file=, or by .rules at its end."
    return f"no built-in rule set {name!r}; {hint} There are {', '.join(builtin())}"


def _parse(text: str, name: str | None) -> Rules:
    return _made(name, text=text)


def _read(path: str) -> Rules:
    return _made(None, file=path)


def _charge(made: tuple[Any, ...], resource: str) -> Rules:
    return _again(*made).charge(resource)


_from_pickles: weakref.WeakValueDictionary[Any, Rules] = weakref.WeakValueDictionary()


def _again(*made: Any) -> Rules:
    """The rules of a pickle. While those of an equal pickle are in use, they are these: many
    results from another process then share their rules."""
    found = _from_pickles.get(made)
    if found is None:
        maker, *how = made
        found = _from_pickles.setdefault(made, maker(*how))
    return found
