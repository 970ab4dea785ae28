"""Does the C compiler lay structures out, and number constants, as _library.py and results.py say?"""

from __future__ import annotations

import ctypes
import pathlib
import re
import shutil
import subprocess

import pytest

from trapeze import _library as C
from trapeze import automaton, results

HEADERS = pathlib.Path(__file__).parents[2] / "include"
PARTLY = {"tz_semiring"}  # only its first members are declared


def ours():
    """C expressions, and what Python takes them for."""
    for name, made in vars(C).items():
        if isinstance(made, type) and issubclass(made, ctypes.Structure) and made is not ctypes.Structure:
            struct = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
            for member, *_ in made._fields_:
                field = getattr(made, member)
                yield f"offsetof({struct}, {member})", field.offset
                yield f"sizeof((({struct} *)0)->{member})", field.size
            if struct not in PARTLY:
                yield f"sizeof({struct})", ctypes.sizeof(made)
    for struct, made in ("tz_use", results.USE), ("tz_node", results.NODE), ("tz_automaton_arc", automaton._ARC):
        yield f"sizeof({struct})", made.itemsize
        for member, (kind, offset, *_) in made.fields.items():
            yield f"offsetof({struct}, {member})", offset
            yield f"sizeof((({struct} *)0)->{member})", kind.itemsize
    for name in "MAX_RANK", "IDEMPOTENT", "PATH", "GIVES_NUMBER", "GIVES_TRUTH", "FORCE", "FIGURES_LATEX", "LAW":
        yield f"TZ_{name}", getattr(C, name)
    yield "TZ_LARGEST_COMPONENT", automaton._LARGEST
    for number, error in C._EXCEPTIONS.items():
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", error.__name__).upper()
        yield "TZ_IO" if name == "CANNOT_READ" else f"TZ_{name}", number


def test_layouts(tmp_path):
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if compiler is None:
        pytest.skip("no C compiler")
    wanted = list(ours())
    assert len(wanted) > 60
    prints = "\n".join(f'    printf("%zu\\n", (size_t)({expression}));' for expression, _ in wanted)
    source = tmp_path / "layouts.c"
    source.write_text(
        "#include <stddef.h>\n#include <stdio.h>\n#include <trapeze/automaton.h>\n#include <trapeze/grammar.h>\n"
        "#include <trapeze/semiring.h>\n#include <trapeze/trapeze.h>\n"
        f"int main(void) {{\n{prints}\n}}\n"
    )
    subprocess.run([compiler, "-I", HEADERS, "-o", tmp_path / "layouts", source], check=True)
    printed = subprocess.run([tmp_path / "layouts"], capture_output=True, text=True, check=True).stdout.split()
    assert [f"{e} {n}" for e, n in wanted] == [f"{e} {n}" for (e, _), n in zip(wanted, printed)]
