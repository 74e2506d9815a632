# Copyright (C) The detemplate authors
"""A corpus of labelled sites, and its scorer."""

import collections
import hashlib
import json
import os
import subprocess
import sys
import urllib.parse


class Site:
    """A site of the corpus, which gets its own loopback address."""

    def __init__(self, corpus, name, number):
        self.id = name
        self.pages_dir = os.path.join(corpus, name, "pages")
        self.address = "127.1.%d.%d" % divmod(number + 1, 250)

        with open(os.path.join(corpus, name, "site.json")) as f:
            self.about = json.load(f)

        self.base = self.about["base_url"]
        base = urllib.parse.urlsplit(self.base)
        self.host = base.hostname
        self.path = base.path or "/"
        self.key = self.about["key_pages"][0]
        self.pages = sorted(
            os.path.relpath(os.path.join(d, f), self.pages_dir)
            for d, _, files in os.walk(self.pages_dir) for f in files)
        self.row = {"site": name, "pages": len(self.pages), "template": 0}

    def uri(self, page):
        """Returns the page's URL path; X/index.html is requested as X/."""
        page, mark, query = page.partition("?")

        if os.path.basename(page) == "index.html":
            page = page[:-len("index.html")]

        return self.path + urllib.parse.quote(page, safe="/+") + mark + query


def scorer_of(corpus):
    return os.path.join(os.path.dirname(corpus), "tools", "score.py")


def score(corpus, sites, out, mode):
    """Runs the corpus's own scorer, and returns its rows by site."""
    file = os.path.join(out, mode + ".json")
    command = [sys.executable, scorer_of(corpus), corpus,
               os.path.join(out, mode), "--mode", mode, "--json", file,
               "--brief"]

    for s in sites:
        command += ["--site", s.id]

    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with open(file) as f:
        return {row["site"]: row for row in json.load(f)["sites"]}


class Scorer:
    """Scores many outputs of one site, whose pages are mostly equal: calls the
    scorer's own functions for each page, and caches results by its bytes."""

    def __init__(self, corpus, site):
        self.site = site
        self.seen = {}
        self.names = {"__file__": scorer_of(corpus)}

        with open(scorer_of(corpus)) as f:
            text = f.read().rsplit("\nmain()", 1)[0]
        exec(compile(text, scorer_of(corpus), "exec"), self.names)

        self.source = {}
        for page in site.pages:
            with open(os.path.join(site.pages_dir, page), "rb") as f:
                self.source[page] = f.read()

    def page(self, out, mode, page):
        """Returns the scorer's counts, or None for a page without labels."""
        with open(os.path.join(out, mode, page), "rb") as f:
            data = f.read()

        key = mode, page, hashlib.sha1(data).digest()
        if key not in self.seen:
            self.seen[key] = self.count(data, mode, page)

        return self.seen[key]

    def count(self, data, mode, page):
        if mode == "annotate":
            return self.names["score_nodes"](data, self.site.about)

        source = self.source[page]
        words = (self.names["words"](data, source) if data.strip()
                 else collections.Counter())
        return self.names["score_words"](source, self.site.about, words)

    def total(self, out, mode, pages):
        counts = [self.page(out, mode, p) for p in pages]
        return sum((c for c in counts if c), collections.Counter())

    def row(self, out):
        """Returns the row that score.py gives the site, and P and F1 of nodes
        on the key page alone."""
        words = self.total(out, "strip", self.site.pages)
        nodes = self.total(out, "annotate", self.site.pages)
        key = self.total(out, "annotate", [self.site.key])
        row = {"loss": 1 - ratio(words["kept"], words["C"]),
               "left": ratio(words["noise"], words["T"], 0),
               "F1": f1(ratio(words["kept"], words["kept"] + words["noise"]),
                        ratio(words["kept"], words["C"]))}

        for name, n in ("", nodes), ("key", key):
            p = ratio(n["Tm"], n["Tm"] + n["Cm"])
            r = ratio(n["Tm"], n["T"])
            row.update({name + "P": p, name + "R": r, name + "aF1": f1(p, r)})

        return row


def ratio(a, b, empty=1):
    return a / b if b else empty


def f1(p, r):
    return 2 * p * r / (p + r) if p + r else 0.0
