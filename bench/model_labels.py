# Copyright (C) The detemplate authors
"""Reads the features of patterns, and their words of content and template."""

import difflib
import html
import os
import subprocess
import tempfile
from urllib.parse import urljoin

import numpy as np

import accuracy_corpus
from model_fit import NAMES

# the fields of dt_record_t that are used
RECORD = np.dtype({
    "names": ["key", "parent", "start", "end", "name"],
    "formats": ["<u8", "<u4", "<u4", "<u4", "<u8"],
    "offsets": [0, 44, 32, 36, 24], "itemsize": 88})
NONE = 0xffffffff


def run(program, site, args):
    pages = [site.key] + [p for p in site.pages if p != site.key]
    pages = "".join("%s\t%s\n" % (p, urljoin(site.base, site.uri(p)))
                    for p in pages)

    with tempfile.TemporaryDirectory(prefix="detemplate-") as out:
        subprocess.run([program, site.pages_dir, site.base, out, "saved=0",
                        *args], input=pages, text=True, check=True,
                       stdout=subprocess.DEVNULL)


def records_of(file):
    """Reads records page by page, as simulate writes them."""
    with open(file, "rb") as f:
        while True:
            name = f.readline().decode().rstrip("\n")
            if not name:
                return
            n, size = map(int, f.readline().split())
            if size != RECORD.itemsize:
                raise RuntimeError("dt_record_t has changed")
            yield name, np.frombuffer(f.read(n * size), RECORD)


def matched(a, b):
    """Returns pairs of positions at which two lists of words are equal."""
    if a == b:
        return [(i, i) for i in range(len(a))]

    pairs = []
    for _, i, end, j, stop in difflib.SequenceMatcher(
            None, a, b).get_opcodes():
        if end - i == stop - j:
            pairs += zip(range(i, end), range(j, stop))

    return pairs


def labels(scorer, page, records):
    """Returns the words of content and template in each text record."""
    names = scorer.names
    source = scorer.source[page]
    doc = names["ING"]["parse"](source)
    gold, found = names["gold_of"](doc, scorer.site.about)
    out = np.zeros((len(records), 2))

    if not found:
        return None, 0, 0

    said = [(w, cls) for words, cls in
            names["runs"](names["body_of"](doc), gold) for w in words]
    encoding = names["ING"]["sniff"](source) or "utf-8"
    words, where = [], []

    for i in np.nonzero(records["name"] == 0)[0]:
        text = source[records["start"][i]:records["end"][i]]
        text = html.unescape(text.decode(encoding, "replace")).split()
        words += text
        where += [i] * len(text)

    for i, j in matched(words, [w for w, _ in said]):
        if said[j][1] != "i":
            out[where[i], int(said[j][1] == "T")] += 1

    return (out, sum(c == "C" for _, c in said),
            sum(c == "T" for _, c in said))


def weigh(keys, pages):
    """Returns the words of content and template of each key.  Words in several
    patterns are shared among them."""
    weight = np.zeros((len(keys), 2))

    for records, words in pages:
        at = np.searchsorted(keys, records["key"])
        at[at == len(keys)] = 0
        known = keys[at] == records["key"]
        parent = records["parent"].tolist()
        level = [0] * len(records)

        for i, k in enumerate(known.tolist()):
            level[i] = k + (level[parent[i]] if parent[i] != NONE else 0)

        share = words / np.maximum(np.array(level), 1)[:, None]
        for i in range(len(records) - 1, -1, -1):
            if parent[i] != NONE:
                share[parent[i]] += share[i]

        np.add.at(weight, at[known], share[known])

    return weight


def site(corpus, site, program, states):
    """Returns {"site", "x", "content", "template"}: the features of patterns,
    and their shares of the site's words of content and template."""
    scorer = accuracy_corpus.Scorer(corpus, site)
    out = {"site": site.id, "x": [], "content": [], "template": []}

    with tempfile.TemporaryDirectory(prefix="detemplate-") as dir:
        file = os.path.join(dir, "records")
        run(program, site, ["passes=0", "records=" + file])
        pages, content, template = [], 0, 0

        for page, records in records_of(file):
            words, c, t = labels(scorer, page, records)
            content += c
            template += t
            if words is not None:
                pages.append((records, words))

        for state in states:
            file = os.path.join(dir, "features")
            run(program, site, [*state.split(), "features=" + file])
            add(out, file, pages, max(content, 1000), max(template, 300))

    if not out["x"]:
        return None

    return {k: v if k == "site" else np.concatenate(v)
            for k, v in out.items()}


def add(out, file, pages, content, template):
    """Returns the patterns of one state.  Those of its last learning have full
    weight, and others less."""
    data = np.fromfile(file, np.dtype([
        ("key", "<u8"), ("x", "<u2", len(NAMES))]))
    learning = np.cumsum(data["key"] == 0)
    learning, data = learning[data["key"] != 0], data[data["key"] != 0]

    if len(data) == 0:
        return

    weight = weigh(np.unique(data["key"]), pages)
    weight = weight[np.searchsorted(np.unique(data["key"]), data["key"])]
    age = learning.max() - learning.min()
    weight[learning != learning.max()] *= 0.5 / max(age, 1)

    used = weight.sum(1) > 0
    out["x"].append(data["x"][used])
    out["content"].append(weight[used, 0] / content)
    out["template"].append(weight[used, 1] / template)

