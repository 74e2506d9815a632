# Copyright (C) The detemplate authors
"""Compares a page with its Markdown, as a renderer shows it: words, tables,
links.  html5lib reads the page, cmark-gfm the Markdown."""

import collections
import re
import subprocess
import warnings

import html5lib
import lxml.html

warnings.filterwarnings("ignore")

RENDER = ["cmark-gfm", "--unsafe", "-e", "table", "-e", "strikethrough",
          "-e", "autolink", "-e", "tasklist"]

# what no text shows, or what belongs to a form
SILENT = {"script", "style", "template", "noembed", "noframes",
          "textarea", "select", "option", "optgroup", "datalist", "head",
          "title", "annotation", "annotation-xml"}
HEADING = re.compile("h[1-6]$")
BLOCK = set("""address article aside blockquote body br caption center col
    colgroup dd details dialog dir div dl dt fieldset figcaption figure footer
    form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing
    main menu nav ol p plaintext pre section summary table tbody td tfoot th
    thead tr ul xmp search""".split())
SPACED = {"select", "input", "datalist", "button", "svg", "img", "iframe",
          "video", "audio", "canvas", "object", "applet", "embed", "meter",
          "progress", "textarea", "keygen"}
CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\u061c"
                     "\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff"
                     "\U000e0000-\U000e007f]|\x85")
PICTURE = ("src", "data-src", "data-original", "data-lazy-src", "data-lazy",
           "data-original-src", "data-url", "data-image", "srcset",
           "data-srcset", "data-lazy-srcset")


def name(e):
    return e.tag.rpartition("}")[2] if isinstance(e.tag, str) else ""


def is_control(button, heading):
    """Whether a button in a form does something to it."""
    return button.get("type", "").lower() != "button" \
        and button.get("aria-expanded") is None and not heading


def is_place(url):
    return url is not None and url.strip() and not re.match(
        r"\s*(data|javascript|vbscript|about|blob|file):", url, re.I)


def shown(e, tag):
    """The words in the place of a picture, a frame, a film or a sound."""
    if tag == "img":
        if any(is_place(e.get(a)) for a in PICTURE):
            return ""
        return e.get("alt") or ""

    places = [e] + ([c for c in e.iter() if name(c) == "source"]
                    if tag != "iframe" else [])
    for c in places:
        if is_place(c.get("src")) and c.get("width") not in ("0", "1") \
                and c.get("height") not in ("0", "1"):
            path = re.split("[?#]", c.get("src").strip())[0]
            return c.get("title") or path.rpartition("/")[2] or path
    return ""


def tex_of(math):
    """The TeX that stands beside a formula."""
    return math.get("alttext") or "".join(
        a.text or "" for a in math.iter() if name(a) == "annotation"
        and a.get("encoding", "").lower() == "application/x-tex")


def script(out, at, sign, e):
    """Marks a sub or sup as text.c does: between white space, none joins."""
    before = "".join(out[:at])[-1:]
    whole = "".join(out[at:])
    inner = whole.rstrip()
    if not inner or inner[0].isspace() or before.isspace() \
            or not re.match(r"[\w)\]}]|[^\x00-\x7f]", before) \
            or re.search(r"\s", inner) \
            or any(name(c) == "a" for c in e.iter()):
        return
    if (sign == "^" and re.fullmatch("[A-Za-z]{2,}", inner)) or \
            not re.match(r"[A-Za-z0-9+(-]|[^\x00-\x7f]", inner):
        return
    if re.search(r"[\x00-\x7f]", re.sub(r"[A-Za-z0-9.]", "", inner[1:])):
        inner = "(" + inner + ")"
    out[at:] = [sign + inner + whole[len(whole.rstrip()):]]


def text_of(root, cells=None):
    """The text below an element, with spaces where lines end."""
    out = []
    form = heading = 0
    math = -1
    scripts = []
    stack = [(root, False)]

    while stack:
        e, end = stack.pop()
        tag = name(e)
        space = " " if tag in BLOCK or tag in SPACED else ""

        if end:
            form -= tag == "form"
            heading -= HEADING.match(tag) is not None
            if scripts and scripts[-1][0] is e:
                script(out, scripts.pop()[1], "^" if tag == "sup" else "_", e)
            out.append("\u201d" if tag == "q" else "")
            out.append(space)

        elif not tag or tag in SILENT or tag == "svg" \
                or (tag == "button" and form and is_control(e, heading)):
            out.append(space or (" " if tag in SPACED else ""))

        elif tag in ("img", "iframe", "video", "audio"):
            out.append(" " + shown(e, tag) + " ")

        elif tag == "math" and tex_of(e):
            out.append("$" + tex_of(e) + "$")
            math = len(out)

        elif math == len(out) and e.get("aria-hidden") == "true":
            pass

        else:
            form += tag == "form"
            heading += HEADING.match(tag) is not None
            out.append(space)
            if tag in ("sub", "sup"):
                scripts.append((e, len(out)))
            out.append("\u201c" if tag == "q" else "")
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
    """What says only where a word may break belongs to no word."""
    return re.sub("[\xad\u200b\u2060\ufeff]", "", text_of(root)).split()


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


def filled(rows):
    """The rows without the empty cells at their ends: those that a cell spans,
    or that stand there because another row is longer."""
    for row in rows:
        while row and not row[-1]:
            row.pop()
    return rows


def tables(page, rendered):
    """How many tables of data a page has, and how many come out the same."""
    made = [filled(grid(rows_of(t))) for t in rendered.iter("table")]
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

        # a single column is no table, whatever its cells span
        if max(map(len, filled(rows))) < 2:
            continue

        n += 1
        same += rows in made

    return n, same


def links(rendered):
    """The links and images that are not absolute."""
    return [e.get(a) for e in rendered.iter("a", "img")
            for a in ("href", "src")
            if e.get(a) is not None
            and not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", e.get(a))]


def differing(a, b):
    """How many words are missing from one of two lists, wherever they are."""
    a, b = collections.Counter(a), collections.Counter(b)
    return max((a - b).total(), (b - a).total())


def first_difference(a, b):
    for i, (x, y) in enumerate(zip(a, b)):
        if x != y:
            return i
    return min(len(a), len(b))
