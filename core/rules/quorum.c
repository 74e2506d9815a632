
/*
 * Copyright (C) The detemplate authors
 *
 * The quorum rule.  An author with one directory (/~mallory/, /users/x/) can
 * put the words of another page on any number of pages.  So can a visitor with
 * a choice of queries for a path (/search?q=...).  Therefore a pattern that
 * only pages of one directory show is cut only in that directory.
 *
 * Two pages outside of a directory must show a pattern, for it to be cut
 * outside.  If not, it is cut only in the directory that has most of its
 * pages, provided that enough pages there show it.
 *
 * A directory is one at any depth, with all pages below it.  The pages of one
 * path with several queries are a directory as well, unless the site itself
 * tells its pages apart by query.
 */


#include "core/rules/quorum.h"


/* returns the set of the pages in a directory */
static uint64_t
dt_quorum_in(const dt_evidence_t *ev, uint64_t dir)
{
    unsigned p, k;
    uint64_t set = 0;

    for (p = 0; p < ev->npages; p++) {
        for (k = 0; k < DT_PAGE_DIRS; k++) {
            if (ev->pages[p].dirs[k] == dir) {
                set |= (uint64_t) 1 << p;
            }
        }
    }

    return set;
}


uint64_t
dt_quorum_most(const dt_evidence_t *ev)
{
    unsigned p, k, n, most = ev->npages / 2;
    uint64_t set, found = 0;

    for (p = 0; p < ev->npages; p++) {
        for (k = 0; k < DT_PAGE_DIRS && ev->pages[p].dirs[k]; k++) {
            set = dt_quorum_in(ev, ev->pages[p].dirs[k]);
            n = (unsigned) __builtin_popcountll(set);

            if (n > most && n < ev->npages) {
                most = n;
                found = set;
            }
        }
    }

    return found;
}


/*
 * Returns whether the site itself made the queries of one path, whose pages
 * are set: many of all known pages are in it, and link to other pages that
 * link back.  A site hardly ever links to a query that a visitor has made.
 */
static int
dt_quorum_site_queries(const dt_evidence_t *ev, const dt_voters_t *voters,
                       uint64_t set)
{
    unsigned p;
    uint64_t linked = 0;

    for (p = 0; p < ev->npages; p++) {
        linked |= (uint64_t) (ev->pages[p].linked & (set >> p & 1)) << p;
    }

    return dt_rules_votes(linked, voters) * 100
           >= dt_rules_votes(UINT64_MAX, voters) * ev->rules.queries;
}


dt_status_t
dt_quorum_init(dt_evidence_t *ev, const dt_voters_t *voters)
{
    unsigned p, k, i, n = 0;
    uint64_t dir, set;

    ev->dirs = dt_arena_calloc(ev->arena, DT_PAGES_MAX * DT_PAGE_DIRS + 1,
                               sizeof(dt_quorum_dir_t));
    if (ev->dirs == NULL) {
        return DT_ENOMEM;
    }

    /* first the whole site, then each directory; of directories with the same
       pages only the deepest */

    ev->dirs[n++].pages = UINT64_MAX;

    for (p = 0; p < ev->npages; p++) {
        for (k = DT_PAGE_DIRS; k-- > 0; /* void */) {
            dir = ev->pages[p].dirs[k];
            set = dir ? dt_quorum_in(ev, dir) : 0;

            for (i = 0; i < n && ev->dirs[i].pages != set; i++) { /* void */
            }

            if (i == n && (set & (set - 1))
                && !(k == 0 && dt_quorum_site_queries(ev, voters, set)))
            {
                ev->dirs[n].pages = set;
                ev->dirs[n++].hash = dir;
            }
        }
    }

    ev->ndirs = n;

    return DT_OK;
}


/* returns the directory outside of which too few of the pages are, or NULL; of
   several, the one with the most votes of the pages */
static dt_quorum_dir_t *
dt_quorum_needed(const dt_evidence_t *ev, const dt_voters_t *voters,
                 uint64_t pages)
{
    unsigned i, inside, most = 0;
    uint64_t outside;
    dt_quorum_dir_t *needed = NULL;

    for (i = 1; i < ev->ndirs; i++) {
        outside = pages & ~ev->dirs[i].pages;

        if (outside == 0 || outside == pages
            || dt_rules_votes(outside, voters) >= ev->rules.outside)
        {
            continue;
        }

        inside = dt_rules_votes(pages & ev->dirs[i].pages, voters);

        if (inside > most) {
            most = inside;
            needed = &ev->dirs[i];
        }
    }

    return needed;
}


dt_quorum_dir_t *
dt_quorum(const dt_evidence_t *ev, const dt_voters_t *voters, uint64_t pages)
{
    unsigned i;
    dt_quorum_dir_t *dir = &ev->dirs[0], *needed;

    /* a pattern that only pages of one directory show is cut only there */

    for (i = 1; i < ev->ndirs; i++) {
        if ((pages & ~ev->dirs[i].pages) == 0
            && (ev->dirs[i].pages & ~dir->pages) == 0)
        {
            dir = &ev->dirs[i];
        }
    }

    while ((needed = dt_quorum_needed(ev, voters, pages)) != NULL) {
        dir = needed;
        pages &= dir->pages;

        if (dt_rules_votes(pages, voters) < ev->rules.support) {
            return NULL;
        }
    }

    return dir;
}


unsigned
dt_quorum_number(dt_evidence_t *ev, dt_quorum_dir_t *dir)
{
    if (dir->hash && dir->number == 0 && ev->nlimits + 1 < DT_DIRS_MAX) {
        dir->number = ++ev->nlimits;
        ev->limits[dir->number] = dir;
    }

    return dir->number;
}
