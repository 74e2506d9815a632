# Copyright (C) The detemplate authors
"""Compares a page with its Markdown, as a renderer shows it: words, tables,
links.  html5lib reads the page, cmark-gfm the Markdown."""

import re
import subprocess
import warnings

import html5lib
import lxml.html

warnings.filterwarnings("ignore")

RENDER = ["cmark-gfm", "-e", "table", "-e", "strikethrough", "-e", "autolink"]

# what no text shows, or what belongs to a form
SILENT = {"script", "style", "template", "iframe", "noembed", "noframes",
          "textarea", "select", "option", "optgroup", "datalist", "head",
          "title"}
BLOCK = set("""address article aside blockquote body br caption center col
    colgroup dd details dialog dir div dl dt fieldset figcaption figure footer
    form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing
    main menu nav ol p plaintext pre section summary table tbody td tfoot th
    thead tr ul xmp search""".split())
SPACED = {"select", "input", "datalist", "button"}
CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\ufeff]")


def name(e):
    return e.tag.rpartition("}")[2] if isinstance(e.tag, str) else ""


def text_of(root, cells=None):
    """The text below an element, with spaces where lines end."""
    out = []
    form = 0
    stack = [(root, False)]

    while stack:
        e, end = stack.pop()
        tag = name(e)
        space = " " if tag in BLOCK or tag in SPACED else ""

        if end:
            form -= tag == "form"
            out.append(space)

        elif not tag or tag in SILENT or tag == "svg" \
                or (tag == "button" and form):
            out.append(space or (" " if tag in SPACED else ""))

        else:
            form += tag == "form"
            out.append(space)
            out.append(e.text or "")
            stack.append((e, True))
            for child in reversed(e):
                stack.append((Tail(child.tail), None))
                stack.append((child, False))
            continue

        if end is None:
            out.append(e.text)

    return CONTROL.sub("", "".join(out))


class Tail:
    """The text behind an element."""

    tag = None

    def __init__(self, text):
        self.text = text or ""


def words(root):
    return text_of(root).split()


def read(page, charset=None):
    """The tree of a page."""
    return html5lib.parse(page, namespaceHTMLElements=False,
                          **({"transport_encoding": charset} if charset
                             else {}))


def render(markdown):
    """The tree of what a renderer makes of Markdown."""
    html = subprocess.run(RENDER, input=markdown, stdout=subprocess.PIPE,
                          check=True).stdout
    return lxml.html.document_fromstring(
        b"<html><head><meta charset=utf-8></head><body>" + html
        + b"</body></html>", parser=lxml.html.HTMLParser(huge_tree=True))


FORCES = set("""table ul ol dl pre h1 h2 h3 h4 h5 h6 blockquote hr menu dir
    dd dt li""".split())


def is_data(table, parents):
    """Whether a table is one of data: two columns or more, and no blocks in
    its first row."""
    if table.get("role") in ("presentation", "none"):
        return False

    rows = rows_of(table)
    rows = rows[next((i for i, r in enumerate(rows) if len(r) > 1
                      or (len(r) == 1 and span(r[0], "colspan") > 1)),
                     len(rows)):]

    around = table

    while around in parents:
        around = parents[around]
        if name(around) in ("td", "th", "pre", "button"):
            return False

    if not rows:
        return False

    return any(name(c) == "th" for c in rows[0]) or not any(
        name(e) in FORCES for c in rows[0] for e in c.iter() if e is not c)


def rows_of(table):
    return [[c for c in tr if name(c) in ("td", "th")]
            for part in ([table] + [p for p in table if name(p) in
                                    ("thead", "tbody", "tfoot")])
            for tr in part if name(tr) == "tr"
            if any(name(c) in ("td", "th") for c in tr)]


def span(cell, attribute):
    try:
        return max(1, min(int(cell.get(attribute, 1)), 1000))
    except ValueError:
        return 1


def grid(rows):
    """The words of each row and column; what spans several stands in the first
    of them."""
    below = {}
    out = []

    for row in rows:
        line = []
        cells = list(row)

        while cells or below.get(len(line), 0):
            if below.get(len(line), 0):
                below[len(line)] -= 1
                line.append("")
                continue

            cell = cells.pop(0)
            for i in range(span(cell, "colspan")):
                below[len(line)] = span(cell, "rowspan") - 1
                line.append("" if i else " ".join(words(cell)))

        out.append(line)

    return out


def tables(page, rendered):
    """How many tables of data a page has, and how many come out the same."""
    made = [grid(rows_of(t)) for t in rendered.iter("table")]
    parents = {child: e for e in page.iter() for child in e}
    n = same = 0

    for t in page.iter("table"):
        if not is_data(t, parents):
            continue

        rows = grid(rows_of(t))

        # single cells before the table stand before it as text
        while rows and len(rows[0]) == 1:
            rows.pop(0)

        if not rows:
            continue

        # a cell that spans more columns than there are adds empty ones
        width = len(rows[0])
        rows = [r + [""] * (width - len(r)) for r in rows]
        rows = [r[:width] if not any(r[width:]) else r for r in rows]
        n += 1
        same += rows in made

    return n, same


def links(rendered):
    """The links and images that are not absolute."""
    return [e.get(a) for e in rendered.iter("a", "img")
            for a in ("href", "src")
            if e.get(a) is not None
            and not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", e.get(a))]


def first_difference(a, b):
    for i, (x, y) in enumerate(zip(a, b)):
        if x != y:
            return i
    return min(len(a), len(b))
