
/*
 * Copyright (C) The detemplate authors
 *
 * A tokenizer that keeps nothing but what it counts: for pages that somebody
 * looks at, where speed is no matter.
 */


#include "core/base/tags.h"
#include "core/scan/chars.h"
#include "core/scan/token.h"
#include "core/scan/words.h"


enum {
    DT_WORDS_TEXT = 0,
    DT_WORDS_OPEN, /* behind '<' */
    DT_WORDS_END,  /* behind "</" */
    DT_WORDS_TAG_NAME,
    DT_WORDS_TAG,
    DT_WORDS_BANG, /* behind "<!", or "<!-" */
    DT_WORDS_COMMENT,
    DT_WORDS_BOGUS,
    DT_WORDS_PASS /* no page of the usual kind from here on */
};


void
dt_words_init(dt_words_t *w)
{
    memset(w, 0, sizeof(dt_words_t));
}


static void
dt_words_text(dt_words_t *w, char c)
{
    if (c == '<') {
        w->state = DT_WORDS_OPEN;

    } else if (w->raw == 0 && w->nest == 0) {
        w->words += (unsigned char) c > 0x20 && !w->word;
        w->word = (unsigned char) c > 0x20;
    }
}


/* the '<' before c was text */
static void
dt_words_back(dt_words_t *w, char c)
{
    w->state = DT_WORDS_TEXT;

    if (w->raw == 0 && w->nest == 0) {
        w->words += !w->word;
        w->word = 1;
    }

    dt_words_text(w, c);
}


static void
dt_words_begin(dt_words_t *w, char c, int end)
{
    w->state = DT_WORDS_TAG_NAME;
    w->end = end != 0;
    w->tag[0] = c;
    w->len = 1;
    w->last = 0;
}


static void
dt_words_open(dt_words_t *w, char c)
{
    if (c == '/') {
        w->state = DT_WORDS_END;

    } else if (w->raw || !dt_char_is(c, DT_C_ALPHA | DT_C_MARKUP)) {
        dt_words_back(w, c);

    } else if (dt_char_is(c, DT_C_ALPHA)) {
        w->word = 0;
        dt_words_begin(w, c, 0);

    } else {
        w->word = 0;
        w->state = c == '!' ? DT_WORDS_BANG : DT_WORDS_BOGUS;
        w->step = 0;
    }
}


/* behind "</" */
static void
dt_words_end(dt_words_t *w, char c)
{
    if (dt_char_is(c, DT_C_ALPHA)) {
        w->word = w->raw ? w->word : 0;
        dt_words_begin(w, c, 1);

    } else if (w->raw) {
        w->state = DT_WORDS_TEXT;
        dt_words_text(w, c);

    } else {
        w->word = 0;
        w->state = c == '>' ? DT_WORDS_TEXT : DT_WORDS_BOGUS;
    }
}


/* the tag ends with c, which is '>' */
static void
dt_words_done(dt_words_t *w)
{
    const dt_tag_t *tag = dt_tag_find(w->name);

    w->state = DT_WORDS_TEXT;

    if (w->end) {
        if (w->nest && w->name == w->nest && --w->nested == 0) {
            w->nest = 0;
        }

    } else if (w->nest) {
        w->nested += w->name == w->nest && w->last != '/';

    } else if (tag->kind == DT_TAG_STOP) {
        w->state = DT_WORDS_PASS;

    } else if (tag->flags & DT_TAG_RAW) {
        w->raw = w->name;

    } else if ((tag->flags & DT_TAG_NEST) && w->last != '/') {
        w->nest = w->name;
        w->nested = 1;
    }
}


static void
dt_words_name(dt_words_t *w, char c)
{
    if (!dt_char_is(c, DT_C_NAME_END)) {
        if (w->len < DT_WORDS_NAME) {
            w->tag[w->len] = c;
        }

        w->len++;
        return;
    }

    w->name =
        w->len <= DT_WORDS_NAME ? dt_name_fold(w->tag, w->tag + w->len) : 0;

    if (w->raw && w->name != w->raw) {
        w->state = DT_WORDS_TEXT;
        dt_words_text(w, c);
        return;
    }

    w->raw = 0;
    w->state = DT_WORDS_TAG;
    w->step = DT_STEP_BEFORE;

    if (c == '>') {
        dt_words_done(w);
    }

    w->last = (uint8_t) c;
}


/* "<!" and what comes */
static void
dt_words_bang(dt_words_t *w, char c)
{
    if (c == '-' && ++w->step == 2) {
        w->state = DT_WORDS_COMMENT;

    } else if (c == '>') {
        w->state = DT_WORDS_TEXT;

    } else if (c != '-') {
        w->state = DT_WORDS_BOGUS;
    }
}


/* comments end at "-->" and "--!>"; "<!-->" and "<!--->" are whole */
static void
dt_words_comment(dt_words_t *w, char c)
{
    if (c == '-') {
        w->step = w->step < 2 ? w->step + 1 : 2;

    } else if (c == '>' && w->step >= 2) {
        w->state = DT_WORDS_TEXT;

    } else {
        w->step = c == '!' && w->step == 2 ? 3 : 0;
    }
}


void
dt_words_add(dt_words_t *w, const char *p, size_t len)
{
    int done;
    const char *end = p + len;

    for (; p < end && w->bom < 3; p++) {
        if (*p != "\xef\xbb\xbf"[w->bom]) {
            w->bom = 3;
            break;
        }

        w->bom++;
    }

    for (; p < end; p++) {

        switch (w->state) {

        case DT_WORDS_TEXT:
            dt_words_text(w, *p);
            break;

        case DT_WORDS_OPEN:
            dt_words_open(w, *p);
            break;

        case DT_WORDS_END:
            dt_words_end(w, *p);
            break;

        case DT_WORDS_TAG_NAME:
            dt_words_name(w, *p);
            break;

        case DT_WORDS_TAG:
            (void) dt_token_step(&w->step, p, p + 1, &done);

            if (done) {
                dt_words_done(w);
            }

            w->last = (uint8_t) *p;
            break;

        case DT_WORDS_BANG:
            dt_words_bang(w, *p);
            break;

        case DT_WORDS_COMMENT:
            dt_words_comment(w, *p);
            break;

        case DT_WORDS_BOGUS:
            w->state = *p == '>' ? DT_WORDS_TEXT : DT_WORDS_BOGUS;
            break;

        default: /* DT_WORDS_PASS */
            return;
        }
    }
}
