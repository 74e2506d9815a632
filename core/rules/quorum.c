
/*
 * Copyright (C) The detemplate authors
 *
 * Who may write below one directory (/~mallory/, /users/x/) may put what
 * another page says on as many pages as he likes; so may who chooses the query
 * (/search?q=...).  So what only pages of one directory show is cut in that
 * directory only.  What pages there and elsewhere show must be template
 * without them as well: two pages elsewhere, and enough of those that are
 * there, must show it.  If not, it is cut where most of its pages are, if it
 * is template there.
 *
 * A directory is one at any depth, voter all that is below it, and the pages
 * of one path, whatever their query; but not when the site itself tells its
 * pages apart by query.
 */


#include "core/rules/quorum.h"
#include "core/rules/votes.h"


/* the pages in a directory */
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
 * Whether the pages of one path are the site's own, which it tells apart by
 * query: many of all known pages, each linked with others there and back.
 * What a visitor makes of a query is seldom linked to.
 */
static int
dt_quorum_own(const dt_evidence_t *ev, const uint8_t *voter, uint64_t set)
{
    unsigned p;
    uint64_t linked = 0;

    for (p = 0; p < ev->npages; p++) {
        linked |= (uint64_t) (ev->pages[p].linked & (set >> p & 1)) << p;
    }

    return dt_rules_votes(linked, voter) * 100
           >= dt_rules_votes(UINT64_MAX, voter) * ev->rules.queries;
}


dt_status_t
dt_quorum_init(dt_evidence_t *ev, const uint8_t *voter)
{
    unsigned p, k, i, n = 0;
    uint64_t dir, set;

    ev->dirs = dt_arena_calloc(ev->arena, DT_PAGES_MAX * DT_PAGE_DIRS + 1,
                               sizeof(dt_quorum_dir_t));
    if (ev->dirs == NULL) {
        return DT_ENOMEM;
    }

    /* all of the site; then each, the deepest of those with the same pages */

    ev->dirs[n++].pages = UINT64_MAX;

    for (p = 0; p < ev->npages; p++) {
        for (k = DT_PAGE_DIRS; k-- > 0; /* void */) {
            dir = ev->pages[p].dirs[k];
            set = dir ? dt_quorum_in(ev, dir) : 0;

            for (i = 0; i < n && ev->dirs[i].pages != set; i++) { /* void */
            }

            if (i == n && (set & (set - 1))
                && !(k == 0 && dt_quorum_own(ev, voter, set))) {
                ev->dirs[n].pages = set;
                ev->dirs[n++].hash = dir;
            }
        }
    }

    ev->ndirs = n;

    return DT_OK;
}


/* the directory without which what pages show does not hold, if any */
static dt_quorum_dir_t *
dt_quorum_against(const dt_evidence_t *ev, const uint8_t *voter, uint64_t all,
                  uint64_t pages, uint64_t of, unsigned share)
{
    unsigned i, votes, here, most = 0;
    uint64_t left, rest;
    dt_quorum_dir_t *against = NULL;
    const dt_rules_t *rules = &ev->rules;

    for (i = 1; i < ev->ndirs; i++) {
        left = pages & ~ev->dirs[i].pages;
        rest = all & ~ev->dirs[i].pages;

        if (left == 0 || left == pages) {
            continue;
        }

        votes = dt_rules_votes(left, voter);
        here = dt_rules_votes(pages & ev->dirs[i].pages, voter);

        if ((votes < rules->outside
             || votes * 100 < dt_rules_votes(of & rest, voter) * share
             || votes * 100 < dt_rules_votes(rest, voter) * rules->share_text)
            && here > most)
        {
            most = here;
            against = &ev->dirs[i];
        }
    }

    return against;
}


dt_quorum_dir_t *
dt_quorum(const dt_evidence_t *ev, const uint8_t *voter, uint64_t pages,
          uint64_t of, unsigned share)
{
    unsigned i, votes;
    dt_quorum_dir_t *in = &ev->dirs[0], *against;

    /* what a section has in common is a matter of that section */

    for (i = 1; i < ev->ndirs; i++) {
        if ((pages & ~ev->dirs[i].pages) == 0
            && (ev->dirs[i].pages & ~in->pages) == 0) {
            in = &ev->dirs[i];
        }
    }

    for (;;) {
        against = dt_quorum_against(ev, voter, in->pages, pages, of, share);
        if (against == NULL) {
            return in;
        }

        in = against;
        pages &= in->pages;
        of &= in->pages;
        votes = dt_rules_votes(pages, voter);

        if (votes < ev->rules.support
            || votes * 100 < dt_rules_votes(of, voter) * share)
        {
            return NULL;
        }
    }
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


void
dt_quorum_write(const dt_evidence_t *ev, dt_template_head_t *h)
{
    unsigned i, k, p, n, bit;
    uint64_t dir;

    for (i = 1; i <= ev->nlimits; i++) {
        h->dirs[i] = ev->limits[i]->hash;
    }

    for (p = 0; p < ev->npages; p++) {
        for (k = 1; k < DT_PAGE_DIRS && ev->pages[p].dirs[k]; k++) {
            dir = ev->pages[p].dirs[k];
            n = (unsigned) __builtin_popcountll(dt_quorum_in(ev, dir));

            if (n >= ev->rules.support) {
                bit = dt_template_known(dir);
                h->known[bit / 64] |= (uint64_t) 1 << bit % 64;
            }
        }
    }
}
