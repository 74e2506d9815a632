# Copyright (C) The detemplate authors
"""Variants of the module on the sites of a corpus, through bench/simulate.c.

A variant is a list of options (NAME=VALUE) of simulate.
"""

import collections
import concurrent.futures
import os
import subprocess
import sys
import tempfile
from urllib.parse import urljoin

import accuracy_corpus

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("BUILD", os.path.join(TOP, "build"))

Variant = collections.namedtuple("Variant", "name about args")


def variant(name, about, args=""):
    return Variant(name, about, args.split())


def simulator():
    program = os.path.join(BUILD, "bench", "simulate")

    if not os.path.exists(program):
        sys.exit("accuracy: %s is not here: run make bench" % program)

    return program


def run_site(corpus, site, todo):
    """Returns the rows of one site, one for each (program, arguments)."""
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


def run(corpus, sites, variants):
    """Runs the variants.  Returns for each the means over the sites, the
    highest loss of a site (worst), and its rows."""
    program = simulator()
    todo = [(program, v.args) for v in variants]

    with concurrent.futures.ProcessPoolExecutor() as pool:
        rows = list(pool.map(run_site, [corpus] * len(sites), sites,
                             [todo] * len(sites)))

    return [mean(v, [site[i] for site in rows])
            for i, v in enumerate(variants)]


def mean(v, rows):
    out = {"name": v.name, "about": v.about, "args": v.args}
    out.update((c, sum(r[c] for r in rows) / len(rows))
               for c in rows[0] if c != "site")
    out["worst"] = max(r["loss"] for r in rows)
    out["sites"] = rows

    return out
