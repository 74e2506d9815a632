# Copyright (C) The detemplate authors
"""Trees that were fitted to some sites, in programs that others are scored
with."""

import concurrent.futures
import os
import zlib

import model_fit
import model_labels
from accuracy_variants import Simulator
from cuts import TOP

MODEL = "core/rules/model.c"
PARTS = 6

# orders of visits that evidence is taken from, some with more of it, and some
# with as little as is known of a site at first
STATES = (
    "visits=0", "visits=1", "visits=2", "visits=3 eager=60",
    "visits=4 eager=100",
    "visits=5 total=8", "visits=6 total=12", "visits=7 total=20", "visits=8",
)

CUTS = {"features": [
    ("core/rules/score.c", '#include "core/rules/score.h"\n',
     '#include "core/rules/score.h"\n'
     "void simulate_features(uint64_t, int, const uint16_t *);\n"),
    ("core/rules/score.c", "        score = dt_score(x)",
     "        simulate_features(e[i].key, v[i].cut != 0, x);\n"
     "        score = dt_score(x)"),
]}

# the rules alone decide, and are told of
RULES = ("score=100000", "score-rules=1000000")


def part(site, split):
    return zlib.crc32(b"%d %s" % (split, site.encode())) % PARTS


def gather(corpus, sites, dir):
    """Of each site, what the scanner finds on its pages, with labels, and the
    features of each state."""
    program = Simulator(CUTS, dir).program(("features",))
    todo = [(corpus, s, program, STATES, RULES) for s in sites]

    with concurrent.futures.ProcessPoolExecutor() as pool:
        return [d for d in pool.map(model_labels.site, *zip(*todo)) if d]


def fitted(data, depth=3, trees=60):
    """The text of model.c, fitted to data."""
    return model_fit.source(*model_fit.fit(data, depth, trees))


def programs(data, sites, split, dir, depth=3, trees=60,
             main="bench/simulate"):
    """For each site a program that knows the others; main: its objects."""
    with open(os.path.join(TOP, MODEL)) as f:
        old = f.read()

    cuts = {}
    for p in range(PARTS):
        rest = [d for d in data if part(d["site"], split) != p]
        cuts["%d.%d" % (split, p)] = [(MODEL, old,
                                       fitted(rest, depth, trees))]

    simulator = Simulator(cuts, dir, main)
    return [simulator.program(("%d.%d" % (split, part(s.id, split)),))
            for s in sites]
