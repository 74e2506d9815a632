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
        one("share=0", "any part of the pages that have the place"),
        one("share-low=15", "as few among a page's own text"),
        one("share-text=0", "what is not links: any part of all pages"),
        one("links=101", "links have no rule of their own"),
        one("repetition=0", "all places are as if all text were repeated"),
        one("repetition=101", "all places are as if no text were"),
        one("words=0", "single words are cut among a page's own text"),
        one("wrapper=0", "elements whose parts vary stay"),
        one("score=0", "the rules alone decide"),
        one("kind=0", "pages of a kind count as others"),
        one("kind-bare=0", "the same, where no page has a main element"),
        one("kind-own=0", "the same, where text is a page's own"),
        one("alike=1000", "pages with the same content vote each"),
        one("detector=none", "the detector has no word"),
        *(one("detector=" + d, "another method's word") for d in DETECTORS),
    )),
    ("What is learned", (
        one("passes=0", "one key page only"),
        one("keep=0", "a learning forgets what was before"),
        variant("enough=0", "no page more than the subdigraph asks for",
                "enough=0 more=0"),
        one("enough=5", "5 pages the first time, not 10"),
        one("enough=20", "20 pages the first time"),
        one("total=10", "10 loads for a site"),
        one("total=100", "100 loads for a site"),
        one("copies=1", "the key page is compared with copies of it"),
        one("order=1", "links are loaded in the order of the page"),
        one("unlinked=1", "candidates need not link to one another"),
        one("guard=0", "a page may show any amount of template"),
    )),
)
