# Copyright (C) The detemplate authors
"""Authors who repeat what another page says, so that it is cut there.

A site is made up, of 30, 100 or 1,000 pages.  An author has a tenth of them at
the most.  Each of his pages repeats a block of a page of somebody else, among
text of his own.  A row is a kind of block: in how many sites words of that
block are cut on the page that it belongs to, and template that is left.
"""

import itertools
import os
import random
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

HOST = "http://authors.test/"
MENU = ["Start", "Products", "Support", "Downloads", "About us", "Contact"]


def words(r, n):
    return " ".join("".join(r.choice("aeioubcdfglmnprst") for _ in range(
        r.randint(3, 9))) for _ in range(n))


def items(r, n, tag="li"):
    return "".join('<%s><a href="/%s.html">%s</a> %s</%s>' % (
        tag, words(r, 1), words(r, 2), words(r, 4), tag) for _ in range(n))


def bare(r, n):
    return "".join('<li><a href="/%s.html">%s</a></li>' % (
        words(r, 1), words(r, 3)) for _ in range(n))


BLOCKS = {
    "annotated links": lambda r: "<ul>%s</ul>" % items(r, 40),
    "links": lambda r: "<ul>%s</ul>" % bare(r, 40),
    "short links": lambda r: "<ul>%s</ul>" % bare(r, 8),
    "quotation": lambda r: "<blockquote><p>%s</p><p>%s</p></blockquote>" % (
        words(r, 40), words(r, 30)),
    "table": lambda r: "<table>%s</table>" % "".join(
        "<tr><th>%s</th><td>%s</td></tr>" % (words(r, 2), words(r, 5))
        for _ in range(12)),
    "pre": lambda r: "<pre>%s</pre>" % "\n".join(
        words(r, 6) for _ in range(20)),
    "paragraph": lambda r: "<p>%s</p>" % words(r, 50),
    "terms": lambda r: "<dl>%s</dl>" % "".join(
        "<dt>%s</dt><dd>%s</dd>" % (words(r, 2), words(r, 8))
        for _ in range(8)),
    "aside": lambda r: "<aside><p>%s</p></aside>" % words(r, 30),
    "aside links": lambda r: "<aside><ul>%s</ul></aside>" % bare(r, 14),
    "nav": lambda r: "<nav><ul>%s</ul></nav>" % bare(r, 14),
}

# where most pages have one, these go by their shape when bold
SHAPES = ("nav", "aside links")

# pages, and those of the author; whether all pages link to his; whether
# content is marked by main; whether other pages have such a block as well;
# whether he has a directory
SITES = [dict(zip(("pages", "his", "linked", "main", "common", "dir"), site))
         for (pages, his), *rest in itertools.product(
             ((30, 2), (30, 3), (40, 4), (100, 4), (100, 10), (1000, 100)),
             (0, 1), (0, 1), (0, 1), (0, 1))
         for site in [[pages, his] + rest]]


def page(r, site, name, block, near):
    body = "<h1>%s</h1><p>%s</p>%s<p>%s</p><ul>%s</ul>" % (
        words(r, 3), words(r, 60), block, words(r, 40),
        "".join('<li><a href="/%s">%s</a></li>' % (n, n) for n in near))
    menu = "".join('<a href="/%s.html">%s</a> ' % (m.split()[0].lower(), m)
                   for m in MENU)

    return ("<!doctype html><html><head><title>%s</title></head><body>"
            "<div class=top>%s</div>%s<div class=end><p>Made by many, and "
            "free for everybody to use.</p></div></body></html>" % (
                name, menu, ("<main>%s</main>" if site["main"]
                             else "<div class=text>%s</div>") % body))


def write(root, kind, site, seed):
    """Writes a site; returns its pages, the victim, and its block."""
    r = random.Random("%s %s %d" % (kind, sorted(site.items()), seed))
    block = BLOCKS[kind](r)
    at = words(r, 1)  # by the URLs, a sample is drawn
    his = [("mallory/%s%d.html" if site["dir"] else "m%s%d.html") % (at, i)
           for i in range(site["his"])]
    others = ["p%s%d.html" % (at, i)
              for i in range(site["pages"] - len(his))]
    victim = r.choice(others[1:])

    for name in others + his:
        near = r.sample(others, 6) + (r.sample(his, 2) if site["linked"]
                                      else [])
        own = (block if name == victim or name in his
               else BLOCKS[kind](r) if site["common"] else "")
        path = os.path.join(root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)

        with open(path, "w") as f:
            f.write(page(r, site, name, own, near))

    return others + his, victim, block


def lost(simulate, kind, site, seed, args):
    """Returns the share of the block's words that are cut, and whether the
    template stayed."""
    with tempfile.TemporaryDirectory(prefix="detemplate-") as dir:
        root, out = os.path.join(dir, "in"), os.path.join(dir, "out")
        os.mkdir(root)
        names, victim, block = write(root, kind, site, seed)
        subprocess.run(
            [simulate, root, HOST, out, "saved=%d" % len(names), *args],
            input="".join("%s\t%s%s\n" % (n, HOST, n) for n in names),
            text=True, check=True, stdout=subprocess.DEVNULL)

        with open(os.path.join(out, "strip", victim)) as f:
            served = f.read()

    has = [w for w in block.replace("<", " <").replace(">", "> ").split()
           if not w.startswith("<") and "=" not in w]
    kept = set(served.replace("<", " <").replace(">", "> ").split())

    return (sum(w not in kept for w in has) / len(has),
            "Made by many" in served)


def run(simulate, args=(), seeds=2, kinds=None):
    """Prints the rows; returns how many sites lose words."""
    bold = "bold=0" not in args
    todo = [(k, s, n) for k in kinds or BLOCKS for s in SITES
            if not (bold and s["common"] and k in SHAPES)
            for n in range(seeds if s["pages"] < 1000 else 1)]

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = list(pool.map(lambda t: lost(simulate, *t, args), todo))

    for kind in kinds or BLOCKS:
        mine = [(t, r) for t, r in zip(todo, rows) if t[0] == kind]
        bad = [(t, r) for t, r in mine if r[0] > 0]
        print("%-16s %4d sites  %3d lose words, %.4f of the block; template "
              "left on %d" % (kind, len(mine), len(bad),
                              sum(r[0] for _, r in mine) / len(mine),
                              sum(r[1] for _, r in mine)), flush=True)

        for t, r in bad[:3]:
            print("    %.2f %s seed %d" % (r[0], t[1], t[2]))

    return sum(r[0] > 0 for r in rows)
