"""Trained models: sentences tagged, parsed and compressed (trapeze/text.h)."""

from __future__ import annotations

import ctypes
import os
import pathlib
import threading
import weakref
from collections.abc import Iterator
from ctypes import POINTER, Structure, byref, c_char_p, c_double, c_int, c_int32, c_size_t
from ctypes import c_uint, c_void_p
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Union, overload

import numpy as np

from . import _compressing
from . import _library as C
from ._own import Owner
from .errors import BadArgument, CannotRead

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Model", "Sentence"]

_ASKED = {"tags": 1, "trees": 2, "compressions": 4, "deletions": 8}


class _Word(Structure):
    _fields_ = [
        ("form", c_char_p),
        ("upos", c_char_p),
        ("xpos", c_char_p),
        ("deprel", c_char_p),
        ("begin", c_size_t),
        ("end", c_size_t),
        ("head", c_int32),
        ("compressed", c_int32),
    ]


class _Sentence(Structure):
    _fields_ = [
        ("words", c_size_t),
        ("word", POINTER(_Word)),
        ("compression", c_char_p),
        ("like_law", c_int),
    ]


class _Scores(Structure):
    _fields_ = [("words", c_size_t), ("arc", POINTER(c_double)), ("bigram", POINTER(c_double))]


_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "tz_text_model_load": (c_int, [c_char_p, c_uint, c_uint, c_void_p, c_void_p]),
    "tz_text_model_free": (None, [c_void_p]),
    "tz_text_choose_compressor": (c_int, [c_void_p] * 3),
    "tz_text_choose_deletions": (c_int, [c_void_p] * 3),
    "tz_text_sentences": (c_int, [c_void_p] * 5),
    "tz_text_analyse_with": (
        c_int,
        [c_void_p, c_void_p, c_size_t, c_uint, c_void_p] + [c_void_p] * 3,
    ),
    "tz_text_result_sentence": (POINTER(_Sentence), [c_void_p, c_size_t]),
    "tz_text_result_free": (None, [c_void_p]),
}

Lines = Union[list, tuple]
"""Of sentences: list[str] or tuple[str, ...]."""

_loaded: ctypes.CDLL | None = None


def _library() -> ctypes.CDLL:
    """The library trapeze-text, loaded when first needed, since it loads ICU and more."""
    global _loaded
    if _loaded is None:
        _loaded = C.load("libtrapeze-text", _FUNCTIONS)
    return _loaded


def _default_model() -> str:
    """What TRAPEZE_MODEL names, or english.model beside the library or where it is installed."""
    named = os.environ.get("TRAPEZE_MODEL")
    if named:
        return named
    folder = pathlib.Path(_library()._name).resolve().parent
    for place in (folder, *(above / "share" / "trapeze" for above in folder.parents[:2])):
        if (place / "english.model").is_file():
            return str(place / "english.model")
    raise CannotRead(
        f"there is no english.model beside {_library()._name} nor installed with it; name a model, "
        "also by the environment variable TRAPEZE_MODEL"
    )


@dataclass(frozen=True)
class Sentence:
    """A line and a model's answers about it. Lists have an element for each word; None: the model
    does not tell or was not asked. In heads, words count from 1, and 0 is the root."""

    text: str
    tokens: list[str]
    #: Where each token stands: text[begin:end].
    spans: list[tuple[int, int]]
    upos: list[str | None]
    xpos: list[str | None]
    heads: list[int] | None = None
    labels: list[str | None] | None = None
    #: The compression as text; which words it keeps; and their heads in its tree, None if dropped.
    compression: str | None = None
    keep: list[bool] | None = None
    compressed_heads: list[int | None] | None = None
    #: It was kept whole, as it is written like law, or is mark-up, a row of a table, code or chat.
    like_law: bool = False

    def __len__(self) -> int:
        return len(self.tokens)


_models: weakref.WeakSet[Model] = weakref.WeakSet()


class Model(Owner):
    """A model file, or a pack of several, as ``trapeze train`` and ``trapeze model pack`` write
    them; without a path, the one that ships. Threads may share it, and wait for each other.

    asked: the most that will be asked, "tags", "trees" or "compressions"; each includes those
    before. "compressions" needs a compressor, and allows deletions where the pack has a grammar of
    them; "deletions" needs that grammar, but no compressor.
    threads: how many one call uses; they change no result.

    Copies are the same object; a pickle holds the path, and reads the file again.

    Raises CannotRead (the file is missing or damaged), BadArgument (it lacks a needed model)."""

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        asked: str = "compressions",
        threads: int = 1,
    ) -> None:
        self._handle = 0
        self._lib = _library()
        self._lock = threading.Lock()
        self._any_text = path is not None  # of other models it is not known what they are for
        self.path = os.fspath(path) if path is not None else _default_model()
        self.threads, self._asked = threads, asked
        level = _level(asked)
        self._handle = C.new(
            self._lib.tz_text_model_load, os.fsencode(self.path), level, max(threads, 1)
        )
        _models.add(self)

    def __del__(self) -> None:
        if self._handle:
            self._lib.tz_text_model_free(self._handle)

    def __repr__(self) -> str:
        return f"Model({self.path!r})"

    def __copy__(self) -> Model:
        return self

    def __deepcopy__(self, memo: Any) -> Model:
        return self

    def __reduce__(self) -> Any:
        given = (os.path.abspath(self.path), self._asked, self.threads, self._any_text)
        return _reload, given

    def sentences(self, text: str, *, one_per_line: bool = False) -> list[str]:
        """The sentences of a text in order, as tag, parse and compress take them. Each line is
        split into sentences; with one_per_line it is one."""
        if "\0" in text:
            raise BadArgument("a text holds no zero")
        lines = [line.removesuffix("\r") for line in text.split("\n") if line.strip()]
        return lines if one_per_line else [s for line in lines for s in self._sentences_of(line)]

    def _sentences_of(self, text: str) -> list[str]:
        line = text.encode(errors="surrogatepass")
        spans, count, error = POINTER(c_size_t)(), c_size_t(), C.TzError()
        with self._lock:
            find = self._lib.tz_text_sentences
            C.check(find(self._handle, line, byref(spans), byref(count), byref(error)), error)
            ends = spans[: 2 * count.value]
        return [line[begin:end].decode() for begin, end in zip(ends[::2], ends[1::2], strict=True)]

    @overload
    def tag(self, text: str) -> Sentence: ...
    @overload
    def tag(self, text: Lines) -> list[Sentence]: ...
    def tag(self, text):
        """Part-of-speech tags of a sentence, or of a list of them."""
        return self._analyse(text, "tags")

    @overload
    def parse(self, text: str) -> Sentence: ...
    @overload
    def parse(self, text: Lines) -> list[Sentence]: ...
    def parse(self, text):
        """Tags, heads and labels."""
        return self._analyse(text, "trees")

    @overload
    def compress(self, text: str, **how: Unpack[_compressing.Compressing]) -> Sentence: ...
    @overload
    def compress(self, text: Lines, **how: Unpack[_compressing.Compressing]) -> list[Sentence]: ...
    def compress(
        self,
        text,
        *,
        keep=None,
        drop=None,
        rate=None,
        with_="compressor",
        any_text=None,
        arc=None,
        bigram=None,
        decode=None,
        bonus=0.0,
        unguarded=None,
        only=None,
        trees=None,
        threshold=None,
        bigrams=0.0,
        lm=None,
        lm_weight=None,
        candidates=None,
    ):
        """Tags, trees and compressions, with the options of ``trapeze compress``: of keep words; of
        all but drop words; of a rate of the words (0 to 1, rounded), or of rate=(low, high) times
        the words, whatever scores best; or of as many words as score best. At a given length, at
        least one word is kept, and at most all.

        any_text: without a length, False keeps whole text written like law, and mark-up, tables,
        code and chat, which a model of news compresses badly (Sentence.like_law tells); True
        compresses them. The default is False for the model that ships and True for a model from a
        path, as in ``trapeze compress``.

        with_: "compressor", or "deletions", the grammar that ``trapeze train deletions`` learns.
        decode: "best", the best choice of words; "marginal", the words kept with enough probability.
        The default is "best" for the compressor and at a given length, else "marginal".
        bonus: what is added to a choice's score for each word. For the compressor: -100 to 100, in
        shares of its greatest weight or, with "marginal", of a probability. For deletions: with
        "best" only.

        The compressor takes:
        arc, bigram: natural-log scores that replace the compressor's own, from any encoder: the
        weights of the rules compress-single-root, as arrays [n + 1, n + 1] and [n + 1, n + 2] for a
        line of n tokens, or lists of these for several lines. -inf is impossible.
        unguarded: guards that are off: "negation,name", a list of names, or "all".
        only: "linear" or "neural", only these of its scores.

        Deletions take:
        trees: "best", from one tree; "all", from every tree, each as probable as the parser says.
        Without a length:
        threshold: for "marginal", this probability, 0 to 1 (default: as the model was tuned).
        bigrams: for "best", the weight of the log probability of the words by the model's bigrams.
        lm, lm_weight, candidates: for "best", the same by a language model: the path of an ARPA
        file, and its weight (0.1); it picks from the candidates (100) that are best by bigrams."""
        if with_ not in ("compressor", "deletions"):
            raise BadArgument(f"with_ is compressor or deletions, not {with_!r}")
        wary = not (self._any_text if any_text is None else any_text)
        length = _compressing.length(keep, drop, rate, wary)
        choice = {
            "decode": decode,
            "bonus": bonus,
            "unguarded": unguarded,
            "only": only,
            "trees": trees,
            "threshold": threshold,
            "bigrams": bigrams,
            "lm": lm,
            "lm_weight": lm_weight,
            "candidates": candidates,
        }
        scored = arc is not None or bigram is not None
        if scored and with_ != "compressor":
            raise BadArgument("arc and bigram are for with_='compressor'")
        if scored and (arc is None or bigram is None):
            raise BadArgument("arc and bigram are given together")
        scores = None
        if scored:
            single = isinstance(text, str)
            given = ([arc], [bigram]) if single else (arc, bigram)
            scores = _scores(*given, 1 if single else len(text))
        if with_ == "compressor":
            how = _compressing.compressor(scored=scored, **choice)
            return self._analyse(text, "compressions", length, how, scores)
        told = keep is not None or drop is not None or rate is not None
        how = _compressing.deletions(length=told, **choice)
        return self._analyse(text, "deletions", length, how)

    def _analyse(
        self,
        text,
        asked: str,
        length: _compressing.Length | None = None,
        how: _compressing.Compressor | _compressing.Deletions | None = None,
        scores: _Given | None = None,
    ):
        single = isinstance(text, str)
        lines = [text] if single else list(text)
        for b, line in enumerate(lines):
            if not isinstance(line, str):
                raise BadArgument(f"line {b} is no str, but {type(line).__name__}")
            if "\0" in line or "\n" in line:
                raise BadArgument(f"line {b} holds a zero or a new line: a line is one sentence")
        encoded = (c_char_p * len(lines))(*[line.encode(errors="surrogatepass") for line in lines])
        lengths = length and (_compressing.Length * len(lines))(*[length] * len(lines))
        choose = {
            "compressions": self._lib.tz_text_choose_compressor,
            "deletions": self._lib.tz_text_choose_deletions,
        }
        with self._lock:
            if how is not None:
                error = C.TzError()
                C.check(choose[asked](self._handle, byref(how), byref(error)), error)
            result = C.new(
                self._lib.tz_text_analyse_with,
                self._handle,
                encoded,
                len(lines),
                _level(asked),
                lengths,
                None if scores is None else scores.of_lines,
            )
        try:
            found = [
                _sentence(line, self._lib.tz_text_result_sentence(result, b).contents, asked)
                for b, line in enumerate(lines)
            ]
        finally:
            self._lib.tz_text_result_free(result)
        return found[0] if single else found


class _Given(NamedTuple):
    of_lines: Any  # _Scores[], which point into
    arrays: list[np.ndarray]


def _scores(arc: Any, bigram: Any, lines: int) -> _Given:
    """Checks scores for so many lines."""
    given = (_Scores * lines)()
    arrays: list[np.ndarray] = []
    for name, each in (("arc", arc), ("bigram", bigram)):
        if len(each) != lines:
            raise BadArgument(f"{name} has {len(each)} arrays for {lines} lines")
    for b in range(lines):
        n = np.shape(arc[b])[0] - 1 if np.ndim(arc[b]) == 2 else -1
        given[b].words = max(n, 0)
        shapes = (("arc", arc, (n + 1, n + 1)), ("bigram", bigram, (n + 1, n + 2)))
        for name, each, shape in shapes:
            if n < 0 or np.shape(each[b]) != shape:
                raise BadArgument(
                    f"line {b}: {name} is of shape {np.shape(each[b])}; of n tokens arc is of shape "
                    "(n + 1, n + 1) and bigram of (n + 1, n + 2)"
                )
            array = np.ascontiguousarray(each[b], np.float64)
            arrays.append(array)
            setattr(given[b], name, array.ctypes.data_as(POINTER(c_double)))
    return _Given(given, arrays)


def _reload(path: str, asked: str, threads: int, any_text: bool) -> Model:
    model = Model(path, asked=asked, threads=threads)
    model._any_text = any_text
    return model


def _level(asked: str) -> int:
    if asked not in _ASKED:
        raise BadArgument(f"asked is one of {', '.join(_ASKED)}, not {asked!r}")
    return _ASKED[asked]


def _text(given: bytes | None) -> str | None:
    return None if given is None else given.decode()


def _spans(line: str, words: list[_Word]) -> Iterator[tuple[int, int]]:
    """Bytes of UTF-8 as characters."""
    data = line.encode()
    at = characters = 0
    for word in words:
        begin = characters + len(data[at : word.begin].decode())
        characters = begin + len(data[word.begin : word.end].decode())
        at = word.end
        yield begin, characters


def _sentence(line: str, found: _Sentence, asked: str) -> Sentence:
    words = found.word[: found.words]
    sentence: dict[str, Any] = dict(
        text=line,
        tokens=[word.form.decode() for word in words],
        spans=list(_spans(line, words)),
        upos=[_text(word.upos) for word in words],
        xpos=[_text(word.xpos) for word in words],
    )
    if asked != "tags":
        sentence["heads"] = [word.head for word in words]
        sentence["labels"] = [_text(word.deprel) for word in words]
    if asked in ("compressions", "deletions"):
        heads = [word.compressed if word.compressed >= 0 else None for word in words]
        sentence["compression"] = found.compression.decode()
        sentence["keep"] = [head is not None for head in heads]
        sentence["compressed_heads"] = heads
        sentence["like_law"] = found.like_law != 0
    return Sentence(**sentence)


def _after_fork() -> None:
    # Another thread may have held a lock when this process was made; that thread is not here.
    for model in _models:
        model._lock = threading.Lock()


os.register_at_fork(after_in_child=_after_fork)
