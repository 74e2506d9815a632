# Copyright (C) The detemplate authors
"""What a site's labels say of the nodes that "detemplate evaluate" lists.

A page is marked with the number of each node, then parsed and labelled as the
corpus's scorer does it: elements under a content selector are content, what
is ignored is not scored, nor is what holds content somewhere below; the rest
of the body is template.
"""

import bisect
import os
import re

from accuracy_corpus import scorer_of

NAME = re.compile(rb"<[a-zA-Z][^\s/>]*")
BLOCKS = set(b"html body table tr hr ul p span div".split())
RAW = re.compile(rb"<(?:title|textarea|xmp|noframes|noembed|plaintext|script"
                 rb"|style|noscript|iframe)[\s/>]", re.I)


def names_of(corpus):
    """The scorer's functions."""
    file = scorer_of(corpus)
    names = {"__file__": file}

    with open(file) as f:
        text = f.read().rsplit("\nmain()", 1)[0]
    exec(compile(text, file, "exec"), names)

    return names


def marked(src, nodes):
    """Returns the page with the number of each node added: as an attribute of
    each element, and as a comment in front of each text."""
    marks = []

    for i, (start, end, text, parent) in enumerate(nodes):
        if start == end:
            continue

        if text:
            up = nodes[parent]
            if up[0] == up[1] or not RAW.match(src, up[0]):
                marks.append((start, 1, b"<!--dt:%d-->" % i))
                marks.append((end, 0, b"<!--/dt-->"))
        else:
            name = NAME.match(src, start)
            if name:
                marks.append((name.end(), 0, b' dt-n="%d"' % i))

    out, at = [], 0
    for place, _, mark in sorted(marks):
        out += src[at:place], mark
        at = place

    return b"".join(out) + src[at:]


class Gold:
    """The labels of one page: cls[i] is T, C or None for node i, and words[i]
    has the words of a text."""

    def __init__(self, names, about, src, nodes):
        self.cls = [None] * len(nodes)
        self.words = [0] * len(nodes)
        self.terms = [()] * len(nodes)
        self.nodes = nodes
        self.places(src)
        self.skip = names["SKIP"]

        doc = names["ING"]["parse"](marked(src, nodes))
        self.gold, self.found = names["gold_of"](doc, about)
        if self.found:
            self.walk(names["body_of"](doc))
        del self.gold

        self.total = {c: self.cls.count(c) for c in "TC"}
        self.of = {c: sum(w for w, k in zip(self.words, self.cls) if k == c)
                   for c in "TC"}

    def places(self, src):
        """Sets the block of each node, in the sense of Debnath et al., and its
        path, in that of Kim and Shim: the names from the root, or the text."""
        self.block, self.path = [], []

        for i, (start, end, text, parent) in enumerate(self.nodes):
            name = NAME.match(src, start) if start < end else None
            name = src[start:end] if text else name[0].lower() if name else b""
            up = parent if i else None
            self.block.append(i if i == 0 or name[1:] in BLOCKS and not text
                              else self.block[up])
            self.path.append(hash((self.path[up] if i else 0, name)))

    def walk(self, e):
        if not isinstance(e.tag, str) or e.tag in self.skip:
            return False

        cls = self.gold.get(e, "T")
        inner = False

        for c in e:
            if isinstance(c.tag, str):
                inner = self.walk(c) or inner
            elif (c.text or "").startswith("dt:") and c.tail:
                if c.tail.strip() and cls != "i":
                    i = int(c.text[3:])
                    self.cls[i] = cls
                    self.terms[i] = c.tail.split()
                    self.words[i] = len(self.terms[i])

        number = e.get("dt-n")
        if number and (cls == "C" or (cls == "T" and not inner)):
            self.cls[int(number)] = cls

        return inner or cls == "C"

    def measures(self, found):
        """Returns what the papers count, as sets of what is right and of what
        was found: terms of the template (Vieira et al.), blocks of content
        (Nguyen et al.), paths of the template (Kim and Shim)."""
        sets = {k: set() for k in ("St", "Ft", "Sb", "Fb", "Sp", "Fp")}
        blocks = {}

        for i, cls in enumerate(self.cls):
            if cls is None:
                continue
            if cls == "T":
                sets["St"].update(self.terms[i])
                sets["Sp"].add(self.path[i])
            if found[i] == "1":
                sets["Ft"].update(self.terms[i])
                sets["Fp"].add(self.path[i])
            b = blocks.setdefault(self.block[i], [0, 0, 0])
            b[0] += self.words[i]
            b[1] += self.words[i] if cls == "C" else 0
            b[2] += self.words[i] if found[i] == "0" else 0

        for b, (words, content, kept) in blocks.items():
            if 2 * content > words:
                sets["Sb"].add(b)
            if 2 * kept > words:
                sets["Fb"].add(b)

        return sets

    def score(self, found, cut):
        """Scores a string of 0 and 1 for each node, and the ranges cut."""
        starts = [s for s, _ in cut]
        n = {"T": self.total["T"], "C": self.total["C"], "Tm": 0, "Cm": 0,
             "Tw": self.of["T"], "Cw": self.of["C"], "left": 0, "lost": 0,
             "Tf": 0, "Cf": 0}

        for i, cls in enumerate(self.cls):
            if cls is None:
                continue
            if found[i] == "1":
                n[cls + "m"] += 1
                n[cls + "f"] += self.words[i]
            if self.words[i]:
                k = bisect.bisect_right(starts, self.nodes[i][0]) - 1
                gone = k >= 0 and self.nodes[i][1] <= cut[k][1]
                if cls == "C" and gone:
                    n["lost"] += self.words[i]
                if cls == "T" and not gone:
                    n["left"] += self.words[i]

        return n


def page_bytes(corpus, site, page):
    with open(os.path.join(corpus, site, "pages", page), "rb") as f:
        return f.read()
