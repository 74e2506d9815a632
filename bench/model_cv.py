# Copyright (C) The detemplate authors
"""Builds programs whose trees are fitted to some sites, to score others."""

import concurrent.futures
import glob
import os
import shlex
import subprocess
import zlib

import model_fit
import model_labels
from accuracy_variants import BUILD, TOP, simulator

MODEL = "core/rules/model.c"
CFLAGS = "-O2 -std=c11 -D_GNU_SOURCE -w -I."
LIBS = "-lgumbo -lcurl -lhiredis -lssl -lcrypto -lz -lm"

# the objects that a program is linked from, without the model
SIMULATE = ("obj/bench/simulate*.o", "obj/libdt.a")
LEARNER = ("obj/tools/*.o", "obj/libdt.a")

# what simulate.c wraps, see the Makefile
WRAPS = ["-Wl,--wrap=dt_" + name
         for name in ("links_order", "digraph_add", "alike", "guard")]

PARTS = 6

# the samples that features are taken from: of links or of a whole site, small
# and large, and of several learnings; no piece has the score to be cut, so
# that the trees of before have no say
STATES = tuple("score=100000 score-main=100000 visits=%d %s" % (i, state)
               for i, state in enumerate((
                   "passes=0", "passes=0", "passes=0 sitemap=1",
                   "passes=0 sitemap=1", "passes=1", "passes=2 sitemap=1",
                   "passes=0 sitemap=1 loads=8", "passes=0 loads=15",
                   "passes=0 sitemap=1 loads=60")))


def part(site, split):
    return zlib.crc32(b"%d %s" % (split, site.encode())) % PARTS


def gather(corpus, sites):
    """Returns for each site the labelled records of its pages, and the
    features of each state."""
    todo = [(corpus, s, simulator(), STATES) for s in sites]

    with concurrent.futures.ProcessPoolExecutor() as pool:
        return [d for d in pool.map(model_labels.site, *zip(*todo)) if d]


def fitted(data, depth=3, trees=60):
    """Returns the text of model.c, fitted to data."""
    return model_fit.source(*model_fit.fit(data, depth, trees))


def linked(program, text, parts):
    """Links the program with this text of model.c instead of the core's."""
    cc = shlex.split(os.environ.get("CC", "cc"))
    subprocess.run([*cc, *CFLAGS.split(), "-x", "c", "-c", "-o",
                    program + ".o", "-"],
                   input=text, text=True, check=True, cwd=TOP)
    subprocess.run([*cc, "-o", program, program + ".o",
                    *(WRAPS if parts is SIMULATE else ()),
                    *(f for p in parts for f in glob.glob(
                        os.path.join(BUILD, p))), *LIBS.split()], check=True)

    return program


def programs(data, sites, split, dir, depth=3, trees=60, parts=SIMULATE):
    """Returns for each site a program whose trees were fitted to others."""
    made = []

    for p in range(PARTS):
        rest = [d for d in data if part(d["site"], split) != p]
        made.append(linked(os.path.join(dir, "%d.%d" % (split, p)),
                           fitted(rest, depth, trees), parts))

    return [made[part(s.id, split)] for s in sites]
