# Copyright (C) The detemplate authors
"""Changes to the source, for bench/accuracy --ablation and bench/mutants.

A cut is a list of (file, text that stands in it once, what takes its place).
"""

import os
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def cut(cuts, names):
    """The files as the cuts of these names leave them, by their names."""
    texts = {}

    for name in names:
        for file, old, new in cuts[name]:
            if file not in texts:
                with open(os.path.join(TOP, file)) as f:
                    texts[file] = f.read()
            if texts[file].count(old) != 1:
                sys.exit("%s: cut %s: not once in %s: %s"
                         % (os.path.basename(sys.argv[0]), name, file, old))
            texts[file] = texts[file].replace(old, new)

    return texts
