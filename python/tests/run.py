"""Runs one test file by pytest for `meson test`; without pytest or NumPy, or where the file skips
itself, skips (status 77).

With CMOCKA_XML_FILE set, as scripts/record does, keeps the results there, a tag a line."""

from __future__ import annotations

import importlib.util
import os
import pathlib
import sys
import tempfile


def main(file: str) -> int:
    name = pathlib.Path(file).stem
    results = os.environ.get("CMOCKA_XML_FILE")
    missing = [m for m in ("pytest", "numpy") if importlib.util.find_spec(m) is None]
    if missing:
        print(f"{name} is skipped: there is no {' and no '.join(missing)} for {sys.executable}")
        if results:
            counts = 'tests="1" failures="0" errors="0" skipped="1"'
            pathlib.Path(results).write_text(f'<testsuite name="{name}" {counts}>\n</testsuite>\n')
        return 77

    import pytest

    options = ["-q", "-rs", "-p", "no:cacheprovider", file]
    if results:
        options += ["--junitxml", results, "-o", "junit_family=xunit2"]
    # pytest's own place for temporary files is shared by all that it is run for.
    with tempfile.TemporaryDirectory(prefix="trapeze-python-") as folder:
        status = pytest.main([*options, "--basetemp", os.path.join(folder, "pytest")])
    if results and os.path.exists(results):
        path = pathlib.Path(results)
        path.write_text(path.read_text().replace("><", ">\n<"))
    return 77 if status == pytest.ExitCode.NO_TESTS_COLLECTED else int(status)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
