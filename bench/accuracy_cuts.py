# Copyright (C) The detemplate authors
"""What --ablation switches off, one at a time: cuts, see cuts.py."""

from accuracy_variants import variant

# pages that are alike are compared with the key page
COPIES = [("core/learn/learn.c",
           "if (!(had >> with[l->pages[i].number] & 1)) {", "{")]

# the detector's word alone decides, and whole subtrees of the key page
PUBLISHED = COPIES + [
    ("core/rules/decide.c",
     "dt_decide_active(ev, with, grounds, &e[i], &v[i]);",
     "if (e[i].flags & DT_PATTERN_DETECTED)\n"
     "v[i].active = 1, v[i].cut = e[i].pages;")]

# simulate_order() says which pages are loaded
ORDER = [("core/learn/learn.c",
          "dt_links_order(l->key.dom, &links, l->o->loads, l->arena)",
          "simulate_order(&links, l->arena)"),
         ("core/learn/learn_i.h", "typedef struct {\n    dt_url_t asked;",
          "dt_status_t simulate_order(dt_links_t *, dt_arena_t *);\n"
          "typedef struct {\n    dt_url_t asked;")]

# any pages are a complete subdigraph
UNLINKED = [("core/learn/learn_page.c",
             "if (dt_learn_has_link(&l->pages[n], &l->pages[i]))", "if (1)"),
            ("core/learn/learn_page.c",
             "if (dt_learn_has_link(&l->pages[i], &l->pages[n]))", "if (1)")]

TOKEN = "core/scan/token.c"
HREF = "    case DT_NAME_HREF:\n    case DT_NAME_SRC:\n"
ALL = ("sum->hash += dt_mix(dt_name_fold(a->name, a->stop), "
       "dt_hash(a->value, vlen, 0));")

CUTS = {
    "published": PUBLISHED,
    "copies": COPIES,
    "order": ORDER,
    "unlinked": UNLINKED,

    "links": [("core/rules/evidence.c", "flags |= DT_PATTERN_LINKS;",
               "flags |= 0;")],
    "labels": [("core/rules/evidence.c", "flags |= DT_PATTERN_LABEL;",
                "flags |= 0;")],
    "varies": [("core/rules/evidence.c", "e[i].flags |= DT_PATTERN_VARIES;",
                "e[i].flags |= 0;")],
    "parser": [("core/rules/evidence.c",
                "if (records[i].name == 0 || dom == NULL)", "if (1)")],
    "near": [("core/rules/decide.c",
              "            if (e->flags & DT_PATTERN_LINKS) {\n"
              "                break;", "            if (0) {\n break;")],
    "aside": [("core/rules/evidence.c", "flags |= DT_PATTERN_ASIDE;",
               "flags |= 0;")],
    "quorum": [("core/rules/decide.c",
                "dir = links && (e->flags & DT_PATTERN_ASIDE)", "dir = 1")],
    "sentence": [("core/scan/line.c", "return s->line != DT_LINE_NONE\n",
                  "return 0\n")],
    "glue": [("core/scan/tree.c",
              "dt_scan_glued(s)             ? DT_OPEN_GLUED",
              "0 ? DT_OPEN_GLUED")],

    "href": [(TOKEN, HREF, "    case DT_NAME_SRC:\n")],
    "src": [(TOKEN, HREF, "    case DT_NAME_HREF:\n")],
    "lazy": [(TOKEN, "if (nlen > 5) {\n", "if (nlen > 5) {\n return;\n")],
    "alt": [(TOKEN, "        sum->hash += dt_mix(n, dt_hash(a->value, vlen, "
             "0));\n", "")],
    "value": [(TOKEN, "sum->value = dt_mix(n, dt_hash(a->value, vlen, 0));",
               "")],
    "hidden": [(TOKEN, "vlen == 6 && dt_name_fold(a->value, a->end) "
                "== DT_NAME_HIDDEN", "0")],
    "attributes": [
        (TOKEN, "if (nlen < 3) {\n", "if (nlen < 3) {\n" + ALL),
        (TOKEN, "                n, dt_address_link(address, a->value, a->end,"
         " limit, 1));\n        }\n",
         "                n, dt_address_link(address, a->value, a->end, "
         "limit, 1));\n        } else {\n" + ALL + "\n}\n"),
        (TOKEN, "        break;\n    }\n}\n\n\n/* an attribute's value",
         "        break;\n    default:\n" + ALL
         + "\n    }\n}\n\n\n/* an attribute's value")],

    "urls": [("core/scan/address.c",
              "    q = dt_address_own(address, p, end, limit, &absolute);\n",
              "    q = NULL;\n")],
    "queries": [("core/scan/address.c", "(no_query ? tail : end)", "end"),
                ("core/scan/address.c", "if (tail < end && !no_query)",
                 "if (tail < end)")],
    "fragments": [("core/scan/address.c", ": DT_ADDRESS_OTHER;",
                   ": address->self;")],

    "style": [("core/scan/tree.c", "tag->flags & DT_TAG_STYLE ?", "0 ?")],

    "white": [("core/scan/text.c", "    const char *w;\n",
               "    const char *w, *white = p;\n"),
              ("core/scan/text.c", 'dt_bytes_add(&b, " ", 1);',
               "dt_bytes_add(&b, white, (size_t) (p - white));"),
              ("core/scan/text.c", "        w = dt_skip_white(w, end);\n",
               "        white = w;\n        w = dt_skip_white(w, end);\n")],
    "scripts": [("core/scan/element.c",
                 "if (!(e->state & DT_OPEN_KNOWN) "
                 "|| (tag->flags & DT_TAG_SILENT))",
                 "if (!(e->state & DT_OPEN_KNOWN))")],
}

DEFAULT = variant("default", "nothing is switched off")


def cut(name, about):
    return variant(name, about, cuts=(name,))


# the groups of the table; a name with "=" is the option that is changed
ABLATION = (
    ("What is template", (
        variant("support=1", "one page is enough", "support=1"),
        variant("support=2", "two pages are enough", "support=2"),
        variant("share=0", "any part of the pages that have the place",
                "share=0"),
        variant("share-low=15", "as few among a page's own text",
                "share-low=15"),
        variant("share-text=0", "what is not links: any part of all pages",
                "share-text=0"),
        cut("links", "links have no rule of their own"),
        cut("near", "links: all places around count, not only the nearest"),
        cut("aside", "nav and aside are as other places"),
        cut("labels", "headings and labels are text as other text"),
        variant("calm=0", "all places are as if all text were repeated",
                "calm=0"),
        variant("calm=101", "all places are as if no text were", "calm=101"),
        variant("words=0", "single words are cut among a page's own text",
                "words=0"),
        cut("varies", "how often a page shows it does not count"),
        variant("hollow=0", "elements whose parts vary stay", "hollow=0"),
        variant("score=0", "the rules alone decide", "score=0"),
        variant("kind=0", "pages of a kind count as others", "kind=0"),
        variant("kind-bare=0", "the same, where no page has a main element",
                "kind-bare=0"),
        cut("sentence", "parts of sentences are cut"),
        variant("alike=1000", "pages with the same content vote each",
                "alike=1000"),
        variant("detector=none", "the detector has no word",
                "detector=none"),
        *(variant("detector=" + d, "another method's word", "detector=" + d)
          for d in ("etdm-all", "rtdm-td", "site-style-tree",
                    "content-extractor", "fast-content-extractor",
                    "template-hash", "shingles", "text-mdl")),
        cut("parser", "the scanner's ranges are taken without the parser's"),
        cut("quorum", "what one directory shows is cut everywhere"),
        cut("glue", "elements are cut behind a word without a space"),
    )),
    ("What is learned", (
        variant("passes=0", "one key page only", "passes=0"),
        variant("keep=0", "a learning forgets what was before", "keep=0"),
        variant("enough=0", "no page more than the subdigraph asks for",
                "enough=0 more=0"),
        variant("enough=5", "5 pages the first time, not 10", "enough=5"),
        variant("enough=20", "20 pages the first time", "enough=20"),
        variant("total=10", "10 loads for a site", "total=10"),
        variant("total=100", "100 loads for a site", "total=100"),
        cut("copies", "the key page is compared with copies of it"),
        cut("order", "links are loaded in the order of the page"),
        cut("unlinked", "candidates need not link to one another"),
        variant("guard=0", "a page may show any amount of template",
                "guard=0"),
    )),
    ("What says the same", (
        cut("href", "targets of links do not count"),
        cut("src", "targets of images do not count"),
        cut("lazy", "those that scripts load do not count"),
        cut("alt", "alt, title and label do not count"),
        cut("value", "values of inputs do not count"),
        cut("hidden", "values of hidden inputs count"),
        cut("attributes", "all attributes count"),
        cut("urls", "URLs count as they are written"),
        cut("queries", "queries of images count"),
        cut("fragments", "#top is another link on each page"),
        cut("style", "b, font, span and the like make a place"),
        cut("white", "white space counts as it is written"),
        cut("scripts", "scripts and styles count"),
    )),
)
