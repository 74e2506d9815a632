# Copyright (C) The detemplate authors
"""Variants of the module on the sites of a corpus, through bench/simulate.c.

A variant changes options (NAME=VALUE of simulate), lines of the core, or
both.  The core has no switch for what it always does: simulate is linked anew
with what a cut (cuts.py) leaves of a file.
"""

import collections
import concurrent.futures
import glob
import os
import shlex
import subprocess
import sys
import tempfile
from urllib.parse import urljoin

import accuracy_corpus
from cuts import TOP, cut

BUILD = os.environ.get("BUILD", os.path.join(TOP, "build"))
CFLAGS = "-O2 -std=c11 -D_GNU_SOURCE -w -I."
LIBS = "-lgumbo -lcurl -lhiredis -lz -lm"

Variant = collections.namedtuple("Variant", "name about args cuts")


def variant(name, about, args="", cuts=()):
    return Variant(name, about, args.split(), cuts)


class Simulator:
    """Programs in dir, one for each set of cuts."""

    def __init__(self, cuts, dir, main="bench/simulate"):
        self.cuts = cuts
        self.dir = dir
        self.main = main
        self.made = {(): os.path.join(BUILD, "bench", "simulate")}

        if not os.path.exists(self.made[()]):
            sys.exit("accuracy: %s is not here: run make bench"
                     % self.made[()])

    def program(self, names):
        if names in self.made:
            return self.made[names]

        program = os.path.join(self.dir, "+".join(names))
        objects = []
        cc = shlex.split(os.environ.get("CC", "cc"))

        for file, text in cut(self.cuts, names).items():
            o = "%s.%s.o" % (program, os.path.basename(file))
            subprocess.run(cc + CFLAGS.split() + ["-x", "c", "-c", "-o", o,
                                                  "-"],
                           input=text, text=True, check=True, cwd=TOP)
            objects.append(o)

        own = glob.glob("%s/obj/%s*.o" % (BUILD, self.main))
        subprocess.run(
            cc + ["-o", program, *own, *objects, BUILD + "/obj/libdt.a",
                  *LIBS.split()], check=True)
        self.made[names] = program

        return program


def run_site(corpus, site, todo):
    """The rows of one site, one for each (program, arguments)."""
    scorer = accuracy_corpus.Scorer(corpus, site)
    pages = [site.key] + [p for p in site.pages if p != site.key]
    pages = "".join("%s\t%s\n" % (p, urljoin(site.base, site.uri(p)))
                    for p in pages)
    rows = []

    for program, args in todo:
        with tempfile.TemporaryDirectory(prefix="detemplate-") as out:
            done = subprocess.run(
                [program, site.pages_dir, site.base, out, *args],
                input=pages, text=True, capture_output=True)
            if done.returncode or done.stderr:
                raise RuntimeError("%s: %s %s: %s" % (
                    site.id, program, " ".join(args), done.stderr))

            words = done.stdout.split()
            row = scorer.row(out)

        row.update(zip(words[::2], map(int, words[1::2])), site=site.id)
        rows.append(row)

    return rows


def run(corpus, sites, variants, cuts):
    """Runs the variants; of each, the means over the sites, with worst, the
    highest loss of a site, and its rows."""
    with tempfile.TemporaryDirectory(prefix="detemplate-") as dir:
        simulator = Simulator(cuts, dir)
        todo = [(simulator.program(tuple(v.cuts)), v.args) for v in variants]

        with concurrent.futures.ProcessPoolExecutor() as pool:
            rows = list(pool.map(run_site, [corpus] * len(sites), sites,
                                 [todo] * len(sites)))

    return [mean(v, [site[i] for site in rows])
            for i, v in enumerate(variants)]


def mean(v, rows):
    out = {"name": v.name, "about": v.about, "args": v.args,
           "cuts": list(v.cuts)}
    out.update((c, sum(r[c] for r in rows) / len(rows))
               for c in rows[0] if c != "site")
    out["worst"] = max(r["loss"] for r in rows)
    out["sites"] = rows

    return out
