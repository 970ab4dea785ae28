"""Prints where the Python that runs this looks for packages below a prefix, or nothing."""

import os
import site
import sys

prefix = os.path.join(os.path.realpath(sys.argv[1]), "")
folders = [os.path.realpath(folder) for folder in site.getsitepackages()]
print(next((f for f in folders if f.startswith((prefix + "lib", prefix + "Lib"))), ""))
