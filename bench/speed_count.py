# Copyright (C) The detemplate authors
"""Counts the instructions that pages take, as valgrind's callgrind does, and
compares them with recorded ones."""

import json
import os
import re
import subprocess
import sys

SUBJECTS = ("bold", "cautious", "selectors", "markdown")
WORSE = 1.05

# valgrind counts "rep movsb", by which glibc copies much at once, as one
# instruction a byte; with this, glibc copies by vectors
COPIES = "glibc.cpu.x86_rep_movsb_threshold=100000000"

# (name, site of the corpus, page, repeated to so many bytes)
ROWS = (
    ("mostly template, 40 KB", "whd-drupal10", "stories/laura-dolci.html", 0),
    ("mostly template, 119 KB", "fathers-dotnetnuke",
     "FreeResources/tabid/442/Default.aspx.html", 0),
    ("mostly template, 67 KB", "flink-web", "posts/index.html", 0),
    ("dense, API of Java", "commons-lang3-javadoc", None, 0),
    ("dense, API of a tool", "starknet-devnet", "docs/api.html", 0),
    ("lectures, side bar of the page's own", "scipy-lectures", None, 0),
    ("forum's topic", "ftowa-forum", None, 0),
    ("shop's list", "imakethecase-shopify", None, 0),
    ("Chinese", "ccepcd-zh", None, 0),
    ("dense, 2 MB", "commons-lang3-javadoc", None, 2000000),
)


def learned(build, root, site):
    """Returns the file of a site's template, learned from all key pages."""
    out = os.path.join(build, "bench", "count", os.path.basename(root) + ".dt")
    os.makedirs(os.path.dirname(out), exist_ok=True)

    if os.path.exists(out):
        os.remove(out)

    for page in site["key_pages"]:
        prev = ["--prev", out] if os.path.exists(out) else []
        subprocess.run([os.path.join(build, "detemplate"), "learn", "--out",
                        out, "--root", root + "/pages", "--base",
                        site["base_url"], *prev, page],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return out


def large(path, size, to):
    """Writes the page with its main content again and again."""
    with open(path, "rb") as f:
        head, main, tail = re.fullmatch(
            rb"(.*?)(<main.*</main>)(.*)", f.read(), re.DOTALL).groups()
    with open(to, "wb") as f:
        f.write(head + main * (size // len(main) + 1) + tail)
    return to


def count(build, subject, tmpl, url, path):
    out = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
         "--toggle-collect=speed_counted", os.path.join(build, "bench/speed"),
         "--count", subject, tmpl, url, path], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "GLIBC_TUNABLES": COPIES}).stdout
    found = re.search(r"Collected : (\d+)", out)
    if not found:
        sys.exit("speed: %s: nothing was counted:\n%s" % (path, out))
    return int(found.group(1))


def measure(build, corpus):
    """Returns instructions by row and subject."""
    result = {}

    for name, site, page, size in ROWS:
        root = os.path.join(corpus, site)
        with open(root + "/site.json") as f:
            facts = json.load(f)

        page = page or facts["key_pages"][1]
        path, url = root + "/pages/" + page, facts["base_url"] + page
        tmpl = learned(build, root, facts)

        if size:
            path = large(path, size, tmpl[:-3] + ".html")

        result[name] = {s: count(build, s, tmpl, url, path) for s in SUBJECTS}

    return result


def show(result, before):
    """Prints each row, beside the recorded one; returns how many are worse."""
    worse = 0
    print("\nThousands of instructions per page, and in brackets the ratio to "
          "the recorded figure; then ratios.\n")
    print("| page | " + " | ".join(SUBJECTS) + " | bold / cautious "
          "| selectors / bold | markdown / bold | |")
    print("|---" + "|--:" * (len(SUBJECTS) + 3) + "|---|")

    for name, row in result.items():
        old = before.get(name, {})
        cells = [row[s] / old[s] if s in old else 1 for s in SUBJECTS]
        bad = [s for s, r in zip(SUBJECTS, cells) if r > WORSE]
        worse += len(bad)
        print("| %s | %s | %s |" % (
            name, " | ".join("%.0f (%.3f)" % (row[s] / 1e3, r)
                             for s, r in zip(SUBJECTS, cells)),
            " | ".join("%.3f" % (row[a] / row[b]) for a, b in (
                ("bold", "cautious"), ("selectors", "bold"),
                ("markdown", "bold")))
            + " | " + ("worse: " + ", ".join(bad) if bad else "")))

    return worse
