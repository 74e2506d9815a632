# Copyright (C) The detemplate authors
"""Draws --table and --order: a row of panels for each figure and a column for
each method, with the same scale within a row."""

from accuracy_tables import METHODS, ORDERS, SIZES

WIDTH, HEIGHT = 310, 170  # of a panel's inside
LEFT, TOP = 56, 82        # of the first one
RIGHT, DOWN = 370, 268    # from one to the next
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#555555")
SHAPES = ("none", "6 3", "2 3", "8 3 2 3", "none")


def by_votes(out, method):
    """Returns the lines for one number of votes, and for all pages' votes."""
    rows = out["table"][method]
    lines = [[(r["size"], r["aF1"]) for r in rows if r["votes"] == v]
             for v in (1, 2, 3, 4)]

    return lines + [[(r["size"], r["aF1"]) for r in rows
                     if r["votes"] == r["size"]]]


def by_order(figure):
    def lines(out, method):
        return [[(r["size"], r[figure]) for r in out["order"][method]
                 if r["order"] == name] for name, *_ in ORDERS]

    return lines


ROWS = (
    ("F1 of the nodes marked, by votes", by_votes,
     ("1 vote", "2 votes", "3 votes", "4 votes", "all"),
     (0.65, 0.95), 0.05, "%.2f"),
    ("F1 of the nodes marked, by the pages that are loaded",
     by_order("aF1"), [about for _, about, *_ in ORDERS],
     (0.65, 0.95), 0.05, "%.2f"),
    ("Loss: content words cut, by the pages that are loaded",
     by_order("loss"), [about for _, about, *_ in ORDERS],
     (0, 0.012), 0.002, "%.3f"),
)


def text(x, y, words, more=""):
    return '<text x="%.1f" y="%.1f"%s\n>%s</text>' % (x, y, more, words)


def line(points, colour, dash="none", width=1):
    return ('<polyline fill="none" stroke="%s" stroke-width="%s"'
            '\n stroke-dasharray="%s" points="\n%s"/>' % (
                colour, width, dash,
                "\n".join("%.1f,%.1f" % p for p in points)))


def panel(x, y, lines, scale, step, label):
    """Draws a panel whose upper left corner is at x, y."""
    low, high = scale

    def place(size, value):
        value = min(max(value, low), high)
        return (x + WIDTH * (size - 0.5) / len(SIZES),
                y + HEIGHT * (high - value) / (high - low))

    out = []

    for i in range(round((high - low) / step) + 1):
        value = low + i * step
        at = place(0, value)[1]
        out.append(line([(x, at), (x + WIDTH, at)], "#dddddd"))
        out.append(text(x - 6, at + 4, label % value,
                        ' text-anchor="end"'))

    for n in SIZES:
        out.append(text(place(n, low)[0], y + HEIGHT + 17, n,
                        ' text-anchor="middle"'))

    # the first line is drawn last, above the others
    for points, colour, dash in list(zip(lines, COLOURS, SHAPES))[::-1]:
        out.append(line([place(*p) for p in points], colour, dash, 2))

    return out


def write(file, out, sites):
    width = LEFT + RIGHT + WIDTH + 14
    height = TOP + len(ROWS) * DOWN - 50
    svg = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d"'
           % (width, height),
           ' viewBox="0 0 %d %d" font-family="sans-serif" font-size="12"'
           % (width, height),
           ' fill="#222222">',
           '<rect width="100%" height="100%" fill="#ffffff"/>']

    for i, (_, title, *_) in enumerate(METHODS):
        svg.append(text(LEFT + i * RIGHT, 22, title,
                        ' font-size="14" font-weight="bold"'))

    for i, (title, lines, names, scale, step, label) in enumerate(ROWS):
        y = TOP + i * DOWN
        svg.append(text(LEFT, y - 34, title, ' font-weight="bold"'))
        x = LEFT

        for name, colour, dash in zip(names, COLOURS, SHAPES):
            svg.append(line([(x, y - 20), (x + 26, y - 20)], colour, dash, 2))
            svg.append(text(x + 32, y - 16, name))
            x += 48 + 6.5 * len(name)

        for j, (method, *_) in enumerate(METHODS):
            svg += panel(LEFT + j * RIGHT, y, lines(out, method), scale, step,
                         label)
            svg.append(text(LEFT + j * RIGHT + WIDTH / 2, y + HEIGHT + 34,
                            "pages that the key page is compared with",
                            ' text-anchor="middle"'))

    svg.append(text(width - 14, 22, "means over %d sites" % sites,
                    ' text-anchor="end" fill="#666666"'))

    with open(file, "w") as f:
        f.write("\n".join(svg) + "\n</svg>\n")
