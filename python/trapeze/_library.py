"""The shared library: where it is, its functions and structures (trapeze.h), its errors."""

from __future__ import annotations

import ctypes
import os
import pathlib
import sys
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    byref,
    c_bool,
    c_char,
    c_char_p,
    c_double,
    c_int,
    c_int32,
    c_int64,
    c_size_t,
    c_ssize_t,
    c_uint,
    c_uint64,
    c_void_p,
)
from collections.abc import Iterator
from typing import Any

from . import errors

MAX_RANK = 7
MAX_LENGTH = 1 << 20
ANY = -(1 << 31)
ITEM, INPUT = 1 << 20, 1 << 21  # item 0 or input 0, where a weight is asked for

GOAL = (1 << 31) - 1  # where an item is asked for

# tz_status
OK, NONE, TOO_LARGE, AMBIGUOUS, LAW, STOPPED = 0, 1, 3, 7, 8, 11


class Stopped(errors.Error):
    """A call was stopped by its watch, which holds the reason."""


_EXCEPTIONS: dict[int, type[errors.Error]] = {
    2: errors.NoMemory,
    3: errors.TooLarge,
    4: errors.BadArgument,
    5: errors.BadRules,
    6: errors.BadScore,
    7: errors.Ambiguous,
    LAW: errors.Law,
    9: errors.CannotRead,
    10: errors.Diverges,
    STOPPED: Stopped,
}

# tz_semiring.laws, tz_gives, tz_plan_new's flags
IDEMPOTENT, PATH = 1 << 1, 1 << 2
GIVES_SCORE, GIVES_NUMBER, GIVES_TRUTH = 0, 1, 2
FORCE = 1 << 0

# tz_named
LENGTHS, WEIGHTS, ITEMS, RULES, INPUTS, RESOURCES = range(6)

# tz_figures
FIGURES_TEXT, FIGURES_LATEX, FIGURES_DOT, FIGURES_ORDER = range(4)


class TzError(Structure):
    _fields_ = [("status", c_int), ("message", c_char * 1024)]


class TzShape(Structure):
    _fields_ = [
        ("rank", c_uint),
        ("sparse", c_bool),
        ("origin", c_int32 * MAX_RANK),
        ("extent", c_int32 * MAX_RANK),
        ("least", c_int32 * MAX_RANK),
    ]


class TzNamedText(Structure):
    _fields_ = [("name", c_char_p), ("text", c_char_p), ("size", c_size_t)]


class TzAutomatonForm(Structure):
    _fields_ = [
        ("weights", c_int),
        ("transducer", c_bool),
        ("inputs", POINTER(TzNamedText)),
        ("outputs", POINTER(TzNamedText)),
    ]


class TzAutomatonParts(Structure):
    _fields_ = [
        ("states", c_size_t),
        ("arcs", c_size_t),
        ("inputs", c_size_t),
        ("outputs", c_size_t),
        ("vertices", c_size_t),
        ("pairs", c_size_t),
        ("transducer", c_bool),
        ("start", c_int32),
        ("state", POINTER(c_char_p)),
        ("input", POINTER(c_char_p)),
        ("output", POINTER(c_char_p)),
        ("arc", c_void_p),
        ("begin", c_void_p),
        ("end", c_void_p),
        ("pair", c_void_p),
        ("pair_score", c_void_p),
        ("pair_arc", c_void_p),
        ("largest", c_size_t),
    ]


class TzGrammarList(Structure):
    _fields_ = [
        ("rank", c_uint),
        ("entries", c_size_t),
        ("index", c_void_p),
        ("score", c_void_p),
        ("rule", c_void_p),
    ]


class TzGrammarParts(Structure):
    _fields_ = [
        ("symbols", c_size_t),
        ("words", c_size_t),
        ("rules", c_size_t),
        ("symbol", POINTER(c_char_p)),
        ("made", POINTER(c_bool)),
        ("word", POINTER(c_char_p)),
        ("rule", c_void_p),
        ("right", c_void_p),
        ("root", c_int32),
        ("height", c_int32),
        ("list", TzGrammarList * 7),
    ]


class TzOutput(Structure):
    _fields_ = [("data", c_void_p), ("stride", c_ssize_t * MAX_RANK)]


class TzInput(Structure):
    _fields_ = [("name", c_char_p), ("finite", c_bool)]


class TzSemiring(Structure):
    """The first members of tz_semiring, which say what it can do."""

    _fields_ = [
        ("name", c_char_p),
        ("summary", c_char_p),
        ("laws", c_uint),
        ("gives", c_int),
        ("size", c_size_t),
        ("align", c_size_t),
        ("zero", c_void_p),
        ("one", c_void_p),
        ("limit", c_double),
        ("plus", c_void_p),
        ("times", c_void_p),
        ("plus_times", c_void_p),
        ("lift", c_void_p),
        ("value", c_void_p),
        ("share", c_void_p),
        ("star", c_void_p),
        ("inputs", c_size_t),
        ("input", c_void_p),
        ("lift_inputs", c_void_p),
        ("numbers", c_size_t),
        ("each", c_size_t),
        ("number_name", c_void_p),
        ("values", c_void_p),
        ("mark", c_void_p),
        ("coefficient", c_void_p),
        ("multiples", c_void_p),
    ]


class TzDerivation(Structure):
    _fields_ = [
        ("score", c_double),
        ("uses", c_size_t),
        ("nodes", c_size_t),
        ("use", c_void_p),
        ("node", c_void_p),
        ("position", c_void_p),
        ("by_node", c_void_p),
    ]


#: Of a tz_watch, its only argument.
Look = CFUNCTYPE(None, c_void_p)
NumbersOf = CFUNCTYPE(c_size_t, c_void_p, c_void_p, c_void_p)  # tz_semiring.values


class TzWatch(Structure):
    _fields_ = [
        ("stop", c_int),
        ("look", c_void_p),  # by its address: a record that kept it would be kept by it
        ("seconds", c_double),
        ("done", c_size_t),
        ("of", c_size_t),
        ("user", c_void_p),
    ]


class TzRunOptions(Structure):
    _fields_ = [
        ("outside", c_bool),
        ("lanes", c_uint),
        ("threads", c_uint),
        ("charts", c_void_p),
        ("watch", c_void_p),
    ]


class TzAnswers(Structure):
    _fields_ = [
        ("value", c_void_p),
        ("values", c_void_p),
        ("number", c_void_p),
        ("marginals", c_void_p),
        ("through", c_void_p),
        ("best", c_void_p),
        ("tangents", c_void_p),
    ]


class TzLimited(Structure):
    _fields_ = [
        ("score", c_double),
        ("bound", c_double),
        ("amount", c_int64),
        ("exact", c_bool),
        ("path", c_int),
        ("steps", c_uint),
        ("derivation", POINTER(TzDerivation)),
    ]


Visit = CFUNCTYPE(c_int, c_void_p, c_size_t, c_void_p, c_size_t)

_P, _S, _I = c_void_p, c_size_t, c_int
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    # name: (result, arguments)
    "tz_status_name": (c_char_p, [_I]),
    "tz_version": (c_char_p, []),
    "tz_rules_parse": (_I, [c_char_p, c_char_p, _S, _P, _P]),
    "tz_rules_read": (_I, [c_char_p, _P, _P]),
    "tz_rules_find": (_P, [c_char_p]),
    "tz_rules_builtin": (_P, [_S]),
    "tz_gallery_name": (c_char_p, [_S]),
    "tz_gallery_read": (_I, [c_char_p, _P, _P]),
    "tz_rules_free": (None, [_P]),
    "tz_rules_name": (c_char_p, [_P]),
    "tz_rules_ambiguous": (c_bool, [_P]),
    "tz_rules_ambiguity": (_I, [_P, _P]),
    "tz_rules_name_of": (c_char_p, [_P, _I, _S]),
    "tz_rules_used": (c_bool, [_P, _I, _S]),
    "tz_rules_warning": (c_char_p, [_P, _S, _P, _P]),
    "tz_rules_show": (_S, [_P, _I, _P, _S]),
    "tz_rules_degree": (_I, [_P, c_bool, _P, _S]),
    "tz_rules_shape": (_I, [_P, _S, _P, _P]),
    "tz_rules_input_shape": (_I, [_P, _S, _P, _P, _P]),
    "tz_rules_label": (c_char_p, [_P, _S, _S]),
    "tz_rules_labelled": (c_bool, [_P, _I, _S, c_uint, _P]),
    "tz_rules_goal": (_I, [_P, _P, _P, _P, _P]),
    "tz_rules_declared": (c_bool, [_P, _S, _P, _P]),
    "tz_rules_amount": (_I, [_P, _S, _S, _P, _P, _P]),
    "tz_automaton_parse": (_I, [_P, _P, _P, _P]),
    "tz_automaton_of_string": (_I, [_P, _S, _I, _P]),
    "tz_automaton_compose": (_I, [_P, _P, _P, _P]),
    "tz_automaton_free": (None, [_P]),
    "tz_automaton_parts_of": (_P, [_P]),
    "tz_automaton_path": (_I, [_P, _P, _P, _P]),
    "tz_automaton_show": (_S, [_P, _P, _S]),
    "tz_grammar_parse": (_I, [c_char_p, c_char_p, _S, _I, _I, _P, _S, _P, _P]),
    "tz_grammar_free": (None, [_P]),
    "tz_grammar_parts_of": (_P, [_P]),
    "tz_grammar_word": (c_int32, [_P, c_char_p, _S]),
    "tz_grammar_show": (_S, [_P, c_bool, _P, _S]),
    "tz_grammar_totals": (_I, [_P, _P, _P]),
    "tz_grammar_tree": (_I, [_P, _P, _P, _P, _P, _P]),
    "tz_grammar_sampler_new": (_I, [_P, _P, c_uint64, _P]),
    "tz_grammar_sampler_next": (_I, [_P, _P, _P]),
    "tz_grammar_sampler_free": (None, [_P]),
    "tz_rules_charge": (_I, [_P, c_char_p, _P, _P]),
    "tz_semiring_new": (_I, [c_char_p, _I, _P, _P]),
    "tz_semiring_parse": (_I, [c_char_p, c_char_p, _P, _P]),
    "tz_semiring_read": (_I, [c_char_p, _P, _P]),
    "tz_semiring_load": (_I, [c_char_p, _P, _P]),
    "tz_semiring_free": (None, [_P]),
    "tz_semiring_form": (c_char_p, [_S]),
    "tz_semiring_numbers": (_S, [_P]),
    "tz_plan_new": (_I, [_P, _P, c_uint, _P, _P]),
    "tz_plan_free": (None, [_P]),
    "tz_plan_products": (_I, [_P, _P, _P]),
    "tz_charts_new": (_I, [_P, _P]),
    "tz_charts_free": (None, [_P]),
    "tz_chart_new": (_I, [_P, _P]),
    "tz_chart_free": (None, [_P]),
    "tz_chart_watch": (None, [_P, _P]),
    "tz_extend": (_I, [_P, _P, _S, _P, _P]),
    "tz_outside": (_I, [_P]),
    "tz_run": (_I, [_P, _P, _S, _P, _P, _P, _P]),
    "tz_answer": (_I, [_P, _S, _P, _S]),
    "tz_goal": (_I, [_P, _S, _P]),
    "tz_item_value": (_I, [_P, _S, _S, _P, c_bool, _P]),
    "tz_items": (_I, [_P, _S, _S, _P]),
    "tz_marginals": (_I, [_P, _S, _S, _P]),
    "tz_marginals_all": (_I, [_P, _P]),
    "tz_through": (_I, [_P, _S, _S, _P]),
    "tz_best": (_I, [_P, _S, _S, _P, _P]),
    "tz_draw": (_I, [_P, _P, _P, _P, _I, _P, _S, _P]),
    "tz_kbest_new": (_I, [_P, _S, c_bool, _P, _P]),
    "tz_kbest_next": (_I, [_P, _P]),
    "tz_kbest_within": (_I, [_P, c_double]),
    "tz_kbest_free": (None, [_P]),
    "tz_sampler_new": (_I, [_P, _S, c_uint64, c_bool, _P]),
    "tz_sampler_next": (_I, [_P, _P]),
    "tz_sampler_free": (None, [_P]),
    "tz_path": (_I, [_P, _P, _P, _P]),
    "tz_facts_new": (_I, [_P, _P, _P, _P]),
    "tz_facts_free": (None, [_P]),
    "tz_structure": (_I, [_P, _S, _P, _S, _P, _P, _P]),
    "tz_bind_risk": (_I, [_P, _P, _S, _P, _P]),
    "tz_limiter_new": (_I, [_P, c_char_p, _I, c_uint, _P, _P]),
    "tz_limiter_free": (None, [_P]),
    "tz_limit_chart_new": (_I, [_P, _P]),
    "tz_limit_chart_free": (None, [_P]),
    "tz_limit_chart_watch": (None, [_P, _P]),
    "tz_limit": (_I, [_P, _P, c_int64, c_int64, _I, _P, _P]),
    "tz_limit_curve": (_I, [_P, _P, _P, _P, _P]),
    "tz_limit_best": (_I, [_P, c_int64, _P]),
}


def _checkout() -> pathlib.Path | None:
    """The source tree that this package is part of."""
    source = pathlib.Path(__file__).resolve().parent.parent.parent
    return source if (source / "include" / "trapeze" / "trapeze.h").exists() else None


def candidates(stem: str) -> Iterator[str]:
    """Paths to try for one of Trapeze's libraries, in order; TRAPEZE_LIBRARY alone if it is set."""
    name = f"{stem}.0.dylib" if sys.platform == "darwin" else f"{stem}.so.0"
    given = os.environ.get("TRAPEZE_LIBRARY")
    if given:
        yield given if stem == "libtrapeze" else str(pathlib.Path(given).parent / name)
        return
    package = pathlib.Path(__file__).resolve().parent
    if (package / name).exists():  # in a wheel
        yield str(package / name)
    source = _checkout()
    if source:
        built = [*source.glob(f"build*/{name}"), *source.glob(f"build*/*/{name}")]
        built = [path for path in built if path.parent.name != "sanitizers"]
        yield from map(str, sorted(built, key=lambda path: -path.stat().st_mtime))
    for prefix in package.parents:
        for pattern in (f"lib/{name}", f"lib64/{name}", f"lib/*-*/{name}"):
            yield from map(str, sorted(prefix.glob(pattern)))
    yield name


def load(stem: str, functions: dict[str, tuple[Any, list[Any]]]) -> ctypes.CDLL:
    """Loads one of Trapeze's libraries with the functions {name: (result, arguments)}."""
    problem = None
    for path in candidates(stem):
        try:
            library = ctypes.CDLL(path)
            for name, (result, arguments) in functions.items():
                function = getattr(library, name)
                function.restype, function.argtypes = result, arguments
            return library
        except (OSError, AttributeError) as error:
            problem = problem or error
    source, given = _checkout(), os.environ.get("TRAPEZE_LIBRARY")
    if given:
        advice = f"TRAPEZE_LIBRARY is {given!r}: name libtrapeze, as in FOLDER/libtrapeze.so.0"
    elif source:
        advice = (
            f"in {source}, run 'meson setup build && meson compile -C build', and import again; a "
            "build that is elsewhere is named by TRAPEZE_LIBRARY=FOLDER/libtrapeze.so.0"
        )
    else:
        advice = "install Trapeze, or name the library: TRAPEZE_LIBRARY=FOLDER/libtrapeze.so.0"
    raise ImportError(f"the shared library {stem} of Trapeze is not found ({problem}). {advice}")


lib = load("libtrapeze", _FUNCTIONS)
"""The functions of trapeze.h. Each call releases the interpreter's lock."""

ANSWER = ctypes.cast(lib.tz_answer, c_void_p).value
"""The address of tz_answer, a visitor that needs no Python."""


def fail(status: int, message: str = "") -> errors.Error:
    """The exception for a status, with the library's message or the status's own phrase."""
    kind = _EXCEPTIONS.get(status, errors.Error)
    return kind(message or lib.tz_status_name(status).decode())


def check(status: int, error: TzError | None = None) -> None:
    """Raises the exception for a status, unless it is TZ_OK."""
    if status != OK:
        raise fail(status, error.message.decode(errors="replace") if error else "")


def new(function, *arguments) -> int:
    """Calls function(*arguments, &handle, &error) and returns the handle."""
    handle, error = c_void_p(), TzError()
    check(function(*arguments, byref(handle), byref(error)), error)
    return handle.value or 0


def new_plain(function, *arguments) -> int:
    """The same for functions that give no message."""
    handle = c_void_p()
    check(function(*arguments, byref(handle)))
    return handle.value or 0


def text(function, *arguments) -> str:
    """The text that function(*arguments, buffer, size) writes; it returns the text's length."""
    needed = function(*arguments, None, 0)
    buffer = ctypes.create_string_buffer(needed + 1)
    if function(*arguments, buffer, needed + 1) != needed or not needed:
        raise errors.NoMemory("memory is out")
    return buffer.value.decode()


def names(function, *arguments) -> tuple[str, ...]:
    """All names that function(*arguments, 0), function(*arguments, 1), ... give until NULL."""
    found: list[str] = []
    while (name := function(*arguments, len(found))) is not None:
        found.append(name.decode())
    return tuple(found)
