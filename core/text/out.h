
/*
 * Copyright (C) The detemplate authors
 *
 * Bytes of the text, for which there may be no room.
 */


#ifndef DT_OUT_H_INCLUDED_
#define DT_OUT_H_INCLUDED_


#include "core/text/state.h"


void dt_out_more(dt_out_t *o, const char *p, size_t len);
void dt_out_flush(dt_out_t *o);


static inline void
dt_out_bytes(dt_out_t *o, const char *p, size_t len)
{
    if (len > DT_TEXT_OUT - o->len) {
        dt_out_more(o, p, len);
        return;
    }

    memcpy(o->buf + o->len, p, len);
    o->len += len;
}


static inline void
dt_out_char(dt_out_t *o, char c)
{
    dt_out_bytes(o, &c, 1);
}


static inline void
dt_out_string(dt_out_t *o, const char *s)
{
    dt_out_bytes(o, s, strlen(s));
}


/* a run of a character */
void dt_out_run(dt_out_t *o, char c, size_t len);


/*
 * A page as an object of JSON: the fields of its head, its Markdown as a
 * string, and behind that the lists that were noted: headings and links.  The
 * caller ends the object, and may have more to say before.
 */

/* notes a heading, which is the line, or a link that is being written */
void dt_json_heading(dt_text_t *t, unsigned level);
void dt_json_link(dt_text_t *t, const char *url, size_t len);

/* a string of JSON, which is one of YAML; null where it is empty */
void dt_json_string(dt_text_t *t, const char *p, size_t len);

/* the text begins, and has ended: writes the members behind it */
void dt_json_begin(dt_text_t *t);
void dt_json_end(dt_text_t *t);


#endif /* DT_OUT_H_INCLUDED_ */
