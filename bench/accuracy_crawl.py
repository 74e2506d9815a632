# Copyright (C) The detemplate authors
"""The first crawl of sites that the module has never seen."""

import os
import time

from accuracy_corpus import score
from accuracy_nginx import Client, Servers

# the value of detemplate_wait, and the seconds between two requests
CRAWLS = (("0", 0), ("0", 0.2), ("10s", 0), ("10s", 0.2))

COLUMNS = ("wait", "pause", "passed", "first", "left", "loss", "later",
           "slowest")


def crawl(site, servers, pause, out):
    """All pages in the order of their names, once; learning is not waited
    for.  Returns pages that passed, whether the first did, and the longest
    that a page took."""
    client = Client(site, servers.front)
    passed = []
    slowest = 0

    for page in site.pages:
        time.sleep(pause)
        start = time.monotonic()
        client.page(page)
        slowest = max(slowest, time.monotonic() - start)
        passed.append(not client.field.startswith("hit"))
        save(out, site, page, client.body)

    client.settle()
    client.conn.close()

    return sum(passed), passed[0], slowest


def save(out, site, page, body):
    file = os.path.join(out, "strip", site.id, page)
    os.makedirs(os.path.dirname(file), exist_ok=True)
    with open(file, "wb") as f:
        f.write(body)


def crawls(corpus, sites, work):
    rows = []

    print("".join("%9s" % c for c in COLUMNS))

    for wait, pause in CRAWLS:
        top = os.path.join(work, "crawl-%s-%g" % (wait, pause))
        out = os.path.join(top, "first")
        again = os.path.join(top, "second")
        os.makedirs(out)
        os.chmod(top, 0o755)

        with Servers(sites, top, wait) as servers:
            told = [crawl(s, servers, pause, out) for s in sites]

            for s in sites:
                crawl(s, servers, 0, again)

        got = score(corpus, sites, out, "strip").values()
        later = score(corpus, sites, again, "strip").values()
        pages = sum(len(s.pages) for s in sites)

        rows.append({
            "wait": wait, "pause": pause,
            "passed": sum(t[0] for t in told) / pages,
            "first": sum(t[1] for t in told) / len(told),
            "left": sum(r["left"] for r in got) / len(got),
            "loss": sum(r["loss"] for r in got) / len(got),
            "later": sum(r["left"] for r in later) / len(later),
            "slowest": max(t[2] for t in told),
        })
        print("%9s%9g" % (wait, pause) + "".join(
            "%9.4f" % rows[-1][c] for c in COLUMNS[2:]), flush=True)

    return rows
