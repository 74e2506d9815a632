# Copyright (C) The detemplate authors
"""What a page says of its own in elements whose name, class or shape repeats.

A site of 30 pages is made up for each kind of block.  Each page, or each sixth
one, has a block of its own; what of it must be kept is looked for in each page
that is served.  A row is a kind: blocks that lost something, with "cautious"
and "bold", where content is marked by main and where it is not.
"""

import itertools
import os
import random
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

import generated_authors
from generated_authors import HOST, words

PAGES = 30


def own(block, *labels):
    """A kind of block: %w are words of its own, %n a name of its own; labels
    are on each page."""
    def make(r):
        said, html = list(labels), block
        for mark, n in (("%w", 8), ("%n", 1)):
            while mark in html:
                w = words(r, n) if n > 1 else words(r, 3).replace(" ", "")
                said.append(w)
                html = html.replace(mark, w, 1)
        return html, said
    return make


KINDS = {
    "warnings": [own(b) for b in (
        "<aside class=warning><p>%w</p></aside>", "<aside>%w</aside>",
        "<div role=complementary><p>%w <a href=/%n>%n</a></p></div>",
        "<div class='note menu-note'><p>%w</p></div>",
        "<div role=note class=admonition><p>Note</p><p>%w</p></div>",
        "<nav><p>%w %w <a href=/a.html>more</a></p></nav>",
        "<section role=contentinfo>%w</section>")],
    "signatures": [own(b) for b in (
        "<blockquote><p>%w</p><footer>%n</footer></blockquote>",
        "<article><p>%w</p><footer>By %n</footer></article>",
        "<figure><blockquote>%w</blockquote><figcaption>%n</figcaption>"
        "</figure>", "<ul><li>%w<footer>%n</footer></li></ul>",
        "<section><p>%w</p><footer><p>%n</p></footer></section>",
        "<div class=post-footer>%w</div>", "<div class=footer>%w</div>")],
    "pictures": [own(b) for b in (
        "<img src='/_next/image?url=%n&amp;w=640'>",
        "<p><img src=/show.php?id=%n alt=''></p>",
        "<video poster=/%n.jpg controls></video>",
        "<video><source src=/%n.mp4></video>", "<audio src=/%n.mp3></audio>",
        "<object data=/%n.pdf></object>", "<embed src=/%n.swf>",
        "<iframe src='/embed?v=%n'></iframe>",
        "<div style='background-image:url(/%n.jpg)'></div>",
        "<canvas data-chart=%n></canvas>", "<div class=w data-id=%n></div>",
        "<picture><source srcset='/%n.webp 2x'><img src=/x.png></picture>",
        "<a href=/show><img data-src=/%n.png src=/blank.gif></a>")],
    "labels": [
        own(b, "Net weight") for b in (
            "<table><tr><th>Net weight</th><td>%w</td></tr></table>",
            "<table><tr><td>Net weight</td><td>%w</td></tr></table>",
            "<table><tr><td><b>Net weight:</b></td><td>%w</td></tr></table>",
            "<table><tr><th>Net weight</th><th>Price</th></tr>"
            "<tr><td>%w</td><td>%n</td></tr></table>",
            "<table><caption>Net weight</caption><tr><td>%w</table>",
            "<dl><dt>Net weight</dt><dd>about</dd><dd>%w</dd></dl>",
            "<dl><dt>Net weight<dd>%w</dl>",
            "<figure><img src=/%n.png><figcaption>Net weight</figcaption>"
            "</figure>",
            "<figure><figcaption>Net weight</figcaption><img src=/%n.png>"
            "</figure>",
            "<p><label>Net weight</label><input value=%n></p>",
            "<div><label>Net weight</label><select><option>%n</select></div>",
            "<fieldset><legend>Net weight</legend><p>%w</p></fieldset>",
            "<details><summary>Net weight</summary><p>%w</p></details>",
            "<h3>Net weight</h3><p>%w</p>",
            "<table><tr><td>Net weight</td><td>about</td><td>%w</td></tr>"
            "<tr><td>Sold in</td><td>%n</td></tr></table>")],
}


def lost(simulate, kind, make, every, main, args):
    """Returns how many blocks of a site lost something, and of how many."""
    r = random.Random("%s %s %s" % (kind, every, main))
    site = {"main": main}
    pages = ["p%d.html" % i for i in range(PAGES)]
    want = {}

    with tempfile.TemporaryDirectory(prefix="detemplate-") as dir:
        root, out = os.path.join(dir, "in"), os.path.join(dir, "out")
        os.mkdir(root)

        for i, name in enumerate(pages):
            block, said = make(r)
            if i % every == 0:
                want[name] = said
            with open(os.path.join(root, name), "w") as f:
                f.write(generated_authors.page(
                    r, site, name, block if name in want else "",
                    r.sample(pages, 8)))

        subprocess.run(
            [simulate, root, HOST, out, "saved=%d" % PAGES, *args],
            input="".join("%s\t%s%s\n" % (n, HOST, n) for n in pages),
            text=True, check=True, stdout=subprocess.DEVNULL)

        bad = 0
        for name, said in want.items():
            with open(os.path.join(out, "strip", name)) as f:
                served = f.read()
            bad += not all(s in served for s in said)

    return bad, len(want)


def run(simulate, args=()):
    """Prints the rows; returns how many blocks lost something."""
    todo = [(kind, make, every, main, bold)
            for kind, makes in KINDS.items() for make in makes
            for every, main, bold in itertools.product((1, 6), (0, 1),
                                                       (0, 1))]

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = list(pool.map(lambda t: lost(
            simulate, *t[:4], [*args, "bold=%d" % t[4]]), todo))

    for kind, bold in itertools.product(KINDS, (0, 1)):
        mine = [(t, r) for t, r in zip(todo, rows)
                if t[0] == kind and t[4] == bold]
        print("%-12s %-8s %4d of %4d blocks lost something" % (
            kind, "bold" if bold else "cautious", sum(r[0] for _, r in mine),
            sum(r[1] for _, r in mine)), flush=True)

        for t, r in mine:
            if r[0]:
                print("    %d of %d, on each %d, main %d: %s" % (
                    *r, t[2], t[3], t[1](random.Random(1))[0]))

    return sum(r[0] for r in rows)
