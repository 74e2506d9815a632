
/*
 * Copyright (C) The detemplate authors
 *
 * Rewriting a page that lies in a file, by a list of edits.  What is kept is
 * given out as a part of the file where there is much of it, so that nobody
 * has to touch it; what is read is read in pieces, since a call for each
 * region would cost more than the bytes between them:
 *
 *     page     |  kept  |region|kept|region|          kept         |region|
 *     pieces   |        |<--- read at once ---->|                  |<read>|
 *     out      |  file  |      |copy|      |copy|       file       |      |
 */


#include <sys/uio.h>

#include "core/scan/rewrite_i.h"


#define DT_PIECE_EDITS 64                       /* in a piece */
#define DT_PIECE_PARTS (6 * DT_PIECE_EDITS + 1) /* of it, see below */
#define DT_PIECE_FEW                                                          \
    2048 /* bytes: to copy them costs less than to say to the                 \
            system where they go */


/* a part of a piece that goes out: read from the page, or a mark */
typedef struct {
    const char *mark; /* NULL: read */
    size_t from;      /* offset in the piece */
    size_t len;
} dt_part_t;


typedef struct {
    char *room; /* stands for the piece; regions are read into it */
    dt_part_t parts[DT_PIECE_PARTS];
    unsigned n;
    struct iovec iov[2 * DT_PIECE_PARTS];
    int niov;
} dt_piece_t;


/* where the bytes end that an edit needs: a mark stands behind a tag's name */
static uint64_t
dt_stored_need(const dt_rewrite_t *rw, const dt_edit_t *e)
{
    return rw->trusted && rw->mode != DT_STRIP && e->at && rw->after.len == 0
               ? e->start + e->at
               : e->end;
}


/* whether a region is worth a call of its own to be stepped over */
static int
dt_stored_skip(const dt_rewrite_t *rw, const dt_edit_t *e)
{
    return rw->trusted && rw->mode == DT_STRIP
           && e->end - e->start >= DT_STORED_SKIP;
}


/* whether what is kept from an offset to the next edit is read with it */
static int
dt_stored_near(const dt_edits_walk_t *w, uint64_t end)
{
    return w->edit.start - end < DT_STORED_GAP;
}


uint64_t
dt_edits_reads(const dt_edits_t *edits)
{
    uint64_t n = 0, end = 0;
    dt_edits_walk_t w;

    for (dt_edits_walk(&w, edits, 0); dt_edits_more(&w); dt_edits_next(&w)) {
        n += w.edit.end - (dt_stored_near(&w, end) ? end : w.edit.start);
        end = w.edit.end;
    }

    return n + (dt_stored_near(&w, end) ? w.in - end : 0);
}


/* gives out the bytes up to an offset from where they are stored */
static void
dt_stored_keep(dt_rewrite_t *rw, uint64_t to)
{
    if (rw->sent < to) {
        dt_rewrite_out(rw, NULL, (size_t) (to - rw->sent), DT_OUT_STORED);
        rw->sent = to;
    }
}


/* how far to read, from rw->sent on: edits, and what is kept near them */
static uint64_t
dt_stored_piece(const dt_rewrite_t *rw)
{
    unsigned n = 0;
    uint64_t need, end = rw->sent, most = rw->sent + DT_STORED_ROOM;
    dt_edits_walk_t w = rw->walk;

    for (;
         dt_stored_near(&w, end) && w.edit.start <= most && n < DT_PIECE_EDITS;
         dt_edits_next(&w), n++)
    {
        need = dt_stored_need(rw, &w.edit);

        if (!dt_edits_more(&w) || dt_stored_skip(rw, &w.edit)) {
            return w.edit.start;
        }

        if (need > most) {
            break;
        }

        end = need;
    }

    return end;
}


/* takes what would go out */
static int
dt_piece_out(void *data, const char *p, size_t len, dt_out_kind_t kind)
{
    dt_piece_t *piece = data;
    dt_part_t *part = &piece->parts[piece->n++];

    part->mark = kind == DT_OUT_MARK ? p : NULL;
    part->from = kind == DT_OUT_MARK ? 0 : (size_t) (p - piece->room);
    part->len = len;

    return 0;
}


static void
dt_piece_read(dt_piece_t *piece, char *to, size_t len)
{
    if (len) {
        piece->iov[piece->niov].iov_base = to;
        piece->iov[piece->niov].iov_len = len;
        piece->niov++;
    }
}


/*
 * Where each byte of a piece is read to: what goes out into out, one behind
 * the other with the marks between, the rest into its place in the room.
 * Short parts are read with the rest, and copied then: dt_piece_copy().
 */
static void
dt_piece_scatter(dt_piece_t *piece, char *out, size_t len)
{
    unsigned i;
    size_t pos = 0;
    const dt_part_t *part;

    for (i = 0; i < piece->n; i++) {
        part = &piece->parts[i];

        if (part->mark != NULL) {
            memcpy(out, part->mark, part->len);

        } else if (part->len > DT_PIECE_FEW) {
            dt_piece_read(piece, piece->room + pos, part->from - pos);
            dt_piece_read(piece, out, part->len);
            pos = part->from + part->len;
        }

        out += part->len;
    }

    dt_piece_read(piece, piece->room + pos, len - pos);
}


static void
dt_piece_copy(const dt_piece_t *piece, char *out)
{
    unsigned i;
    const dt_part_t *part;

    for (i = 0; i < piece->n; i++) {
        part = &piece->parts[i];

        if (part->mark == NULL && part->len <= DT_PIECE_FEW) {
            memcpy(out, piece->room + part->from, part->len);
        }

        out += part->len;
    }
}


/* adds to a sum the bytes [from, to) of a piece, which are where they were
   scattered to */
static void
dt_piece_sum(const dt_piece_t *piece, size_t from, size_t to, dt_sum_t *sum)
{
    int i;
    size_t n, skip, pos = 0;

    for (i = 0; i < piece->niov && pos < to; i++, pos += n) {
        n = piece->iov[i].iov_len;

        if (pos + n > from) {
            skip = from > pos ? from - pos : 0;
            dt_sum_add(sum, (const char *) piece->iov[i].iov_base + skip,
                       (pos + n < to ? n : to - pos) - skip);
        }
    }
}


/* whether all edits before rw->walk are what they were, from *w on, which is
   then the one that is not */
static int
dt_piece_same(const dt_rewrite_t *rw, const dt_piece_t *piece,
              dt_edits_walk_t *w)
{
    dt_sum_t sum;

    for (; w->edit.start < rw->walk.edit.start; dt_edits_next(w)) {
        dt_sum_init(&sum, w->seed);
        dt_piece_sum(piece, (size_t) (w->edit.start - rw->chunk_off),
                     (size_t) (w->edit.end - rw->chunk_off), &sum);

        if (dt_sum_end(&sum) != w->edit.sum) {
            return 0;
        }
    }

    return 1;
}


/* the edits up to an offset become parts */
static void
dt_piece_parts(dt_rewrite_t *rw, dt_piece_t *piece, uint64_t end)
{
    dt_edit_t *e = &rw->walk.edit;
    dt_out_pt out = rw->out;
    void *data = rw->out_data;

    rw->out = dt_piece_out;
    rw->out_data = piece;
    rw->chunk = piece->room;
    rw->chunk_off = rw->sent;
    piece->n = 0;
    piece->niov = 0;

    for (; dt_edits_more(&rw->walk)
           && (dt_stored_need(rw, e) <= end
               || (e->start == end && dt_stored_skip(rw, e)));
         dt_edits_next(&rw->walk))
    {
        dt_rewrite_apply(rw, e->start, (uint32_t) (e->end - e->start), e->at);
    }

    dt_rewrite_keep(rw, end);
    rw->out = out;
    rw->out_data = data;
}


/*
 * Reads up to an offset, with the edits there, and gives out what is kept;
 * whether that is all that it should be.  If not, nothing has happened.
 */
static int
dt_stored_read(dt_rewrite_t *rw, dt_piece_t *piece, uint64_t end,
               dt_read_pt read, void *data)
{
    char *out = NULL;
    unsigned i;
    size_t len = 0;
    uint64_t from = rw->sent;
    dt_edits_walk_t w = rw->walk;
    dt_rewrite_stats_t stats = rw->stats;

    dt_piece_parts(rw, piece, end);

    for (i = 0; i < piece->n; i++) {
        len += piece->parts[i].len;
    }

    if (len) {
        out = rw->alloc.alloc(rw->alloc.data, len);
    }

    if (len && out != NULL) {
        dt_piece_scatter(piece, out, (size_t) (end - from));

    } else if (end > from) {
        dt_piece_read(piece, piece->room, (size_t) (end - from));
    }

    if ((len && out == NULL)
        || (end > from
            && read(data, piece->iov, piece->niov, from)
                   != (ptrdiff_t) (end - from))
        || (!rw->trusted && !dt_piece_same(rw, piece, &w)))
    {
        rw->sent = from;
        rw->stats = stats;
        rw->walk = w;
        return 0;
    }

    if (len) {
        dt_piece_copy(piece, out);
    }

    dt_rewrite_out(rw, out, len, DT_OUT_INPUT);

    return 1;
}


dt_status_t
dt_rewrite_stored(dt_rewrite_t *rw, int trusted, dt_read_pt read, void *data,
                  char *room)
{
    uint64_t end;
    dt_piece_t piece;
    dt_edits_walk_t *w = &rw->walk;

    rw->trusted = trusted != 0;
    piece.room = room;

    while (rw->sent < w->in && !rw->failed) {

        if (!dt_stored_near(w, rw->sent)) {
            dt_stored_keep(rw, w->edit.start);
            continue;
        }

        end = dt_stored_piece(rw);

        if (end == rw->sent && w->edit.start > end) {
            /* no room for both, what is kept and the region behind it */
            dt_stored_keep(rw, w->edit.start);
            continue;
        }

        if (!dt_stored_read(rw, &piece, end, read, data)) {
            rw->stats.changed = 1;
            break;
        }
    }

    dt_stored_keep(rw, w->in);
    rw->in = w->in;
    rw->pass = 1;

    if (!rw->stats.changed) {
        rw->stats.words = rw->edits->words;
    }

    return rw->failed ? DT_ENOMEM : DT_OK;
}
