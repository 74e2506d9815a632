# Copyright (C) The detemplate authors
"""Runs --first, --ablation, --table and --order, and prints their tables."""

from accuracy_ablation import ABLATION, DEFAULT
from accuracy_variants import run, variant

SIZES = range(1, 9)
SEEDS = range(1, 4)

# one learning from the key page, with as many loads as the subdigraph needs
PUBLISHED = "published=1 copies=1 alone=1 support=64 wrapper=0 passes=0"

METHODS = (
    ("published", "The published method", PUBLISHED),
    ("module", "The module", ""),
)

# with the seeds for simulate
ORDERS = (
    ("published", "published order", (0,), ""),
    ("unlinked", "without subdigraph", (0,), "unlinked=1"),
    ("first", "first links", (0,), "order=1 unlinked=1"),
    ("random", "random pages", SEEDS, "order=1 unlinked=1"),
)

SHOWN = ("loss", "worst", "left", "F1", "aF1", "loads")
KEY = ("keyP", "keyR", "keyaF1")


def format_of(column):
    return "%8.1f" if column == "loads" else "%8.4f"


def cells(row, columns):
    return "".join(format_of(c) % row[c] for c in columns)


def heads(columns):
    return "".join("%8s" % c.replace("key", "k") for c in columns)


def without_sites(rows):
    return [{k: v for k, v in r.items() if k != "sites"} for r in rows]


def names():
    """Lists the rows of ablation()."""
    for title, group in ABLATION:
        print(title)
        for v in group:
            print("  %-32s%s" % (v.name, v.about))


def against(default, sites):
    """Returns how many sites are worse and how many are better: by loss, then
    by F1 of nodes, where these differ by more than 0.001."""
    worse = better = 0

    for a, b in zip(default, sites):
        change = (round(a["loss"] - b["loss"], 3)
                  or round(b["aF1"] - a["aF1"], 3))
        worse += change < 0
        better += change > 0

    return worse, better


def ablation(corpus, sites):
    variants = [v for _, group in ABLATION for v in group]
    default, *rows = run(corpus, sites, [DEFAULT, *variants])
    changes = ("loss", "left", "aF1", "loads")

    for r in rows:
        r["change"] = {c: r[c] - default[c] for c in SHOWN}
        r["worse"], r["better"] = against(default["sites"], r["sites"])

    print("%-32s%s  %s  worse better" % (
        "", heads(SHOWN), "".join("%8s" % ("d " + c) for c in changes)))
    print("%-32s%s" % ("default", cells(default, SHOWN)))

    left = iter(rows)
    for title, group in ABLATION:
        print("\n" + title)
        for v, r in zip(group, left):
            print("%-32s%s  %s %6d %6d  %s" % (
                v.name, cells(r, SHOWN),
                "".join(format_of(c).replace("%", "%+") % r["change"][c]
                        for c in changes), r["worse"], r["better"], v.about))

    return without_sites([default, *rows])


def first(corpus, sites):
    """Prints what one learning of a site finds, of several samples."""
    variants = [variant("%s, sample %d" % (about, n), about,
                        "passes=0 visits=%d %s" % (n, more))
                for about, more in (("links", ""), ("sitemap", "sitemap=1"))
                for n in range(3)]
    rows = run(corpus, sites, variants)

    print("%-32s%s" % ("", heads(SHOWN)))
    for r in rows:
        print("%-32s%s" % (r["name"], cells(r, SHOWN)))

    return without_sites(rows)


def table(corpus, sites):
    """Prints table 2 of the paper: pages of the subdigraph and votes."""
    out = {}

    for name, title, args in METHODS:
        variants = [variant("%d %d" % (n, v), title, "%s candidates=%d "
                            "votes=%d" % (args, n, v))
                    for n in SIZES for v in range(1, n + 1)]
        rows = run(corpus, sites, variants)
        shown = SHOWN + (KEY if name == "published" else ())

        print("%s\n\n size votes  found%s" % (title, heads(shown)))
        for r in rows:
            r["size"], r["votes"] = map(int, r["name"].split())
            print("%5d %5d %6.1f%s" % (r["size"], r["votes"],
                                       r["candidates"], cells(r, shown)))
        print()
        out[name] = without_sites(rows)

    return out


def order(corpus, sites):
    """Prints what the choice and the order of the loaded pages are worth."""
    out = {}

    for name, title, args in METHODS:
        variants = [variant("%s %d" % (which, n), about,
                            "%s %s candidates=%d votes=%d shuffle=%d"
                            % (args, more, n, 1 if n < 3 else 2, seed))
                    for which, about, seeds, more in ORDERS
                    for n in SIZES for seed in seeds]
        rows = run(corpus, sites, variants)
        shown = SHOWN + (KEY if name == "published" else ())
        out[name] = []
        print(title)

        for which, about, seeds, _ in ORDERS:
            print("\n%s\n size%s" % (about, heads(shown)))
            for n in SIZES:
                same, rows = rows[:len(seeds)], rows[len(seeds):]
                r = {c: sum(s[c] for s in same) / len(same)
                     for c in SHOWN + KEY}
                r.update(order=which, about=about, size=n)
                print("%5d%s" % (n, cells(r, shown)))
                out[name].append(r)
        print()

    return out
