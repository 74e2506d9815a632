# Copyright (C) The detemplate authors
"""What --ablation changes or switches off, one decision at a time."""

from accuracy_variants import variant

DEFAULT = variant("default", "nothing is switched off")

DETECTORS = ("etdm-all", "rtdm-td", "site-style-tree", "content-extractor",
             "fast-content-extractor", "template-hash", "shingles",
             "text-mdl")


def one(option, about):
    return variant(option, about, option)


# the groups of the table; each row sets options of simulate
ABLATION = (
    ("What is template", (
        one("support=1", "one page is enough"),
        one("support=2", "two pages are enough"),
        one("support-votes=0", "as many votes of a large sample"),
        one("share=0", "any part of all pages"),
        one("sampled=25", "the same part of a sample as of a site"),
        one("place=0", "what has no words: any part of the pages"),
        one("links=101", "links have no rule of their own"),
        one("wrapper=0", "elements whose parts vary stay"),
        one("gain=0", "pieces are cut where hardly any word goes"),
        one("score-main=700", "no more in the main region"),
        one("score=1000", "as much everywhere"),
        one("kind=0", "pages of a kind count as others"),
        one("alike=1000", "pages with the same content vote each"),
        one("detector=none", "the detector has no word"),
        *(one("detector=" + d, "another method's word") for d in DETECTORS),
    )),
    ("What is learned", (
        one("passes=0", "once, before anything is visited"),
        variant("passes=0 sitemap=1", "once, and the site names its pages",
                "passes=0 sitemap=1"),
        one("keep=0", "a learning forgets what was before"),
        one("alone=1", "no page more than the subdigraph asks for"),
        one("loads=10", "10 pages at a time, not 30"),
        one("loads=60", "60 pages at a time"),
        one("loads=1000", "as many pages as evidence holds"),
        one("copies=1", "the key page is compared with copies of it"),
        one("order=1", "links are loaded in the order of the page"),
        one("unlinked=1", "candidates need not link to one another"),
        one("guard=0", "a page may show any amount of template"),
    )),
)
