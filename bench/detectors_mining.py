# Copyright (C) The detemplate authors
"""Does it help mining?  Section 6.2 of Vieira et al. 2006.

Their pages are products of five kinds in five shops.  No such sites are in
the corpus, so they are made of it: of five real sites, of as many categories,
each page is given the content of a page of one of the five, so that each site
has pages of all kinds.  Content and template are real, that they stand
together is not.

k-means  five clusters from random seeds; F of each kind in the cluster where
         it is highest, their mean, the mean over the runs (table 2)
naive Bayes  for each two kinds, told apart by what was learned of two sites
         (tables 3 to 6): 1 both kinds of one site, tried on the others; 2 one
         kind of a site, the other of another, tried on the rest; 3 the same,
         tried on all pages that were not learned from; mean F, and accuracy

Pages are taken as they are, without the texts that RTDM-TD and the site style
tree find (build/detemplate, compared with all pages of the site), as the
product serves them (build/bench/simulate: learned from one key page, then
visited), and without all but the content, which is the most that removal can
give.
"""

import collections
import itertools
import json
import os
import subprocess
import tempfile

import lxml.html

from detectors_gold import names_of

RUNS = 100
METHODS = ("rtdm-td", "site-style-tree")
SITES = 5
WORDS = 100  # of a page's content, at the least
PAGES = 25   # of a site, at the most


def read(file):
    with open(file, "rb") as f:
        return f.read()


def content_of(names, about, page):
    """Returns the page, the outermost elements of its content, their words."""
    doc = names["ING"]["parse"](page)
    gold, _ = names["gold_of"](doc, about)
    body = names["body_of"](doc)
    top = [e for e in body.iter() if gold.get(e) == "C"
           and gold.get(e.getparent()) != "C"]
    words = collections.Counter(
        w for ws, cls in names["runs"](body, gold) for w in ws if cls == "C")

    return doc, top, words


def choose(corpus, names):
    """Returns [(name, about, pages)]: the English site of each category that
    has most pages with content, and of those sites the five with most."""
    best = {}

    for name in sorted(os.listdir(corpus)):
        file = os.path.join(corpus, name, "site.json")
        if not os.path.exists(file):
            continue

        about = json.loads(read(file))
        if not about["lang"].startswith("en"):
            continue

        root = os.path.join(corpus, name, "pages")
        pages = []

        for file in sorted(os.path.relpath(os.path.join(d, f), root)
                           for d, _, files in os.walk(root) for f in files):
            if len(pages) < PAGES:
                words = content_of(names, about,
                                   read(os.path.join(root, file)))[2]
                if sum(words.values()) >= WORDS:
                    pages.append(file)

        kind = about["category"]
        if len(pages) > len(best.get(kind, (0, 0, ()))[2]):
            best[kind] = name, about, pages

    return sorted(best.values(), key=lambda s: (-len(s[2]), s[0]))[:SITES]


def make(corpus, names, sites, root):
    """Writes the pages; returns [(site, file, kind, words of content)]."""
    out = []

    for i, (name, about, pages) in enumerate(sites):
        for k, page in enumerate(pages):
            kind = (i + k) % len(sites)
            of, of_about, of_pages = sites[kind]
            doc, to, _ = content_of(names, about, read(
                os.path.join(corpus, name, "pages", page)))
            _, given, words = content_of(names, of_about, read(os.path.join(
                corpus, of, "pages", of_pages[k % len(of_pages)])))

            # replaces the content of one page by that of the other
            for e in to:
                tail = e.tail
                for child in list(e):
                    e.remove(child)
                e.text, e.tail = None, tail
            for e in given:
                e.tail = None
                to[0].append(e)

            file = os.path.join(root, name, "pages", page)
            os.makedirs(os.path.dirname(file), exist_ok=True)
            with open(file, "wb") as f:
                f.write(b"<!doctype html>\n"
                        b'<meta http-equiv="Content-Type" '
                        b'content="text/html; charset=utf-8">\n'
                        + lxml.html.tostring(doc, encoding="utf-8"))
            out.append((name, page, kind, words))

        # for "detemplate evaluate", all are key pages
        with open(os.path.join(root, name, "site.json"), "w",
                  encoding="utf-8") as f:
            json.dump(dict(about, key_pages=pages), f, ensure_ascii=False)

    return out


def found(program, corpus, name):
    """Returns {page: {method: the page without the texts that were found}}."""
    out = {}
    args = [w for m in METHODS for w in ("--detector", m)]
    done = subprocess.run([program, "evaluate", "--json", "--site", name,
                           "--pages", "all", *args, corpus],
                          capture_output=True, check=True)

    for key in json.loads(done.stdout)["sites"][0]["keys"]:
        page = read(os.path.join(corpus, name, "pages", key["page"]))
        for method in key["found"]:
            at, rest = 0, []
            for (start, end, text, _), is_found in zip(key["nodes"],
                                                       method["nodes"]):
                if text and is_found == "1" and start >= at:
                    rest += page[at:start], b" "
                    at = end
            rest.append(page[at:])
            out.setdefault(key["page"], {})[method["detector"]] = \
                b"".join(rest)

    return out


def served(root, name, about, pages, simulate, out):
    base = about["base_url"]
    names = "".join("%s\t%s%s\n" % (
        p, base, p[:-10] if p.endswith("index.html") else p) for p in pages)
    subprocess.run([simulate, os.path.join(root, name, "pages"), base,
                    os.path.join(out, name)], input=names, text=True,
                   check=True, stdout=subprocess.DEVNULL)


def documents(corpus, simulate, program):
    """Returns {variant: [(kind, site, words)]}."""
    names = names_of(corpus)
    sites = choose(corpus, names)
    without = {}
    out = {v: [] for v in ("as they are", *METHODS, "as served", "content")}

    with tempfile.TemporaryDirectory(prefix="detemplate-") as root:
        made = make(corpus, names, sites, os.path.join(root, "made"))

        for name, about, pages in sites:
            served(os.path.join(root, "made"), name, about, pages, simulate,
                   os.path.join(root, "out"))
            without[name] = found(program, os.path.join(root, "made"), name)

        for name, page, kind, content in made:
            before = read(os.path.join(root, "made", name, "pages", page))
            after = read(os.path.join(root, "out", name, "strip", page))
            words = (names["words"](before),
                     *(names["words"](without[name][page][m], before)
                       for m in METHODS),
                     names["words"](after, before)
                     if after.strip() else collections.Counter(), content)
            for variant, bag in zip(out, words):
                out[variant].append((kind, name, {
                    w.lower(): n for w, n in bag.items()
                    if w.isalpha() and len(w) > 2}))

    return sites, out


def f_of(tp, found, real):
    return 2 * tp / (found + real) if found + real else 0.0


def k_means(docs):
    from sklearn.cluster import KMeans
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.feature_extraction.text import TfidfTransformer

    x = TfidfTransformer().fit_transform(
        DictVectorizer().fit_transform([bag for *_, bag in docs]))
    real = [kind for kind, *_ in docs]
    of_kind = collections.Counter(real)
    total = 0

    for seed in range(RUNS):
        got = KMeans(SITES, init="random", n_init=1, max_iter=100,
                     random_state=seed).fit_predict(x)
        pairs = collections.Counter(zip(real, got))
        found = collections.Counter(got)
        total += sum(max(f_of(pairs[k, c], found[c], of_kind[k])
                         for c in found) for k in of_kind) / len(of_kind)

    return total / RUNS


def naive_bayes(docs, sites):
    """Returns (F, accuracy) of the three configurations."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.naive_bayes import MultinomialNB

    x = DictVectorizer().fit_transform([bag for *_, bag in docs])
    sums = [[0, 0, 0] for _ in range(3)]

    for p, q in itertools.combinations(range(SITES), 2):
        for i, j in itertools.product(sites, repeat=2):
            train = [n for n, (kind, s, _) in enumerate(docs)
                     if (kind, s) in ((p, i), (q, j))]
            both = [n for n, (kind, *_) in enumerate(docs) if kind in (p, q)]
            tests = ((0, [n for n in both if docs[n][1] != i]),) if i == j \
                else ((1, [n for n in both if docs[n][1] not in (i, j)]),
                      (2, [n for n in both if n not in train]))
            model = MultinomialNB().fit(x[train],
                                        [docs[n][0] for n in train])

            for conf, test in tests:
                got = model.predict(x[test])
                pairs = collections.Counter(
                    zip((docs[n][0] for n in test), got))
                sums[conf][0] += sum(
                    f_of(pairs[k, k], pairs[p, k] + pairs[q, k],
                         pairs[k, p] + pairs[k, q]) for k in (p, q)) / 2
                sums[conf][1] += (pairs[p, p] + pairs[q, q]) / len(test)
                sums[conf][2] += 1

    return [(f / n, a / n) for f, a, n in sums]


def main(corpus, build, program):
    sites, docs = documents(corpus, os.path.join(build, "bench", "simulate"),
                            program)

    print("%d sites, %d pages of %d kinds\n" % (
        SITES, len(docs["content"]), SITES))
    print("%-16s %9s   %s" % ("pages", "k-means F", "   ".join(
        "Bayes %d F  accuracy" % c for c in (1, 2, 3))))

    for variant, rows in docs.items():
        bayes = naive_bayes(rows, [name for name, *_ in sites])
        print("%-16s %9.3f   %s" % (variant, k_means(rows), "   ".join(
            "%9.3f %9.3f" % pair for pair in bayes)), flush=True)

    return 0
